"""Roots are those that scipy finds, bit for bit."""

from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import chndtr

from reports.statistics.roots import root

AWAY = st.floats(0.01, 50.0)


@given(st.floats(0.01, 1e4), st.floats(0.5, 60.0), st.floats(0.01, 0.99))
def test_noncentralities_are_as_by_scipy(value, freedom, chance):
    def above(noncentrality):
        return float(chndtr(value, freedom, noncentrality)) - chance

    most = value + 10 * (value + 10) ** 0.5 + 50
    if above(0.0) > 0 > above(most):
        assert root(above, 0.0, most) == brentq(above, 0.0, most)


@given(AWAY, AWAY, st.sampled_from([1, 3, 5]))
def test_roots_of_powers_are_as_by_scipy(below, beyond, power):
    def of(x):
        return (x - 1) ** power + (x - 1) / 7

    assert root(of, 1 - below, 1 + beyond) == brentq(of, 1 - below, 1 + beyond)
