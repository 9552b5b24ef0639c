"""The rule changes that were found, tested by players who had lessons under them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from experiments.analysis import scorecard_effects
from experiments.analysis.rule_search import (
    LEVEL,
    AdaptedAnswer,
    CandidateChange,
    RuleSearch,
)
from experiments.learning.adaptation import LessonPlan
from experiments.learning.adapted_arms import adapted_sides
from experiments.studies.lineups import can_learn

CURE = 10.0
"""Seconds of lessons under a cure that a report tries, at most."""
_FRESH = 1_000  # from the seed to that of deals that no round of the search played


def adapted_search(
    found: RuleSearch,
    lessons: LessonPlan,
    answers: Sequence[CandidateChange] | None = None,
    **how: Any,
) -> RuleSearch:
    """Return the search, its answers with the numbers of players who learned them.

    ``answers``: by default those that meet the targets. The players get deals that had
    no part in the search. An answer that they show to miss a target is ``refuted``, and
    no longer ``met``. ``how`` goes to ``scorecard_effects.play``. Only if the players
    of the base ``can_learn``.
    """
    answers = found.met if answers is None else answers
    if not answers:
        return found
    rules = {answer.step.label: answer.step.rules for answer in answers}
    cells = {name: replace(found.cell, rules=each) for name, each in rules.items()}
    taught = [
        side
        for name, cell in cells.items()
        for side in adapted_sides([(name, [cell])], lessons)
    ]
    seed = (found.cell.seed + _FRESH) % (1 << 64)
    sides = [replace(side.cells[0], seed=seed) for side in taught]
    wanted = {goal.line.id for goal in found.goals}
    scores = scorecard_effects.play(sides, found.games, only=wanted, **how)
    learned = {
        name: AdaptedAnswer(
            values,
            tuple(goal.word(values, LEVEL) for goal in found.goals),
            side.told,
        )
        for name, values, side in zip(cells, scores.values, taught, strict=True)
    }
    answers = [_with(answer, learned) for answer in found.answers]
    return replace(found, answers=tuple(sorted(answers, key=lambda one: not one.met)))


@dataclass(frozen=True)
class AdaptToCures:
    """Has players learn a tried cure, and judges it by what they play.

    named: whether a user named the players; then others may not play in their place.
    """

    lessons: LessonPlan
    named: bool

    def __call__(
        self, found: RuleSearch, answer: CandidateChange, **how: Any
    ) -> RuleSearch:
        """Return the search with their answer; unchanged if nobody learns."""
        if not (self.lessons.seconds and can_learn([found.cell], self.named)):
            return found
        return adapted_search(found, self.lessons, [answer], **how)


def _with(
    answer: CandidateChange, learned: dict[str, AdaptedAnswer]
) -> CandidateChange:
    return replace(answer, adapted=learned.get(answer.step.label, answer.adapted))
