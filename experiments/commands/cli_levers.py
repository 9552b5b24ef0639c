"""The commands ``levers`` and ``find``, which try other rules."""

from typing import Annotated

import typer

from experiments.commands import help_panels, options
from experiments.execution.user_paths import short_path

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.ASK,
    "fairdeal levers kunitame -n 1000",
    "fairdeal levers kunitame --only squares --line dead",
)
def levers(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    strategy: options.BaseStrategy = "",
    players: options.Players = "",
    line: Annotated[
        str,
        typer.Option(
            "--line",
            metavar="LINE",
            help="Line of the scorecard to rank by.",
            show_default="the one that is broken most, or positions",
        ),
    ] = "",
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="KEY",
            help="Try only rules with this key, e.g. life or squares.blue. Repeatable, "
            "or with commas.",
            callback=options.repeatable(),
        ),
    ] = None,
    fine: Annotated[
        bool,
        typer.Option(
            "--fine", help="Try choices, lists and ranges in table rows, too."
        ),
    ] = False,
    games: Annotated[
        int | None,
        options.changed(
            options.GAMES,
            show_default="half as many as a report plays, 1,024 of learned players "
            "(512 if slow)",
        ),
    ] = None,
    adapt: options.Adapt = 10.0,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    every: options.All = False,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Show what one step of each rule does to the balance.

    Every change of a rule plays the same deals; the lines of the scorecard show its
    effect. --games are played by each rule set. Those who play are the same by all
    rules. The changes shown first, and those with an effect of about a tolerance, are
    then played by players who learned them (up to seven rule sets, --adapt each): a
    change may do something else once players adapt.
    """
    options.start_workers_early(jobs, backend, game)
    from experiments import api
    from experiments.analysis import lever_report
    from experiments.commands import arguments, interruption, output, show_levers
    from experiments.execution import text_files

    request = arguments.resolve(game, variant, settings, seed)
    how = arguments.execution(jobs, backend, scheduler)
    seats = arguments.one_number_of_players(request.game, players)
    with interruption.kept_run(out, game, "levers", request.seed) as folder:
        with interruption.watch_kept_run("levers", folder, request.seed) as shown:
            result = api.levers(
                request.rule_set,
                strategy or None,
                players=seats,
                line=line,
                only=only or (),
                fine=fine,
                games=games,
                adapt=adapt,
                seed=request.seed,
                **how,
                out=folder,
                progress=shown,
            )
        document = show_levers.as_dict(result)
        text_files.write_json(folder / "levers.json", document)
        page = lever_report.write(result, folder, jobs=jobs)
    if json:
        output.as_json(document)
        return
    show_levers.as_tables(result, line, every=every)
    output.print_line(request.seed_line)
    output.print_line(f"page     {short_path(page)}")


@help_panels.command(
    app,
    help_panels.ASK,
    "fairdeal find --game drake --strategy allround",
    "fairdeal find 'positions <= 3pp' --game kunitame --vary life=1..8 -n 4000",
    "fairdeal find 'positions <= 2pp, length <= 20' --game kunitame",
)
def find(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.OfGame,
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TARGET...",
            help="Lines of the scorecard and their limits, e.g. 'positions <= 2pp' or "
            "'length <= 30'.",
            show_default="the tolerance of the line that is broken most",
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="KEY=VALUES",
            help="A rule and the values to try, e.g. life=1..8 or "
            "squares.black.gem=1,3; a rule alone is changed by one step. Repeatable, "
            "or with commas, rules alone first.",
            show_default="one step of every rule",
            callback=options.repeatable(valued=True),
        ),
    ] = None,
    strategy: options.BaseStrategy = "",
    players: options.Players = "",
    games: Annotated[
        int | None,
        options.changed(
            options.GAMES,
            show_default="16,384, 4,096 of learned players (1,024 if slow)",
        ),
    ] = None,
    adapt: options.Adapt = 60.0,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Find the smallest rule changes that meet your targets.

    --games are fresh deals that test the last candidates against the targets. What is
    found is tested again by players who learned these rules (--adapt for each): it is
    proposed unless they show that it misses.
    """
    from experiments import api
    from experiments.commands import (
        arguments,
        interruption,
        output,
        progress,
        show_find,
    )
    from experiments.execution import text_files

    request = arguments.resolve(game, variant, settings, seed)
    how = arguments.execution(jobs, backend, scheduler)
    with (
        interruption.kept_run(out, game, "find", request.seed) as folder,
        progress.watch("find") as shown,
    ):
        result = api.find(
            request.rule_set,
            targets or (),
            strategy=strategy or None,
            vary=vary or (),
            players=arguments.one_number_of_players(request.game, players),
            games=games,
            adapt=adapt,
            seed=request.seed,
            **how,
            out=folder,
            progress=shown,
        )
        document = show_find.as_dict(result)
        text_files.write_json(folder / "find.json", document)
    if json:
        output.as_json(document)
        return
    show_find.as_text(result)
    output.print_line(request.seed_line)
    output.print_line(f"kept in  {short_path(folder)}")
