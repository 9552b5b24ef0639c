"""Print a tuned strategy: what changed, what it gained, and how to play it."""

from pathlib import Path

from experiments.analysis import tuned_strategy_file
from experiments.analysis.tuning_result import TuningResult
from experiments.commands import output
from experiments.execution import atomic_files, text_files
from experiments.execution.user_paths import short_path
from reports.safe_text import csv

_FILE = "tuned.py"


def save(result: TuningResult, folder: Path) -> None:
    """Save the trials, the result and, if it is clearly better, the strategy."""
    atomic_files.write_file(folder / "trials.csv", csv(result.table))
    text_files.write_json(folder / "tune.json", result.as_dict())
    if result.better:
        atomic_files.write_file(
            folder / _FILE, tuned_strategy_file.text(result).encode()
        )


def as_tables(result: TuningResult, folder: Path) -> None:
    """Print the result."""
    ranges = {knob.name: f"{knob.low:g} to {knob.high:g}" for knob in result.knobs}
    tuned = result.best.values
    rows = [
        [name, *(result.changes.get(name) or (tuned[name], "as it was")), ranges[name]]
        for name in ranges
    ]
    output.table(
        f"{result.untuned}, {result.players} players: the best of its parameters",
        ["parameter", "untuned", "tuned", "tried"],
        rows,
    )
    if result.fresh:
        output.table(
            "One seat of it, untuned and tuned, on fresh deals",
            ["at a table of", "untuned", "tuned", "points gained", "games"],
            [
                [
                    comparison.field,
                    f"{100 * comparison.untuned:.1f} %",
                    f"{100 * comparison.tuned:.1f} %",
                    f"{100 * comparison.gain:+.2f} "
                    f"({100 * comparison.low:+.2f} to {100 * comparison.high:+.2f})",
                    comparison.games,
                ]
                for comparison in result.fresh
            ],
            "In brackets 95 % intervals; the unit is the game. Both sides play the "
            "same games, which had no part in the tuning. The gain holds at these "
            "tables; at others it may differ.",
        )
    for text in result.findings:
        output.print_line(text, wrap=True)
    if result.better:
        file = short_path(folder / _FILE)
        output.print_line()
        output.print_line(f"to play  --lineup {result.best.spec}")
        output.print_line(f"or       --add-strategy {file}:{tuned_strategy_file.CLASS}")
