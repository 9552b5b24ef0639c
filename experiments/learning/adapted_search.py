"""The rule changes that were found, tested by players who had lessons under them."""

from dataclasses import replace
from typing import Any

from experiments.analysis import scorecard_effects
from experiments.analysis.rule_search import (
    LEVEL,
    AdaptedAnswer,
    CandidateChange,
    RuleSearch,
)
from experiments.learning.adaptation import LessonPlan
from experiments.learning.adapted_arms import adapted_changes

_FRESH = 1_000  # from the seed to that of deals that no round of the search played


def adapted_search(found: RuleSearch, lessons: LessonPlan, **how: Any) -> RuleSearch:
    """Return the search with what those make of its answers who learned them.

    They play deals that had no part in the search. An answer that they show to miss a
    target is ``refuted``, and no longer ``met``. ``how`` goes to
    ``scorecard_effects.play``. Only if the players of the base ``can_learn``.
    """
    if not found.met:
        return found
    rules = {answer.step.label: answer.step.rules for answer in found.met}
    cells = {name: replace(found.cell, rules=each) for name, each in rules.items()}
    pairs = adapted_changes(found.cell, cells, lessons)
    seed = (found.cell.seed + _FRESH) % (1 << 64)
    sides = [replace(side.cells[0], seed=seed) for _, side in pairs]
    wanted = {goal.line.id for goal in found.goals}
    scores = scorecard_effects.play(sides, found.games, only=wanted, **how)
    learned = {
        name: AdaptedAnswer(
            values,
            tuple(goal.word(values, LEVEL) for goal in found.goals),
            side.told,
        )
        for name, values, (_, side) in zip(cells, scores.values, pairs, strict=True)
    }
    answers = [_with(answer, learned) for answer in found.answers]
    return replace(found, answers=tuple(sorted(answers, key=lambda one: not one.met)))


def _with(
    answer: CandidateChange, learned: dict[str, AdaptedAnswer]
) -> CandidateChange:
    return replace(answer, adapted=learned.get(answer.step.label))
