"""Checking answers: a strategy must answer with legal options, in the right form.

An illegal answer stops the run with the strategy's name, the game and the options;
nothing is corrected silently.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from sim import masks
from sim.masks import Flags, Masks
from sim.view import View


class IllegalAnswer(Exception):
    """A strategy's answer was not a legal option, or not in the right form."""


class HasTitle(Protocol):
    """Has a name for messages."""

    @property
    def title(self) -> str:
        """Its name; built only when a message needs it."""


def check_answer(player: HasTitle, view: View, answer: Any) -> None:
    """Refuse an answer that is not legal; raises ``IllegalAnswer``."""
    # What the view picked of the legal options needs no check: most answers of `random`
    if answer is view._picked and answer is not None and view.kind.form == "one":
        return
    if not isinstance(answer, np.ndarray) or answer.dtype != np.uint64:
        what = getattr(answer, "dtype", type(answer).__name__)
        raise _illegal(player, view, f"{what}, not an array of uint64 masks", 0)
    if answer.shape != view.legal.shape:
        wrong = f"shape {answer.shape}, not {view.legal.shape}"
        raise _illegal(player, view, wrong, 0)
    if view.kind.form == "one":
        right = np.bitwise_count(answer) == 1
        right &= (answer & view.legal) == answer
    else:
        right = _several(view, answer)
    if not right.all():
        row = int(np.flatnonzero(~right)[0])
        raise _illegal(player, view, _named(view, answer[row], row), row)


def _illegal(player: HasTitle, view: View, answer: str, row: int) -> IllegalAnswer:
    return IllegalAnswer(
        f"strategy {player.title!r} answered {view.kind.name!r} with {answer} "
        f"{place_of(view, row)}. Options: {options_of(view, row)}."
    )


def _several(view: View, answer: Masks) -> Flags:
    """Flag the answers of several bits that are legal."""
    size = masks.count(answer)
    right: Flags = (answer & ~view.legal) == 0
    if view.kind.form == "sample":
        return right & (size == view.most)
    right &= size <= view.most
    field = masks.span(0, view._state.options_per_token)
    for token in range(int(view.most.max(initial=0))):
        part = answer >> np.uint64(token * view._state.options_per_token) & field
        right &= (part & (part - masks.ONE)) == 0
    return right


def ids_of(view: View, row: int) -> Sequence[Any]:
    """The id of every option bit in a row of a view."""
    ids: Sequence[Any] = view._state.ids(view.kind, _seat(view, row), _row(view, row))
    return ids


def _row(view: View, row: int) -> int:
    return row if view._rows is None else int(view._rows[row])


def _seat(view: View, row: int) -> int:
    return view.seat if isinstance(view.seat, int) else int(view.seat[row])


def place_of(view: View, row: int) -> str:
    """Where a row of a view stands, for messages: game, time and seat."""
    place, words = _row(view, row), view._state.vocabularies
    game = int(view._state.games[place])
    labels = {
        unit: at(time, place) for unit, time in view._state.clock.labels().items()
    }
    where = ", ".join(
        f"{unit} {words[unit][time] if unit in words else time}"
        for unit, time in labels.items()
    )
    return f"in game {game} ({where}, seat {_seat(view, row) + 1})"


def at(value: Any, row: int) -> Any:
    """The value of a row, of an array by row or of a shared value."""
    return value[row] if isinstance(value, np.ndarray) else value


def _named(view: View, answer: np.uint64, row: int) -> str:
    ids = ids_of(view, row)
    named = [ids[n] if n < len(ids) else f"bit {n}" for n in masks.members(answer)]
    return " + ".join(map(str, named)) if named else "nothing"


def options_of(view: View, row: int) -> str:
    """The options in a row of a view, for messages."""
    ids = ids_of(view, row)
    names = dict.fromkeys(ids[n] for n in masks.members(view.legal[row]))
    text = ", ".join(map(str, names))
    if view.kind.form == "bag":
        return f"up to {view.most[row]} on {text}"
    if view.kind.form == "sample":
        return f"{view.most[row]} of {text}"
    return text
