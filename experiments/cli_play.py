"""Commands that play: ``run``, ``trace`` and ``report``."""

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Literal, NoReturn

import typer

from experiments import options
from experiments.options import example


def run(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    players: options.Players = "",
    games: options.Games = 100_000,
    seed: options.Seed = None,
    lineup: options.Lineup = "",
    strategy: options.Own = None,
    rotate: options.Rotate = False,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = 1,
    out: options.Out = None,
    tables: options.Tables = "",
    json: options.Json = False,
) -> None:
    """Play many games of one lineup, and print who wins and how games end."""
    from experiments import asked as asking
    from experiments import progress, show, show_run
    from experiments import run as running

    asked = asking.ask(game, variant, settings, seed)
    seats = asking.numbers_of_players(asked.game, players)
    cells = asking.cells(asked, seats, lineup, strategy, rotate)
    keep = asking.raw_tables(asked.game, tables)
    asking.jobs_of(jobs)
    folder = asking.directory(out, asked.game.id, "run")
    with _resumable(folder, asked.seed), progress.watch("run") as shown:
        results = running.run(
            cells, games, jobs=jobs, tables=keep, out=folder, progress=shown
        )
    summary = show_run.as_dict(asked, results, rotate)
    asking.write(folder / "summary.json", show.to_json(summary))
    if json:
        print(show.to_json(summary))
    else:
        show_run.as_tables(asked, results, rotate)


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
    from experiments import asked as asking
    from experiments import show
    from experiments import trace as tracing
    from experiments.cells import UsageError

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
            help="Games of each lineup and table size. Default: 16384, or fewer where "
            "the game takes longer.",
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
    from experiments import asked as asking
    from experiments import panel, progress, show
    from experiments.show_rules import differences, remarks

    asked = asking.ask(game, variant, settings, seed)
    seats = asking.tables_of(asked, players, lineup, strategy)
    asking.jobs_of(jobs)
    folder = asking.directory(out, asked.game.id, "report")
    with _resumable(folder, asked.seed), progress.watch("report") as shown:
        done = panel.report(
            asked.game.id,
            games=games,
            players=seats,
            seed=asked.seed,
            rules=asked.rules,
            lineup=lineup or None,
            strategies=strategy or (),
            jobs=jobs,
            out=folder,
            progress=shown,
        )
    if json:
        page, found = str(done.page), list(done.findings)
        show.as_json({"page": page, "findings": found, "seed": asked.seed})
        return
    for finding in done.findings:
        show.line(f"- {finding}")
    show.line()
    for words in (*differences(asked.rules), *asked.notes):
        show.line(words)
    for words in remarks(asked.game, asked.rules):
        show.line(words)
    show.line(f"seed     {asked.seed}" + (" (drawn)" if asked.drawn else ""))
    show.line(f"report   {done.page}", "bold")


@contextmanager
def _resumable(folder: Path, seed: int) -> Iterator[None]:
    """Add to what stops a run what is kept, and how to go on with it."""
    import signal

    before = signal.signal(signal.SIGTERM, _terminated)
    existed = folder.exists()
    try:
        yield
    except KeyboardInterrupt as error:
        if _kept(folder, error):
            error.add_note(f"To go on: {_again(folder, seed)}")
        raise
    except Exception as error:
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if kinds & {"IllegalAnswer", "StrategyFailed"}:
            _tell_failure(folder, seed, error)
        elif kinds & {"RunFailed", "TerminatedWorkerError"} and _kept(folder, error):
            error.add_note(f"To go on: {_again(folder, seed)}")
        elif not existed:
            _remove_empty(folder)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _tell_failure(folder: Path, seed: int, error: Exception) -> None:
    """Add what to do where a strategy made the run fail."""
    kept = _kept(folder, error)
    game = re.search(r" in game (\d+)", str(error))
    if game:
        error.add_note(
            f"To see that game up to there: fairdeal trace with --game {game[1]} "
            f"--seed {seed}, and the same players, lineup and rules."
        )
    if kept:
        error.add_note(
            "With the strategy mended, start a new run: those blocks were played by "
            "the old one."
        )


def _kept(folder: Path, error: BaseException) -> bool:
    """Say how many blocks are finished; whether there are any."""
    done = len(list(folder.glob("**/blocks/*.parquet")))
    word = "block is" if done == 1 else "blocks are"
    if done:
        error.add_note(f"{done} finished {word} kept in {folder}.")
    else:
        error.add_note("No block was finished yet.")
    return bool(done)


def _remove_empty(folder: Path) -> None:
    """Leave no directory behind where nothing was simulated."""
    for place in (folder / "blocks", folder):
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def _again(folder: Path, seed: int) -> str:
    """The same command, with the directory and the seed said."""
    words = ["fairdeal", *sys.argv[1:]]
    for option, value in (("--out", str(folder)), ("--seed", str(seed))):
        if not any(w == option or w.startswith(f"{option}=") for w in words):
            words += [option, value]
    return shlex.join(words)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        epilog=example(
            "fairdeal run kunitame --players 4 -n 20000 --seed 1 --rotate "
            "--lineup balanced,greedy,random,random",
            "fairdeal run kunitame --set life=4 --tables trick,gem",
        )
    )(run)
    app.command(
        epilog=example(
            "fairdeal trace kunitame --game 7 --seed 1 --lineup balanced",
            "fairdeal trace kunitame --games 100 --format jsonl",
        )
    )(trace)
    app.command(
        epilog=example("fairdeal report kunitame", "fairdeal report kunitame -n 5000")
    )(report)
