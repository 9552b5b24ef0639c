"""Sections behind the lines with runs of their own: shares of luck, a knock-out."""

import polars as pl

from reports.formatting import exhibit
from reports.report_document import Column, Section
from reports.scorecard.score import ScorecardRun

LUCK, WORTH = "luck-and-skill", "knock-out"
"""Ids of the sections."""
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


def worth(run: ScorecardRun) -> Section | None:
    """Return the section on what each option is worth; None without a knock-out."""
    rows = run.worth
    if rows is None or rows.is_empty():
        return None
    forbidden = pl.col("option") == ""
    any_option = pl.format("any ({})", "kept")
    rows = rows.with_columns(
        option=pl.when(forbidden).then(any_option).otherwise("option")
    )
    table = exhibit(
        "knocked-out",
        "What a player loses who may not use an option",
        f"One {run.data.lead} may not use it, on the same deals; all others play as "
        "before. If the loss is negative, the option is a trap. Intervals hold for all "
        "rows at once.",
        rows,
        (
            Column("option", "option", "what may not be chosen"),
            Column("decision", "decision", "kind of decision"),
            Column("taken", "taken", "of the times that it could be", "share"),
            Column("lost", "lost", "win share without it", "points", "low", "high"),
            Column("verdict", "verdict", "Holm over the rows, 95 %"),
        ),
    )
    about = f"{run.data.players} players, {rows['games'][0]:,} games."
    return Section(WORTH, "What each option is worth", about, (table,))
