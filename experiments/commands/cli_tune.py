"""The command ``tune``."""

from typing import Annotated

import typer

from experiments.commands import help_panels, options
from experiments.execution.user_paths import short_path

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.BUILD,
    "fairdeal tune kunitame planner",
    "fairdeal tune kunitame allround --parameter gems --parameter margin=-3..3",
)
def tune(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="STRATEGY",
            help="The strategy to start from: a name, with parameters if you like, or "
            "a file, e.g. my.py:Bold.",
            show_default=False,
        ),
    ],
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            metavar="NAME",
            help="Parameter to tune, e.g. gems or gems=1..4. Repeatable, or with "
            "commas.",
            show_default="every parameter with a range",
            callback=options.repeatable(),
        ),
    ] = None,
    against: Annotated[list[str] | None, options.AGAINST] = None,
    players: options.Players = "",
    trials: Annotated[
        int, typer.Option("--trials", metavar="N", help="Number of settings to try.")
    ] = 96,
    games: options.Games = 8_192,
    fresh: Annotated[
        int,
        typer.Option(
            "--fresh", metavar="N", help="Fresh games that measure the gain at the end."
        ),
    ] = 65_536,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Tune a strategy's parameters and test the gain.

    --games are played by each trial at each table. --against takes one strategy, one
    for each of the other seats, or `panel` (a table of each strategy); it may be
    repeated, with commas between seats, and the mean over these tables counts.
    """
    options.start_workers_early(jobs, backend, game)
    from experiments import api
    from experiments.analysis.multi_run import StagedProgress
    from experiments.commands import (
        arguments,
        interruption,
        output,
        progress,
        show_tune,
    )

    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.one_number_of_players(request.game, players)
    how = arguments.execution(jobs, backend, scheduler)
    with interruption.kept_run(out, game, "tune", request.seed) as folder:
        result = api.tune(
            request.rule_set,
            strategy,
            players=seats,
            parameter=parameter or (),
            against=against or (),
            trials=trials,
            games=games,
            fresh=fresh,
            seed=request.seed,
            **how,
            out=folder,
            progress=StagedProgress(progress.watch),
        )
        show_tune.save(result, folder)
    if json:
        output.as_json(result.as_dict())
        return
    show_tune.as_tables(result, folder)
    output.print_line(request.seed_line)
    output.print_line(f"results  {short_path(folder)}")
