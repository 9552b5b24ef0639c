"""Options knocked out: the same games where one player, or nobody, may take one.

Some games of a cell are played again without each option: once the first strategy of
the lineup alone may not take it, and once nobody may. Where it is all that there is, he
takes nothing. Who plays does not know until then, so plans for it may come to nothing.
A game in which it was not taken is the same game without it, and is not played again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, PlayedGames, seating
from experiments.core.uses import Numbers, first_seat
from sim import games, masks
from sim.events import Decision
from sim.listener import Choice, Listener
from sim.masks import Masks
from sim.table import Table
from sim.view import Rows, Seat

ONE, NOBODY = "one may not", "nobody may"
"""Who is kept from an option."""
_AT_ONCE = 8_192  # games played together


@dataclass(frozen=True)
class Knocked:
    """Which options are knocked out: those of some kinds of decision.

    kinds: of decisions, with one vocabulary. pools: the options by name, each with the
    ids that count as one. Tried are the games whose number is divisible by ``every``,
    which should share no divisor with the number of players.
    """

    kinds: tuple[str, ...]
    pools: Mapping[str, Sequence[str]] = field(default_factory=dict)
    every: int = 1

    @property
    def title(self) -> str:
        """What is knocked out, in words."""
        words = f"each of {len(self.pools)} options of {' and '.join(self.kinds)}"
        return words if self.every == 1 else f"{words}, in 1 of {self.every} games"


class Knockouts(Listener):
    """Listens to who takes each option first, and plays the games without it."""

    def __init__(self, wanted: Knocked, cell: Cell, numbers: Numbers) -> None:
        self._wanted, self._cell = wanted, cell
        self._numbers = numbers[numbers % np.uint64(wanted.every) == 0]
        self._player = first_seat(cell, self._numbers)
        self._bits: NDArray[np.uint64] | None = None
        self._winner: NDArray[np.int8] = np.zeros(0, dtype=np.int8)
        shape = (len(wanted.pools), len(self._numbers))
        self._first = np.full(shape, -1, dtype=np.int8)  # who takes it first
        self._took = np.zeros(shape, dtype=np.bool_)  # whether the player ever does

    def hears(self, name: str) -> bool:
        """The decisions in which options are taken, and the result."""
        return name in self._wanted.kinds or name == "result"

    def event(
        self, state: Any, name: str, where: object, fields: Mapping[str, Any]
    ) -> None:
        """Keep who won."""
        self._winner = fields["winner"][np.isin(state.games, self._numbers)]

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep who took what."""
        if self._bits is None:
            self._bits = self._pooled(state, choice.kind)
        rows = np.flatnonzero(
            choice.asked & (state.games % np.uint64(self._wanted.every) == 0)
        )
        if not len(rows):
            return
        game = np.searchsorted(self._numbers, state.games.take(rows))
        who = np.broadcast_to(np.asarray(choice.seat), choice.legal.shape).take(rows)
        answer = choice.answer.take(rows)
        for option, bits in enumerate(self._bits):
            at = np.flatnonzero((answer & bits) != masks.NOTHING)
            if len(at):
                of, by = game[at], who[at].astype(np.int8)
                self._took[option, of] |= by == self._player[of]
                first = self._first[option]
                first[of] = np.where(first[of] < 0, by, first[of])

    def _pooled(self, state: Any, kind: Decision) -> NDArray[np.uint64]:
        words = [str(one) for one in state.vocabularies[kind.vocabulary]]
        bits = [
            masks.union(n for n, one in enumerate(words) if one in ids)
            for ids in self._wanted.pools.values()
        ]
        return np.array(bits, dtype=np.uint64)

    def table(self, played: PlayedGames) -> pl.DataFrame:
        """A row a game, option and way: option, who, seat, used, own, won, won_without.

        ``seat`` is the player who may not take it, or, where nobody may, who took it
        first; -1 where nobody did. ``used``: whether it was taken (by the player).
        ``strategy`` is the first of the lineup, ``own`` whether it sits there.
        ``winner`` and ``winner_without`` are -1 for nobody.
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
            some = np.flatnonzero(used)
            without = self._winner.take(game)
            alone = self._player.take(game[some]) if way == ONE else None
            without[some] = self._again(option[some], game[some], alone)
            columns = {
                "game": self._numbers.take(game),
                "option": pl.Series(names, dtype=pl.String).gather(option),
                "seat": seat.reshape(-1).astype(np.int8),
                "used": used.reshape(-1),
                "own": mine.reshape(-1),
                "winner": self._winner.take(game),
                "winner_without": without,
            }
            who = pl.lit(self._cell.strategies()[0].title)
            rows = pl.DataFrame(columns)
            parts.append(rows.with_columns(who=pl.lit(way), strategy=who))
        return pl.concat(parts)

    def _again(
        self, option: Rows, game: Rows, alone: NDArray[np.int64] | None
    ) -> NDArray[np.int8]:
        """(rows,) who wins each game without an option; ``alone``: of this seat."""
        cell, found = self._cell, np.zeros(len(game), dtype=np.int8)
        if self._bits is None:
            return found
        for at in range(0, len(game), _AT_ONCE):
            part = slice(at, at + _AT_ONCE)
            numbers = self._numbers.take(game[part])
            who = None if alone is None else alone[part]
            desk = _Without(cell, numbers, self._wanted.kinds)
            found[part] = desk.play(self._bits.take(option[part]), who)
        return found


class _Without(Table):
    """A table at which, in each game, an option may not be taken."""

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

        barred: (games,) what may not be taken; who: (games,) by which seat, or nobody.
        """
        self._barred, self._who = barred, who
        self._game.play(self._state, self)
        return self._winner

    def emit(self, state: Any, name: str, *_: Any, **fields: Any) -> None:
        """Keep who won."""
        if name == "result":
            self._winner = fields["winner"]

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """As at any table; who would take what he may not is asked again."""
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
