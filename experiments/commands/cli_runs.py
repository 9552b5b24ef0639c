"""The commands ``fairdeal runs list|show|diff|resume``: saved runs."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import help_panels, options
from experiments.commands.argument_checks import CheckedGroup

app = typer.Typer()
runs = typer.Typer(
    cls=CheckedGroup,
    help="List, show, compare and resume saved runs.",
    epilog="Example: fairdeal runs list",
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.add_typer(runs, name="runs", rich_help_panel=help_panels.LOOK)


def complete_run(incomplete: str) -> list[str]:
    """Complete the name of a run in results/."""
    names = [file.parent.name for file in Path("results").glob("*/manifest.json")]
    return [name for name in names if name.startswith(incomplete)]


Name = Annotated[
    str,
    typer.Argument(
        help="The run: its directory, or its name in results/.",
        autocompletion=complete_run,
        show_default=False,
    ),
]


@help_panels.command(runs, None, "fairdeal runs list", name="list")
def list_runs(
    folder: Annotated[
        Path, typer.Argument(help="Directory to look in.", show_default=True)
    ] = Path("results"),
    json: options.Json = False,
) -> None:
    """List runs, newest first: finished, running, stopped, damaged."""
    from experiments.api import runs
    from experiments.commands import output, show_runs

    result = runs.list(folder)
    if json:
        output.as_json({"runs": [show_runs.as_dict(run) for run in result]})
    else:
        show_runs.as_table(result, folder)


@help_panels.command(runs, None, "fairdeal runs show lives-20260101-120000")
def show(name: Name, json: options.Json = False) -> None:
    """Show the state of a run and its results so far."""
    from experiments.api import runs
    from experiments.commands import output, show_finished_run, show_runs

    run = runs.show(name)
    found, as_tables = show_finished_run.results_so_far(run)
    if json:
        output.as_json({**show_runs.as_dict(run), "found": found})
        return
    show_runs.as_lines(run)
    if found is not None:
        output.print_line()
        as_tables()


@help_panels.command(runs, None, "fairdeal runs diff results/one results/other")
def diff(one: Name, other: Name, json: options.Json = False) -> None:
    """Show how two runs differ: versions, rules, lineups, results."""
    from experiments.api import runs
    from experiments.commands import output, show_runs

    result = runs.diff(one, other)
    if json:
        rows = [
            dict(zip(("what", "one", "other"), r, strict=True)) for r in result.about
        ]
        values = {"same": result.same, "about": rows, "rules": result.rules}
        values |= {"results": result.results, "numbers": result.numbers.to_dicts()}
        values["told"] = result.told
        output.as_json(values)
    else:
        show_runs.as_difference(result)


@help_panels.command(runs, None, "fairdeal runs resume results/one")
def resume(
    ctx: typer.Context,
    name: Name,
    jobs: options.Jobs = -1,
    backend: Annotated[
        str | None, options.changed(options.BACKEND, show_default="as it was started")
    ] = None,
    scheduler: options.Scheduler = None,
    fail_fast: options.FailFast = False,
    trust: options.Trust = False,
    page: options.Page = False,
    json: options.Json = False,
) -> None:
    """Resume a run that was stopped; finished blocks are kept.

    --page is for studies.
    """
    from experiments.api import runs
    from experiments.commands import (
        arguments,
        interruption,
        play_plan,
        progress,
        resume,
        show_study,
    )
    from experiments.studies import run_catalog

    arguments.jobs_of(jobs)
    run = runs.show(name)
    path = run.path
    agree = resume.ask_trust(trust)
    if (path / run_catalog.COMMAND).exists() or run.question is None:
        given = {"--backend": backend, "--scheduler": scheduler}
        flags = {"--fail-fast": fail_fast, "--json": json}
        app = ctx.find_root().command
        resume.resume_command(app, run, {"--jobs": str(jobs), **given}, flags, agree)
        return
    how = play_plan.ExecutionOptions(
        jobs, backend or "loky", scheduler, fail_fast, json
    )
    with interruption.explain_interruption(path):
        with progress.watch(path.name) as shown:
            done = runs.resume(path, trust=agree, progress=shown, **how.options())
        play_plan.require_played(done.results)
        show_study.save(done, path)
        written = play_plan.write_page(done, path, how) if page else None
    play_plan.show_result(done, how, written)
