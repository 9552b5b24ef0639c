"""Print studies, return them as JSON, save them as files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from experiments.commands import output, show_runs, show_sweep
from experiments.commands.arguments import assumptions_in_force
from experiments.execution import atomic_files, text_files
from experiments.execution.user_paths import short_path
from experiments.studies import sweep_figure, sweep_results
from experiments.studies.cost_estimate import CostEstimate
from experiments.studies.plans import Plan
from experiments.studies.run_study import StudyResult
from reports.safe_text import csv, render_figure


def save(done: StudyResult, folder: Path) -> list[Path]:
    """Save tables as CSV, a figure and a summary; return the paths."""
    written, there = [], show_sweep.counted_measures(done)
    for measure in there:
        stem = measure.replace(" ", "-").replace("/", "-")
        tables = {"": sweep_results.sweep_table(done, measure)}
        matters = sweep_results.sensitivity(done, measure)
        tables |= {"-sensitivity": matters} if matters.height else {}
        for suffix, table in tables.items():
            path = folder / f"{stem}{suffix}.csv"
            atomic_files.write_file(path, csv(table))
            written.append(path)
    figure = (
        sweep_figure.figure(done, show_sweep.counted_measures(done)[0])
        if show_sweep.counted_measures(done)
        else None
    )
    if figure is not None:
        atomic_files.write_file(
            folder / "figure.svg", render_figure(figure, "svg", "fairdeal")
        )
        written.append(folder / "figure.svg")
    text = text_files.to_json(as_dict(done)) + "\n"
    atomic_files.write_file(folder / "summary.json", text.encode())
    return written


def as_dict(done: StudyResult) -> dict[str, Any]:
    """Return a study and its results as one JSON object."""
    plan, results, there = done.plan, done.results, show_sweep.counted_measures(done)
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
        **({"given": deals} if (deals := plan.deals) else {}),
        "variants": plan.variants,
        "measures": {
            name: sweep_results.sweep_table(done, name).to_dicts() for name in there
        },
        "sensitivity": {
            name: sweep_results.sensitivity(done, name).to_dicts() for name in there
        },
        "failures": {str(cell): why for cell, why in results.failures.items()},
        "skipped": list(plan.skipped),
        "assumed": _assumed(plan),
        "notes": [*plan.notes, *_shortages(plan)],
        "decisions": about.get("decisions"),
        "seconds": about.get("seconds"),
        "out": None
        if results.directory is None
        else str(short_path(results.directory)),
    }


def as_tables(done: StudyResult) -> None:
    """Print a study: the question, the results, and how they were made."""
    plan = done.plan
    if plan.question:
        output.print_line(plan.question, "bold")
    for words in _variants(plan):
        output.print_line(words)
    output.print_line()
    for measure in show_sweep.counted_measures(done):
        show_sweep.sensitivity_table(done, measure)
        show_sweep.sweep_table(done, measure)
    if done.results.looked is None:
        output.print_line("In brackets: 95 % intervals; their unit is the game.", "dim")
    else:
        output.print_line(
            "In brackets: 95 % intervals that hold however often you look; their "
            "unit is the game.",
            "dim",
        )
    for words in _about(done):
        output.print_line(words)


def estimate_words(plan: Plan, estimate: CostEstimate) -> None:
    """Print the games, time and disk a study would take."""
    if plan.question:
        output.print_line(plan.question, "bold")
    design_points = len(plan.design_points)
    shared = (
        ""
        if design_points == estimate.cells
        else f" (for {design_points:,} points of the design)"
    )
    output.print_line(f"cells    {estimate.cells:,}{shared}")
    each = f"{plan.games:,} of each cell"
    most = "" if estimate.expected is None else " at most"
    output.print_line(f"games    {estimate.games:,}{most}, {each}")
    if estimate.expected is not None:
        output.print_line(
            f"         about {estimate.expected:,} until {plan.measures[0]!r} is known "
            f"to {plan.precision.text if plan.precision else ''}"
        )
    output.print_line(
        f"time     about {_time(estimate.seconds)} with {_processes(estimate.jobs)}"
    )
    if estimate.lessons:
        sets = len(plan.learners)
        output.print_line(
            f"lessons  before that about {_time(estimate.lessons)} of one core: "
            f"{sets} rule set{'s' if sets > 1 else ''}"
        )
    output.print_line(f"disk     about {show_runs.size(estimate.bytes)}")
    output.print_line(
        f"tried    {estimate.tried} of the cells, up to a few thousand games each"
    )
    for words in plan.notes:
        output.print_line(f"note     {words}")
    for words in plan.skipped:
        output.print_line(f"skipped  {words}")


def _variants(plan: Plan) -> Iterator[str]:
    for name, values in _differences(plan).items():
        if len(plan.variants) > 1 or values:
            yield f"variant  {name}: {' '.join(values) or 'the base rules.'}"


def _differences(plan: Plan) -> dict[str, list[str]]:
    """How each variant differs from the base rules, in sentences."""
    return {name: list(one["differences"]) for name, one in plan.variants.items()}


def _about(done: StudyResult) -> Iterator[str]:
    """Yield how the numbers were made, and where they are saved."""
    plan, results = done.plan, done.results
    played = [games for games in results.played if games]
    each = (
        "no games"
        if not played
        else (
            f"{played[0]:,} games of each"
            if len(set(played)) == 1
            else f"{min(played):,} to {max(played):,} games of each"
        )
    )
    yield f"cells    {len(plan.cells):,}, {each}, {plan.games_words}"
    yield from (f"given    {words}" for words in plan.deals)
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
        yield f"targets  to judge them: fairdeal check {plan.where}"
    if results.directory is not None:
        yield f"results  {short_path(results.directory)}"


def _assumed(plan: Plan) -> dict[str, str]:
    """The rule values of any cell that rest on an assumption, with the assumption."""
    reasons: dict[str, str] = {}
    for cell in plan.cells:
        reasons |= assumptions_in_force(cell.rules)
    return reasons


def _shortages(plan: Plan) -> list[str]:
    """What the cells need beyond the parts in the box."""
    return list(
        dict.fromkeys(
            f"with {cell.players} players {shortage}"
            for cell in plan.cells
            for shortage in cell.rules.shortages(cell.players)
        )
    )


def _place(plan: Plan, cell: int) -> str:
    """Describe a cell."""
    point = next(point for point in plan.design_points if point.cell == cell)
    values = [f"{key} {json.dumps(value)}" for key, value in point.point.items()]
    return ", ".join([point.variant, point.lineup, f"{point.players} players", *values])


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _processes(jobs: int) -> str:
    return "1 process" if jobs == 1 else f"{jobs} processes"
