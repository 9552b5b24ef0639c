"""Check that hidden things can be dealt anew, and that no view shows them."""

from collections import Counter
from typing import Any

import numpy as np

from experiments.conformance.harness import RulesViolation, Setting
from experiments.conformance.redeal import redeal_view
from experiments.conformance.state_contents import changes, contents
from experiments.conformance.state_copies import play_probed
from sim.view import View
from strategies.random import Random

_SALTS = (5, 6)


def redeals(setting: Setting, games: int) -> Counter[str]:
    """Return the parts of a state that redealing changes, and in how many views.

    Raises ``RulesViolation`` if it changes the state itself or what a view shows, or if
    a salt does not deal the same, or two salts do.
    """
    moved = Counter[str]()
    salts_differ = False

    def look(view: View) -> None:
        nonlocal salts_differ
        before = contents(view._state)
        first, second = (redeal_view(setting.game, view, salt) for salt in _SALTS)
        again = redeal_view(setting.game, view, _SALTS[0])
        if names := changes(contents(view._state), before):
            raise RulesViolation(f"redealing changes the state itself: {names[0]}")
        if names := changes(contents(first._state), contents(again._state)):
            raise RulesViolation(f"redealt twice, not the same: {names[0]}")
        if changes(contents(first._state), contents(second._state)):
            salts_differ = True
        for redone in (first, second):
            _show_the_same(view, redone)
            moved.update(changes(contents(redone._state), before))

    play_probed(setting, games, look, [Random()] * setting.players)
    if not moved:
        raise RulesViolation("redealing changes nothing: nothing would be hidden")
    if not salts_differ:
        raise RulesViolation("another salt deals the same: not all deals are tried")
    return moved


def _show_the_same(view: View, other: View) -> None:
    for name in readable_attributes(type(view)):
        if not _equal(_read(view, name), _read(other, name)):
            raise RulesViolation(f"after redealing, a view shows another {name!r}")


def readable_attributes(view: type[View]) -> list[str]:
    """Return the attributes that a strategy may read without arguments."""
    hidden = {"box", "rules"}  # the same object in every deal
    return [
        name
        for name in dir(view)
        if name[0] != "_" and name not in hidden and not callable(getattr(view, name))
    ]


def _read(view: View, name: str) -> Any:
    """Return an attribute, or the error that reading it raises."""
    try:
        return getattr(view, name)
    except Exception as error:  # it has no meaning at this moment of the game
        return repr(error)


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_equal(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one == other)
