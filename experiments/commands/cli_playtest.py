"""The command ``playtest``: what table sessions say, beside simulated games."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import example


def playtest(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.csv",
            help="Sessions, a row a player: session, player, score, position, winner.",
            show_default=False,
        ),
    ],
    game: Annotated[
        str,
        typer.Option(
            "--game",
            metavar="GAME",
            help="Id of the game that was played.",
            autocompletion=options.complete_game,
            show_default=False,
        ),
    ],
    strategies: Annotated[
        str,
        typer.Option(
            "--strategies",
            metavar="A,B,C",
            help="Strategies that players may have (default: all of the game).",
        ),
    ] = "",
    strategy: options.Own = None,
    games: Annotated[
        int,
        typer.Option(
            "-n",
            "--games",
            metavar="N",
            help="Games that are simulated for each number of players.",
        ),
    ] = 16_384,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            metavar="ROLE=HEADING",
            callback=options.repeatable(valued=True),
            help="What a column is, if its heading does not say: session=playid, "
            "position=seat, person=Ana (a column of her scores), ignore=minutes; "
            "several with commas.",
        ),
    ] = None,
    encoding: Annotated[
        str,
        typer.Option(
            "--encoding",
            metavar="NAME",
            help="How the file was saved, if not as UTF-8 or UTF-16: cp1252, ...",
        ),
    ] = "",
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    json: options.Json = False,
) -> None:
    """Say which mix of strategies sessions look like, and what in them is luck."""
    from experiments import api
    from experiments.commands import show
    from experiments.commands.arguments import resolve
    from experiments.commands.progress import watch
    from experiments.rule_set import RuleSet
    from strategies.registry import builtin, resolve_specs

    request = resolve(game, variant, settings, seed)
    known = strategies or ",".join(builtin(request.game.id))
    specs = resolve_specs(request.game.id, known, strategy or ())
    more = [one for one in strategy or () if one not in specs]
    with watch("playtest") as progress:
        found = api.playtest(
            file,
            RuleSet(game, request.rules),
            strategies=[*specs, *more],
            games=games,
            seed=request.seed,
            columns=columns or (),
            encoding=encoding,
            progress=progress,
        )
    if json:
        show.as_json({**found.plain(), "game": request.game.id, "seed": request.seed})
        return
    if found.understood:
        show.line(found.understood.sentence)
    for sentence in found.sentences:
        show.line(f"- {sentence}")
    for line in (*found.notes, *request.notes):
        show.line(line)
    show.line()
    share = [
        (
            row["strategy"],
            *(f"{100 * row[k]:.0f} %" for k in ("estimate", "low", "high")),
        )
        for row in found.mix.rows(named=True)
    ]
    show.table(
        "Players by strategy",
        ("strategy", "share", "from", "to"),
        share,
        "95 % intervals; they start from any mix being as probable as any other.",
    )
    if found.checks.height:
        checks = [
            (
                str(row["players"]),
                row["what"],
                *(f"{row[k]:.3g}" for k in ("found", "expected", "low", "high", "p")),
            )
            for row in found.checks.rows(named=True)
        ]
        show.table(
            "Beside the simulation",
            ("players", "what", "sessions", "expected", "from", "to", "p"),
            checks,
            f"Each by itself; of all together p {found.p:.2g}.",
        )
    show.line(f"seed     {request.seed}" + (" (drawn)" if request.drawn else ""))


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command(
        epilog=example(
            "fairdeal playtest sessions.csv --game kunitame",
            "fairdeal playtest sessions.csv --game kunitame --strategies "
            "allround,greedy,timid",
        )
    )(playtest)
