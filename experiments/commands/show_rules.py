"""Showing the rules in force, and in plain English where they differ from the base."""

from dataclasses import asdict
from typing import Any

from experiments.commands import show
from experiments.commands.arguments import Request
from experiments.core.cells import UsageError
from experiments.variants.rule_diff import field, sentences
from sim.games import Game
from sim.parameters import Parameter, RuleError, Rules


def as_json(request: Request) -> None:
    """Everything as one JSON object."""
    show.as_json(
        {
            "game": request.game.id,
            "variant": request.variant,
            "players": playable(request.game, request.rules)[0],
            "rules": request.rules.plain(),
            "parameters": [
                asdict(parameter) for parameter in request.rules.parameters()
            ],
            "differences": request.rules.differences(),
            "sentences": sentences(request.game.rules(), request.rules),
            "notes": [*request.notes, *remarks(request.game, request.rules)],
        }
    )


def as_tables(request: Request) -> None:
    """The rule values, the tables among them, and the differences."""
    parameters = request.rules.parameters()
    show.table(
        f"Rules of {request.game.title}",
        ["rule", "value", "allowed", "what it is", "source"],
        [_row(parameter) for parameter in parameters],
    )
    for parameter in parameters:
        if _is_table(parameter.value):
            _rows_of(parameter)
    for parameter in parameters:
        if parameter.assumed:
            show.line(f"assumed  {parameter.key}: {parameter.assumed}")
    for words in differences(request.rules) or ["The base rules, nothing differs."]:
        show.line(words)
    for words in (*request.notes, *remarks(request.game, request.rules)):
        show.line(words)


def differences(rules: Rules) -> list[str]:
    """Where rules differ from the base, a line each."""
    return [f"differs  {words}" for words in sentences(type(rules)(), rules)]


def playable(game: Game, rules: Rules) -> tuple[list[int], list[str]]:
    """With how many these rules can be played, and why not with others."""
    can, cannot = [], []
    for players in game.players:
        try:
            rules.check(players)
        except RuleError as error:
            cannot.append(f"note     not with {players} players: {error}")
        else:
            can.append(players)
    if not can:
        raise UsageError(cannot[0].removeprefix("note     "))
    return can, cannot


def remarks(game: Game, rules: Rules) -> list[str]:
    """What a designer should know of these rules, in words."""
    can, found = playable(game, rules)
    return found + [
        f"note     with {players} players {shortage}"
        for players in can
        for shortage in rules.shortages(players)
    ]


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _row(parameter: Parameter) -> list[str]:
    rows = _is_table(parameter.value)
    value = (
        f"{len(parameter.value)} rows, below" if rows else show.text(parameter.value)
    )
    if parameter.unit:
        value += f" {parameter.unit}"
    mark = " (assumed)" if parameter.assumed else ""
    return [
        parameter.key,
        value,
        parameter.allowed,
        parameter.doc,
        parameter.source + mark,
    ]


def _rows_of(parameter: Parameter) -> None:
    """A table of the rules: a line a row, a column a field."""
    columns = list(dict.fromkeys(key for row in parameter.value for key in row))
    columns = ["id", *(c for c in columns if c != "id")]
    rows = [[_cell(row.get(column)) for column in columns] for row in parameter.value]
    show.table(f"{parameter.key}: {parameter.doc}", columns, rows)


def _cell(value: Any) -> Any:
    """A field: numbers stay as they are, the rest in words."""
    return field(value) if isinstance(value, list) else value
