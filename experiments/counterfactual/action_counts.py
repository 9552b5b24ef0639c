"""How often the lineup's first strategy takes each option, and how often it wins.

Counts are kept by game, as the game is the unit of intervals. A rotated lineup's first
strategy sits in seat (- game) modulo players.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, play
from reports.counts import Counts
from reports.cross_moments import SIDES
from reports.measures import SUMS
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

    def __init__(
        self, game: Game, numbers: Numbers, seat: NDArray[np.int64], *, won_only: bool
    ) -> None:
        self._numbers, self._seat = numbers, seat
        self._kinds = {} if won_only else game.kinds
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
        return won_counts(self.won)


def won_counts(won: Flags) -> Counts:
    """Return the counts of games won, from (games,) flags."""
    return Counts(WON, {}, won[None], np.ones((1, len(won)), dtype=np.uint16))


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


def play_first(
    cell: Cell, numbers: Numbers, *listeners: Listener, won_only: bool = False
) -> FirstSeatGames:
    """Play these games, whose numbers rise, and watch the first strategy."""
    game = games.load(cell.game)
    uses = ActionCounts(game, numbers, first_seat(cell, numbers), won_only=won_only)
    played = play(cell, numbers, [uses, *listeners])
    return FirstSeatGames(uses, played.decisions)


def split_products(
    sums: pl.DataFrame, groups: Sequence[str]
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return both sides of ``cross_moments``, and the table of their products.

    They have the form that ``reports.statistics.paired_estimates`` takes.
    """
    one, other, first, second = (
        sums.filter(pl.col("side") == side).select(*groups, *SUMS).sort(groups)
        if groups
        else sums.filter(pl.col("side") == side).select(SUMS)
        for side in SIDES
    )
    cross = first.select(*groups, "yy", "xx", "xy", "games", yyv="yyy").with_columns(
        yx=second["xy"], differ=second["games"], yvv=second["yyy"]
    )
    return one, other, cross
