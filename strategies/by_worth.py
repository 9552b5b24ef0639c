"""Deciding by worth: what options are worth, and the answers that follow from it.

A decorator makes a method that finds what options are worth one that answers with the
best of them. Where answering is tuned for speed, or goes by cases, the method answers
itself, and another one tells the worth (``worth_of``). Either way the answer and the
worth belong together: a subclass that overrides how it answers tells no worth, unless
it says that as well.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.flags import flags_of
from sim.masks import Mask, Masks
from sim.observation import Worth
from strategies.best_options import best, worth_by_bit

OPTIONS = 64
"""The bits that an option may have."""
_WORTH = "worth"  # the attribute of a method that tells its worth
_Self = TypeVar("_Self")
_View = TypeVar("_View", bound=Any)
_Answer = Callable[[_Self, _View], Masks]


class Considered(Protocol):
    """Options that were considered one after the other."""

    options: Masks
    """(rows,) the best of them."""

    def worth_by_bit(self) -> Worth:
        """(option bits, rows) what they are worth; nan where not considered."""


def by_worth(
    method: Callable[[_Self, _View], NDArray[Any]],
) -> _Answer[_Self, _View]:
    """Answer with the option of most worth; the method finds it, (options, rows)."""

    @wraps(method)
    def answer(self: _Self, view: _View) -> Masks:
        return best(view, method(self, view))

    worth_of(answer)(method)
    return answer


def by_options(
    method: Callable[[_Self, _View], Considered],
) -> _Answer[_Self, _View]:
    """Answer with the best of the options that the method considers."""

    @wraps(method)
    def answer(self: _Self, view: _View) -> Masks:
        chosen: Masks = view.toss(method(self, view).options)
        return chosen

    @worth_of(answer)
    def worth(self: _Self, view: _View) -> Worth:
        return method(self, view).worth_by_bit()

    return answer


_Method = TypeVar("_Method", bound=Callable[..., Any])


def worth_of(answer: Callable[..., Masks]) -> Callable[[_Method], _Method]:
    """The method, (options, rows), tells what options are worth to the one given."""

    def decorated(method: _Method) -> _Method:
        vars(answer)[_WORTH] = method
        return method

    return decorated


def worth_told(answer: Any) -> Callable[[Any, Any], Worth] | None:
    """The method that tells what options are worth to this one; None if none does."""
    return getattr(answer, _WORTH, None)


# --- Worth of those that decide by cases


def worth_of_two(view: Any, one: Masks | Mask, other: Mask, gain: Any) -> Worth:
    """(option bits, rows) what one option is worth more than another, worth 0.

    gain, and perhaps the first option: (rows,).
    """
    rows = np.arange(len(view))
    sets = (np.broadcast_to(option, len(view)) for option in (one, other))
    gains = np.broadcast_to(gain, len(view)), np.zeros(len(view))
    pairs = zip(sets, gains, strict=True)
    return worth_by_bit(len(view), ((rows, *pair) for pair in pairs))


def worth_in_turn(*sets: Masks) -> Worth:
    """(option bits, rows) the more, the earlier the first set that has an option.

    1 in the last one, nan in none.
    """
    worth: Worth = np.full((OPTIONS, len(sets[0])), np.nan)
    for number, options in enumerate(reversed(sets), 1):
        worth[flags_of(options, OPTIONS)] = number
    return worth
