"""The commands ``games``, ``rules``, ``strategies`` and ``measures``, which list."""

from pathlib import Path
from typing import Annotated

import typer

from experiments.commands import help_panels, options

app = typer.Typer()


@help_panels.command(app, help_panels.LOOK, "fairdeal games")
def games(json: options.Json = False) -> None:
    """List the games, built in or from installed packages."""
    from experiments import api
    from experiments.commands import output

    result = api.games().drop("title").rename({"game": "id"}).to_dicts()
    if json:
        output.as_json({"games": result})
        return
    rows = [[g["id"], ", ".join(map(str, g["players"])), g["about"]] for g in result]
    output.table("", ["game", "players", "about"], rows)
    output.print_line(
        "Your own game is one file: `fairdeal new-game my_game` writes one that plays, "
        "and commands take my_game.py where they take a game.",
        "dim",
        wrap=True,
    )


@help_panels.command(
    app,
    help_panels.LOOK,
    "fairdeal rules kunitame",
    "fairdeal rules kunitame --set life=4",
    "fairdeal rules kunitame --variant mine.toml --sheet sheet.html",
)
def rules(
    game: options.Game,
    settings: options.Set = None,
    variant: options.VariantFile = None,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--sheet",
            metavar="FILE",
            help="New file for a rule sheet for players, a page to print (.html).",
            show_default=False,
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """List the rules of a game: values, limits and sources."""
    from experiments import api
    from experiments.commands import show_rules
    from experiments.commands.arguments import resolve
    from experiments.rule_set import RuleSet

    request = resolve(game, variant, settings)
    result = api.rules(RuleSet(request.game.id, request.rules))
    if sheet is not None:
        from experiments.variants.rule_sheet import save_sheet

        save_sheet(request.game, request.rules, sheet)
    if json:
        show_rules.as_json(result, request.variant, request.notes)
    else:
        show_rules.as_tables(result, request.notes)


@help_panels.command(
    app,
    help_panels.LOOK,
    "fairdeal strategies kunitame",
    "fairdeal strategies kunitame --decisions",
    "fairdeal strategies kunitame --strengths --set life=4",
)
def strategies(
    game: options.Game,
    decisions: Annotated[
        bool,
        typer.Option(
            "--decisions", help="List the decisions instead, and what players see."
        ),
    ] = False,
    strengths: Annotated[
        bool,
        typer.Option(
            "--strengths",
            help="Show instead who plays as beginner, good, strong and expert by these "
            "rules, and how strong they are.",
        ),
    ] = False,
    players: options.Players = "",
    settings: options.Set = None,
    variant: options.VariantFile = None,
    json: options.Json = False,
) -> None:
    """List the strategies of a game and their parameters."""
    if strengths:
        _show_strengths(game, variant, settings, players, json)
        return
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


def _show_strengths(
    game: str,
    variant: Path | None,
    settings: list[str] | None,
    players: str,
    json: bool,
) -> None:
    """Show who plays at each level, and what one of them wins among good players."""
    from experiments import api
    from experiments.commands import output
    from experiments.commands.arguments import one_number_of_players, resolve

    request = resolve(game, variant, settings)
    size = one_number_of_players(request.game, players)
    result = api.strategies(request.rule_set, strengths=True, players=size)
    if json:
        about = {"game": request.game.id, "players": size}
        output.as_json({**about, "strengths": result.to_dicts()})
        return
    rows = [
        [
            row["strength"],
            row["plays"],
            "slow: not measured"
            if row["estimate"] is None
            else output.format_interval(row, "share"),
            "" if row["even"] is None else f"{100 * row['even']:.1f} %",
        ]
        for row in result.rename({"share": "estimate"}).to_dicts()
    ]
    title = f"{size} players: what one of them wins among good players"
    output.table(title, ["strength", "plays as", "share", "even"], rows)


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
