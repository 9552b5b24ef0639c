"""What each option is worth to a strong player, as a table.

One player may never take an option, or takes it whenever possible, with good hands and
bad ones; all others play as before, on the same deals (``knockout``). Of a kind of
decision as a whole, that player declines it, or decides at random. Each kind of
decision gets the same number of games that are played again, so options of a kind that
has few, such as contracts, are known better than cards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl

import sim.games
from experiments.analysis.knockout import knocked_out, rows_of
from experiments.core.blocks import block_size
from experiments.core.cells import Cell
from experiments.core.option_counts import declining_options
from experiments.counterfactual.changed_players import WHOLE
from experiments.counterfactual.forbidden_options import play_block, whole_or_options
from experiments.counterfactual.intervention import Force, Intervention
from experiments.counterfactual.interventions import Interventions
from experiments.execution.run import run

LEAST = 128
"""Games of each option, at least."""
_BLOCK = 4_096  # games, at most
_BY = ("decision", "option")
_ALWAYS = {
    "lost": "always",
    "se": "always_se",
    "low": "always_low",
    "high": "always_high",
    "verdict": "always_verdict",
}


def option_worth(
    cell: Cell, replays: int, most: int, out: Path | None = None
) -> pl.DataFrame:
    """Return a row for each option of each kind of decision, and for each kind.

    replays: games that are played again for each kind.
    most: options of a kind that has more are not tried. Columns: decision, option ("":
    the decision as a whole), kept (how the player was restricted), taken (of the times
    that it could be), used (share of the games), lost (win share without it), se, low,
    high (simultaneous for all options of the decision), verdict ("loses", "gains" or
    "undecided"; Holm), always, always_se, always_low, always_high, always_verdict (lost
    by taking it whenever possible), games, and why it was not tried ("never offered",
    "never taken", or ""). Options that decline a decision are left out.
    """
    tables = [
        _family(cell, name, family, replays, out)
        for name, family in _families(cell, most)
    ]
    rows = pl.concat(tables, how="diagonal_relaxed")
    kinds = sim.games.load(cell.game).kinds
    words = rows["decision"].replace_strict(
        {name: kind.vocabulary for name, kind in kinds.items()}
    )
    offered = pl.col("why") != "never offered"
    # Several kinds share their words, and a kind may never come up
    elsewhere = offered.any().over(words.alias("words"), "option")
    comes_up = offered.any().over("decision")
    return rows.filter(offered | (~elsewhere & comes_up))


def _families(cell: Cell, most: int) -> Iterator[tuple[str, list[Intervention[Any]]]]:
    """Yield the decisions as a whole, then the options of each, by name."""
    game = sim.games.load(cell.game)
    every = [*whole_or_options(cell)]
    yield "kinds", [each for each in every if each.do.option == WHOLE]
    for (name,), group in groupby(every, lambda each: each.when.decisions):
        left_out = {WHOLE, *declining_options(game.kinds[name])}
        options = [each for each in group if each.do.option not in left_out]
        if 0 < len(options) <= most:
            yield name, options


def _family(
    cell: Cell,
    name: str,
    every: Sequence[Intervention[Any]],
    replays: int,
    out: Path | None,
) -> pl.DataFrame:
    """Return the rows of a family of options, which share intervals and games."""
    cells = [replace(cell, interventions=Interventions(tuple(every)))]
    if name != "kinds":
        forced = (replace(each, do=Force(each.do.option)) for each in every)
        cells += [replace(cell, interventions=Interventions(tuple(forced)))]
    games = max(replays // (len(cells) * len(every)), LEAST)
    size = min(block_size(cells[:1], games, False, False), _BLOCK)
    folder = None if out is None else out / name
    results = run(cells, games, play=play_block, block=size, out=folder)
    sums = [results.sums.filter(cell=number) for number in range(len(cells))]
    known = knocked_out(cell, sums[0], games, every)
    rows = rows_of(known.filter(pl.col("used") > 0))
    if len(sums) > 1:
        always = knocked_out(cell, sums[1], games, every).filter(pl.col("used") > 0)
        named = rows_of(always).rename(_ALWAYS).select(*_BY, *_ALWAYS.values())
        rows = rows.join(named, _BY, "full", coalesce=True, maintain_order="left")
    left = known.filter(pl.col("used") == 0).select(*_BY, "taken", used="used")
    rows = rows.update(left, on=list(_BY), how="full") if left.height else rows
    never = pl.when(pl.col("taken").is_null()).then(pl.lit("never offered"))
    why = (
        pl.when(pl.col("used") > 0)
        .then(pl.lit(""))
        .otherwise(never.otherwise(pl.lit("never taken")))
    )
    return rows.with_columns(why=why, games=pl.lit(games)).sort(_BY)
