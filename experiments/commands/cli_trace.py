"""The command ``trace``: single games, narrated as stories."""

import sys
from typing import Annotated, Literal

import typer

from experiments.commands import help_panels, options

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.LOOK,
    "fairdeal trace kunitame --number 7 --seed 1 --lineup allround",
    "fairdeal trace kunitame --find comeback --seed 1 --lineup allround",
    "fairdeal trace kunitame --number 7 --seed 1 --lineup allround --beside life=2",
    "fairdeal trace kunitame --find upset --seed 1 --lineup allround --turning-points",
    "fairdeal trace kunitame --games 100 --format jsonl",
)
def trace(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: Annotated[
        str,
        typer.Argument(
            help="The game: its id in `fairdeal games`, or the file of yours "
            "(my_game.py); or the directory of a run, to show its games.",
            metavar="GAME|RUN",
            autocompletion=options.complete_game,
            show_default=False,
        ),
    ],
    games: options.Games = 1,
    number: Annotated[
        int, typer.Option("--number", metavar="N", help="Number of the game; from 0.")
    ] = 0,
    find: Annotated[
        str | None,
        typer.Option(
            "--find",
            metavar="KIND",
            help="Find a game worth watching: closest, lopsided, comeback, typical, "
            "longest or upset.",
        ),
    ] = None,
    among: Annotated[
        int,
        typer.Option(
            "--among", metavar="N", help="Number of games that --find looks through."
        ),
    ] = 1_024,
    beside: Annotated[
        str | None,
        typer.Option(
            "--beside",
            metavar="SIDE",
            help="Narrate the same deal beside it under other rules (life=2, a variant "
            "file) or with another lineup, from where they differ.",
        ),
    ] = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", help="Show every choice with its options and the hand."
        ),
    ] = False,
    log: Annotated[
        bool, typer.Option("--log", help="List one event per line instead of a story.")
    ] = False,
    turning_points: Annotated[
        bool,
        typer.Option(
            "--turning-points",
            help="Mark the decisions that mattered most, say what would have been "
            "better, and show the chances to win.",
        ),
    ] = False,
    seed: options.Seed = None,
    players: options.Players = "",
    lineup: options.Lineup = "",
    add_strategy: options.AddStrategy = None,
    rotate: options.Rotate = True,
    given: options.Given = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    trust: options.Trust = False,
    form: Annotated[
        Literal["text", "jsonl"],
        typer.Option("--format", help="text for people, jsonl for programs."),
    ] = "text",
) -> None:
    """Narrate single games, as stories or event by event.

    --games says how many games to narrate, from --number on.
    """
    from pathlib import Path

    from experiments import api
    from experiments.analysis.trace import cell_of_run, is_run
    from experiments.commands import arguments, output, resume
    from experiments.core.cells import UsageError
    from experiments.studies.strategy_file_trust import asking_with
    from experiments.studies.study_short_forms import numbers
    from reports.safe_text import plain

    with asking_with(resume.ask_trust(trust)):
        if is_run(Path(game)):
            if seed is not None or settings or variant or add_strategy or given:
                raise UsageError(
                    f"{game} is a run: its seed, rules, strategies and deals are fixed."
                )
            cell = cell_of_run(Path(game), numbers(players) if players else (), lineup)
        else:
            request = arguments.resolve(game, variant, settings, seed)
            seats = arguments.one_number_of_players(request.game, players)
            [cell] = arguments.cells(
                request, (seats,), lineup, add_strategy, rotate, given or ()
            )
        result = api.trace(
            cell,
            number=number,
            games=games,
            find=find,
            among=among,
            beside=beside,
            variant=variant,
            settings=settings or (),
            verbose=verbose,
            log=log,
            turning_points=turning_points and form == "text",
        )
    if form == "jsonl":
        for line in result.lines():
            print(line)
    else:
        tale = result.traced
        out = output.console()
        if tale.notable is not None:
            output.print_line(f"{tale.notable.kind}: game {tale.notable.number}")
            output.print_line(f"  {tale.notable.reason}")
            output.print_line(
                f"  again: {_command_of(tale.notable.number, cell.seed, game)}"
            )
            output.print_line()
        for text in tale.texts:
            # Of the same length, so colours stay in place
            text.plain = plain(text.plain)
            out.print(text, soft_wrap=True)
    sys.stdout.flush()


def _command_of(number: int, seed: int, game: str) -> str:
    """Return the command that shows this game again, by its number."""
    import shlex
    from pathlib import Path

    from experiments.analysis.trace import is_run

    words, given = [], iter(sys.argv[1:])
    for word in given:
        name = word.partition("=")[0]
        if name in {"--find", "--among", "--seed", "--number", "-n"}:
            if "=" not in word:
                next(given, None)
            continue
        words.append(word)
    words += ["--number", str(number)]
    if not is_run(Path(game)):
        words += ["--seed", str(seed)]
    return shlex.join(["fairdeal", *words])
