"""A/A: comparisons of a rule set with itself on other games, as commands print them.

Whatever such a comparison calls different is a false alarm: a number of how games end
or of the report, a line of the scorecard, or a sentence.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import polars as pl
import pytest

from experiments.analysis import cell_batches, compare_sentences
from experiments.analysis.compare import Comparison, compare
from experiments.analysis.comparison_arms import Arm, default_lineup, on_same_games
from experiments.core import paired_sums
from experiments.core.block_records import Block
from experiments.core.cells import Cell
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
        patch.setattr(paired_sums, "counts_of_side", _kept(paired_sums.counts_of_side))
        patch.setattr(
            cell_batches, "play_batches", lru_cache(8)(cell_batches.play_batches)
        )
        for seed in seeds:
            one, other = sides(game, seed, **which)
            how = {"detailed": detailed, "with_scorecards": True}
            found.append([*calls(compare(one.cells, other.cells, games, **how))])
    return found


def _kept(counted: Callable) -> Callable:
    """The same, that is asked for no more than once."""
    known: dict[Any, Any] = {}

    def kept(cell: Cell, block: Block, report: Any, names: list[str]) -> Any:
        key = (cell, block, id(report))
        if key not in known:
            played, counts = counted(cell, block, report, names)
            known[key] = played, [*counts]
            if len(known) > KEPT:
                del known[next(iter(known))]
        played, counts = known[key]
        return played, iter(counts)

    return kept
