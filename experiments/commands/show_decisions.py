"""Showing what a strategy of a game can decide, and what it sees."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from inspect import getdoc
from types import FunctionType
from typing import Any

import numpy as np

from experiments.commands import show
from sim.events import Decision
from sim.games import Game
from sim.view import View
from strategies.base import method_of

_MOST = 24  # options that are listed
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


def as_dict(game: Game) -> dict[str, Any]:
    """The decisions of a game and the fields of its view, as one JSON object."""
    return {
        "game": game.id,
        "decisions": [
            {
                "name": kind.name,
                "method": method_of(kind.name),
                "about": kind.doc,
                "form": kind.form,
                "stop": kind.stop or None,
                "without": kind.without or None,
                "options": _options(game, kind),
            }
            for kind in game.kinds.values()
        ],
        "view": dict(fields(game.view)),
    }


def as_tables(game: Game) -> None:
    """The decisions of a game in the terminal."""
    document = as_dict(game)
    rows = [
        [f"{one['method']}(self, view)", one["about"], _told(one)]
        for one in document["decisions"]
    ]
    show.table(f"Decisions of {game.title}", ["method", "about", "answer"], rows)
    seen = [[name, about] for name, about in document["view"].items()]
    show.table("What the view has", ["view.", "what it is"], seen)


def fields(view: type[View]) -> Iterator[tuple[str, str]]:
    """Names of a view with what each is: the game's own first."""
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


def _options(game: Game, kind: Decision) -> list[str]:
    """The ids of the options, each once."""
    players = 4 if 4 in game.players else game.players[0]
    state = game.start(game.rules(), players, 0, np.zeros(1, dtype=np.uint64))
    return [
        one for one in dict.fromkeys(state.vocabularies[kind.vocabulary]) if one != "?"
    ]


def _told(decision: Mapping[str, Any]) -> str:
    options = decision["options"]
    more = f", ... ({len(options)})" if len(options) > _MOST else ""
    stop = f"; {decision['stop']} ends it" if decision["stop"] else ""
    listed = ", ".join(options[:_MOST])
    return f"{_FORMS[decision['form']]}: {listed}{more}{stop}"
