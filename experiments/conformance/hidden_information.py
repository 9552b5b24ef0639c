"""Check that hidden things can be dealt anew, and that no view shows them."""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.conformance.harness import RulesViolation, Setting
from experiments.conformance.redeal import redeal_view
from experiments.conformance.state_contents import changes, contents
from experiments.conformance.state_copies import play_probed
from sim.view import View
from strategies.random import Random

_SALTS = (5, 6)
_ENOUGH = 20  # changes of a place, before another is judged that never changes


def redeals(setting: Setting, games: int) -> Counter[str]:
    """Return the parts of a state that redealing changes, and in how many views.

    Raises ``RulesViolation`` if it changes the state itself or what a view shows, or if
    a salt does not deal the same, or two salts do.
    """
    moved = Counter[str]()
    places = _Places(setting.players)
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
            places.note(view, redone)

    play_probed(setting, games, look, [Random()] * setting.players)
    if not moved:
        raise RulesViolation("redealing changes nothing: nothing would be hidden")
    if not salts_differ:
        raise RulesViolation("another salt deals the same: not all deals are tried")
    places.judge()
    return moved


class _Places:
    """How often redealing changed what lies at each place, by who asks for it.

    A place is an index of the first axis of an array with as many as there are seats.
    """

    def __init__(self, players: int) -> None:
        self._players = players
        self._moved: dict[str, NDArray[np.int64]] = {}  # (seat that asks, place)

    def note(self, view: View, redone: View) -> None:
        """Count what is different, in the games that the view shows."""
        before, after = _by_seat(view._state), _by_seat(redone._state)
        size = len(view._state.games)
        rows = np.arange(size) if view._rows is None else view._rows
        seat = np.broadcast_to(np.asarray(view.seat), rows.shape).astype(np.int64)
        for name in changes(before, after):
            one, other = before[name], after[name]
            differ = (one != other).reshape(self._players, -1, size).any(axis=1)
            moved = self._moved.setdefault(
                name, np.zeros((self._players, self._players), dtype=np.int64)
            )
            for place in range(self._players):
                np.add.at(moved[:, place], seat, differ[place, rows])

    def judge(self) -> None:
        """Raise ``RulesViolation`` for a place that is never dealt anew for a seat.

        One place a seat, its own, may stay as it is.
        """
        for name, moved in self._moved.items():
            if moved.sum() < _ENOUGH * (moved > 0).sum():
                continue
            for seat, row in enumerate(moved):
                stay = [at for at in np.flatnonzero(row == 0).tolist() if at != seat]
                if stay and (row == 0).sum() > 1:
                    raise RulesViolation(
                        f"redealing for seat {seat} never changes {name!r} of seat "
                        f"{stay[0]}, which it does for others: whoever searches there "
                        "knows it"
                    )


def _show_the_same(view: View, other: View) -> None:
    for name in view_differences(view, other):
        raise RulesViolation(f"after redealing, a view shows another {name!r}")


def _by_seat(state: Any) -> dict[str, NDArray[Any]]:
    """The arrays and properties of a state with a value for each seat and game."""
    words = [key for key in dir(type(state)) if _is_property(type(state), key)]
    values = {**vars(state), **{word: getattr(state, word) for word in words}}
    shape = state.players, len(state.games)
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, np.ndarray)
        and value.ndim >= 2
        and (value.shape[0], value.shape[-1]) == shape
    }


def _is_property(cls: type, name: str) -> bool:
    return name[0] != "_" and isinstance(getattr(cls, name, None), property)


def view_differences(view: View, other: View) -> list[str]:
    """Return the attributes in which two views differ."""
    return [
        name
        for name in readable_attributes(type(view))
        if not _equal(_read(view, name), _read(other, name))
    ]


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
