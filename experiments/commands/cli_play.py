"""Commands that play and tell: ``trace`` and ``report``."""

import sys
from functools import partial
from typing import Annotated, Literal

import typer

from experiments.commands import options
from experiments.commands.options import example


def trace(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    games: Annotated[
        int, typer.Option("-n", "--games", help="Tell games 0 to this, less one.")
    ] = 1,
    number: Annotated[
        int | None,
        typer.Option("--game", help="Tell this one game of a run, of whatever size."),
    ] = None,
    seed: options.Seed = None,
    players: options.Players = "",
    lineup: options.Lineup = "",
    strategy: options.Own = None,
    rotate: options.Rotate = False,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    form: Annotated[
        Literal["text", "jsonl"],
        typer.Option("--format", help="text for a person, jsonl for a program."),
    ] = "text",
) -> None:
    """Tell games event by event, for a person or (jsonl) for a program."""
    from experiments import trace as tracing
    from experiments.cells import UsageError
    from experiments.commands import asked as asking
    from experiments.commands import show

    asked = asking.ask(game, variant, settings, seed)
    seats = asking.numbers_of_players(asked.game, players)
    if len(seats) > 1:
        raise UsageError("players: trace tells one number of players at a time.")
    if games < 1 or (number is not None and not 0 <= number < 1 << 63):
        raise UsageError("--games: at least 1; --game: 0 or more.")
    [cell] = asking.cells(asked, seats, lineup, strategy, rotate)
    numbers = range(games) if number is None else [number]
    if form == "jsonl":
        for line in tracing.lines(cell, numbers):
            print(line)
    else:
        out = show.console()
        for text in tracing.told(cell, numbers):
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
            help="Games of each lineup and table size (default: 16384; fewer where "
            "the games of a report are long).",
            show_default=False,
        ),
    ] = None,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    strategy: options.Own = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    out: options.Out = None,
    json: options.Json = False,
) -> None:
    """Play a panel of lineups, and write a balance report to read in a browser."""
    from experiments import reporting
    from experiments.commands import asked as asking
    from experiments.commands import interrupted, progress, show
    from experiments.commands.show_rules import differences, remarks
    from experiments.studying import directories
    from experiments.studying.recorded import Once

    asked = asking.ask(game, variant, settings, seed)
    seats = asking.tables_of(asked, players, lineup, strategy)
    asking.jobs_of(jobs)
    folder = asking.directory(out, asked.game.id, "report")
    words = interrupted.words(folder, asked.seed)
    remember = partial(directories.remember, folder, words)
    with (
        interrupted.resumable(folder, asked.seed),
        progress.watch("report") as shown,
    ):
        done = reporting.report(
            asked.game.id,
            games=games,
            players=seats,
            seed=asked.seed,
            rules=asked.rules,
            lineup=lineup or None,
            strategies=strategy or (),
            jobs=jobs,
            out=folder,
            progress=Once(shown, remember),
        )
    if json:
        page, found = str(done.page), list(done.findings)
        show.as_json({"page": page, "findings": found, "seed": asked.seed})
        return
    for finding in done.findings:
        show.line(f"- {finding}")
    show.line()
    notes = remarks(asked.game, asked.rules)
    for line in (*differences(asked.rules), *asked.notes, *notes):
        show.line(line)
    show.line(f"seed     {asked.seed}" + (" (drawn)" if asked.drawn else ""))
    show.line(f"report   {done.page}", "bold")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        epilog=example(
            "fairdeal trace kunitame --game 7 --seed 1 --lineup balanced",
            "fairdeal trace kunitame --games 100 --format jsonl",
        )
    )(trace)
    app.command(
        epilog=example("fairdeal report kunitame", "fairdeal report kunitame -n 5000")
    )(report)
