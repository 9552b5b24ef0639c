"""Write a new variant file: the requested changes, and other rules as comments.

A designer removes the # of a rule to change it. Above each rule are its meaning, unit
and allowed values; a table shows how to change, remove and add a row.
"""

import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution.output_paths import new_file
from experiments.variants import toml
from experiments.variants.rules_by_players import player_columns
from experiments.variants.variant_files import BASE, locate_variant
from experiments.variants.variants import (
    parse_setting,
    resolve_rules,
    settings_as_changes,
)
from sim.games import Game
from sim.parameters import BY_PLAYERS, Parameter, Rules, TableRow


def new(
    game: Game,
    path: Path,
    *,
    name: str = "",
    about: str = "",
    base: str = BASE,
    settings: Sequence[str] = (),
) -> None:
    """Write a valid new variant file.

    ``base`` is a file or the name of a variant in the folder of the new one. Raises
    ``UsageError`` or ``RuleError``, and then writes nothing.
    """
    if path.suffix != ".toml":
        hint = f" fairdeal cards {game.id} --file {path} writes a sheet of cards."
        hint *= path.suffix == ".csv"
        raise UsageError(f"variant new: {path} must end in .toml.{hint}")
    if path.exists():
        raise UsageError(f"variant new: {path} already exists; nothing is changed.")
    below = _base(base, path.parent)
    rules = resolve_rules(game, below).rules
    changes = settings_as_changes(parse_setting(text) for text in settings)
    resolve_rules(game, below, settings)
    values = {
        "game": game.id,
        "name": _read_back(name or path.stem.replace("-", " ").replace("_", " ")),
        "about": _read_back(about),
        "base": "" if below is None else _seen_from(path.parent, below),
    }
    lines = [
        *_schema(game, path.parent),
        *(f"{key} = {toml.value(text)}" for key, text in values.items() if text),
        *_rules(rules, changes),
    ]
    new_file(path, "\n".join(lines), "variant new")


def _read_back(text: str) -> str:
    """Return a text as it will be read; raises ``UsageError`` if it cannot be."""
    return str(toml.parse_value(toml.value(text)))


def _base(word: str, folder: Path) -> Path | None:
    """Return the base, named from the current folder or from that of the new file."""
    return locate_variant(word, Path() if Path(word).is_file() else folder)


def _seen_from(folder: Path, file: Path) -> str:
    return Path(os.path.relpath(file, folder)).as_posix()


def _schema(game: Game, folder: Path) -> Iterator[str]:
    """Yield the line that names the schema for editors, if it is in the folder."""
    name = f"{Path(game.id).stem}.schema.json"
    if (folder / name).is_file():
        yield f"#:schema ./{name}"


def _rules(rules: Rules, changes: Mapping[str, Any]) -> Iterator[str]:
    """Yield the changes, and the unchanged rules as comments."""
    plain = {key: value for key, value in changes.items() if not _is_table(value)}
    yield from ("", "[rules]", *toml.tables(plain))
    yield from ("", "# Other rules: remove the # and give another value.")
    parameters = rules.parameters()
    for parameter in parameters:
        if parameter.key not in plain and not _rows(rules, parameter):
            yield from _comment(parameter)
    for parameter in parameters:
        if parameter.key not in plain and _rows(rules, parameter):
            yield from _table(rules, parameter)
    rows = {key: value for key, value in changes.items() if _is_table(value)}
    yield from toml.tables({"rules": rows}) if rows else ()


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _rows(rules: Rules, parameter: Parameter) -> tuple[TableRow, ...]:
    """Return the rows of a rule that is a table; () for any other."""
    value = getattr(rules, parameter.key)
    table = isinstance(value, tuple) and value and isinstance(value[0], TableRow)
    return value if table else ()


def _comment(parameter: Parameter) -> Iterator[str]:
    yield ""
    text = "; ".join(filter(None, [parameter.doc, parameter.unit, parameter.allowed]))
    yield from _wrapped(text)
    if parameter.value is None:
        yield f"# {parameter.key}: not given"
    else:
        yield f"# {parameter.key} = {toml.value(parameter.value)}"


def _wrapped(values: str) -> list[str]:
    return textwrap.wrap(values, 88, initial_indent="# ", subsequent_indent="#   ")


def _table(rules: Rules, parameter: Parameter) -> Iterator[str]:
    """Yield comments that show how to change, remove and add a row."""
    rows = _rows(rules, parameter)
    fields = {key: value for key, value in parameter.value[0].items() if key != "id"}
    first = next(iter(fields), "")
    needed = [key for key, f in type(rows[0]).model_fields.items() if f.is_required()]
    needs = ", ".join(key for key in needed if key != "id")
    yield ""
    yield from _wrapped(f"{parameter.doc}. A row is named by its id:")
    yield f"# [rules.{toml.key(parameter.key, rows[0].id)}]  # below it, what differs"
    if first:
        yield f"# {first} = {toml.value(fields[first])}"
    if parameter.key == BY_PLAYERS:
        short = ", ".join(player_columns(rules))
        yield f"# A field set among the rules above applies to every row: {short}."
    yield f"# A row is removed by remove = true; a new id adds one ({needs})."
