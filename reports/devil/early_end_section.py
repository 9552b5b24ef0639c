"""Declaring: what ending a round brings, against going on with the same deal.

Two comparisons. In the games as played: what ending would have added at moments when
somebody went on, and what the round did add in the end. In games played twice: rounds
that a seat ended, against the same games in which it goes on at that moment only.
"""

import polars as pl

from reports.bounded_claims import RowsClaim
from reports.devil import early_end_what_ifs
from reports.devil.early_end_measures import MEASURES, band_words, tables
from reports.devil.labels import card_words
from reports.figure_specs import dots
from reports.formatting import join, renamed
from reports.game_report import ReportSection
from reports.measure_tables import (
    MeasureTable,
    Number,
    VerdictColumn,
    WordColumn,
    here,
    with_words,
)
from reports.report_data import PAIRED, ReportData
from reports.report_document import Column

MOMENTS = MeasureTable(
    "declaring-band",
    "Ended or went on, by the cost of the player's hand",
    "{players} players. Points of the round, at moments when somebody went on: what "
    "ending would have added, and what the round did add in the end, on the same deal. "
    "More points are worse.",
    (
        WordColumn("words", "own hand costs", "cost of the hand", band_words, "band"),
        Number("declared", "ended"),
        Number("end own", "ending: own", name="end own"),
        Number("end others", "ending: others", name="end others"),
        Number("on own", "going on: own", name="on own"),
        Number("on others", "going on: others", name="on others"),
        Number("better", "ending better", name="better"),
        VerdictColumn(1, "a point", {"above": "ending", "below": "going on"}, "better"),
    ),
    only=here,
    draw=dots("words", "points gained by ending instead", "better", reference=0),
    n=Column("on own_n", "n went on", "moments when the player went on", "count"),
)
_CHANGES = (
    Number("own_less", "own points", name="own_less"),
    Number("rest_less", "others' points", name="rest_less"),
    Number("ahead_more", "ahead", name="ahead_more"),
    Number("won_more", "win share", name="won_more"),
    Number("turns_less", "turns", name="turns_less"),
)


def early_end_differences(data: ReportData) -> pl.DataFrame:
    """Return a row per strategy, for each Special and for both: ended, less went on."""
    parts = [_pooled(data, "", ()), _pooled(data, " by card", ("card",))]
    table = pl.concat(parts, how="diagonal_relaxed")
    table = with_words("special", _special, "card")(table)
    return table.with_columns(what=pl.format("{}, {}", "strategy", "special"))


def _special(card: str | None) -> str:
    return "either Special" if card is None else card_words(card)


def _pooled(data: ReportData, group: str, by: tuple[str, ...]) -> pl.DataFrame:
    """Return the differences of all rounds, by strategy and ``by``."""
    keys = ("strategy", *by)
    first, *others = (
        renamed(data.pooled(f"{n.name}{group}", keys, only=PAIRED), keys, n.name)
        for n in _CHANGES
    )
    for other in others:
        first = join(first, other, keys)
    return first


PAIRS = MeasureTable(
    "declaring-paired",
    "Rounds that were ended, against going on at that moment on the same deals",
    "{players} players, one strategy in every seat. For rounds 1 to 3 that a seat "
    "ended by declaring: that game, less the same game in which this seat goes on at "
    "that moment only. Afterwards all play on as before, so it may end the round at a "
    "later Special. Points are bad, so less is better. Games whose round never ended "
    "are left out.",
    (
        "strategy",
        Column("special", "Special", "the Special with which the round was ended"),
        *_CHANGES,
        VerdictColumn(1, "a point", {"above": "pays", "below": "costs"}, "ahead_more"),
    ),
    source=early_end_differences,
    draw=dots("what", "points gained on the others", "ahead_more", reference=0),
    n=Column("own_less_n", "n", "rounds that the seat ended", "count"),
)
SECTION = ReportSection(
    id="declaring",
    title="Declaring: to end the round, or to go on",
    question="What is it worth to end the round, or to go on?",
    intro="With {who}. Whoever plays a Special with cards left may end the round. "
    "That adds twice the cost of their own hand, so it pays where the others hold much "
    "more.",
    measures=MEASURES,
    tidy=tables,
    records=("declaring", "round"),
    tables=(MOMENTS, PAIRS),
    claims=(
        RowsClaim(
            "Declaring, {players} players, compared with going on at that moment on "
            "the same deals, points of the round gained on the others",
            PAIRS,
            "what",
            {"above": "more than one", "below": "more than one lost"},
        ),
        RowsClaim(
            "Going on, {players} players, {who}, points of the own hand",
            MOMENTS,
            "words",
            {
                "above": "ending would have gained more than a point on the others",
                "below": "going on gained more than a point",
            },
        ),
    ),
    what_ifs=(early_end_what_ifs.WHAT_IFS,),
)
