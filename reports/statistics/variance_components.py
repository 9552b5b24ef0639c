"""Luck against skill: shares of the variance of a duplicate design.

Every deal is played once for each rotation of the lineup, so that every strategy plays
every hand. A result (won or not, or points) of a seat in such a game varies for four
reasons, of which each gets a share of the variance (generalizability theory: Brennan
2001, Generalizability Theory, ch. 3; Searle, Casella & McCulloch 1992, Variance
Components, ch. 4):

deal        what a seat is dealt, whoever sits there (the luck of the cards)
seat        where one sits, whatever is dealt
strategy    who plays
rest        everything else: dice and draws during play, opponents, and that a hand or
            a seat suits one strategy better than another

Estimates are unbiased (the squares of means are corrected for chance) and may fall a
little below 0; the shares shown do not. The deal is the unit of resampling. Intervals:
deal and rest by the ratio estimator over deals, seat and strategy by the squares of
their means (`squared_effects`); both allow for two deals as different as can
be, for what is rare may be missing. Simulated 95 % intervals with 30 to 1,000 deals
cover in 93 to 98 % of studies, and in nearly all where a share is next to 0 or 1.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.statistics import intervals, squared_effects
from reports.statistics.intervals import Array

SOURCES = ("deal", "seat", "strategy", "rest")


def components(frame: pl.DataFrame, level: float = 0.95) -> pl.DataFrame:
    """Divide the variance of a result among deal, seat, strategy and rest.

    frame: deal, rotation, seat, strategy (its title), value; a row a seat of each game.
    Every deal is there with as many rotations as seats, the same for all deals, and
    every seat has each strategy equally often. Returns a row a source, in the order
    of SOURCES: source, share, low, high, variance; null where nothing varies.
    Raises ValueError where the design is another.
    """
    value, who, names = _design(frame)
    seat, strategy, hand, rest = _parts(value, who, len(names))
    parts = (seat, strategy)
    whole = hand + rest + sum(part.by_deal() for part in parts)
    total = float(whole.mean())
    if not total > 0:
        return _table([(np.nan,) * 4] * len(SOURCES))
    found = {
        "deal": _random(hand, whole, level),
        "seat": _fixed(seat, whole, level),
        "strategy": _fixed(strategy, whole, level),
        "rest": _random(rest, whole, level),
    }
    return _table([found[source] for source in SOURCES])


@dataclass(frozen=True)
class _Fixed:
    """Means of seats or strategies, less the mean of all."""

    means: Array  # (deals, levels) weighted so that their squares add up to a variance

    @property
    def centre(self) -> Array:
        middle: Array = self.means.mean(0)
        return middle

    @property
    def covariance(self) -> Array:
        """Of the centre: (levels, levels)."""
        spread = self.means - self.centre
        deals = len(self.means)
        return spread.T @ spread / (deals - 1) / deals

    @property
    def variance(self) -> float:
        """Of the true means, without bias."""
        return float(self.centre @ self.centre - np.trace(self.covariance))

    def by_deal(self) -> Array:
        """The variance as a mean over deals: (deals,)."""
        pull = 2 * (self.means - self.centre) @ self.centre
        return self.variance + pull


def _design(
    frame: pl.DataFrame,
) -> tuple[Array, NDArray[np.int64], list[str]]:
    """Read the values (deals, rotations, seats), and who sits where."""
    rows = frame.sort("deal", "rotation", "seat")
    deals, seats = rows["deal"].n_unique(), rows["seat"].n_unique()
    if rows.null_count().to_numpy().any():
        raise ValueError("components: the design has gaps")
    if rows.height != deals * seats**2 or rows["rotation"].n_unique() != seats:
        raise ValueError(
            f"components: {deals} deals of {seats} seats need {seats} rotations each: "
            f"{deals * seats**2} rows, not {rows.height}"
        )
    if deals < 2:
        raise ValueError("components: at least 2 deals")
    shape = (deals, seats, seats)
    names = sorted(rows["strategy"].unique().to_list())
    place = rows["strategy"].cast(pl.String).replace_strict(names, range(len(names)))
    who = place.to_numpy().astype(np.int64).reshape(shape)
    keys = [
        rows[name].to_numpy().reshape(shape) for name in ("deal", "rotation", "seat")
    ]
    whole = (
        (keys[0] == keys[0][:, :1, :1]).all()
        and (keys[1] == keys[1][:1, :, :1]).all()
        and (keys[2] == keys[2][:1, :1, :]).all()
    )
    counts = np.array(
        [np.bincount(column, minlength=len(names)) for column in who[0].T]
    )
    if not whole or (who != who[:1]).any() or (counts != counts[:1]).any():
        raise ValueError(
            "components: every deal needs the same rotations, in which every seat has "
            "each strategy equally often"
        )
    value = rows["value"].cast(pl.Float64).to_numpy().reshape(shape)
    return value, who[0], names


def _parts(
    value: Array, who: NDArray[np.int64], strategies: int
) -> tuple[_Fixed, _Fixed, Array, Array]:
    """Seat and strategy means, and by deal (deals,) the variances of hands and rest."""
    deals, rotations, seats = value.shape
    sits = who.reshape(-1, 1) == np.arange(
        strategies
    )  # (rotations x seats, strategies)
    weight = sits.mean(0)
    by_seat = value.mean(1)
    by_strategy = value.reshape(deals, -1) @ sits / sits.sum(0)
    middle = value.mean((1, 2))[:, None]
    seat = _Fixed((by_seat - middle) / np.sqrt(seats))
    strategy = _Fixed((by_strategy - middle) * np.sqrt(weight))
    effect = (by_strategy - middle).mean(0)[who]  # (rotations, seats)
    left = value - effect - by_seat.mean(0)
    hand = left.mean(1)
    inside = ((left - hand[:, None]) ** 2).sum(1).mean(1) / (rotations - 1)
    inside *= deals * rotations / (deals * rotations - 1)
    between = (hand**2).mean(1) * deals / (deals - 1)
    return seat, strategy, between - inside / rotations, inside


def _random(part: Array, whole: Array, level: float) -> tuple[float, ...]:
    """Share, low, high and variance of a part that is a mean over deals."""
    n = len(part)
    products = (part @ part, whole @ whole, part @ whole)
    found = intervals.ratio(part.sum(), whole.sum(), *products, n, level)
    half = np.hypot(found.high - found.estimate, squared_effects.caution(n, level))
    share = found.estimate + np.array([0.0, -half, half])
    return (*np.clip(share, 0.0, 1.0).tolist(), float(part.mean()))


def _fixed(part: _Fixed, whole: Array, level: float) -> tuple[float, ...]:
    """Share, low, high and variance of the means of seats or strategies."""
    if part.means.shape[1] == 1:  # a single strategy explains nothing, for sure
        return 0.0, 0.0, 0.0, 0.0
    n, one, size = len(whole), whole.sum(), max(part.variance, 0.0)
    total = intervals.ratio(one, n, whole @ whole, n, one, n, level)
    low, high = squared_effects.squared(part.centre, part.covariance, level)
    ends = (min(low, size), max(high, size))
    together = squared_effects.correlation(part.by_deal(), whole)
    allowance = squared_effects.caution(n, level)
    least, most = squared_effects.quotient(size, ends, total, together, allowance)
    share = size / float(total.estimate)
    return min(share, 1.0), max(least, 0.0), min(most, 1.0), part.variance


def _table(rows: list[tuple[float, ...]]) -> pl.DataFrame:
    columns = ["share", "low", "high", "variance"]
    numbers = pl.DataFrame(
        rows, schema=dict.fromkeys(columns, pl.Float64), orient="row"
    )
    return numbers.fill_nan(None).insert_column(0, pl.Series("source", SOURCES))
