"""Commands that measure: ``check-strategy`` and ``bench``."""

import sys
from typing import Annotated

import typer

from experiments.commands import options
from experiments.commands.options import example


def check_strategy(
    strategy: Annotated[
        str,
        typer.Argument(
            help="The strategy, as my.py:Bold, or a name with parameters.",
            show_default=False,
        ),
    ],
    game: Annotated[
        str,
        typer.Option(
            "--game",
            help="The game it plays (default: the only one there is).",
            autocompletion=options.complete_game,
        ),
    ] = "",
    games: Annotated[
        int, typer.Option("-n", "--games", help="Games for each check and table size.")
    ] = 200,
    seed: options.Seed = 1,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    json: options.Json = False,
) -> None:
    """Say whether a strategy is legal, repeatable, without memory, blind, how fast."""
    from dataclasses import asdict

    from experiments.cells import UsageError
    from experiments.commands import show
    from experiments.commands.asked import ask, game_of
    from experiments.proving.check import check_strategy as check
    from strategies.registry import make

    asked = ask(game_of(game), variant, settings, seed)
    if games < 10:
        raise UsageError(f"--games: at least 10, not {games}.")
    title = make(asked.game.id, strategy).title
    found = check(asked.game, strategy, rules=asked.rules, games=games, seed=asked.seed)
    right = all(one.ok for one in found)
    if json:
        checks = [asdict(one) for one in found]
        about = {"game": asked.game.id, "strategy": title, "seed": asked.seed}
        show.as_json({**about, "ok": right, "checks": checks})
    else:
        rows = [[one.name, "yes" if one.ok else "NO", one.detail] for one in found]
        show.table(f"{title} at {asked.game.title}", ["check", "ok", "found"], rows)
    if not right:
        raise typer.Exit(1)


def bench(
    game: Annotated[
        str,
        typer.Argument(
            help="Id of the game (default: the only one there is).",
            autocompletion=options.complete_game,
            show_default=False,
        ),
    ] = "",
    seconds: Annotated[
        float, typer.Option("--seconds", help="About how long a sample takes.")
    ] = 0.5,
    samples: Annotated[
        int, typer.Option("--samples", help="Samples to take the median of.")
    ] = 5,
    json: options.Json = False,
) -> None:
    """Measure games a second and ns a decision, beside OpenSpiel where installed."""
    from experiments.cells import UsageError
    from experiments.commands import show, show_bench
    from experiments.commands.asked import game_of
    from experiments.timing.bench import bench as measure

    if seconds <= 0 or samples < 1:
        raise UsageError("--seconds: more than 0; --samples: at least 1.")
    found = measure(game_of(game), seconds, samples, say=_say)
    if json:
        show.as_json(found.plain())
    else:
        show_bench.as_tables(found)


def _say(words: str) -> None:
    print(f"measuring: {words}", file=sys.stderr, flush=True)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(
        "check-strategy",
        epilog=example(
            "fairdeal check-strategy planner:margin=1 --game kunitame",
            "fairdeal check-strategy my.py:Bold --game kunitame",
        ),
    )(check_strategy)
    app.command(epilog=example("fairdeal bench kunitame"))(bench)
