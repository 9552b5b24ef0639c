"""Tables against what was varied, sensitivities with published values, the figure."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy.stats import qmc

from experiments.execution.results import Results
from experiments.studies import run_study, sweep_results
from experiments.studies.experimental_designs import points
from experiments.studies.study import parse
from experiments.studies.sweep_figure import figure

ALONE = np.array(
    [0.3139, 0.4424, 0.0]
)  # of Ishigami & Homma's function, a = 7, b = 0.1
TOTAL = np.array([0.5576, 0.4424, 0.2437])  # Saltelli et al. 2008, Global Sensitivity
KEYS = ("x", "y", "z")


def ishigami(units):
    x, y, z = np.pi * (2 * np.asarray(units).T - 1)
    return np.sin(x) + 7 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x)


def within(truth, found):
    return np.abs(np.asarray(found[0]) - truth) <= found[1]


def test_saltelli_finds_the_published_indices():
    vary = {key: {"from": 0.0, "to": 1.0} for key in KEYS}
    covered, middle = np.zeros((2, 3)), []
    for seed in range(20):
        made = points(design(kind="saltelli", samples=256, vary=vary), seed)
        alone, total = sweep_results.saltelli(KEYS, ishigami(made.units), 0.95)
        covered += [within(ALONE, alone), within(TOTAL, total)]
        middle.append([alone[0], total[0]])
    assert (covered >= 17).all()
    assert np.abs(np.mean(middle, axis=0) - [ALONE, TOTAL]).max() < 0.05


@pytest.mark.soak
def test_spread_points_find_the_published_indices():
    covered, middle = np.zeros(3), []
    for seed in range(20):
        units = qmc.LatinHypercube(3, rng=seed).random(128)
        found = sweep_results.first_order(KEYS, units, ishigami(units), 0.95)
        covered += within(ALONE, found)
        middle.append(found[0])
    assert (covered >= 17).all()
    assert np.abs(np.mean(middle, axis=0) - ALONE).max() < 0.05


def test_whole_numbers_are_no_trouble():
    """A key of three levels and one of two: shares by hand, 2/3 against 1/4."""
    units = qmc.Sobol(2, rng=1).random(256)
    y = np.minimum((units[:, 0] * 3).astype(int), 2) + (units[:, 1] >= 0.5)
    truth = np.array([2 / 3, 1 / 4]) / (2 / 3 + 1 / 4)
    found = sweep_results.first_order(("a", "b"), units, y.astype(float), 0.95)
    assert within(truth, found).all()
    assert np.abs(np.asarray(found[0]) - truth).max() < 0.08


def design(**values):
    return study(design=values).design


def study(**values):
    least = {"game": "kunitame", "lineups": ["random"], "games": 64, "detailed": False}
    return parse({**least, **values})


@pytest.fixture(scope="module")
def swept():
    vary = {"strategy.planner.margin": [-1.0, 0.0, 1.0], "rules.life": [2, 4]}
    return run_study.run_study(
        study(
            lineups=["planner,random,random,random"],
            players=4,
            design={"vary": vary},
            measures=["points by strategy"],
            games=200,
        ),
        seed=1,
    )


def test_a_table_has_a_row_a_place_and_group(swept):
    found = sweep_results.sweep_table(swept, "points by strategy")
    assert found.height == 6 * 2
    assert found["strategy"].unique().sort().to_list() == ["planner", "random"]
    cells = [place.cell for place in swept.plan.design_points]
    for place, cell in zip(swept.plan.design_points, cells, strict=True):
        row = found.filter(
            (
                pl.col("strategy.planner.margin")
                == place.point["strategy.planner.margin"]
            )
            & (pl.col("rules.life") == place.point["rules.life"])
            & (pl.col("strategy") == "random")
        )
        sums = swept.results.sums.filter(
            (pl.col("measure") == "points by strategy")
            & (pl.col("cell") == cell)
            & (pl.col("strategy") == "random")
        )
        assert row["estimate"].item() == sums["y"].item() / sums["x"].item()
        assert row["low"].item() < row["estimate"].item() < row["high"].item()
        assert row["n"].item() == 600


def test_a_grid_has_no_sensitivities(swept):
    found = sweep_results.sensitivity(swept, "points by strategy")
    assert found.is_empty()
    assert {"key", "alone", "total", "noise"} <= set(found.columns)


def test_no_such_measure(swept):
    with pytest.raises(KeyError, match="did you mean 'points by strategy'"):
        sweep_results.sweep_table(swept, "points by strategies")


SPREAD = {"rules.life": {"from": 2, "to": 5}, "rules.weeks": {"from": 1, "to": 6}}


@pytest.mark.soak
@pytest.mark.parametrize(("kind", "samples"), [("saltelli", 16), ("lhs", 128)])
def test_weeks_matter_for_points_and_lives_do_not(kind, samples):
    done = run_study.run_study(
        study(
            design={"kind": kind, "samples": samples, "vary": SPREAD},
            measures=["points by seat"],
            games=400,
        ),
        seed=3,
    )
    found = sweep_results.sensitivity(done, "points by seat").filter(
        pl.col("seat") == 1
    )
    life, weeks = found.sort("key").to_dicts()
    assert weeks["alone_low"] > life["alone_high"]
    assert weeks["alone_high"] >= 0.9
    assert 0 < weeks["noise"] < 0.1
    assert (weeks["total"] is None) == (kind == "lhs")
    made = figure(done, "points by seat")
    assert "point of the design" in _everything(made)
    lost = replace(done, results=_without(done.results, 1))
    left = sweep_results.sensitivity(lost, "points by seat")
    assert (left["alone"].null_count() == left.height) == (kind == "saltelli")


def test_few_points_say_nothing():
    done = run_study.run_study(
        study(design={"kind": "lhs", "samples": 8, "vary": SPREAD}), seed=1
    )
    found = sweep_results.sensitivity(done, "won by seat")
    assert found["alone"].null_count() == found.height == 8
    assert found["points"].to_list() == [8] * 8


@pytest.mark.parametrize(
    ("vary", "expected"),
    [
        ({"rules.life": [2, 3, 4]}, "life"),
        ({"rules.trick_take": ["must", "may"]}, "must"),
        ({}, "won by seat, %"),
    ],
)
def test_the_figure_names_what_was_varied(vary, expected):
    more = {"design": {"vary": vary}} if vary else {}
    done = run_study.run_study(study(question="Why?", **more), seed=1)
    made = figure(done, "won by seat")
    told = _everything(made)
    assert "Why?" in told
    assert expected in told
    assert "unit of resampling: game" in told


def test_a_figure_that_nobody_could_read_is_not_drawn():
    vary = {"rules.life": list(range(1, 13)), "rules.weeks": [1, 2, 3, 4]}
    done = run_study.run_study(study(games=8, design={"vary": vary}), seed=1)
    assert figure(done, "won by seat") is None


def _without(results, cell):
    sums = results.sums.filter(pl.col("cell") != cell)
    played = tuple(0 if n == cell else g for n, g in enumerate(results.played))
    return Results(results.cells, results.games, sums, played, results.manifest)


def _everything(made):
    from matplotlib.text import Text

    return " ".join(text.get_text() for text in made.findobj(Text))


def test_intervals_of_sensitivities_allow_for_the_noise_of_games():
    """A key that hardly matters seems to: its total takes up the luck of games."""
    vary = {key: {"from": 0.0, "to": 1.0} for key in ("x", "y", "z")}
    rng, covered, seemed = np.random.default_rng(3), [], []
    for seed in range(20):
        made = points(design(kind="saltelli", samples=256, vary=vary), seed)
        true = made.units @ np.array([1.0, 0.5, 0.25])
        truth = np.array([1, 0.25, 0.0625]) / 1.3125
        y = true + rng.normal(0, true.std() * np.sqrt(0.3 / 0.7), len(true))
        alone, total = sweep_results.saltelli(("x", "y", "z"), y, 0.95)
        wide = sweep_results.widen_for_noise(alone, total, 0.3)
        covered.append([(one[1] <= truth) & (truth <= one[2]) for one in wide])
        seemed.append(total[0][2])
    assert (np.mean(covered, axis=0) >= 0.85).all()
    assert np.mean(seemed) > 0.2
