"""Commands that play and tell: ``trace`` and ``report``."""

import sys
from functools import partial
from typing import Annotated, Any, Literal

import typer

from experiments.commands import options
from experiments.commands.options import example


def trace(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    games: Annotated[
        int,
        typer.Option("-n", "--games", metavar="N", help="How many, from --number on."),
    ] = 1,
    number: Annotated[
        int,
        typer.Option("--number", metavar="N", help="Which game of a run, from 0."),
    ] = 0,
    seed: options.Seed = None,
    players: options.Players = "",
    lineup: options.Lineup = "",
    strategy: options.Own = None,
    rotate: options.Rotate = True,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    form: Annotated[
        Literal["text", "jsonl"],
        typer.Option("--format", help="text for a person, jsonl for a program."),
    ] = "text",
) -> None:
    """Tell games event by event, for a person or (jsonl) for a program."""
    from experiments.commands import arguments, show
    from experiments.core import traces
    from experiments.core.cells import UsageError
    from reports.texts import plain

    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.numbers_of_players(request.game, players)
    if len(seats) > 1:
        raise UsageError("players: trace tells one number of players at a time.")
    numbers = traces.numbers(number, games)
    [cell] = arguments.cells(request, seats, lineup, strategy, rotate)
    if form == "jsonl":
        for line in traces.lines(cell, numbers):
            print(line)
    else:
        out = show.console()
        for text in traces.texts(cell, numbers):
            text.plain = plain(text.plain)  # as long, so colours stay in place
            out.print(text, soft_wrap=True)
    sys.stdout.flush()


def report(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    players: options.Players = "",
    games: Annotated[
        int | None,
        typer.Option(
            "-n",
            "--games",
            metavar="N",
            help="Games of each lineup and table size (default: 16384; fewer where "
            "the games of a report are long).",
            show_default=False,
        ),
    ] = None,
    search_games: Annotated[
        int | None,
        typer.Option(
            "--search-games",
            metavar="N",
            min=0,
            help="Games of each table at which somebody searches, which are slow "
            "(default: the game says); 0: nobody does.",
            show_default=False,
        ),
    ] = None,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    strategy: options.Own = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    replicate: Annotated[
        bool,
        typer.Option(
            "--replicate",
            help="Play it again on fresh games, and say which claims held.",
        ),
    ] = False,
    jobs: options.Jobs = -1,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Play a panel of lineups, and write a balance report to read in a browser."""
    from dataclasses import asdict

    from experiments import api
    from experiments.commands import arguments, interruption, progress, show
    from experiments.commands.show_rules import differences, remarks
    from experiments.rule_set import RuleSet
    from experiments.studies import directories
    from experiments.studies.plan_files import FirstCallProgress

    request = arguments.resolve(game, variant, settings, seed)
    seats = arguments.tables_of(request, players, lineup, strategy)
    arguments.jobs_of(jobs)
    from experiments.execution.files import directory

    folder = directory(out, request.game.id, "report")
    argv = interruption.argv(folder, request.seed)
    remember = partial(directories.remember, folder, argv)
    with (
        interruption.resumable(folder, request.seed),
        progress.watch("report") as shown,
    ):
        done = api.report(
            RuleSet(request.game.id, request.rules),
            out=folder,
            games=games,
            search_games=search_games,
            players=seats,
            lineup=lineup or None,
            strategies=strategy or (),
            replicate=replicate,
            seed=request.seed,
            jobs=jobs,
            progress=FirstCallProgress(shown, remember),
        )
    from reports.page import LABELS

    again = done.replication
    if json:
        values: dict[str, Any] = {"page": str(done.page), "findings": done.findings}
        if again is not None:
            values["replication"] = asdict(again)
        show.as_json({**values, "seed": request.seed})
        return
    for finding in done.found:
        show.line(f"- {finding.labelled}")
    show.line()
    show.line("; ".join(f"{label}: {words}" for label, words in LABELS.items()))
    for line in () if again is None else again.sentences():
        show.line(line)
    notes = remarks(request.game, request.rules)
    for line in (*differences(request.rules), *request.notes, *notes):
        show.line(line)
    show.line(f"seed     {request.seed}" + (" (drawn)" if request.drawn else ""))
    show.line(f"report   {done.page}", "bold")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        epilog=example(
            "fairdeal trace kunitame --number 7 --seed 1 --lineup allround",
            "fairdeal trace kunitame --games 100 --format jsonl",
        )
    )(trace)
    app.command(
        epilog=example("fairdeal report kunitame", "fairdeal report kunitame -n 5000")
    )(report)
