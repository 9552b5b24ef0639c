"""What a seat may know, for strategies that see many games at once."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from sim.answers import IllegalAnswer, options_of, place_of
from sim.errors import place_text
from sim.masks import Masks
from sim.own_game.declarations import CardGame, Declared, Pile, members
from sim.own_game.seat_view import SeatView, seen, view_type
from sim.own_game.state import OwnState
from sim.view import View


class OwnView(View):
    """The view of a game in one file: lists with what is seen in each game."""

    _state: OwnState

    @classmethod
    def field_names(cls) -> list[str]:
        """What a strategy sees of one game: see ``SeatView``."""
        return [*cls.not_observed, "legal", "players", "turn"]

    def answers_of(self, method: Callable[[Any], Any], title: str) -> Masks:
        """(rows,) the answers of a method that decides one game at a time.

        Board in, option out: no option is named on the way. Raises ``IllegalAnswer``.
        """
        state, kind = self._state, view_type(self._state.layout.plan)
        codes_of = state.layout.options[self.kind.name].codes
        moments = state.moments
        chance, answers = _Draws(self), [0] * len(self)
        for row, (place, seat) in enumerate(self.asked()):
            moment = moments[place]
            answer = method(kind(moment, seat, chance.of(row)))
            options = moment.options
            try:
                number = options.index(answer)
            except ValueError:
                code: Any = getattr(method, "__code__", None)  # a partial has none
                line = code and place_text(code.co_filename, code.co_firstlineno)
                raise IllegalAnswer(
                    f"strategy {title!r} chose {answer!r} at {self.kind.name!r} "
                    f"{place_of(self, row)}{f': {line}' * bool(line)}. "
                    f"Options: {options_of(self, row)}."
                ) from None
            answers[row] = 1 << codes_of(options)[number]
        return np.array(answers, dtype=np.uint64)

    def each_game(self) -> Iterator[SeatView]:
        """Yield what is seen of each game."""
        kind, chance = view_type(self._state.layout.plan), _Draws(self)
        for row, (place, seat) in enumerate(self.asked()):
            yield kind(self._state.moments[place], seat, chance.of(row))

    def asked(self) -> Iterator[tuple[int, int]]:
        """Yield the place of each row in the state, and the seat at its board."""
        places = range(len(self)) if self._rows is None else self._rows.tolist()
        seats = np.broadcast_to(self.seat, len(self)).tolist()
        at_board = self._state.at_board
        for place, seat in zip(places, seats, strict=True):
            yield place, at_board(place, seat)


class _Draws:
    """Random numbers for each row in turn, drawn for all rows once one needs some."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._drawn: list[list[float]] = []
        self._row = self._count = 0

    def of(self, row: int) -> Callable[[], float]:
        """The random numbers of a row, from the start."""
        self._row, self._count = row, 0
        return self._next

    def _next(self) -> float:
        if self._count == len(self._drawn):
            self._drawn.append(self._view.uniform().tolist())
        self._count += 1
        return self._drawn[self._count - 1][self._row]


def own_view(game: type[CardGame]) -> type[OwnView]:
    """The class of views of a game."""
    declared = members(game, Declared)
    shown = {name: one for name, one in declared.items() if one.sees != "nobody"}
    space: dict[str, Any] = {name: _column(name, one) for name, one in shown.items()}
    unread: ClassVar[dict[str, str]] = dict.fromkeys(shown, "it is no array")  # type: ignore[misc]
    space["not_observed"] = unread
    space["card_lists"] = frozenset(members(game, Pile)) & {*shown}
    return type("OwnView", (OwnView,), space)


def _column(name: str, declared: Declared) -> property:
    """A property with what is seen in each row, as a list."""

    def read(view: OwnView) -> list[Any]:
        moments, sides = view._state.moments, view._state.players
        return [
            seen(getattr(moments[place].board, name), declared, seat, sides)
            for place, seat in view.asked()
        ]

    return property(read)
