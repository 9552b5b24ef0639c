"""Paired games: the same deals, with and without one card of each hand."""

from dataclasses import asdict

import numpy as np
import pytest

from experiments.core.block_records import Block
from experiments.core.blocks import play_block
from experiments.counterfactual.interventions import swapping
from reports.article_ii.what_ifs import PAIRS, TRIED, trials
from sim.article_ii.trial import Trial
from tests.reports.article_ii.recount import cell, raw_of

CHOSEN = ("play", "second", "react")
NAMES = (*TRIED, "hands", "placed", "standing", *CHOSEN)
WAYS = [(phase, lying) for phase in (0, 1) for lying in (False, True)]


def _both(phase, lying, count=150, **more):
    of = swapping(cell(4, trial=Trial(phase, lying), seed=9, **more))
    raw, known = raw_of(of.one, count, NAMES)
    other, _ = raw_of(of.other, count, NAMES)
    return raw, other, known


@pytest.mark.parametrize(("phase", "lying"), WAYS)
def test_the_same_card_is_had_once_and_lacked_once(phase, lying):
    raw, other, _ = _both(phase, lying)
    one, two = raw["trial"], other["trial"]
    assert one.height == 4 * 150 or lying
    assert one.drop("has").equals(two.drop("has"))
    assert (one["has"].cast(int) + two["has"].cast(int) == 1).all()
    assert 0.4 < one["has"].cast(int).mean() < 0.6
    dealt = [t["hands"].filter(phase="primary") for t in (raw, other)]
    assert dealt[0].equals(dealt[1])
    if phase == 1:
        before = [t["standing"].filter(phase="primary") for t in (raw, other)]
        assert before[0].equals(before[1])


@pytest.mark.parametrize(("phase", "lying"), WAYS)
def test_where_the_card_is(phase, lying):
    """It was dealt to him; it lies on him, or he plays it, or it is never his."""
    raw, _, known = _both(phase, lying)
    name, ids = ("primary", "general")[phase], known["vocabularies"]["card"]
    hands = raw["hands"].filter(phase=name)
    placed = raw["placed"].filter(phase=name, turn=1)
    for row in raw["trial"].head(80).rows(named=True):
        keys = {"game": row["game"], "seat": row["seat"]}
        mask = int(hands.filter(**keys)["hands"][0])
        copies = sum(mask >> n & 1 for n, card in enumerate(ids) if card == row["card"])
        assert copies
        plays = sum(
            raw[kind].filter(phase=name, chosen=row["card"], **keys).height
            for kind in CHOSEN
        )
        mine = placed.filter(card=row["card"], **keys).height
        if lying:
            assert mine >= row["has"]
        elif row["has"]:
            assert plays
        if not row["has"] or lying:
            drawn = plays - (copies - 1)  # a copy may be drawn again later
            assert drawn <= 1


@pytest.mark.parametrize(("phase", "lying"), WAYS)
def test_differences(phase, lying):
    raw, other, known = _both(phase, lying, 60)
    assert known["trial"] == asdict(Trial(phase, lying))
    found = PAIRS.of(raw, other, known)["trials"]
    assert set(found["phase"]) == {phase + 1}
    ends = [
        {(r["game"], r["seat"]): r for r in t["result"].rows(named=True)}
        for t in (raw, other)
    ]
    for row, drawn in zip(
        found.rows(named=True), raw["trial"].rows(named=True), strict=True
    ):
        assert row["card"] == drawn["card"]
        seat = drawn["seat"]
        with_it, without = ends if drawn["has"] else ends[::-1]
        won = []
        for end in (with_it, without):
            result = end[row["game"], seat]
            won.append(result["winner"] == seat)
        assert row["won_more"] == won[0] - won[1]


def test_a_card_that_wins_is_worth_it():
    """Planted: a mark of +40 on oneself as the General begins makes Presidents."""
    cards = {
        "hairpiece": {"copies": 0},
        "true-blue": {"electability": 40, "affiliation": 0, "copies": 1},
    }
    raw, other, known = _both(1, True, 800, changes={"cards": cards})
    found = PAIRS.of(raw, other, known)["trials"]
    worth = found.filter(card="true-blue")["won_more"].mean()
    rest = found.filter(card="hairpiece")
    assert rest.is_empty()
    assert worth > 0.2
    assert abs(found.filter(card="uncivil-debate")["won_more"].mean()) < 0.15


def test_nothing_planted_is_found_in_a_blank_style():
    """Hairpieces do nothing: one on oneself is worth no more than an empty card."""
    raw, other, known = _both(1, True, 2000)
    found = PAIRS.of(raw, other, known)["trials"].filter(card="hairpiece")
    more = found["won_more"]
    assert abs(more.mean()) < 4 * more.std() / np.sqrt(len(more))


def test_blocks_do_not_matter():
    of = swapping(cell(4, trial=Trial(1, True)))
    whole = play_block(of, Block(0, 0, 64), True).sums
    parts = [play_block(of, Block(0, first, 32), True).sums for first in (0, 32)]
    for name in ("y", "x", "yy", "xx", "xy"):
        assert whole[name].sum() == sum(part[name].sum() for part in parts)


def test_trials_fit_the_game():
    """What the report asks for is what the game's ``trial`` takes, each twice."""
    made = [Trial(**want) for want in trials({})]
    assert len(made) == 4
    assert len(set(made)) == 2
