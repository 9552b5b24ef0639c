"""A/A: comparisons of a rule set with itself on other games, as commands print them.

Whatever such a comparison calls different is a false alarm: a number of how games end
or of the report, a line of the scorecard, or a sentence.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import polars as pl
import pytest

from experiments.analysis import compare_sentences
from experiments.analysis.compare import Comparison, compare
from experiments.analysis.comparison_arms import Arm, on_same_games
from experiments.core import blocks
from experiments.core.cells import Cell
from experiments.studies.lineups import default_lineup
from sim.games import load

KEPT = 6
"""Blocks of games whose counts are kept: of a few tables of two seeds."""


def sides(
    game: str, seed: int, players: Sequence[int] = (), lineup: Sequence[str] = ()
) -> tuple[Arm, Arm]:
    """The base rules twice, the second with games of its own."""
    rules = load(game)
    who = tuple(lineup) or (default_lineup(game),)
    cells = tuple(
        Cell(game, rules.rules(), many, who, True, seed)
        for many in players or (min(rules.players[-1], 4),)
    )
    return on_same_games(Arm("base", cells), Arm("base", cells), independent=True)


def calls(found: Comparison) -> Iterator[str]:
    """All that a comparison calls different: numbers, lines and sentences."""
    rows = found.rows.filter(pl.col("different") | (pl.col("verdict") == "outside"))
    for row in rows.iter_rows(named=True):
        yield f"{row['measure']} {row['group']}".strip()
    if found.scores:
        differs = pl.col("marked") | pl.col("verdict").str.contains("differ")
        yield from (f"scorecard: {r}" for r in found.scorecard.filter(differs)["line"])
    for cell, sentences in enumerate(
        compare_sentences.comparison_sentences(found, "B")
    ):
        words = {w for line in found.scores[cell].lines for w in (line.more, line.less)}
        for sentence in sentences:
            head = sentence.partition(": ")[2].split(", ")
            said = any(part.startswith(f"{w} (") for part in head for w in words)
            if said or sentence.startswith("Most certain"):
                yield f"sentence: {sentence}"


def chance_alone(
    game: str, games: int, seeds: range, *, detailed: bool = True, **which: Sequence
) -> list[list[str]]:
    """What each comparison of the base rules with themselves calls different.

    That of a seed has the games of the next one on its other side, as
    ``compare --independent`` has. Games of the last few seeds are not played again.
    """
    found = []
    with pytest.MonkeyPatch.context() as patch:
        kept = lru_cache(KEPT)(blocks.play_block)
        patch.setattr("experiments.execution.run.play_block", kept)
        for seed in seeds:
            one, other = sides(game, seed, **which)
            how = {"detailed": detailed, "with_scorecards": True}
            found.append([*calls(compare(one.cells, other.cells, games, **how))])
    return found
