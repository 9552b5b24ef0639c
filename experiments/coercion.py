"""Convert the arguments of the door's functions: rules, lineup, players and seed."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

import strategies.registry
from experiments.core.cells import Cell, UsageError
from experiments.rule_set import RuleSet
from sim import games
from sim.parameters import Rules
from strategies.base import Strategy
from strategies.specs import split_lineup

if TYPE_CHECKING:
    from experiments.analysis.comparison_arms import Arm
    from experiments.learning.adaptation import LessonPlan

Lineup = str | Strategy | Sequence[str | Strategy]
"""Who plays: a text as on the command line ("allround,greedy,random,random"; one name
fills all seats), a strategy, or a strategy or name for each seat."""

Given = str | Sequence[str]
"""Conditions that all deals fit (``experiments.core.given_deals``), or one."""

GAMES = 100_000
"""The default number of games of one lineup."""


class HasId(Protocol):
    """Anything with the id of a game, such as ``Game``."""

    @property
    def id(self) -> str:
        """The id that commands and files use."""


RulesLike = RuleSet | HasId | str
"""The rules to play by: a rule set, or a game or its id, which has its base rules."""


def coerce_rule_set(rules: RulesLike) -> RuleSet:
    """Return the rule set of rules, or of a game; raises ``UnknownGame``."""
    if isinstance(rules, RuleSet):
        return rules
    return RuleSet.of(rules if isinstance(rules, str) else rules.id)


def coerce_seed(seed: int | None) -> int:
    """Return the seed, or draw one if it is None; raises ``UsageError``."""
    if seed is None:
        return secrets.randbits(32)
    if not 0 <= seed < 1 << 64:
        raise UsageError(f"seed: 0 to {(1 << 64) - 1}, not {seed}.")
    return seed


def coerce_players(game: str, players: int | None) -> int:
    """Return the number of players; by default 4, or the first that can play."""
    allowed = games.load(game).players
    if players is None:
        return 4 if 4 in allowed else allowed[0]
    return players


def coerce_given(given: Given) -> tuple[str, ...]:
    """Return the conditions, of which a text is one."""
    return (given,) if isinstance(given, str) else (*given,)


def coerce_cell(
    rules: RulesLike,
    lineup: Lineup,
    players: int | None,
    rotate: bool,
    seed: int | None,
    given: Given = (),
) -> Cell:
    """Return the cell to play; ``players`` is by default what the lineup seats.

    Deals that hardly ever fit what is given are refused.
    """
    ruled = coerce_rule_set(rules)
    seats = 1
    if isinstance(lineup, str):
        seats = len(split_lineup(lineup))
    elif not isinstance(lineup, Strategy):
        seats = len(lineup)
    if players is None and seats in games.load(ruled.game).players:
        players = seats
    count = coerce_players(ruled.game, players)
    specs = coerce_lineup(ruled.game, lineup, count)
    cell = Cell(
        ruled.game,
        ruled.values,
        count,
        specs,
        rotate,
        coerce_seed(seed),
        given=coerce_given(given),
    )
    refuse_search_of_faulty(cell)
    cell.given_chance()
    return cell


def refuse_search_of_faulty(cell: Cell) -> None:
    """Refuse to search a game from outside with faults; raises ``GameError``."""
    own = cell.game not in games.REGISTRY
    if own and any(strategy.cost > 1 for strategy in cell.strategies()):
        refuse_faulty(cell.game)


def refuse_faulty(game: str) -> None:
    """Refuse a game from outside that has faults; raises ``GameError``."""
    from experiments.conformance.check_game import refuse_faulty

    refuse_faulty(game)


def coerce_lineup(
    game: str, lineup: Lineup, players: int
) -> tuple[str | Strategy, ...]:
    """Return a strategy or spec for each seat; a single one fills all seats."""
    if isinstance(lineup, str):
        return strategies.registry.seat_specs(game, lineup, players)
    named = (lineup,) if isinstance(lineup, Strategy) else tuple(lineup)
    return named * players if len(named) == 1 else named


def coerce_arm(
    side: "RuleSet | Lineup | Arm",
    rules: RulesLike | None,
    lineup: Lineup | None,
    players: int | None,
    rotate: bool,
    seed: int,
    given: Given = (),
) -> "Arm":
    """Return an arm of a comparison: rules with the common lineup, or a lineup."""
    from experiments.analysis.comparison_arms import Arm
    from experiments.studies.lineups import base_players
    from experiments.variants.variant_files import BASE

    if isinstance(side, Arm):
        return side
    if isinstance(side, RuleSet):
        seats = lineup or base_players(side.game)
        cell = coerce_cell(side, seats, players, rotate, seed, given)
        changes = [f"{key}={here}" for key, (_, here) in side.differences.items()]
        return Arm(" ".join(changes) or BASE, (cell,), has_own_lineup=bool(lineup))
    if rules is None:
        raise UsageError("rules: lineups are compared under some rules; name them.")
    cell = coerce_cell(rules, side, players, rotate, seed, given)
    return Arm(cell.title(), (cell,))


def coerce_lessons(
    seconds: float, jobs: int, out: str | Path | None, progress: object
) -> "LessonPlan":
    """Return the lessons of players who adapt, kept if the answer is.

    progress: is told what happens, if it listens. Raises ``UsageError``.
    """
    from experiments.learning.adaptation import LessonPlan

    say = getattr(progress, "tell", lambda _: None)
    return LessonPlan(seconds, jobs, kept=out is not None, say=say)


def absolute_path(out: str | Path | None) -> Path | None:
    """Make a path absolute: it stays the same if a strategy changes the folder."""
    return None if out is None else Path(out).absolute()


class RunArguments(TypedDict):
    """The arguments of any run, as functions of ``experiments.analysis`` take them."""

    rules: Rules
    players: int
    seed: int
    jobs: int
    backend: str
    scheduler: str | None
    out: Path | None


def further_run(how: RunArguments, name: str) -> dict[str, Any]:
    """Return how a run is executed that goes on from another, in a folder of its."""
    out = how["out"] and how["out"] / name
    by = {key: how[key] for key in ("jobs", "backend", "scheduler")}
    return {**by, "out": out}


def run_arguments(
    of: RuleSet,
    players: int | None,
    seed: int | None,
    jobs: int,
    backend: str,
    scheduler: str | None,
    out: str | Path | None,
) -> RunArguments:
    """Return the arguments of a run with these rules; a seed is drawn if it is None.

    Raises ``GameError`` for a game from outside that has faults.
    """
    refuse_faulty(of.game)
    return {
        "rules": of.values,
        "players": coerce_players(of.game, players),
        "seed": coerce_seed(seed),
        "jobs": jobs,
        "backend": backend,
        "scheduler": scheduler,
        "out": absolute_path(out),
    }
