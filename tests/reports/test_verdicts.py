"""Numbers against a tolerance, and differences of independent numbers."""

import polars as pl
import pytest

from reports.formatting import subtract
from reports.verdicts import with_verdict

ROWS = pl.DataFrame(
    {
        "players": [3, 4, 3, 4],
        "estimate": [5.0, -5.0, 0.0, None],
        "se": [0.1, 0.1, 0.1, None],
    }
)


def test_a_verdict_says_which_side():
    rows = with_verdict(ROWS, 1.0, {"above": "pays", "below": "costs"})
    assert rows["verdict"].to_list() == ["pays", "costs", "within", "undecided"]
    assert rows["players"].to_list() == ROWS["players"].to_list()


def test_families_are_judged_apart_and_stand_together():
    words = {"within": "even"}
    rows = with_verdict(ROWS, 1.0, words, family=("players",))
    assert rows["players"].to_list() == [3, 3, 4, 4]
    verdicts = rows["verdict"].to_list()
    assert verdicts == ["above", "even", "below", "undecided"]


def test_a_family_takes_more_to_be_outside():
    """Holm: what is outside alone need not be among many."""
    rows = pl.DataFrame({"n": range(40), "estimate": [2.1] + [0.0] * 39, "se": 1.0})
    surely = {"above": "outside", "below": "outside"}
    together = with_verdict(rows, 0.0, surely)
    apart = with_verdict(rows, 0.0, surely, family=("n",))
    assert together["verdict"][0] == "undecided"
    assert apart["verdict"][0] == "outside"


def test_no_rows_have_no_verdicts():
    for family in ((), ("players",)):
        rows = with_verdict(ROWS.clear(), 1.0, {}, family=family)
        assert rows.schema["verdict"] == pl.String


def test_one_number_less_another():
    rows = pl.DataFrame({"a": [3.0], "a_se": [0.3], "b": [1.0], "b_se": [0.4]})
    row = subtract(rows, "a", "b", "more").row(0, named=True)
    assert row["more"] == 2
    assert row["more_se"] == pytest.approx(0.5)
    assert (row["more_low"], row["more_high"]) == pytest.approx((1.02, 2.98))
