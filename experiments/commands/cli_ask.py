"""The command ``ask``: a question in plain words, answered by simulated games."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import help_panels, options

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.ASK,
    "fairdeal ask kunitame 'does it matter who starts?'",
    "fairdeal ask kbernestich 'the last player always loses' --sessions sessions.csv",
    "fairdeal ask evilpact 'which contract is a trap?'",
    "fairdeal ask kunitame 'is it too long?'",
    "fairdeal ask kunitame 'can the last still come back?'",
    "fairdeal ask kunitame 'does the leader run away?'",
    "fairdeal ask kunitame 'does the rule weeks matter?'",
    "fairdeal ask drake 'and with two players?'",
)
def ask(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    game: options.Game,
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
            help="A question in plain words, in quotation marks.",
            show_default=False,
        ),
    ],
    sessions: Annotated[
        Path | None,
        typer.Option(
            "--sessions",
            metavar="FILE",
            help="Your own sessions, as `fairdeal playtest` reads them.",
        ),
    ] = None,
    columns: options.Columns = None,
    encoding: options.Encoding = "",
    where: options.Where = None,
    levels: Annotated[
        str,
        typer.Option(
            "--levels",
            metavar="NAMES",
            help="Who plays: beginner, good, strong, and expert, who is slow.",
        ),
    ] = "beginner,good,strong",
    players: options.Players = "",
    games: options.Games = 4_096,
    seed: options.Seed = None,
    given: options.Given = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    jobs: options.Jobs = -1,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", metavar="FILE", help="Draw the answer to a new SVG file."
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Ask a question in plain words: yes, no, or cannot tell.

    The question is matched with the nearest of the forms in the examples below, and the
    answer says which. --games are played by players of each strength; the strongest
    have the word. With --sessions it says what your own table has, how likely that is
    if the simulation is right, and how many sessions would tell.
    """
    options.start_workers_early(jobs, "loky", game)
    from experiments import api
    from experiments.commands import arguments, output, show_ask
    from experiments.commands.progress import watch
    from experiments.core.cells import UsageError
    from experiments.execution.output_paths import check_new

    if picture is not None:
        if picture.suffix != ".svg":
            raise UsageError(f"--picture: {picture} must end in .svg.")
        check_new(picture, "--picture")
    request = arguments.resolve(game, variant, settings, seed)
    count = arguments.one_number_of_players(request.game, players) if players else None
    with watch("ask") as progress:
        answer = api.ask(
            request.rule_set,
            question,
            sessions=sessions,
            columns=columns or (),
            encoding=encoding,
            where=where or (),
            levels=[name.strip() for name in levels.split(",")],
            players=count,
            games=games,
            given=given or (),
            seed=request.seed,
            jobs=jobs,
            progress=progress,
        )
    if picture is not None:
        show_ask.draw(answer, picture)
    if json:
        output.as_json({**answer.plain(), "seed": request.seed})
        return
    show_ask.as_text(answer)
    for line in request.notes:
        output.print_line(f"note     {line}")
    output.print_line(request.seed_line)
