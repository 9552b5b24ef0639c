"""Levers again, by players who had equally many lessons by the base and by the change.

The same players by all rules show what a rule does by itself. Those changes that are
shown first, and those whose effect is about as large as a tolerance, are learned and
played again, on fresh deals: these had no part in choosing the changes. There the
players of the base play them again, too: of what was chosen because it is the largest,
the first number is too large.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from experiments.analysis import scorecard_effects
from experiments.analysis.comparison_arms import other_seed
from experiments.analysis.levers import AdaptedLevers, Levers
from experiments.analysis.scorecard_effects import (
    with_effect_verdicts,
    with_errors_apart,
)
from experiments.core.cells import Cell
from experiments.learning.adaptation import LessonPlan
from experiments.learning.adapted_arms import adapted_changes
from sim.parameters import Rules

_FIRST, _NEAR = 3, 3  # changes of each sort
_CLOSE = 2.0  # standard errors from the tolerance


def adapted_levers(
    found: Levers, lessons: LessonPlan, line: str = "", **how: Any
) -> Levers:
    """Return the levers with what those make of some changes who learned them.

    line: the one of which the first changes are learned. ``how`` goes to
    ``scorecard_effects.play``. Only if the players of the base ``can_learn``.
    """
    numbers = sorted(_chosen(found, line))
    chosen = {number: found.steps[number - 1] for number in numbers}
    if not chosen:
        return found
    base, fresh = found.base, other_seed(found.base.seed)
    changes = {step.label: replace(base, rules=step.rules) for step in chosen.values()}
    pairs = adapted_changes(base, changes, lessons)
    sides: dict[tuple[Rules, str], Cell] = {}  # many of them are the same

    def place(cell: Cell) -> int:
        who = cell.rules, cell.strategies()[0].title
        sides.setdefault(who, replace(cell, seed=fresh))
        return [*sides].index(who)

    places = [
        [
            (place(base), place(changes[step.label])),
            (place(before.cells[0]), place(after.cells[0])),
        ]
        for step, (before, after) in zip(chosen.values(), pairs, strict=True)
    ]
    scores = scorecard_effects.play([*sides.values()], found.games, **how)
    alone, rows = [], []
    for number, both in zip(chosen, places, strict=True):
        same, adapted = (
            scores.differences(one, [other]).with_columns(
                change=pl.lit(number, pl.Int64)
            )
            for one, other in both
        )
        values = ([scores.values[at] for at in side] for side in both)
        alone.append(same)
        rows.append(with_errors_apart(adapted, *values))
    told = [(before.told, after.told) for before, after in pairs]
    players = dict(zip(chosen, told, strict=True))
    answers = (with_effect_verdicts(pl.concat(each)) for each in (rows, alone))
    return replace(found, adapted=AdaptedLevers(players, *answers))


def _chosen(found: Levers, line: str) -> list[int]:
    """Return the numbers of the changes to learn, each once."""
    first = found.ranked(line)["change"].to_list()
    return list(dict.fromkeys([*first[:_FIRST], *_near(found)]))


def _near(found: Levers) -> Iterator[int]:
    """Yield the changes with an effect, certain to exist, that is about a tolerance."""
    beyond = (pl.col("difference").abs() - pl.col("tolerance")).abs() / pl.col("se")
    rows = found.rows.filter("marked").with_columns(beyond=beyond)
    near = rows.filter(pl.col("beyond") < _CLOSE).sort("beyond", maintain_order=True)
    yield from near["change"].unique(maintain_order=True).head(_NEAR)
