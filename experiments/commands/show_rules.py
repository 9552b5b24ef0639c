"""Showing the rules in force, and in plain English where they differ from the base."""

from dataclasses import asdict
from typing import Any

from experiments.cells import UsageError
from experiments.commands import show
from experiments.commands.asked import Asked
from experiments.variations.differences import field, sentences
from sim.games import Game
from sim.knobs import Knob, RuleError, Rules


def as_json(asked: Asked) -> None:
    """Everything as one JSON object."""
    show.as_json(
        {
            "game": asked.game.id,
            "variant": asked.variant,
            "players": playable(asked.game, asked.rules)[0],
            "rules": asked.rules.plain(),
            "knobs": [asdict(knob) for knob in asked.rules.knobs()],
            "differences": asked.rules.differences(),
            "sentences": sentences(asked.game.rules(), asked.rules),
            "notes": [*asked.notes, *remarks(asked.game, asked.rules)],
        }
    )


def as_tables(asked: Asked) -> None:
    """The rule values, the tables among them, and the differences."""
    knobs = asked.rules.knobs()
    show.table(
        f"Rules of {asked.game.title}",
        ["rule", "value", "allowed", "what it is", "source"],
        [_row(knob) for knob in knobs],
    )
    for knob in knobs:
        if _is_table(knob.value):
            _rows_of(knob)
    for knob in knobs:
        if knob.assumed:
            show.line(f"assumed  {knob.key}: {knob.assumed}")
    for words in differences(asked.rules) or ["The base rules, nothing differs."]:
        show.line(words)
    for words in (*asked.notes, *remarks(asked.game, asked.rules)):
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


def _row(knob: Knob) -> list[str]:
    rows = _is_table(knob.value)
    value = f"{len(knob.value)} rows, below" if rows else show.text(knob.value)
    if knob.unit:
        value += f" {knob.unit}"
    mark = " (assumed)" if knob.assumed else ""
    return [knob.key, value, knob.allowed, knob.doc, knob.source + mark]


def _rows_of(knob: Knob) -> None:
    """A table of the rules: a line a row, a column a field."""
    columns = list(dict.fromkeys(key for row in knob.value for key in row))
    columns = ["id", *(c for c in columns if c != "id")]
    rows = [[_cell(row.get(column)) for column in columns] for row in knob.value]
    show.table(f"{knob.key}: {knob.doc}", columns, rows)


def _cell(value: Any) -> Any:
    """A field: numbers stay as they are, the rest in words."""
    return field(value) if isinstance(value, list) else value
