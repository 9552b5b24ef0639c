"""Bids of the report against the rules read once more, and against the score."""

import numpy as np
import pytest

from reports.kbernestich import bid_tables, busts, colours, strategies, trumps
from reports.table_counts import count_rows
from tests.reports.kbernestich.whole import played

SECTIONS = (bid_tables, busts, trumps, colours, strategies)


@pytest.fixture(scope="module")
def games():
    return played(("random",) * 4, 60)


def test_a_bid_comes_true_where_the_score_says_so(games):
    bid = bid_tables._numbered(games, "hunch")
    made, saved = bid_tables.came_true(games, bid, games.tricks, games.placed)
    assert np.array_equal(made, games.hunch > 0)
    assert np.all(made[saved])
    helped = games.on("pessimism") | games.on("optimism")
    assert np.all(helped[saved])


def test_points_of_bids_are_those_of_the_score(games):
    table = bid_tables.tables(games)["bids"]
    assert table["points"].sum() == (games.hunch + games.misery).sum()
    assert table.height == ((games.placed & games.area("hunch")) != 0).sum()


@pytest.mark.parametrize("section", SECTIONS)
def test_every_measure_has_its_table(games, section):
    tables = section.tidy(games)
    for measure in section.MEASURES:
        assert count_rows(measure, tables[measure.table]).sums().height
