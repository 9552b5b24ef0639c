"""Print what-ifs: what each change is worth."""

from typing import Any

from experiments.analysis.compare_formatting import format_difference
from experiments.analysis.what_if import WhatIf, labels
from experiments.commands import output
from experiments.commands.show_knockout import points


def as_tables(found: WhatIf) -> None:
    """Print what-ifs as a table."""
    output.table(
        f"What if? {found.cell.game}, {found.cell.players} players, {found.lineup}",
        [
            "change",
            "in games",
            "win share, points",
            "verdict",
            *filter(None, [found.score]),
        ],
        [
            [
                label,
                f"{100 * row['used']:.0f} %",
                points(row["more"], row["low"], row["high"]),
                row["verdict"],
                *([_score(row)] if found.score else []),
            ]
            for label, row in zip(
                labels(found.rows), found.rows.iter_rows(named=True), strict=True
            )
        ],
        "Changed less unchanged, on the same deals. In games: those in which it comes "
        f"up. 95 % intervals{_for_all(found.rows.height)}.",
    )
    output.print_line(f"games    {found.games:,}")
    if found.cell.given:
        output.print_line(f"given    {found.cell.deals}")


def _for_all(rows: int) -> str:
    """Return for how many rows the intervals of win shares hold."""
    return (
        "" if rows == 1 else f"; those of win shares hold for all {rows} rows at once"
    )


def _score(row: dict[str, Any]) -> str:
    """Return by how much the final score changes, with its interval."""
    return format_difference(
        {
            "share": False,
            "difference": row["score_more"],
            "low": row["score_more_low"],
            "high": row["score_more_high"],
        }
    )
