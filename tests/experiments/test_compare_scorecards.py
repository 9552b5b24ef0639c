"""Scorecards of a comparison: counted in the games that are compared, and no others."""

from dataclasses import replace

import numpy as np
import pytest
from polars.testing import assert_frame_equal

from experiments.analysis import (
    cell_batches,
    compare,
    compare_report,
    compare_sentences,
    scorecard_effects,
)
from experiments.analysis.compare_scorecards import scorecards
from experiments.analysis.comparison_arms import Arm
from experiments.core.block_records import Block
from experiments.core.blocks import play_block
from experiments.core.cells import Cell, Pair
from reports.cross_moments import SIDES
from sim.games import load

GAMES = 512


def cell(game, lineup, players, seed=1, **rules):
    """A cell of a game by rules that differ from its base."""
    known = load(game).rules
    return Cell(game, known.of(rules), players, tuple(lineup.split(",")), True, seed)


SETS = [
    cell("kunitame", "allround", players, **rules)
    for rules in ({}, {"life": 4})
    for players in (3, 4)
]
ONES, OTHERS = SETS[:2], SETS[2:]
LINEUPS = [
    cell("socialism", f"{first},random,random", 3) for first in ("hub", "blocker")
]


@pytest.mark.parametrize("detailed", [True, False])
def test_the_scorecard_changes_nothing_of_what_is_compared(detailed):
    how = {"detailed": detailed, "block": 200}
    plain, scored = (
        compare.compare(ONES, OTHERS, GAMES, with_scorecards=asked, **how)
        for asked in (False, True)
    )
    told = ["difference", "low", "high", "p", "n", "differ", "variance_ratio"]
    assert_frame_equal(scored.rows[told], plain.rows[told], check_exact=True)
    assert (
        scored.family_count == plain.family_count + 2
    )  # one family more shares half of the 5 %
    end, alone = (
        rows.filter(family="how games end")["p_adjusted"].to_numpy()
        for rows in (scored.rows, plain.rows)
    )
    least = np.minimum(alone * scored.family_count / plain.family_count, 1)
    np.testing.assert_allclose(end[alone < 1], least[alone < 1])
    assert scored.games == plain.games == (GAMES, GAMES)
    assert plain.scores == ()


@pytest.mark.parametrize("detailed", [True, False])
def test_it_is_that_of_games_played_for_it_alone(detailed):
    found = compare.compare(
        ONES, OTHERS, GAMES, with_scorecards=True, detailed=detailed
    )
    for one, other, scores in zip(ONES, OTHERS, found.scores, strict=True):
        alone = scorecard_effects.play([one, other], GAMES)
        rows = scores.effects()
        assert_frame_equal(rows, alone.effects(), check_exact=True)
        assert {"positions", "skill", "comeback", "options"} <= {*rows["line"]}


def test_a_lineup_of_several_is_scored_without_a_weak_table():
    one, other = LINEUPS
    [card] = scorecards([Pair(one, other)])
    assert card.alone == []
    [scores] = compare.compare([one], [other], GAMES, with_scorecards=True).scores
    rows = scores.effects()
    alone = scorecard_effects.play([one, other], GAMES).effects()
    assert_frame_equal(rows, alone, check_exact=True)
    assert "skill" not in {*rows["line"]}


def test_the_sums_of_batches_are_those_of_the_sides():
    one, other, block = ONES[1], OTHERS[1], Block(0, 100, 300)
    found = cell_batches.play_batches_of_pair(
        Pair(one, other), block, detailed=True
    ).sums
    plain = play_block(Pair(one, other), block, detailed=True).sums
    both = found.filter(found["side"].is_in(SIDES)).select(plain.columns)
    assert_frame_equal(both, plain, check_exact=True)
    for side, its in zip(cell_batches.BATCHED, (one, other), strict=True):
        mine = found.filter(side=side)
        scored = replace(its, collect="scorecard")
        alone = cell_batches.play_batches(scored, block).sums
        assert mine["measure"].n_unique() > 20
        for [name], part in mine.group_by("measure"):
            if name.endswith("by strategy"):  # goes by roles, and makes no line
                continue
            wanted = alone.filter(measure=name)
            keys = [key for key in wanted.columns if wanted[key].null_count() == 0]
            assert part.select(keys).equals(wanted.select(keys))


def test_a_weak_player_who_fails_does_not_end_the_comparison(monkeypatch, tmp_path):
    def fails(_cell, _block, *_):
        raise ZeroDivisionError("at the weak table")

    monkeypatch.setattr(cell_batches, "play_batches", fails)
    found = compare.compare(ONES[:1], OTHERS[:1], GAMES, with_scorecards=True)
    assert found.rows.height > 1_000
    [scores] = found.scores
    assert scores.failed == dict.fromkeys(
        (0, 1), "ZeroDivisionError: at the weak table"
    )
    assert scores.effects().is_empty()
    [[first, *_]] = compare_sentences.comparison_sentences(found, "life=4")
    assert first == (
        "life=4: no scorecard, because a game failed: "
        "ZeroDivisionError: at the weak table"
    )
    left, right = Arm("base", (ONES[0],)), Arm("life=4", (OTHERS[0],))
    page = compare_report.write(found, left, right, tmp_path).read_text()
    assert first in page
