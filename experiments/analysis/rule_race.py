"""A race of rule changes towards targets, in rounds that each play new deals.

Sequential halving (Karnin, Koren & Somekh 2013, ICML 28:1238-1246): all changes play a
few common deals, and the nearest play four times as many new ones, together with those
that may be as near, given the uncertainty of a few deals.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments.analysis import scorecard_effects
from experiments.analysis.line_values import LineValue
from experiments.analysis.scorecard_effects import Scores
from experiments.analysis.scorecard_goals import Goal
from experiments.core.cells import Cell
from experiments.execution.run import Progress
from experiments.variants.rule_steps import RuleStep
from experiments.variants.variant_files import BASE

ROUNDS = ((16, 16), (4, 4))
"""Per round of a race: the divisor of the games, and how many changes survive."""
_DOUBT = 2.0
"""Standard errors that a change may be nearer than it seems, after the first round."""
_DOUBTED = 2  # times the survivors of a round: the most that may go on with doubt


@dataclass(frozen=True)
class Near:
    """A change in the race: ``over`` is how far it misses the targets, in tolerances.

    ``least`` is how little it may miss them by, given its standard error.
    """

    step: RuleStep
    over: float
    least: float

    @property
    def rank(self) -> tuple[float, int, int]:
        """Sort key: the nearest first; of those that meet the targets the smallest."""
        return max(self.over, 0.0), len(self.step.changes), self.step.size


class RoundProgress:
    """A progress that is told rounds and the best change, not what the games show."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress

    def __call__(self, done: int, total: int) -> None:
        """Report the games done, and the games in all."""
        if self._progress is not None:
            self._progress(done, total)

    def step(self, words: str) -> None:
        """Begin a round."""
        self._told("step", words)

    def tell(self, words: str) -> None:
        """Tell a sentence."""
        self._told("tell", words)

    def _told(self, how: str, words: str) -> None:
        told = getattr(self._progress, how, None)
        if told is not None:
            told(words)


class Race:
    """Plays rounds, each on new deals.

    ``nearest``: all changes of the last race, by their last rounds. ``base_over``: by
    how much the base misses the targets. ``best``: the nearest change of all rounds,
    and its numbers. ``tried``: how many changes raced. ``refused``: how many could not,
    as whoever makes changes counts.
    """

    def __init__(
        self,
        base: Cell,
        wanted: Sequence[Goal],
        games: int,
        out: Path | None,
        how: Mapping[str, Any],
    ) -> None:
        self._base, self._goals, self._games = base, tuple(wanted), games
        self._out, self._round = out, 0
        self._progress = RoundProgress(how.get("progress"))
        self._how = {**how, "progress": self._progress}
        self.nearest: list[Near] = []
        self.base_over = np.inf
        self.best: tuple[Near, str] | None = None
        self.tried = self.refused = 0

    @property
    def best_so_far(self) -> str:
        """The change that came nearest so far, in words."""
        if self.best is None:
            return "Best so far: none, as no round was finished."
        (near, values), wanted = self.best, ", ".join(map(str, self._goals))
        return f"Best so far: {near.step.label} ({values}; wanted: {wanted})."

    def confirm(self, made: Sequence[RuleStep]) -> Scores:
        """Play all games of the base and of these changes, on fresh deals."""
        return self._play(made, self._games)

    def _play(
        self, made: Sequence[RuleStep], games: int, only: Collection[str] = ()
    ) -> Scores:
        self._round += 1
        self._progress.step(f"round {self._round} ({len(made)} changes)")
        seed = (self._base.seed + self._round) % (1 << 64)
        base = replace(self._base, seed=seed)
        out = None if self._out is None else self._out / f"round-{self._round}"
        others = [replace(base, rules=step.rules, label=step.label) for step in made]
        sides = [replace(base, label=BASE), *others]
        return scorecard_effects.play(sides, games, only=only, out=out, **self._how)

    def race(self, made: Sequence[RuleStep]) -> list[Near]:
        """Race these changes, and return the survivors, the nearest first."""
        self.nearest = []
        if not made:
            return []
        self.tried += len(made)
        left, wanted = list(made), {goal.line.id for goal in self._goals}
        near: list[Near] = []
        for divisor, keep in ROUNDS:
            scores = self._play(left, self._games // divisor, wanted)
            near = sorted(self._near(left, scores), key=lambda change: change.rank)
            self.nearest = near + [old for old in self.nearest if old.step not in left]
            last = (divisor, keep) == ROUNDS[-1]
            self._remember(near, scores, left)
            near = near[:keep] if last else with_doubt(near, keep)
            left = [change.step for change in near]
        return near

    def _remember(
        self, near: Sequence[Near], scores: Scores, made: Sequence[RuleStep]
    ) -> None:
        """Keep how far the base and the nearest change are, and tell the latter."""
        base = scores.values[0]
        if all(goal.line.id in base for goal in self._goals):
            self.base_over = max(over(goal, base) for goal in self._goals)
        better = near and (self.best is None or near[0].rank < self.best[0].rank)
        if better:
            values = scores.values[1 + [*made].index(near[0].step)]
            numbers = (
                f"{goal.line.number} "
                f"{goal.line.scale * values[goal.line.id].estimate:.1f}"
                for goal in self._goals
            )
            self.best = near[0], ", ".join(numbers)
            self._progress.tell(self.best_so_far)

    def _near(self, made: Sequence[RuleStep], scores: Scores) -> Iterator[Near]:
        for number, step in enumerate(made, start=1):
            values = scores.values[number]
            if all(goal.line.id in values for goal in self._goals):
                missed = [over(goal, values) for goal in self._goals]
                least = [
                    distance - _DOUBT * _error(goal, values)
                    for distance, goal in zip(missed, self._goals, strict=True)
                ]
                yield Near(step, max(missed), max(least))


def with_doubt(near: Sequence[Near], keep: int) -> list[Near]:
    """Return the first ``keep``, and those that may be as near as the last of them."""
    if len(near) <= keep:
        return [*near]
    worst = max(near[keep - 1].over, 0.0)
    doubted = (change for change in near[keep:] if change.least <= worst)
    return [*near[:keep], *sorted(doubted, key=lambda change: change.least)][
        : _DOUBTED * keep
    ]


def over(goal: Goal, values: Mapping[str, LineValue]) -> float:
    """Return how far a target is missed, in tolerances of its line."""
    return goal.excess(values) / (goal.line.negligible(goal.bound) or 1.0)


def _error(goal: Goal, values: Mapping[str, LineValue]) -> float:
    """Return the standard error of ``_over``."""
    se = scorecard_effects.standard_error(values[goal.line.id])
    return se / (goal.line.negligible(goal.bound) or 1.0)
