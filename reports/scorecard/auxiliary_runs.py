"""The section behind the line about luck, which has a run of its own."""

import polars as pl

from reports.formatting import exhibit
from reports.report_document import Column, Section
from reports.scorecard.score import ScorecardRun

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
    means = pl.col("source").replace_strict(_MEANS, default="")
    rows = run.luck.with_columns(means=means)
    table = exhibit(
        "luck-shares",
        "What decides who wins",
        "A table of different strategies plays each deal from every seat, twice. The "
        "table splits the variance of winning by its sources. Luck is the deal and "
        "play. The more alike the strategies, the more is left to luck.",
        rows,
        (
            Column("source", "source", "of the variance of winning"),
            Column("means", "what it is", "in words"),
            Column("share", "share", "of the variance", "share", "low", "high"),
        ),
    )
    about = f"{run.data.players} players, {rows['games'][0]:,} deals."
    return Section(LUCK, "Luck and skill", about, (table,))
