"""Print run directories, in tables and as JSON."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.analysis.compare_numbers import difference, estimate, label, said
from experiments.commands import show
from experiments.execution.version import here
from experiments.studies.directories import Run

if TYPE_CHECKING:
    import polars as pl

    from experiments.analysis.run_diff import Difference

_SHOWN = 12  # numbers shown


def as_table(found: Sequence[Run], folder: Path) -> None:
    """Print run directories, one line each; those of another version by commit."""
    if not found:
        show.line(f"No runs in {folder}.")
        return
    rows = [
        [
            run.path.name,
            run.state.status,
            run.game,
            run.blocks,
            size(run.state.bytes),
            run.state.made.short if run.elsewhere else run.state.made.number,
            run.about,
        ]
        for run in found
    ]
    columns = ["run", "state", "game", "blocks", "disk", "fairdeal", "about"]
    show.table("", columns, rows)


def as_dict(run: Run) -> dict[str, Any]:
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
        "strategies": run.strategies,
    }


def as_lines(run: Run) -> None:
    """Print the state of a run directory, without its results."""
    manifest = run.state.manifest
    show.line(f"run      {run.path}", "bold")
    blocks = "block" if run.blocks == "1" else "blocks"
    show.line(f"state    {run.state.status}, {run.blocks} {blocks} finished")
    show.line(f"about    {run.about or 'not known'}")
    show.line(f"game     {run.game or 'not known'}")
    if manifest:
        machine = ", ".join(f"{k} {v}" for k, v in manifest["machine"].items())
        each = "" if run.cells == 1 else f" of each of {run.cells:,} cells"
        show.line(f"games    {manifest['games']:,}{each}")
        show.line(f"{run.state.made}, source {manifest['source']}")
        if run.elsewhere:
            resume = f" To resume it: {run.state.made.how}."
            finished = run.state.status == "finished"
            show.line(
                f"note     this is {here()}, another version."
                + ("" if finished else resume)
            )
        show.line(f"machine  {machine}")
    for file in run.strategies:
        show.line(f"runs     {file}")
    if run.command:
        show.line(f"command  {shlex.join(['fairdeal', *run.command])}")
    show.line(f"disk     {size(run.state.bytes)}")
    for cell, why in manifest.get("failures", {}).items():
        show.line(f"failed   cell {cell}: {why}")


def as_difference(found: "Difference") -> None:
    """Print how two runs differ."""
    if found.about:
        show.table("", ["what", "one", "other"], found.about)
    for cell, values in found.rules.items():
        show.line(f"rules of {cell}:")
        for sentence in values:
            show.line(f"  {sentence}")
    show.line(f"results  {found.results}")
    if found.numbers.height:
        _numbers(found.numbers)


def _numbers(rows: "pl.DataFrame") -> None:
    """Print the numbers that differ most between two runs."""
    several = rows["cell"].n_unique() > 1
    sure = rows["different"].null_count() == 0
    show.line()
    show.table(
        f"The numbers that differ most, of {rows.height:,}"
        if rows.height > _SHOWN
        else "The numbers that differ",
        [*(["cell"] if several else []), "what", "one", "other", "other less one", ""],
        [
            [
                *([row["cell"]] if several else []),
                label(row["measure"], row["group"]),
                estimate(row, "one"),
                estimate(row, "other"),
                difference(row).removesuffix(" (no interval)"),
                said(row) if sure else " ",
            ]
            for row in rows.head(_SHOWN).rows(named=True)
        ],
        "In brackets: 95 % intervals; the runs played different deals."
        if sure
        else "Both played the same deals, so part of their luck is the same. "
        "fairdeal compare ONE OTHER shows how certain a difference is.",
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
