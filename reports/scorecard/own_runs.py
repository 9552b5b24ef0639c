"""What backs the lines with runs of their own: shares of luck, and a knock-out."""

import polars as pl

from reports.formatting import exhibit
from reports.page import Column, Section
from reports.scorecard.score import Run

LUCK, WORTH = "luck-and-skill", "knock-out"
"""The sections."""
_MEANS = {
    "deal": "what a position is dealt, whoever sits there",
    "position": "where one sits, whatever is dealt",
    "strategy": "who plays",
    "hand x strategy": "skill in using this hand",
    "play": "dice and draws of play, and of the strategies",
}


def luck(run: Run) -> Section | None:
    """What decides who wins, in shares; None where no such games were played."""
    if run.luck is None:
        return None
    means = pl.col("source").replace_strict(_MEANS, default="")
    rows = run.luck.with_columns(means=means)
    table = exhibit(
        "luck-shares",
        "What decides who wins",
        "A table of different strategies plays each deal from every seat, twice. Of "
        "the variance of winning, so much goes with each source. Luck is the deal and "
        "play. Strategies that are more alike leave more to luck.",
        rows,
        (
            Column("source", "source", "of the variance of winning"),
            Column("means", "what it is", "in words"),
            Column("share", "share", "of the variance", "share", "low", "high"),
        ),
    )
    about = f"{run.data.players} players, {rows['games'][0]:,} deals."
    return Section(LUCK, "Luck and skill", about, (table,))


def worth(run: Run) -> Section | None:
    """What each option is worth to the leading strategy; None where none was tried."""
    rows = run.worth
    if rows is None or rows.is_empty():
        return None
    whole = pl.col("option") == ""
    every = pl.format("any ({})", "kept")
    rows = rows.with_columns(option=pl.when(whole).then(every).otherwise("option"))
    table = exhibit(
        "knocked-out",
        "What one loses who may not use an option",
        f"One {run.data.lead} may not use it, on the same deals; all others play on as "
        "before. Where less than nothing is lost, the option is a trap. Intervals hold "
        "for all rows at once.",
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
