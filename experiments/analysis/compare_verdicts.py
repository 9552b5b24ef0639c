"""Who is ahead on each side of a comparison, and whether the game is still broken.

    Now the first to play is ahead, 50 to 42 of 100 (the last, 54 to 37 before); broken
    as before.

A gap alone does not say that the other position is ahead now. A leader is named only
where it wins more for certain than the next, and a change only where the shares differ
for certain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

import sim.games
from experiments.analysis.compare import Comparison
from experiments.analysis.scorecard_effects import Scores
from experiments.analysis.tolerance_check import check_line
from reports.scorecard.score_line import ScoreLine
from reports.scorecard.scored_line import PROBLEMS, LineVerdict

_SHARES = {"positions": "won by position", "roles": "won by role"}
"""The measure of the shares that a line is about."""
_Z = 2.24  # two-sided 95 % for the leaders of both sides at once


@dataclass(frozen=True)
class _Side:
    """Shares of a side, by place; who leads, if that is certain."""

    names: Sequence[str]
    shares: Sequence[float]
    certain: bool

    @property
    def leader(self) -> str:
        return self.names[int(np.argmax(self.shares))] if self.certain else ""

    @property
    def ends(self) -> str:
        """The greatest and the least share, of 100."""
        return f"{100 * max(self.shares):.0f} to {100 * min(self.shares):.0f}"


def direction_sentences(comparison: Comparison, cell: int) -> Iterator[str]:
    """Yield who is ahead now, and whether that is still beyond the tolerance."""
    if not comparison.scores or comparison.scores[cell].failed:
        return
    scores = comparison.scores[cell]
    for line in scores.lines:
        rows = comparison.rows.filter(cell=cell, measure=_SHARES.get(line.id, ""))
        if rows.height < 2:
            continue
        before, after = (_side(comparison, cell, rows, who) for who in ("one", "other"))
        changed = bool(rows["different"].any())
        words, verdict = _words(before, after, changed), verdict_words(line, scores)
        if words:
            verdict = "" if "before" in verdict and not changed else verdict
            yield f"{words}{f'; {verdict}' if verdict else ''}."


def verdict_words(line: ScoreLine, scores: Scores) -> str:
    """Say whether a line is fair now, if that is not what it was; else if it is not."""
    before, after = (verdict_on(line, scores, side) for side in (0, 1))
    if after is None or before is None or before == after == "fair":
        return ""
    if before == after:
        return f"still {after}" if after in PROBLEMS else after
    return f"{after} now, {before} before"


def verdict_on(line: ScoreLine, scores: Scores, side: int) -> LineVerdict | None:
    """Return the verdict on a line of a side; None if it has none."""
    check = check_line(line, scores.values[side], scores.widening)
    return None if check is None or check.verdict == "not measured" else check.verdict


def _side(comparison: Comparison, cell: int, rows: pl.DataFrame, who: str) -> _Side:
    """Return the shares of a side."""
    of = (comparison.ones if who == "one" else comparison.others)[cell]
    games = (comparison.games if who == "one" else comparison.other_games)[cell]
    places = sim.games.positions(sim.games.load(of.game), of.players)
    shares, names = rows[who].to_list(), []
    for group in rows["group"]:
        word, _, name = str(group).partition(" ")
        at_table = word == "position" and name.isdecimal()
        names.append(f"the {places[int(name) - 1]}" if at_table else name.capitalize())
    first, second = sorted(shares, reverse=True)[:2]
    apart = first - second
    error = np.sqrt(max(first + second - apart**2, 0.0) / max(games, 1))
    return _Side(names, shares, apart > _Z * comparison.widening * error)


def _words(before: _Side, after: _Side, changed: bool) -> str:
    """Say who is ahead, and who was; "" if nobody is for certain."""
    if before.leader and before.leader == after.leader:
        return (
            f"{_capital(after.leader)} is ahead as before, {after.ends} of 100 "
            f"({before.ends} before)"
        )
    if not changed:
        return ""
    if after.leader:
        was = f"{before.leader}, {before.ends} before"
        return f"Now {after.leader} is ahead, {after.ends} of 100 " + (
            f"({was})" if before.leader else "(nobody for certain before)"
        )
    if before.leader:
        return (
            f"Nobody is ahead for certain now, {after.ends} of 100 "
            f"({before.leader}, {before.ends} before)"
        )
    return ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
