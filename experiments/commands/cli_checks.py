"""The commands ``new-game``, ``check-game``, ``check-strategy`` and ``bench``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import help_panels, options

app = typer.Typer()


@help_panels.command(
    app,
    help_panels.BUILD,
    "fairdeal new-game my_game",
    name="new-game",
)
def new_game(
    name: Annotated[
        Path,
        typer.Argument(
            help="What the files are called, such as my_game.", show_default=False
        ),
    ],
) -> None:
    """Write a small game in one file, to be changed into yours.

    It plays at once. Its cards are a table beside it, and it has a test.
    """
    from experiments import api
    from experiments.commands import output

    files = api.new_game(name)
    for what, file in zip(("game", "cards", "test"), files, strict=True):
        output.print_line(f"{what:<8} {file}", "bold")
    output.print_line(f"check it with: fairdeal check-game {files[0]}")
    output.print_line(f"play it with:  fairdeal run {files[0]} -n 1000")


@help_panels.command(
    app,
    help_panels.BUILD,
    "fairdeal check-game my_game.py",
    "fairdeal check-game kunitame --games 40",
    name="check-game",
)
def check_game(
    game: options.Game,
    games: options.Games = 12,
    seed: options.Seed = 1,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    json: options.Json = False,
) -> None:
    """Find the mistakes in a game, and the lines that make them.

    Is every card somewhere, is everything declared, does a game end, is it the same
    when played again, is what a player cannot see unknown to search? A report and
    search check a new or changed game by themselves, more briefly. --games are played
    for each check and number of players.
    """
    from experiments import api
    from experiments.commands import output
    from experiments.commands.arguments import resolve

    request = resolve(game, variant, settings, seed)
    result = api.check_game(request.rule_set, games=games, seed=request.seed)
    right = result["ok"].all()
    title = request.game.title
    if json:
        names = {"check": "name", "found": "detail"}
        checks = result.rename(names).to_dicts()
        about = {"game": request.game.id, "seed": request.seed}
        output.as_json({**about, "ok": right, "checks": checks})
    else:
        rows = [[name, "yes", what] for name, ok, what in result.rows() if ok]
        output.table(title, ["check", "ok", "found"], rows)
        for name, ok, what in result.rows():
            for fault in [] if ok else what.splitlines():
                output.print_line(f"{name}: {fault}", wrap=True)
    if not right:
        raise typer.Exit(1)


@help_panels.command(
    app,
    help_panels.BUILD,
    "fairdeal check-strategy planner:margin=1 --game kunitame",
    "fairdeal check-strategy my.py:Bold --game kunitame",
    "fairdeal check-strategy my.toml --game kunitame",
    name="check-strategy",
)
def check_strategy(
    strategy: Annotated[
        str,
        typer.Argument(
            help="The strategy, e.g. my.py:Bold, my.toml, or a name with parameters.",
            show_default=False,
        ),
    ],
    game: options.OfGame,
    games: options.Games = 200,
    seed: options.Seed = 1,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    json: options.Json = False,
) -> None:
    """Test whether a strategy is legal, repeatable and honest.

    It may not remember earlier decisions or depend on what its player cannot see; its
    speed is shown, too. Of a text it tells how often each preference is followed, and
    which never can be. --games are played for each check and number of players.
    """
    from experiments import api
    from experiments.commands import output
    from experiments.commands.arguments import resolve
    from experiments.core.cells import UsageError
    from experiments.rule_set import RuleSet
    from strategies.registry import make

    request = resolve(game, variant, settings, seed)
    if games < 10:
        raise UsageError(f"--games: at least 10, not {games}.")
    title = make(request.game.id, strategy).title
    rules = RuleSet(game, request.rules)
    result = api.check(strategy, rules, games=games, seed=request.seed)
    right = result["ok"].all()
    if json:
        names = {"check": "name", "found": "detail"}
        checks = result.rename(names).to_dicts()
        about = {"game": request.game.id, "strategy": title, "seed": request.seed}
        output.as_json({**about, "ok": right, "checks": checks})
    else:
        rows = [[name, "yes" if ok else "NO", what] for name, ok, what in result.rows()]
        output.table(f"{title} at {request.game.title}", ["check", "ok", "found"], rows)
    if not right:
        raise typer.Exit(1)


@help_panels.command(
    app, help_panels.BUILD, "fairdeal bench kunitame", "fairdeal bench my_game.py"
)
def bench(
    game: options.Game,
    seconds: Annotated[
        float,
        typer.Option("--seconds", metavar="S", help="Roughly how long a repeat takes."),
    ] = 0.5,
    repeats: Annotated[
        int,
        typer.Option("--repeats", metavar="N", help="Repeats to take the median of."),
    ] = 5,
    json: options.Json = False,
) -> None:
    """Measure how fast a game simulates.

    Shows games per second and nanoseconds per decision, beside OpenSpiel if installed.
    """
    from experiments import api
    from experiments.commands import output, show_bench

    result = api.bench(game, seconds=seconds, repeats=repeats, progress=_say)
    if json:
        output.as_json(result.plain())
    else:
        show_bench.as_tables(result)


def _say(words: str) -> None:
    print(f"measuring: {words}", file=sys.stderr, flush=True)
