"""Comparing two sides: pairing, differences of every number, families, runs."""

import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import fairdeal as fd
from experiments.analysis.compare import (
    FAMILIES,
    ComparisonTolerance,
    compare,
    compare_runs,
)
from experiments.core.cells import Cell, UsageError
from experiments.core.measures import measures_of
from experiments.execution.run import run
from reports.batches import BATCHES
from sim.games import REGISTRY, load

RULES = load("kunitame").rules
GAMES = 1_024


def cell(lineup="allround", seed=1, players=4, **rules):
    seats = tuple(lineup.split(","))
    seats *= players if len(seats) == 1 else 1
    return Cell("kunitame", RULES.of(rules), players, seats, True, seed, lineup)


@pytest.fixture(scope="module")
def lives():
    return compare([cell()], [cell(life=4)], GAMES)


def per_game(one, value="won"):
    """(games, seats) a number of the result, played without any of our machinery."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        raw = run([one], GAMES, tables=["result"], out=out).raw("result")
    raw = raw.with_columns(won=(pl.col("winner") == pl.col("seat")).cast(pl.Int64))
    wide = raw.sort("game", "seat")[value].to_numpy().astype(float)
    return wide.reshape(GAMES, -1)


def squares_claimed(one):
    """(games,) gems won from the blue square, of the notes themselves."""
    with tempfile.TemporaryDirectory() as folder:
        gems = run([one], GAMES, tables=["gem"], out=Path(folder) / "run").raw("gem")
    won = gems.filter(pl.col("square") == "blue", pl.col("value") > 0)["game"]
    return np.bincount(won.cast(pl.Int64).to_numpy(), minlength=GAMES).astype(float)


def row(found, measure, group):
    [one] = found.rows.filter(measure=measure, group=group).to_dicts()
    return one


_SOME = (
    ("won by position", "share"),
    ("punished by week", "share"),
    ("open by square", "mean"),
    ("staked", "mean"),
)


def test_each_side_is_what_it_is_alone(lives):
    for one, side in ((cell(), "one"), (cell(life=4), "other")):
        rules = fd.RuleSet("kunitame", one.rules)
        alone = fd.play(
            rules, games=GAMES, lineup="allround", seed=1, jobs=1, detailed=True
        )
        for measure, kind in _SOME:
            expected = alone.estimates(measure, kind)["estimate"].to_list()
            found = lives.rows.filter(measure=measure)[side].to_list()
            assert np.allclose(sorted(found), sorted(expected), atol=1e-12)


def test_difference_and_interval_are_those_of_the_games(lives):
    numbers = np.arange(GAMES, dtype=np.uint64)
    first = load("kunitame").first(load("kunitame").start(RULES(), 4, 1, numbers))
    for value in ("won", "points"):
        here, there = per_game(cell(), value), per_game(cell(life=4), value)
        for place in range(4):
            seat = (first.astype(np.int64) + place) % 4
            gains = (there - here)[np.arange(GAMES), seat]
            found = row(lives, f"{value} by position", f"position {place + 1}")
            assert found["difference"] == pytest.approx(gains.mean(), abs=1e-12)
            se = gains.std(ddof=1) / np.sqrt(GAMES)
            assert found["se"] == pytest.approx(se, rel=0.35)  # of 64 batches


def test_pairing_saves_games(lives):
    points = row(lives, "points by strategy", "strategy allround")
    assert points["variance_ratio"] > 1.2
    places = lives.rows.filter(measure="points by position")["variance_ratio"]
    assert (places > 1.5).all()


def test_numbers_counted_as_arrays_are_paired_by_game(lives):
    found = lives.rows.filter(measure="claims by square")
    alone = fd.play(
        "kunitame", games=GAMES, lineup="allround", seed=1, jobs=1, detailed=True
    )
    expected = alone.estimates("claims by square", "per game")
    by_square = {f"square {r['square']}": r["estimate"] for r in expected.to_dicts()}
    for one in found.to_dicts():
        assert one["one"] == pytest.approx(by_square[one["group"]], abs=1e-12)
    assert (found["freedom"] == BATCHES - 1).all()
    one, other = squares_claimed(cell()), squares_claimed(cell(life=4))
    gains = other - one
    ours = row(lives, "claims by square", "square blue")
    assert ours["difference"] == pytest.approx(gains.mean(), abs=1e-12)
    se = gains.std(ddof=1) / np.sqrt(GAMES)
    assert ours["se"] == pytest.approx(se, rel=0.35)


def test_kinds_of_measures():
    names = measures_of("kunitame")
    assert names["won by seat"].share
    assert names["decided"].share
    assert names["claims by square"].kind == "per game"
    assert names["made by strategy"].kind == "share"
    assert names["cost by week"].kind == "mean"
    assert names["won by seat"].family == "end"
    assert names["made by strategy"].family == "report"
    assert set(measures_of("kunitame", detailed=False)) < set(names)


def test_nothing_differs_from_itself():
    found = compare([cell("random")], [cell("random")], 500, detailed=False)
    assert (found.rows["difference"] == 0).all()
    assert not found.rows["different"].any()
    assert (found.rows["low"] < 0).all()  # 500 games do not prove it for ever


def test_families_and_verdicts(lives):
    assert set(lives.rows["family"]) == {name for name, _ in FAMILIES.values()}
    end = lives.family("end")
    assert (end["method"] == "holm").all()
    assert (lives.family("report")["method"] == "bh").all()
    assert (end["p_adjusted"] >= end["p"]).all()
    gems = row(lives, "lives by strategy", "strategy allround")
    assert gems["different"]
    assert gems["verdict"] == "outside"
    assert gems["tolerance"] == pytest.approx(0.05 * gems["one"])
    decided = row(lives, "decided", "by points")
    assert decided["tolerance"] == 0.01
    certain = row(lives, "won by strategy", "strategy allround")
    assert certain["verdict"] == "within"
    undecided = end.filter(verdict="undecided")
    assert (undecided["needed"] > GAMES).all()
    assert end.filter(pl.col("verdict") != "undecided")["needed"].null_count() > 0


def test_a_wider_tolerance_decides_more():
    narrow, wide = (
        compare(
            [cell("random")],
            [cell("random", life=4)],
            2_000,
            detailed=False,
            tolerance=ComparisonTolerance(share=size, relative=size),
        )
        for size in (0.001, 0.5)
    )
    count = [(one.rows["verdict"] == "within").sum() for one in (narrow, wide)]
    assert count[0] < count[1]


def test_lineups_are_compared_place_by_place():
    one = cell("planner,random,random,random")
    other = cell("greedy,random,random,random")
    found = compare([one], [other], GAMES, detailed=False)
    first = row(found, "won by strategy", "strategy planner -> greedy")
    for side, at in ((one, "one"), (other, "other")):
        won = per_game(side)
        chair = (np.arange(4) + np.arange(GAMES)[:, None]) % 4
        assert first[at] == pytest.approx(won[chair == 0].mean(), abs=1e-12)
    assert row(found, "won by strategy", "strategy random")["n"] == GAMES


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.slow
def test_jobs_change_no_bit():
    found = [
        compare([cell("random")], [cell("random", life=4)], 2_500, jobs=jobs).rows
        for jobs in (1, 2)
    ]
    assert found[0].equals(found[1])


def test_killed_and_resumed(tmp_path):
    how = {"detailed": False}
    whole = compare([cell("random")], [cell("random", life=4)], GAMES, **how)
    for _ in range(2):
        found = compare(
            [cell("random")],
            [cell("random", life=4)],
            GAMES,
            out=tmp_path / "run",
            **how,
        )
        assert found.rows.equals(whole.rows)
    with pytest.raises(UsageError, match="another run"):
        compare(
            [cell("random")],
            [cell("random", life=5)],
            GAMES,
            out=tmp_path / "run",
            **how,
        )


def test_several_numbers_of_players():
    sides = [[cell("random", players=n, life=life) for n in (3, 5)] for life in (3, 4)]
    found = compare(*sides, 300, detailed=False)
    assert set(found.rows["players"]) == {3, 5}
    with pytest.raises(UsageError, match="need the same number"):
        compare(sides[0], sides[1][:1], 300)
    with pytest.raises(UsageError, match="counterpart"):
        compare(sides[0], sides[1][::-1], 300)


def test_games_of_their_own_are_independent():
    found = compare([cell("random")], [cell("random", 2)], 4_000, detailed=False)
    assert not found.same_games
    ratios = found.rows.filter(pl.col("measure").str.ends_with("by position"))
    assert ratios["variance_ratio"].is_between(0.85, 1.15).all()


def test_finished_runs_of_different_games():
    one = run([cell("random")], GAMES, detailed=True)
    other = run([cell("random", 2, life=4)], GAMES, detailed=True)
    found = compare_runs(one, other)
    gems = row(found, "lives by strategy", "strategy random")
    sides = [r.estimates("lives by strategy").row(0, named=True) for r in (one, other)]
    assert gems["difference"] == pytest.approx(
        sides[1]["estimate"] - sides[0]["estimate"]
    )
    assert gems["se"] == pytest.approx(
        np.hypot(*(side["se"] for side in sides)), rel=0.01
    )
    claims = found.rows.filter(measure="claims by square")
    expected = one.estimates("claims by square", "per game")["estimate"]
    assert np.allclose(sorted(claims["one"]), sorted(expected))


def test_finished_runs_of_the_same_games_are_paired():
    """Without playing again they say what a comparison of the same games says."""
    sides = cell("random"), cell("random", life=4)
    one, other = (run([side], GAMES, detailed=True) for side in sides)
    found, played = compare_runs(one, other), compare([sides[0]], [sides[1]], GAMES)
    assert found.same_games
    assert_frame_equal(found.rows, played.rows)
    more = compare_runs(one, run([sides[1]], 2 * GAMES, detailed=True))
    gems = row(more, "lives by strategy", "strategy random")
    assert gems["variance_ratio"] > 1.2  # half of the games are the same


def test_of_two_runs_what_both_measured_is_compared():
    whole = run([cell("random")], GAMES, detailed=True)
    end = run([cell("random", 2, life=4)], GAMES)
    rows = [compare_runs(*sides).rows for sides in ((whole, end), (end, whole))]
    for found in rows:
        wanted = {name for name in end.names if not name.endswith("by seat")}  # even
        assert {*found["measure"]} == wanted
        assert found["measure"].unique(maintain_order=True).is_sorted()
    ones = [found.sort("measure", "group")["one"].to_list() for found in rows]
    others = [found.sort("measure", "group")["other"].to_list() for found in rows]
    assert ones == others[::-1]


@pytest.mark.slow
def test_every_game_can_be_compared():
    for game in REGISTRY:
        known_game = load(game)
        sides = [
            [
                Cell(
                    game,
                    known_game.rules(),
                    known_game.players[0],
                    ("random",) * known_game.players[0],
                    True,
                    seed,
                )
            ]
            for seed in (1, 2)
        ]
        found = compare(*sides, 256, detailed=True)
        assert found.rows.height > 10
