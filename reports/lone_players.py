"""Each strategy alone at a table of the leading one: who is the stronger player."""

from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from reports.figure_specs import dots
from reports.formatting import PLAYERS, N, estimated, exhibit, points, share
from reports.report_data import ONE_BEGINNER, ReportData
from reports.report_document import Column, Exhibit, Finding, Sure
from reports.robustness_text import ROBUSTNESS_ID
from reports.statistics.equivalence import LEVEL, judge
from reports.statistics.intervals import LEAST, wilson
from reports.verdicts import how_tested

ALONE = ("one", "one strong", "one taught")
"""Kinds of cells in which one player sits among the leading strategy."""
_BY_STRATEGY = "won by strategy"
_RANDOM = "random"


def lone_players(panel: ReportData, search: Sequence[ReportData]) -> pl.DataFrame:
    """Return what each strategy wins alone at a table of the leading one.

    ``search``: the data of tables with skilled players. Columns: strategy, players,
    estimate (the share that it wins) and its interval, more (than even) with its
    interval and se, n, skilled, heuristic (whether it is one that plays its best: no
    beginner, and not random), beginner, verdict ("better" than the others there,
    "worse" or "not settled").
    """
    rows = [
        row
        for data in (*search, panel)
        for row in _singles(data, panel.lead, skilled=data is not panel)
    ]
    table = pl.DataFrame(rows, schema=_ONE)
    judged = judge(table["more"], table["se"], 0.0, 0.0)
    words = [
        "not settled" if word != "outside" else "better" if more > 0 else "worse"
        for word, more in zip(judged, table["more"], strict=True)
    ]
    return table.with_columns(pl.Series("verdict", words, dtype=pl.String))


def _singles(data: ReportData, lead: str, skilled: bool) -> Iterator[dict[str, Any]]:
    """Yield what each strategy wins alone at a table of the leading one."""
    cells = data.cells.filter(pl.col("kind").is_in([*ALONE, ONE_BEGINNER]))
    rows = data.raw(_BY_STRATEGY)
    for cell in cells.to_dicts():
        here = rows.filter(pl.col("cell") == cell["cell"])
        won = dict(here.select("strategy", "y").rows())
        names = [name for name in won if name != lead]
        if len(names) != 1:
            continue
        games, players = data.games_of(cell["cell"], _BY_STRATEGY), cell["players"]
        more, se = beyond_even(won[names[0]], sum(won.values()), games, players)
        around = data.of(_BY_STRATEGY, only=pl.col("cell") == cell["cell"])
        own = around.filter(strategy=names[0]).row(0, named=True)
        yield {
            "strategy": names[0],
            "players": players,
            **{name: own[name] for name in ("estimate", "low", "high")},
            **interval_of_extreme(more, se, 1),
            "se": se,
            "n": float(games),
            "skilled": skilled,
            "beginner": (beginner := cell["kind"] == ONE_BEGINNER),
            "heuristic": not (skilled or beginner or names[0] == _RANDOM),
        }


def beyond_even(
    mine: float, every: float, games: int, players: int
) -> tuple[float, float]:
    """Return how much more than an even share a strategy wins, and its standard error.

    It has one of the seats; ``mine`` and ``every`` are the wins of it and of all. Where
    fewer than ``LEAST`` games are won by it, or are not, their spread may be too small
    by chance: the error is the greater one at an end of Wilson's interval.

    >>> beyond_even(50, 100, 100, 4)
    (0.25, 0.05)
    """
    share, decided = mine / games, every / games
    few = min(mine, games - mine) < LEAST
    shares = np.array([share, *wilson(mine, games)] if few else [share])
    variance = max(_variance(one, decided, players) for one in shares)
    return share - decided / players, float(np.sqrt(variance / games))


def _variance(share: float, decided: float, players: int) -> float:
    """What a game adds to a share beyond an even part, if so many games are decided."""
    others = max(decided - share, 0.0)
    even = (share + others) / players
    # a game is won by it, by another, or by nobody: 1 - 1/n, -1/n or 0 beyond even
    square = share * (1 - 1 / players) ** 2 + others / players**2
    return max(square - (share - even) ** 2, 0.0)


def lone_exhibit(single: pl.DataFrame, lead: str) -> Exhibit:
    """Show a table of ``lone_players``."""
    return exhibit(
        "robust-one",
        f"Each strategy alone at a table of {lead}",
        f"{lead} sits in all other seats. Even: an equal share of the games that "
        "somebody wins.",
        single,
        (
            PLAYERS,
            Column("strategy", "one", "who sits among them"),
            estimated("win share", "games that it wins", "share"),
            estimated("vs. even", "win share less even", "points", "more"),
            Column("verdict", "than the others", "Holm over the rows, 95 %"),
            N,
        ),
        dots("strategy", "win share vs. even, %", "more", reference=0),
    )


def stronger_play(single: pl.DataFrame, lead: str) -> Iterator[Finding]:
    """Yield whether those who search or have learned are the stronger players."""
    for row in single.filter("skilled").to_dicts():
        more = f"{points(row, 'more')} points from even"
        who, says = row["strategy"], _STRENGTH[row["verdict"]]
        text = (
            f"Stronger play: one {who} among {row['players'] - 1} {lead} "
            f"wins {share(row)} of the games, {more}: {says.format(who=who)}."
        )
        test = how_tested("from even", "skilled players", single.height, row["n"])
        sure: Sure = "open" if row["verdict"] == "not settled" else "sure"
        yield Finding(text, sure, ROBUSTNESS_ID, tested=test)


_STRENGTH = {
    "better": "{who} is the stronger play",
    "worse": "{who} is the weaker play",
    "not settled": "whether {who} is the stronger play is not settled",
}


def interval_of_extreme(more: float, se: float, among: int) -> dict[str, float | None]:
    """Return an interval that holds for the greatest ``among`` several numbers."""
    half = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / among) * se
    if np.isnan(more) or np.isnan(half):
        return dict.fromkeys(("more", "more_low", "more_high"))
    return {"more": float(more), "more_low": more - half, "more_high": more + half}


_ONE = {
    "strategy": pl.String,
    "players": pl.Int64,
    **dict.fromkeys(
        ("estimate", "low", "high", "more", "more_low", "more_high", "se", "n"),
        pl.Float64,
    ),
    "skilled": pl.Boolean,
    "beginner": pl.Boolean,
    "heuristic": pl.Boolean,
}
