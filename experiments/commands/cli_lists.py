"""Commands that list: ``games``, ``rules`` and ``strategies``."""

import typer

from experiments.commands import options
from experiments.commands.options import example


def games(json: options.Json = False) -> None:
    """List the games."""
    from experiments.commands import show
    from sim.games import REGISTRY, load

    found = [
        {"id": game, "players": list(load(game).players), "about": about}
        for game, about in REGISTRY.items()
    ]
    if json:
        show.as_json({"games": found})
        return
    rows = [[g["id"], ", ".join(map(str, g["players"])), g["about"]] for g in found]
    show.table("", ["game", "players", "about"], rows)


def rules(
    game: options.Game,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    json: options.Json = False,
) -> None:
    """Print every rule value: what it is, what it may be, and where it is from."""
    from experiments.commands import show_rules
    from experiments.commands.asked import ask

    asked = ask(game, variant, settings)
    if json:
        show_rules.as_json(asked)
    else:
        show_rules.as_tables(asked)


def strategies(game: options.Game, json: options.Json = False) -> None:
    """List the strategies of a game: what each believes, and its parameters."""
    from experiments.commands import show
    from sim.games import load
    from strategies.registry import about

    found = about(load(game).id)
    if json:
        show.as_json({"game": game, "strategies": found})
        return
    rows = [
        [
            one["name"],
            one["belief"],
            "\n".join(f"{k}={v}" for k, v in one["parameters"].items()),
        ]
        for one in found
    ]
    show.table("", ["strategy", "what it believes", "parameters"], rows)


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog=example("fairdeal games"))(games)
    app.command(
        epilog=example(
            "fairdeal rules kunitame", "fairdeal rules kunitame --set life=4"
        )
    )(rules)
    app.command(epilog=example("fairdeal strategies kunitame"))(strategies)
