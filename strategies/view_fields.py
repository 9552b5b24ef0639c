"""Fields of a view of one game as texts name them: sets of ids, numbers, and parts."""

from typing import Any

import numpy as np

from sim.masks import Flags
from sim.view import View
from strategies.scalar import each_game
from strategies.text_conditions import Condition


def holds(view: View, condition: Condition) -> Flags:
    """(rows,) whether a condition holds in each game of a view.

    Raises ``ConditionError`` where the condition does not fit what is seen.
    """
    read = FieldReader(view).read
    return np.array(
        [
            condition.holds(lambda name, one=game: read(one, name))  # type: ignore[misc]
            for game in each_game(view)
        ],
        dtype=np.bool_,
    )


class FieldReader:
    """Reads fields of the views of single games that a view of many has."""

    def __init__(self, view: View) -> None:
        shown = type(view)
        self._sets = {*shown.vocabulary_of, *shown.card_lists, "legal"}
        self._names = {
            name: view._state.vocabularies[words]
            for name, words in shown.names_of.items()
            if words in view._state.vocabularies
        }

    def read(self, game: Any, name: str) -> Any:
        """A field, as conditions read it: sets as tuples, parts as lists."""
        value = getattr(game, name)
        if name in self._names:
            return _named(value, self._names[name])
        return _as_sets(value) if name in self._sets else value


def _as_sets(value: Any) -> Any:
    """Lists of ids as tuples."""
    if isinstance(value, list):
        parted = any(isinstance(one, list) for one in value)
        return [_as_sets(one) for one in value] if parted else (*value,)
    return value


def _named(value: Any, ids: Any) -> Any:
    """Numbers that name things as their ids; None for none."""
    if isinstance(value, list):
        return [_named(one, ids) for one in value]
    known = 0 <= value < len(ids) and str(ids[value]) not in ("", "?")
    return str(ids[value]) if known else None
