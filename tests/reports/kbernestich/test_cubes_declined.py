"""Paired games: the same deals, but for a cube that one seat leaves unplaced."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.core.cells import Pair, play
from experiments.core.recording import about_pair
from reports.kbernestich.pairs import MEASURES, decline, pairs
from strategies.declining import Declining
from strategies.random import Random
from strategies.registry import make
from tests.reports.kbernestich.recount import GAME, cell, raw_of


@pytest.mark.parametrize("square", ["to-1", "from-B-2", "grace", "review"])
def test_differences(square):
    other = Declining(Random(), "plot", ("round", 2), square)
    one = cell(4, (Random(),) * 4, seed=5)
    of = Pair(one, replace(one, lineup=(other, *[Random()] * 3)), "decline")
    raw, _ = raw_of(of.one, 80)
    without, _ = raw_of(of.other, 80)
    known = about_pair(of, play(of.one, np.arange(1, dtype=np.uint64)))
    found = pairs(raw, without, known)["declined"]
    assert {m.name for m in MEASURES} <= set(found.columns)
    assert 0 < found.height < 80
    placed = raw["plot"].filter(round=2, chosen=square)
    for row in found.rows(named=True):
        seat = -row["game"] % 4
        keys = {"game": row["game"], "seat": seat}
        assert placed.filter(**keys).height
        assert without["plot"].filter(round=2, chosen=square, **keys).is_empty()
        ends = [t["result"].filter(**keys).row(0, named=True) for t in (raw, without)]
        assert row["score_more"] == ends[0]["scores"] - ends[1]["scores"]
        won = [end["winner"] == seat for end in ends]
        assert row["won_more"] == won[0] - won[1]
        gains = []
        for table in (raw, without):
            scores = [
                int(table["score"].filter(round=n, **keys)["score"][0]) for n in (1, 2)
            ]
            gains.append(scores[1] - scores[0])
        assert row["round_more"] == gains[0] - gains[1]
    first = [t["trick"].filter(round=1).drop("strategy") for t in (raw, without)]
    assert first[0].equals(first[1])


def test_what_is_declined():
    (want,) = decline(GAME.rules.of().plain())
    assert {"to-3", "hunch-0", "from-B-3", "bust-22", "grace", "review"} < set(
        want["options"]
    )
    assert decline(GAME.rules.of({"plot_before_tricks": 0}).plain()) == ()
    assert decline(GAME.rules.of({"plot_pass": False}).plain()) == ()


@pytest.mark.parametrize("square", ["to-3", "to-2"])
def test_one_cube_is_kept(square):
    """Who places on letters alone loses just that cube, and its points."""
    inner = make("kbernestich", "letter-writer")
    other = Declining(inner, "plot", ("round", 2), square)
    one = cell(4, (inner,) * 4, seed=5)
    of = Pair(one, replace(one, lineup=(other, *[inner] * 3)), "decline")
    raw, _ = raw_of(of.one, 80)
    without, _ = raw_of(of.other, 80)
    found = pairs(
        raw, without, about_pair(of, play(of.one, np.arange(1, dtype=np.uint64)))
    )
    table = found["declined"]
    assert table.height > 10
    assert set(table["cubes_more"]) == {1}
    assert set(table["round_more"]) <= {int(square[-1]), int(square[-1]) - 1}
