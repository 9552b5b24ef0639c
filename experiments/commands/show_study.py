"""Showing studies: in the terminal, as JSON, as files."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.commands import show, show_found, show_runs
from experiments.commands.asked import assumed
from experiments.running import files
from experiments.studying import sweep_figure, sweeps
from experiments.studying.calibration import Estimate
from experiments.studying.plans import Plan
from experiments.studying.studies import Done

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save(done: Done, folder: Path) -> list[Path]:
    """Write what was found beside the results: tables as CSV, one figure, a summary."""
    written, there = [], show_found.there(done)
    for measure in there:
        stem = measure.replace(" ", "-").replace("/", "-")
        tables = {"": sweeps.table(done, measure)}
        matters = sweeps.sensitivity(done, measure)
        tables |= {"-sensitivity": matters} if matters.height else {}
        for suffix, table in tables.items():
            path = folder / f"{stem}{suffix}.csv"
            files.write(path, table.write_csv().encode())
            written.append(path)
    figure = (
        sweep_figure.figure(done, show_found.there(done)[0])
        if show_found.there(done)
        else None
    )
    if figure is not None:
        files.write(folder / "figure.svg", _svg(figure))
        written.append(folder / "figure.svg")
    text = show.to_json(as_dict(done)) + "\n"
    files.write(folder / "summary.json", text.encode())
    return written


def as_dict(done: Done) -> dict[str, Any]:
    """A study and what was found, as one JSON object."""
    plan, results, there = done.plan, done.results, show_found.there(done)
    about = results.manifest
    return {
        "fairdeal": about["fairdeal"],
        "question": plan.question,
        "game": plan.game,
        "seed": plan.seed,
        "games": plan.games,
        "played": list(results.played),
        "precision": plan.precision.text if plan.precision else None,
        "design": {"kind": plan.kind, "keys": list(plan.keys)} if plan.keys else None,
        "cells": plan.frame().to_dicts(),
        "differences": _differences(plan),
        "variants": plan.variants,
        "measures": {name: sweeps.table(done, name).to_dicts() for name in there},
        "sensitivity": {
            name: sweeps.sensitivity(done, name).to_dicts() for name in there
        },
        "failures": {str(cell): why for cell, why in results.failures.items()},
        "skipped": list(plan.skipped),
        "assumed": _assumed(plan),
        "notes": [*plan.notes, *_shortages(plan)],
        "decisions": about.get("decisions"),
        "seconds": about.get("seconds"),
        "out": None if results.directory is None else str(results.directory),
    }


def as_tables(done: Done) -> None:
    """A study in the terminal: what was asked, what was found, what it rests on."""
    plan = done.plan
    if plan.question:
        show.line(plan.question, "bold")
    for words in _variants(plan):
        show.line(words)
    show.line()
    for measure in show_found.there(done):
        show_found.matters(done, measure)
        show_found.found(done, measure)
    if done.results.looked is None:
        show.line("In brackets: 95 % intervals; their unit is the game.", "dim")
    else:
        show.line(
            "In brackets: 95 % intervals that hold however often one looks; their "
            "unit is the game.", "dim",
        )  # fmt: skip
    for words in _about(done):
        show.line(words)


def estimated(plan: Plan, found: Estimate) -> None:
    """What a study would take."""
    if plan.question:
        show.line(plan.question, "bold")
    places = len(plan.places)
    shared = "" if places == found.cells else f" (for {places:,} places of the design)"
    show.line(f"cells    {found.cells:,}{shared}")
    each = f"{plan.games:,} of each cell"
    most = "" if found.expected is None else " at most"
    show.line(f"games    {found.games:,}{most}, {each}")
    if found.expected is not None:
        show.line(
            f"         about {found.expected:,} until {plan.measures[0]!r} is known to "
            f"{plan.precision.text if plan.precision else ''}"
        )
    show.line(f"time     about {_time(found.seconds)} with {_processes(found.jobs)}")
    show.line(f"disk     about {show_runs.size(found.bytes)}")
    show.line(f"tried    {found.tried} of the cells, a few thousand games each")
    for words in plan.skipped:
        show.line(f"skipped  {words}")


def _variants(plan: Plan) -> Iterator[str]:
    for name, told in _differences(plan).items():
        if len(plan.variants) > 1 or told:
            yield f"variant  {name}: {' '.join(told) or 'the base rules.'}"


def _differences(plan: Plan) -> dict[str, list[str]]:
    """In what each variant differs from the base rules, in sentences."""
    return {name: list(one["differences"]) for name, one in plan.variants.items()}


def _about(done: Done) -> Iterator[str]:
    """What the numbers rest on, and where they lie."""
    plan, results = done.plan, done.results
    played = [games for games in results.played if games]
    each = "no games" if not played else (
        f"{played[0]:,} games of each" if len(set(played)) == 1
        else f"{min(played):,} to {max(played):,} games of each"
    )  # fmt: skip
    yield f"cells    {len(plan.cells):,}, {each}, all on the same deals"
    if plan.precision is not None:
        stopped = results.manifest.get("stopped", [])
        short = len(played) - sum(map(bool, stopped))
        if short > 0:
            yield (
                f"note     {short} of {len(plan.cells)} cells did not reach "
                f"{plan.precision.text} within {plan.games:,} games"
            )
    yield f"seed     {plan.seed}"
    yield from (f"assumed  {key}: {why}" for key, why in _assumed(plan).items())
    yield from (f"note     {words}" for words in (*plan.notes, *_shortages(plan)))
    yield from (f"skipped  {words}" for words in plan.skipped)
    for cell, why in results.failures.items():
        yield f"failed   cell {cell} ({_place(plan, cell)}): {why}"
    if plan.targets:
        yield f"targets  judge them with: fairdeal check {plan.where}"
    if results.directory is not None:
        yield f"results  {results.directory}"


def _assumed(plan: Plan) -> dict[str, str]:
    """The values in force somewhere that rest on an assumption, and on which."""
    found: dict[str, str] = {}
    for cell in plan.cells:
        found |= assumed(cell.rules)
    return found


def _shortages(plan: Plan) -> list[str]:
    """What the cells need beyond the parts in the box, in words."""
    return list(
        dict.fromkeys(
            f"with {cell.players} players {shortage}"
            for cell in plan.cells
            for shortage in cell.rules.shortages(cell.players)
        )
    )


def _place(plan: Plan, cell: int) -> str:
    """What a cell stands for, in words."""
    place = next(place for place in plan.places if place.cell == cell)
    told = [f"{key} {json.dumps(value)}" for key, value in place.point.items()]
    return ", ".join([place.variant, place.lineup, f"{place.players} players", *told])


def _svg(figure: "Figure") -> bytes:
    """The same bytes for the same figure."""
    from matplotlib import rc_context

    data = io.BytesIO()
    with rc_context({"svg.hashsalt": "fairdeal", "svg.fonttype": "path"}):
        figure.savefig(data, format="svg", metadata={"Date": None})
    return data.getvalue()


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _processes(jobs: int) -> str:
    return "1 process" if jobs == 1 else f"{jobs} processes"
