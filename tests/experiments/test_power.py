"""How many games are needed: from pilots, alone and paired; power holds."""

import json
import math

import numpy as np
import pytest

from experiments.analysis.compare import compare
from experiments.analysis.power import sample_sizes
from experiments.core.cells import Cell, UsageError
from sim.games import load

RULES = load("kunitame").rules


def cell(lineup="random", seed=1, **rules):
    seats = tuple(lineup.split(","))
    seats *= 4 if len(seats) == 1 else 1
    return Cell("kunitame", RULES.of(rules), 4, seats, True, seed, lineup)


def test_games_for_a_share_are_those_of_the_textbook():
    """Two shares of a quarter, 80 %: 2 p (1 - p) (1.96 + 0.8416)**2 / d**2 a side."""
    found = sample_sizes(cell(), 0.02, pilot=20_000)
    expected = 2 * 0.25 * 0.75 * (1.959964 + 0.841621) ** 2 / 0.02**2
    assert found.rows["apart"].to_numpy() == pytest.approx(expected, rel=0.03)
    width = 0.25 * 0.75 * (1.959964 / 0.02) ** 2
    assert found.rows["width"].to_numpy() == pytest.approx(width, rel=0.03)
    assert found.rows["paired"].null_count() == 4
    shows = found.rows["shows_10000"].to_numpy()
    assert shows == pytest.approx(0.02 * math.sqrt(expected / 10_000), rel=0.03)


def test_the_same_games_need_fewer():
    found = sample_sizes(
        cell("allround"), 0.02, other=cell("allround", life=4), pilot=4_000
    )
    assert (found.rows["paired"] < 0.7 * found.rows["apart"]).all()
    ratio = found.rows["apart"] / found.rows["paired"]
    assert ratio.to_numpy() == pytest.approx(
        found.rows["variance_ratio"].to_numpy(), rel=0.05
    )
    assert found.most("paired") == found.rows["paired"].max()


@pytest.mark.slow
def test_dense_measures_and_measures_without_groups():
    one, other = cell(), cell(life=4)
    for measure in ("claims by square", "eliminated"):
        alone = sample_sizes(one, 0.1, measure=measure, pilot=1_024)
        both = sample_sizes(one, 0.1, measure=measure, other=other, pilot=1_024)
        assert alone.rows.height
        middle = alone.rows["spread"].median() / both.rows["spread"].median()
        assert 0.6 < middle < 1.6


def test_mistakes():
    for how, expected in (
        ({"difference": 0}, "above 0"),
        ({"chance": 1.0}, "below 1"),
        ({"pilot": 10}, "at least 200"),
        ({"measure": "won by seet"}, "did you mean 'won by seat'"),
    ):
        with pytest.raises(UsageError, match=expected):
            sample_sizes(cell(), **{"difference": 0.01, "pilot": 200, **how})


def test_the_command(fairdeal):
    words = (
        "power",
        "base",
        "life=4",
        "--game",
        "kunitame",
        "--difference",
        "2pp",
        "--pilot",
        "1000",
        "--seed",
        "1",
        "--lineup",
        "random",
    )
    told = fairdeal(*words)
    assert told.exit_code == 0
    for expected in (
        "difference of 2 points between base and life=4",
        "Same games",
        "won, position 1",
        "80 %",
        "pilot    1,000",
    ):
        assert expected in told.stdout
    values = json.loads(fairdeal(*words, "--json").stdout)
    assert values["difference"] == 0.02
    assert {row["group"] for row in values["rows"]} == {
        f"position {n}" for n in range(1, 5)
    }
    alone = fairdeal(
        "power",
        "--game",
        "kunitame",
        "--pilot",
        "500",
        "--lineup",
        "random",
        "--measure",
        "points by position",
        "--difference",
        "0.1",
    )
    assert "name the other side, too" in alone.stdout


def test_mistakes_of_the_command(fairdeal):
    for more, expected in (
        (("--difference", "x"), "--difference: 'x' is not a size"),
        (("--difference", "0"), "is not a size"),
        (("--power", "2"), "power: above"),
        (("--measure", "won by seet"), "did you mean 'won by seat'?"),
        (("--players", "3,4"), "one number of players"),
        (("base", "base"), "are the same"),
    ):
        result = fairdeal("power", "--game", "kunitame", *more)
        assert result.exit_code == 2
        assert expected in " ".join(result.stderr.split())


def test_spread_of_a_difference_is_that_of_its_interval():
    rows = compare([cell()], [cell(life=4)], 4_000, detailed=False).rows
    found = sample_sizes(cell(), 0.01, other=cell(life=4), pilot=4_000)
    se = rows.filter(measure="won by position")["se"].to_numpy()
    spread = se * np.sqrt(4_000)
    expected = (spread * (1.959964 + 0.841621) / 0.01) ** 2
    # four games that differ as much as they can, as paired_estimates adds them; the
    # errors of both are of 64 batches
    expected = np.ceil(expected + 1.959964 / (1.959964 + 0.841621) * 4 / spread**2)
    assert found.rows["paired"].to_numpy() == pytest.approx(expected, rel=0.4)
