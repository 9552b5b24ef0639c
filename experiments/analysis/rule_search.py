"""Find the fewest and smallest rule changes that are shown to meet targets.

    find("kunitame", ["positions <= 2pp"], vary=["life=1..8"]).met

What is likely to help (``first``) is tried first, then single changes, then longer
steps of those that lead towards the targets, then pairs and triples of the nearest
ones, until the targets are met. They race
(``experiments.analysis.rule_race``), and the finalists are tested on
fresh deals that had no part in choosing them, so a lucky winner is not mistaken for a
good one. The level of each test allows for their number (Bonferroni). All rules are
played by the same players; ``experiments.learning.adapted_search`` then asks those who
learned what was found.
"""

from collections.abc import Iterator, Mapping, Sequence
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
from experiments.analysis.rule_race import ROUNDS, Near, Race, over
from experiments.analysis.scorecard_effects import Scores
from experiments.analysis.scorecard_goals import Goal, goal_within, goals
from experiments.analysis.tolerance_check import problems
from experiments.core.cells import Cell, UsageError
from experiments.execution.run import Progress
from experiments.studies.lineups import base_players
from experiments.variants.rule_steps import (
    RefusedStep,
    RuleStep,
    RuleSteps,
    combine_steps,
    longer_step,
    rule_steps,
    step_to,
    steps_of_vary,
)
from reports.statistics.intervals import games_needed
from sim.parameters import RuleError, Rules
from strategies.base import Strategy

GAMES, LEARNED_GAMES, SLOW_GAMES = 16_384, 4_096, 1_024
"""Fresh deals on which finalists are tested: of heuristics, and of learned players."""
_PAIRED = 8  # single changes that are tried in pairs and triples
_MOST_CHANGES = 3  # at once
_STAGES = 2 + _MOST_CHANGES  # what is likely and longer steps; one, two, three changes
_LONGER = (2, 4)  # times a step
LEVEL = 1 - 0.05 / (_STAGES * ROUNDS[-1][1])
"""Level of each bound: the 5 % are divided by the most finalists of all stages."""


class NothingToTryError(UsageError):
    """No change can be played, or none has the numbers that are wanted."""


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
    changes raced; ``refused``: how many more are not possible.
    """

    cell: Cell
    goals: tuple[Goal, ...]
    answers: tuple[CandidateChange, ...]
    base: Mapping[str, LineValue]
    base_words: tuple[str, ...]
    tried: int
    games: int
    scores: Scores
    refused: int = 0

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
        return max(over(goal, self.answers[0].values) for goal in self.goals)

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
    targets: Sequence[str] = (),
    *,
    strategy: str | Strategy | None = None,
    vary: Sequence[str] = (),
    first: Sequence[Mapping[str, Any]] = (),
    at_once: int = _MOST_CHANGES,
    rules: Rules | Mapping[str, Any] | None = None,
    players: int = 4,
    given: tuple[str, ...] = (),
    games: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> RuleSearch:
    """Look for rule changes that meet the targets.

    ``targets``: by default the tolerance of the line that the rules break, the most
    urgent of several. ``vary`` names rules with values, or rules alone, whose steps are
    then tried; by default, every lever of the game (``variants.rule_steps``).
    ``first``: changes, by key, that are tried before. ``at_once``: the most changes of
    single rules that are combined. ``strategy``: by default the ``base_players``.
    ``given`` are conditions that all deals fit.
    ``how`` goes to ``run``. Raises ``UsageError`` or ``RuleError`` before anything is
    played, and ``UsageError`` after it if there is no number to compare.
    """
    if not isinstance(rules, Rules):
        rules = sim.games.load(game).rules.of(rules)
    who = strategy or base_players(game)
    base = Cell(game, rules, players, (who,), True, seed, given=given)
    lines = scorecard_effects.comparable_lines(game, base.strategies()[0].title)
    wanted = goals(targets, lines) if targets else []
    if games is None:
        games = usual_games([base], (GAMES, LEARNED_GAMES, SLOW_GAMES))
    if games < 64 * ROUNDS[0][0]:
        raise UsageError(f"games: at least {64 * ROUNDS[0][0]:,}, not {games:,}.")
    likely = _likely(base, first)
    singles = _singles(base, vary)
    if out is not None:
        asked = {"what": "find", "game": game, "players": players, "seed": seed}
        asked |= {
            "strategy": base.strategies()[0].title,
            "rules": rules.plain(),
            "games": games,
        } | ({"given": [*given]} if given else {})
        multi_run.claim_folder(
            out, {**asked, "vary": [*vary], "targets": [*map(str, wanted)]}
        )
    how |= {"jobs": jobs, "progress": progress}
    wanted = wanted or [_broken(base, games, out, how)]
    race = Race(base, wanted, games, out, how)
    race.refused = len(likely.refused) + len(singles.refused)
    named = any("=" in text for text in vary)
    stages = [stage.steps for stage in (likely, singles) if stage.steps]
    try:
        return _all_rounds(race, (base, wanted, games), stages, named, at_once)
    except KeyboardInterrupt as error:
        error.add_note(race.best_so_far)
        raise


def _broken(base: Cell, games: int, out: Path | None, how: Mapping[str, Any]) -> Goal:
    """Return the tolerance of the line that the rules break, as a target.

    Raises ``UsageError`` if there is none.
    """
    kept = None if out is None else out / "base"
    scores = scorecard_effects.play([base], games // ROUNDS[-1][0], out=kept, **how)
    for line in problems(scores.lines, scores.values[0]):
        return goal_within(line, scores.values[0][line.id].estimate)
    raise UsageError(
        "target: these rules break no line of the scorecard; name one, as "
        "'length <= 30'."
    )


def _all_rounds(
    race: Race,
    about: tuple[Cell, Sequence[Goal], int],
    stages: Sequence[Sequence[RuleStep]],
    given: bool,
    at_once: int,
) -> RuleSearch:
    """Race what is tried, stage by stage, until something meets the targets."""
    result: RuleSearch | None = None
    nearest: list[Near] = []
    for changes in _stages(race, about[0], nearest, stages, given, at_once):
        if near := race.race(changes):
            better = _confirmed(race, about, near)
            if result is None or better.met or better.excess < result.excess:
                result = better
            nearest.extend(race.nearest)
            nearest.sort(key=lambda one: one.rank)
            if result.met:
                break
    if result is None:
        raise NothingToTryError(
            "target: under none of the rules that were tried did it happen."
        )
    return replace(result, tried=race.tried, refused=race.refused)


def _stages(
    race: Race,
    base: Cell,
    nearest: Sequence[Near],
    stages: Sequence[Sequence[RuleStep]],
    given: bool,
    at_once: int,
) -> Iterator[Sequence[RuleStep]]:
    """Yield the stages, longer steps unless values were given, pairs and triples.

    ``nearest``: all changes that have raced by then, the nearest first.
    """
    yield from stages
    if not given:
        yield _longer(race, base, nearest, race.base_over)
    singles = [*nearest]
    for size in range(2, at_once + 1):
        yield _combined(race, base, singles, size)


def _confirmed(
    race: Race, about: tuple[Cell, Sequence[Goal], int], near: Sequence[Near]
) -> RuleSearch:
    """Test the finalists against the targets on fresh deals."""
    base, wanted, games = about
    changes = [change.step for change in near]
    scores = race.confirm(changes)
    moved = scores.effects()
    answers = [
        CandidateChange(
            step,
            scores.values[number],
            tuple(goal.word(scores.values[number], LEVEL) for goal in wanted),
            moved.filter(change=number),
        )
        for number, step in enumerate(changes, start=1)
    ]

    def rank(answer: CandidateChange) -> tuple[bool, int, int, float]:
        missed = max(over(goal, answer.values) for goal in wanted)
        if answer.met:
            return False, len(answer.step.changes), answer.step.size, missed
        return True, 0, 0, missed

    return RuleSearch(
        base,
        tuple(wanted),
        tuple(sorted(answers, key=rank)),
        scores.values[0],
        tuple(goal.word(scores.values[0]) for goal in wanted),
        race.tried,
        games,
        scores,
    )


def _likely(base: Cell, changes: Sequence[Mapping[str, Any]]) -> RuleSteps:
    """Return the steps of changes by key, and those that cannot be played."""
    made, refused = [], []
    for change in changes:
        try:
            made.append(step_to(base.rules, change, base.players))
        except RuleError as error:
            refused.append(RefusedStep(str(change), str(error)))
    return playable(base, RuleSteps(tuple(made), tuple(refused)))


def _singles(base: Cell, vary: Sequence[str]) -> RuleSteps:
    """Return the single changes to try.

    Raises ``NothingToTryError`` if none is playable.
    """
    keys = [text for text in vary if "=" not in text]
    parts = [
        steps_of_vary(base.rules, text, base.players) for text in vary if "=" in text
    ]
    if keys or not vary:
        parts.append(rule_steps(base.rules, base.players, keys))
    kept = playable(
        base,
        RuleSteps(
            tuple(step for part in parts for step in part.steps),
            tuple(step for part in parts for step in part.refused),
        ),
    )
    if not kept.steps:
        why = kept.refused[0].why if kept.refused else "no rule has another value."
        raise NothingToTryError(f"vary: nothing can be played: {why}")
    return kept


def _longer(
    race: Race, base: Cell, nearest: Sequence[Near], missed: float
) -> tuple[RuleStep, ...]:
    """Return longer steps of the nearest changes that are nearer than the base."""
    steps = [
        longer_step(base.rules, near.step, base.players, times)
        for near in nearest[:_PAIRED]
        if near.over < missed
        for times in _LONGER
    ]
    made = {step.setting: step for step in steps if step is not None}
    return _counted(race, playable(base, RuleSteps(tuple(made.values()))))


def _counted(race: Race, steps: RuleSteps) -> tuple[RuleStep, ...]:
    """Return what can be played, and count the rest."""
    race.refused += len(steps.refused)
    return steps.steps


def _combined(
    race: Race, base: Cell, singles: Sequence[Near], size: int
) -> tuple[RuleStep, ...]:
    """Combine ``size`` of the nearest changes, each of different rules."""
    candidates = [near.step for near in singles[:_PAIRED]]
    combined, refused = [], []
    for chosen in combinations(candidates, size):
        keys = [key for step in chosen for key in step.changes]
        if len({*keys}) < len(keys):
            continue
        step_of_all = chosen[0]
        try:
            for other in chosen[1:]:
                step_of_all = combine_steps(
                    base.rules, step_of_all, other, base.players
                )
        except RuleError as error:
            refused.append(RefusedStep(step_of_all.setting, str(error)))
            continue
        combined.append(step_of_all)
    made = RuleSteps(tuple(combined), tuple(refused))
    return _counted(race, playable(base, made))
