"""The command ``run``: many games of one lineup, or a whole study."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import example

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
        metavar="N",
        help="Games of each lineup and table size; the most, with --precision. "
        "(default: 100,000, or what the study says)",
        show_default=False,
    ),
]
Rotate = Annotated[
    bool | None,
    typer.Option(
        "--rotate/--no-rotate",
        help="Move the lineup on by a seat from game to game. (default: yes, or what "
        "the study says)",
        show_default=False,
    ),
]
_ALONE = 65_536  # games that this process plays by itself, unless somebody searches


def run(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    what: What,
    players: options.Players = "",
    games: Games = None,
    precision: options.Precision = "",
    measure: options.Measures = None,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    strategy: options.Own = None,
    rotate: Rotate = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    out: options.Out = None,
    tables: options.Tables = "",
    dry_run: options.DryRun = False,
    fail_fast: options.FailFast = False,
    report: Annotated[
        bool,
        typer.Option(
            "--report",
            help="Write what a study found as a page, with differences to its base.",
        ),
    ] = False,
    json: options.Json = False,
) -> None:
    """Play many games of a lineup, or a study; print who wins and how sure that is."""
    if not dry_run and (games is None or games > _ALONE or "search" in lineup):
        options.have_workers(jobs, backend, what)
    from experiments.commands import arguments, play_plan
    from experiments.core.cells import UsageError
    from experiments.core.tables import raw_tables
    from experiments.given import seed_of
    from experiments.studies.overrides import planned
    from strategies import places

    arguments.jobs_of(jobs)
    how = play_plan.ExecutionOptions(jobs, backend, scheduler, fail_fast, json)
    if arguments.is_study(what):
        seed_of(seed)  # refused before the study is read
        plan = planned(
            places.named(what),
            players=players,
            games=games,
            wanted=precision,
            measures=measure or (),
            seed=seed,
            lineup=lineup,
            extra_strategies=strategy or (),
            rotate=rotate,
            settings=settings or (),
            variant=variant,
            tables=tables,
        )
        if dry_run:
            play_plan.estimated(plan, how)
        else:
            play_plan.study(plan, Path(what).stem, out, how, report=report)
        return
    if report:
        raise UsageError(
            f"--report: for a study file. The page of a game: fairdeal report {what}."
        )
    request = arguments.resolve(what, variant, settings, seed)
    seats = arguments.numbers_of_players(request.game, players)
    cells = arguments.cells(request, seats, lineup, strategy, rotate is not False)
    raw = raw_tables(request.game, tables)
    plan = play_plan.plan_of_lineup(
        request, cells, games, precision, measure or (), raw
    )
    if dry_run:
        play_plan.estimated(plan, how)
    else:
        play_plan.game(request, plan, measure or (), out, how)


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command(
        epilog=example(
            "fairdeal run kunitame --players 4 -n 20000 --seed 1 "
            "--lineup allround,greedy,random,random",
            "fairdeal run kunitame --set life=4 --tables trick,gem",
            "fairdeal run kunitame --lineup allround --precision 0.5pp",
            "fairdeal run lives.toml",
            "fairdeal run lives.toml --dry-run",
        )
    )(run)
