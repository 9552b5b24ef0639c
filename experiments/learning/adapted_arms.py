"""The two sides of a comparison, each played by those who learned its rules."""

from dataclasses import replace

from experiments.analysis.comparison_arms import Arm
from experiments.core.cells import Cell
from experiments.learning.adaptation import Say, adapted, learned_anew
from strategies.base import Strategy
from strategies.learned import Learned, shipped
from strategies.registry import seat_specs

_ROLE = "adapted"  # the places of those who adapted, in tables


def adapted_arms(
    one: Arm,
    other: Arm,
    *,
    seconds: float,
    jobs: int = 1,
    kept: bool = False,
    say: Say = lambda _: None,
) -> tuple[Arm, Arm]:
    """Return both sides, each with the players who learned its rules.

    They begin alike and have equally many lessons, for the numbers of players of these
    sides. The arguments are those of ``adaptation.adapted``. Only for sides that
    ``can_adapt``.
    """
    sizes = sorted({cell.players for cell in one.cells})
    start = _start(one)
    anew = learned_anew(one.cells[0].game, (one.rules, other.rules), sizes, start)
    if anew:
        say(f"{start} does not know all options of {', '.join(anew)}: learned anew")
    taught = []
    for arm in (one, other):
        cell = arm.cells[0]
        say(f"players learn {arm.name}, seed {cell.seed}")
        found = adapted(
            cell.game,
            arm.rules,
            players=sizes,
            start=start,
            anew=anew,
            seconds=seconds,
            seed=cell.seed,
            jobs=jobs,
            kept=kept,
            say=say,
        )
        say(found.told)
        cells = tuple(_seated(each, found.spec) for each in arm.cells)
        taught.append(replace(arm, cells=cells, told=found.told))
    return taught[0], taught[1]


def can_adapt(one: Arm, other: Arm) -> bool:
    """Whether players can learn what differs: rules, and nothing else.

    Both sides are to be played, by one policy in all seats, or by players whom nobody
    named.
    """
    return _differ_in_rules(one, other) and _adaptable(one)


def not_adapted(one: Arm, other: Arm, decide: str) -> str:
    """Say for whom one answer holds, where rules differ; else nothing."""
    if not _differ_in_rules(one, other):
        return ""
    holds = f"for {one.lineup} on both sides only"
    if not _adaptable(one):
        return f"{holds}; --lineup learned also asks what those make of it who adapt"
    if decide:
        return f"{holds}, as --decide asks one question; nobody adapts to the rules"
    return f"{holds}; --adapt 60 also asks what those make of it who adapt"


def _differ_in_rules(one: Arm, other: Arm) -> bool:
    played = one.run is None and other.run is None
    return played and one.rules != other.rules and _players(one) == _players(other)


def _players(arm: Arm) -> list[list[Strategy]]:
    return [cell.strategies() for cell in arm.cells]


def _adaptable(arm: Arm) -> bool:
    """Whether its players are a policy, or were not named."""
    seats = {who for seats in _players(arm) for who in seats}
    learned = all(isinstance(who, Learned) for who in seats)
    return len(seats) == 1 and (learned or not arm.has_own_lineup)


def _start(arm: Arm) -> str:
    """The policy with which players begin; empty: from the beginning."""
    who = arm.cells[0].strategies()[0]
    if isinstance(who, Learned):
        return who.policy or Learned.name
    return Learned.name if shipped(arm.cells[0].game) else ""


def _seated(cell: Cell, spec: str) -> Cell:
    lineup = seat_specs(cell.game, spec, cell.players)
    return replace(cell, lineup=lineup, label=spec, roles=(_ROLE,) * cell.players)
