"""What a tried cure does, in a designer's words."""

from collections.abc import Iterator

import sim.games
from experiments.analysis import scorecard_effects
from experiments.analysis.leader import STRONG_PLAYERS
from experiments.analysis.line_values import LineValue
from experiments.analysis.rule_search import CandidateChange, RuleSearch
from experiments.core.cells import Cell
from reports.lever_figures import amount
from reports.number_text import with_interval
from reports.position_names import position_name
from reports.scorecard.score_line import ScoreLine
from reports.statistics.intervals import wilson


def tried(search: RuleSearch, whom: str = "") -> str:
    """Return how many changes were tried, by whom, and how many more could not be."""
    more = f", {search.refused} more not possible" if search.refused else ""
    return f"{search.tried} change{'s' * (search.tried != 1)} tried{whom}{more}"


def by_whom(cell: Cell) -> str:
    """Return who played, in words."""
    who = cell.strategies()[0]
    strong = isinstance(who, STRONG_PLAYERS)
    return f"by {'strong players' if strong else f'players like {who.title}'}"


def numbers(line: ScoreLine, cell: Cell, before: LineValue, after: LineValue) -> str:
    """Return a line's number before and after a change, with intervals.

    Of a gap the share of who was ahead, and of who wins most now.
    """
    if not (before.parts and after.parts):
        one, other = (_interval(line, value) for value in (before, after))
        unit = line.measured if line.chance else line.number_unit
        return f"{line.number} {other} {unit}".rstrip() + f" instead of {one}"
    first = max(before.parts, key=lambda group: before.parts[group][0])
    most = max(share for share, _ in after.parts.values())
    name = first
    if isinstance(first, int):
        begins = sim.games.load(cell.game).first_position
        name = position_name(begins, first, cell.players)
    one, other = (_per_hundred(*value.parts[first]) for value in (before, after))
    top = max(after.parts.values())
    rest = (
        "" if after.parts[first][0] == most else f", nobody above {_per_hundred(*top)}"
    )
    return f"{name} wins {other} of 100 games instead of {one}{rest}"


def side_effects(search: RuleSearch, answer: CandidateChange) -> Iterator[str]:
    """Yield what else a change moves by more than a tolerance, in words."""
    targets = {goal.line.id for goal in search.goals}
    for row in answer.moved.iter_rows(named=True):
        line = search.scores.line(row["line"])
        if line.id not in targets:
            side = line.more if row["difference"] > 0 else line.less
            yield f"{side} ({line.number} {amount(row, line)})"


def _interval(line: ScoreLine, value: LineValue) -> str:
    ends = value.estimate, *scorecard_effects.bounds(value, 0.975)
    return with_interval([line.scale * end for end in ends])


def _per_hundred(share: float, games: float) -> str:
    low, high = wilson(share * games, games)
    return with_interval(
        [100 * end for end in (share, float(low), float(high))], digits=0
    )
