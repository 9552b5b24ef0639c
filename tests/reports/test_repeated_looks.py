"""Tests that look several times err as seldom as those that look once."""

import numpy as np
import pytest

from reports.statistics.repeated_looks import GROWTH, looks, widening


@pytest.mark.parametrize("sizes", [(256,), (64, 256), (64, 256, 1024, 4096, 9000)])
def test_a_number_on_the_line_is_seldom_called_beyond_it(sizes):
    """True at the bound: each side errs in at most 5 %, and not far from it."""
    rng, studies = np.random.default_rng(1), 40_000
    steps = np.diff((0, *sizes))
    sums = np.cumsum(rng.normal(0, np.sqrt(steps), (studies, len(sizes))), axis=1)
    z = sums / np.sqrt(sizes)
    wider = np.array([widening(sizes, at) for at in range(len(sizes))])
    one_side = (z > 1.645 * wider).any(axis=1).mean()
    both = (np.abs(z) > 1.96 * wider).any(axis=1).mean()
    assert 0.02 < both < 0.053
    assert 0.03 < one_side < 0.053


def test_later_looks_are_wider_than_one_and_narrower_than_the_first():
    sizes = looks(64, 64 * GROWTH**3)
    wider = [widening(sizes, at) for at in range(len(sizes))]
    assert wider[0] == pytest.approx(wider[1])
    assert wider[1] > wider[2] > wider[3] > 1
    assert widening((64,), 0) == 1


def test_looks_never_exceed_the_most():
    for most in (64, 90, 100, 300, 1_000, 10_000):
        sizes = looks(64, most)
        assert sizes[0] == 64
        assert max(sizes) <= max(64, most)
        assert sorted({*sizes}) == [*sizes]
