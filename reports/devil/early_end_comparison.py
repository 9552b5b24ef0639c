"""Rounds that a seat ended, against the same games in which it went on at that moment.

Only that decision differs: after it the strategy plays as it always does.
"""

import polars as pl

from reports.devil.early_end_what_ifs import ROUNDS
from reports.devil.labels import card_words
from reports.figure_specs import dots
from reports.formatting import join, join_words, number, points, renamed, share
from reports.measure_tables import MeasureTable, Number, with_words
from reports.report_data import PAIRED, ReportData
from reports.report_document import Column, Finding
from reports.verdicts import claim, with_verdict

TOLERANCE = 1.0
"""Ending that gains or loses less than this many points on the others is even."""
_ROUNDS = f"rounds {join_words([str(n) for n in ROUNDS])}"
_CHANGES = (
    Number("own_less", "own points", name="own_less"),
    Number("rest_less", "others' points", name="rest_less"),
    Number("ahead_more", "ahead", name="ahead_more"),
    Column("verdict", "verdict", "against a point; Holm over the rows, 95 %"),
    Number("score_less", "total", name="score_less"),
    Number("won_more", "win share", name="won_more"),
    Number("turns_less", "turns", name="turns_less"),
    Number("again", "asked again", name="again"),
    Number("first", "ends it anyway", name="first"),
)


def early_end_differences(data: ReportData) -> pl.DataFrame:
    """Return a row per strategy, for each Special and for both: ended, less went on."""
    parts = [_together(data, "", ()), _together(data, " by card", ("card",))]
    table = pl.concat(parts, how="diagonal_relaxed").with_columns(
        pl.col("card").fill_null("both")
    )
    table = with_words("words", _special, "card")(table)
    table = table.with_columns(what=pl.format("{}, {}", "strategy", "words"))
    sides = {"above": "pays", "below": "costs"}
    return with_verdict(table, TOLERANCE, sides, "ahead_more")


def _special(card: str) -> str:
    return "either" if card == "both" else card_words(card)


def _together(data: ReportData, group: str, by: tuple[str, ...]) -> pl.DataFrame:
    """Return the differences of all rounds, by strategy and ``by``."""
    keys = ("strategy", *by)
    table = pl.DataFrame()
    for name in [part.name for part in _CHANGES if isinstance(part, Number)]:
        rows = data.pooled(f"{name}{group}", keys, only=PAIRED)
        part = renamed(rows, keys, name)
        table = join(table, part, keys) if table.width else part
    return table.with_columns(card=pl.col("card") if by else pl.lit("both"))


def table_of(data: ReportData, table: pl.DataFrame) -> MeasureTable:
    """Return the table of what ending changes, by Special."""
    gained = "points gained on the others by ending"
    return MeasureTable(
        "declaring-paired",
        "Rounds that were ended, against going on at that moment on the same deals",
        f"{data.players} players, one strategy in every seat. For {_ROUNDS} that a "
        "seat ended by declaring: that game, less the same game in which this seat "
        "goes on at that moment only. Afterwards all play on as before, so it may "
        "end the round at a later Special: 'asked again' counts how many more it had. "
        "Points are bad, so less is better. Games whose round never ended are left "
        "out.",
        (
            "strategy",
            Column("words", "Special", "the Special with which the round was ended"),
            *_CHANGES,
        ),
        rows=table,
        draw=dots("what", gained, "ahead_more", reference=0),
        n=Column("own_less_n", "n", "rounds that the seat ended", "count"),
    )


def finding(data: ReportData, pairs: pl.DataFrame) -> Finding:
    """Say what ending changes."""
    head = f"Declaring, {data.players} players"
    rows = pairs.filter(card="both").drop_nulls("ahead_more_se")
    if rows.is_empty():
        text = f"{head}: no game was played a second time, going on."
        return Finding(text, "open")
    row = rows.row(0, named=True)
    text = (
        f"{head}, {row['strategy']} in every seat, {_ROUNDS} that a seat ended: "
        f"compared with going on at that moment, on the same deals, its own points of "
        f"the round change by {number(row, 'own_less')}, those of each other seat by "
        f"{number(row, 'rest_less')}, so ending gains {number(row, 'ahead_more')} on "
        f"the others: {_VERDICTS[row['verdict']]}. Its win share changes by "
        f"{points(row, 'won_more')} points, the round by {number(row, 'turns_less')} "
        f"turns; when it went on, it had {number(row, 'again')} more Specials in the "
        f"round, and ended it in {share(row, 'first')}"
    )
    bounds = (-TOLERANCE, TOLERANCE)
    return claim(text, row["verdict"], row, data.games, *bounds, "ahead_more")


_VERDICTS = {
    "pays": "it gains more than one point",
    "costs": "it costs more than one point",
    "within": "both are equal within one point",
    "undecided": "whether that is more than one point is undecided",
}
