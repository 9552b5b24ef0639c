"""Tests that look several times err as seldom as those that look once."""

from statistics import NormalDist

import numpy as np
import pytest

from reports.statistics.repeated_looks import GROWTH, PLANNED, USUAL, looks, widening


@pytest.mark.parametrize("part", [USUAL, PLANNED])
@pytest.mark.parametrize("count", [1, 2, 4, 7])
def test_a_number_on_the_line_is_seldom_called_beyond_it(count, part):
    """True at the bound: each side errs in at most 5 %, and not far from it."""
    rng, studies = np.random.default_rng(1), 40_000
    sizes = looks(64, 64 * GROWTH ** (count - 1))
    steps = np.diff((0, *sizes))
    sums = np.cumsum(rng.normal(0, np.sqrt(steps), (studies, len(sizes))), axis=1)
    z = sums / np.sqrt(sizes)
    wider = np.array([widening(at, part) for at in range(len(sizes))])
    one_side = (z > 1.645 * wider).any(axis=1).mean()
    both = (np.abs(z) > 1.96 * wider).any(axis=1).mean()
    assert 0.015 < both < 0.053
    assert 0.022 < one_side < 0.053


def test_who_goes_on_later_spends_what_is_left():
    """Looks before stay as they were, and all together err in 5 % at most."""
    before, after = looks(64, 1_500), looks(64, 100_000)
    assert before == after[: len(before)]
    spent = [1 - NormalDist().cdf(1.645 * widening(at)) for at in range(12)]
    assert spent[0] == pytest.approx(0.025, rel=0.01)
    assert 0.0499 < sum(spent) < 0.0501


def test_looks_never_exceed_the_most():
    for most in (64, 90, 100, 300, 1_000, 10_000):
        sizes = looks(64, most)
        assert sizes[0] == 64
        assert max(sizes) <= max(64, most)
        assert sorted({*sizes}) == [*sizes]
