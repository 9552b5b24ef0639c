"""The recorded games of a block as arrays: what happened in each game, round and seat.

Games have any number of rounds, and rounds any number of turns. The rounds of all games
form one axis, in the order of games: ``game`` says to which each round belongs.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.course import Standings, from_note
from reports.game_arrays import About, GameArrays, Raw, enum_words

ENDINGS = ("out", "out 4S", "out 1S", "end 4S", "end 1S", "oni")
"""How a round ends: no card left (the last an ordinary card, a Special 4, a Special 1),
declared with either Special, Onifuda."""
_OUT, _END, _ONI = range(3)  # codes of the column ``by`` of a round
_ROUND_BITS, _TURN_BITS, _SEAT_BITS = 20, 16, 3


class EventRows:
    """The notes of one name, in the order of games, rounds and turns."""

    def __init__(self, frame: pl.DataFrame, first: int, seats: int) -> None:
        """Read a raw table whose games start at ``first``; without columns: no notes.

        seats: 1, or the number of seats if every note has a row per seat.
        """
        self._frame = frame
        units = ("game", "round", "turn", "seat")
        game, round_, turn, seat = map(self._unit, units)
        game = np.maximum(game - first, 0)
        # Game, round, turn and seat packed into one number sort in a single pass.
        key = ((game << _ROUND_BITS | round_) << _TURN_BITS) | turn
        order = np.argsort(key << _SEAT_BITS | seat * (seats > 1))
        self._order = order.reshape(-1, seats).T  # (seats, notes)
        self.key: Array = key[self._order[0]]  # (notes,) game, round and turn

    @property
    def game(self) -> Array:
        """The game, (notes,), from 0."""
        return self.key >> _ROUND_BITS + _TURN_BITS

    @property
    def round(self) -> Array:
        """The round, (notes,), from 1."""
        return self.when & (1 << _ROUND_BITS) - 1

    @property
    def turn(self) -> Array:
        """The turn, (notes,), from 1; 0 if none is recorded."""
        return self.key & (1 << _TURN_BITS) - 1

    @property
    def when(self) -> Array:
        """Game and round in one rising number, (notes,)."""
        return self.key >> _TURN_BITS

    def each(self, column: str) -> Array:
        """Return a column with a value for each seat, (seats, notes)."""
        return self._all(column)[self._order]

    def once(self, column: str) -> Array:
        """Return a column with one value for all seats, (notes,)."""
        return self._all(column)[self._order[0]]

    def _unit(self, name: str) -> Array:
        """Return a column of when or whose a note is; 0 if not recorded."""
        if name in self._frame.columns:
            return self._all(name)
        return np.zeros(self._frame.height, dtype=np.int64)

    def _all(self, column: str) -> Array:
        """Return a column as signed whole numbers (masks have at most 63 bits)."""
        if not self._frame.columns:
            return np.zeros(0, dtype=np.int64)
        return self._frame[column].to_physical().to_numpy().astype(np.int64)


class DevilArrays(GameArrays):
    """Games of Devil that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read the result of each game."""
        super().__init__(raw, about)
        self.number = np.arange(self.size)  # (games,)
        self.final = self.of_result("scores")  # (seats, games)
        turns, rounds = (
            self.of_result(name)[0].astype(np.int64) for name in ("turns", "rounds")
        )
        self.turns_of_game, self.rounds_of_game = turns, rounds  # (games,)

    def _notes(self, name: str, seats: int) -> EventRows:
        return EventRows(self.raw.get(name, pl.DataFrame()), self.first, seats)

    @cached_property
    def rounds(self) -> EventRows:
        """The rounds that were played to their end."""
        return self._notes("round", self.players)

    @cached_property
    def declares(self) -> EventRows:
        """The moments at which a round could be ended."""
        return self._notes("declaring", self.players)

    @cached_property
    def declared(self) -> Array:
        """The name of the Special that was played, (moments,)."""
        if "declaring" not in self.raw:
            return np.zeros(0, dtype=np.str_)
        names = np.array(enum_words(self.raw["declaring"]["card"]))
        cards: Array = names[self.declares.once("card")]
        return cards

    @cached_property
    def dealt(self) -> Array:
        """The cards dealt as masks, (seats, rounds)."""
        deals = self._notes("deal", self.players)
        return deals.each("hands")[:, np.isin(deals.when, self.rounds.when)]

    @cached_property
    def standing(self) -> Standings | None:
        """Totals after each round; a total at the target ends the game."""
        if "round" not in self.raw:
            return None
        shape = (self.players, self.first, self.size)
        values, rounds = from_note(self.raw["round"], "scores", *shape)
        target = self.rules["target"]

        def over(values: Array) -> Array:
            flags: Array = values.max(axis=-2) >= target
            return flags

        ends = self.winner, self.game, 1, rounds, over
        return Standings.of(self.about, values, *ends)

    @cached_property
    def game_of(self) -> Array:
        """The game of each round, (rounds,), from 0."""
        return self.rounds.game

    @cached_property
    def added(self) -> Array:
        """Points added, (seats, rounds)."""
        return self.rounds.each("added")

    @cached_property
    def ender(self) -> Array:
        """The seat that ended the round, (rounds,)."""
        return self.rounds.once("winner")

    @cached_property
    def own(self) -> Array:
        """Points added to the seat that ended the round, (rounds,)."""
        return self.added[self.ender, np.arange(len(self.ender))]

    @cached_property
    def ending(self) -> Array:
        """How the round ended, an index of ``ENDINGS``, (rounds,)."""
        by, card = self.rounds.once("by"), self.rounds.once("card")
        special1, special4 = ((card & self.copies(kind)) != 0 for kind in ("1S", "4S"))
        out = by == _OUT
        ending = np.where(out & special4, 1, 0) + np.where(out & special1, 2, 0)
        ending[by == _END] = 3 + special1[by == _END]
        ending[by == _ONI] = 5
        return ending

    # Cards

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds of card in the deck."""
        return [*self.masks("card")]

    def copies(self, kind: str) -> int:
        """Return the copies of a kind of card as a mask."""
        return int(self.mask("card", [kind]))

    def held(self, hands: Array) -> Array:
        """Return how many cards of each kind are in each hand, (kinds, ...)."""
        counts = [np.bitwise_count(hands & self.copies(kind)) for kind in self.kinds]
        return np.stack(counts).astype(np.int64)


def hand_points(rules: Mapping[str, Any], kind: str) -> int:
    """Return the points of a card in hand, before any doubling."""
    named = {"blank": "blank_points", "oni": "onifuda_points"}
    if kind in named:
        return int(rules[named[kind]])
    return int(rules["points"][int(kind.removesuffix("S")) - 1])
