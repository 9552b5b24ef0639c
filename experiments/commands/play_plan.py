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
from experiments.commands import (
    compare_arguments,
    interruption,
    progress,
    show,
    show_run,
    show_study,
    show_sweep,
)
from experiments.commands.arguments import Request
from experiments.core.blocks import MOST_GAMES
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import known, missing
from experiments.execution import documents
from experiments.execution.failures import RunFailed
from experiments.execution.output import directory
from experiments.execution.paths import near
from experiments.execution.results import Results
from experiments.given import GAMES
from experiments.studies import plans, play
from experiments.studies.calibration import estimate
from experiments.studies.plans import Plan
from experiments.studies.short_forms import precision
from experiments.studies.study import MOST
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
        """The arguments of ``studies.run`` and ``directories.resume``."""
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
    return plans.of_cells(
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


def estimated(plan: Plan, options: ExecutionOptions) -> None:
    """Show the games, time and disk a run would take; write nothing."""
    cost = estimate(plan, options.jobs)
    if options.json:
        show.as_json(asdict(cost))
    else:
        show_study.estimated(plan, cost)


def game(
    request: Request,
    plan: Plan,
    measures: Sequence[str],
    out: Path | None,
    how: ExecutionOptions,
) -> None:
    """Play one lineup and show who won, and these measures."""
    options = {**how.options(), "fail_fast": how.fail_fast or len(plan.cells) == 1}
    with (
        directory(out, request.game.id, "run") as folder,
        interruption.resumable(folder, request.seed),
    ):
        with progress.watch("run") as shown:
            values = compare_arguments.remembering(folder, request.seed, shown)
            done = api.study(plan, out=folder, progress=values, **options)
        refuse_nothing(done.results)
        rotate = plan.cells[0].rotate
        summary = show_run.as_dict(request, done.results, rotate)
        if measures:
            summary["measures"] = show_study.as_dict(done)["measures"]
        documents.write(folder / "summary.json", documents.to_json(summary))
    if how.json:
        print(documents.to_json(summary))
    else:
        show_run.as_tables(request, done.results, rotate, summary["tables"])
        for name in measures:
            show.line()
            show_sweep.found(done, name)
    end(done.results)


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
        show.note(words)
    with (
        directory(out, plan.game, name) as folder,
        interruption.resumable(folder),
    ):
        with progress.watch(name) as shown:
            done = api.study(plan, out=folder, progress=shown, **options.options())
        refuse_nothing(done.results)
        show_study.save(done, folder)
        written = write_page(done, folder, options) if page else None
    show_result(done, options, written)


def write_page(done: play.StudyResult, folder: Path, options: ExecutionOptions) -> Path:
    """Write the page of a study, and return its path; plays the games that it needs."""
    from experiments.analysis import study_report

    with progress.watch("page") as shown:
        return study_report.write(done, folder, jobs=options.jobs, progress=shown)


def show_result(
    done: play.StudyResult, options: ExecutionOptions, page: Path | None = None
) -> None:
    """Show the results of a study; exit with code 1 if cells failed."""
    if options.json:
        show.as_json(show_study.as_dict(done))
    else:
        show_study.as_tables(done)
        if page is not None:
            show.line(f"page     {near(page)}")
        elif len(done.plan.variants) > 1 and done.results.directory is not None:
            place = shlex.quote(str(near(done.results.directory)))
            again = f"fairdeal runs resume {place} --page"
            show.line(f"compare  the variants with the base, with intervals: {again}")
    end(done.results)


def refuse_nothing(results: Results) -> None:
    """Raise ``RunFailed`` if no cell could be played."""
    if not any(results.played):
        failures = list(results.failures.values())
        raise RunFailed(interruption.failed(failures, len(results.cells)))


def end(results: Results) -> None:
    """Print which cells failed, and exit with code 1 if any did."""
    if results.failures:
        failures = list(results.failures.values())
        words = interruption.failed(failures, len(results.cells))
        show.error(words)
        raise typer.Exit(1)


def _of_report(cell: Cell, names: Sequence[str]) -> bool:
    """Whether any of these measures needs the report; raises ``UsageError``."""
    measures = known(cell.game) if names else {}
    for name in names:
        if name not in measures:
            raise UsageError(f"--measure: {missing(name, cell.game)}")
    return any(measures[name].family == "report" for name in names)
