"""The command ``run``."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import help_panels, options

app = typer.Typer()

_ALONE = 65_536  # games that this process plays alone, unless a player searches


@help_panels.command(
    app,
    help_panels.PLAY,
    "fairdeal run kunitame --players 4 -n 20000 --seed 1 "
    "--lineup allround,greedy,random,random",
    "fairdeal run kunitame --set life=4 --tables trick,gem",
    "fairdeal run kunitame --lineup allround --precision 0.5pp",
    "fairdeal run kunitame --lineup allround --given 'last: hand has 2 P'",
    "fairdeal run lives.toml",
    "fairdeal run lives.toml --dry-run",
)
def run(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    what: options.GameOrStudy,
    players: options.Players = "",
    games: Annotated[
        int | None,
        options.changed(options.GAMES, show_default="100,000, or as the study says"),
    ] = None,
    precision: options.Precision = "",
    measure: Annotated[
        list[str] | None,
        options.changed(options.MEASURE, callback=options.repeatable(spaced=True)),
    ] = None,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    add_strategy: options.AddStrategy = None,
    rotate: Annotated[
        bool | None,
        options.changed(options.ROTATE, show_default="yes, or as the study says"),
    ] = None,
    given: options.Given = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    out: options.Out = None,
    tables: Annotated[
        str,
        typer.Option(
            "--tables",
            metavar="A,B",
            help="Raw tables to save as Parquet, e.g. trick,gem; `all` for every one.",
        ),
    ] = "",
    control_variates: Annotated[
        bool,
        typer.Option(
            "--control-variates",
            help="Also show win shares by position without the luck of the role "
            "dealt, as if more games had been played. For games that deal roles.",
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Estimate games, time and disk from a few games; run nothing.",
        ),
    ] = False,
    fail_fast: options.FailFast = False,
    page: options.Page = False,
    json: options.Json = False,
) -> None:
    """Play one lineup, or a study, and show who wins.

    Without --lineup, every seat plays at random. --games are played by each lineup and
    number of players; with --precision, play stops once the first --measure is that
    precise, and --games is the maximum. --page is for studies: it shows how the
    variants differ from the base.
    """
    if not dry_run and (games is None or games > _ALONE or "search" in lineup):
        options.start_workers_early(jobs, backend, what)
    from experiments.coercion import coerce_seed
    from experiments.commands import arguments, play_plan
    from experiments.core.cells import UsageError
    from experiments.core.control_variates import with_table
    from experiments.core.event_tables import raw_table_names
    from experiments.studies.overrides import plan_of_file
    from sim import places

    arguments.jobs_of(jobs)
    if control_variates and (precision or arguments.is_study(what)):
        raise UsageError(
            "--control-variates: for a game, played for a number of games; neither for "
            "a study nor with --precision."
        )
    how = play_plan.ExecutionOptions(jobs, backend, scheduler, fail_fast, json)
    if arguments.is_study(what):
        coerce_seed(seed)  # refuse it before the study is read
        plan = plan_of_file(
            places.named(what),
            players=players,
            games=games,
            wanted=precision,
            measures=measure or (),
            seed=seed,
            lineup=lineup,
            extra_strategies=add_strategy or (),
            rotate=rotate,
            given=given or (),
            settings=settings or (),
            variant=variant,
            tables=tables,
        )
        if dry_run:
            play_plan.show_estimate(plan, how)
        else:
            play_plan.study(plan, Path(what).stem, out, how, page=page)
        return
    if page:
        raise UsageError(
            f"--page: for a study file. To report on a game: fairdeal report {what}."
        )
    request = arguments.resolve(what, variant, settings, seed)
    seats = arguments.numbers_of_players(request.game, players)
    cells = arguments.cells(
        request, seats, lineup, add_strategy, rotate is not False, given or ()
    )
    raw = raw_table_names(request.game, tables)
    if control_variates:
        raw = with_table(request.game.id, raw)
    plan = play_plan.plan_of_lineup(
        request, cells, games, precision, measure or (), raw
    )
    if dry_run:
        play_plan.show_estimate(plan, how)
    else:
        play_plan.game(request, plan, measure or (), out, how, control_variates)
