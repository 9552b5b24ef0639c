"""What a square is worth: gross per cube, and net on the same deals.

Net compares games with the same games in which one seat leaves that cube unplaced: from
the moment at which it wants the square it plays on as if there were none of this name,
with one cube fewer. The cube stays in hand for the next round, which the points at the
end allow for.
"""

from typing import TYPE_CHECKING

import polars as pl

from reports.formatting import Row, joined, listed, named, number, points
from reports.game_report import Parts
from reports.kbernestich import pairs
from reports.kbernestich.formatting import square_words
from reports.page import Column, Finding
from reports.report_data import PAIRED, ReportData
from reports.selected import at_once
from reports.tabled import Number, Table, Words
from reports.verdicts import with_verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOLERANCE = 0.5
"""A square whose net is within half a point of nothing counts as even."""
ENOUGH = 100
"""Squares declined in fewer games than this are left out."""
_NET = (
    "round_more",
    "score_more",
    "ahead_more",
    "won_more",
    "cubes_more",
    "tricks_more",
)
_FORMULA = (
    "gross = points that the square brought / cubes on it: its value (Letter to "
    "Marie); points of the bid with the misery bonus (Hunch); "
    " value * own cards of the colour, before any bust (Letter from Marie); points "
    "earned with Grace. net = mean over games of (points of the round with the cube - "
    "without). ahead = change of the score less the mean change of the others"
)


_SQUARE = Words("words", "square", "square of the plot sheet", square_words, "square")
_WITH = "points of the round, with less without"
_DECLINED = Column("round_more_n", "n", "games in which it was declined", "count")


def shown(data: ReportData) -> Parts:
    """Points per cube of all squares, and what else a cube changes."""
    rows = net(data)
    yield _per_cube(data, rows)
    yield Table(
        "squares-net",
        "What a cube changes besides, by square and strategy",
        "On the same deals, with the cube less without.",
        (
            "strategy",
            _SQUARE,
            Number("round_more", "net", "points of the round", "round_more"),
            Number("score_more", "at the end", "score at the end", "score_more"),
            Number(
                "ahead_more", "ahead", "score less the mean of the others", "ahead_more"
            ),
            Number("won_more", "win share", "wins", "won_more"),
            Number("tricks_more", "tricks", "tricks won in the round", "tricks_more"),
        ),
        rows=rows.sort("strategy", "round_more", descending=[False, True]),
        n=_DECLINED,
    )
    yield from _findings(data, rows)


def net(data: ReportData) -> pl.DataFrame:
    """A row a strategy and square: net of the round, at the end, in wins."""
    groups = ("strategy", "square")
    table = _paired(data, _NET[0]).select(*groups)
    for name in _NET:
        table = joined(table, named(_paired(data, name), groups, name), groups)
    table = table.filter(pl.col("round_more_n") >= ENOUGH)
    sides = {"above": "pays", "below": "costs"}
    return with_verdict(table, TOLERANCE, sides, "round_more")


def _paired(data: ReportData, name: str) -> pl.DataFrame:
    rows = data.pooled(name, ("strategy_declining", "square"), only=PAIRED)
    return rows.rename({"strategy_declining": "strategy"})


def _gross(data: ReportData) -> pl.DataFrame:
    """A row a kind of square: cubes of a seat and round, and gross points."""
    players = data.players
    cubes = data.leading("cubes on kind", players=players)
    gross = data.leading("gross", players=players)
    table = named(cubes, ("square",), "cubes")
    return joined(table, named(gross, ("square",), "gross"), ("square",))


def _per_cube(data: ReportData, rows: pl.DataFrame) -> Table:
    strategy = _leader(data, rows)
    mine = rows.filter(strategy=strategy)
    table = joined(_gross(data), mine, ("square",))
    best = pl.coalesce("round_more", "gross")
    table = table.with_columns(pl.col("verdict").fill_null("no data"))
    when = f"round {min(pairs.ROUND, data.rules['rounds'])}"
    return Table(
        "squares-worth",
        "Points per cube: gross, and net of leaving the cube unplaced",
        f"{data.players} players. Gross is what the square brought. Net is what "
        f"{strategy} has in {when} more, on the same deals, than if it had left that "
        "cube in hand; at the end, what the cube kept does in later rounds counts too. "
        "Column cubes says how many cubes fewer were placed: more than one where "
        "others hang on that one. Zabine's Aftermath and the actions have no gross of "
        f"their own. Squares declined in fewer than {ENOUGH} games have no net here: "
        "the next table has them as random plays.",
        (
            _SQUARE,
            Number("cubes on kind", "used", name="cubes"),
            Number("gross", "gross", name="gross"),
            Number("round_more", "net", _WITH, "round_more"),
            Column("verdict", "half a point", "net against half a point; Holm, 95 %"),
            Number("score_more", "at the end", name="score_more"),
            Number("won_more", "win share", name="won_more"),
            Number("cubes_more", "cubes", name="cubes_more"),
        ),
        rows=table.sort(best, descending=True, nulls_last=True),
        draw=_draw,
        formula=_FORMULA,
        n=_DECLINED,
    )


def _draw(table: pl.DataFrame, title: str) -> "Figure | None":
    """Gross and net of each square, side by side."""
    from reports import figures

    nothing = table["gross"].is_null() & table["round_more"].is_null()
    kinds = (
        ("net", "round_more", table["round_more"].is_not_null() | nothing),
        ("gross", "gross", table["gross"].is_not_null()),
    )
    parts = [
        table.select(
            square="words",
            points=pl.lit(words),
            estimate=name,
            low=f"{name}_low",
            high=f"{name}_high",
        ).filter(keep)
        for words, name, keep in kinds
    ]
    rows = pl.concat(parts)
    if rows.is_empty():
        return None
    return figures.dots(
        rows,
        "square",
        "estimate",
        "low",
        "high",
        title=title,
        xlabel="points per cube",
        by="points",
        reference=0,
    )


def _leader(data: ReportData, rows: pl.DataFrame) -> str:
    """The strategy whose cubes are shown first."""
    names = rows["strategy"].unique(maintain_order=True).to_list()
    if not names or data.lead in names:
        return data.lead
    return str(names[0])


def _findings(data: ReportData, rows: pl.DataFrame) -> Parts:
    """The squares that are worth most and least."""
    strategy = _leader(data, rows)
    known = at_once(at_once(rows.filter(strategy=strategy), "round_more"), "won_more")
    known = known.sort("round_more", descending=True)
    if known.is_empty():
        yield Finding(
            "Squares: no cubes were declined, so only gross is known.", "open"
        )
        return
    several = known.rows(named=True)
    head = f"What a cube is worth, {data.players} players, {strategy} in every seat"
    worst = [_said(row) for row in several[3:][-3:]]
    best = listed([*map(_said, several[:3])])
    text = (
        f"{head} where it chooses to place one, net of leaving it unplaced (not of the "
        f"next best square), in points of the round: most on {best}"
    )
    text += f"; least on {listed(worst)}." if worst else "."
    yield Finding(text, "")
    costs = known.filter(verdict="costs")["square"].to_list()
    pays = known.filter(verdict="pays").height
    open_ = known.filter(verdict="undecided").height
    more = (
        f"Of {known.height} squares, a cube on {pays} surely brings more than half a "
        f"point net in the round, on {len(costs)} it surely costs as much"
        + (f" ({listed([square_words(name) for name in costs])})" if costs else "")
        + f", {open_} are undecided."
    )
    yield Finding(more, "likely" if open_ else "sure")


def _said(row: Row) -> str:
    return (
        f"{square_words(str(row['square']))} {number(row, 'round_more')} "
        f"(win share {points(row, 'won_more')})"
    )
