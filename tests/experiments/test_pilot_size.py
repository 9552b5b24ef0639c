"""Pilots: games go where a verdict is open, and no pilot's game is counted."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from experiments.analysis import auxiliary_runs, panel, pilot_size
from experiments.analysis.auxiliary_runs import AuxiliaryRuns
from experiments.analysis.tolerance_file import read_targets
from experiments.core.measures import measures_of, report_of
from experiments.execution.results import load
from experiments.execution.run import run
from reports.scorecard.line_statistics import LATER
from reports.scorecard.score_line import LineTolerance
from reports.statistics import extremes
from sim import games

LIMITS = LineTolerance(most=0.03, margin=0.03)


@pytest.mark.parametrize(
    ("number", "games"),
    [
        ((0.17, 0.15, 0.19), 1_000),  # broken, whatever is played
        ((0.0, 0.0, 0.01), 1_000),
        ((0.045, 0.04, 0.05), 1_000),  # to be watched, between both bounds
        ((0.0, 0.0, 0.05), 2_000),  # (5 / 3 * 2.93 / 1.96) ** 2 = 6.2 times 250
        ((0.1, 0.04, 0.16), 2_000),  # (6 / 4 * 2.8 / 1.96) ** 2 = 4.6 times
        ((0.02, 0.0, 0.04), 4_000),
        ((0.03, 0.029, 0.031), 4_000),  # on the bound: no number of games tells
        ((math.nan, math.nan, math.nan), 1_000),
    ],
)
def test_games_go_where_a_verdict_is_open(number, games):
    assert pilot_size.games_for(number, 250, LIMITS, 1_000) == games


def test_the_closer_to_a_bound_the_more_games():
    """From both sides, and for both bounds."""

    def games(number):
        ends = max(number - 0.005, 0.0), number + 0.005
        return pilot_size.games_for((number, *ends), 250, LIMITS, 1_000)

    for away in ((0.03, 0.0), (0.06, 0.2), (0.06, 0.045), (0.03, 0.045)):
        found = [games(number) for number in np.linspace(*away, 60)]
        assert all(one >= other for one, other in pairwise(found))
        assert (found[0], found[-1]) == (4_000, 1_000)


def test_an_end_that_is_cut_off_says_nothing_about_the_width():
    """From 0 to 6 points is no narrower than from -6 to 6."""
    assert pilot_size.games_for(
        (0.0, 0.0, 0.06), 250, LIMITS, 1_000
    ) == pilot_size.games_for((0.0, -0.06, 0.06), 250, LIMITS, 1_000)


@pytest.mark.slow
@pytest.mark.parametrize("gap", [0.0, 0.02, 0.03, 0.045, 0.06])
def test_intervals_hold_though_a_pilot_says_how_many_games(gap):
    """Of games that count alone; also where the gap lies on a bound."""
    rng, shares = np.random.default_rng(1), np.full(4, 0.25)
    shares += np.array([-gap, 0.0, 0.0, gap]) / 2
    held = 0
    for _ in range(1_000):
        first = rng.multinomial(512, shares) / 512
        found = extremes.of_shares(first, 512)
        games = pilot_size.games_for(found, 512, LIMITS, 2_048)
        told = extremes.of_shares(rng.multinomial(games, shares) / games, games)
        held += told.low <= gap <= told.high
    assert held >= 935  # 950 less 2.2 standard errors


def made(game="kunitame", players=4, seed=3):
    rules, counts = games.load(game).rules.of(), (players,)
    return panel.Panel(game, rules, counts, counts, seed, (), ())


def runs(tmp_path, targets, panel_, games_=256):
    file = tmp_path / "targets.toml"
    file.write_text(targets)
    return AuxiliaryRuns(panel_, games_, read_targets(file)[0], tmp_path)


@pytest.fixture
def pilots_pay(monkeypatch):
    """Also of few games."""
    monkeypatch.setattr(pilot_size, "PAYS", 0)


def test_a_pilot_has_a_quarter_of_the_games_unless_these_are_few():
    assert (pilot_size.pilot_games(516), pilot_size.pilot_games(512)) == (129, 0)
    assert (
        pilot_size.pilot_games(128, cells=4),
        pilot_size.pilot_games(132, cells=4),
    ) == (0, 33)


def test_few_games_have_no_pilot_and_are_most(tmp_path):
    """Whatever is allowed."""
    its = made()
    [place] = its.lineup_cells("allround")
    wide = [f"[targets.{line}]\nmargin = 0.9" for line in ("luck", "positions")]
    own = runs(tmp_path, "\n".join(wide), its)
    [call] = own.ends(its.end_cells([place], "allround"))
    assert call().games == 256 * report_of("kunitame").outcome_factor * pilot_size.MOST
    assert sorted(path.name for path in tmp_path.rglob("*-pilot")) == []
    assert set(own.luck()["luck"]["games"]) == {256}, "dealt often enough for a pilot"


@pytest.mark.usefixtures("pilots_pay")
@pytest.mark.parametrize(("most", "times"), [(0.9, 1), (0.06, 4)])
def test_who_wins_is_counted_in_as_many_games_as_the_verdict_takes(
    tmp_path, most, times
):
    """The pilot's games are others; those that count are as if nobody had looked."""
    its = made()
    [place] = its.lineup_cells("allround")
    own = runs(tmp_path, f"[targets.positions]\nmost = {most}", its)
    [call] = own.ends(its.end_cells([place], "allround"))
    found, usual = call(), 256 * report_of("kunitame").outcome_factor
    assert (found.at, found.games) == (0, times * usual)
    first, counted = (
        load(tmp_path / "ends" / name) for name in ("4-players-pilot", "4-players")
    )
    assert (first.played, counted.played) == ((usual // 4,), (found.games,))
    seeds = [results.cells[0].seed for results in (first, counted)]
    assert len({*seeds, place.cell.seed}) == 3
    again = run([replace(place.cell, seed=seeds[1])], found.games).sums
    assert found.sums.equals(again)


@pytest.mark.usefixtures("pilots_pay")
def test_a_later_phase_is_told_by_the_same_games(tmp_path):
    """As many as the verdict takes that needs more; nothing else is counted there."""
    its = made("article_ii")
    [place] = its.lineup_cells("allround")
    both = "[targets.positions]\nmost = 0.9\n[targets.later]\nmost = {most}\n"
    for most, times in ((0.9, 1), (0.06, 4)):
        out = tmp_path / f"{most}"
        out.mkdir()
        own = runs(out, both.format(most=most), its)
        [call] = own.ends(its.end_cells([place], "allround"))
        found = call()
        assert found.games == times * 256 * report_of("article_ii").outcome_factor
        told = {*found.sums["measure"].unique()}
        assert LATER in told <= {*measures_of("article_ii", detailed=False)}


@pytest.mark.usefixtures("pilots_pay")
def test_luck_is_told_of_as_many_games_as_the_verdict_takes(tmp_path):
    own = runs(tmp_path, "[targets.luck]\nmargin = 0.9\n", made())
    assert set(own.luck()["luck"]["games"]) == {256}


@pytest.mark.usefixtures("pilots_pay")
def test_a_kept_report_has_the_games_that_it_has_whatever_is_allowed(tmp_path):
    its = made()
    [place] = its.lineup_cells("allround")
    cells = its.end_cells([place], "allround")
    found = [
        runs(tmp_path, f"[targets.positions]\nmost = {most}", its).ends(cells)[0]()
        for most in (0.9, 0.06)
    ]
    assert found[0].games == found[1].games
    assert found[0].sums.equals(found[1].sums)


def test_small_reports_have_none_of_these_runs(tmp_path):
    own = runs(tmp_path, "", made(), auxiliary_runs.LEAST - 1)
    [place] = made().lineup_cells("allround")
    assert own.ends({0: place.cell}) == []
    assert own.luck() == {"luck": None}
    assert own.options() == {"worth": None}
    assert not (tmp_path / "ends").exists()


def test_sums_of_games_of_which_only_the_end_counts_take_the_panels_place():
    its = made()
    places = [*its.lineup_cells("allround"), *its.lineup_cells("greedy")]
    cells = [place.cell for place in places]
    sums = run(cells, 64, detailed=True).sums
    ends = run([replace(cells[1], seed=99)], 128).sums
    found = auxiliary_runs.replace_end_sums(
        sums, [auxiliary_runs.EndSums(1, ends, 128)]
    )
    assert auxiliary_runs.replace_end_sums(sums, []).equals(sums)
    told = ends["measure"].unique().to_list()
    swapped = (pl.col("cell") == 1) & pl.col("measure").is_in(told)
    assert found.filter(~swapped).drop_nulls("games").equals(sums.filter(~swapped))
    assert found.filter(swapped)["y"].equals(ends["y"])
