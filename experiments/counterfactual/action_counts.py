"""How often the lineup's first strategy takes each option, and how often it wins.

Counts are kept by game, as the game is the unit of intervals. A rotated lineup's first
strategy sits in seat (- game) modulo players.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.block_records import Block, game_numbers
from experiments.core.blocks import Outcome, make_outcome
from experiments.core.cells import Cell, play
from experiments.core.malloc_settings import keep_freed_memory
from reports.batches import GameBatches
from reports.counts import Counts, sums_of
from sim import games, masks
from sim.events import Decision
from sim.games import Game
from sim.listener import Choice, Fields, Listener
from sim.masks import Flags, Mask

TAKEN_COUNTS = "taken"
"""How often an option is taken, of the times that it could be."""
WON = "won"
"""Games that the first strategy wins."""
Numbers = NDArray[np.uint64]
Times = NDArray[np.uint16]


def first_seat(cell: Cell, numbers: Numbers) -> NDArray[np.int64]:
    """Return (games,) the seat of the lineup's first strategy."""
    turn = numbers.astype(np.int64) if cell.rotate else np.zeros(len(numbers), int)
    return -turn % cell.players


class ActionCounts(Listener):
    """Listens to the choices of one seat in each game, and to who wins.

    numbers: (games,) of the games, rising. seat: (games,) whose choices count.
    """

    def __init__(self, game: Game, numbers: Numbers, seat: NDArray[np.int64]) -> None:
        self._numbers, self._seat = numbers, seat
        self._kinds = game.kinds
        self._bits: dict[str, dict[str, Mask]] = {}
        self.could: dict[tuple[str, str], Times] = {}  # by kind and option
        self.taken: dict[tuple[str, str], Times] = {}
        self.asked: dict[str, Flags] = {}  # games in which the kind came up
        self.won: Flags = np.zeros(len(numbers), dtype=np.bool_)

    def hears(self, name: str) -> bool:
        """Hear the result, and every kind of decision."""
        return name == "result" or name in self._kinds

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep who won."""
        if name == "result":  # notes may have the name of a kind of decision
            self.won = fields["winner"] == self._seat

    def choice(self, state: Any, choice: Choice) -> None:
        """Count the options that the seat could take, and those that it took."""
        kind, legal = choice.kind, choice.legal
        game = np.searchsorted(self._numbers, state.games)
        rows = np.flatnonzero(
            (legal != masks.NOTHING) & (self._seat[game] == choice.seat)
        )
        if not len(rows):
            return
        game, legal, answer = game[rows], legal[rows], choice.answer[rows]
        self._zeros(self.asked, kind.name, np.bool_)[game] = True
        for option, bits in self._options(state, kind).items():
            could = (legal & bits) != masks.NOTHING
            if could.any():
                key = kind.name, option
                self._zeros(self.could, key, np.uint16)[game] += could
                took = (answer & bits) != masks.NOTHING
                self._zeros(self.taken, key, np.uint16)[game] += took

    def _zeros(self, kept: dict[Any, Any], key: Any, kind: type) -> NDArray[Any]:
        """Return the array by game under a key, made of zeros if there is none."""
        if key not in kept:
            kept[key] = np.zeros(len(self._numbers), dtype=kind)
        by_game: NDArray[Any] = kept[key]
        return by_game

    def _options(self, state: Any, kind: Decision) -> Mapping[str, Mask]:
        """Return the bits of each option; options with one name count as one."""
        if kind.name not in self._bits:
            words = [str(option) for option in state.vocabularies[kind.vocabulary]]
            self._bits[kind.name] = {
                option: masks.union(n for n, word in enumerate(words) if word == option)
                for option in dict.fromkeys(words)
                if option != "?"
            }
        return self._bits[kind.name]

    def counts(self) -> Counts:
        """Return how often each option was taken, by decision and option."""
        games = len(self._numbers)
        names = key_columns(self.could)
        rows = [[part[key] for key in self.could] for part in (self.taken, self.could)]
        empty = np.zeros((0, games), dtype=np.uint16)
        y, x = (np.stack(part) if part else empty for part in rows)
        return Counts(TAKEN_COUNTS, names, y, x)

    def won_counts(self) -> Counts:
        """Return the counts of games that the seat won."""
        once = np.ones((1, len(self.won)), dtype=np.uint16)
        return Counts(WON, {}, self.won[None], once)


def key_columns(keys: Iterable[tuple[str, str]]) -> dict[str, pl.Series]:
    """Return decisions and options as columns."""
    rows = list(keys)
    return {
        "decision": pl.Series("decision", [kind for kind, _ in rows], dtype=pl.String),
        "option": pl.Series("option", [option for _, option in rows], dtype=pl.String),
    }


@dataclass(frozen=True)
class FirstSeatGames:
    """What the first strategy did and won, and the number of all decisions."""

    uses: ActionCounts
    decisions: int


def play_first(cell: Cell, numbers: Numbers, *listeners: Listener) -> FirstSeatGames:
    """Play these games, whose numbers rise, and watch the first strategy."""
    uses = ActionCounts(games.load(cell.game), numbers, first_seat(cell, numbers))
    played = play(cell, numbers, [uses, *listeners])
    return FirstSeatGames(uses, played.decisions)


def play_choices(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block; count what the first strategy wins and chooses."""
    keep_freed_memory()
    played = play_first(cell, game_numbers(block))
    counts = played.uses.won_counts(), played.uses.counts()
    sums = sums_of(counts, block.batches(cell.players))
    return make_outcome(block, sums, played.decisions, {})


def flag_sums(
    labels: Mapping[str, pl.Series],
    one: Flags,
    others: NDArray[np.bool_],
    batches: GameBatches,
) -> pl.DataFrame:
    """Return the sums of flags on both sides, whose ``side`` is "one" or "other".

    one: (games,). others: (groups, games), each compared with the same ``one``.
    """
    once = np.broadcast_to(np.float64(1), others.shape)
    sides = {"one": np.broadcast_to(one, others.shape).copy(), "other": others}
    return pl.concat(
        Counts("", labels, flags, once).sums(batches).with_columns(side=pl.lit(side))
        for side, flags in sides.items()
    )
