"""Who leads a report: a strong player by the rules in force, found by playing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from experiments.analysis.panel_cells import detailed_of
from experiments.core.measures import report_of
from experiments.execution.single_thread import call_here
from reports.formatting import join_words
from sim.parameters import Rules
from strategies import registry
from strategies.learned import Learned, Taught
from strategies.search import Search
from strategies.strength_levels import (
    Beginner,
    Expert,
    Good,
    Strong,
    StrongerPlayer,
    spec_at,
    strong_choice,
)


@dataclass(frozen=True)
class Leader:
    """Who leads a report: a spec, and what such players are, in words ("": no more).

    ``base``: who led before they adapted, and plays by the base rules ("": the same).
    """

    spec: str
    told: str = ""
    base: str = ""


HEURISTIC = Leader("")
"""The leading heuristic, whoever that is."""

NO_LEVELS: Mapping[str, str] = {}
"""No players of other strengths."""

FindLeader = Callable[[str, Rules, Sequence[int]], Leader]
"""Finds who leads the report of a game by some rules, for some numbers of players."""


def strong_leader(game: str, rules: Rules, counts: Sequence[int]) -> Leader:
    """Return who leads a report: a strong player by these rules, found by playing.

    With the number of players that details are about; where others are stronger with
    another number, or nobody knows, ``Leader.told`` says so.

    >>> from sim.games import load
    >>> strong_leader("drake", load("drake").rules.of(), (2,)).spec
    'learned'
    """
    players = detailed_of(counts)
    choice = _choice(game, rules, players)
    if not choice.other:  # the game comes with no policy
        return Leader(choice.plays)
    if choice.shown:
        others = [n for n in counts if n != players]
        elsewhere = [*_elsewhere(game, rules, others, choice.plays)]
    else:
        elsewhere = [f"measured with {players} players only"] * (len(counts) > 1)
    known = choice.shown and choice.plays == Learned.name
    if known and not elsewhere:
        return Leader(choice.plays)
    named = registry.title(game, choice.plays) if known else _named(game, choice)
    return Leader(choice.plays, "; ".join([named, *elsewhere]))


def _choice(game: str, rules: Rules, players: int) -> StrongerPlayer:
    return call_here(partial(strong_choice, game, rules, players))


def _named(game: str, choice: StrongerPlayer) -> str:
    """Return who plays, and how strong that is, by their names in tables."""
    plays, other = (registry.title(game, spec) for spec in choice[:2])
    return f"{plays}, {choice._replace(other=other).words}"


def _elsewhere(
    game: str, rules: Rules, counts: Sequence[int], lead: str
) -> Iterator[str]:
    """Yield with which other numbers of players who leads is not shown to be stronger.

    Measured are those with which the game's report plays several strategies.
    """
    measured = report_of(game).players or counts
    for players in sorted({*counts}.intersection(measured)):
        there = _choice(game, rules, players)
        if there.plays != lead or not there.shown:
            yield f"with {players} players {_named(game, there)}"
    if left := sorted({*counts}.difference(measured)):
        yield f"not measured with {join_words([str(n) for n in left])} players"


def who_plays(
    lead: Leader | FindLeader,
    game: str,
    rules: Rules,
    counts: Sequence[int],
    *,
    found: bool,
) -> tuple[Leader, Mapping[str, str]]:
    """Return who leads a report, and the specs of beginners and good players.

    found: whether games are played to find them. There are no others where somebody
    asks for a heuristic.
    """
    if not found:
        return (lead if isinstance(lead, Leader) else HEURISTIC), NO_LEVELS
    leader = lead if isinstance(lead, Leader) else lead(game, rules, counts)
    if leader is lead and not (leader.spec and is_strong(game, leader.spec)):
        return leader, NO_LEVELS
    players = detailed_of(counts)
    return leader, {
        level: call_here(partial(spec_at, level, game, rules, players))
        for level in (Beginner.name, Good.name)
    }


STRONG_PLAYERS = Learned, Taught, Search, Strong, Expert
"""Strategies that learned or search, and are no heuristics."""


def is_strong(game: str, spec: str) -> bool:
    """Return whether a strategy learned or searches, and is no heuristic."""
    return isinstance(registry.make(game, spec), STRONG_PLAYERS)
