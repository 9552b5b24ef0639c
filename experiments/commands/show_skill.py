"""Print a ladder of skill: a table, a figure, and findings."""

import re
from pathlib import Path
from typing import Any

from experiments.analysis.skill_result import Ladder
from experiments.commands import output
from experiments.core.cells import UsageError
from experiments.execution import atomic_files, text_files
from reports.safe_text import csv, render_figure

_DIGITS = 7  # at most, of a number of samples


def samples(text: str) -> list[int]:
    """The numbers of samples in ``1,4,16``; ``1-256`` doubles from 1 to 256."""
    counts: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]+)\s*(?:-\s*([0-9]+)\s*)?", part)
        ends = (match[1], match[2] or match[1]) if match else ("0", "0")
        low, high = (int(end[: _DIGITS + 1]) for end in ends)
        if not 0 < low <= high or high >= 10**_DIGITS:
            raise UsageError(
                f"--samples: samples per decision, as in 1,4,16 or 1-256, not {text!r}."
            )
        while low <= high:
            counts.append(low)
            low *= 2
    return counts


def save(ladder: Ladder, folder: Path) -> None:
    """Save the table, the figure and the findings beside the games."""
    atomic_files.write_file(folder / "skill.csv", csv(ladder.table))
    atomic_files.write_file(
        folder / "skill.svg", render_figure(ladder.plot(), "svg", "fairdeal")
    )
    text_files.write_json(folder / "skill.json", ladder.as_dict())


def as_tables(ladder: Ladder) -> None:
    """Print a ladder."""
    rows = [_row(row) for row in ladder.table.iter_rows(named=True)]
    tables = list(dict.fromkeys(ladder.table["table"]))
    lone = len(tables) == 1
    columns = ["one", "among", "its win share", "gain", "verdict", "deal", "who", "n"]
    if lone:
        columns.pop(1)
        rows = [[*row[:1], *row[2:]] for row in rows]
    among = f", at a table of {tables[0]}" if lone else ""
    output.table(
        f"The ladder of skill, {ladder.players} players{among}",
        columns,
        rows,
        f"Even is {100 / ladder.players:.1f} %. Gain: points of win share over the "
        "rung before, on the same deals. In brackets: 95 % intervals; the unit is the "
        "deal, which is played twice with the one in each seat. Verdicts hold together "
        f"(95 %, Bonferroni): it clearly gains, clearly gains at most "
        f"{100 * ladder.tolerance:g} points, or is undecided. Deal, who: shares of the "
        "variance of winning due to the deal and to who plays. n: games.",
    )
    output.print_levels(ladder.levels)
    for text in ladder.findings:
        output.print_line(text, wrap=True)
    output.print_line()


def _row(row: dict[str, Any]) -> list[Any]:
    won = {**row, "estimate": row["share"]}
    return [
        row["rung"],
        row["table"],
        output.format_interval(won, "share"),
        _gain(row),
        row["verdict"],
        _percent(row["deal"]),
        _percent(row["strategy"]),
        row["games"],
    ]


def _gain(row: dict[str, Any]) -> str:
    if row["gain"] is None:
        return "-"
    middle, low, high = (100 * row[key] for key in ("gain", "gain_low", "gain_high"))
    return f"{middle:+.1f} ({low:+.1f} to {high:+.1f})"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"
