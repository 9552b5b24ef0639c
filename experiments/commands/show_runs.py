"""Print run directories, in tables and as JSON."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.analysis.compare_formatting import (
    format_difference,
    format_estimate,
    measure_label,
    verdict_words,
)
from experiments.commands import output
from experiments.execution.version import this_version
from experiments.studies.earlier_runs import EarlierRun
from experiments.studies.run_catalog import RunEntry

if TYPE_CHECKING:
    import polars as pl

    from experiments.analysis.run_diff import RunDifference

_SHOWN = 12  # numbers shown


def as_table(runs: Sequence[RunEntry], folder: Path) -> None:
    """Print run directories, one line each; those of another version by commit."""
    if not runs:
        output.print_line(f"No runs in {folder}.")
        return
    rows = [
        [
            run.path.name,
            run.state.status,
            run.game,
            run.blocks,
            size(run.state.bytes),
            run.state.made.short if run.of_other_source else run.state.made.number,
            run.about,
        ]
        for run in runs
    ]
    columns = ["run", "state", "game", "blocks", "disk", "fairdeal", "about"]
    output.table("", columns, rows)


def as_dict(run: RunEntry) -> dict[str, Any]:
    """Return a run directory as one JSON object."""
    manifest = run.state.manifest
    return {
        "path": str(run.path),
        "state": run.state.status,
        "about": run.about,
        "game": run.game,
        "cells": run.cells,
        "blocks": run.state.blocks,
        "bytes": run.state.bytes,
        "games": manifest.get("games"),
        "played": manifest.get("played"),
        "fairdeal": run.state.made.number or None,
        "commit": run.state.made.commit or None,
        "machine": manifest.get("machine"),
        "seconds": manifest.get("seconds"),
        "failures": manifest.get("failures", {}),
        "study": run.question is not None,
        "command": list(run.command),
        "changes": changes(run),
        "strategies": run.strategies,
    }


def earlier_tables(earlier: EarlierRun) -> None:
    """Print what a run of an earlier format found, as it was saved."""
    for name in earlier.tables:
        rows = [*earlier.rows(name)]
        if rows:
            columns = [*dict.fromkeys(key for row in rows for key in row)]
            cells = [[row.get(key, "") for key in columns] for row in rows]
            output.table(f"By {name}, as it was saved", columns, cells)


def _earlier_lines(run: RunEntry, earlier: EarlierRun) -> None:
    """Print what a run of an earlier format was, and how to go on from it."""
    output.print_line(f"run      {run.path}", "bold")
    output.print_line(
        f"state    {run.state.status}: format {earlier.format}, of {run.state.made}"
    )
    output.print_line(f"about    {'; '.join(earlier.lineups)}")
    output.print_line(f"game     {', '.join([earlier.game, *earlier.changes])}")
    output.print_line(f"games    {earlier.games:,}, seed {earlier.seed}")
    output.print_line(
        "note     its sums cannot be read here; below is what it found, as it was "
        f"saved. {earlier.reader} reads all of it: {earlier.reader.how}"
    )
    if earlier.again:
        again = shlex.join(["fairdeal", *earlier.again])
        output.print_line(f"again    {again}")
        output.print_line(f"         plays it anew with {this_version()}")


def as_lines(run: RunEntry) -> None:
    """Print the state of a run directory, without its results."""
    if (earlier := run.earlier) is not None:
        _earlier_lines(run, earlier)
        return
    manifest = run.state.manifest
    output.print_line(f"run      {run.path}", "bold")
    blocks = "block" if run.blocks == "1" else "blocks"
    output.print_line(f"state    {run.state.status}, {run.blocks} {blocks} finished")
    output.print_line(f"about    {run.about or 'not known'}")
    output.print_line(f"game     {run.game or 'not known'}")
    if manifest:
        machine = ", ".join(f"{k} {v}" for k, v in manifest["machine"].items())
        each = "" if run.cells == 1 else f" of each of {run.cells:,} cells"
        output.print_line(f"games    {manifest['games']:,}{each}")
        output.print_line(f"{run.state.made}, source {manifest['source']}")
        if run.of_other_source:
            resume = f" To resume it: {run.state.made.how}."
            finished = run.state.status == "finished"
            output.print_line(
                f"note     this is {this_version()}, another version."
                + ("" if finished else resume)
            )
        output.print_line(f"machine  {machine}")
    changed = changes(run)
    for words in changed[:_SHOWN]:
        output.print_line(f"change   {words}")
    if len(changed) > _SHOWN:
        output.print_line(f"         and {len(changed) - _SHOWN} more")
    for file in run.strategies:
        output.print_line(f"runs     {file}")
    if run.command:
        output.print_line(f"command  {shlex.join(['fairdeal', *run.command])}")
    output.print_line(f"disk     {size(run.state.bytes)}")
    for cell, why in manifest.get("failures", {}).items():
        output.print_line(f"failed   cell {cell}: {why}")


def changes(run: RunEntry) -> list[str]:
    """Return what is changed in the games of a run, in words."""
    names = run.state.manifest.get("names", ())
    return [*dict.fromkeys(each for one in names for each in one.get("changes", ()))]


def as_difference(difference: "RunDifference") -> None:
    """Print how two runs differ."""
    if difference.about:
        output.table("", ["what", "one", "other"], difference.about)
    for cell, values in difference.rules.items():
        output.print_line(f"rules of {cell}:")
        for sentence in values:
            output.print_line(f"  {sentence}")
    output.print_line(f"results  {difference.results}")
    several = len(difference.told) > 1
    for number, sentences in enumerate(difference.told):
        output.print_line()
        for words in sentences:
            named = f"cell {number}: {words}" if several else words
            output.print_line(f"{named[:1].upper()}{named[1:]}", wrap=True)
    if difference.numbers.height:
        _numbers(difference.numbers, difference.pairing)


def _numbers(rows: "pl.DataFrame", pairing: str) -> None:
    """Print the numbers that differ most between two runs."""
    several = rows["cell"].n_unique() > 1
    output.print_line()
    output.table(
        f"The numbers that differ most, of {rows.height:,}"
        if rows.height > _SHOWN
        else "The numbers that differ",
        [*(["cell"] if several else []), "what", "one", "other", "other less one", ""],
        [
            [
                *([row["cell"]] if several else []),
                measure_label(row["measure"], row["group"]),
                format_estimate(row, "one"),
                format_estimate(row, "other"),
                format_difference(row).removesuffix(" (no interval)"),
                verdict_words(row),
            ]
            for row in rows.head(_SHOWN).to_dicts()
        ],
        f"In brackets: 95 % intervals; {pairing}.",
    )


def size(count: float) -> str:
    """Format a number of bytes."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            break
        count /= 1000
    return (
        f"{count:.0f} {unit}"
        if unit == "bytes" or count >= 10
        else f"{count:.1f} {unit}"
    )
