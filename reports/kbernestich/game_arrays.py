"""The recorded games of a block as arrays: what happened, by round, seat and game.

A note that every game has comes in the order (round, seat, game) or (round, trick,
game), so it is read by reshaping; choices, which not every seat has, are placed by
index. Squares are bits in the order of ``vocabularies["square"]``.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from reports.counts import Array
from reports.game_arrays import (
    About,
    GameArrays,
    Raw,
    add_up,
    enum_words,
    seat_column,
    shared_column,
)

SUITS = "BRYG"
AREAS = ("to", "hunch", "from", "zabine", "grace", "action")
"""The areas of the sheet; Letter from Marie without Zabine and Hannah."""


def _scored(column: str) -> "cached_property[Array]":
    """Return a property that reads a column of scores by seat; notes go by rank."""

    def read(played: "KbernestichArrays") -> Array:
        values = played.by_seat("score", column).astype(np.int16)
        by_seat = np.empty_like(values)
        np.put_along_axis(by_seat, played.scored_seat, values, axis=1)
        return by_seat

    return cached_property(read)


class KbernestichArrays(GameArrays):
    """Games of Kbernestich that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read the result of each game."""
        super().__init__(raw, about)
        self.rounds: int = self.rules["rounds"]
        self.plots: int = self.rules["plot_before_tricks"]
        self.suits = len({name[0] for name in self.vocabularies["card"]})
        self.scores = self.of_result("scores").astype(np.int16)  # (seats, games)

    # By round and seat: (rounds, seats, games)

    start = shared_column("deal", "start")  # (rounds, games) seat that starts
    cubes = seat_column("deal", "cubes", np.int16)  # in hand at the deal
    tricks = seat_column("sheet", "tricks")  # tricks won
    placed = seat_column("sheet", "placed")  # squares with a cube of the seat, a mask
    won = seat_column("sheet", "won")  # cards won in tricks, a mask
    kept = seat_column("sheet", "kept", np.int16)  # cubes not placed
    before = seat_column("sheet", "before", np.int16)  # score before the round
    sheet = shared_column("sheet", "sheet")  # (rounds, games) squares with any cube
    to = _scored("to")  # points for Letter to Marie
    hunch = _scored("hunch")  # points for the bid, without the misery bonus
    misery = _scored("misery")  # the misery bonus
    base = _scored("base")  # points per card of each colour, times cards
    from_ = _scored("from")  # points from the base
    score = _scored("score")  # score after the round

    @cached_property
    def scored_seat(self) -> Array:
        """The seat of each score note, from the leader on, (rounds, places, games)."""
        return self.by_seat("score", "seat").astype(np.int64)

    @cached_property
    def standing(self) -> Array:
        """Seats ahead before the round, ties by the stack, (rounds, seats, games)."""
        ahead = np.zeros(self.scored_seat.shape, dtype=np.uint8)
        place = np.arange(self.players, dtype=np.uint8)[:, None]
        ranks = np.broadcast_to(place, ahead.shape)
        np.put_along_axis(ahead, self.scored_seat, ranks, axis=1)
        return ahead

    # By round: (rounds, games)

    @cached_property
    def values(self) -> Array:
        """Points per card of each colour, 0 if not set, (rounds, suits, games)."""
        shape = (self.rounds, self.suits, self.size)
        values = np.zeros(shape, dtype=np.uint8)
        for bit, name in enumerate(self.vocabularies["square"]):
            if name.startswith("from-"):
                _, suit, value = name.split("-")
                lies = self.sheet >> np.uint64(bit) & np.uint64(1)
                values[:, SUITS.index(suit)] += lies.astype(np.uint8) * np.uint8(value)
        return values

    @cached_property
    def bust(self) -> Array:
        """The bust value."""
        bust = np.full(self.sheet.shape, self.rules["bust_default"], dtype=np.uint8)
        for bit, name in enumerate(self.vocabularies["square"]):
            if name.startswith("bust-"):
                lies = (self.sheet >> np.uint64(bit) & np.uint64(1)) > 0
                bust[lies] = int(name.removeprefix("bust-"))
        return bust

    @cached_property
    def suit_masks(self) -> Array:
        """The cards of each of ``SUITS`` as a mask, (4,)."""
        cards = self.vocabularies["card"]
        suits = ([card for card in cards if card[0] == suit] for suit in SUITS)
        return np.array([self.mask("card", suit) for suit in suits])

    # Squares

    @cached_property
    def squares(self) -> list[str]:
        """The ids of the squares on the sheet, each once, in the order of the bits."""
        return [*self.masks("square")]

    def bits(self, names: Iterable[str]) -> np.uint64:
        """Return the squares of these ids as a mask."""
        return self.mask("square", names)

    def on(self, name: str) -> Array:
        """Return whether a seat has a cube on this square, (rounds, seats, games)."""
        return (self.placed & self.bits([name])) != 0

    def in_area(self, name: str) -> list[str]:
        """Return the squares of one of ``AREAS``."""
        return [square for square in self.squares if area_of(square) == name]

    def area(self, name: str) -> np.uint64:
        """Return the squares of one of ``AREAS`` as a mask."""
        return self.bits(self.in_area(name))

    def cubes_on(self, names: Iterable[str]) -> Array:
        """Return the cubes of a seat on these squares, (rounds, seats, games).

        From the sheet at the end of the round; except for Letter to Marie, where cubes
        may share a square: those are counted as they were placed.
        """
        names = set(names)
        letters = [name in names and name.startswith("to-") for name in self.squares]
        rows = self.cubes_placed
        kept = np.flatnonzero(np.array([*letters, False])[rows["square"]])
        at = tuple(rows[name].take(kept) for name in ("round", "seat", "game"))
        others = self.bits(name for name in names if not name.startswith("to-"))
        cubes: Array = np.bitwise_count(self.placed & others)
        return cubes + add_up(self.kept.shape, at)

    # Choices

    @cached_property
    def plotted(self) -> Array:
        """Cubes placed in each plot turn, (rounds, plots, seats, games)."""
        shape = (self.rounds, self.plots, self.players, self.size)
        names = ("round", "trick", "seat", "game")
        cubes = add_up(shape, tuple(self.cubes_placed[name] for name in names))
        return cubes.astype(np.uint8)

    @cached_property
    def cubes_placed(self) -> dict[str, Array]:
        """Each cube placed: round, trick, seat and game, from 0, and square.

        The square is an index of ``squares``.
        """
        names = ("round", "trick", "seat", "game", "square")
        plot = self.raw.get("plot")
        if plot is None:
            return {name: np.zeros(0, dtype=np.int64) for name in names}
        place = {name: n for n, name in enumerate(self.squares)}
        ids = [place.get(name, -1) for name in enum_words(plot["chosen"])]
        square = np.array(ids, dtype=np.int64)[plot["chosen"].to_physical().to_numpy()]
        cubes = {name: plot[name].to_numpy().astype(np.int64) - 1 for name in names[:2]}
        cubes |= {"seat": plot["seat"].to_numpy().astype(np.int64)}
        cubes |= {"game": self.game_index(plot), "square": square}
        rows = np.flatnonzero(square >= 0)
        return {name: cubes[name].take(rows) for name in names}


def area_of(square: str) -> str:
    """Return the area of a square, one of ``AREAS``."""
    first = square.split("-", maxsplit=1)[0]
    known = {"to": "to", "hunch": "hunch", "from": "from", "bust": "zabine"}
    return known.get(first, "grace" if first == "grace" else "action")


def came_true(
    played: KbernestichArrays, bid: Array, tricks: Array, placed: Array
) -> Array:
    """Return whether bids came true, perhaps by Pessimism or Optimism.

    bid: index on the sheet, or -1; tricks: won; placed: squares as a mask.
    """
    squares = [str(name) for name in played.rules["hunch"]]
    target = np.array([*(int(name.removesuffix("+")) for name in squares), 99])[bid]
    more = np.array([*(name.endswith("+") for name in squares), False])[bid]

    def hits(tricks: Array) -> Array:
        same: Array = (tricks == target) | (more & (tricks > target))
        return same

    tricks = tricks.astype(np.int16)
    below = (placed & played.bits(["pessimism"])) != 0
    above = (placed & played.bits(["optimism"])) != 0
    return hits(tricks) | (below & hits(tricks + 1)) | (above & hits(tricks - 1))
