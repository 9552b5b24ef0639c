"""Cells played at one table: the same sums and tables as of each alone."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from experiments.analysis import scorecard_effects
from experiments.analysis.panel import Panel
from experiments.core.batched_cells import batching_key, play_batched_cells
from experiments.core.block_records import Block
from experiments.core.blocks import Outcome, block_size, play_block
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.counterfactual.intervention import every_option
from experiments.counterfactual.interventions import Interventions
from experiments.execution.batching_policy import batching_policy
from experiments.execution.block_tasks import Task, group_tasks
from experiments.execution.run import run
from reports.measures import SUM_TYPES, merge
from sim import games
from sim.chance import Chance, Purpose
from sim.devil import dealing, state
from sim.games import REGISTRY
from sim.masks import Masks
from strategies import registry
from strategies.base import Strategy
from strategies.random import Random

KINDS = ("all", "result", "all")
SHORT = {"kbernestich": {"rounds": 2}}


def cell(game: str, seats: tuple[str | Strategy, ...], **values: object) -> Cell:
    rules = games.load(game).rules.of()
    return replace(Cell(game, rules, len(seats), seats, True), **values)


def several(game: str) -> list[Cell]:
    """Cells of other lineups, seeds, kinds and plays of the same deals."""
    players = games.load(game).players[-1]
    names = list(registry.builtin(game))
    found = []
    for number, kind in enumerate((*KINDS, "all", "all")):
        other = names[(2 * number + 1) % len(names)]
        seats = (names[number % len(names)], *(other,) * (players - 1))
        values = {"seed": 1 + number // 2, "label": f"c{number}", "collect": kind}
        found.append(cell(game, seats, replicate=number % 2, **values))
    return found


def blocks(cells: list[Cell], games: int = 23) -> list[Block]:
    """Blocks of different sizes, which begin at different numbers."""
    return [Block(at, 40 * (at % 2), games + 3 * at) for at in range(len(cells))]


def same(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Whether sums are the same, but for columns in which there is nothing."""
    parts = [merge([part]) for part in (one, other)]
    filled = [[c for c in part.columns if part[c].count()] for part in parts]
    return filled[0] == filled[1] and parts[0][filled[0]].equals(parts[1][filled[1]])


@pytest.mark.parametrize("game", REGISTRY)
def test_what_is_played_together_is_the_same_as_alone(game):
    cells = several(game)
    found = play_batched_cells(cells, blocks(cells), True, ("result",))
    for of, block, other in zip(cells, blocks(cells), found, strict=True):
        one = play_block(of, block, True, ("result",))
        assert one.decisions == other.decisions > 0
        assert one.block == other.block
        assert same(one.sums, other.sums)
        result = other.tables["result"].with_columns(pl.col("strategy").cast(str))
        before = one.tables["result"].with_columns(pl.col("strategy").cast(str))
        assert before.equals(result.with_columns(pl.col("game").cast(pl.UInt64)))


def test_games_that_wait_are_dealt_as_they_are_alone(monkeypatch):
    """In Devil a game begins where another is over."""
    # Both are imported: else the second would have the first one's for good
    for module in (state, dealing):
        monkeypatch.setattr(module, "WINDOW", 16)
    cells = several("devil")
    found = play_batched_cells(cells, blocks(cells))
    for one, block, other in zip(cells, blocks(cells), found, strict=True):
        assert same(play_block(one, block).sums, other.sums)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_has_the_sums_of_each_cell_alone(jobs):
    cells = several("drake")
    many = [700, 300, 512, 40, 600]
    whole = run(cells, many, detailed=True, block=512, jobs=jobs)
    decisions = 0
    for number, (one, count) in enumerate(zip(cells, many, strict=True)):
        alone = run([one], count, detailed=True, block=512)
        mine = whole.sums.filter(pl.col("cell") == number)
        assert same(mine.drop("cell"), alone.sums.drop("cell"))
        decisions += alone.manifest["decisions"]
    assert whole.manifest["decisions"] == decisions


class Fails(Strategy):
    """Has no answer."""

    name = "fails"

    def decide(self, view: object) -> Masks:
        """Raise an error."""
        raise RuntimeError("no answer")


def test_who_fails_takes_no_other_cell_with_him():
    cells = [cell("drake", (one,) * 3) for one in ("allround", Fails(), "random")]
    found = run(cells, 64, fail_fast=False)
    assert found.played == (64, 0, 64)
    assert "no answer" in found.failures[1]
    alone = run(cells[:1], 64).sums
    assert found.sums.filter(pl.col("cell") == 0).select(alone.columns).equals(alone)
    with pytest.raises(Exception, match="'fails' raised RuntimeError at 'play'"):
        run(cells, 64)


def test_what_is_never_played_with_others():
    one = cell("drake", ("allround",) * 3)
    assert batching_key(one) == batching_key(
        replace(one, seed=7, lineup=("random",) * 3)
    )
    assert batching_key(one) != batching_key(cell("drake", ("allround",) * 4))
    assert batching_key(one) != batching_key(replace(one, rotate=False))
    tried = replace(one, interventions=Interventions((every_option(("play",)),)))
    assert batching_key(tried) is None
    search, longer = (("search:samples=2", *one.lineup[1:]), ("search:samples=4",) * 3)
    assert batching_key(replace(one, lineup=search)) not in (None, batching_key(one))
    assert batching_key(replace(one, lineup=search)) != batching_key(
        replace(one, lineup=longer)
    )
    assert batching_key(replace(tried, lineup=search)) is None
    first = every_option(("play",), whose="first")
    own = replace(tried, interventions=Interventions((first,)))
    assert batching_key(own) == batching_key(one)
    rules = games.load("article_ii").rules.of()
    four = Cell("article_ii", rules, 4, ("random",), True)
    assert batching_key(four)
    assert batching_key(replace(four, rules=rules.changed({"parties": True}))) is None


def at_tables(
    cells: list[Cell], many: list[int], turns: list[range], jobs: int, size: int
) -> list[list[int]]:
    """The cells of which a block is played at each table."""
    share = batching_policy(cells, many, turns, size, jobs)
    tasks = [
        Task(one, block, False, (), play_block, None, "", share.of(block))
        for number, one in enumerate(cells)
        for first in range(0, many[number], size)
        for block in [Block(number, first, min(size, many[number] - first))]
    ]
    return [[task.block.cell for task in some] for some in group_tasks(tasks)]


def test_few_searchers_sit_together_and_many_are_spread_over_the_cores():
    seats = ("search:samples=4", "allround", "allround")
    cells = [cell("drake", seats, seed=seed) for seed in range(4)]
    assert at_tables(cells, [64] * 4, [range(4)], 2, 2_560) == [[0, 1, 2, 3]]
    assert at_tables(cells, [64] * 4, [range(4)], 64, 2_560) == [[0, 1, 2, 3]]
    spread = at_tables(cells, [768] * 4, [range(4)], 2, 2_560)
    assert spread == [[0, 1], [2, 3]]
    assert at_tables(cells, [768] * 4, [range(4)], 4, 2_560) == [[0], [1], [2], [3]]
    assert at_tables(cells, [768] * 4, [range(4)], 1, 2_560) == [[0, 1, 2, 3]]


def test_small_blocks_of_a_searcher_are_played_together():
    searching = cell("drake", ("search:samples=8", "allround", "allround"))
    games = 1_000
    size = block_size([searching], games, detailed=False, looked_at=False)
    for jobs, blocks in ((1, 4), (2, 2), (4, 1), (16, 1)):
        spread = at_tables([searching], [games], [range(1)], jobs, size)
        assert spread == [[0] * blocks] * (4 // blocks)
    cheap = cell("drake", ("random",) * 3, seed=1)
    both = at_tables([searching, cheap], [games] * 2, [range(2)], 1, size)
    assert both == [[0] * 4, [1] * 4]  # who costs little has no small tables


def test_each_core_has_some_to_play_and_turns_follow_each_other():
    cells = [cell("drake", ("random",) * 3, seed=seed) for seed in range(24)]
    many, turns = [1_000] * 24, [range(8), range(8, 24)]

    def tables(jobs: int, size: int) -> list[list[int]]:
        return at_tables(cells, many, turns, jobs, size)

    assert tables(1, 16_384) == [[*range(8)], [*range(8, 24)]]
    two = tables(2, 16_384)
    assert [len(some) for some in two] == [4] * 2 + [8] * 2
    many[1:3] = [8_191, 8_192]  # who is quicker alone
    assert tables(1, 16_384)[:3] == [[2], [0, 1, 3, 4, 5, 6, 7], [*range(8, 24)]]
    assert all(len(some) == 1 for some in tables(1, 1_000)[:10])  # whole blocks
    many[3:5] = [8_191, 2_000]  # more than a table holds
    assert tables(1, 16_384) == [[2], [0, 1], [*range(3, 8)], [*range(8, 24)]]


def test_what_takes_longer_than_other_games_has_smaller_tables():
    alike = [cell("drake", ("random",) * 3, seed=seed) for seed in range(8)]
    longer = [cell("drake", ("random",) * 4, seed=seed) for seed in range(8)]
    for cells, each in ((alike, 4), ([*alike, *longer], 4), (longer, 4)):
        many = [1_000] * len(cells)
        tables = at_tables(cells, many, [range(len(cells))], 2, 16_384)
        assert {len(some) for some in tables} == {each}
    few = [*alike[:4], *longer[:4]]
    tables = at_tables(few, [1_000] * 8, [range(8)], 2, 16_384)
    assert {len(some) for some in tables} == {2}


def test_chance_of_several_is_that_of_each():
    numbers = np.arange(5, dtype=np.uint64)
    parts = [Chance(3, numbers), Chance(4, numbers + np.uint64(9)).replicate(2)]
    both = Chance.concatenate(parts)
    rows = np.array([7, 2, 9])
    for purpose in (Purpose.DEAL, Purpose.DRAW):
        bits = np.concatenate([part.bits(purpose, 6) for part in parts])
        assert np.array_equal(both.bits(purpose, 6), bits)
        assert np.array_equal(both.take(rows).bits(purpose, 6), bits[rows])
        assert np.array_equal(both.copy().bits(purpose, 6), bits)
    begun = both.take(np.array([0, 6]))
    begun.bits(Purpose.DRAW, 0)
    begun.replace(np.array([1]), both.take(np.array([8])))
    assert begun.bits(Purpose.DRAW, 6)[1] == both.bits(Purpose.DRAW, 6)[8]


def test_chance_is_random_where_cells_share_a_table():
    """The same games of another seed are others."""
    one, other = (cell("drake", (Random(),) * 3, seed=seed) for seed in (1, 2))
    found = play_batched_cells([one, other], [Block(0, 0, 64), Block(1, 0, 64)])
    values = [part.sums.drop("cell") for part in found]
    assert not values[0].equals(values[1])


def searchers(game: str) -> list[Cell]:
    """All search; then one does, of whom decisions are tried."""
    of = tuple(n for n in games.load(game).players if n <= 4)[-1:]
    rules = games.load(game).rules.of(SHORT.get(game, {}))
    tried = report_of(game).wanted("counterfactuals", rules.plain())
    found = Panel(game, rules, of, of, 1, (), (), counterfactuals=tried).search_cells(
        "search:samples=4:kinds=plot+pact+contract", 64
    )
    cells = [one.cell for some, _ in found for one in some]
    return [one for one in cells if isinstance(one, Cell)]


@pytest.mark.parametrize("game", ["kunitame", "kbernestich", "evilpact"])
def test_searchers_play_together_as_they_do_alone(game):
    cells = searchers(game)
    tried = [one.interventions is not None for one in cells]
    assert tried == [False, True]
    assert batching_key(cells[0]) == batching_key(cells[1]) is not None
    some = [Block(at, 5 * at, 4 + at) for at in range(len(cells))]
    found = play_batched_cells(cells, some, True)
    for of, block, other in zip(cells, some, found, strict=True):
        one = play_block(of, block, True)
        assert one.decisions == other.decisions > 0
        assert same(one.sums, other.sums)


@pytest.mark.parametrize("game", REGISTRY)
def test_no_group_is_told_twice(game):
    """So the sums of several cells need no adding up (``measures.concat_disjoint``)."""
    one = cell(game, ("allround",) * games.load(game).players[-1])
    sums = play_block(one, Block(0, 0, 40), detailed=True).sums
    assert not sums.drop(SUM_TYPES).is_duplicated().any()


def test_levers_play_both_tables_of_a_rule_set_as_one(monkeypatch):
    made = []

    def counted(cells: list[Cell], *rest: object) -> list[Outcome]:
        made.append([one.strategies()[0].name for one in cells])
        return play_batched_cells(cells, *rest)

    sides = [cell("devil", ("allround",) * 4, seed=3)] * 2
    alone = scorecard_effects.play(sides, 64, block=64)
    monkeypatch.setattr("experiments.execution.block_tasks.play_batched_cells", counted)
    shared = scorecard_effects.play(sides, 64)
    assert made == [["allround", "noisy"] * 2]  # the second is a beginner
    for one, other in zip(alone.values, shared.values, strict=True):
        assert one.keys() == other.keys()
        for name in one:
            ours, theirs = one[name].numbers, other[name].numbers
            assert np.array_equal(ours, theirs, equal_nan=True), name


def test_more_than_255_players_share_a_table():
    cells = [
        cell("devil", (f"noisy(random, {number / 1_000})", "random"))
        for number in range(300)
    ]
    found = play_batched_cells(cells, few := [Block(at, at, 1) for at in range(300)])
    for at in (0, 255, 256, 299):
        assert same(found[at].sums, play_block(cells[at], few[at]).sums)
