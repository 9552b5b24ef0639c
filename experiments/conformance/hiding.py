"""Whether what is hidden can be dealt anew, and no view shows it."""

from collections import Counter
from typing import Any

import numpy as np

from experiments.conformance.contents import changed, contents
from experiments.conformance.harness import Foul, Setting
from experiments.conformance.redeal import redealt
from experiments.conformance.resuming import probed
from sim.view import View
from strategies.random import Random

_SALTS = (5, 6)


def redeals(setting: Setting, games: int) -> Counter[str]:
    """What of a state redealing changes, and in how many views; raises ``Foul``.

    Nothing else changes, neither the state itself nor what any view shows; the same
    salt deals the same, another salt otherwise.
    """
    moved = Counter[str]()
    apart = False

    def look(view: View) -> None:
        nonlocal apart
        before = contents(view._state)
        one, other = (redealt(setting.game, view, salt) for salt in _SALTS)
        again = redealt(setting.game, view, _SALTS[0])
        if names := changed(contents(view._state), before):
            raise Foul(f"redealing changes the state itself: {names[0]}")
        if names := changed(contents(one._state), contents(again._state)):
            raise Foul(f"redealt twice, not the same: {names[0]}")
        apart = apart or bool(changed(contents(one._state), contents(other._state)))
        for redone in (one, other):
            _show_the_same(view, redone)
            moved.update(changed(contents(redone._state), before))

    probed(setting, games, look, [Random()] * setting.players)
    if not moved:
        raise Foul("redealing changes nothing: nothing would be hidden")
    if not apart:
        raise Foul("another salt deals the same: not all deals are tried")
    return moved


def _show_the_same(view: View, other: View) -> None:
    for name in shown(type(view)):
        if not _equal(_read(view, name), _read(other, name)):
            raise Foul(f"after redealing, a view shows another {name!r}")


def shown(view: type[View]) -> list[str]:
    """The attributes that a strategy may read without asking for more."""
    hidden = {"box", "rules"}  # the same object, however often it is dealt
    return [
        name
        for name in dir(view)
        if name[0] != "_" and name not in hidden and not callable(getattr(view, name))
    ]


def _read(view: View, name: str) -> Any:
    """An attribute, or what reading it raises at this moment of the game."""
    try:
        return getattr(view, name)
    except Exception as error:  # it has no meaning now
        return repr(error)


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_equal(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one == other)
