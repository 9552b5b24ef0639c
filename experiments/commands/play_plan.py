"""Play a plan for ``run``, show the results and save them.

A run of one lineup and a study are both plans; they differ in what is printed, and in
how they are resumed.
"""

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import typer

from experiments import api
from experiments.coercion import GAMES
from experiments.commands import (
    interruption,
    output,
    progress,
    show_run,
    show_study,
    show_sweep,
)
from experiments.commands.arguments import Request
from experiments.core.blocks import MOST_GAMES
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import measures_of, missing_words
from experiments.execution import text_files
from experiments.execution.failures import RunFailed
from experiments.execution.results import Results
from experiments.execution.user_paths import short_path
from experiments.studies import plans, run_study
from experiments.studies.cost_estimate import estimate_cost
from experiments.studies.plans import Plan
from experiments.studies.study import MOST
from experiments.studies.study_short_forms import precision
from experiments.variants.rule_diff import sentences


@dataclass(frozen=True)
class ExecutionOptions:
    """How a plan is played, and whether its results are printed as JSON."""

    jobs: int = 1
    backend: str = "loky"
    scheduler: str | None = None
    fail_fast: bool = False
    json: bool = False

    def options(self) -> Mapping[str, Any]:
        """Return the arguments of ``run_study`` and ``resume_study``."""
        return {key: value for key, value in asdict(self).items() if key != "json"}


def plan_of_lineup(
    request: Request,
    cells: Sequence[Cell],
    games: int | None,
    wanted: str,
    measures: Sequence[str],
    tables: tuple[str, ...],
) -> Plan:
    """Plan one lineup with each number of players; raises ``UsageError``."""
    width = precision(wanted) if wanted else None
    most = (MOST if width else GAMES) if games is None else games
    if not 1 <= most <= MOST_GAMES:
        raise UsageError(f"games: at least 1, at most {MOST_GAMES:,}, not {most}.")
    about = {
        "differences": sentences(request.game.rules(), request.rules),
        "provenance": dict(request.provenance),
    }
    return plans.plan_of_cells(
        cells,
        most,
        precision=width,
        measures=tuple(measures),
        detailed=_of_report(cells[0], measures),
        tables=tables,
        where=" ".join(["fairdeal", *sys.argv[1:]]),
        variant=request.variant,
        variants={request.variant or "base": about},
    )


def show_estimate(plan: Plan, options: ExecutionOptions) -> None:
    """Show the games, time and disk a run would take; write nothing."""
    cost = estimate_cost(plan, options.jobs)
    if options.json:
        output.as_json(asdict(cost))
    else:
        show_study.estimate_words(plan, cost)


def game(
    request: Request,
    plan: Plan,
    measures: Sequence[str],
    out: Path | None,
    how: ExecutionOptions,
    control_variates: bool = False,
) -> None:
    """Play one lineup and show who won, and these measures."""
    options = {**how.options(), "fail_fast": how.fail_fast or len(plan.cells) == 1}
    with interruption.kept_run(out, request.game.id, "run", request.seed) as folder:
        with interruption.watch_kept_run("run", folder, request.seed) as shown:
            done = api.study(plan, out=folder, progress=shown, **options)
        require_played(done.results)
        rotate = plan.cells[0].rotate
        summary = show_run.as_dict(request, done.results, rotate)
        if control_variates:
            rows = show_run.control_variates(done.results)
            summary["tables"]["control_variates"] = rows
        if measures:
            summary["measures"] = show_study.as_dict(done)["measures"]
        text_files.write_json(folder / "summary.json", summary)
    if how.json:
        output.as_json(summary)
    else:
        show_run.as_tables(request, done.results, rotate, summary["tables"])
        for name in measures:
            output.print_line()
            show_sweep.sweep_table(done, name)
    exit_status(done.results)


def study(
    plan: Plan,
    name: str,
    out: Path | None,
    options: ExecutionOptions,
    *,
    page: bool = False,
) -> None:
    """Play a study, save its results and show them; with ``page`` as a page, too."""
    for words in plan.notes:
        output.note(words)
    with interruption.kept_run(out, plan.game, name) as folder:
        with progress.watch(name) as shown:
            done = api.study(plan, out=folder, progress=shown, **options.options())
        require_played(done.results)
        show_study.save(done, folder)
        written = write_page(done, folder, options) if page else None
    show_result(done, options, written)


def write_page(
    done: run_study.StudyResult, folder: Path, options: ExecutionOptions
) -> Path:
    """Write the page of a study, and return its path; plays the games that it needs."""
    from experiments.analysis import study_report

    with progress.watch("page") as shown:
        return study_report.write(done, folder, jobs=options.jobs, progress=shown)


def show_result(
    done: run_study.StudyResult, options: ExecutionOptions, page: Path | None = None
) -> None:
    """Show the results of a study; exit with code 1 if cells failed."""
    if options.json:
        output.as_json(show_study.as_dict(done))
    else:
        show_study.as_tables(done)
        if page is not None:
            output.print_line(f"page     {short_path(page)}")
        elif len(done.plan.variants) > 1 and done.results.directory is not None:
            place = shlex.quote(str(short_path(done.results.directory)))
            again = f"fairdeal runs resume {place} --page"
            output.print_line(
                f"compare  the variants with the base, with intervals: {again}"
            )
    exit_status(done.results)


def require_played(results: Results) -> None:
    """Raise ``RunFailed`` if no cell could be played."""
    if not any(results.played):
        failures = list(results.failures.values())
        raise RunFailed(interruption.failure_words(failures, len(results.cells)))


def exit_status(results: Results) -> None:
    """Print which cells failed, and exit with code 1 if any did."""
    if results.failures:
        failures = list(results.failures.values())
        words = interruption.failure_words(failures, len(results.cells))
        output.error(words)
        raise typer.Exit(1)


def _of_report(cell: Cell, names: Sequence[str]) -> bool:
    """Whether any of these measures needs the report; raises ``UsageError``."""
    measures = measures_of(cell.game) if names else {}
    for name in names:
        if name not in measures:
            raise UsageError(f"--measure: {missing_words(name, cell.game)}")
    return any(measures[name].family == "report" for name in names)
