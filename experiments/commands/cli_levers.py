"""Commands that try other rules: ``levers`` and ``find``."""

from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import Backend, Scheduler, example
from experiments.execution.paths import near

Strategy = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="Who plays in all seats (default: the strategy that leads reports).",
        autocompletion=options.complete_strategy,
    ),
]


def levers(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategy: Strategy = "",
    players: options.Players = "",
    line: Annotated[
        str,
        typer.Option(
            "--line",
            metavar="LINE",
            help="The line of the scorecard to rank by (default: positions).",
        ),
    ] = "",
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="KEY",
            help="Only rules of this key, as life or squares.blue. Repeatable, or with "
            "commas.",
            callback=options.repeatable(),
        ),
    ] = None,
    fine: Annotated[
        bool,
        typer.Option(
            "--fine", help="Also choices, lists and ranges in rows of tables."
        ),
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "-n",
            "--games",
            metavar="N",
            help="Games by each rule set (default: half as many as a report plays).",
            show_default=False,
        ),
    ] = None,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    every: Annotated[bool, typer.Option("--all", help="Show every change.")] = False,
    jobs: options.Jobs = -1,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Say what one step of every rule does to the scorecard, on the same deals."""
    options.have_workers(jobs, backend, game)
    from experiments import api
    from experiments.analysis import lever_report
    from experiments.commands import (
        arguments,
        compare_arguments,
        interruption,
        progress,
        show,
        show_levers,
    )
    from experiments.execution import documents
    from experiments.execution.output import directory
    from experiments.rule_set import RuleSet

    request = arguments.resolve(game, variant, settings, seed)
    arguments.jobs_of(jobs)
    seats = arguments.one_number_of_players(request.game, players)
    with (
        directory(out, game, "levers") as folder,
        interruption.resumable(folder, request.seed),
    ):
        with progress.watch("levers") as shown:
            found = api.levers(
                RuleSet(game, request.rules),
                strategy or None,
                players=seats,
                only=only or (),
                fine=fine,
                games=games,
                seed=request.seed,
                jobs=jobs,
                out=folder,
                progress=compare_arguments.remembering(folder, request.seed, shown),
                backend=backend,
                scheduler=scheduler,
            )
        found.line(line)
        document = show_levers.as_dict(found)
        documents.write(folder / "levers.json", documents.to_json(document))
        page = lever_report.write(found, folder, jobs=jobs)
    if json:
        print(documents.to_json(document))
        return
    show_levers.as_tables(found, line, every=every)
    show.line(f"seed     {request.seed}" + (" (drawn)" if request.drawn else ""))
    show.line(f"page     {near(page)}")


def find(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="TARGET...",
            help="Lines of the scorecard with their bounds, as 'positions <= 2pp' or "
            "'length <= 30'.",
            show_default=False,
        ),
    ],
    game: Annotated[
        str,
        typer.Option(
            "--game",
            metavar="GAME",
            help="The game.",
            autocompletion=options.complete_game,
            show_default=False,
        ),
    ],
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="KEY=VALUES",
            help="A rule and its values, as life=1..8 or squares.black.gem=1,3, or a "
            "rule alone: one step of it (default: of every rule). Repeatable, or with "
            "commas, rules alone first.",
            callback=options.repeatable(valued=True),
        ),
    ] = None,
    strategy: Strategy = "",
    players: options.Players = "",
    games: Annotated[
        int,
        typer.Option(
            "-n",
            "--games",
            metavar="N",
            help="Fresh deals on which the last changes are held to the targets.",
        ),
    ] = 16_384,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    out: options.Kept = None,
    json: options.Json = False,
) -> None:
    """Find the fewest and smallest rule changes that surely meet targets."""
    from experiments import api
    from experiments.commands import (
        arguments,
        progress,
        show,
        show_find,
    )
    from experiments.execution import documents
    from experiments.rule_set import RuleSet

    request = arguments.resolve(game, variant, settings, seed)
    arguments.jobs_of(jobs)
    with progress.watch("find") as shown:
        found = api.find(
            RuleSet(game, request.rules),
            targets,
            strategy=strategy or None,
            vary=vary or (),
            players=arguments.one_number_of_players(request.game, players),
            games=games,
            seed=request.seed,
            jobs=jobs,
            out=out,
            progress=shown,
            backend=backend,
            scheduler=scheduler,
        )
    if json:
        print(documents.to_json(show_find.as_dict(found)))
        return
    show_find.as_text(found)
    show.line(f"seed     {request.seed}" + (" (drawn)" if request.drawn else ""))


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        epilog=example(
            "fairdeal levers kunitame -n 1000",
            "fairdeal levers kunitame --only squares --line dead",
        )
    )(levers)
    app.command(
        epilog=example(
            "fairdeal find 'positions <= 3pp' --game kunitame --vary life=1..8 -n 4000",
            "fairdeal find 'positions <= 2pp, length <= 20' --game kunitame",
        )
    )(find)
