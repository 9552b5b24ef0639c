"""Multipliers: how many of the points come from doublings, and from which."""

import numpy as np
import polars as pl

from reports.counts import Array, Counts
from reports.counts import grid_of_rows as grid
from reports.devil.ends import worded
from reports.devil.formatting import ENDING, each_count
from reports.devil.grids import flags
from reports.devil.played import ENDINGS, PlayedGames
from reports.drawing import bars
from reports.formatting import (
    PLAYERS,
    STRATEGY,
    N,
    Row,
    estimated,
    exhibit,
    joined,
    named,
    percent,
    share,
)
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, more_games, sure

HALF = 0.5
"""More than half of all points from doublings: the multipliers rule the game."""
PARTS = {
    "face": "points of the cards",
    "hand": "doubled by Specials in hand",
    "end": "doubled by the end of the round",
}
TIMES = (1, 2, 4, 8, 16)
"""How often points are multiplied; the last: so often or more."""
_ALL = "share of all points added"
_DOUBLED = "share of its points beyond those of the cards"
MEASURES = (
    Measure("points from", _ALL, "share", by=("by",)),
    Measure("doubled by ending", _DOUBLED, "share", by=("by",)),
    Measure("hands by times", "share of the hands with points", "share", by=("times",)),
    Measure("points by times", _ALL, "share", by=("times",)),
)
_FORMULA = (
    "points of the cards = sum of points in hand, nothing doubled; doubled by Specials "
    "= cost - points; doubled by the end = points added - cost; each of all points "
    "added"
)


def counts(played: PlayedGames) -> list[Counts]:
    """Points by what they come from, by ending, and hands by their multiplier."""
    total = played.added.sum(axis=0)
    here = flags(played.ending, len(ENDINGS))
    times = flags(_times(played).reshape(-1), len(TIMES)).reshape(
        len(TIMES), *played.added.shape
    )
    holding = (played.rounds.each("points") > 0).sum(axis=0)
    each = np.stack(list(_parts(played).values()))
    twice = total - each[0]
    return [
        grid("points from", played.game, each, total, by=list(PARTS)),
        grid("doubled by ending", played.game, here * twice, here * total, by=ENDINGS),
        grid(
            "hands by times",
            played.game,
            _over_seats(times, played, 1),
            holding,
            times=TIMES,
        ),
        grid(
            "points by times",
            played.game,
            _over_seats(times, played, 0),
            total,
            times=TIMES,
        ),
    ]


def _parts(played: PlayedGames) -> dict[str, Array]:
    """(rounds,) points of all seats by what they come from."""
    points, cost = (played.rounds.each(n).sum(axis=0) for n in ("points", "cost"))
    total = played.added.sum(axis=0)
    return {"face": points, "hand": cost - points, "end": total - cost}


def _times(played: PlayedGames) -> Array:
    """(seats, rounds) which of ``TIMES`` the points of a hand are multiplied by."""
    times = played.added // np.maximum(played.rounds.each("points"), 1)
    found: Array = np.searchsorted(TIMES, np.clip(times, 1, None), side="right") - 1
    return found


def _over_seats(times: Array, played: PlayedGames, each: int) -> Array:
    """(times, rounds) hands with points, or their points, by multiplier."""
    here = times & (played.added > 0)
    return (here * (1 if each else played.added)).sum(axis=1)


def section(data: ReportData) -> Section:
    """Shares of points from doublings."""
    return Section(
        "multipliers",
        "Multipliers: points that come from doublings",
        "Every Special in hand doubles that hand, and some ways to end a round double "
        "again.",
        (_by_players(data), _by_ending(data), _by_times(data), _strategies(data)),
        _findings(data),
    )


def _named(rows: pl.DataFrame) -> pl.DataFrame:
    words = [PARTS[by] for by in rows["by"]]
    place = [list(PARTS).index(by) for by in rows["by"]]
    return rows.with_columns(
        pl.Series("part", words, dtype=pl.String),
        pl.Series("place", place, dtype=pl.Int64),
        table=pl.format("{} players", "players"),
        strategy="lineup",
    )


_PART = Column("part", "part", "what the points come from")
_POINTS = Column("n", "n", "points added", "count")


def _by_players(data: ReportData) -> Exhibit:
    rows = _named(data.leading("points from"))
    spread = data.spread("points from", percent=True)
    return exhibit(
        "multipliers-share",
        "Where the points come from",
        f"With {data.who}. Doubled by Specials is what a hand costs beyond its "
        "points, doubled by the end what is added beyond that.",
        joined(rows, spread, ("players", "by")).sort("players", "place"),
        (
            PLAYERS,
            _PART,
            estimated("share", "share of all points added", "share"),
            Column(
                "lineups",
                "over lineups",
                "least and greatest share over all lineups simulated",
            ),
            _POINTS,
        ),
        bars("table", "share of all points added, %", "part"),
        _FORMULA,
    )


def _by_ending(data: ReportData) -> Exhibit:
    rows = data.leading("doubled by ending", players=data.players)
    return exhibit(
        "multipliers-endings",
        "Points from doublings, by how the round ends",
        f"With {data.who}, {data.players} players.",
        worded(rows),
        (
            ENDING,
            estimated(
                "doubled", "share of its points beyond those of the cards", "share"
            ),
            _POINTS,
        ),
    )


def _by_times(data: ReportData) -> Exhibit:
    players, by = data.players, ("times",)
    rows = data.leading("hands by times", players=players)
    points = data.leading("points by times", players=players)
    words = [f"{n} or more" if n == TIMES[-1] else f"{n}" for n in rows["times"]]
    return exhibit(
        "multipliers-hands",
        "How often the points of a hand are multiplied by how much",
        f"With {data.who}, {players} players; hands with points at the end of a "
        "round. Hands whose points do not count are left out.",
        joined(rows, named(points, by, "points"), by).with_columns(
            pl.Series("words", words, dtype=pl.String)
        ),
        (
            Column("words", "multiplied by", "points added / points of the cards"),
            estimated("hands", "share of the hands with points", "share"),
            estimated("of all points", "share of all points added", "share", "points"),
            N,
        ),
    )


def _strategies(data: ReportData) -> Exhibit:
    rows = _named(data.of("points from", only=data.alone))
    return exhibit(
        "multipliers-strategies",
        "Where the points come from, by strategy",
        f"Each strategy at a table of its own kind, {data.players} players.",
        rows.sort("cell", "place"),
        (
            STRATEGY,
            _PART,
            estimated("share", "share of all points added", "share"),
            _POINTS,
        ),
        bars("strategy", "share of all points added, %", "part"),
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    rows = data.leading("points from")
    by = {(row["players"], row["by"]): row for row in rows.rows(named=True)}
    players = data.players
    if (players, "face") not in by:
        return (Finding("Multipliers: no points were added.", "open", "multipliers"),)
    face, hand, end = (by[players, part] for part in PARTS)
    (verdict,) = judge([face["estimate"]], [face["se"]], HALF, 1.0, share=True)
    text = (
        f"Multipliers, {players} players, {data.who}: {share(_rest(face))} of all "
        f"points come from doublings ({percent(hand['estimate'])} from Specials in "
        f"hand, {percent(end['estimate'])} from the end of the round): "
        f"{_SAID[verdict]}"
    )
    if verdict == "undecided":
        needed = more_games([face["estimate"]], [face["se"]], data.games, HALF, 1.0)
        text += f"; {needed}"
    several = {n: share(_rest(by[n, "face"])) for n in data.counts if (n, "face") in by}
    return (
        Finding(f"{text}.", sure(verdict), "multipliers"),
        Finding(
            f"Points from doublings by players: {each_count(several)}.",
            "",
            "multipliers",
        ),
    )


def _rest(row: Row) -> dict[str, float]:
    """What is left of all points."""
    ends = {"estimate": "estimate", "low": "high", "high": "low"}
    return {name: 1 - row[other] for name, other in ends.items()}


_SAID = {
    "within": "fewer than half",
    "outside": "more than half, so they rule the game",
    "undecided": "whether that is more than half is undecided",
}


SECTION = ReportSection(section, MEASURES, counts=counts)
