"""What a seat may know of one game, read off its board when a strategy asks for it."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from sim.own_game.board import BoardPlan
from sim.own_game.declarations import Declared, Pile, members
from sim.own_game.moments import Moment
from sim.parameters import nearest


class SeatView:
    """The view of a strategy that decides one game at a time.

    It has what the game declares: a pile or number of each seat is a list, this seat
    first; where only the owner sees it, it is this seat's own, and where partners do,
    theirs, this seat's first. ``legal`` are the options, one of which is the answer;
    ``rules``, ``players``, ``seat`` (which is 0 to ``players`` - 1), ``kind`` and
    ``turn`` say where the game stands. All lists are copies.
    """

    __slots__ = ("_board", "_draw", "kind", "legal", "seat")
    _names: Sequence[str] = ()

    def __init__(self, moment: Moment, seat: int, draw: Callable[[], float]) -> None:
        self._board = moment.board
        self.seat = seat
        self.kind = moment.kind
        self.legal = list(moment.options)
        self._draw = draw

    @property
    def rules(self) -> Any:
        """The rules in force, for this number of players."""
        return self._board.rules

    @property
    def players(self) -> int:
        """The number of players."""
        return self._board.players

    @property
    def turn(self) -> int:
        """How many turns are over."""
        return self._board.turn

    def random(self) -> float:
        """A random number from 0 to 1, a new one at each call, for this seat alone."""
        return self._draw()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(
            f"this view has no {name!r}{nearest(name, self._names)} "
            f"It has {', '.join(self._names)}."
        )


def view_type(plan: BoardPlan) -> type[SeatView]:
    """The class of views of a game, with a property for each declaration."""
    game: Any = type(plan.game)
    return _view_type(game)


@cache
def _view_type(game: Any) -> type[SeatView]:
    declared = members(game, Declared)
    shown = {name: one for name, one in declared.items() if one.sees != "nobody"}
    space: dict[str, Any] = {name: _reader(name, one) for name, one in shown.items()}
    space["__slots__"] = ()
    own = ("legal", "kind", "seat", "turn", "players", "rules")
    space["_names"] = [*shown, *own]
    return type("SeatView", (SeatView,), space)


def _reader(name: str, declared: Declared) -> property:
    """A property that reads what a seat sees of something declared."""

    def read(view: Any) -> Any:
        board = view._board
        return seen(getattr(board, name), declared, view.seat, board._plan.sides)

    return property(read)


def seen(value: Any, declared: Declared, seat: int, sides: int) -> Any:
    """What a seat sees of something on the board; lists are copies."""
    if declared.each:
        if declared.sees == "owner":
            value = value[seat]
            return value[:] if isinstance(declared, Pile) else value
        value = value[seat:] + value[:seat]
        if declared.sees == "partners":
            value = value[::sides]
        return [pile[:] for pile in value] if isinstance(declared, Pile) else value
    if isinstance(declared, Pile):
        return [pile[:] for pile in value] if declared.many else value[:]
    return value
