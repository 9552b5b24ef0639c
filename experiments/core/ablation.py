"""Ablation of options: the same games, in which one player or nobody may take one.

Some games of a cell are played again without each option: once only the lineup's first
strategy may not take it, and once nobody may. A player with no other option takes
nothing. Players learn of the ban only when they would take the option, so plans for it
may fail. A game in which it was never taken is not played again, as it stays the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.action_counts import Numbers, first_seat
from experiments.core.cells import Cell, PlayedGames, seating
from sim import games, masks
from sim.events import Decision
from sim.listener import Choice, Fields, Listener
from sim.masks import Masks
from sim.table import Table
from sim.view import Rows, Seat

ONE, NOBODY = "one may not", "nobody may"
"""Who may not take an option."""
_BATCH = 8_192  # games played together: 1,024 take twice as long, more hardly less


@dataclass(frozen=True)
class AblationSpec:
    """Which options are ablated.

    kinds: the kinds of decision, with one vocabulary. pools: the options by name, each
    with the ids that count as one. every: games whose number is divisible by it are
    played again; it should share no divisor with the number of players.
    """

    kinds: tuple[str, ...]
    pools: Mapping[str, Sequence[str]] = field(default_factory=dict)
    every: int = 1

    @property
    def title(self) -> str:
        """The ablated options in words."""
        words = f"each of {len(self.pools)} options of {' and '.join(self.kinds)}"
        return words if self.every == 1 else f"{words}, in 1 of {self.every} games"


class AblationListener(Listener):
    """Listens to who takes each option first, and plays the games again without it."""

    def __init__(self, spec: AblationSpec, cell: Cell, numbers: Numbers) -> None:
        self._wanted, self._cell = spec, cell
        self._numbers = numbers[numbers % np.uint64(spec.every) == 0]
        self._player = first_seat(cell, self._numbers)
        self._bits: NDArray[np.uint64] | None = None
        self._winner: NDArray[np.int8] = np.zeros(0, dtype=np.int8)
        shape = (len(spec.pools), len(self._numbers))
        self._first = np.full(shape, -1, dtype=np.int8)  # who takes it first
        self._took = np.zeros(shape, dtype=np.bool_)  # whether the player ever does

    def hears(self, name: str) -> bool:
        """Hear the decisions with these options, and the result."""
        return name in self._wanted.kinds or name == "result"

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep who won."""
        self._winner = fields["winner"][np.isin(state.games, self._numbers)]

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep who took each option first, and whether the first strategy took it."""
        if self._bits is None:
            self._bits = self._pooled(state, choice.kind)
        rows = np.flatnonzero(
            choice.asked & (state.games % np.uint64(self._wanted.every) == 0)
        )
        if not len(rows):
            return
        game = np.searchsorted(self._numbers, state.games.take(rows))
        seat = np.broadcast_to(np.asarray(choice.seat), choice.legal.shape).take(rows)
        answer = choice.answer.take(rows)
        for option, bits in enumerate(self._bits):
            at = np.flatnonzero((answer & bits) != masks.NOTHING)
            if len(at):
                of, by = game[at], seat[at].astype(np.int8)
                self._took[option, of] |= by == self._player[of]
                first = self._first[option]
                first[of] = np.where(first[of] < 0, by, first[of])

    def _pooled(self, state: Any, kind: Decision) -> NDArray[np.uint64]:
        words = [str(option) for option in state.vocabularies[kind.vocabulary]]
        bits = [
            masks.union(n for n, one in enumerate(words) if one in ids)
            for ids in self._wanted.pools.values()
        ]
        return np.array(bits, dtype=np.uint64)

    def table(self, played: PlayedGames) -> pl.DataFrame:
        """Return a row for each game, option and ban (``who``).

        ``seat`` is the player who may not take the option; if nobody may, it is the
        first who took it, or -1 for none. ``used``: whether the option was taken (by
        that player). ``strategy`` is the lineup's first, ``own`` whether it plays in
        ``seat``. ``winner`` and ``winner_without`` are -1 for nobody.
        """
        names, size = [*self._wanted.pools], len(self._numbers)
        own = self._first == self._player
        if len(played.lineup) == 1:
            own = self._first >= 0
        option = np.repeat(np.arange(len(names)), size)
        game = np.tile(np.arange(size), len(names))
        parts = []
        for way, seat, used, mine in (
            (ONE, np.broadcast_to(self._player, own.shape), self._took, self._took),
            (NOBODY, self._first, self._first >= 0, own),
        ):
            changed = np.flatnonzero(used)  # all other games stay as they were
            without = self._winner.take(game)
            alone = self._player.take(game[changed]) if way == ONE else None
            without[changed] = self._replay(option[changed], game[changed], alone)
            columns = {
                "game": self._numbers.take(game),
                "option": pl.Series(names, dtype=pl.String).gather(option),
                "seat": seat.reshape(-1).astype(np.int8),
                "used": used.reshape(-1),
                "own": mine.reshape(-1),
                "winner": self._winner.take(game),
                "winner_without": without,
            }
            first = pl.lit(self._cell.strategies()[0].title)
            rows = pl.DataFrame(columns)
            parts.append(rows.with_columns(who=pl.lit(way), strategy=first))
        return pl.concat(parts)

    def _replay(
        self, option: Rows, game: Rows, alone: NDArray[np.int64] | None
    ) -> NDArray[np.int8]:
        """Return (rows,) the winners without an option; ``alone``: banned seats."""
        cell, winner = self._cell, np.zeros(len(game), dtype=np.int8)
        if self._bits is None:
            return winner
        for at in range(0, len(game), _BATCH):
            part = slice(at, at + _BATCH)
            numbers = self._numbers.take(game[part])
            who = None if alone is None else alone[part]
            table = _AblatedTable(cell, numbers, self._wanted.kinds)
            winner[part] = table.play(self._bits.take(option[part]), who)
        return winner


class _AblatedTable(Table):
    """A table at which one option may not be taken in each game."""

    def __init__(self, cell: Cell, numbers: Numbers, kinds: Sequence[str]) -> None:
        self._game, self._of = games.load(cell.game), kinds
        lineup, sitting = seating(cell.strategies(), cell.rotate, numbers)
        seats = sitting if len(lineup) > 1 else None
        super().__init__(lineup, seats, self._game.view, self._game.kinds)
        self._state = self._game.start(cell.rules, cell.players, cell.seed, numbers)
        self._barred: Masks = np.zeros(0, dtype=np.uint64)
        self._who: NDArray[np.int64] | None = None
        self._winner: NDArray[np.int8] = np.zeros(0, dtype=np.int8)

    def play(self, barred: Masks, who: NDArray[np.int64] | None) -> NDArray[np.int8]:
        """Play all games; return (games,) the winner of each.

        barred: (games,) what may not be taken. who: (games,) by which seat; None: any.
        """
        self._barred, self._who = barred, who
        self._game.play(self._state, self)
        return self._winner

    def emit(self, state: Any, name: str, *_: Any, **fields: Any) -> None:
        """Keep who won."""
        if name == "result":
            self._winner = fields["winner"]

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """Ask as at any table; ask again those who answer with a barred option."""
        answer = super().ask(state, name, seat, legal, **how)
        if name not in self._of:
            return answer
        rows = how.get("rows")
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        barred = self._barred.take(at)
        if self._who is not None:
            barred = masks.where(self._who.take(at) == seat, barred)
        again = (answer & barred) != masks.NOTHING
        if not again.any():
            return answer
        left = masks.where(again, legal & ~barred)
        return masks.blend(again, super().ask(state, name, seat, left, **how), answer)
