"""Scorecards of a comparison: counted in the games that are compared, and no others."""

from pathlib import Path

import numpy as np
import pytest
from polars.testing import assert_frame_equal

from experiments.analysis import (
    compare,
    compare_report,
    compare_sentences,
    scorecard_effects,
)
from experiments.analysis.comparison_arms import Arm
from experiments.analysis.scorecard_effects import comparable_lines
from experiments.core import blocks
from experiments.core.cells import Cell
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
    told = ["difference", "low", "high", "p", "n", "variance_ratio"]
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


def test_no_gap_is_judged_where_nobody_begins():
    game = str(Path(__file__).parents[2] / "docs/games/six_nimmt.py")
    ids = [line.id for line in comparable_lines(game, "random")]
    assert "positions" not in ids
    assert "length" in ids
    assert "positions" in [line.id for line in comparable_lines("drake", "random")]


def test_a_lineup_of_several_is_scored_without_a_weak_table():
    one, other = LINEUPS
    [scores] = compare.compare([one], [other], GAMES, with_scorecards=True).scores
    rows = scores.effects()
    alone = scorecard_effects.play([one, other], GAMES).effects()
    assert_frame_equal(rows, alone, check_exact=True)
    assert "skill" not in {*rows["line"]}


def test_a_weak_player_who_fails_does_not_end_the_comparison(monkeypatch, tmp_path):
    def fails(cell, block, *rest):
        if cell.strategies()[0].title.startswith("noisy"):  # as beginners play
            raise ZeroDivisionError("at the weak table")
        return blocks.play_block(cell, block, *rest)

    monkeypatch.setattr("experiments.execution.run.play_block", fails)
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


def test_games_that_all_end_alike_do_not_show_that_nothing_changes():
    """In none of 64 games does a life more matter: in up to 1 of 20 it may."""
    sides = [cell("kunitame", "greedy", 4, **rules) for rules in ({}, {"life": 4})]
    scores = scorecard_effects.play(sides, 64, mixed=False, only=["positions"])
    [row] = scores.effects().to_dicts()
    assert (row["difference"], row["verdict"]) == (0, "undecided")
    assert row["low"] < -0.05 < 0.05 < row["high"]
