"""The raw notes of a block as arrays: what happened in each game, by round and seat.

A note that every game has comes in the order (round, seat, game) or (round, trick,
game), so it is read by reshaping; choices, which not every seat has, are put in their
place. Squares are bits in the order of ``words["square"]``.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.game_report import About, Raw

SUITS = "BRYG"
NO_TRUMP = 4
AREAS = ("to", "hunch", "from", "zabine", "grace", "action")
"""The areas of the sheet; Letter from Marie apart from Zabine and Hannah."""


class PlayedGames:
    """Some games of Kbernestich that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read raw tables; ``about`` has players, rules and words."""
        self.raw = raw
        self.about = about
        self.players: int = about["players"]
        self.rules: Mapping[str, Any] = about["rules"]  # plain values in force
        self.vocabularies: Mapping[str, list[str]] = about["vocabularies"]
        self.rounds: int = self.rules["rounds"]
        self.plots: int = self.rules["plot_before_tricks"]
        self.suits = len({name[0] for name in self.vocabularies["card"]})
        result = raw["result"]
        self.size = result.height // self.players
        self.game = result["game"].to_numpy()[: self.size]  # (games,)
        self.strategies = result[
            "strategy"
        ].dtype  # the Enum of strategies at the table
        # (seats, games)
        self.strategy = self._seats("result", "strategy")[0]
        self.scores = self._seats("result", "scores")[0].astype(np.int16)
        self.winner = self._seats("result", "winner")[0, 0]  # (games,) -1 nobody
        self.first = raw["start"]["seat"].to_numpy()  # (games,) starts round 1

    # How notes are read

    def _seats(self, name: str, column: str) -> Array:
        """(rounds, seats, games) a column of a note that each seat has."""
        values = self.raw[name][column].to_physical().to_numpy()
        shaped: Array = values.reshape(-1, self.players, self.size)
        return shaped

    def _scored(self, column: str) -> Array:
        """(rounds, seats, games) a column of the score, which goes by standing."""
        values = self._seats("score", column)
        found = np.empty_like(values)
        np.put_along_axis(found, self._scored_seat, values, axis=1)
        return found

    @cached_property
    def _scored_seat(self) -> Array:
        """(rounds, places, games) whose score was told, from the leader on."""
        return self._seats("score", "seat").astype(np.int64)

    @cached_property
    def seats(self) -> Array:
        """(seats, 1) the number of each seat."""
        return np.arange(self.players, dtype=np.int16)[:, None]

    # The game

    @cached_property
    def victory(self) -> Array:
        """(seats, games) who won the game."""
        return self.winner == self.seats

    @cached_property
    def place(self) -> Array:
        """(seats, games) places after the start player of round 1, who is 0."""
        return (self.seats - self.first) % self.players

    @cached_property
    def names(self) -> list[str]:
        """Names of strategies, by the numbers in column ``strategy``."""
        return _words(self.raw["result"]["strategy"])

    # The deal

    @cached_property
    def start(self) -> Array:
        """(rounds, games) who started the round."""
        return self._seats("deal", "start")[:, 0]

    @cached_property
    def hands(self) -> Array:
        """(rounds, seats, games) cards dealt, a mask."""
        return self._seats("deal", "hands")

    @cached_property
    def cubes(self) -> Array:
        """(rounds, seats, games) cubes in hand at the deal."""
        return self._seats("deal", "cubes").astype(np.int16)

    @cached_property
    def received(self) -> Array:
        """(rounds, seats, games) cubes newly received for the round."""
        kept = np.zeros_like(self.cubes)
        kept[1:] = self.kept[:-1]
        return self.cubes - kept

    # The tricks

    @cached_property
    def taker(self) -> Array:
        """(rounds, tricks, games) who won the trick."""
        values = self.raw["trick"]["winner"].to_numpy()
        return values.reshape(self.rounds, -1, self.size)

    # The end of a round

    @cached_property
    def tricks(self) -> Array:
        """(rounds, seats, games) tricks won."""
        return self._seats("sheet", "tricks")

    @cached_property
    def placed(self) -> Array:
        """(rounds, seats, games) squares with a cube of the seat, a mask."""
        return self._seats("sheet", "placed")

    @cached_property
    def won(self) -> Array:
        """(rounds, seats, games) cards won in tricks, a mask."""
        return self._seats("sheet", "won")

    @cached_property
    def kept(self) -> Array:
        """(rounds, seats, games) cubes not placed."""
        return self._seats("sheet", "kept").astype(np.int16)

    @cached_property
    def before(self) -> Array:
        """(rounds, seats, games) score before the round."""
        return self._seats("sheet", "before").astype(np.int16)

    @cached_property
    def sheet(self) -> Array:
        """(rounds, games) squares with any cube, a mask."""
        return self._seats("sheet", "sheet")[:, 0]

    @cached_property
    def trump(self) -> Array:
        """(rounds, games) number of the trump suit in ``SUITS``; 4 is none."""
        suit = self._seats("sheet", "trump")[:, 0]
        lowest = np.bitwise_count((suit & -suit) - np.uint64(1))
        number: Array = np.where(suit > 0, lowest // 12, NO_TRUMP).astype(np.uint8)
        return number

    @cached_property
    def values(self) -> Array:
        """(rounds, suits, games) points a card of each colour; unset is 0."""
        shape = (self.rounds, self.suits, self.size)
        values = np.zeros(shape, dtype=np.uint8)
        for bit, name in enumerate(self.vocabularies["square"]):
            if name.startswith("from-"):
                _, suit, value = name.split("-")
                here = self.sheet >> np.uint64(bit) & np.uint64(1)
                values[:, SUITS.index(suit)] += here.astype(np.uint8) * np.uint8(value)
        return values

    @cached_property
    def bust(self) -> Array:
        """(rounds, games) the bust value."""
        bust = np.full(self.sheet.shape, self.rules["bust_default"], dtype=np.uint8)
        for bit, name in enumerate(self.vocabularies["square"]):
            if name.startswith("bust-"):
                here = (self.sheet >> np.uint64(bit) & np.uint64(1)) > 0
                bust[here] = int(name.removeprefix("bust-"))
        return bust

    @cached_property
    def to(self) -> Array:
        """(rounds, seats, games) points for Letter to Marie."""
        return self._scored("to").astype(np.int16)

    @cached_property
    def hunch(self) -> Array:
        """(rounds, seats, games) points for the bid, without the misery bonus."""
        return self._scored("hunch").astype(np.int16)

    @cached_property
    def misery(self) -> Array:
        """(rounds, seats, games) the misery bonus."""
        return self._scored("misery").astype(np.int16)

    @cached_property
    def base(self) -> Array:
        """(rounds, seats, games) points a card of each colour, times cards."""
        return self._scored("base").astype(np.int16)

    @cached_property
    def from_(self) -> Array:
        """(rounds, seats, games) points out of the base."""
        return self._scored("from").astype(np.int16)

    @cached_property
    def score(self) -> Array:
        """(rounds, seats, games) score after the round."""
        return self._scored("score").astype(np.int16)

    @cached_property
    def standing(self) -> Array:
        """(rounds, seats, games) how many were ahead before the round, stacks told."""
        found = np.empty(self._scored_seat.shape, dtype=np.uint8)
        place = np.arange(self.players, dtype=np.uint8)[:, None]
        found[:] = 0
        np.put_along_axis(
            found, self._scored_seat, np.broadcast_to(place, found.shape), axis=1
        )
        return found

    # Squares

    @cached_property
    def squares(self) -> list[str]:
        """The ids of the squares on the sheet, each once, in the order of the bits."""
        names = dict.fromkeys(self.vocabularies["square"])
        return [name for name in names if name not in {"?", "pass"}]

    def bits(self, names: Iterable[str]) -> np.uint64:
        """The squares of these ids as a mask."""
        wanted = set(names)
        return np.uint64(
            sum(
                1 << n
                for n, name in enumerate(self.vocabularies["square"])
                if name in wanted
            )
        )

    def on(self, name: str) -> Array:
        """(rounds, seats, games) whether a cube of the seat lies on this id."""
        return (self.placed & self.bits([name])) != 0

    def area(self, name: str) -> np.uint64:
        """The squares of one of ``AREAS`` as a mask."""
        return self.bits(one for one in self.squares if area_of(one) == name)

    # Choices

    @cached_property
    def plotted(self) -> Array:
        """(rounds, plots, seats, games) cubes placed in each plot turn."""
        shape = (self.rounds, self.plots, self.players, self.size)
        rows = self.cubes_placed
        at = np.ravel_multi_index(
            (rows["round"], rows["trick"], rows["seat"], rows["game"]), shape
        )
        many = np.bincount(at, minlength=int(np.prod(shape)))
        return many.reshape(shape).astype(np.uint8)

    @cached_property
    def cubes_placed(self) -> dict[str, Array]:
        """Each cube placed: round, trick, seat and game, from 0, and square.

        The square is a number in ``squares``.
        """
        names = ("round", "trick", "seat", "game", "square")
        plot = self.raw.get("plot")
        if plot is None:
            return {name: np.zeros(0, dtype=np.int64) for name in names}
        ids = _words(plot["chosen"])
        place = {name: n for n, name in enumerate(self.squares)}
        number = np.array([place.get(name, -1) for name in ids], dtype=np.int8)
        square = number[plot["chosen"].to_physical().to_numpy()]
        rows = np.flatnonzero(square >= 0)
        found = {n: plot[n].to_numpy().take(rows).astype(np.int64) for n in names[:4]}
        found["round"] -= 1
        found["trick"] -= 1
        found["game"] -= int(self.game[0])
        found["square"] = square.take(rows).astype(np.int64)
        return found


def area_of(square: str) -> str:
    """The area that a square lies in, one of ``AREAS``."""
    first = square.split("-", maxsplit=1)[0]
    known = {"to": "to", "hunch": "hunch", "from": "from", "bust": "zabine"}
    return known.get(first, "grace" if first == "grace" else "action")


def _words(column: pl.Series) -> list[str]:
    """The words that the numbers of an Enum stand for."""
    kind = column.dtype
    return kind.categories.to_list() if isinstance(kind, pl.Enum) else []
