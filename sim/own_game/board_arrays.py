"""The boards of many games of one file, as arrays: what lies where."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sim.own_game.board import Board, BoardPlan, copied_fact
from sim.own_game.cards import no_column
from sim.own_game.declarations import Declared, Fact, Pile
from sim.own_game.piles import Numbers, Piles
from sim.parameters import nearest


class BoardArrays:
    """What is declared, in many games: each name is an array whose last axis is games.

    A number is (games,), or (seats, games) where each seat has one; a fact is the same,
    of objects. Piles are ``Piles``. ``card`` has the columns of the cards, each an
    array by card number.
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    else:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            known = [one for one in vars(self) if one[0] != "_"]
            raise AttributeError(f"t has no {name!r}{nearest(name, known)}")

    def __init__(
        self, plan: BoardPlan, box: Sequence[Any], boards: Sequence[Board]
    ) -> None:
        self._plan, self._box = plan, box
        number = {card: at for at, card in enumerate(box)}
        for name, declared in plan.declared.items():
            values = [getattr(board, name) for board in boards]
            setattr(self, name, _array(values, declared, number))
        self.card = columns_of(box)
        self._chance = {
            name: np.array([getattr(board, name) for board in boards], dtype=np.uint64)
            for name in ("_deal", "_deals", "_dice", "_rolls")
        }
        self._turns = np.array([board.turn for board in boards], dtype=np.int64)

    def take_games(self, rows: Numbers) -> Self:
        """A copy of some games."""
        other = object.__new__(type(self))
        known = vars(other)
        known.update(vars(self))
        for name in self._plan.declared:
            value = known[name]
            known[name] = (
                value.take_games(rows)
                if isinstance(value, Piles)
                else value.take(rows, axis=-1)
            )
        known["_chance"] = {name: one.take(rows) for name, one in self._chance.items()}
        known["_turns"] = self._turns.take(rows)
        return other

    def board(self, game: int, *, over: bool = False) -> Board:
        """The board of a game."""
        keys = (int(self._chance[name][game]) for name in ("_deal", "_dice"))
        board = Board(self._plan, *keys)
        for name in ("_deals", "_rolls"):
            setattr(board, name, int(self._chance[name][game]))
        for name, declared in self._plan.declared.items():
            value = getattr(self, name)
            if isinstance(value, Piles):
                piles = [[self._box[at] for at in pile] for pile in value.lists(game)]
                setattr(board, name, piles if _several(declared) else piles[0])
            else:
                one = value[..., game]
                plain = (
                    one.tolist() if isinstance(one, np.ndarray | np.generic) else one
                )
                setattr(board, name, copied_fact(plain))
        board.turn, board.over = int(self._turns[game]), over
        return board

    def seen(self, name: str, seats: Numbers, rows: Numbers) -> Any:
        """What these seats (n,) see in these games (n,), their own first.

        Numbers (n,) or (seats, n); card numbers (places, n) of one pile, and
        (piles, places, n) of several.
        """
        declared, value = self._plan.declared[name], getattr(self, name)
        cards = value.cards if isinstance(value, Piles) else value
        if declared.each:
            apart = {"owner": self._plan.players, "partners": self._plan.sides}
            around = np.arange(0, self._plan.players, apart.get(declared.sees, 1))
            who = (np.asarray(seats) + around[:, None]) % self._plan.players
            several = np.moveaxis(cards, -1, 1)[who, rows]  # (piles, n, ...)
            several = np.moveaxis(several, 1, -1)
            return several[0] if declared.sees == "owner" else several
        here = cards.take(rows, axis=-1)
        single = isinstance(value, Piles) and not _several(declared)
        return here[0] if single else here


class CardColumns(SimpleNamespace):
    """The columns of the cards, each an array by card number."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            raise AttributeError(f"card {no_column(name, [*vars(self)])}")


def columns_of(box: Sequence[Any]) -> CardColumns:
    """The columns of the cards, each an array by card number."""
    names = dict.fromkeys(
        name for card in box for name in getattr(card, "__dict__", {}) if name[0] != "_"
    )
    return CardColumns(
        **{name: np.array([getattr(card, name) for card in box]) for name in names}
    )


def _several(declared: Declared) -> bool:
    """Whether there are several piles of a name."""
    return declared.each or (isinstance(declared, Pile) and bool(declared.many))


def _array(values: list[Any], declared: Declared, number: dict[Any, int]) -> Any:
    """The values of a name in all games, as arrays."""
    if isinstance(declared, Pile):
        games = values if _several(declared) else [[one] for one in values]
        return Piles.of(games, number)
    if isinstance(declared, Fact):
        shape = (len(values[0]), len(values)) if declared.each else (len(values),)
        facts = np.empty(shape, dtype=object)
        for game, one in enumerate(values):
            if declared.each:
                for seat, fact in enumerate(one):
                    facts[seat, game] = copied_fact(fact)
            else:
                facts[game] = copied_fact(one)
        return facts
    array = np.array(values).T if declared.each else np.array(values)
    return array.astype(np.int64 if array.dtype.kind in "biu" else np.float64)
