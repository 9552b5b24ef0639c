"""Luck against skill: shares of variance of a duplicate design."""

import polars as pl


def components(frame: pl.DataFrame, level: float = 0.95) -> pl.DataFrame:
    """Divide the variance of a result among deal, seat, strategy and rest.

    frame: deal, rotation, seat, strategy (its title), value; every deal is played once
    with each rotation of the lineup, so that it has players ** 2 rows. Returns four
    rows: source, share, low, high, variance.
    """
    raise NotImplementedError
