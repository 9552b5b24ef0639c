"""The table of the leading findings by way to play."""

from collections.abc import Sequence

import polars as pl

from reports.figure_specs import dots
from reports.formatting import N, estimated, exhibit, join_words
from reports.report_document import Column, Exhibit
from reports.robustness_text import TO_SETTLE, ClaimTest
from reports.statistics.equivalence import LEVEL

ROW_TYPES = {
    "finding": pl.String,
    "players": pl.Int64,
    "whose": pl.String,
    "way": pl.String,
    "who": pl.String,
    "claimed": pl.String,
    "more": pl.Float64,
    "more_low": pl.Float64,
    "more_high": pl.Float64,
    "tolerance": pl.Float64,
    "reference": pl.String,
    "verdict": pl.String,
    "holds": pl.String,
    "settled": pl.Boolean,
    "n": pl.Float64,
    **dict.fromkeys(TO_SETTLE, pl.Float64),
    "skilled": pl.String,
    "leads": pl.Boolean,
    "why": pl.String,
}
"""Columns of the rows of a test, in all ways to play."""


def robustness_table(every: Sequence[ClaimTest]) -> Exhibit:
    """Show a row for each claim and way to play, and all strong ways pooled."""
    parts = [
        part
        for tried in every
        for part in (tried.rows, pl.DataFrame([*tried.pooled_rows()], schema=ROW_TYPES))
    ]
    rows = pl.concat(parts) if parts else pl.DataFrame(schema=ROW_TYPES)
    reasons = dict(rows.filter(pl.col("why") != "").select("way", "why").rows())
    excluded = [f"{name} ({why})" for name, why in reasons.items()]
    differ = [
        f"{tried.claim.subject} with {tried.claim.players} players"
        for tried in every
        if tried.p * len(every) < 1 - LEVEL
    ]
    note = (
        "Agrees: the finding about the leading strategy is shown here too; differs: "
        "it is shown not to hold (Holm over the ways); not settled: neither, as the "
        "interval is too wide. The interval of a number that was picked as the "
        "furthest of several holds for all of them. A test of position x way to play "
        f"finds a difference (at most 5 % false alarms in all) for: "
        f"{join_words(differ) or 'none'}. Pooled: the mean over all strong ways to "
        "play, of which those here are a sample; its interval allows for the spread "
        "between them (random effects), and is wide where they are two or three. "
        "Strong ways play on while a finding is open, and their intervals allow for "
        "every look at it."
    )
    if excluded:
        note += f" Excluded from the count: {join_words(excluded)}."
    return exhibit(
        "robust-findings",
        "Leading findings, by way to play",
        note,
        rows,
        (
            Column("whose", "finding about", "whose share, with how many players"),
            Column("way", "all play", "everyone at the table plays like this"),
            estimated(
                "beyond even",
                "share less an even share, or less its value by chance",
                "points",
                "more",
            ),
            Column("holds", "the finding", "agrees, differs, not settled or excluded"),
            Column("verdict", "by itself", "this number against the tolerance"),
            Column(
                "more_games",
                "to settle",
                "games more that would settle it if the number stays as it is",
                "count",
            ),
            Column(
                "who", "number of", "whose number it is; may differ if that refutes"
            ),
            N,
        ),
        dots("way", "share vs. even, %", "more", by="whose", reference=0),
    )
