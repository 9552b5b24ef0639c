"""Validating the class of a strategy before it plays: its name and its methods."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from types import FunctionType

from sim import games
from sim.parameters import nearest, one_of
from strategies import specs
from strategies.base import Strategy, method_of
from strategies.files import UnknownStrategy

_NAME = re.compile(r"[^\s,:=|()]+( [^\s,:=|()]+)*")
_WORDS = frozenset({*specs.TAKES, "before", "panel"})
"""Words that mean something where a strategy may be named."""


def check(game: str, cls: type[Strategy]) -> None:
    """Refuse a class without a name, or with a method for no decision of the game.

    Such a method would never be called. Raises ``UnknownStrategy``.
    """
    name = vars(cls).get("name")
    if not isinstance(name, str) or not name.isprintable() or not _NAME.fullmatch(name):
        given = "" if "name" not in vars(cls) else f", not name = {name!r}"
        raise UnknownStrategy(
            f'{cls.__name__} needs a name of its own, as in name = "bold"{given}. '
            "Letters, digits and signs, but no comma, colon, bracket, = or |."
        )
    known = [method_of(kind) for kind in games.load(game).kinds]
    for method in _methods(cls):
        if method not in known:
            raise UnknownStrategy(
                f"{cls.__name__}: {game} has no decision {method!r}"
                f"{nearest(method, known)} Decisions: {one_of(known)}. (The name of a "
                "helper begins with an underscore.)"
            )


def check_apart(name: str, known: Iterable[str], game: str) -> None:
    """Refuse a name that a reader would take for that of another, or for a word.

    Names that differ by case or by what divides their words are alike. Raises
    ``UnknownStrategy``.
    """
    taken = {_read(one): one for one in known}
    same = taken.get(_read(name))
    if same is not None:
        alike = f" reads as {same!r}, which" if same != name else ""
        raise UnknownStrategy(
            f"its name {name!r}{alike} is that of a built-in strategy of {game}. "
            "Give it another one."
        )
    if _read(name) in _WORDS:
        raise UnknownStrategy(
            f"its name {name!r} means something else where strategies are named. "
            f"Give it another one; not {one_of(sorted(_WORDS))}."
        )


def _read(name: str) -> str:
    """A name as a reader takes it in."""
    return re.sub(r"[\s_-]+", "-", unicodedata.normalize("NFKC", name).casefold())


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
