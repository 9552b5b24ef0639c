"""Variants: rules from files, and from ``--set``, as changes to the base.

A variant file has only the differences from its base:

    game = "kunitame"
    name = "richer pledges"
    base = "four-lives.toml"

    [rules]
    weeks = 5

    [rules.squares.card-9-10]
    pledge = "P1"
    when = "trick"
    num = [9, 10]

    [rules.squares.card-11]
    remove = true

``base`` is another variant, by file or by name; by default it is the base rules of the
game. So files make a chain, lowest first, and ``--set`` comes last. The changes of a
link are made together, must leave valid rules, and are recorded as the source of the
values that they set.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.variants import toml
from experiments.variants.provenance import (
    changed_keys,
    overruled_words,
    record_source,
    source,
    value_of,
)
from experiments.variants.rules_by_players import (
    Pair,
    expand_by_players,
    is_short,
    player_columns,
)
from experiments.variants.variant_files import Variant, load_variant, locate_variant
from sim import places
from sim.games import Game
from sim.parameters import RuleError, Rules

_MAX_DOTS = 8  # of a key; the longest real one has three
SETTING = "--set"
"""The name of settings on the command line as a source."""


@dataclass(frozen=True)
class ResolvedRules:
    """The rules in force, their sources, and notes for the user.

    ``provenance`` has the source of a value: ``life`` -> ``four-lives.toml``. A field
    of a row is ``squares.blue.gem``; a row that was added or removed is
    ``squares.blue``. Other values are those of the base rules.
    """

    rules: Rules
    name: str = ""
    notes: tuple[str, ...] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)
    chain: tuple[str, ...] = ()  # the files, lowest first
    about: str = ""

    def source(self, key: str) -> str:
        """Return the source of a value, or of its row or table; "" if it has none."""
        return source(self.provenance, key)


def resolve_rules(
    game: Game, variant: Path | str | None = None, settings: Iterable[str] = ()
) -> ResolvedRules:
    """Return the rules of a game with a variant and with ``key=value`` settings.

    ``variant`` is a file, the name of a variant in the folder, or ``base``. Settings
    override files. Raises ``RuleError`` or ``UsageError``, which name the file or the
    setting, the place, and what is allowed.
    """
    path = None if variant is None else locate_variant(str(variant), places.named(""))
    return resolve_variant(
        game, None if path is None else load_variant(game, path), settings
    )


def resolve_variant(
    game: Game, variant: Variant | None = None, settings: Iterable[str] = ()
) -> ResolvedRules:
    """Return the rules with a variant that was read already, and with settings."""
    layers = [] if variant is None else variant.layers()
    rules = game.rules.of()
    provenance: dict[str, str] = {}
    for layer in layers:
        changes = expand_changes(rules, layer.rules)
        changed = _applied(rules, changes, f"{layer.place(variant)}: [rules]")
        record_source(provenance, rules, changes, layer.where)
        rules = changed
    given = [parse_setting(text) for text in settings]
    where = f"{SETTING} (with {variant.where})" if variant else SETTING
    changed = _applied(
        rules, settings_as_changes(expand_by_players(rules, given)), where
    )
    notes = tuple(
        note for pair in given for note in overruled_words(rules, provenance, pair)
    )
    for pair in given:
        changes = settings_as_changes(expand_by_players(rules, [pair]))
        record_source(provenance, rules, changes, f"{SETTING} {pair[0]}")
    return ResolvedRules(
        changed,
        variant.name if variant else "",
        notes,
        provenance,
        tuple(layer.where for layer in layers),
        variant.about if variant else "",
    )


def idle_values(game: Game, variant: Variant) -> list[str]:
    """Return the keys of a variant whose values are those of its base."""
    beneath = resolve_variant(game, variant.base).rules
    rules = beneath.changed(expand_changes(beneath, variant.rules))
    short = [key for key in variant.rules if key in player_columns(beneath)]
    rest = {key: value for key, value in variant.rules.items() if key not in short}
    places = {
        key: expand_by_players(beneath, [(key, variant.rules[key])]) for key in short
    }
    places |= {key: iter([(key, None)]) for key in changed_keys(beneath, rest)}
    return [
        key
        for key, each in places.items()
        if all(
            value_of(beneath, place) == value_of(rules, place) is not None
            for place, _ in each
        )
    ]


def parse_setting(text: str) -> Pair:
    """Return key and value of ``key=value``; the value is TOML, or otherwise text."""
    key, equals, value = text.partition("=")
    key, value = key.strip(), value.strip()
    if not equals or not key:
        raise UsageError(f"--set {text!r}: write key=value, such as --set life=4.")
    if key.count(".") > _MAX_DOTS:
        raise UsageError(f"--set {key[:40]}...: a key has at most {_MAX_DOTS} dots.")
    return key, toml.parse_value(value)


def _applied(rules: Rules, changes: Mapping[str, Any], where: str) -> Rules:
    """Return the rules with the changes of one link; errors name it."""
    try:
        return rules.changed(changes)
    except RuleError as error:
        raise RuleError(f"{where} {error}") from None


def expand_changes(rules: Rules, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return changes to these rules, with the short form of players expanded."""
    if not is_short(rules, changes):
        return changes
    return settings_as_changes(expand_by_players(rules, changes.items()))


def settings_as_changes(settings: Iterable[Pair]) -> dict[str, Any]:
    """Return settings as changes: fields of a row are joined, and the last one counts.

    Rows that follow a whole table are changes to it.
    """
    changes: dict[str, Any] = {}
    for key, value in settings:
        table, *path = key.split(".")
        if not path:
            changes = {k: v for k, v in changes.items() if not k.startswith(f"{key}.")}
            changes[key] = value
        elif table in changes and not isinstance(changes[table], dict):
            changes[key] = value
        else:
            _put(changes, [table, *path], value)
    return changes


def _put(values: dict[str, Any], path: list[str], value: Any) -> None:
    """Set one value in nested tables, and keep their other values."""
    name, rest = path[0], path[1:]
    if not rest:
        values[name] = value
        return
    inner = values.get(name)
    values[name] = dict(inner) if isinstance(inner, dict) else {}
    _put(values[name], rest, value)
