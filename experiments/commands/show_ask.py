"""Print the answer to a question, and draw it."""

from pathlib import Path
from typing import Any

from experiments.analysis.questions.answer import Answer
from experiments.commands import output
from experiments.execution import atomic_files
from experiments.execution.user_paths import short_path
from reports.safe_text import render_figure

_WIDE = 31  # characters of a bar
_SHOWN = 16  # rows of the picture at each strength


def as_text(answer: Answer) -> None:
    """Print the answer, the sentences, and the picture."""
    if answer.columns:
        output.print_line(answer.columns.sentence)
    output.print_line(f"Asked: {answer.understood}")
    output.print_line(f"{answer.answer.capitalize()}.", "bold")
    for sentence in answer.sentences:
        output.print_line(f"- {sentence}")
    output.print_line()
    _picture(answer)
    if answer.specs:
        who = ", ".join(f"{level} {spec}" for level, spec in answer.specs.items())
        output.print_line(f"players  {answer.players}, each in all seats: {who}")
    output.print_line(f"games    {answer.games:,} by each of them")
    if answer.deals:
        output.print_line(f"given    {answer.deals}")


def _picture(answer: Answer) -> None:
    """Print the numbers of the strongest players as bars, the others beside them."""
    rows = answer.rows.drop_nulls("estimate")
    if rows.is_empty():
        return
    levels = rows["level"].unique(maintain_order=True).to_list()
    own = {row["position"]: row["share"] for row in answer.beside.to_dicts()}
    scale = 100 if answer.part.unit in ("%", "points") else 1
    by = {(row["level"], row["what"]): row for row in rows.to_dicts()}
    best = [by[levels[-1], what] for what in rows["what"].unique(maintain_order=True)
            if (levels[-1], what) in by]  # fmt: skip
    shown = best[:_SHOWN]
    even = answer.part.even
    ends = [row[end] for row in shown for end in ("low", "high")]
    low, high = min([*ends, 0.0]), max([*ends, 0.0])
    mark = "" if even is None else f"|: {scale * even:.3g}"
    left = f"{len(best) - len(shown)} more: --json" * (len(best) > len(shown))
    output.table(
        f"{answer.part.title}, {answer.part.unit}".rstrip(", "),
        ["", *levels, *["your table"] * bool(own), f"{levels[-1]}, 95 %"],
        [
            [
                row["what"],
                *(_number(by.get((level, row["what"])), scale) for level in levels),
                *[f"{100 * own[row['what']]:.0f}" if row["what"] in own else ""]
                * bool(own),
                _bar(row, low, high, even),
            ]
            for row in shown
        ],
        "; ".join(filter(None, (mark, left))),
    )


def _number(row: dict[str, Any] | None, scale: float) -> str:
    """Return an estimate, and half the width of its interval."""
    if row is None:
        return ""
    half = scale * (row["high"] - row["low"]) / 2
    digits = 0 if half >= 1 else 1
    return f"{scale * row['estimate']:z.{digits}f} ± {half:.{digits}f}"


def _bar(row: dict[str, Any], low: float, high: float, even: float | None) -> str:
    """Draw an interval, its estimate, and the value to compare it with."""
    span = (high - low) or 1.0

    def at(value: float) -> int:
        return min(max(round((value - low) / span * (_WIDE - 1)), 0), _WIDE - 1)

    cells = [" "] * _WIDE
    if even is not None:
        cells[at(even)] = "|"
    for place in range(at(row["low"]), at(row["high"]) + 1):
        cells[place] = "-"
    cells[at(row["estimate"])] = "●"
    return "".join(cells)


def draw(answer: Answer, path: Path) -> None:
    """Draw the answer to a new SVG file; raises ``UsageError`` if there is one."""
    data = render_figure(answer.plot(), "svg", answer.question)
    atomic_files.write_new_file(path, data)
    output.note(f"picture  {short_path(path)}")
