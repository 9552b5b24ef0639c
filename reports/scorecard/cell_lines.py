"""The lines that each cell of a run can answer, for every way to play."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from reports.claims import Claim
from reports.measures import SUMS
from reports.report_data import ReportData
from reports.scorecard import line_statistics
from reports.scorecard.line_estimate import LineEstimate, per_hundred, single_estimate
from reports.scorecard.line_statistics import (
    BEYOND,
    DECIDED,
    IN_TURN,
    LATER,
    LINE_STATISTICS,
    POSITION,
    ROLE_WINS,
    Totals,
)
from reports.scorecard.lines import SECONDS
from reports.scorecard.score_line import ScoreLine
from reports.statistics import extremes
from reports.statistics.estimates import estimates


@dataclass(frozen=True)
class CellMeasures:
    """A cell of a run, and what is known about its game.

    ``undecided``: endings in which the winner is not decided by play.
    """

    data: ReportData
    cell: int
    players: int
    undecided: Sequence[str] = ()
    seconds: float = SECONDS

    def of(self, measure: str) -> pl.DataFrame:
        """Return the estimates of a measure in this cell; empty if it was not taken."""
        if measure not in self.data.measures:
            return pl.DataFrame()
        rows = self.data.of(measure, only=pl.col("cell") == self.cell)
        return rows.drop_nulls("estimate")

    def wider(self, measure: str) -> float:
        """Return how many times wider intervals are than for a single look."""
        return self.data.wider(self.cell, measure)

    def totals(self, measure: str) -> Totals | None:
        """Return the sums of a measure in this cell; None if it was not taken."""
        if measure not in self.data.measures:
            return None
        rows = self.data.raw(measure).filter(pl.col("cell") == self.cell)
        if rows.is_empty():
            return None
        games = self.data.games_of(self.cell, measure)
        return Totals.of(rows, games, self.data.measure(measure).kind)


def positions(
    measure: str, first: str = ""
) -> Callable[[CellMeasures], LineEstimate | None]:
    """Make a line: how far the best position is above the worst; all pairs are judged.

    ``first`` is the name of the first position, if it is not the rulebook's.
    """

    def position_gap(here: CellMeasures) -> LineEstimate | None:
        rows = here.of(measure)
        if not rows.height:
            return None
        names = [here.data.position_name(at, here.players) for at in rows["position"]]
        return _gap(rows, [first or names[0], *names[1:]], here.wider(measure))

    return position_gap


def roles(here: CellMeasures) -> LineEstimate | None:
    """Return how far the best role is above the worst; all pairs are judged."""
    rows = here.of(ROLE_WINS)
    if not rows.height:
        return None
    [role] = here.data.measure(ROLE_WINS).by
    return _gap(rows, rows[role].to_list(), here.wider(ROLE_WINS))


def claim(line: ScoreLine, here: CellMeasures) -> Claim | None:
    """Return what a line claims about several shares, as its section's findings do.

    None for other lines, and if the cell has no such numbers.
    """
    if line.claims is None or line.id not in SHARES:
        return None
    measure = SHARES[line.id]
    rows = here.of(measure)
    if not rows.height:
        return None
    [by] = here.data.measure(measure).by
    values = rows[by].to_list()
    names = values
    if by == "position":
        names = [here.data.position_name(at, here.players) for at in values]
    words = dict(zip(values, names, strict=True))
    even = None if by == "position" else 1 / len(values)
    return Claim(
        line.title, measure, here.players, by, words, even=even, tolerance=line.claims
    )


SHARES = {"positions": POSITION, "later": LATER, "roles": ROLE_WINS}
"""Lines about several shares, and the measure of these."""


def gap_of(rows: pl.DataFrame, wider: float = 1.0) -> extremes.Gap:
    """Return how far the best of some estimated shares is above the worst."""
    shares = rows["estimate"].to_numpy()
    return extremes.of_shares(shares, _most_games(rows), wider=wider)


def _most_games(rows: pl.DataFrame) -> float:
    most = rows["n"].max()
    return float(most) if isinstance(most, int | float) else 0.0


def _gap(rows: pl.DataFrame, names: Sequence[str], wider: float) -> LineEstimate | None:
    """Return how far the best of these is above the worst; all pairs are judged."""
    if rows.height < 2:
        return None
    won, n, gap = rows["estimate"].to_numpy(), _most_games(rows), gap_of(rows, wider)
    first, second = np.triu_indices(len(won), 1)
    gaps = np.abs(won[first] - won[second])
    # a difference of multinomial shares; 2 / n**2 keeps its error above 0
    errors = np.sqrt(np.maximum(won[first] + won[second] - gaps**2, 0) / n + 2 / n**2)
    best, worst = names[int(won.argmax())], names[int(won.argmin())]
    return LineEstimate(
        gap.estimate,
        gap.low,
        gap.high,
        tuple(gaps),
        tuple(errors * wider),
        sign=f"{best} over {worst}",
        n=n,
        words={
            "best": best,
            "worst": worst,
            "best_of": per_hundred(won.max()),
            "worst_of": per_hundred(won.min()),
            "even": per_hundred(won.mean()),
        },
        parts=dict(zip(names, won.tolist(), strict=True)),
    )


def ties(here: CellMeasures) -> LineEstimate | None:
    """Return the games that nobody wins alone, or that play does not decide."""
    won, decided = here.totals(POSITION), here.totals(DECIDED)
    if won is None or decided is None:
        return None
    games, rows = here.data.games_of(here.cell, POSITION), decided.groups
    count = float(line_statistics.undecided(here.undecided, won, decided)[0])
    settled = count > float(won.games[0] - won.y[0].sum())
    sums = dict.fromkeys(SUMS, count) | {"x": float(games)}
    wider, alone = here.wider(POSITION), pl.DataFrame([sums])
    [row] = estimates(alone, "share of games", games, wider=wider).to_dicts()
    matching = line_statistics.ended_by(decided, here.undecided)
    ways = [str(name) for name in rows.filter(matching, pl.col("y") > 0)["by"]]
    how = f"settled by {' or '.join(ways)}" if settled else "without an outright winner"
    return single_estimate(row, share=True, words={"how": how})


def mean(line: str) -> Callable[[CellMeasures], LineEstimate | None]:
    """Make a line whose number is that of a measure without groups."""
    [measure] = LINE_STATISTICS[line].measures

    def number(here: CellMeasures) -> LineEstimate | None:
        rows = here.of(measure)
        if rows.height != 1:
            return None
        return single_estimate(
            rows.row(0, named=True), share=here.data.measure(measure).share
        )

    return number


def against_chance(line: str) -> Callable[[CellMeasures], LineEstimate | None]:
    """Make a line about the course of the game, judged by its excess over chance.

    A ratio is judged by its excess as a part of chance, which varies little beside it.
    """
    measure, by_chance = LINE_STATISTICS[line].measures
    ratio = LINE_STATISTICS[line].compute is line_statistics.ratio

    def number(here: CellMeasures) -> LineEstimate | None:
        rows, beyond, null = map(here.of, (measure, measure + BEYOND, by_chance))
        if rows.height != 1 or beyond.height != 1 or null.height != 1:
            return None
        more, even = beyond.row(0, named=True), float(null["estimate"][0])
        unit = even if ratio else 1.0
        if unit <= 0 or more["se"] is None:
            return None
        words = {
            "chance": f"{even:.1f}",
            "chance_of": per_hundred(even),
            "chance_percent": f"{100 * even:.0f}",
        }
        return replace(
            single_estimate(rows.row(0, named=True), words=words),
            values=(more["estimate"] / unit,),
            errors=(more["se"] / unit,),
            chance=even,
        )

    return number


def length(here: CellMeasures) -> LineEstimate | None:
    """Return the minutes of a game, from its number of decisions."""
    rows = here.of(IN_TURN)
    if rows.height != 1:
        return None
    row = rows.row(0, named=True)
    note = f"{row['estimate']:.0f} decisions, {here.seconds:g} seconds each"
    minute = here.seconds / 60
    numbers = ("estimate", "low", "high", "se")
    row |= {name: row[name] * minute for name in numbers if row[name] is not None}
    words = {"seconds": f"{here.seconds:g}", "basis": note}
    return single_estimate(row, note=note, words=words)


CELL_LINES: Mapping[str, Callable[[CellMeasures], LineEstimate | None]] = {
    "positions": positions(POSITION),
    "later": positions(LATER, "who begins it"),
    "roles": roles,
    "ties": ties,
    "length": length,
    **{line: mean(line) for line in ("choices", "options")},
    **{
        line: against_chance(line)
        for line in ("early", "runaway", "half", "comeback", "changes")
    },
}
"""The lines that each cell of a run can answer."""
MEASURES: frozenset[str] = frozenset(
    name
    for line in CELL_LINES
    for measure in LINE_STATISTICS[line].measures
    for name in (measure, measure + BEYOND)
)
"""The measures that they are about."""
