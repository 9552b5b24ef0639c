"""Print what a strategy of a game decides, and what it sees."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from inspect import getdoc
from types import FunctionType
from typing import Any

import polars as pl

from experiments.commands import output
from sim.games import Game
from sim.view import View

_MOST_OPTIONS = 24  # options listed
_FORMS = {
    "one": "one of",
    "sample": "exactly `most` of",
    "bag": "up to `most`, each on one of",
}
_GIVEN = {
    "legal": "(rows,) the options, as bits; the ids of the options, with Scalar",
    "seat": "the seat that decides",
    "kind": "the kind of decision",
}


def as_dict(game: Game, decisions: pl.DataFrame) -> dict[str, Any]:
    """Return the decisions of a game and the fields of its view as one JSON object."""
    return {
        "game": game.id,
        "decisions": decisions.to_dicts(),
        "view": dict(fields(game.view)),
    }


def as_tables(game: Game, decisions: pl.DataFrame) -> None:
    """Print the decisions of a game and the fields of its view."""
    document = as_dict(game, decisions)
    rows = [
        [f"{decision['method']}(self, view)", decision["about"], _answer(decision)]
        for decision in document["decisions"]
    ]
    output.table(f"Decisions of {game.title}", ["method", "about", "answer"], rows)
    seen = [[name, about] for name, about in document["view"].items()]
    output.table("What players see", ["view.", "what it is"], seen)


def fields(view: type[View]) -> Iterator[tuple[str, str]]:
    """Yield the names of a view and their meanings, the game's own first."""
    words: Mapping[str, str] = getattr(view, "words", {})
    yield from _GIVEN.items()
    seen = set(_GIVEN)
    for cls in view.__mro__:
        for name, item in vars(cls).items():
            known = isinstance(item, property | cached_property | FunctionType)
            if not known or name.startswith("_") or name in seen:
                continue
            seen.add(name)
            call = "()" if isinstance(item, FunctionType) else ""
            what = f" [{words[name]}]" if name in words else ""
            yield f"{name}{call}", (getdoc(item) or "").split("\n\n")[0] + what


def _answer(decision: Mapping[str, Any]) -> str:
    options = decision["options"]
    more = f", ... ({len(options)})" if len(options) > _MOST_OPTIONS else ""
    stop = f"; {decision['stop']} ends it" if decision["stop"] else ""
    listed = ", ".join(options[:_MOST_OPTIONS])
    return f"{_FORMS[decision['form']]}: {listed}{more}{stop}"
