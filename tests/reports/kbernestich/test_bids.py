"""Bids of the report against the rules read once more, and against the score."""

import numpy as np
import pytest

from reports.kbernestich import bids, strategies, values
from reports.table_counts import count_rows
from tests.reports.kbernestich.whole import played

SECTIONS = (bids, values, strategies)


@pytest.fixture(scope="module")
def games():
    return played(("random",) * 4, 60)


def test_a_bid_comes_true_where_the_score_says_so(games):
    rows = bids.tables(games)["bids"]
    at = np.nonzero((games.placed & games.area("hunch")) != 0)
    assert np.array_equal(rows["made"].to_numpy(), games.hunch[at] > 0)
    for name in rows["bid"].unique():
        on = games.on(f"hunch-{name}")
        assert rows.filter(bid=name)["points"].sum() == (
            (games.hunch + games.misery)[on].sum()
        )


def test_points_of_bids_are_those_of_the_score(games):
    table = bids.tables(games)["bids"]
    assert table["points"].sum() == (games.hunch + games.misery).sum()
    assert table.height == ((games.placed & games.area("hunch")) != 0).sum()


@pytest.mark.parametrize("section", SECTIONS)
def test_every_measure_has_its_table(games, section):
    tables = section.SECTION.tidy(games)
    for measure in section.SECTION.measures:
        assert count_rows(measure, tables[measure.table]).sums().height
