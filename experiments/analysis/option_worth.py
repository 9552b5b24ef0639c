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
from experiments.analysis.comparison_arms import usual_games
from experiments.analysis.knockout import knocked_out, rows_of
from experiments.core.blocks import block_size
from experiments.core.cells import Cell
from experiments.core.option_counts import declining_options
from experiments.counterfactual.action_counts import TAKEN_COUNTS, key_columns
from experiments.counterfactual.changed_players import WHOLE
from experiments.counterfactual.forbidden_options import play_block, whole_or_options
from experiments.counterfactual.intervention import Force, Intervention
from experiments.counterfactual.interventions import Interventions
from experiments.execution.run import run

LEAST = 128
"""Games of each option, at least."""
_BLOCK = 4_096  # games, at most
_WHOLE = 4  # times more games for decisions as a whole: a small loss is to be seen
_QUICK = 4  # times more games of heuristics
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

    replays: games that are played again for each kind, more of heuristics. most: of
    a kind that has more options it is only told how often they are taken. Columns:
    decision, option ("": the decision as a whole), kept (how the player was
    restricted), taken (of the times that it could be), used (share of the games),
    lost (win share without it), se, low, high (simultaneous for all options of the
    decision), verdict ("loses", "gains" or "undecided"; Holm), always, always_se,
    always_low, always_high, always_verdict (lost by taking it whenever possible),
    games, and why it was not tried ("never offered", "never taken", or ""). Options
    that decline a decision are left out.
    """
    tables: list[pl.DataFrame] = []
    for name, family in _families(cell):
        if name == "kinds" or len(family) <= most:
            rows, sums = _family(cell, name, family, replays, out)
        else:
            rows = _only_taken(family, sums, tables[0]["games"][0])
        tables.append(rows)
    rows = pl.concat(tables, how="diagonal_relaxed")
    kinds = sim.games.load(cell.game).kinds
    words = {name: kind.vocabulary for name, kind in kinds.items()}
    rows = rows.with_columns(words=pl.col("decision").replace_strict(words))
    offered = pl.col("why") != "never offered"
    # Several kinds share their words, and a kind may never come up
    comes_up = offered.any().over("decision")
    nowhere = ~offered.any().over("words", "option")
    rows = rows.filter(offered | (nowhere & comes_up))
    once = pl.int_range(pl.len()).over("words", "option") == 0
    return rows.filter(offered | once).drop("words")


def _families(cell: Cell) -> Iterator[tuple[str, list[Intervention[Any]]]]:
    """Yield the decisions as a whole, then the options of each, by name."""
    game = sim.games.load(cell.game)
    every = [*whole_or_options(cell)]
    yield "kinds", [each for each in every if each.do.option == WHOLE]
    for (name,), group in groupby(every, lambda each: each.when.decisions):
        left_out = {WHOLE, *declining_options(game.kinds[name])}
        options = [each for each in group if each.do.option not in left_out]
        if options:
            yield name, options


def _family(
    cell: Cell,
    name: str,
    every: Sequence[Intervention[Any]],
    replays: int,
    out: Path | None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the rows of a family of options, which share intervals and games.

    Also the sums of its first cell.
    """
    cells = [replace(cell, interventions=Interventions(tuple(every)))]
    if name != "kinds":
        forced = (replace(each, do=Force(each.do.option)) for each in every)
        cells += [replace(cell, interventions=Interventions(tuple(forced)))]
    shares = len(cells) * len(every) if len(cells) > 1 else len(every) / _WHOLE
    times = usual_games([cell], (_QUICK, 1, 1))
    games = max(int(times * replays / shares), LEAST)
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
    return rows.with_columns(why=why, games=pl.lit(games)).sort(_BY), sums[0]


def _only_taken(
    every: Sequence[Intervention[Any]], sums: pl.DataFrame, games: int
) -> pl.DataFrame:
    """Return the rows of options that are not tried: how often they are taken."""
    keys = key_columns((each.when.decisions[0], each.do.option) for each in every)
    share = (pl.col("y") / pl.col("x")).alias("taken")
    taken = sums.filter(measure=TAKEN_COUNTS).select(*_BY, share)
    rows = pl.DataFrame(keys).join(taken, _BY, "left")
    never = pl.when(pl.col("taken").is_null()).then(pl.lit("never offered"))
    return rows.with_columns(why=never.otherwise(pl.lit("")), games=pl.lit(games))
