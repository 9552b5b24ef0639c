"""A table at which options are tried: each is forced, and what follows is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.counterfactual.intervention import EveryOption, Intervention
from sim import masks
from sim.games import Game
from sim.masks import Masks
from sim.rollouts import BranchPoint, RolloutTable
from sim.table import Player
from sim.view import Rows, Seat


@dataclass(frozen=True)
class ForcedBranch(BranchPoint):
    """Games that stand at a decision, and what is forced there and at the next one.

    then: (games,) the answers to the next decision; nothing leaves it to the player.
    left: (games,) the options that are watched, as they were not taken, in this
    ``unit`` of the clock.
    """

    then: Masks = field(kw_only=True)
    left: Masks = field(kw_only=True)
    unit: Rows = field(kw_only=True)


class ForcedActionTable(RolloutTable):
    """A table at which an answer is forced, and the next one, if that is asked for.

    ``follows`` has, (games,) each: the fields of the note that is kept
    (``EveryOption.keeps``) by name; ``others``, the options that were not taken at the
    next decision, if its kind is among ``EveryOption.then``; and with ``left``,
    ``next``: the first other seat that takes an option that was left, at a decision of
    the kinds tried and before the first clock unit ends, or -1.
    """

    branch: ForcedBranch

    def __init__(
        self, game: Game, lineup: Sequence[Player], tried: Intervention[EveryOption]
    ) -> None:
        self._kinds_tried, self._do = tried.when.decisions, tried.do
        self._note, *self._fields = tried.do.keeps or ("",)
        super().__init__(game, lineup)

    def clear(self) -> None:
        """Forget all games."""
        super().clear()
        none = np.zeros(0, dtype=np.int64)
        self._is_next = self._noted = none.astype(np.bool_)
        self.follows: dict[str, NDArray[Any]] = {
            "others": none.astype(np.uint64),
            **dict.fromkeys(self._fields, none),
            **({"next": none.astype(np.int8)} if self._do.left else {}),
        }

    def add(self, part: Any) -> None:
        """Note what is new of games that stand at the decision."""
        super().add(part)
        new = np.zeros(len(part), dtype=np.bool_)
        self._is_next = np.append(self._is_next, new)
        self._noted = np.append(self._noted, new)
        for name, values in self.follows.items():
            fresh = np.full(len(part), -1 if name == "next" else 0, values.dtype)
            self.follows[name] = np.append(values, fresh)

    def hears(self, name: str) -> bool:
        """Hear the note that is kept."""
        return name == self._note or super().hears(name)

    def emit(self, state: Any, name: str, *_: Any, **fields: Any) -> None:
        """Keep the result, and the first note after the answer."""
        super().emit(state, name, **fields)
        if name == self._note:
            for of in self._fields:
                mine = values_of_seat(fields[of], self.branch.seat)
                before = self.follows[of].astype(mine.dtype)
                self.follows[of] = np.where(self._noted, before, mine)
            self._noted[:] = True

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """Ask as at any table, but force the answers."""
        rows = how.get("rows")
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        waits, asked = self._waits.take(at), legal != masks.NOTHING
        then = self._is_next.take(at) & asked & (name in self._do.then)
        script = masks.where(then, self.branch.then.take(at))
        free = masks.where(script == masks.NOTHING, legal)
        answer = super().ask(state, name, seat, free, **how) | script
        self.follows["others"][at] |= masks.where(then, legal ^ answer)
        self._is_next[at] = np.where(asked, waits, self._is_next.take(at))
        if self._do.left and name in self._kinds_tried:
            self._watch(state, at, seat, masks.where(~waits, answer))
        return answer

    def _watch(self, state: Any, at: Rows, seat: Seat, answer: Masks) -> None:
        """Keep who takes an option that was left, and stop watching that game."""
        taken = (answer & self.branch.left.take(at)) != masks.NOTHING
        hit = np.flatnonzero(taken & (self.branch.unit.take(at) == first_unit(state)))
        places = at[hit]
        taker = np.broadcast_to(np.asarray(seat), len(at))[hit].astype(np.int8)
        other = taker != self.branch.seat.take(places).astype(np.int8)
        self.follows["next"][places] = np.where(other, taker, -1)
        self.branch.left[places] = masks.NOTHING


def first_unit(state: Any) -> Any:
    """Return the first unit of a state's clock (the week, the round), or 0."""
    return next(iter(state.clock.labels().values()), 0)


def values_of_seat(values: NDArray[Any], seat: NDArray[np.uint8]) -> NDArray[Any]:
    """Return (games,) the value of a seat in each game, of (seats, games)."""
    mine: NDArray[Any] = values[seat, np.arange(len(seat))]
    return mine
