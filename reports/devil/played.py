"""The raw notes of a block as arrays: what happened in each game, round and seat.

Games have rounds, and rounds turns, of any number. Rounds of all games lie in one row
after another, in the order of games: ``game`` says which each belongs to.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

Raw = Mapping[str, pl.DataFrame]
About = Mapping[str, Any]
Array = NDArray[Any]

ENDINGS = ("out", "out 4S", "out 1S", "end 4S", "end 1S", "oni")
"""How a round ends: no card left (the last an ordinary card, a Special 4, a Special 1),
declared with either Special, Onifuda."""
_OUT, _END, _ONI = range(3)  # codes of ``words["ending"]``
_ROUND_BITS, _TURN_BITS = 20, 16


class Notes:
    """The notes of one name in the order of games, rounds and turns."""

    def __init__(self, frame: pl.DataFrame | None, first: int, seats: int) -> None:
        """Read a raw table (none: nothing was noted) whose games start at ``first``."""
        self._frame, self._seats = frame, seats
        if frame is None:
            self.key = np.zeros(0, dtype=np.int64)
            return
        game = self._plain("game") - first
        round_, turn = (
            self._plain(unit) if unit in frame.columns else 0
            for unit in ("round", "turn")
        )
        key = ((game << _ROUND_BITS | round_) << _TURN_BITS) | turn
        if seats > 1:
            order = np.argsort(key << 3 | self._plain("seat"))
            self._order = order.reshape(-1, seats).T
        else:
            self._order = np.argsort(key)[None]
        self.key: Array = key[self._order[0]]  # (notes,) game, round and turn

    @property
    def game(self) -> Array:
        """(notes,) the game, from 0."""
        return self.key >> _ROUND_BITS + _TURN_BITS

    @property
    def round(self) -> Array:
        """(notes,) the round, from 1."""
        return self.key >> _TURN_BITS & (1 << _ROUND_BITS) - 1

    @property
    def turn(self) -> Array:
        """(notes,) the turn, from 1; 0 where none is told."""
        return self.key & (1 << _TURN_BITS) - 1

    @property
    def when(self) -> Array:
        """(notes,) game and round in one number, which rises."""
        return self.key >> _TURN_BITS

    def each(self, column: str) -> Array:
        """(seats, notes) a column that each seat has."""
        if self._frame is None:
            return np.zeros((self._seats, 0), dtype=np.int64)
        return self._wide(column)[self._order]

    def once(self, column: str) -> Array:
        """(notes,) a column that is the same for all seats."""
        if self._frame is None:
            return np.zeros(0, dtype=np.int64)
        return self._wide(column)[self._order[0]]

    def _wide(self, column: str) -> Array:
        """Numbers without a sign as they are where they are sets, else with one."""
        assert self._frame is not None
        values = self._frame[column].to_physical().to_numpy()
        sets = values.dtype == np.uint64
        wide: Array = values if sets else values.astype(np.int64)
        return wide

    def _plain(self, column: str) -> Array:
        return self._wide(column).astype(np.int64)


class Played:
    """Some games of Devil that were played to the end."""

    def __init__(self, raw: Raw, about: About) -> None:
        """Read raw tables; ``about`` has players, rules and words."""
        self.about = about
        self.players: int = about["players"]
        self.rules: Mapping[str, Any] = about["rules"]  # plain values in force
        result = raw["result"]
        self.size = result.height // self.players
        self.number = np.arange(self.size)  # (games,)
        self.first = int(result["game"][0])  # number of the first game in its run
        shape = (self.players, self.size)
        # (seats, games)
        self.school = result["strategy"].to_physical().to_numpy().reshape(shape)
        self.names: list[str] = result["strategy"].cat.get_categories().to_list()
        self.final = result["scores"].to_numpy().reshape(shape)
        winner = result["winner"].to_numpy()[: self.size]
        self.winner = winner.astype(np.int64)  # (games,) -1 nobody alone
        self.victory = self.winner == self.seats  # (seats, games)
        self.turns_of_game = self._of_games(result, "turns")
        self.rounds_of_game = self._of_games(result, "rounds")
        self._raw = raw

    def _of_games(self, result: pl.DataFrame, column: str) -> Array:
        """(games,) a column of the result."""
        return result[column].to_numpy()[: self.size].astype(np.int64)

    def _notes(self, name: str, seats: int) -> Notes:
        return Notes(self._raw.get(name), self.first, seats)

    @property
    def seats(self) -> Array:
        """(seats, 1) the number of each seat."""
        return np.arange(self.players)[:, None]

    @cached_property
    def dealer(self) -> Array:
        """(games,) who dealt round 1."""
        return self._notes("dealer", 1).once("seat")

    @cached_property
    def rounds(self) -> Notes:
        """The rounds that were played to their end."""
        return self._notes("round", self.players)

    @cached_property
    def declares(self) -> Notes:
        """The moments at which a round could be ended."""
        return self._notes("declaring", self.players)

    @cached_property
    def declared(self) -> Array:
        """(moments,) the Special that was played, by name."""
        frame = self._raw.get("declaring")
        if frame is None:
            return np.zeros(0, dtype=object)
        names = np.array(frame["card"].cat.get_categories().to_list(), dtype=object)
        found: Array = names[self.declares.once("card")]
        return found

    @cached_property
    def dealt(self) -> Array:
        """(seats, rounds) the cards dealt, as masks."""
        deals = self._notes("deal", self.players)
        return deals.each("hands")[:, np.isin(deals.when, self.rounds.when)]

    @cached_property
    def game(self) -> Array:
        """(rounds,) the game, from 0."""
        return self.rounds.game

    @cached_property
    def added(self) -> Array:
        """(seats, rounds) points added."""
        return self.rounds.each("added")

    @cached_property
    def ender(self) -> Array:
        """(rounds,) who ended the round."""
        return self.rounds.once("winner")

    @cached_property
    def own(self) -> Array:
        """(rounds,) points added to who ended the round."""
        return self.added[self.ender, np.arange(len(self.ender))]

    @cached_property
    def ending(self) -> Array:
        """(rounds,) how the round ended, a number of ``ENDINGS``."""
        by, card = self.rounds.once("by"), self.rounds.once("card").astype(np.uint64)
        one, four = ((card & self.copies(kind)) != 0 for kind in ("1S", "4S"))
        out = by == _OUT
        found = np.where(out & four, 1, 0) + np.where(out & one, 2, 0)
        found[by == _END] = 3 + one[by == _END]
        found[by == _ONI] = 5
        return found

    @cached_property
    def over(self) -> Array:
        """(rounds,) whether it was the last round of its game."""
        return self.rounds.round == self.rounds_of_game[self.game]

    # Cards

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds of card in the deck."""
        return list(dict.fromkeys(self.about["words"]["card"]))

    def copies(self, kind: str) -> np.uint64:
        """The copies of a kind of card as a mask."""
        ids = self.about["words"]["card"]
        return np.uint64(sum(1 << n for n, name in enumerate(ids) if name == kind))

    def held(self, hands: Array) -> Array:
        """(kinds, ...) how many of each kind are in each hand."""
        hands = hands.astype(np.uint64)
        counts = [np.bitwise_count(hands & self.copies(kind)) for kind in self.kinds]
        return np.stack(counts).astype(np.int64)

    def worth(self, kind: str) -> int:
        """The points of a card in hand, nothing doubled."""
        named = {"blank": "blank_points", "oni": "onifuda_points"}
        if kind in named:
            return int(self.rules[named[kind]])
        return int(self.rules["points"][int(kind.removesuffix("S")) - 1])
