"""The rules of a game as controls of a page, made from the schema alone."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from experiments.explore.page_state import lies_within
from experiments.variants import toml
from experiments.variants.rule_steps import as_change
from experiments.variants.schema import schema
from experiments.variants.variants import parse_setting, settings_as_changes
from sim.games import Game
from sim.parameters import Parameter, RuleError, Rules

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Control:
    """The control of one value: ``text`` is its value, as ``--set`` takes it.

    ``unset``: what the rule amounts to while it has no value.
    """

    key: str
    label: str
    schema: Schema
    text: str
    moved: bool
    unset: str = ""

    @property
    def kind(self) -> str:
        """The type of its value, or "choice"."""
        return "choice" if "enum" in self.schema else str(self.schema.get("type", ""))

    @property
    def choices(self) -> list[str]:
        """The choices, and "" if the value is not among them."""
        texts = [text_of(choice) for choice in self.schema["enum"]]
        return texts if self.text in texts else ["", *texts]


@dataclass(frozen=True)
class RuleControls:
    """A rule with its controls by row: id, place, whether it was added, controls."""

    about: Parameter
    moved: bool
    rows: tuple[tuple[str, str, bool, tuple[Control, ...]], ...]
    columns: tuple[str, ...] = ()


class Controls:
    """The controls of a game's rules, for any state of a page."""

    def __init__(self, game: Game, base: Rules) -> None:
        self._base = base
        self._about = {rule.key: rule for rule in base.parameters()}
        self._schema = schema(game)["properties"]["rules"]["properties"]

    def rules(self, settings: Mapping[str, str]) -> Iterator[RuleControls]:
        """Yield the controls with these settings."""
        unset = self._unset(settings)
        for key, rule in self._about.items():
            of, columns = self._schema[key], _columns(self._schema[key])
            parts = {
                f".{name}": inner for name, inner in of.get("properties", {}).items()
            }
            rows = [("", key, False, parts or {"": of})]
            if columns:
                fields = {f".{name}": inner for name, inner in columns.items()}
                known = [row["id"] for row in rule.value or ()]
                set_ = [
                    k.split(".")[1]
                    for k in settings
                    if lies_within(k, key) and "." in k
                ]
                rows = [
                    (id_, f"{key}.{id_}", id_ not in known, fields)
                    for id_ in dict.fromkeys([*known, *set_])
                ]
            controls = tuple(
                (
                    id_,
                    place,
                    added,
                    tuple(self._made(place, inner, rule.doc, settings, unset)),
                )
                for id_, place, added, inner in rows
            )
            moved = any(lies_within(name, key) for name in settings)
            yield RuleControls(rule, moved, controls, tuple(columns))

    def _made(
        self,
        place: str,
        fields: Schema,
        doc: str,
        settings: Mapping[str, str],
        unset: Mapping[str, Any],
    ) -> Iterator[Control]:
        for name, of in fields.items():
            key = f"{place}{name}"
            text = settings.get(key, text_of(self.value(key)))
            moved, amounts = key in settings, text_of(unset.get(key))
            yield Control(key, f"{doc}: {key}", of, text, moved, amounts)

    def _unset(self, settings: Mapping[str, str]) -> Mapping[str, Any]:
        """Return what rules that are not set amount to with these settings."""
        given = [parse_setting(f"{key}={text}") for key, text in settings.items()]
        try:
            return self._base.changed(settings_as_changes(given)).unset()
        except RuleError:
            return self._base.unset()

    def value(self, key: str) -> Any:
        """Return the base's value of a rule, row or field, or None."""
        name, *rest = key.split(".")
        value = self._about[name].value if name in self._about else None
        for part in rest:
            if isinstance(value, list):
                value = next((row for row in value if row["id"] == part), None)
            else:
                value = value.get(part) if isinstance(value, dict) else None
        return value

    def like(self, place: str, like: str) -> dict[str, str]:
        """Return the settings that add a row like another one."""
        row = self.value(f"{place.partition('.')[0]}.{like}") or {}
        return {
            f"{place}.{name}": text_of(value)
            for name, value in row.items()
            if name != "id" and value is not None
        }

    def same(self, key: str, text: str) -> bool:
        """Return whether a setting is empty, or has the base's value."""
        value = self.value(key)
        none = text == "" or (value is None and text == "false")
        return none or (
            value is not None and as_change(value) == parse_setting(f"k={text}")[1]
        )

    def named(self, error: str) -> str:
        """Return the rule that an error is about, or ""."""
        places = {
            key: match.start()
            for key in self._about
            if (match := re.search(rf"(?<![\w.]){re.escape(key)}[.: ]", error))
        }
        return min(places, key=lambda key: places[key], default="")


def text_of(value: Any) -> str:
    """Return a value as ``--set`` takes it; a word without quotes if it is read so."""
    if value is None:
        return ""
    if isinstance(value, str) and value and parse_setting(f"k={value}")[1] == value:
        return value
    return toml.value(as_change(value))


def _columns(rule: Schema) -> Schema:
    """Return the fields of a row if a rule is a table of rows with an id, or {}."""
    for part in rule.get("anyOf", []):
        fields = part.get("items", {}).get("properties", {})
        if "id" in fields:
            return {name: field for name, field in fields.items() if name != "id"}
    return {}
