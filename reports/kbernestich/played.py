"""The raw notes of a block as arrays: what happened in each game, by round and seat.

A note that every game has comes in the order (round, seat, game) or (round, trick,
game), so it is read by reshaping; choices, which not every seat has, are put in their
place. Squares are bits in the order of ``words["square"]``.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from reports.counts import Array
from reports.played import About, Played, Raw, told, told_once, words_of

SUITS = "BRYG"
NO_TRUMP = 4
AREAS = ("to", "hunch", "from", "zabine", "grace", "action")
"""The areas of the sheet; Letter from Marie apart from Zabine and Hannah."""


def _scored(column: str) -> "cached_property[Array]":
    """A column of the score, which is told from the leader on."""

    def read(played: "PlayedGames") -> Array:
        values = played.by_seat("score", column).astype(np.int16)
        found = np.empty_like(values)
        np.put_along_axis(found, played.scored_seat, values, axis=1)
        return found

    return cached_property(read)


class PlayedGames(Played):
    """Some games of Kbernestich that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read what every game has."""
        super().__init__(raw, about)
        self.rounds: int = self.rules["rounds"]
        self.plots: int = self.rules["plot_before_tricks"]
        self.suits = len({name[0] for name in self.vocabularies["card"]})
        self.scores = self.of_result("scores").astype(np.int16)  # (seats, games)

    # By round and seat: (rounds, seats, games)

    start = told_once("deal", "start")  # (rounds, games) who started the round
    hands = told("deal", "hands")  # cards dealt, a mask
    cubes = told("deal", "cubes", np.int16)  # in hand at the deal
    tricks = told("sheet", "tricks")  # tricks won
    placed = told("sheet", "placed")  # squares with a cube of the seat, a mask
    won = told("sheet", "won")  # cards won in tricks, a mask
    kept = told("sheet", "kept", np.int16)  # cubes not placed
    before = told("sheet", "before", np.int16)  # score before the round
    sheet = told_once("sheet", "sheet")  # (rounds, games) squares with any cube
    to = _scored("to")  # points for Letter to Marie
    hunch = _scored("hunch")  # points for the bid, without the misery bonus
    misery = _scored("misery")  # the misery bonus
    base = _scored("base")  # points a card of each colour, times cards
    from_ = _scored("from")  # points out of the base
    score = _scored("score")  # score after the round

    @cached_property
    def received(self) -> Array:
        """(rounds, seats, games) cubes newly received for the round."""
        kept = np.zeros_like(self.cubes)
        kept[1:] = self.kept[:-1]
        return self.cubes - kept

    @cached_property
    def scored_seat(self) -> Array:
        """(rounds, places, games) whose score was told, from the leader on."""
        return self.by_seat("score", "seat").astype(np.int64)

    @cached_property
    def standing(self) -> Array:
        """(rounds, seats, games) how many were ahead before the round, stacks told."""
        found = np.zeros(self.scored_seat.shape, dtype=np.uint8)
        place = np.arange(self.players, dtype=np.uint8)[:, None]
        ranks = np.broadcast_to(place, found.shape)
        np.put_along_axis(found, self.scored_seat, ranks, axis=1)
        return found

    # By round: (rounds, games)

    @cached_property
    def trump(self) -> Array:
        """Number of the trump suit in ``SUITS``; 4 is none."""
        suit = self.by_seat("sheet", "trump")[:, 0]
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
        """The bust value."""
        bust = np.full(self.sheet.shape, self.rules["bust_default"], dtype=np.uint8)
        for bit, name in enumerate(self.vocabularies["square"]):
            if name.startswith("bust-"):
                here = (self.sheet >> np.uint64(bit) & np.uint64(1)) > 0
                bust[here] = int(name.removeprefix("bust-"))
        return bust

    @cached_property
    def suit_masks(self) -> Array:
        """(5,) the cards of each of ``SUITS`` as a mask; nothing for no trump."""
        cards = self.vocabularies["card"]
        found = [
            sum(1 << n for n, card in enumerate(cards) if card[0] == suit)
            for suit in SUITS
        ]
        return np.array([*found, 0], dtype=np.uint64)

    # Squares

    @cached_property
    def squares(self) -> list[str]:
        """The ids of the squares on the sheet, each once, in the order of the bits."""
        names = dict.fromkeys(self.vocabularies["square"])
        return [name for name in names if name not in {"?", "pass"}]

    def bits(self, names: Iterable[str]) -> np.uint64:
        """The squares of these ids as a mask."""
        wanted, ids = set(names), enumerate(self.vocabularies["square"])
        return np.uint64(sum(1 << n for n, name in ids if name in wanted))

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
        place = {name: n for n, name in enumerate(self.squares)}
        ids = [place.get(name, -1) for name in words_of(plot["chosen"])]
        square = np.array(ids, dtype=np.int64)[plot["chosen"].to_physical().to_numpy()]
        found = {name: plot[name].to_numpy().astype(np.int64) - 1 for name in names[:2]}
        found |= {"seat": plot["seat"].to_numpy().astype(np.int64)}
        found |= {"game": self.at(plot), "square": square}
        rows = np.flatnonzero(square >= 0)
        return {name: found[name].take(rows) for name in names}


def area_of(square: str) -> str:
    """The area that a square lies in, one of ``AREAS``."""
    first = square.split("-", maxsplit=1)[0]
    known = {"to": "to", "hunch": "hunch", "from": "from", "bust": "zabine"}
    return known.get(first, "grace" if first == "grace" else "action")
