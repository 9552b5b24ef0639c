"""What the first strategy of a lineup does, and what becomes of it.

Of each option: how often it could be taken, and how often it was; by game, so that
intervals have the game as their unit. A rotated lineup's first strategy sits in seat
(- game) modulo players.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, play
from reports.counts import Counts
from reports.measures import SUMS
from reports.products import SIDES
from sim import games, masks
from sim.events import Decision
from sim.games import Game
from sim.listener import Choice, Listener
from sim.masks import Flags, Mask

USES = "taken"
"""Of the times that an option could be taken, those that it was."""
WON = "won"
"""Games that the first strategy wins."""
Numbers = NDArray[np.uint64]
Times = NDArray[np.uint16]


def first_seat(cell: Cell, numbers: Numbers) -> NDArray[np.int64]:
    """(games,) where the first strategy of the lineup sits."""
    turn = numbers.astype(np.int64) if cell.rotate else np.zeros(len(numbers), int)
    return -turn % cell.players


class Uses(Listener):
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
        """The result, and every kind of decision."""
        return name == "result" or name in self._kinds

    def event(
        self, state: Any, name: str, where: object, fields: Mapping[str, Any]
    ) -> None:
        """Keep who won."""
        if name == "result":  # some notes are called as a kind of decision is
            self.won = fields["winner"] == self._seat

    def choice(self, state: Any, choice: Choice) -> None:
        """Count what the seat could take, and what it took."""
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
        """The numbers by game that are kept under a key."""
        if key not in kept:
            kept[key] = np.zeros(len(self._numbers), dtype=kind)
        found: NDArray[Any] = kept[key]
        return found

    def _options(self, state: Any, kind: Decision) -> Mapping[str, Mask]:
        """The bits of each option; what is named by where it lies has its own name."""
        if kind.name not in self._bits:
            words = [str(one) for one in state.vocabularies[kind.vocabulary]]
            self._bits[kind.name] = {
                option: masks.union(n for n, one in enumerate(words) if one == option)
                for option in dict.fromkeys(words)
                if option != "?"
            }
        return self._bits[kind.name]

    def counts(self) -> Counts:
        """The uses of each option, by decision and option."""
        games = len(self._numbers)
        names = pairs(self.could)
        rows = [[part[key] for key in self.could] for part in (self.taken, self.could)]
        empty = np.zeros((0, games), dtype=np.uint16)
        y, x = (np.stack(part) if part else empty for part in rows)
        return Counts(USES, names, y, x)

    def won_counts(self) -> Counts:
        """Whether the seat won."""
        return won_counts(self.won)


def won_counts(won: Flags) -> Counts:
    """Whether a seat won each game."""
    return Counts(WON, {}, won[None], np.ones((1, len(won)), dtype=np.uint16))


def pairs(keys: Iterable[tuple[str, str]]) -> dict[str, pl.Series]:
    """Decisions and options as columns."""
    listed = list(keys)
    return {
        "decision": pl.Series("decision", [one for one, _ in listed], dtype=pl.String),
        "option": pl.Series("option", [one for _, one in listed], dtype=pl.String),
    }


@dataclass(frozen=True)
class FirstPlayed:
    """What the first strategy did and won, and how many decisions all made."""

    uses: Uses
    decisions: int


def play_first(
    cell: Cell,
    numbers: Numbers,
    *listeners: Listener,
    won_only: bool = False,
) -> FirstPlayed:
    """Play these games, whose numbers rise, and watch the first strategy."""
    game = games.load(cell.game)
    uses = Uses(game, numbers, first_seat(cell, numbers), won_only=won_only)
    played = play(cell, numbers, [uses, *listeners])
    return FirstPlayed(uses, played.decisions)


def flag_products(
    labels: Mapping[str, pl.Series], one: Flags, others: NDArray[np.bool_]
) -> pl.DataFrame:
    """``reports.products.products`` of what is so, or not, once in each game.

    one: (games,); others: (groups, games), each compared with the same ``one``.
    """
    groups, games = others.shape
    mine = np.full(groups, float(np.count_nonzero(one)))
    theirs = np.count_nonzero(others, axis=1).astype(np.float64)
    both = np.count_nonzero(others & one, axis=1).astype(np.float64)
    differ = np.count_nonzero(others != one, axis=1).astype(np.float64)
    none, each = np.zeros(groups), np.full(groups, float(games))
    values = {
        "one": (mine, each, mine, each, mine, each, mine),
        "other": (theirs, each, theirs, each, theirs, each, theirs),
        "one x other": (none, none, both, each, theirs, each, both),
        "other x one": (none, none, both, each, mine, differ, both),
    }
    parts = [
        pl.DataFrame({**labels, **dict(zip(SUMS, columns, strict=True))}).with_columns(
            side=pl.lit(side)
        )
        for side, columns in values.items()
    ]
    return pl.concat(parts)


def sides(
    sums: pl.DataFrame, by: Sequence[str]
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Both sides of such products, and the table of products of the two.

    As ``reports.statistics.paired_estimates`` takes them.
    """
    one, other, first, second = (
        sums.filter(pl.col("side") == side).select(*by, *SUMS).sort(by)
        if by
        else sums.filter(pl.col("side") == side).select(SUMS)
        for side in SIDES
    )
    cross = first.select(*by, "yy", "xx", "xy", "games", yyv="yyy").with_columns(
        yx=second["xy"], differ=second["games"], yvv=second["yyy"]
    )
    return one, other, cross
