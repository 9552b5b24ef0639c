"""Branches: games that stand at a decision, from which they are played on.

A listener copies the games of a decision, and adds what is to happen there. A table
plays the branches on to the end, many of them together.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, Self, TypeVar

import numpy as np

from sim.table import Table
from sim.view import Rows


@dataclass(frozen=True)
class Branch:
    """Games that stand at a decision of a kind.

    Subclasses add what is known of each game, as arrays whose last axis is that of the
    games, or None.
    """

    state: Any
    kind: str

    def __len__(self) -> int:
        """How many games there are."""
        return len(self.state.games)

    def take(self, rows: Rows) -> Self:
        """Copy these games; one may be given several times."""
        known = self._known().items()
        taken: Any = {name: values.take(rows, axis=-1) for name, values in known}
        return replace(self, state=self.state.branch(rows), **taken)

    def concatenate(self, others: "Sequence[Self]") -> Self:
        """These games, followed by those of others, as in ``BatchState``."""
        known = [branch._known() for branch in (self, *others)]
        joint: Any = {
            name: np.concatenate([each[name] for each in known], axis=-1)
            for name in known[0]
        }
        state = self.state.concatenate([branch.state for branch in others])
        return replace(self, state=state, **joint)

    def _known(self) -> dict[str, Any]:
        """What is known of each game, by name."""
        values = {each.name: getattr(self, each.name) for each in fields(self)[2:]}
        return {name: value for name, value in values.items() if value is not None}


B = TypeVar("B", bound=Branch)


def joined(branches: Sequence[B]) -> list[B]:
    """Branches, of which those that are out of step are joined, phase by phase.

    That is much quicker, as each of them would be played alone.
    """
    groups: dict[Any, list[B]] = {}
    for number, branch in enumerate(branches):
        state = branch.state
        key = (branch.kind, state.clock.phase) if state.out_of_step else number
        groups.setdefault(key, []).append(branch)
    return [
        first.concatenate(others) if others else first
        for first, *others in groups.values()
    ]


class _BranchPointReached(Exception):
    """Games have reached the decision at which the next ones stand."""


class MergingTable(Table, Generic[B]):
    """A table that merges games which reach the same decision, and plays them together.

    Why: a step costs about the same for any number of games. ``branch`` has all games
    at the table, and what is known of each.
    """

    branch: B
    _awaits: tuple[str, Any] | None = None  # kind and tick of other games
    end: Mapping[str, Any] = {}
    """The result, where games were played to their end."""

    def clear(self) -> None:
        """Forget all games."""

    def add(self, part: B) -> None:
        """Note what is new of the games of a part, which are at the table now."""

    def begin(self, part: B) -> None:
        """Take in the games of a part; all others leave."""
        self.clear()
        self._prepare(part)
        self.branch = part
        self.add(part)

    def _join(self, part: B) -> None:
        """Take in games that stand where those at the table have come to."""
        self._prepare(part)
        self.branch = self.branch.concatenate([part])
        self.add(part)

    def _prepare(self, part: B) -> None:
        """Forget what nobody asks for."""
        if self.ignores_public_history:
            part.state.drop_public_history()

    def play_parts(
        self, play: Callable[[Any, Table], None], parts: Iterable[B], most: int
    ) -> Iterator[Mapping[str, Any]]:
        """Play games to their end; yields the result of those that were merged.

        Where games reach the decision of the next part, both are merged, unless
        together they are more than ``most``. Games whose rows are out of step never
        merge.
        """
        coming = iter(parts)
        part: Any = next(coming, None)
        while part is not None:
            self.begin(part)
            size, part = len(part), next(coming, None)
            while self._plays_to(play, part, most - size):
                self._join(part)
                size, part = size + len(part), next(coming, None)
            yield self.end

    def _plays_to(
        self, play: Callable[[Any, Table], None], part: Any, most: int
    ) -> bool:
        """Play on; whether the games reached the decision at which a part stands."""
        self._awaits, state = None, self.branch.state
        if part is not None and len(part) <= most and not state.out_of_step:
            self._awaits = part.kind, part.state.clock.tick
        try:
            play(state, self)
        except _BranchPointReached:
            return True
        return False

    def emit(self, state: Any, name: str, *_: Any, **fields: Any) -> None:
        """Keep the result."""
        if name == "result":
            self.end = fields

    def stop_if_awaited(self, state: Any, name: str) -> None:
        """Stop before a decision if it is the one at which the next games stand."""
        if self._awaits is not None and self._awaits == (name, state.clock.tick):
            raise _BranchPointReached
