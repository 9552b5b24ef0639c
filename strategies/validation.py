"""Validating the class of a strategy before it plays: its name and its methods."""

import re
from collections.abc import Iterator
from types import FunctionType

from sim import games
from sim.parameters import nearest, one_of
from strategies.base import Strategy, method_of
from strategies.files import UnknownStrategy

_NAME = re.compile(r"[^\s,:=|]+( [^\s,:=|]+)*")


def check(game: str, cls: type[Strategy]) -> None:
    """Refuse a class without a name, or with a method for no decision of the game.

    Such a method would never be called. Raises ``UnknownStrategy``.
    """
    name = vars(cls).get("name")
    if not isinstance(name, str) or not name.isprintable() or not _NAME.fullmatch(name):
        given = "" if "name" not in vars(cls) else f", not name = {name!r}"
        raise UnknownStrategy(
            f'{cls.__name__} needs a name of its own, as in name = "bold"{given}. '
            "Letters, digits and signs, but no comma, colon, = or |."
        )
    known = [method_of(kind) for kind in games.load(game).kinds]
    for method in _methods(cls):
        if method not in known:
            raise UnknownStrategy(
                f"{cls.__name__}: {game} has no decision {method!r}"
                f"{nearest(method, known)} Decisions: {one_of(known)}. (The name of a "
                "helper begins with an underscore.)"
            )


def _methods(cls: type[Strategy]) -> Iterator[str]:
    """The public methods that a strategy adds to fairdeal's base classes."""
    ours = [base for base in cls.__mro__ if _is_ground(base)]
    for base in cls.__mro__:
        for name, item in vars(base).items():
            public = isinstance(item, FunctionType) and not name.startswith("_")
            if public and not any(name in vars(one) for one in ours):
                yield name


def _is_ground(cls: type) -> bool:
    """Whether a class is one of fairdeal's bases, not a strategy itself."""
    return cls.__module__.partition(".")[0] == "strategies" and "name" not in vars(cls)
