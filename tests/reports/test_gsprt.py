"""The sequential test errs as seldom as it says, however often one looks."""

import numpy as np
import pytest

from reports.statistics import gsprt

LOOKS, BATCH, T = 150, 40, 0.1


def studies(true, seed=1, many=2_000):
    """The first decision of each of many studies that are looked at all along."""
    rng = np.random.default_rng(seed)
    sums = rng.normal(true * BATCH, np.sqrt(BATCH), (many, LOOKS)).cumsum(1)
    games = BATCH * np.arange(1, LOOKS + 1.0)
    words = gsprt.gsprt_verdict(sums / games, 1 / np.sqrt(games), T)
    first = (words != "open").argmax(1)
    return words[np.arange(many), first], games[first]


@pytest.mark.parametrize("true", [T, -T, 1.3 * T, 2 * T])
def test_what_lies_outside_is_seldom_called_within(true):
    words, _ = studies(true)
    assert (words == "within").mean() <= 0.055


@pytest.mark.parametrize("true", [0.0, 0.5 * T, -T, T])
def test_what_lies_within_is_seldom_called_outside(true):
    words, _ = studies(true)
    assert (words == "outside").mean() <= 0.055


def test_it_decides_sooner_than_a_fixed_number_of_games():
    """Of no difference within 0.1, 95 % are told with (1.645 + 1.96) ** 2 / 0.01."""
    words, games = studies(0.0)
    assert (words == "within").mean() > 0.93
    assert games.mean() == pytest.approx(gsprt.expected_games(0.0, 1.0, T), rel=0.1)
    assert games.mean() < 0.9 * (1.645 + 1.96) ** 2 / T**2


def test_how_many_games_it_takes():
    none, same, twice = (gsprt.expected_games(d, 1.0, T) for d in (0.0, T, 2 * T))
    assert np.isinf(same)
    assert 500 < twice < none < 2_000
    assert gsprt.expected_games(0.0, 2.0, T) == pytest.approx(4 * none, abs=4)
    assert gsprt.expected_games(4 * T, 1.0, T) < twice


def test_without_data_it_is_open():
    assert (
        gsprt.gsprt_verdict([np.nan, 0.0], [np.nan, np.nan], T).tolist() == ["open"] * 2
    )
