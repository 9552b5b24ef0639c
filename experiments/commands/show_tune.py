"""Print a tuned strategy: what changed, what it gained, and how to play it."""

from pathlib import Path

from experiments.analysis import tuned_file
from experiments.analysis.tuned import Tuned
from experiments.commands import show
from experiments.execution import disk, documents
from experiments.execution.paths import near
from reports.safe_text import csv

_FILE = "tuned.py"


def save(found: Tuned, folder: Path) -> None:
    """Save the trials, the result and, if it is clearly better, the strategy."""
    disk.write(folder / "trials.csv", csv(found.table))
    documents.write(folder / "tune.json", documents.to_json(found.as_dict()))
    if found.better:
        disk.write(folder / _FILE, tuned_file.text(found).encode())


def as_tables(found: Tuned, folder: Path) -> None:
    """Print the result."""
    ranges = {one.name: f"{one.low:g} to {one.high:g}" for one in found.knobs}
    tuned = found.best.values
    rows = [
        [name, *(found.changes.get(name) or (tuned[name], "as it was")), ranges[name]]
        for name in ranges
    ]
    show.table(
        f"{found.untuned}, {found.players} players: the best of its parameters",
        ["parameter", "untuned", "tuned", "tried"],
        rows,
    )
    if found.fresh:
        show.table(
            "One of it, untuned and tuned, on fresh deals",
            ["at a table of", "untuned", "tuned", "points gained", "games"],
            [
                [
                    one.field,
                    f"{100 * one.untuned:.1f} %",
                    f"{100 * one.tuned:.1f} %",
                    f"{100 * one.gain:+.2f} "
                    f"({100 * one.low:+.2f} to {100 * one.high:+.2f})",
                    one.games,
                ]
                for one in found.fresh
            ],
            "In brackets 95 % intervals; the unit is the game. Both sides play the "
            "same games, which had no part in the tuning. The gain holds at these "
            "tables; at others it may differ.",
        )
    for text in found.findings:
        show.line(text, wrap=True)
    if found.better:
        file = near(folder / _FILE)
        show.line()
        show.line(f"to play  --lineup {found.best.spec}")
        show.line(f"or       --add-strategy {file}:{tuned_file.CLASS}")
