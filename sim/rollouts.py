"""Rollouts: playing on from any decision, on deals that are possible.

For a seat, games are determinized: everything that it cannot know is dealt anew, and
what is still to come is drawn from a stream of its own. Then one of its answers is
forced and a policy plays the games on. The strategy never sees such a game, only how
they end, so search cannot learn what is hidden.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.branches import Branch, MergingTable
from sim.chance import Purpose
from sim.games import Alignment, Game, load
from sim.masks import Counts, Flags, Masks
from sim.table import Player, Sitting
from sim.view import Rows, Seat, View

Shares = NDArray[np.float64]  # (seats, games) shares of a win, or chances to win
ValueFunction = Callable[[int, NDArray[np.float64]], Shares]
"""Chances to win at the end of a stage, from ``Stage.part_of`` and its ``features``."""
_POLICIES = 1 << 40  # the counter of the draw of who sits where


def game_of(view: View) -> Game:
    """The game that a view belongs to."""
    return load(view._state.game_id)


@dataclass(frozen=True)
class BranchPoint(Branch):
    """Games that stand at one decision, and the answers to force there.

    seat: (games,) who decides. script: (games,) the answers; None leaves them to the
    players. sits: (seats, games) the index of each player; None as for the table.
    """

    seat: NDArray[Any]
    script: Masks | None = None
    sits: Sitting | None = None


class RolloutTable(MergingTable[BranchPoint]):
    """A table at which one answer is forced, and policies give all others.

    ``worth`` values games where they stop at the end of their stage; without it they
    are played to the end, or to the stage ``until`` (``sim.games.Alignment.stop_at``).
    """

    def __init__(
        self,
        game: Game,
        policies: Sequence[Player],
        sitting: Sitting | None = None,
        worth: ValueFunction | None = None,
        until: Callable[[Any], int] | None = None,
    ) -> None:
        super().__init__(policies, sitting, game.view, game.kinds)
        self._until = until
        self._game = game
        self._worth = worth
        self._kind = ""
        self._waits: Flags
        self._waiting = 0
        self.clear()

    def play(self, state: Any) -> Shares:
        """Play games to their end, or that of their stage; (seats, games) win shares.

        Seats that win together have equal shares.
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
            return shares_of(self.end, state.players)
        worth = self._worth(stage.part_of(state), stage.features(state))
        if stage.over is None:
            return worth
        return np.where(stage.over(state), shares_of(self.end, state.players), worth)

    def play_from(
        self, state: Any, kind: str, seat: NDArray[Any], script: Masks
    ) -> Shares:
        """Play on, forcing each seat's next answer of a kind; returns win shares.

        seat, script: (games,) who decides, and the forced answer.
        """
        return self.play_branch(BranchPoint(state, kind, seat, script))

    def play_branch(self, branch: BranchPoint) -> Shares:
        """Play the games of a branch alone; returns win shares."""
        self.begin(branch)
        return self.play(branch.state)

    def play_merged(
        self, branches: Iterable[BranchPoint], most: int
    ) -> Iterator[Mapping[str, Any]]:
        """Play games to their end, merging branches; yields the results in order."""
        for end in self.play_parts(self._game.play, branches, most):
            self._check()
            yield end

    def clear(self) -> None:
        """Forget all games."""
        self._waits = np.zeros(0, dtype=np.bool_)

    def add(self, part: BranchPoint) -> None:
        """Note which games are about to be forced an answer, and who sits there."""
        if part.sits is not None:
            self.sitting = self.branch.sits
        waits = part.script is not None
        self._kind, self._waiting = part.kind, len(part) * waits
        self._waits = np.append(self._waits, np.full(len(part), waits))

    def _check(self) -> None:
        """Raise RuntimeError if games ended before their answer was forced."""
        if self._waiting:
            raise RuntimeError(f"{self._waiting} games ended before {self._kind!r}.")

    @property
    def reached_end(self) -> bool:
        """Whether games were played to their end."""
        return bool(self.end)

    def ask(self, state: Any, name: str, seat: Seat, legal: Masks, **how: Any) -> Masks:
        """Ask as at any table, but force the answers of the script."""
        if not self._waiting:
            self.stop_if_awaited(state, name)
        if not self._waiting or name != self._kind:
            return super().ask(state, name, seat, legal, **how)
        rows = how.get("rows")
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        forced = self._waits.take(at) & (self.branch.seat.take(at) == seat)
        forced &= legal != masks.NOTHING
        answers: Any = self.branch.script
        script = masks.where(forced, answers.take(at))
        if (script & ~legal).any():
            raise RuntimeError(f"the answer forced at {name!r} is no option.")
        self._waits[at[forced]] = False
        self._waiting -= int(np.count_nonzero(forced))
        free = legal & ~masks.from_flags(forced)
        return super().ask(state, name, seat, free, **how) | script


def shares_of(end: Mapping[str, Any], players: int) -> Shares:
    """(seats, games) shares of the win, from the fields of a result."""
    seats = np.arange(players)[:, None]
    won: Flags = end["winner"] == seats
    if "winners" in end:
        bits = masks.ONE << seats.astype(np.uint64)
        won = won | ((end["winners"] & bits) != masks.NOTHING)
    return won / np.maximum(won.sum(axis=0), 1)


def play_on(
    game: Game,
    lineup: Sequence[Player],
    branches: Iterable[BranchPoint],
    most: int,
    align: Alignment | None,
) -> dict[str, NDArray[Any]]:
    """Play games on from decisions; the fields of their results, (..., games) each.

    The games are in the order of the branches. Those of several are played together as
    soon as they can be, up to ``most``, since a step costs little more for more games.
    With ``align`` a single player plays all of them together, wherever they stand.
    """
    if align is None:
        return _all_ends(RolloutTable(game, lineup).play_merged(branches, most))
    table, ends, states = RolloutTable(game, lineup, until=align.stop_at), [], []
    for branch in branches:
        table.play_branch(branch)
        ends.append(table.end)
        states.append(branch.state)
    end, (games, at) = _all_ends(ends), align.join(states)
    if len(at):
        table = RolloutTable(game, lineup)
        table.play(games)
        for name, values in end.items():
            values[..., at] = table.end[name]
    return end


def _all_ends(ends: Iterable[Mapping[str, Any]]) -> dict[str, NDArray[Any]]:
    """The fields of several results; those that are not told by game are left out."""
    first, *others = ends
    games = np.shape(first["winner"])
    return {
        name: np.concatenate([value, *(end[name] for end in others)], axis=-1)
        for name, value in first.items()
        if np.shape(value)[-1:] == games
    }


class Determinizations:
    """The games of a view, determinized for its seat: everything hidden is dealt anew.

    One of ``plans`` plays on for the seat itself; in each deal every other seat plays
    as one of ``others``, drawn at random.
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
        """(games,) the seat's share of the win after these answers.

        row, sample: (deals,) the row of the view that each deal belongs to, and the
        number of the deal; equal numbers are the same deal with the same future.
        of, answer, plan: (games,) the deal on which each game is played, the answer,
        and the index of the plan (by default the first) that plays on.
        """
        asked = self.branch_point(row, sample, of, answer, plan)
        desk = RolloutTable(self._game, self._policies, worth=self._worth)
        return desk.play_branch(asked)[asked.seat, np.arange(len(asked.seat))]

    def branch_point(
        self,
        row: Rows,
        sample: Masks,
        of: Rows,
        answer: Masks,
        plan: Rows | None = None,
    ) -> BranchPoint:
        """The games of ``values`` before they are played; arguments are the same."""
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
        return BranchPoint(games, self._view.kind.name, seat, answer, sitting)

    def _deal(self, row: Rows, sample: Masks, seat: Counts) -> Any:
        """The games of these rows with everything hidden dealt anew."""
        state, rows = self._view._state, self._view._rows
        at = row if rows is None else rows.take(row)
        clock = state.clock.take(at) if state.out_of_step else state.clock
        chance = state.chance.imagined(clock.tick, at, sample)
        deals = self._game.redeal(state.branch(at, chance), seat)
        # What other seats remember is theirs, and an experiment on deals may reveal
        # cards
        own = np.arange(deals.players, dtype=np.uint8)[:, None] == seat
        deals.memory = np.where(own, deals.memory, masks.NOTHING)
        deals.trial = None
        return deals

    def _sitting(self, deals: Any) -> Counts:
        """(seats, deals) which of the others plays in each seat, the own included."""
        sitting: Counts = np.zeros((deals.players, len(deals.games)), dtype=np.uint8)
        for one in range(deals.players):
            drawn = deals.chance.below(self._others, Purpose.HIDDEN, _POLICIES + one)
            sitting[one] = drawn
        return sitting
