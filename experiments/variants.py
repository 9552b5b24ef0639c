"""Variants: rules from a file, and from ``--set``, as changes to the base.

A variant file holds only what differs from the base rules:

    game = "kunitame"
    name = "richer pledges"

    [rules]
    life = 4

    [rules.squares.card-9-10]
    pledge = "P1"
    when = "trick"
    num = [9, 10]

    [rules.squares.card-11]
    remove = true
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.cells import UsageError
from sim.games import Game
from sim.knobs import RuleError, Rules, nearest, one_of

_KEYS = ("game", "name", "rules")


@dataclass(frozen=True)
class Variant:
    """A variant file as it was read: ``rules`` are changes to the base."""

    path: str
    name: str = ""
    rules: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Settled:
    """The rules in force, and what a user should be told about them."""

    rules: Rules
    name: str = ""
    notes: tuple[str, ...] = ()


def settle(
    game: Game, variant: Path | None = None, settings: Iterable[str] = ()
) -> Settled:
    """The rules of a game with a variant file and with ``key=value`` settings.

    The settings beat the file. Raises ``RuleError`` or ``UsageError``, which name
    the file or the setting, the place, and what is allowed.
    """
    read = Variant("") if variant is None else load(game, variant)
    given = [parse(text) for text in settings]
    together: dict[str, Any] = dict(read.rules)
    for key, value in given:
        _put(together, key.split("."), value)
    try:
        rules = game.rules.of(together)
    except RuleError as error:
        raise RuleError(_blame(game, read, str(error))) from None
    return Settled(rules, read.name, tuple(_beaten(read, given)))


def load(game: Game, path: Path) -> Variant:
    """Read a variant file of this game; raises ``UsageError``."""
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"variant: there is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"variant: {path} cannot be read: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not TOML: {error}.") from None
    for key in values:
        if key not in _KEYS:
            hint = (
                f" Put {key!r} under [rules]." if key in game.rules.model_fields else ""
            )
            raise UsageError(
                f"{path}: no key {key!r}{nearest(key, _KEYS)} "
                f"Allowed: {one_of(_KEYS)}.{hint}"
            )
    if "game" not in values:
        raise UsageError(
            f'{path}: the key "game" is missing; write game = "{game.id}".'
        )
    if values["game"] != game.id:
        raise UsageError(f"{path}: game is {values['game']!r}, not {game.id!r}.")
    rules, name = values.get("rules", {}), values.get("name", "")
    if not isinstance(rules, dict):
        raise UsageError(f"{path}: rules is a table; write [rules] above its keys.")
    if not isinstance(name, str):
        raise UsageError(f"{path}: name is a text, not {name!r}.")
    return Variant(str(path), name, rules)


def parse(text: str) -> tuple[str, Any]:
    """Key and value of ``key=value``; the value as TOML, or else as text."""
    key, equals, value = text.partition("=")
    key, value = key.strip(), value.strip()
    if not equals or not key:
        raise UsageError(f"--set {text!r}: write key=value, as in --set life=4.")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def _put(values: dict[str, Any], path: list[str], value: Any) -> None:
    """Set one value in nested tables, whose other values stay."""
    name, rest = path[0], path[1:]
    if not rest:
        values[name] = value
        return
    inner = values.get(name)
    values[name] = dict(inner) if isinstance(inner, dict) else {}
    _put(values[name], rest, value)


def _blame(game: Game, read: Variant, message: str) -> str:
    """The message with where the mistake stands: in the file, or in a setting."""
    if not read.path:
        return f"--set {message}"
    try:
        game.rules.of(read.rules)
    except RuleError as error:
        if str(error) == message:
            return f"{read.path}: [rules] {message}"
    return f"--set (with {read.path}) {message}"


def _beaten(read: Variant, given: Iterable[tuple[str, Any]]) -> Iterable[str]:
    """For each setting that the file has otherwise, a sentence that says so."""
    for key, value in given:
        there: Any = read.rules
        for part in key.split("."):
            there = there.get(part) if isinstance(there, dict) else None
        if there is not None and there != value:
            yield f"--set {key}={value} beats {key} = {there} of {read.path}"
