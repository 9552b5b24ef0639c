"""Correlations: from sums by batch, against numpy over all seats at once."""

import numpy as np
import polars as pl
import pytest

from reports.article_ii import tension
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.article_ii.report import REPORT
from reports.report_data import CELL, ReportData
from reports.statistics.intervals import jackknifed_correlation
from tests.reports.article_ii.recount import cell, raw_of


@pytest.mark.parametrize("players", [2, 4])
def test_correlations(players):
    played = ArticleIIArrays(*raw_of(cell(players, seed=1), 300))
    values = {
        "cell": 0,
        "lineup": "random",
        "kind": "self",
        "players": players,
        "strategy_declining": "",
        "moment": 0,
        "changes": "",
    }
    parts = [
        counts.sums().with_columns(measure=pl.lit(counts.measure))
        for counts in tension.counts(played)
    ]
    sums = pl.concat(parts, how="diagonal").with_columns(cell=pl.lit(0, pl.Int32))
    cells = pl.DataFrame([values], schema=CELL)
    known = REPORT.measures, REPORT.columns
    found = ReportData(sums, cells, 300, {}, "random", *known)
    row = tension.correlations(found).row(0, named=True)
    both = played.primary[0].ravel(), played.general[1].ravel()
    wanted = np.corrcoef(*(part.astype(float) for part in both))[0, 1]
    assert row["estimate"] == pytest.approx(wanted)
    assert row["low"] < wanted < row["high"]
    assert row["n"] == 300 * players


def test_the_interval_covers():
    """Of correlations of 0.3 in games that go together, 95 % intervals hold it."""
    chance, inside = np.random.default_rng(3), 0
    for _ in range(400):
        shared = chance.normal(size=(320, 1, 2))
        own = chance.normal(size=(320, 3, 2))
        x = shared[..., 0] + own[..., 0]
        y = 0.3 * x + np.sqrt(1 - 0.09) * (shared[..., 1] + own[..., 1])
        parts = [
            np.array([part.sum() for part in np.split(values, 64)])
            for values in (np.ones_like(x), x, y, x * x, y * y, x * y)
        ]
        found = jackknifed_correlation(parts)
        inside += bool(found.low < 0.3 < found.high)
    assert 0.92 < inside / 400 < 0.98


def test_no_pairs_and_no_variance():
    nothing = [np.zeros(4)] * 6
    assert np.isnan(jackknifed_correlation(nothing).estimate)
    same = [np.full(4, value) for value in (2.0, 2.0, 2.0, 2.0, 2.0, 2.0)]
    assert np.isnan(jackknifed_correlation(same).estimate)
