"""The commands ``games``, ``rules``, ``strategies`` and ``measures``, which list."""

from typing import Annotated

import typer

from experiments.commands import help_panels, options

app = typer.Typer()


@help_panels.command(app, help_panels.LOOK, "fairdeal games")
def games(json: options.Json = False) -> None:
    """List the games."""
    from experiments import api
    from experiments.commands import output

    result = api.games().drop("title").rename({"game": "id"}).to_dicts()
    if json:
        output.as_json({"games": result})
        return
    rows = [[g["id"], ", ".join(map(str, g["players"])), g["about"]] for g in result]
    output.table("", ["game", "players", "about"], rows)


@help_panels.command(
    app,
    help_panels.LOOK,
    "fairdeal rules kunitame",
    "fairdeal rules kunitame --set life=4",
)
def rules(
    game: options.Game,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    json: options.Json = False,
) -> None:
    """List the rules of a game: values, limits and sources."""
    from experiments import api
    from experiments.commands import show_rules
    from experiments.commands.arguments import resolve
    from experiments.rule_set import RuleSet

    request = resolve(game, variant, settings)
    result = api.rules(RuleSet(request.game.id, request.rules))
    if json:
        show_rules.as_json(result, request.variant, request.notes)
    else:
        show_rules.as_tables(result, request.notes)


@help_panels.command(
    app,
    help_panels.LOOK,
    "fairdeal strategies kunitame",
    "fairdeal strategies kunitame --decisions",
)
def strategies(
    game: options.Game,
    decisions: Annotated[
        bool,
        typer.Option(
            "--decisions", help="List the decisions instead, and what players see."
        ),
    ] = False,
    json: options.Json = False,
) -> None:
    """List the strategies of a game and their parameters."""
    from experiments import api
    from experiments.commands import output, show_decisions
    from sim.games import load
    from strategies.registry import about
    from strategies.restricted_play import RESTRICTED

    result = api.strategies(game, decisions=decisions)
    if decisions and json:
        output.as_json(show_decisions.as_dict(load(game), result))
        return
    if decisions:
        show_decisions.as_tables(load(game), result)
        return
    if json:
        output.as_json({"game": game, "strategies": about(game)})
        return
    rows = [[name, belief, "\n".join(of)] for name, belief, of in result.rows()]
    output.table("", ["strategy", "what it believes", "parameters"], rows)
    for restriction in RESTRICTED.values():
        output.print_line(f"{restriction.usage}: {restriction.belief()}", wrap=True)


@help_panels.command(
    app,
    help_panels.LOOK,
    "fairdeal measures kunitame",
    'fairdeal measures kunitame "by week"',
)
def measures(
    game: options.Game,
    containing: Annotated[
        str, typer.Argument(help="List only measures whose name contains this.")
    ] = "",
    json: options.Json = False,
) -> None:
    """List what is measured in a game, with units and groups."""
    from experiments import api
    from experiments.commands import show_measures

    result = api.measures(game, containing)
    if json:
        show_measures.as_json(game, result)
    else:
        show_measures.as_tables(game, result)
