"""The command ``playtest``: sessions at a table compared with simulated games."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import help_panels, options

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.ASK,
    "fairdeal playtest sessions.csv --game kunitame",
    "fairdeal playtest sessions.csv --game kunitame --strategies allround,greedy,timid",
)
def playtest(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Sessions, one row per player: session, player, score, position, "
            "winner. CSV, xlsx, ods, or an export of BG Stats or BoardGameGeek plays.",
            show_default=False,
        ),
    ],
    game: options.OfGame,
    strategies: options.Strategies = "",
    add_strategy: options.AddStrategy = None,
    games: options.Games = 16_384,
    columns: options.Columns = None,
    encoding: options.Encoding = "",
    where: options.Where = None,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    json: options.Json = False,
) -> None:
    """Compare your table sessions with simulated games.

    First what your sessions say: wins by position and player, scores, length, beside
    simulated players of each strength. Then which mix of strategies they look like, and
    whether the players differ by more than luck. --games are simulated for each number
    of players, an eighth of them by each strength.
    """
    from experiments import api
    from experiments.commands import output, show_playtest
    from experiments.commands.arguments import resolve
    from experiments.commands.progress import watch
    from strategies.registry import builtin, resolve_specs

    request = resolve(game, variant, settings, seed)
    known = strategies or ",".join(builtin(request.game.id))
    specs = resolve_specs(request.game.id, known, add_strategy or ())
    more = [spec for spec in add_strategy or () if spec not in specs]
    with watch("playtest") as progress:
        result = api.playtest(
            file,
            request.rule_set,
            strategies=[*specs, *more],
            games=games,
            seed=request.seed,
            columns=columns or (),
            encoding=encoding,
            where=where or (),
            progress=progress,
        )
    if json:
        output.as_json(
            {**result.plain(), "game": request.game.id, "seed": request.seed}
        )
        return
    if result.understood:
        output.print_line(result.understood.sentence)
    show_playtest.own_table(result)
    for sentence in result.sentences:
        output.print_line(f"- {sentence}")
    for line in (*result.notes, *request.notes):
        output.print_line(line)
    show_playtest.tables(result)
    output.print_line(request.seed_line)
