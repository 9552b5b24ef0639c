"""Playing on from any decision, on deals that could be.

A seat imagines the games it sits in: all that it cannot know is dealt anew, and what
is still to come is drawn from chance of its own. Then one of its answers is given, and
the games are played on by a policy. It is handed no such game, only how games end.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Purpose
from sim.games import Alignment, Game, load
from sim.masks import Counts, Flags, Masks
from sim.table import Player, Table
from sim.view import Rows, Seat, View

Shares = NDArray[np.float64]  # (seats, games) of a win, or chances to win
ValueFunction = Callable[[int, NDArray[np.float64]], Shares]
"""The chances to win at the end of a stage: of its part and ``Stage.features``."""
_POLICIES = 1 << 40  # a count of chance for who sits where


def game_of(view: View) -> Game:
    """The game that a view is of, which its state names."""
    return load(view._state.game_id)


class BranchPoint(NamedTuple):
    """Games that stand at one question.

    kind: of that question. seat: (games,) whose it is. script: its answer.
    """

    state: Any
    kind: str
    seat: NDArray[Any]
    script: Masks


class _BranchPointReached(Exception):
    """Games have come to the question at which others stand."""


class MergingTable(Table):
    """A table at which games that come to where others stand are played on with them.

    What a moment costs hangs little on how many games have it.
    """

    _awaits: tuple[str, Any] | None = None  # kind and tick of other games

    def clear(self) -> None:
        """No games."""

    def add(self, part: Any) -> None:
        """These games too."""

    def play_parts(
        self, play: Callable[[Any, Table], None], parts: Iterable[Any], most: int
    ) -> Iterator[tuple[Any, list[int]]]:
        """Play games to their end: those that ended together, and the parts' sizes.

        Where games come to the question at which those of the next part stand (a
        ``state`` at a question of a ``kind``, and whose ``seat`` it is), these join
        them, unless they are more than ``most`` together. They do not come there where
        rows are out of step.
        """
        coming = iter(parts)
        part: Any = next(coming, None)
        while part is not None:
            self.clear()
            self.add(part)
            state, sizes, part = part.state, [len(part.seat)], next(coming, None)
            while self._plays_to(play, state, part, most - sum(sizes)):
                state = state.concatenate([part.state])
                self.add(part)
                sizes.append(len(part.seat))
                part = next(coming, None)
            yield state, sizes

    def _plays_to(
        self, play: Callable[[Any, Table], None], state: Any, part: Any, most: int
    ) -> bool:
        """Play on; whether the games came to where those of a part stand."""
        self._awaits = None
        if part is not None and len(part.seat) <= most and not state.out_of_step:
            self._awaits = part.kind, part.state.clock.tick
        try:
            play(state, self)
        except _BranchPointReached:
            return True
        return False

    def stop_if_awaited(self, state: Any, name: str) -> None:
        """A question is to be asked: stop before it, if others stand there."""
        if self._awaits is not None and self._awaits == (name, state.clock.tick):
            raise _BranchPointReached


class RolloutTable(MergingTable):
    """A table at which the next answer of a seat is told, and policies give all others.

    ``worth`` is asked where games stop at the end of their stage; without it they are
    played to the end, or ``until`` (``sim.games.Align``).
    """

    def __init__(
        self,
        game: Game,
        policies: Sequence[Player],
        sitting: Counts | None = None,
        worth: ValueFunction | None = None,
        until: Callable[[Any], int] | None = None,
    ) -> None:
        super().__init__(policies, sitting, game.view, game.kinds)
        self._until = until
        self._game = game
        self._worth = worth
        self._kind = ""
        self._seat: NDArray[Any]
        self._script: Masks
        self._waits: Flags
        self._waiting = 0
        self.clear()
        self._end: dict[str, Any] = {}

    def play(self, state: Any) -> Shares:
        """Play games to their end, or to that of their stage: the shares of the win.

        Of the seats that win together each has the same share.
        """
        stage, number = self._game.stage, None
        if stage is not None and self._worth is not None:
            number = stage.number(state)
        state.stops = number if self._until is None else self._until(state)
        if self.ignores_public_history:
            state.drop_public_history()
        self._game.play(state, self)
        self._check()
        if stage is None or number is None or self._worth is None:
            return shares_of(self._end, state.players)
        worth = self._worth(stage.part_of(state), stage.features(state))
        if stage.over is None:
            return worth
        return np.where(stage.over(state), shares_of(self._end, state.players), worth)

    def play_from(
        self, state: Any, kind: str, seat: NDArray[Any], script: Masks
    ) -> Shares:
        """Play from here, where each seat gives its next answer of a kind by a script.

        seat, script: (games,) who it is, and the answer.
        """
        self._kind, self._seat, self._script = kind, seat, script
        self._waits = np.ones(len(script), dtype=np.bool_)
        self._waiting = len(script)
        return self.play(state)

    def play_merged(self, parts: Iterable[BranchPoint], most: int) -> Iterator[Shares]:
        """Play games to their end, many together: the shares of each part."""
        for state, sizes in self.play_parts(self._game.play, parts, most):
            self._check()
            shares = shares_of(self._end, state.players)
            yield from np.split(shares, np.cumsum(sizes)[:-1], axis=1)

    def clear(self) -> None:
        """No games."""
        self._seat = np.zeros(0, dtype=np.uint8)
        self._script = np.zeros(0, dtype=np.uint64)
        self._waits = np.zeros(0, dtype=np.bool_)

    def add(self, part: BranchPoint) -> None:
        """These games too, which are about to be told an answer."""
        self._kind, self._waiting = part.kind, len(part.seat)
        self._seat = np.append(self._seat, part.seat)
        self._script = np.append(self._script, part.script)
        waits = np.ones(self._waiting, dtype=np.bool_)
        self._waits = np.append(self._waits, waits)
        if self.ignores_public_history:
            part.state.drop_public_history()

    def _check(self) -> None:
        """Every script was told."""
        if self._waiting:
            raise RuntimeError(f"{self._waiting} games ended before {self._kind!r}.")

    @property
    def end(self) -> Mapping[str, Any]:
        """The result, where games were played to their end."""
        return self._end

    @property
    def reached_end(self) -> bool:
        """Whether games were played to their end."""
        return bool(self._end)

    def emit(self, state: Any, name: str, *_: Any, **fields: Any) -> None:
        """Keep the result."""
        if name == "result":
            self._end = fields

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """As at any table, but for the answers that the script tells."""
        if not self._waiting:
            self.stop_if_awaited(state, name)
        if not self._waiting or name != self._kind:
            return super().ask(state, name, seat, legal, **how)
        rows = how.get("rows")
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        told = self._waits.take(at) & (self._seat.take(at) == seat)
        told &= legal != masks.NOTHING
        script = masks.where(told, self._script.take(at))
        if (script & ~legal).any():
            raise RuntimeError(f"a script of {name!r} tells what is no option.")
        self._waits[at[told]] = False
        self._waiting -= int(np.count_nonzero(told))
        free = legal & ~masks.from_flags(told)
        return super().ask(state, name, seat, free, **how) | script


def shares_of(end: Mapping[str, Any], players: int) -> Shares:
    """(seats, games) shares of the win, as a result tells it."""
    seats = np.arange(players)[:, None]
    won: Flags = end["winner"] == seats
    if "winners" in end:
        bits = masks.ONE << seats.astype(np.uint64)
        won = won | ((end["winners"] & bits) != masks.NOTHING)
    return won / np.maximum(won.sum(axis=0), 1)


def play_out(
    game: Game, player: Player, align: Alignment, states: Sequence[Any], shares: Shares
) -> None:
    """Play games that were stopped to be joined to their end, in place of ``shares``.

    ``shares`` (seats, games) are of all games of these states, as they started.
    """
    games, at = align.join(states)
    if len(at):
        shares[:, at] = RolloutTable(game, [player]).play(games)


class Determinizations:
    """The games of a view as the seat may imagine them, blind to what is hidden.

    One of ``plans`` plays on for the seat itself; each other seat plays in each deal as
    one of ``others``, drawn at random.
    """

    def __init__(
        self,
        view: View,
        plans: Sequence[Player],
        others: Sequence[Player],
        worth: ValueFunction | None = None,
    ) -> None:
        self._view = view
        self._game = game_of(view)
        self._policies = [*others, *(plan for plan in plans if plan not in others)]
        numbers = [self._policies.index(plan) for plan in plans]
        self._plans = np.array(numbers, dtype=np.uint8)
        self._others = len(others)
        self._worth = worth
        self._seat = np.broadcast_to(np.asarray(view.seat, dtype=np.uint8), len(view))

    def values(
        self,
        row: Rows,
        sample: Masks,
        of: Rows,
        answer: Masks,
        plan: Rows | None = None,
    ) -> Shares:
        """What share of the win the seat has where it gives these answers.

        row, sample: (deals,) the row of the view that each deal is of, and the number
        of the deal; the same number is the same deal, with the same chance to come.
        of, answer, plan: (games,) the deal that each game is played on, the answer, and
        the number of the plan (by default the first) that plays on.
        """
        asked, sitting = self.branch_point(row, sample, of, answer, plan)
        desk = RolloutTable(self._game, self._policies, sitting, self._worth)
        return desk.play_from(*asked)[asked.seat, np.arange(len(asked.seat))]

    def branch_point(
        self,
        row: Rows,
        sample: Masks,
        of: Rows,
        answer: Masks,
        plan: Rows | None = None,
    ) -> tuple[BranchPoint, Counts | None]:
        """These games before they are played, and who sits where of several players.

        Arguments as of ``values``.
        """
        seat = self._seat.take(row)
        deals = self._deal(row, sample, seat)
        games, seat = deals.branch(of), seat.take(of)
        sitting = None
        if len(self._policies) > 1:
            sitting = self._sitting(deals).take(of, axis=1)
            own = self._plans.take(0 if plan is None else plan)
            sitting[seat, np.arange(len(seat))] = own
        if self._game.rewind_simultaneous is not None:
            self._game.rewind_simultaneous(games)
        return BranchPoint(games, self._view.kind.name, seat, answer), sitting

    def _deal(self, row: Rows, sample: Masks, seat: Counts) -> Any:
        """The games of these rows with all that is hidden dealt anew."""
        state, rows = self._view._state, self._view._rows
        at = row if rows is None else rows.take(row)
        clock = state.clock.take(at) if state.out_of_step else state.clock
        chance = state.chance.imagined(clock.tick, at, sample)
        deals = self._game.redeal(state.branch(at, chance), seat)
        own = np.arange(deals.players, dtype=np.uint8)[:, None] == seat
        deals.memory = np.where(own, deals.memory, masks.NOTHING)
        deals.trial = None
        return deals

    def _sitting(self, deals: Any) -> Counts:
        """(seats, deals) which policy plays for each seat, were it another one."""
        sitting: Counts = np.zeros((deals.players, len(deals.games)), dtype=np.uint8)
        for one in range(deals.players):
            drawn = deals.chance.below(self._others, Purpose.HIDDEN, _POLICIES + one)
            sitting[one] = drawn
        return sitting
