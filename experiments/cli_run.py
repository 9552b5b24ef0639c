"""The command ``run``: many games of one lineup, or a whole study."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from experiments import options
from experiments.options import example

if TYPE_CHECKING:
    from experiments.asked import Asked
    from experiments.cells import Cell
    from experiments.plans import Plan
    from experiments.results import Results

What = Annotated[
    str,
    typer.Argument(
        help="Id of a game, as `fairdeal games` lists it, or a study file.",
        metavar="GAME|STUDY.toml",
        autocompletion=options.complete_game,
        show_default=False,
    ),
]
Games = Annotated[
    int | None,
    typer.Option(
        "-n",
        "--games",
        help="Games of each lineup and table size; the most, with --precision. "
        "(default: 100,000, or what the study says)",
        show_default=False,
    ),
]
Precision = Annotated[
    str,
    typer.Option(
        "--precision",
        help="Stop when the first --measure is known to this, as 0.2pp (percentage "
        "points) or, for what is no share, a number.",
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        help="A measure to print, as in 'won by seat' or any of the game's report. "
        "Repeatable.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Play a few games only, and tell what the run would take."
    ),
]
FailFast = Annotated[
    bool,
    typer.Option("--fail-fast", help="Stop everything when one lineup or cell fails."),
]
Backend = Annotated[
    str, typer.Option("--backend", help="loky: this machine. dask: a cluster.")
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", help="The cluster's, as tcp://host:8786."),
]


def run(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    what: What,
    players: options.Players = "",
    games: Games = None,
    precision: Precision = "",
    measure: Measures = None,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    strategy: options.Own = None,
    rotate: options.Rotate = False,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = 1,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    out: options.Out = None,
    tables: options.Tables = "",
    dry_run: DryRun = False,
    fail_fast: FailFast = False,
    json: options.Json = False,
) -> None:
    """Play many games of a lineup, or a study; print who wins and how sure that is."""
    from experiments import asked as asking

    asking.jobs_of(jobs)
    how = {"jobs": jobs, "backend": backend, "scheduler": scheduler}
    shown = {"dry_run": dry_run, "fail_fast": fail_fast, "json": json}
    if not asking.is_study(what):
        from experiments.study import precision as width

        asked = asking.ask(what, variant, settings, seed)
        seats = asking.numbers_of_players(asked.game, players)
        cells = asking.cells(asked, seats, lineup, strategy, rotate)
        plan = _plan(
            asked,
            cells,
            games,
            width(precision) if precision else None,
            measure,
            asking.raw_tables(asked.game, tables),
        )
        _game(asked, plan, out, rotate, bool(measure), how, **shown)
        return
    from experiments import plans, study
    from experiments.overrides import overridden

    if seed is not None:
        asking.check_seed(seed)
    loaded, notes = overridden(
        study.load(Path(what)),
        players=players,
        games=games,
        wanted=precision,
        measures=measure or (),
        seed=seed,
        lineup=lineup,
        own=strategy or (),
        settings=settings or (),
        variant=variant,
        tables=tables,
    )
    _study(plans.plan(loaded), Path(what), notes, out, how, **shown)


def _plan(
    asked: "Asked",
    cells: list[Any],
    games: int | None,
    precision: Any,
    measures: list[str] | None,
    tables: tuple[str, ...],
) -> "Plan":
    """The plan of one lineup."""
    from experiments import plans
    from experiments.differences import sentences
    from experiments.study import MOST

    most = MOST if precision else 100_000
    return plans.of_cells(
        cells,
        most if games is None else games,
        precision=precision,
        measures=tuple(measures or ()),
        detailed=_of_report(cells[0], measures or []),
        tables=tables,
        where=" ".join(["fairdeal", *sys.argv[1:]]),
        variant=asked.variant,
        variants={
            asked.variant or "base": {
                "differences": sentences(asked.game.rules(), asked.rules),
                "provenance": dict(asked.provenance),
            }
        },
    )


def _of_report(cell: "Cell", names: list[str]) -> bool:
    """Whether these measures need the game's report; raises ``UsageError``."""
    from experiments.cells import UsageError
    from experiments.plans import measures_of
    from sim.knobs import nearest, one_of

    found = measures_of(cell, detailed=True) if names else {}
    for name in names:
        if name not in found:
            raise UsageError(
                f"--measure: no measure {name!r}{nearest(name, found)} "
                f"Measures: {one_of(found)}."
            )
    return any(found[name].report for name in names)


def _game(
    asked: "Asked",
    plan: "Plan",
    out: Path | None,
    rotate: bool,
    measured: bool,
    how: dict[str, Any],
    dry_run: bool,
    fail_fast: bool,
    json: bool,
) -> None:
    """Play one lineup, with each number of players."""
    from functools import partial

    from experiments import asked as asking
    from experiments import (
        directories,
        interrupted,
        progress,
        show,
        show_run,
        show_study,
        studies,
    )
    from experiments.recorded import Once

    if dry_run:
        _estimate(plan, how["jobs"], json)
        return
    folder = asking.directory(out, asked.game.id, "run")
    words = interrupted.words(folder, asked.seed)
    remember = partial(directories.remember, folder, words)
    alone = len(plan.cells) == 1
    with interrupted.resumable(folder, asked.seed), progress.watch("run") as shown:
        done = studies.run(
            plan, out=folder, progress=Once(shown, remember),
            fail_fast=fail_fast or alone, **how,
        )  # fmt: skip
    results = done.results
    _refuse_nothing(results)
    summary = show_run.as_dict(asked, results, rotate)
    if measured:
        summary["measures"] = show_study.as_dict(done)["measures"]
    asking.write(folder / "summary.json", show.to_json(summary))
    if json:
        print(show.to_json(summary))
    else:
        show_run.as_tables(asked, results, rotate)
        for name in plan.measures if measured else ():
            show.line()
            show_study.found(done, name)
    end(results)


def _study(
    plan: "Plan",
    path: Path,
    notes: list[str],
    out: Path | None,
    how: dict[str, Any],
    dry_run: bool,
    fail_fast: bool,
    json: bool,
) -> None:
    """Play a study."""
    from dataclasses import replace

    from experiments import asked as asking
    from experiments import interrupted, progress, show, show_study, studies

    plan = replace(plan, notes=(*notes, *plan.notes))
    if dry_run:
        _estimate(plan, how["jobs"], json)
        return
    folder = asking.directory(out, plan.game, path.stem)
    again = f"fairdeal runs resume {folder}"
    with interrupted.resumable(folder, plan.seed, again):
        with progress.watch(path.stem) as shown:
            done = studies.run(
                plan, out=folder, progress=shown, fail_fast=fail_fast, **how
            )
        _refuse_nothing(done.results)
        show_study.save(done, folder)
    if json:
        show.as_json(show_study.as_dict(done))
    else:
        show_study.as_tables(done)
    end(done.results)


def _estimate(plan: "Plan", jobs: int, json: bool) -> None:
    """Tell what a run would take; nothing is written."""
    from dataclasses import asdict

    from experiments import show, show_study
    from experiments.calibration import estimate

    found = estimate(plan, jobs)
    if json:
        show.as_json(asdict(found))
    else:
        show_study.estimated(plan, found)


def _refuse_nothing(results: "Results") -> None:
    """Fail where no cell could be played."""
    from experiments import interrupted
    from experiments.failed import RunFailed

    if not any(results.played):
        failures = list(results.failures.values())
        raise RunFailed(interrupted.failed(failures, len(results.cells)))


def end(results: "Results") -> None:
    """Say which cells failed, and leave with 1 if any did."""
    from experiments import interrupted

    if results.failures:
        told = list(results.failures.values())
        words = interrupted.failed(told, len(results.cells))
        print(f"error: {words}", file=sys.stderr)
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command(
        epilog=example(
            "fairdeal run kunitame --players 4 -n 20000 --seed 1 --rotate "
            "--lineup balanced,greedy,random,random",
            "fairdeal run kunitame --set life=4 --tables trick,gem",
            "fairdeal run kunitame --lineup balanced --precision 0.5pp",
            "fairdeal run lives.toml -j -1",
            "fairdeal run lives.toml --dry-run",
        )
    )(run)
