"""Rounds that a seat ended, against the same games in which it went on just then.

One decision is compared: what comes after it is played as the strategy plays.
"""

import polars as pl

from reports.devil.formatting import card_words, with_verdict
from reports.devil.pairs import ROUNDS
from reports.drawing import dots
from reports.formatting import (
    STRATEGY,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    number,
    points,
    share,
)
from reports.page import Column, Exhibit, Finding
from reports.report_data import PAIRED, ReportData
from reports.statistics.equivalence import more_games

TOLERANCE = 1.0
"""Ending that gains or loses less than a point on the others comes to the same."""
_ROUNDS = f"rounds {listed([str(n) for n in ROUNDS])}"
_LESS = (
    "own_less",
    "rest_less",
    "ahead_more",
    "score_less",
    "won_more",
    "turns_less",
    "again",
    "first",
)


def paired(data: ReportData) -> pl.DataFrame:
    """A row a strategy, for each Special and for both: ended, less went on."""
    parts = [_together(data, "", ()), _together(data, " by card", ("card",))]
    table = pl.concat(parts, how="diagonal_relaxed").with_columns(
        pl.col("card").fill_null("both")
    )
    words = [{"both": "either"}.get(card, card_words(card)) for card in table["card"]]
    table = table.with_columns(
        pl.Series("words", words, dtype=pl.String),
        what=pl.format("{}, {}", "strategy", pl.Series("w", words, dtype=pl.String)),
    )
    return with_verdict(table, TOLERANCE, "ahead_more", ("pays", "costs"))


def _together(data: ReportData, group: str, by: tuple[str, ...]) -> pl.DataFrame:
    """The differences of all rounds, by strategy and ``by``."""
    keys = ("strategy", *by)

    def estimates(name: str) -> pl.DataFrame:
        return named(data.pooled(f"{name}{group}", keys, only=PAIRED), keys, name)

    table = estimates(_LESS[0])
    for name in _LESS[1:]:
        table = joined(table, estimates(name), keys)
    return table.with_columns(card=pl.col("card") if by else pl.lit("both"))


def table_of(data: ReportData, table: pl.DataFrame) -> Exhibit:
    """What ending changes, by Special."""
    return exhibit(
        "declaring-paired",
        "Rounds that were ended, against going on at that moment on the same deals",
        f"{data.players} players, one strategy in every seat. Of {_ROUNDS} that a "
        "seat ended by declaring: that game, less the same game in which this seat "
        "goes on at just that moment. Afterwards all play on as they do, so it may "
        "end the round at a later Special: 'asked again' tells how many more it had. "
        "Points are bad, so less is better. Games whose round never ended are left "
        "out.",
        table,
        (
            STRATEGY,
            Column("words", "Special", "the Special with which the round was ended"),
            estimated(
                "own points",
                "points of the round: ended, less went on",
                name="own_less",
            ),
            estimated(
                "others' points",
                "points of each other: ended, less went on",
                name="rest_less",
            ),
            estimated("ahead", "gained on the others by ending", name="ahead_more"),
            Column("verdict", "verdict", "against a point; Holm over the rows, 95 %"),
            estimated(
                "total",
                "his total at the game's end: ended, less went on",
                name="score_less",
            ),
            estimated("win share", "wins: ended, less went on", "points", "won_more"),
            estimated(
                "turns", "turns of the round: ended, less went on", name="turns_less"
            ),
            estimated(
                "asked again",
                "further Specials in the round, having gone on",
                name="again",
            ),
            estimated(
                "ends it anyway",
                "share in which he ends it himself later on",
                "share",
                "first",
            ),
            Column("own_less_n", "n", "rounds that the seat ended", "count"),
        ),
        dots(
            "what", "points gained on the others by ending", "ahead_more", reference=0
        ),
    )


def finding(data: ReportData, pairs: pl.DataFrame) -> Finding:
    """What ending changes, in words."""
    head = f"Declaring, {data.players} players"
    rows = pairs.filter(card="both").drop_nulls("ahead_more_se")
    if rows.is_empty():
        text = f"{head}: no games were played twice, once going on."
        return Finding(text, "open", "declaring")
    row = rows.row(0, named=True)
    undecided = row["verdict"] == "undecided"
    text = (
        f"{head}, {row['strategy']} in every seat, {_ROUNDS} that a seat ended: "
        f"against going on at that moment, on the same deals, its own points of the "
        f"round change by {number(row, 'own_less')}, each other's by "
        f"{number(row, 'rest_less')}, so ending gains {number(row, 'ahead_more')} on "
        f"the others: {_SAID[row['verdict']]}. It changes its win share by "
        f"{points(row, 'won_more')} points, the round by {number(row, 'turns_less')} "
        f"turns; having gone on it had {number(row, 'again')} more Specials in the "
        f"round, and ended it itself in {share(row, 'first')}"
    )
    if undecided:
        needed = more_games(
            [row["ahead_more"]],
            [row["ahead_more_se"]],
            data.games,
            -TOLERANCE,
            TOLERANCE,
        )
        text += f"; {needed}"
    return Finding(f"{text}.", "open" if undecided else "sure", "declaring")


_SAID = {
    "pays": "it pays by more than a point",
    "costs": "it costs more than a point",
    "within": "it comes to the same within a point",
    "undecided": "whether that is more than a point is undecided",
}
