"""The section behind the line about luck, which has a run of its own."""

import polars as pl

from reports.formatting import exhibit
from reports.report_document import Column, Exhibit, Section
from reports.scorecard.score import ScorecardRun
from reports.scorecard.strategy_lines import WHO

LUCK = "luck-and-skill"
"""Id of the section."""
_MEANS = {
    "deal": "what a position is dealt, whoever sits there",
    "position": "where you sit, whatever is dealt",
    "strategy": "who plays",
    "hand x strategy": "skill in using this hand",
    "play": "dice and draws of play, and of the strategies",
}


def luck(run: ScorecardRun) -> Section | None:
    """Return the section on what decides who wins; None without a luck run."""
    if run.luck is None:
        return None
    tables = tuple(map(_shares, run.luck.partition_by("who", maintain_order=True)))
    about = (
        f"{run.data.players} players. Different strategies play each deal from every "
        "seat, twice. Luck is the deal and play. The more alike the strategies, the "
        "more is left to luck: the last column is the most that strategy could have."
    )
    return Section(LUCK, "Luck and skill", about, tables[::-1])


def _shares(rows: pl.DataFrame) -> Exhibit:
    """Return what decides who wins among some players."""
    who, lineup, deals = rows.select("who", "lineup", "games").row(0)
    return exhibit(
        f"luck-{who}",
        f"What decides who wins among {WHO[who]}",
        f"The variance of winning, by its sources: {lineup}, {deals:,} deals.",
        rows.with_columns(means=pl.col("source").replace_strict(_MEANS, default="")),
        (
            Column("source", "source", "of the variance of winning"),
            Column("means", "what it is", "in words"),
            Column("share", "share", "of the variance", "share", "low", "high"),
            Column("most", "at most", "if the best strategy always won", "share"),
        ),
    )
