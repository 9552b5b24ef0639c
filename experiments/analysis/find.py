"""The fewest and smallest rule changes that surely meet targets.

    find("kunitame", ["positions <= 2pp"], vary=["life=1..8"]).met

Single changes are tried first, then pairs and threes of those that came nearest. They
race (as by successive halving: Karnin, Koren & Somekh 2013, ICML 28:1238-1246): all
play a few deals, the same for all, and the nearest play four times as many new ones,
with those that may be as near for all that the few deals tell.
Those that are left are held to the targets on fresh deals, which had no part in
choosing them, so nothing is told of a lucky winner; as several are held, the level of
each is higher (Bonferroni).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from experiments.analysis import effects, stages
from experiments.analysis.batch_sums import Value
from experiments.analysis.batches import measured
from experiments.analysis.effects import Scores
from experiments.analysis.goals import Goal, goals
from experiments.analysis.levers import playable
from experiments.analysis.score_lines import lines_of
from experiments.core.cells import Cell, UsageError
from experiments.execution.run import Progress
from experiments.variants.steps import Step, Steps, both, steps, varied
from experiments.variants.variant_files import BASE
from reports.statistics.intervals import games_needed
from sim import games as registry
from sim.parameters import RuleError, Rules
from strategies.base import Strategy

GAMES = 16_384
"""Games by which those that are left are held to the targets."""
_ROUNDS = ((16, 16), (4, 4))
"""A round of the race plays a part of these games, and leaves so many changes."""
_DOUBT = 2.0
"""Standard errors that a change may be nearer than it seems, after the first round."""
_DOUBTED = 2  # times as many as a round leaves: no more for all the doubt
_TOGETHER = 8  # single changes that are tried in pairs
_MOST = 3  # changes at once
_LEVEL = 1 - 0.05 / (_MOST * _ROUNDS[-1][1])
"""Of each bound: at most so many changes are held to the targets."""


@dataclass(frozen=True)
class Answer:
    """A change that was held to the targets on fresh deals.

    ``values``: its numbers; ``words``: what became of each target; ``effects``: what it
    does to every line (``Scores.effects``).
    """

    step: Step
    values: Mapping[str, Value]
    words: tuple[str, ...]
    effects: pl.DataFrame

    @property
    def met(self) -> bool:
        """Whether it surely meets every target."""
        return set(self.words) == {"met"}

    @property
    def moved(self) -> pl.DataFrame:
        """The lines that it surely moves by more than their tolerance."""
        return self.effects.filter(verdict="differs")


@dataclass(frozen=True)
class Found:
    """What was found: ``answers``, those that meet the targets first, then the nearest.

    ``base`` are the numbers of the base on the same fresh deals, ``tried`` how many
    changes raced.
    """

    cell: Cell
    goals: tuple[Goal, ...]
    answers: tuple[Answer, ...]
    base: Mapping[str, Value]
    base_words: tuple[str, ...]
    tried: int
    games: int
    scores: Scores

    def __repr__(self) -> str:
        """What was wanted, what meets it or is nearest, and what more there is."""
        wanted = ", ".join(map(str, self.goals))
        words, some = (
            ("met by", self.met) if self.met else ("nearest", self.answers[:1])
        )
        return (
            f"{self.cell.game}, {self.cell.players} players: wanted {wanted}\n"
            f"{words}: {'; '.join(one.step.label for one in some)}\n"
            f"{self.tried} changes tried: see .met, .answers"
        )

    @property
    def met(self) -> tuple[Answer, ...]:
        """The changes that surely meet every target, the fewest and smallest first."""
        return tuple(one for one in self.answers if one.met)

    @property
    def over(self) -> float:
        """How far the nearest is beyond the targets, in tolerances of their lines."""
        return max(_over(goal, self.answers[0].values) for goal in self.goals)

    @property
    def needed(self) -> float:
        """About how many games would settle the nearest change; 0 if it is settled."""
        near = self.answers[0]
        found = [0.0]
        for goal, word in zip(self.goals, near.words, strict=True):
            if word == "open":
                one = near.values[goal.line.id]
                ends = (-np.inf, goal.bound) if goal.most else (goal.bound, np.inf)
                about = one.estimate, effects.error(one), self.games
                found.append(float(games_needed(*about, ends)))
        return max(found)


def find(  # noqa: PLR0913 - all that the command line knows
    game: str,
    targets: Sequence[str],
    *,
    strategy: str | Strategy = "allround",
    vary: Sequence[str] = (),
    rules: Rules | Mapping[str, Any] | None = None,
    players: int = 4,
    games: int = GAMES,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> Found:
    """Look for changes of the rules that meet the targets.

    ``vary`` names rules with their values, or rules alone: each step of theirs; without
    any, every lever of the game is tried (``experiments.variants.steps``). ``how`` goes
    to ``run``. Raises ``UsageError`` or ``RuleError`` before anything is played.
    """
    if not isinstance(rules, Rules):
        rules = registry.load(game).rules.of(rules)
    base = Cell(game, rules, players, (strategy,), True, seed)
    lines = lines_of(measured(game), base.strategies()[0].title)
    wanted = goals(targets, lines)
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
        stages.claim(out, {**asked, "vary": [*vary], "targets": [*map(str, wanted)]})
    search = _Search(
        base, wanted, games, out, {"jobs": jobs, "progress": progress, **how}
    )
    near = search.race(singles)
    nearest = search.nearest
    found = search.confirmed(near)
    for many in range(2, _MOST + 1):
        made = [] if found.met else _together(base, nearest, many)
        if made:
            more = search.confirmed(search.race(made))
            found = more if more.met or more.over < found.over else found
    return replace(found, tried=search.tried)


@dataclass(frozen=True)
class _Near:
    """A change in the race: how far beyond the targets, in tolerances.

    ``least`` is how near it may be, by its standard error.
    """

    step: Step
    over: float
    least: float

    @property
    def rank(self) -> tuple[float, int, int]:
        """The nearest first; of those that seem to meet the targets the smallest."""
        return max(self.over, 0.0), len(self.step.changes), self.step.size


def _first(near: Sequence[_Near]) -> list[_Near]:
    return sorted(near, key=lambda one: one.rank)


class _Search:
    """Plays rounds, each on deals of its own."""

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
        self.nearest: list[_Near] = []  # all of the last race, by its last round each
        self.tried = 0

    def _play(
        self, made: Sequence[Step], games: int, only: Collection[str] = ()
    ) -> Scores:
        self._round += 1
        seed = (self._base.seed + self._round) % (1 << 64)
        here = replace(self._base, seed=seed)
        out = None if self._out is None else self._out / f"round-{self._round}"
        others = [replace(here, rules=one.rules, label=one.label) for one in made]
        sides = [replace(here, label=BASE), *others]
        return effects.play(sides, games, only=only, out=out, **self._how)

    def race(self, made: Sequence[Step]) -> list[_Near]:
        """The changes that are left of these, the nearest first."""
        self.tried += len(made)
        left, wanted = list(made), {goal.line.id for goal in self._goals}
        near: list[_Near] = []
        self.nearest = []
        for part, keep in _ROUNDS:
            scores = self._play(left, self._games // part, wanted)
            near = _first(list(self._near(left, scores)))
            self.nearest = near + [one for one in self.nearest if one.step not in left]
            last = (part, keep) == _ROUNDS[-1]
            near = near[:keep] if last else _with_doubt(near, keep)
            left = [one.step for one in near]
        return near

    def _near(self, made: Sequence[Step], scores: Scores) -> Iterator[_Near]:
        for number, one in enumerate(made, start=1):
            values = scores.values[number]
            if all(goal.line.id in values for goal in self._goals):
                over = [_over(goal, values) for goal in self._goals]
                least = [
                    few - _DOUBT * _error(goal, values)
                    for few, goal in zip(over, self._goals, strict=True)
                ]
                yield _Near(one, max(over), max(least))

    def confirmed(self, near: Sequence[_Near]) -> Found:
        """Hold those that are left to the targets, on fresh deals."""
        made = [one.step for one in near]
        scores = self._play(made, self._games)
        moved = scores.effects()
        answers = [
            Answer(
                one,
                scores.values[number],
                tuple(g.word(scores.values[number], _LEVEL) for g in self._goals),
                moved.filter(change=number),
            )
            for number, one in enumerate(made, start=1)
        ]

        def rank(one: Answer) -> tuple[bool, int, int, float]:
            over = max(_over(goal, one.values) for goal in self._goals)
            if one.met:
                return False, len(one.step.changes), one.step.size, over
            return True, 0, 0, over

        return Found(
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
    """The first of these, and those that may be as near as the last of them."""
    if len(near) <= keep:
        return [*near]
    worst = max(near[keep - 1].over, 0.0)
    doubted = (one for one in near[keep:] if one.least <= worst)
    return [*near[:keep], *sorted(doubted, key=lambda one: one.least)][
        : _DOUBTED * keep
    ]


def _over(goal: Goal, values: Mapping[str, Value]) -> float:
    """How far beyond a target, in tolerances of its line."""
    return goal.over(values) / (goal.line.tolerance(goal.bound) or 1.0)


def _error(goal: Goal, values: Mapping[str, Value]) -> float:
    """The standard error of that."""
    se = effects.error(values[goal.line.id])
    return se / (goal.line.tolerance(goal.bound) or 1.0)


def _singles(base: Cell, vary: Sequence[str]) -> tuple[Step, ...]:
    """The single changes."""
    keys = [text for text in vary if "=" not in text]
    each = [varied(base.rules, text, base.players) for text in vary if "=" in text]
    if keys or not vary:
        each.append(steps(base.rules, base.players, keys))
    found = Steps(tuple(one for part in each for one in part.made))
    made = playable(base, found)
    if not made.made:
        raise UsageError(f"vary: nothing can be played: {made.left_out[0].why}")
    return made.made


def _together(base: Cell, singles: Sequence[_Near], many: int) -> list[Step]:
    """So many of the nearest single changes at once, of different rules."""
    ones = [one.step for one in singles[:_TOGETHER]]
    found = []
    for some in combinations(ones, many):
        if len({one.key for one in some}) < many:
            continue
        made = some[0]
        try:
            for other in some[1:]:
                made = both(base.rules, made, other, base.players)
        except RuleError:
            continue
        found.append(made)
    return list(playable(base, Steps(tuple(found))).made)
