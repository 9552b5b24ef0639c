"""Print what a run found, from what it saved; nothing is played."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from json import loads
from typing import Any

from experiments.analysis import what_if
from experiments.commands import output, show_runs, show_study, show_what_if
from experiments.execution.output_paths import MANIFEST
from experiments.execution.results import load
from experiments.studies import run_catalog
from experiments.studies.run_catalog import RunEntry

_OURS = {MANIFEST, run_catalog.COMMAND}


def results_so_far(run: RunEntry) -> tuple[dict[str, Any] | None, Callable[[], None]]:
    """Return the results of a study or what-ifs, and what prints them; None for others.

    Of a run of an earlier format, its summary. Raises ``UnfitFile`` if they are
    damaged.
    """
    if (earlier := run.earlier) is not None:
        return asdict(earlier), partial(show_runs.earlier_tables, earlier)
    if (run.path / run_catalog.STUDY).exists():
        done = run_catalog.load_study(run.path)
        if any(done.results.played):
            return show_study.as_dict(done), partial(show_study.as_tables, done)
    elif what_if.is_what_if(run.state.manifest) and show_runs.changes(run):
        results = load(run.path)
        if any(results.played):
            found = what_if.what_if_of(results)
            return found.to_dict(), partial(show_what_if.as_tables, found)
    return None, lambda: None


def show_finished_run(run: RunEntry, *, json: bool) -> None:
    """Print the results of a finished run of another version, or the files with them.

    Those of studies and what-ifs are tables.
    """
    found, as_tables = results_so_far(run)
    kept = [path for path in run.path.glob("*.json") if path.name not in _OURS]
    if json and found is not None:
        output.as_json(found)
        return
    if json:
        values = [loads(path.read_text("utf-8")) for path in kept]
        output.as_json({**show_runs.as_dict(run), "found": values})
        return
    as_tables()
    if found is not None:
        output.print_line()
    show_runs.as_lines(run)
    for path in sorted([*kept, *run.path.glob("*.html")]) if found is None else ():
        output.print_line(f"found    {path}")
    output.print_line("It is finished and shown as saved; nothing is played again.")
