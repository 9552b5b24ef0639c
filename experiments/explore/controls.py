"""The rules of a game as controls of a page, made of the schema alone."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from experiments.explore.state import within
from experiments.variants import toml
from experiments.variants.schema import schema
from experiments.variants.steps import as_change
from experiments.variants.variants import parse
from sim.games import Game
from sim.parameters import Parameter, Rules

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Control:
    """One value: ``text`` is what stands in it, as ``--set`` takes it."""

    key: str
    label: str
    schema: Schema
    text: str
    moved: bool

    @property
    def kind(self) -> str:
        """Of which type it is, or "choice"."""
        return "choice" if "enum" in self.schema else str(self.schema.get("type", ""))

    @property
    def choices(self) -> list[str]:
        """What can be chosen; "" where it is not given."""
        found = [text_of(one) for one in self.schema["enum"]]
        return found if self.text in found else ["", *found]


@dataclass(frozen=True)
class Rule:
    """A rule: its one control, or several in ``rows``: id, place, whether added."""

    about: Parameter
    moved: bool
    rows: tuple[tuple[str, str, bool, tuple[Control, ...]], ...]
    columns: tuple[str, ...] = ()


class Controls:
    """The rules of a game, in their order, for every state of a page."""

    def __init__(self, game: Game, base: Rules) -> None:
        self._about = {one.key: one for one in base.parameters()}
        self._schema = schema(game)["properties"]["rules"]["properties"]

    def rules(self, settings: Mapping[str, str]) -> Iterator[Rule]:
        """The controls as they stand with these settings."""
        for key, one in self._about.items():
            of, columns = self._schema[key], _columns(self._schema[key])
            parts = {
                f".{name}": inner for name, inner in of.get("properties", {}).items()
            }
            rows = [("", key, False, parts or {"": of})]
            if columns:
                fields = {f".{name}": inner for name, inner in columns.items()}
                known = [row["id"] for row in one.value or ()]
                said = [
                    k.split(".")[1] for k in settings if within(k, key) and "." in k
                ]
                rows = [
                    (id_, f"{key}.{id_}", id_ not in known, fields)
                    for id_ in dict.fromkeys([*known, *said])
                ]
            made = tuple(
                (id_, place, added, tuple(self._made(place, inner, one.doc, settings)))
                for id_, place, added, inner in rows
            )
            moved = any(within(name, key) for name in settings)
            yield Rule(one, moved, made, tuple(columns))

    def _made(
        self, place: str, fields: Schema, doc: str, settings: Mapping[str, str]
    ) -> Iterator[Control]:
        for name, of in fields.items():
            key = f"{place}{name}"
            text = settings.get(key, text_of(self.value(key)))
            yield Control(key, f"{doc}: {key}", of, text, key in settings)

    def value(self, key: str) -> Any:
        """The base's value of a rule, of a row or of a field; None where none is."""
        name, *rest = key.split(".")
        found = self._about[name].value if name in self._about else None
        for part in rest:
            if isinstance(found, list):
                found = next((row for row in found if row["id"] == part), None)
            else:
                found = found.get(part) if isinstance(found, dict) else None
        return found

    def like(self, place: str, like: str) -> dict[str, str]:
        """Settings that add a row like another one."""
        row = self.value(f"{place.partition('.')[0]}.{like}") or {}
        return {
            f"{place}.{name}": text_of(value)
            for name, value in row.items()
            if name != "id" and value is not None
        }

    def same(self, key: str, text: str) -> bool:
        """Whether a setting says what the base has anyhow, or nothing."""
        value = self.value(key)
        none = text == "" or (value is None and text == "false")
        return none or (value is not None and as_change(value) == parse(f"k={text}")[1])

    def named(self, error: str) -> str:
        """The rule that an error is about; "" if none."""
        found = {
            key: match.start()
            for key in self._about
            if (match := re.search(rf"(?<![\w.]){re.escape(key)}[.: ]", error))
        }
        return min(found, key=lambda key: found[key], default="")


def text_of(value: Any) -> str:
    """A value as ``--set`` takes it: a word as it is, where it is read as one."""
    if value is None:
        return ""
    if isinstance(value, str) and value and parse(f"k={value}")[1] == value:
        return value
    return toml.value(as_change(value))


def _columns(rule: Schema) -> Schema:
    """The fields of a row, where a rule is a table of rows with an id; else none."""
    for part in rule.get("anyOf", []):
        fields = part.get("items", {}).get("properties", {})
        if "id" in fields:
            return {name: field for name, field in fields.items() if name != "id"}
    return {}
