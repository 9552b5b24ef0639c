"""Paired games: the same deals, but for what one seat declines."""

import numpy as np
import polars as pl
import pytest

from experiments.core.block_records import Block
from experiments.core.blocks import play_block
from experiments.core.cells import play
from experiments.counterfactual.interventions import declining
from experiments.counterfactual.paired_games import pair_context
from reports.kunitame.what_ifs import PAIRS, branching, decline
from strategies.random import Random
from tests.reports.kunitame.transcript import GAME, cell, raw_of


def paired(week, changes=None):
    return declining(cell((Random(),) * 4, changes, seed=5), "contract", ("week", week))


def both(of, count):
    raw, _ = raw_of(of.one, count)
    other, _ = raw_of(of.other, count)
    told = pair_context(of, play(of.one, np.arange(1, dtype=np.uint64)))
    return raw, other, told


@pytest.mark.parametrize("week", [1, 3, 4])
def test_differences(week):
    of = paired(week)
    raw, other, told = both(of, 60)
    found = PAIRS.of(raw, other, told)["declined"]
    assert 0 < found.height < 60
    for row in found.rows(named=True):
        keys = {"game": row["game"], "seat": -row["game"] % 4}  # the first, rotated
        mine, theirs = (
            {n: t[n].filter(**keys) for n in ("contracts", "week")}
            for t in (raw, other)
        )
        here = mine["contracts"].filter(week=week).row(0, named=True)
        there = theirs["contracts"].filter(week=week).row(0, named=True)
        assert here["stakes"].bit_count() > 0 == there["stakes"]
        assert row["tricks_more"] == here["tricks"] - there["tricks"]
        gains = [
            t["week"].sort("week")["points"].cast(pl.Int64).diff()[week - 1]
            if week > 1
            else int(t["week"].sort("week")["points"][0])
            for t in (mine, theirs)
        ]
        assert row["week_more"] == gains[0] - gains[1]


def test_all_is_equal_before_the_week_declined():
    raw, other, _ = both(paired(3), 40)
    for name in ("trick", "week", "contracts"):
        one, two = (t[name].filter(pl.col("week") < 3) for t in (raw, other))
        assert one.drop("strategy").equals(two.drop("strategy"))


def test_the_devil_of_one_gem_is_the_card_drawn():
    of = paired(2, {"contract_limit": 1})
    raw, other, told = both(of, 60)
    found = PAIRS.of(raw, other, told)["declined"]
    assert found.height
    assert "several" not in found["devil"]
    for row in found.rows(named=True):
        drawn = raw["devil"].filter(game=row["game"], week=2, seat=-row["game"] % 4)
        assert drawn["card"].cast(pl.String).to_list() == [row["devil"]]


def test_sums_of_a_paired_block():
    of = paired(1, {"contract_limit": 1})
    found = play_block(of, Block(0, 0, 80), True).sums
    more = found.filter(measure="week_more by Devil")
    raw, other, told = both(of, 80)
    change = PAIRS.of(raw, other, told)["declined"]["week_more"]
    assert (more["y"].sum(), more["x"].sum()) == (change.sum(), len(change))


def test_nothing_to_decline_where_there_are_no_contracts():
    assert decline(GAME.rules.of({"contract_limit": 0}).plain()) == ()
    assert len(decline(GAME.rules.of().plain())) == 1
    assert branching(GAME.rules.of({"contract_limit": 0}).plain()) == ()
