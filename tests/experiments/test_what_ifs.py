"""What-ifs played at one table: the same sums as of both sides by themselves."""

from dataclasses import replace

import pytest

from experiments.analysis.panel import Panel
from experiments.core.batched_cells import batching_key, play_batched_cells
from experiments.core.block_records import Block, record_block
from experiments.core.cells import Cell, Pair
from experiments.core.measures import report_of
from experiments.counterfactual.interventions import declining, swapping
from experiments.counterfactual.paired_games import pair_context
from reports.counts import sums_of
from reports.measures import merge
from sim import games


def trials(game: str) -> list[Pair]:
    """Two experiments on deals that are alike but for chance."""
    known = games.load(game)
    want = {"phase": 1, "lying": True} if game == "article_ii" else {"part": 1}
    lineup = ("allround", *["random"] * (known.players[0] - 1))
    made = Cell(game, known.rules.of(), len(lineup), lineup, True)
    made = replace(made, trial=known.trial(**want))
    return [swapping(replace(made, seed=seed)) for seed in (5, 6)]


def declines(game: str) -> list[Pair]:
    """The last two what-ifs of a report in which somebody declines."""
    rules, of = games.load(game).rules.of(), games.load(game).players[-1:]
    wanted = report_of(game).wanted("decline", rules.plain())
    panel = Panel(game, rules, of, of, 1, (), wanted)
    return [its for one in panel.cells() if isinstance(its := one.cell, Pair)][-2:]


@pytest.mark.parametrize("game", ["article_ii", "socialism"])
def test_both_games_of_experiments_are_as_each_alone(game: str) -> None:
    pairs = trials(game)
    as_each_alone(pairs)
    other = declining(pairs[0].one, "play", ("phase", 1))
    assert batching_key(pairs[0]) != batching_key(other)


@pytest.mark.parametrize("game", ["devil", "evilpact"])
def test_games_in_which_somebody_declines_are_as_each_alone(game: str) -> None:
    as_each_alone(declines(game))


def as_each_alone(pairs: list[Pair]) -> None:
    """Both sides of what-ifs at one table are what they are by themselves."""
    one, other = pairs
    assert batching_key(one) == batching_key(other) is not None
    blocks, found = [Block(0, 3, 30), Block(1, 0, 20)], []
    report = report_of(one.game)
    names = tuple(dict.fromkeys([*report.records, *report.paired.records]))
    for pair, block in zip(pairs, blocks, strict=True):
        played, here = record_block(pair.one, block, names, [])
        _, there = record_block(pair.other, block, names, [])
        assert not here["result"].equals(there["result"])
        about = pair_context(pair, played)
        counted = report.differences_of(here, there, about, block.first)
        sums = sums_of(counted, block.batches(pair.players))
        found.append((sums.with_columns(cell=block.cell), played.decisions))
    for outcome, (sums, decisions) in zip(
        play_batched_cells(pairs, blocks), found, strict=True
    ):
        assert merge([outcome.sums]).equals(merge([sums]))
        assert outcome.decisions == decisions
