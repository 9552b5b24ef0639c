"""The ids that a field of a view can have by some rules: a card that no deck has."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.batch_state import BatchState
from sim.games import Game
from sim.parameters import RuleError, Rules, no_such
from strategies.text_conditions import Condition, ConditionError, is_like

_ONE = "one "  # begins the vocabulary of fields with one thing at most


def check_ids(
    condition: Condition, game: Game, rules: Rules, counts: Sequence[int]
) -> None:
    """Raise ``ConditionError`` if no table of these sizes has an id that is named.

    Fields whose things are named in another way in each game are not checked.
    """
    if not condition.ids:
        return
    states = [*filter(None, (_start(game, rules, count) for count in counts))]
    for name, one in condition.ids:
        known: dict[str, None] = {}
        for state in states:
            if not (ids := _ids_of(game, state, name)):
                break
            known |= dict.fromkeys(ids)
        else:
            if known and not any(is_like(each, one) for each in known):
                raise ConditionError(no_such(f"id in {name}", one, known))


def _start(game: Game, rules: Rules, players: int) -> Any:
    """The state of a game, or None where so many cannot play by these rules."""
    try:
        return game.start(rules, players, 0, np.zeros(1, dtype=np.uint64))
    except RuleError:
        return None


def _ids_of(game: Game, state: BatchState, name: str) -> Sequence[str]:
    """The ids that a field can have at a table; () where they are not fixed."""
    if name in game.view.card_lists:
        return [str(card) for card in state.layout.box]
    words = game.view.vocabulary_of.get(name) or game.view.names_of.get(name, "")
    ids = state.vocabularies.get(words.removeprefix(_ONE), ())
    if (
        not ids
        or "?" in ids
        or state.vocabulary_ids(words.removeprefix(_ONE), 0) is not ids
    ):
        return ()
    return [*map(str, ids)]
