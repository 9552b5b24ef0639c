"""Multipliers: how many of the points come from doublings, and from which ones."""

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid_of_rows
from reports.devil.game_arrays import ENDINGS, DevilArrays
from reports.devil.labels import ENDING, LINEUP, POINTS, each_count
from reports.devil.length_ladders import flags
from reports.figure_specs import bars
from reports.formatting import LINEUPS, Row, percent, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.verdicts import claim, verdict_of

HALF = 0.5
"""If more than half of all points come from doublings, they rule the game."""
PARTS = {
    "face": "points of the cards",
    "hand": "doubled by Specials in hand",
    "end": "doubled by the end of the round",
}
TIMES = (1, 2, 4, 8, 16)
"""Factors by which points are multiplied; the last stands for larger ones too."""
_ALL = "share of all points added"
_DOUBLED = "share of its points beyond those of the cards"
_TIMES = "points added / points of the cards"
_SUMS, _HANDS = MeasuresOf(by="by"), MeasuresOf(by="times")
MEASURES = (
    _SUMS.share("points from", _ALL),
    _SUMS.share("doubled by ending", _DOUBLED),
    _HANDS.share("hands by times", "share of the hands with points"),
    _HANDS.share("points by times", _ALL),
)


def counts(played: DevilArrays) -> list[Counts]:
    """Count points by source and by ending, and hands by their multiplier."""
    total = played.added.sum(axis=0)
    ended = flags(played.ending, len(ENDINGS))
    times = flags(_times(played).reshape(-1), len(TIMES)).reshape(
        len(TIMES), *played.added.shape
    )
    holding = (played.rounds.each("points") > 0).sum(axis=0)
    each = np.stack(list(_parts(played).values()))
    twice = total - each[0]
    held = times & (played.added > 0)
    hands, points = held.sum(axis=1), (held * played.added).sum(axis=1)
    game = played.game_of
    return [
        grid_of_rows("points from", game, each, total, by=list(PARTS)),
        grid_of_rows(
            "doubled by ending", game, ended * twice, ended * total, by=ENDINGS
        ),
        grid_of_rows("hands by times", game, hands, holding, times=TIMES),
        grid_of_rows("points by times", game, points, total, times=TIMES),
    ]


def _parts(played: DevilArrays) -> dict[str, Array]:
    """Return the points of all seats by source, (rounds,) each."""
    points, cost = (played.rounds.each(n).sum(axis=0) for n in ("points", "cost"))
    total = played.added.sum(axis=0)
    return {"face": points, "hand": cost - points, "end": total - cost}


def _times(played: DevilArrays) -> Array:
    """Return the index in ``TIMES`` of the multiplier of each hand, (seats, rounds)."""
    times = played.added // np.maximum(played.rounds.each("points"), 1)
    index: Array = np.searchsorted(TIMES, np.clip(times, 1, None), side="right") - 1
    return index


def section(data: ReportData) -> SectionParts:
    """Yield shares of points from doublings, by source, ending, hand and strategy."""
    leading = data.leads(data.players)
    part = WordColumn(
        "part", "part", "what the points come from", PARTS.__getitem__, "by"
    )
    order = pl.col("by").cast(pl.Enum(list(PARTS)))
    yield (
        "Every Special in hand doubles that hand, and some ways to end a round double "
        "it again."
    )
    yield MeasureTable(
        "multipliers-share",
        "Where the points come from",
        f"With {data.who}. Doubled by Specials: what a hand costs beyond its points; "
        "doubled by the end: what is added beyond that.",
        ("players", part, Number("points from", "share"), LINEUPS),
        rows=lambda rows: PLAYERS_IN_WORDS(rows).sort("players", order),
        draw=bars("table", f"{_ALL}, %", "part"),
        n=POINTS,
    )
    yield MeasureTable(
        "multipliers-endings",
        "Points from doublings, by how the round ends",
        f"With {data.who}, {data.players} players.",
        (ENDING, Number("doubled by ending", "doubled")),
        only=leading,
        rows=lambda rows: rows.sort(pl.col("by").cast(pl.Enum(ENDINGS))),
        n=POINTS,
    )
    yield MeasureTable(
        "multipliers-hands",
        "By how much the points of a hand are multiplied",
        f"With {data.who}, {data.players} players; hands with points at the end of a "
        "round. Hands whose points do not count are left out.",
        (
            WordColumn("words", "multiplied by", _TIMES, _times_words, "times"),
            Number("hands by times", "hands"),
            Number("points by times", "of all points", name="points"),
        ),
        only=leading,
    )
    yield MeasureTable(
        "multipliers-strategies",
        "Where the points come from, by strategy",
        f"Each strategy at a table of its own kind, {data.players} players.",
        (LINEUP, part, Number("points from", "share")),
        only=data.uniform,
        rows=lambda rows: rows.sort("cell", order),
        draw=bars("lineup", f"{_ALL}, %", "part"),
        n=POINTS,
    )
    yield from _findings(data)


def _times_words(times: int) -> str:
    return f"{times} or more" if times == TIMES[-1] else str(times)


def _findings(data: ReportData) -> SectionParts:
    rows = data.leading("points from")
    by = {(row["players"], row["by"]): row for row in rows.to_dicts()}
    players = data.players
    if (players, "face") not in by:
        yield Finding("Multipliers: no points were added.", "open")
        return
    face, hand, end = (by[players, part] for part in PARTS)
    verdict = verdict_of(face, HALF, 1.0)
    text = (
        f"Multipliers, {players} players, {data.who}: {share(_rest(face))} of all "
        f"points come from doublings ({percent(hand['estimate'])} from Specials in "
        f"hand, {percent(end['estimate'])} from the end of the round): "
        f"{_VERDICTS[verdict]}"
    )
    yield claim(text, verdict, face, data.games, HALF, 1.0)
    texts = {n: share(_rest(by[n, "face"])) for n in data.counts if (n, "face") in by}
    text = f"Points from doublings by players: {each_count(texts)}."
    yield Finding(text, "")


def _rest(row: Row) -> dict[str, float]:
    """Return the share of all other points."""
    ends = {"estimate": "estimate", "low": "high", "high": "low"}
    return {name: 1 - row[other] for name, other in ends.items()}


_VERDICTS = {
    "within": "fewer than half",
    "outside": "more than half, so they rule the game",
    "undecided": "whether that is more than half is undecided",
}


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("round",),
    id="multipliers",
    title="Multipliers: points that come from doublings",
    question="How many points come from doublings?",
)
