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
from reports.event_rows import EventRows
from reports.game_arrays import About, GameArrays, Raw, enum_words

ENDINGS = ("out", "out 4S", "out 1S", "end 4S", "end 1S", "oni")
"""How a round ends: no card left (the last an ordinary card, a Special 4, a Special 1),
declared with either Special, Onifuda."""
_OUT, _END, _ONI = range(3)  # codes of the column ``by`` of a round


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
