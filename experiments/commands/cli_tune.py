"""The command ``tune``: better parameters of a strategy, and what they are worth."""

from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import Backend, Scheduler, example
from experiments.execution.paths import near


def tune(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="STRATEGY",
            help="Where it begins: a name, with parameters if wanted, or a file as "
            "my.py:Bold.",
            show_default=False,
        ),
    ],
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            metavar="NAME",
            help="What is tuned, as in gems or gems=1..4 (default: every parameter "
            "with a range). Repeatable, or with commas.",
            callback=options.repeatable(),
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="A,B,C",
            help="Who has the other seats: one strategy or one for each (default: the "
            "leading heuristic); `panel`: a table of each strategy. Repeatable: the "
            "mean counts.",
        ),
    ] = None,
    players: options.Players = "",
    trials: Annotated[
        int,
        typer.Option("--trials", metavar="N", help="How many parameters are tried."),
    ] = 96,
    games: Annotated[
        int,
        typer.Option(
            "-n", "--games", metavar="N", help="Games of each trial at each table."
        ),
    ] = 8_192,
    fresh: Annotated[
        int,
        typer.Option(
            "--fresh",
            metavar="N",
            help="Games of the last comparison, which say what was gained.",
        ),
    ] = 65_536,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Tune a strategy against a field; fresh games say whether it is surely better."""
    options.have_workers(jobs, backend, game)
    from experiments import api
    from experiments.analysis.stages import Stages
    from experiments.commands import (
        arguments,
        interruption,
        progress,
        show,
        show_tune,
    )
    from experiments.execution import documents
    from experiments.execution.output import directory
    from experiments.rule_set import RuleSet

    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.one_number_of_players(request.game, players)
    arguments.jobs_of(jobs)
    with (
        directory(out, game, "tune") as folder,
        interruption.resumable(folder, request.seed),
    ):
        found = api.tune(
            RuleSet(game, request.rules),
            strategy,
            players=seats,
            parameter=parameter or (),
            against=against or (),
            trials=trials,
            games=games,
            fresh=fresh,
            seed=request.seed,
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            out=folder,
            progress=Stages(progress.watch),
        )
        show_tune.save(found, folder)
    if json:
        print(documents.to_json(found.as_dict()))
        return
    show_tune.as_tables(found, folder)
    show.line(f"seed     {request.seed}" + (" (drawn)" if request.drawn else ""))
    show.line(f"results  {near(folder)}")


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command(
        epilog=example(
            "fairdeal tune kunitame planner",
            "fairdeal tune kunitame allround --parameter gems --parameter margin=-3..3",
        )
    )(tune)
