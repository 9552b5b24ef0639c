"""A table at which the answers to two decisions of each game can be forced."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import PlayedGames, distinct
from experiments.counterfactual.intervention import EveryOption, Intervention
from sim import masks
from sim.branches import Branch, MergingTable
from sim.games import Game
from sim.masks import Flags, Masks
from sim.table import Player
from sim.view import Rows, Seat


@dataclass(frozen=True)
class ForcedBranch(Branch):
    """Games that stand at a decision, each with a script.

    started: (games,) the place of each when all started, which
    determines the seating. seat: (games,) who decides. script: (2, games) the two
    answers. left: (games,) options that were not taken; or None.
    """

    started: Rows
    seat: NDArray[np.uint8]
    script: Masks
    left: Masks | None


class ForcedActionTable(MergingTable[ForcedBranch]):
    """Games that are played on to their end, each by a script (``play``).

    A script forces the answer to one decision, and to the next one if its kind is
    among ``then``. All other decisions, and empty answers of the script, are left to
    the players. After the first answer ``continuation`` replaces the decider; if
    everybody's decisions are tried, it plays every seat from the start. Afterwards
    ``others`` (games,) are the options that were not taken at that next decision.
    """

    def __init__(
        self,
        game: Game,
        played: PlayedGames,
        tried: Intervention[EveryOption],
        continuation: Player | None,
    ) -> None:
        lineup: list[Player] = [*played.lineup]
        self._by = -1  # index of the player who replaces the decider
        if continuation is not None:
            lineup = (
                distinct([*lineup, continuation])
                if tried.whose == "first"
                else [continuation]
            )
            self._by = next(
                n for n, player in enumerate(lineup) if player == continuation
            )
        super().__init__(lineup, None, game.view, game.kinds)
        self._play_on = game.play
        self._seating = played.sitting
        self._scripted = tried.when.decisions, tried.do.then
        self._note, *self._fields = tried.do.keeps or ("",)
        self._time: Any = None  # the first clock unit, while options are left
        self.clear()

    def clear(self) -> None:
        """Drop all games."""
        none = np.zeros(0, dtype=np.int64)
        self._script: Masks = np.zeros((2, 0), dtype=np.uint64)
        self._answered: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self._left: Masks | None = None
        self._noted: Flags = np.zeros(0, dtype=np.bool_)
        self.seat: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self.others: Masks = np.zeros(0, dtype=np.uint64)
        self.noted_fields: dict[str, NDArray[Any]] = dict.fromkeys(self._fields, none)
        self.next_taker: NDArray[np.int8] = np.zeros(0, dtype=np.int8)
        if len(self.lineup) > 1:
            self.sitting = self._seating[:, :0]

    def play(
        self, parts: Iterable[ForcedBranch], most: int
    ) -> Iterator[Mapping[str, Any]]:
        """Play games on, part by part; yield the result of each batch.

        When games reach the decision at which those of the next part stand, these join
        them, up to ``most``, as larger batches cost hardly more. Then ``seat`` (games,)
        is who decided, and ``noted_fields`` the fields of the note by name, (games,)
        each. If options were left, ``next_taker`` (games,) is the first other seat that
        takes one at a decision of the first kinds before the first clock unit ends, or
        -1.
        """
        for _ in self.play_parts(self._play_on, parts, most):
            yield self.end

    def add(self, part: ForcedBranch) -> None:
        """Add the games of a part."""
        size = len(part)
        self._script = np.append(self._script, part.script, axis=1)
        self._answered = np.append(self._answered, np.zeros(size, dtype=np.uint8))
        self._noted = np.append(self._noted, np.zeros(size, dtype=np.bool_))
        self.seat = np.append(self.seat, part.seat)
        self.others = np.append(self.others, np.zeros(size, dtype=np.uint64))
        for name, values in self.noted_fields.items():
            self.noted_fields[name] = np.append(
                values, np.zeros(size, dtype=values.dtype)
            )
        self.next_taker = np.append(self.next_taker, np.full(size, -1, dtype=np.int8))
        if part.left is not None:
            self._until(part.state)
            left = part.left[:0] if self._left is None else self._left
            self._left = np.append(left, part.left)
        if self.sitting is not None:
            sitting = self._seating.take(part.started, axis=1)
            self.sitting = np.append(self.sitting, sitting, axis=1)

    def hears(self, name: str) -> bool:
        """Hear the note that is kept."""
        return name == self._note or super().hears(name)

    def emit(self, state: Any, name: str, *_: Any, **fields: Any) -> None:
        """Keep the result, and the first wanted note after the answer."""
        super().emit(state, name, **fields)
        if name == self._note:
            now = (self._answered > 0) & ~self._noted
            for field, values in self.noted_fields.items():
                mine = values_of_seat(fields[field], self.seat)
                before = values.astype(mine.dtype)
                self.noted_fields[field] = np.where(now, mine, before)
            self._noted |= now

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """Ask as at any table, except for answers that the scripts force."""
        self.stop_if_awaited(state, name)
        rows = how.get("rows")
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        answered, asked = self._answered.take(at), legal != masks.NOTHING
        first = asked & (answered == 0) & (name in self._scripted[0])
        second = asked & (answered == 1)
        then = second & (name in self._scripted[1])
        script = masks.where(first, self._script[0].take(at))
        script |= masks.where(then, self._script[1].take(at))
        forced = first | (script != masks.NOTHING)
        free = masks.where(~forced, legal)
        answer = super().ask(state, name, seat, free, **how) | script
        self.others[at] |= masks.where(then, legal ^ answer)
        self._answered[at] += first | second
        if self._by >= 0 and self.sitting is not None and first.any():
            then = at[first]
            self.sitting[self.seat.take(then), then] = self._by
        if self._left is not None and name in self._scripted[0]:
            self._until(state)
            self._watch(at, seat, masks.where(answered > 0, answer))
        return answer

    def _until(self, state: Any) -> None:
        """Stop watching options that were left in an earlier clock unit."""
        time = _unit(state)
        if time != self._time and self._left is not None:
            self._left[:] = masks.NOTHING
        self._time = time

    def _watch(self, at: Rows, seat: Seat, answer: Masks) -> None:
        """Keep who takes an option that was left, and stop watching that game."""
        if self._left is None:
            return
        hit = np.flatnonzero((answer & self._left.take(at)) != masks.NOTHING)
        if len(hit):
            places = at[hit]
            taker = np.broadcast_to(np.asarray(seat), len(at))[hit].astype(np.int8)
            other = taker != self.seat.take(places).astype(np.int8)
            self.next_taker[places] = np.where(other, taker, -1)
            self._left[places] = masks.NOTHING


def _unit(state: Any) -> Any:
    """Return the first unit of a state's clock: the week, the round."""
    return next(iter(state.clock.labels().values()), None)


def values_of_seat(values: NDArray[Any], seat: NDArray[np.uint8]) -> NDArray[Any]:
    """Return (games,) the value of a seat in each game, of (seats, games)."""
    mine: NDArray[Any] = values[seat, np.arange(len(seat))]
    return mine
