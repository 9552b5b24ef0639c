"""The rules of a game as controls of a page, made of the schema alone."""

from collections.abc import Iterable
from typing import Any

from experiments.core.cells import UsageError
from experiments.variants import toml
from experiments.variants.schema import schema
from experiments.variants.steps import as_change
from experiments.variants.variants import parse
from sim.games import Game
from sim.parameters import Rules

Pair = tuple[str, Any]
_MOST = 400  # settings at once
_LONG = 200  # characters of a key


def controls(game: Game, base: Rules) -> list[dict[str, Any]]:
    """Each rule, in the order of the rules: what it is, its value, what is allowed.

    ``schema`` is its JSON Schema; a table has ``row``, that of a row, instead.
    """
    every = schema(game)["properties"]["rules"]["properties"]
    return [
        {
            "key": one.key,
            "doc": one.doc[:1].upper() + one.doc[1:],
            "unit": one.unit,
            "allowed": one.allowed,
            "source": one.source,
            "assumed": one.assumed,
            "value": one.value,
            "default": one.default,
            **_kind(every[one.key]),
        }
        for one in base.parameters()
    ]


def _kind(rule: dict[str, Any]) -> dict[str, Any]:
    """The schema of a rule, or that of a row where it is a table of rows with an id."""
    for part in rule.get("anyOf", []):
        row = part.get("items", {})
        if part.get("type") == "array" and "id" in row.get("properties", {}):
            return {"row": row}
    kept = {k: v for k, v in rule.items() if k not in {"description", "default"}}
    return {"schema": kept}


def settings(given: Any) -> list[str]:
    """Settings of a page as ``--set`` takes them; raises ``UsageError``."""
    if not isinstance(given, list) or len(given) > _MOST:
        raise UsageError(f"settings: a list of at most {_MOST} pairs of key and value.")
    return [_setting(one) for one in given]


def _setting(one: Any) -> str:
    if not (isinstance(one, list) and len(one) == 2 and isinstance(one[0], str)):
        raise UsageError("settings: pairs of key and value.")
    key, value = one
    if not key or len(key) > _LONG or set(key) & set("=\n "):
        raise UsageError(f"settings: no rule value is called {key[:40]!r}.")
    try:
        return f"{key}={toml.value(value)}"
    except TypeError as error:
        raise UsageError(f"--set {key}: {error}.") from None


def pairs(texts: Iterable[str]) -> list[Pair]:
    """Settings as a page has them: keys with their values."""
    return [(key, as_change(value)) for key, value in map(parse, texts)]
