"""Print the levers of a game: the effects on one line, and a matrix of all lines."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from experiments.analysis.adaptation_verdicts import VERDICTS, adapted_row
from experiments.analysis.levers import Levers
from experiments.analysis.tolerance_check import check_line
from experiments.commands import output
from experiments.execution.user_paths import short_path
from reports.lever_figures import MARK, amount
from reports.scorecard.lines import BY_ID
from reports.scorecard.score_line import ScoreLine

_SHOWN = 16  # changes in the chart
_WIDE = 31  # characters of its bars


def as_dict(levers: Levers) -> dict[str, Any]:
    """Return the levers as one JSON object."""
    folder = levers.scores.results.directory
    return {
        "game": levers.base.game,
        "players": levers.base.players,
        "strategy": levers.base.strategies()[0].title,
        "games": levers.games,
        "seed": levers.base.seed,
        "lines": [
            {"id": line.id, "title": line.number, "meaning": line.doc}
            for line in levers.lines
        ],
        "rows": levers.rows.to_dicts(),
        "adapted": levers.adapted
        and {
            "players": {
                levers.steps[number - 1].label: told
                for number, told in levers.adapted.players.items()
            },
            "rows": levers.verdicts.to_dicts(),
        },
        "left_out": [{"setting": o.setting, "why": o.why} for o in levers.refused],
        "out": None if folder is None else str(short_path(folder)),
    }


def as_tables(levers: Levers, line: str, *, every: bool) -> None:
    """Print the levers: the chart of a line, then the matrix."""
    line = levers.line(line).id
    _chart(levers, levers.line(line), every)
    _adapted(levers, levers.line(line))
    _matrix(levers, every)
    others = [f"{one.number} ({one.id})" for one in levers.broken if one.id != line]
    if others:
        words = f"broken   {', '.join(others)}: --line ranks by one of these"
        output.print_line(words, wrap=True)
    if levers.idle:
        output.print_line(
            f"idle     {', '.join(levers.idle)}: no game came out differently",
            wrap=True,
        )
    if every:
        for step in levers.refused:
            output.print_line(f"left out {step.setting}: {step.why}")
    elif levers.refused:
        many = len(levers.refused)
        changes = "change" if many == 1 else "changes"
        output.print_line(f"left out {many} impossible {changes}; --all says why")
    tables = 1 + any(line.mixed for line in levers.lines)
    output.print_line(
        f"games    {levers.games:,} by each of {len(levers.steps) + 1} rule sets at "
        f"{tables} table{'s' if tables > 1 else ''}, on the same deals"
    )
    output.print_line(f"players  {output.common_strategy(levers.base)}")


def _chart(levers: Levers, line: ScoreLine, every: bool) -> None:
    """Print the effects of changes on a line as a chart."""
    rows = levers.ranked(line.id)
    shown = rows if every else rows.head(_SHOWN)
    if shown.is_empty():
        output.print_line(f"No change moves: {line.number}.")
        return
    low = min(float(shown["low"].min()), 0.0)  # type: ignore[arg-type]
    high = max(float(shown["high"].max()), 0.0)  # type: ignore[arg-type]
    output.table(
        f"Rule weights: {line.number}, {_now(levers, line)}",
        ["change", "difference", "95 % interval", "", "verdict"],
        [
            [
                row["label"],
                amount(row, line) + (MARK if row["marked"] else " "),
                " to ".join(_end(row[end], row, line) for end in ("low", "high")),
                _bar(row, low, high),
                ": ".join(filter(None, (levers.told(row), row["option"]))),
            ]
            for row in shown.iter_rows(named=True)
        ],
        f"{line.doc[:1].upper()}{line.doc[1:]}. {MARK}: certain among all changes and "
        "lines (Benjamini-Hochberg, 5 %).",
    )
    if rows.height > shown.height:
        output.print_line(
            f"rows     {rows.height - shown.height} more; --all shows them"
        )


def _adapted(levers: Levers, line: ScoreLine) -> None:
    """Print what those make of some changes who learned them."""
    if levers.adapted is None:
        return
    rows = levers.verdicts.filter(line=line.id)
    output.table(
        f"By players who learned the rules: {line.number}",
        ["change", "these players", "those who adapted", "together"],
        [
            [
                row["label"],
                *(_difference(each, line) for each in (row, adapted_row(row))),
                VERDICTS[row["says"]],
            ]
            for row in rows.iter_rows(named=True)
        ],
        "Those shown first, and those with an effect of about a tolerance, on other "
        "deals.",
    )
    for label, *lines in _depending(levers):
        output.print_line(f"depends  {label}: {', '.join(lines)}", wrap=True)
    for number, (before, after) in levers.adapted.players.items():
        label = levers.steps[number - 1].label
        output.print_line(f"adapted  {label}: {after}; base: {before}", wrap=True)


def _difference(row: Mapping[str, Any], line: ScoreLine) -> str:
    """A difference with its interval."""
    ends = " to ".join(_end(row[end], row, line) for end in ("low", "high"))
    return f"{amount(row, line)} ({ends})"


def _depending(levers: Levers) -> Iterator[list[str]]:
    """Yield each change with the lines that depend on whether players adapt."""
    labels = dict.fromkeys(label for label, _ in sorted(levers.depending))
    for label in labels:
        lines = (line for line in levers.lines if (label, line.id) in levers.depending)
        yield [label, *(line.number for line in lines)]


def _now(levers: Levers, line: ScoreLine) -> str:
    """The number under the base rules; for a gap that is not shown, its limit."""
    seen = check_line(line, levers.scores.values[0])
    number, words = levers.ranked(line.id)["base"][0], ""
    if seen is not None and BY_ID[line.id].claims is not None and seen.low <= 0:
        number, words = seen.high, "none shown, up to "
    verdict = f": {seen.verdict}" if seen is not None and line in levers.broken else ""
    return f"{words}{line.scale * number:.1f} {line.measured}".rstrip() + verdict


def _end(value: float, row: Mapping[str, Any], line: ScoreLine) -> str:
    return amount({**row, "difference": value}, line)


def _bar(row: dict[str, Any], low: float, high: float) -> str:
    """Draw an interval with its middle, and a line at zero."""
    wide = (high - low) or 1.0

    def place(value: float) -> int:
        return round((value - low) / wide * (_WIDE - 1))

    letters = [" "] * _WIDE
    for at in range(place(row["low"]), place(row["high"]) + 1):
        letters[at] = "-"
    letters[place(0.0)] = "|"
    letters[place(row["difference"])] = "o"
    return "".join(letters).rstrip()


def _matrix(levers: Levers, every: bool) -> None:
    """Print changes by lines: certain differences; others as a dot."""
    rows = levers.rows
    if not every:
        rows = rows.filter((pl.col("verdict") == "differs").any().over("label"))
    lines = levers.lines
    cells = {
        (row["label"], row["line"]): _cell(row, levers.line(row["line"]))
        for row in rows.iter_rows(named=True)
    }
    labels = rows["label"].unique(maintain_order=True)
    title = "What each change clearly does"
    note = (
        "Differences to the base, in points of shares, else in the line's unit; "
        "(+), (-): certain, but within the tolerance"
    )
    columns = ["change", *(line.number for line in lines)]
    if output.fits(columns):
        matrix = [
            [label, *(cells.get((label, line.id), " ") for line in lines)]
            for label in labels
        ]
        output.table(title, columns, matrix, f"{note}; .: not certain.")
    else:
        sure = [[label, ", ".join(_sure(cells, label, lines))] for label in labels]
        output.table(title, ["change", "what it clearly moves"], sure, f"{note}.")
    rest = levers.rows["label"].n_unique() - len(labels)
    if rest:
        output.print_line(
            f"rows     {rest} more have no certain effect beyond the tolerance"
        )


def _sure(
    cells: Mapping[tuple[str, str], str], label: str, lines: Sequence[ScoreLine]
) -> Iterator[str]:
    """Yield what a change clearly moves, line by line."""
    for line in lines:
        cell = cells.get((label, line.id), ".")
        if cell != ".":
            yield f"{line.number} {cell}"


def _cell(row: dict[str, Any], line: ScoreLine) -> str:
    if not row["marked"]:
        return "."
    if row["verdict"] == "differs":
        return amount(row, line)
    return "(+)" if row["difference"] > 0 else "(-)"
