"""Rule sets, each played by those who learned it: of a comparison, levers, a study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from experiments.analysis.comparison_arms import Arm
from experiments.core.cells import Cell
from experiments.learning.adaptation import LessonPlan, adapted, learned_anew
from experiments.studies.lineups import can_learn
from sim.games import load
from strategies.base import Strategy
from strategies.learned import Learned, shipped
from strategies.registry import seat_specs

_ROLE = "adapted"  # the places of those who adapted, in tables


@dataclass(frozen=True)
class AdaptedSide:
    """A rule set with the players who learned it; told: who they are, in words."""

    cells: tuple[Cell, ...]
    told: str


def adapted_arms(one: Arm, other: Arm, lessons: LessonPlan) -> tuple[Arm, Arm]:
    """Return both sides, each with the players who learned its rules.

    Only for sides that ``can_adapt``.
    """
    arms = one, other
    taught = adapted_sides([(arm.name, arm.cells) for arm in arms], lessons)
    left, right = (
        replace(arm, cells=side.cells, told=side.told)
        for arm, side in zip(arms, taught, strict=True)
    )
    return left, right


def adapted_sides(
    sides: Sequence[tuple[str, Sequence[Cell]]], lessons: LessonPlan
) -> list[AdaptedSide]:
    """Return these rule sets, each with the players who learned it.

    sides: names, and the cells of each rule set, all played by the same players. They
    begin alike and have equally many lessons, for the numbers of players of all sides.
    """
    first = sides[0][1][0]
    sizes = sorted({cell.players for _, cells in sides for cell in cells})
    start = _start(first)
    every = [cells[0].rules for _, cells in sides]
    anew = learned_anew(first.game, every, sizes, start)
    if anew:
        kinds = ", ".join(anew)
        lessons.say(f"{start} does not know all options of {kinds}: learned anew")
    taught = []
    for name, cells in sides:
        rules, seed = cells[0].rules, cells[0].seed
        lessons.say(f"players learn {name}, seed {seed}")
        found = adapted(
            first.game,
            rules,
            players=sizes,
            lessons=lessons,
            start=start,
            anew=anew,
            seed=seed,
        )
        lessons.say(found.told)
        seated = tuple(_seated(cell, found.spec) for cell in cells)
        taught.append(AdaptedSide(seated, found.told))
    return taught


def adapted_changes(
    base: Cell, changes: Mapping[str, Cell], lessons: LessonPlan
) -> list[tuple[AdaptedSide, AdaptedSide]]:
    """Return the base and each change, with players who learned their rules.

    Where a change has options of which the policy knows nothing, those who play its
    base learn them anew, too, but not those who play the base of other changes.
    """
    start = _start(base)
    pairs: dict[str, tuple[AdaptedSide, AdaptedSide]] = {}
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, cell in changes.items():
        rules = base.rules, cell.rules
        anew = learned_anew(base.game, rules, [base.players], start)
        alike.setdefault(anew, []).append(name)
    for names in alike.values():
        sides = [("base", [base]), *((name, [changes[name]]) for name in names)]
        before, *after = adapted_sides(sides, lessons)
        pairs |= {name: (before, side) for name, side in zip(names, after, strict=True)}
    return [pairs[name] for name in changes]


def can_adapt(one: Arm, other: Arm) -> bool:
    """Whether players can learn what differs: rules, and nothing else.

    Both sides are to be played, by one policy in all seats, or by players whom nobody
    named.
    """
    return _differ_in_rules(one, other) and can_learn(one.cells, one.has_own_lineup)


def not_adapted(one: Arm, other: Arm, decide: str) -> str:
    """Say for whom one answer holds, where rules differ; else nothing."""
    if not _differ_in_rules(one, other):
        return ""
    holds = f"for {one.lineup} on both sides only"
    if any(load(cell.game).scalar for cell in one.cells):
        return holds
    if not can_learn(one.cells, one.has_own_lineup):
        return f"{holds}; --lineup learned also asks what those make of it who adapt"
    if decide:
        return f"{holds}, as --decide asks one question; nobody adapts to the rules"
    return f"{holds}; --adapt 60 also asks what those make of it who adapt"


def _differ_in_rules(one: Arm, other: Arm) -> bool:
    played = one.run is None and other.run is None
    return played and one.rules != other.rules and _players(one) == _players(other)


def _players(arm: Arm) -> list[list[Strategy]]:
    return [cell.strategies() for cell in arm.cells]


def _start(cell: Cell) -> str:
    """The policy with which players begin; empty: from the beginning."""
    who = cell.strategies()[0]
    if isinstance(who, Learned):
        return who.policy or Learned.name
    return Learned.name if shipped(cell.game) else ""


def _seated(cell: Cell, spec: str) -> Cell:
    lineup = seat_specs(cell.game, spec, cell.players)
    return replace(cell, lineup=lineup, label=spec, roles=(_ROLE,) * cell.players)
