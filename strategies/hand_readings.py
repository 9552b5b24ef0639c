"""Numbers read off a hand, such as the tricks it promises, by game and name.

The strategies of a game register them; tables of options that were tried use them to
group decisions by the hand. ``strategies.registry.hand_reading`` looks them up.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numpy.typing import NDArray

HAND_READINGS: dict[tuple[str, str], Callable[[Any], NDArray[Any]]] = {}
"""By game id and name of the reading: reads (rows,) whole numbers off a view."""

_Reading = TypeVar("_Reading", bound=Callable[[Any], NDArray[Any]])


def register_hand_reading(game: str, name: str) -> Callable[[_Reading], _Reading]:
    """Register a function of a view as a reading of hands: a decorator.

    @register_hand_reading("kunitame", "promise")
    def promise(view): ...
    """

    def registered(reading: _Reading) -> _Reading:
        HAND_READINGS[game, name] = reading
        return reading

    return registered
