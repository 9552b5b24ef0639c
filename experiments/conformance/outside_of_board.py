"""What the code of a game keeps outside of the board, where all games share it."""

import inspect
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from sim.own_game.cards import Card
from sim.own_game.declarations import CardGame

_KEPT = (list, dict, set)
_PLAIN = (int, float, str, bool, tuple, type(None))


class OutsideOfBoard:
    """Variables of the game's files, attributes of its classes and of its cards.

    As they are when this is made: ``changed`` tells what is different, ``restore`` puts
    it back.
    """

    def __init__(
        self, game: CardGame, box: Sequence[Any], files: Sequence[str]
    ) -> None:
        self._kept: list[tuple[str, Any, Any]] = []  # name, container, a copy of it
        self._plain: list[tuple[str, dict[str, Any], str, Any]] = []
        own = [cls for cls in type(game).__mro__ if _file(cls) in files]
        for name in dict.fromkeys(cls.__module__ for cls in own):
            self._keep("", vars(sys.modules[name]))
        for cls in own:
            self._keep(f"{cls.__name__}.", dict(vars(cls)), rebound=False)
        self._kept.append(("self", vars(game), dict(vars(game))))
        for card in box:
            if isinstance(card, Card):
                self._kept.append((f"the card {card}", vars(card), dict(vars(card))))

    def _keep(self, head: str, values: dict[str, Any], rebound: bool = True) -> None:
        for name, value in values.items():
            if name.startswith("__"):
                continue
            if isinstance(value, _KEPT):
                self._kept.append((f"{head}{name}", value, value.copy()))
            elif rebound and isinstance(value, _PLAIN):
                self._plain.append((f"{head}{name}", values, name, value))

    def changed(self) -> list[str]:
        """The names of what is not as it was; ``self.x`` for what a game set there."""
        return [*self._changed()]

    def _changed(self) -> Iterator[str]:
        for name, live, before in self._kept:
            if live == before:
                continue
            if name != "self":
                yield name
                continue
            for word in live:
                if word not in before or live[word] != before[word]:
                    yield f"self.{word}"
        for name, values, word, before in self._plain:
            if values.get(word) != before:
                yield name

    def restore(self) -> None:
        """Put everything back as it was."""
        for _, live, before in self._kept:
            if live != before:
                live.clear()
                live.extend(before) if isinstance(live, list) else live.update(before)
        for _, values, word, before in self._plain:
            values[word] = before


def _file(cls: type) -> str:
    try:
        return inspect.getsourcefile(cls) or ""
    except TypeError:  # built in
        return ""
