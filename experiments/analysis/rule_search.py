"""Find the fewest and smallest rule changes that are shown to meet targets.

    find("kunitame", ["positions <= 2pp"], vary=["life=1..8"]).met

Single changes are tried first, then pairs and triples of the nearest ones. They race
(sequential halving: Karnin, Koren & Somekh 2013, ICML 28:1238-1246): all play a few
common deals, and the nearest play four times as many new ones, together with those
that may be as near, given the uncertainty of a few deals. The finalists are tested on
fresh deals that had no part in choosing them, so a lucky winner is not mistaken for a
good one. The level of each test allows for their number (Bonferroni). All rules are
played by the same players; ``experiments.learning.adapted_search`` then asks those who
learned what was found.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import sim.games
from experiments.analysis import multi_run, scorecard_effects
from experiments.analysis.comparison_arms import usual_games
from experiments.analysis.levers import playable
from experiments.analysis.line_values import LineValue
from experiments.analysis.scorecard_effects import Scores
from experiments.analysis.scorecard_goals import Goal, goals
from experiments.core.cells import Cell, UsageError
from experiments.execution.run import Progress
from experiments.studies.lineups import base_players
from experiments.variants.rule_steps import (
    RuleStep,
    RuleSteps,
    combine_steps,
    rule_steps,
    steps_of_vary,
)
from experiments.variants.variant_files import BASE
from reports.statistics.intervals import games_needed
from sim.parameters import RuleError, Rules
from strategies.base import Strategy

GAMES, LEARNED_GAMES, SLOW_GAMES = 16_384, 4_096, 1_024
"""Fresh deals on which finalists are tested: of heuristics, and of learned players."""
_ROUNDS = ((16, 16), (4, 4))
"""Per round of the race: the divisor of the games, and how many changes survive."""
_DOUBT = 2.0
"""Standard errors that a change may be nearer than it seems, after the first round."""
_DOUBTED = 2  # times the survivors of a round: the most that may go on with doubt
_PAIRED = 8  # single changes that are tried in pairs and triples
_MOST_CHANGES = 3  # at once
LEVEL = 1 - 0.05 / (_MOST_CHANGES * _ROUNDS[-1][1])
"""Level of each bound: the 5 % are divided by the number of finalists."""


@dataclass(frozen=True)
class AdaptedAnswer:
    """A change as those played it who learned it; told: who they are."""

    values: Mapping[str, LineValue]
    words: tuple[str, ...]
    told: str


@dataclass(frozen=True)
class CandidateChange:
    """A change that was tested against the targets on fresh deals.

    ``values``: its numbers; ``words``: the verdict on each target; ``effects``: how it
    changes every line (``Scores.effects``). ``adapted``: the answer of those who
    learned it; None if nobody did.
    """

    step: RuleStep
    values: Mapping[str, LineValue]
    words: tuple[str, ...]
    effects: pl.DataFrame
    adapted: AdaptedAnswer | None = None

    @property
    def met(self) -> bool:
        """Whether it is shown to meet every target, and not refuted."""
        return set(self.words) == {"met"} and not self.refuted

    @property
    def refuted(self) -> bool:
        """Whether it misses a target once players adapt."""
        return self.adapted is not None and "missed" in self.adapted.words

    @property
    def moved(self) -> pl.DataFrame:
        """The lines that it moves significantly and by more than their tolerance."""
        return self.effects.filter(verdict="differs")


@dataclass(frozen=True)
class RuleSearch:
    """The result: ``answers`` that meet the targets first, then the nearest.

    ``base``: the numbers of the base rules on the same fresh deals; ``tried``: how many
    changes raced.
    """

    cell: Cell
    goals: tuple[Goal, ...]
    answers: tuple[CandidateChange, ...]
    base: Mapping[str, LineValue]
    base_words: tuple[str, ...]
    tried: int
    games: int
    scores: Scores

    def __repr__(self) -> str:
        """Name the targets, and the changes that meet them or come nearest."""
        wanted = ", ".join(map(str, self.goals))
        words = "met by" if self.met else "nearest"
        answers = self.met or self.answers[:1]
        return (
            f"{self.cell.game}, {self.cell.players} players: wanted {wanted}\n"
            f"{words}: {'; '.join(answer.step.label for answer in answers)}\n"
            f"{self.tried} changes tried: see .met, .answers"
        )

    @property
    def met(self) -> tuple[CandidateChange, ...]:
        """The changes shown to meet every target, the fewest and smallest first."""
        return tuple(answer for answer in self.answers if answer.met)

    @property
    def excess(self) -> float:
        """How far the nearest change misses the targets, in tolerances of the lines."""
        return max(_over(goal, self.answers[0].values) for goal in self.goals)

    @property
    def needed(self) -> float:
        """About how many games would decide the nearest change; 0 if decided."""
        nearest = self.answers[0]
        games = [0.0]
        for goal, word in zip(self.goals, nearest.words, strict=True):
            if word == "open":
                value = nearest.values[goal.line.id]
                ends = (-np.inf, goal.bound) if goal.at_most else (goal.bound, np.inf)
                about = (
                    value.estimate,
                    scorecard_effects.standard_error(value),
                    self.games,
                )
                games.append(float(games_needed(*about, ends)))
        return max(games)


def find(  # noqa: PLR0913 - all that the command line knows
    game: str,
    targets: Sequence[str],
    *,
    strategy: str | Strategy | None = None,
    vary: Sequence[str] = (),
    rules: Rules | Mapping[str, Any] | None = None,
    players: int = 4,
    games: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> RuleSearch:
    """Look for rule changes that meet the targets.

    ``vary`` names rules with values, or rules alone, whose steps are then tried; by
    default, every lever of the game (``experiments.variants.rule_steps``).
    ``strategy``: by default the ``base_players``. ``how`` goes to ``run``. Raises
    ``UsageError`` or ``RuleError`` before anything is played.
    """
    if not isinstance(rules, Rules):
        rules = sim.games.load(game).rules.of(rules)
    who = strategy or base_players(game)
    base = Cell(game, rules, players, (who,), True, seed)
    lines = scorecard_effects.comparable_lines(game, base.strategies()[0].title)
    wanted = goals(targets, lines)
    if games is None:
        games = usual_games([base], (GAMES, LEARNED_GAMES, SLOW_GAMES))
    if games < 64 * _ROUNDS[0][0]:
        raise UsageError(f"games: at least {64 * _ROUNDS[0][0]:,}, not {games:,}.")
    singles = _singles(base, vary)
    if out is not None:
        asked = {"what": "find", "game": game, "players": players, "seed": seed}
        asked |= {
            "strategy": base.strategies()[0].title,
            "rules": rules.plain(),
            "games": games,
        }
        multi_run.claim_folder(
            out, {**asked, "vary": [*vary], "targets": [*map(str, wanted)]}
        )
    search = _Search(
        base, wanted, games, out, {"jobs": jobs, "progress": progress, **how}
    )
    finalists = search.race(singles)
    nearest = search.nearest
    result = search.confirmed(finalists)
    for size in range(2, _MOST_CHANGES + 1):
        combined = [] if result.met else _combined(base, nearest, size)
        if combined:
            better = search.confirmed(search.race(combined))
            result = better if better.met or better.excess < result.excess else result
    return replace(result, tried=search.tried)


@dataclass(frozen=True)
class _Near:
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


class _Search:
    """Plays rounds, each on new deals."""

    def __init__(
        self,
        base: Cell,
        wanted: Sequence[Goal],
        games: int,
        out: Path | None,
        how: dict[str, Any],
    ) -> None:
        self._base, self._goals, self._games = base, tuple(wanted), games
        self._out, self._how, self._round = out, how, 0
        self.nearest: list[_Near] = []  # all of the last race, by their last rounds
        self.tried = 0

    def _play(
        self, made: Sequence[RuleStep], games: int, only: Collection[str] = ()
    ) -> Scores:
        self._round += 1
        seed = (self._base.seed + self._round) % (1 << 64)
        base = replace(self._base, seed=seed)
        out = None if self._out is None else self._out / f"round-{self._round}"
        others = [replace(base, rules=step.rules, label=step.label) for step in made]
        sides = [replace(base, label=BASE), *others]
        return scorecard_effects.play(sides, games, only=only, out=out, **self._how)

    def race(self, made: Sequence[RuleStep]) -> list[_Near]:
        """Race these changes, and return the survivors, the nearest first."""
        self.tried += len(made)
        left, wanted = list(made), {goal.line.id for goal in self._goals}
        near: list[_Near] = []
        self.nearest = []
        for divisor, keep in _ROUNDS:
            scores = self._play(left, self._games // divisor, wanted)
            near = sorted(self._near(left, scores), key=lambda change: change.rank)
            self.nearest = near + [old for old in self.nearest if old.step not in left]
            last = (divisor, keep) == _ROUNDS[-1]
            near = near[:keep] if last else _with_doubt(near, keep)
            left = [change.step for change in near]
        return near

    def _near(self, made: Sequence[RuleStep], scores: Scores) -> Iterator[_Near]:
        for number, step in enumerate(made, start=1):
            values = scores.values[number]
            if all(goal.line.id in values for goal in self._goals):
                over = [_over(goal, values) for goal in self._goals]
                least = [
                    distance - _DOUBT * _error(goal, values)
                    for distance, goal in zip(over, self._goals, strict=True)
                ]
                yield _Near(step, max(over), max(least))

    def confirmed(self, near: Sequence[_Near]) -> RuleSearch:
        """Test the finalists against the targets on fresh deals."""
        changes = [change.step for change in near]
        scores = self._play(changes, self._games)
        moved = scores.effects()
        answers = [
            CandidateChange(
                step,
                scores.values[number],
                tuple(goal.word(scores.values[number], LEVEL) for goal in self._goals),
                moved.filter(change=number),
            )
            for number, step in enumerate(changes, start=1)
        ]

        def rank(answer: CandidateChange) -> tuple[bool, int, int, float]:
            over = max(_over(goal, answer.values) for goal in self._goals)
            if answer.met:
                return False, len(answer.step.changes), answer.step.size, over
            return True, 0, 0, over

        return RuleSearch(
            self._base,
            self._goals,
            tuple(sorted(answers, key=rank)),
            scores.values[0],
            tuple(goal.word(scores.values[0]) for goal in self._goals),
            self.tried,
            self._games,
            scores,
        )


def _with_doubt(near: Sequence[_Near], keep: int) -> list[_Near]:
    """Return the first ``keep``, and those that may be as near as the last of them."""
    if len(near) <= keep:
        return [*near]
    worst = max(near[keep - 1].over, 0.0)
    doubted = (change for change in near[keep:] if change.least <= worst)
    return [*near[:keep], *sorted(doubted, key=lambda change: change.least)][
        : _DOUBTED * keep
    ]


def _over(goal: Goal, values: Mapping[str, LineValue]) -> float:
    """Return how far a target is missed, in tolerances of its line."""
    return goal.excess(values) / (goal.line.negligible(goal.bound) or 1.0)


def _error(goal: Goal, values: Mapping[str, LineValue]) -> float:
    """Return the standard error of ``_over``."""
    se = scorecard_effects.standard_error(values[goal.line.id])
    return se / (goal.line.negligible(goal.bound) or 1.0)


def _singles(base: Cell, vary: Sequence[str]) -> tuple[RuleStep, ...]:
    """Return the single changes to try; raises ``UsageError`` if none is playable."""
    keys = [text for text in vary if "=" not in text]
    parts = [
        steps_of_vary(base.rules, text, base.players) for text in vary if "=" in text
    ]
    if keys or not vary:
        parts.append(rule_steps(base.rules, base.players, keys))
    changes = RuleSteps(tuple(step for part in parts for step in part.steps))
    kept = playable(base, changes)
    if not kept.steps:
        raise UsageError(f"vary: nothing can be played: {kept.refused[0].why}")
    return kept.steps


def _combined(base: Cell, singles: Sequence[_Near], size: int) -> list[RuleStep]:
    """Combine ``size`` of the nearest single changes, each of a different rule."""
    candidates = [near.step for near in singles[:_PAIRED]]
    combined = []
    for chosen in combinations(candidates, size):
        if len({step.key for step in chosen}) < size:
            continue
        step_of_all = chosen[0]
        try:
            for other in chosen[1:]:
                step_of_all = combine_steps(
                    base.rules, step_of_all, other, base.players
                )
        except RuleError:
            continue
        combined.append(step_of_all)
    return list(playable(base, RuleSteps(tuple(combined))).steps)
