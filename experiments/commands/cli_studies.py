"""The commands ``fairdeal runs list|show|diff|resume``: what lies in results/."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import example


def complete_run(incomplete: str) -> list[str]:
    """Names of runs in results/."""
    there = Path("results").glob("*/manifest.json")
    return [p.parent.name for p in there if p.parent.name.startswith(incomplete)]


Name = Annotated[
    str,
    typer.Argument(
        help="The run: its directory, or its name in results/.",
        autocompletion=complete_run,
        show_default=False,
    ),
]


def listing(
    folder: Annotated[
        Path, typer.Argument(help="Where to look.", show_default=True)
    ] = Path("results"),
    json: options.Json = False,
) -> None:
    """List runs, the newest first: finished, unfinished, running or damaged."""
    from experiments.commands import show, show_runs
    from experiments.studying import directories

    found = directories.listing(folder)
    if json:
        show.as_json({"runs": [show_runs.as_dict(run) for run in found]})
    else:
        show_runs.as_table(found, folder)


def show(name: Name, json: options.Json = False) -> None:
    """Show a run: how it stands, what it is about, what was found so far."""
    from experiments.commands import show as showing
    from experiments.commands import show_runs, show_study
    from experiments.studying import directories

    path = directories.named(name)
    run = directories.at(path)
    done = directories.done(path) if run.plan is not None else None
    told = done is not None and any(done.results.played)
    if json:
        found = show_study.as_dict(done) if done is not None and told else None
        showing.as_json({**show_runs.as_dict(run), "found": found})
        return
    show_runs.as_lines(run)
    if done is not None and told:
        showing.line()
        show_study.as_tables(done)


def diff(one: Name, other: Name, json: options.Json = False) -> None:
    """Say how two runs differ: versions, rules, lineups, and what was found."""
    from experiments.commands import show as showing
    from experiments.commands import show_runs
    from experiments.studying import differing_runs, directories

    found = differing_runs.diff(directories.named(one), directories.named(other))
    if json:
        rows = [
            dict(zip(("what", "one", "other"), r, strict=True)) for r in found.about
        ]
        told = {"same": found.same, "about": rows, "rules": found.rules}
        showing.as_json({**told, "results": found.results})
    else:
        show_runs.difference(found)


def resume(
    name: Name,
    jobs: options.Jobs = 1,
    backend: Annotated[
        str | None,
        typer.Option("--backend", help="loky or dask. (default: as it was started)"),
    ] = None,
    scheduler: options.Scheduler = None,
    fail_fast: options.FailFast = False,
    json: options.Json = False,
) -> None:
    """Go on with a run that was stopped; finished blocks are not played again."""
    from experiments.commands import asked as asking
    from experiments.commands import interrupted, playing, progress, show_study
    from experiments.studying import directories

    asking.jobs_of(jobs)
    path = directories.named(name)
    if (path / directories.COMMAND).exists() or directories.at(path).plan is None:
        given = {"--backend": backend, "--scheduler": scheduler}
        _repeat(path, {"--jobs": str(jobs), **given}, fail_fast, json)
        return
    how = playing.How(jobs, backend or "loky", scheduler, fail_fast, json)
    again = f"fairdeal runs resume {path}"
    with interrupted.resumable(path, 0, again):
        with progress.watch(path.name) as shown:
            done = directories.resume(path, progress=shown, **how.options())
        playing.refuse_nothing(done.results)
        show_study.save(done, path)
    playing.told(done, how)


def _repeat(
    path: Path, given: Mapping[str, str | None], fail_fast: bool, json: bool
) -> None:
    """Give the command again that started a run, where it was given."""
    from experiments.cli import app
    from experiments.studying import directories

    words, place = directories.remembered(path)
    if not place.is_dir():
        place = Path.cwd()
    for option, value in given.items():
        words += [option, value] if value is not None else []
    if fail_fast and "--fail-fast" not in words:
        words.append("--fail-fast")
    if json and "--json" not in words:
        words.append("--json")
    with chdir(place), _given(words):
        code = app(words, prog_name="fairdeal", standalone_mode=False)
    if code:
        raise typer.Exit(int(code))


@contextmanager
def _given(words: list[str]) -> Iterator[None]:
    """These words in place of those of this command, for messages."""
    before = sys.argv
    sys.argv = [before[0], *words]
    try:
        yield
    finally:
        sys.argv = before


def register(app: typer.Typer) -> None:
    """Add these commands."""
    runs = typer.Typer(
        help="List, show, compare and go on with runs in results/.",
        epilog="Example: fairdeal runs list",
        rich_markup_mode=None,
        no_args_is_help=True,
    )
    runs.command("list", epilog=example("fairdeal runs list"))(listing)
    runs.command(epilog=example("fairdeal runs show lives-20260101-120000"))(show)
    runs.command(epilog=example("fairdeal runs diff results/one results/other"))(diff)
    runs.command(epilog=example("fairdeal runs resume results/one -j -1"))(resume)
    app.add_typer(runs, name="runs")
