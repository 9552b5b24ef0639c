"""Levers again, by players who had equally many lessons by the base and by the change.

The same players by all rules show what a rule does by itself. Those changes that are
shown first, and those whose effect is about as large as a tolerance, are learned and
played again, on fresh deals: these had no part in choosing the changes.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from experiments.analysis import scorecard_effects
from experiments.analysis.comparison_arms import other_seed
from experiments.analysis.levers import AdaptedLevers, Levers
from experiments.analysis.scorecard_effects import with_effect_verdicts
from experiments.core.cells import Cell
from experiments.learning.adaptation import LessonPlan
from experiments.learning.adapted_arms import adapted_changes

_FIRST, _NEAR = 3, 3  # changes of each sort
_CLOSE = 2.0  # standard errors from the tolerance


def adapted_levers(
    found: Levers, lessons: LessonPlan, line: str = "", **how: Any
) -> Levers:
    """Return the levers with what those make of some changes who learned them.

    line: the one of which the first changes are learned. ``how`` goes to
    ``scorecard_effects.play``. Only if the players of the base ``can_learn``.
    """
    chosen = {number: found.steps[number - 1] for number in _chosen(found, line)}
    if not chosen:
        return found
    base, fresh = found.base, other_seed(found.base.seed)
    changes = {step.label: replace(base, rules=step.rules) for step in chosen.values()}
    pairs = adapted_changes(base, changes, lessons)
    sides: list[Cell] = []
    for cell in (cell for pair in pairs for side in pair for cell in side.cells):
        if cell not in sides:  # the base is mostly the same for all
            sides.append(cell)
    dealt = [replace(cell, seed=fresh) for cell in sides]
    scores = scorecard_effects.play(dealt, found.games, **how)
    rows = []
    for number, (before, after) in zip(chosen, pairs, strict=True):
        one, other = (sides.index(side.cells[0]) for side in (before, after))
        row = scores.differences(one, [other])
        rows.append(row.with_columns(change=pl.lit(number, pl.Int64)))
    told = [(before.told, after.told) for before, after in pairs]
    players = dict(zip(chosen, told, strict=True))
    adapted = AdaptedLevers(players, with_effect_verdicts(pl.concat(rows)))
    return replace(found, adapted=adapted)


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
