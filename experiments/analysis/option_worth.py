"""What each option is worth to a strong player, as a table.

One player may never take an option, or takes it whenever possible, with good hands and
bad ones; all others play as before, on the same deals (``knockout``). Of a kind of
decision as a whole, that player declines it, or decides at random. Kinds of decisions
that have few options, such as contracts, get more games, so these are known better than
squares: options of which there are many are forbidden, and only those that are hardly
ever taken are forced. Of whole decks it is only told how often cards are played.
"""

from collections.abc import Sequence
from dataclasses import replace
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
from experiments.counterfactual.forbidden_options import (
    option_families,
    play_block,
    whole_or_options,
)
from experiments.counterfactual.intervention import Force, Intervention
from experiments.counterfactual.interventions import Interventions
from experiments.execution.run import run
from sim.events import SEATS

LEAST = 128
"""Games of each option, at least."""
ALL = 40
"""Options of a kind of decision that are tried, at most: not the cards of a deck. Full
reports also force them all."""
_BLOCK = 4_096  # games, at most
_WHOLE = 4  # times more games for decisions as a whole: a small loss is to be seen
_QUICK = 4  # times more games of heuristics
_RARE = 0.02  # of the times that it could be taken
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

    replays: games that are played again for each kind that has few options, more of
    heuristics. most: the options of a kind that has more are forbidden, but forced only
    if they are rare; of one that has more than ``ALL``, neither. Options that decline a
    decision are left out, and so are those that are alike, and seats: these are people.

    Columns: decision, option ("": the decision as a whole; "any bid": all with one
    word), words (the vocabulary of the decision, which several may share), whole
    (whether it is one of these), kept (how the player was restricted), taken (of the
    times that it could be), used (share of the games), lost (win share without it), se,
    low, high (simultaneous for all options of the decision), verdict ("loses", "gains"
    or "undecided"; Holm), always, always_se, always_low, always_high, always_verdict
    (lost by taking it whenever possible), games, and why it was not tried ("never
    offered", "never taken", or "").
    """
    game = sim.games.load(cell.game)
    every = [*whole_or_options(cell)]
    whole = [each for each in every if each.do.option == WHOLE]
    whole += option_families(cell)
    rows, sums = _family(cell, "kinds", whole, replays * _WHOLE, out)
    tables, kinds = [rows], 0
    few: list[Intervention[Any]] = []
    many: list[Intervention[Any]] = []
    for kind in game.kinds.values():
        left_out = {WHOLE, *declining_options(kind), *kind.never}
        own = [each for each in every if each.when.decisions == (kind.name,)]
        options = [each for each in own if each.do.option not in left_out]
        if kind.vocabulary == SEATS or kind.alike or not options:
            continue
        if len(options) > ALL:
            tables.append(_only_taken(options, sums, rows["games"][0]))
        elif len(options) > most:
            many += options
        else:
            few += options
            kinds += 1
    if few:
        tables.append(_family(cell, "few", few, replays * kinds // 2, out)[0])
    if many:
        forbidden = _family(cell, "many", many, 0, out)[0]
        tables.append(_with_rare(cell, forbidden, many, out))
    rows = pl.concat(tables, how="diagonal_relaxed")
    words = {name: kind.vocabulary for name, kind in game.kinds.items()}
    rows = rows.with_columns(words=pl.col("decision").replace_strict(words))
    offered = pl.col("why") != "never offered"
    # Several kinds share their words, and a kind may never come up
    comes_up = offered.any().over("decision")
    nowhere = ~offered.any().over("words", "option")
    order = pl.Enum(list(game.kinds))  # the first of them is named
    rows = rows.sort(pl.col("decision").cast(order), maintain_order=True)
    rows = rows.filter(offered | (nowhere & comes_up))
    once = pl.int_range(pl.len()).over("words", "option") == 0
    whole_ones = pl.DataFrame(
        [(each.when.decisions[0], each.do.option, True) for each in whole],
        {"decision": pl.String, "option": pl.String, "whole": pl.Boolean},
        orient="row",
    )
    rows = rows.filter(offered | once)
    rows = rows.join(whole_ones, _BY, "left", maintain_order="left")
    return rows.with_columns(pl.col("whole").fill_null(False))


def _family(
    cell: Cell,
    name: str,
    every: Sequence[Intervention[Any]],
    replays: int,
    out: Path | None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the rows of options that are tried on the same deals.

    Intervals are simultaneous for those of a decision, or for all decisions ("kinds").
    Those of "few" are forced as well. Also the sums of games in which they are
    forbidden.
    """
    cells = [replace(cell, interventions=Interventions(tuple(every)))]
    if name == "few":
        forced = (replace(each, do=Force(each.do.option)) for each in every)
        cells += [replace(cell, interventions=Interventions(tuple(forced)))]
    times = usual_games([cell], (_QUICK, 1, 1))
    games = max(int(times * replays / len(every)), LEAST)
    size = min(block_size(cells[:1], games, False, False), _BLOCK)
    folder = None if out is None else out / name
    results = run(cells, games, play=play_block, block=size, out=folder)
    sums = [results.sums.filter(cell=number) for number in range(len(cells))]
    known = knocked_out(cell, sums[0], games, every)
    used = known.filter(pl.col("used") > 0)
    rows = rows_of(used) if name == "kinds" else _by_decision(used)
    if len(sums) > 1:
        always = knocked_out(cell, sums[1], games, every).filter(pl.col("used") > 0)
        rows = rows.join(
            _always(always), _BY, "full", coalesce=True, maintain_order="left"
        )
    left = known.filter(pl.col("used") == 0).select(*_BY, "taken", used="used")
    rows = rows.update(left, on=list(_BY), how="full") if left.height else rows
    never = pl.when(pl.col("taken").is_null()).then(pl.lit("never offered"))
    why = (
        pl.when(pl.col("used") > 0)
        .then(pl.lit(""))
        .otherwise(never.otherwise(pl.lit("never taken")))
    )
    return rows.with_columns(why=why, games=pl.lit(games)).sort(_BY), sums[0]


def _with_rare(
    cell: Cell, rows: pl.DataFrame, every: Sequence[Intervention[Any]], out: Path | None
) -> pl.DataFrame:
    """Return rows of options that are forbidden, with what it costs to take rare ones.

    Whether a player who hardly ever takes an option is right, only taking it tells.
    """
    rare = {*rows.filter(pl.col("taken") < _RARE).select(_BY).rows()}
    keys = [(each.when.decisions[0], each.do.option) for each in every]
    seldom = [each for each, key in zip(every, keys, strict=True) if key in rare]
    if not seldom:
        return rows
    forced = tuple(replace(each, do=Force(each.do.option)) for each in seldom)
    forcing = replace(cell, interventions=Interventions(forced))
    size = block_size([cell], LEAST, False, False)
    folder = None if out is None else out / "rare"
    results = run([forcing], LEAST, play=play_block, block=size, out=folder)
    known = knocked_out(cell, results.sums, LEAST, seldom).filter(pl.col("used") > 0)
    return rows.join(_always(known), _BY, "left", maintain_order="left")


def _always(known: pl.DataFrame) -> pl.DataFrame:
    """Return what is lost by taking options whenever possible."""
    return _by_decision(known).rename(_ALWAYS).select(*_BY, *_ALWAYS.values())


def _by_decision(known: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with verdicts, those of each decision as a family."""
    parts = known.partition_by("decision")
    return pl.concat([rows_of(part) for part in parts or [known]])


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
