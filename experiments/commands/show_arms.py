"""Describe the two sides of a comparison, and how their numbers were made."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.analysis.compare import Comparison
from experiments.analysis.compare_sentences import family_words
from experiments.analysis.comparison_arms import Arm, are_equal, seats_of
from experiments.variants.rule_diff import sentences
from reports.formatting import join_words
from reports.statistics.multiple_comparisons import NAMES


def arm_words(one: Arm, other: Arm) -> Iterator[str]:
    """Yield what is compared; cell by cell if rules differ in several ways."""
    pairs = list(zip(one.cells, other.cells, strict=True))
    rules = [tuple(sentences(a.rules, b.rules)) for a, b in pairs]
    if len(set(rules)) == 1:
        yield from (f"rules    {words}" for words in rules[0])
        if not rules[0]:
            yield "rules    the same on both sides"
    else:
        for number, (values, (cell, _)) in enumerate(zip(rules, pairs, strict=True)):
            words = " ".join(values) or "the same on both sides"
            where = f"cell {number}, {cell.players} players, {seats_of(cell)}"
            yield f"rules    {where}: {words}"
    for here, there in dict.fromkeys((seats_of(a), seats_of(b)) for a, b in pairs):
        same = here == there
        yield f"lineup   {here}" if same else f"lineups  {here} against {there}"


def methods(comparison: Comparison) -> Iterator[str]:
    """Yield how the numbers of the tables were made."""
    yield (
        "In brackets: 95 % intervals; their unit is the game. Tolerance: "
        f"{comparison.tolerance}; small differences and what is the same lie within it."
    )
    held = [f"{name} ({NAMES[method]})" for name, method in family_words(comparison)]
    yield (
        "If nothing differs, at most 5 % of comparisons call anything different; these "
        f"families share that: {join_words(held)}."
    )
    ratio = _variance_ratios(comparison)
    if comparison.same_games and len(ratio):
        yield (
            "Both sides played the same games. Pairing: how many times as many "
            "independent games these intervals would have needed "
            f"(median over all numbers {np.median(ratio):.1f} x)."
        )


def _variance_ratios(comparison: Comparison) -> NDArray[np.float64]:
    ratio = comparison.rows["variance_ratio"].drop_nulls()
    return ratio.cast(pl.Float64).to_numpy()


def notes(comparison: Comparison, one: Arm, other: Arm) -> Iterator[str]:
    """Yield what a reader of the sentences has to know."""
    if not (comparison.same_games and len(_variance_ratios(comparison))):
        yield "Each side played its own games, so luck does not cancel."
    elif (comparison.rows["difference"] == 0).all():
        yield "note     not a single number came out differently"
    if comparison.adapted is not None and not comparison.same_answer:
        yield (
            "note     the intervals of players who adapted are over games: they hold "
            "for these players, and other lessons would make others"
        )
    if comparison.widening > 1:
        yield (
            "note     the runs stopped when they were precise enough: intervals are "
            f"{comparison.widening:.2g} times wider to allow for that"
        )
    for words in dict.fromkeys((*one.notes, *other.notes)):
        yield f"note     {words}"
    if are_equal(one, other):
        yield (
            "note     both runs are of the same rules, lineups and seed: what differs "
            "is due to games that only one of them has, or to the version of fairdeal"
        )
    yield f"games    {comparison.games_text.replace(' games', '', 1)}"


def seeds(sides: Sequence[Arm], drawn: int | None) -> str:
    """The seeds of the games, and which of them was drawn; that of a run was not."""
    if any(side.run is not None for side in sides):
        drawn = None
    numbers = dict.fromkeys(cell.seed for side in sides for cell in side.cells)
    words = [f"{one} (drawn)" if one == drawn else str(one) for one in numbers]
    return f"{'seeds' if len(words) > 1 else 'seed':9}{' and '.join(words)}"
