"""Print the rules, and in plain English how they differ from the base."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from experiments.commands import output
from experiments.rule_set import RuleSet
from experiments.variants.rule_diff import field_words, sentences
from experiments.variants.variant_info import playable, remarks
from sim.games import load
from sim.parameters import Parameter, Rules


def as_json(rule_set: RuleSet, variant: str, notes: Sequence[str]) -> None:
    """Print rules, differences and notes as one JSON object."""
    game, rules = load(rule_set.game), rule_set.values
    output.as_json(
        {
            "game": game.id,
            "variant": variant,
            "players": playable(game, rules)[0],
            "rules": rules.plain(),
            "parameters": [asdict(parameter) for parameter in rules.parameters()],
            "differences": rules.differences(),
            "sentences": sentences(game.rules(), rules),
            "notes": [*notes, *remarks(game, rules)],
        }
    )


def as_tables(rule_set: RuleSet, notes: Sequence[str]) -> None:
    """Print the rule values, the tables among them, and the differences."""
    game, rules = load(rule_set.game), rule_set.values
    parameters = rules.parameters()
    output.table(
        f"Rules of {game.title}",
        ["rule", "value", "allowed", "what it is", "source"],
        [_row(parameter) for parameter in parameters],
    )
    for parameter in parameters:
        if _is_table(parameter.value):
            _rows_of(parameter)
    for parameter in parameters:
        if parameter.assumed:
            output.print_line(f"assumed  {parameter.key}: {parameter.assumed}")
    for words in differences(rules) or ["The base rules; nothing differs."]:
        output.print_line(words)
    for words in (*notes, *remarks(game, rules)):
        output.print_line(words)


def differences(rules: Rules) -> list[str]:
    """How rules differ from the base, one line each."""
    return [f"differs  {words}" for words in sentences(type(rules)(), rules)]


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _row(parameter: Parameter) -> list[str]:
    rows = _is_table(parameter.value)
    value = (
        f"{len(parameter.value)} rows, below"
        if rows
        else output.text(parameter.in_force)
    )
    if parameter.unit:
        value += f" {parameter.unit}"
    if parameter.value is None and parameter.unset is not None:
        value += " (not set)"
    mark = " (assumed)" if parameter.assumed else ""
    return [
        parameter.key,
        value,
        parameter.allowed,
        parameter.doc,
        parameter.source + mark,
    ]


def _rows_of(parameter: Parameter) -> None:
    """Print a rule that is a table: one line per row, one column per field."""
    columns = list(dict.fromkeys(key for row in parameter.value for key in row))
    columns = ["id", *(c for c in columns if c != "id")]
    rows = [[_cell(row.get(column)) for column in columns] for row in parameter.value]
    output.table(f"{parameter.key}: {parameter.doc}", columns, rows)


def _cell(value: Any) -> Any:
    """Format a field: numbers stay as they are, lists become words."""
    return field_words(value) if isinstance(value, list) else value
