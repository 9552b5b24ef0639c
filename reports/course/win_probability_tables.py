"""Tables of chances to win in some games, as played and under the null model."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.course import win_probability
from reports.course.null_model import shuffle_rounds
from reports.course.standings import Standings
from reports.course.win_probability import WIN_MEASURES, WinModel
from reports.formatting import bounds_of, se_of, subtract
from reports.measures import SUMS, Statistic
from reports.statistics.estimates import estimates
from reports.statistics.intervals import wilson
from reports.statistics.quantiles import quantiles

BANDS = 10
"""Bands of chances: tenths."""
PARTS = 10
"""Parts of the games that are left out in turn, for intervals (jackknife). Models are
fitted again without each, so that intervals include the uncertainty of the models."""
_T = 2.262  # Student's, 9 degrees of freedom, 95 %
_FAN = (0.1, 0.25, 0.5, 0.75, 0.9)


def course_tables(played: Standings) -> dict[str, pl.DataFrame]:
    """Return tables ``odds``, ``reliability`` and ``fan``, or {} for under 40 games."""
    known = np.flatnonzero(
        (played.winner >= 0) & win_probability.open_moments(played).any(axis=0)
    )
    if len(known) < 4 * PARTS:
        return {}
    played, chance = played.take(known), shuffle_rounds(played).take(known)
    models = (
        win_probability.fit_model(_half(played, 0)),
        win_probability.fit_model(_half(chance, 0)),
    )
    whole = _means(played, chance, models, -1)
    parts = np.array([_means(played, chance, models, part) for part in range(PARTS)])
    spread = parts - parts.mean(axis=0)
    se = np.sqrt((PARTS - 1) / PARTS * (spread**2).sum(axis=0))  # (columns, what)
    tested = _half(played, 1)
    rows = []
    for at, what in enumerate(WIN_MEASURES):
        row: dict[str, Any] = {"what": what.name, "n": float(len(tested.game))}
        for number, name in enumerate(("estimate", "chance", "beyond")):
            value, half = float(whole[number, at]), _T * float(se[number, at])
            low, high = bounds_of(name)
            least = -1.0 if name == "beyond" else 0.0  # all numbers are from 0 to 1
            row |= {name: value, low: max(value - half, least)}
            row[high] = min(value + half, 1.0)
            if what.share and value in (0, 1) and name != "beyond":
                games = len(tested.game)
                row[low], row[high] = map(float, wilson(value * games, games))
            row[se_of(name)] = float(se[number, at])
        rows.append(row)
    chances = models[0].chances(tested.values)
    return {
        "odds": estimates_table(rows),
        "reliability": _reliability(tested, chances),
        "fan": _fan(tested, chances),
    }


def search_tables(played: Standings, search: Standings) -> dict[str, pl.DataFrame]:
    """Return the tables ``odds of search`` and ``reliability of search``.

    Chances are from the model of the leading strategy's games, so that only play makes
    numbers differ. {} if either has fewer than 40 games.
    """
    both = []
    for games in (played, search):
        known = np.flatnonzero(
            (games.winner >= 0) & win_probability.open_moments(games).any(axis=0)
        )
        if len(known) < 4 * PARTS:
            return {}
        both.append(games.take(known))
    model, tested = win_probability.fit_model(_half(both[0], 0)), _half(both[0], 1)
    numbers = [
        win_probability.numbers(of, model.chances(of.values))
        for of in (tested, both[1])
    ]
    rows = []
    for what in WIN_MEASURES:
        row: dict[str, Any] = {"what": what.name}
        for name, values in zip(("estimate", "search"), numbers, strict=True):
            number = mean_over_games(
                values[what.name], "share" if what.share else "mean"
            )
            low, high = bounds_of(name)
            row |= {name: number["estimate"], low: number["low"]}
            row |= {high: number["high"], se_of(name): number["se"]}
        rows.append(row | {"n": float(len(both[1].game))})
    reliability = _reliability(both[1], model.chances(both[1].values))
    table = subtract(estimates_table(rows), "search", "estimate", "more")
    return {"odds of search": table, "reliability of search": reliability}


def _means(
    played: Standings,
    chance: Standings,
    models: tuple[WinModel, WinModel],
    without: int,
) -> Array:
    """Return (3, what) means as played, by chance, and their difference.

    They are of the games that are measured, with models fitted to the others, both
    ``without`` one part of the games (-1: with all).
    """
    means = []
    for games, model in zip((played, chance), models, strict=True):
        fit, test = _half(games, 0, without), _half(games, 1, without)
        known = model if without < 0 else win_probability.fit_model(fit, model)
        numbers = win_probability.numbers(test, known.chances(test.values))
        means.append([float(numbers[what.name].mean()) for what in WIN_MEASURES])
    as_played, by_chance = np.array(means)
    return np.stack([as_played, by_chance, as_played - by_chance])


def _half(played: Standings, which: int, without: int = -1) -> Standings:
    """Return every other game, without those of one part."""
    at = np.arange(which, len(played.game), 2)
    return played.take(at[at // 2 % PARTS != without])


def mean_over_games(
    values: Array, kind: Statistic, weights: Array | None = None
) -> dict[str, Any]:
    """Estimate the mean of values (games,), or their sum over that of the weights."""
    y = np.asarray(values, dtype=np.float64)
    x = np.ones_like(y) if weights is None else np.asarray(weights, dtype=np.float64)
    parts = (y, x, y * y, x * x, x * y, x != 0, y**3)
    sums = {name: [float(part.sum())] for name, part in zip(SUMS, parts, strict=True)}
    row = estimates(pl.DataFrame(sums), kind).row(0, named=True)
    return {name: row[name] for name in ("estimate", "low", "high", "se", "n")}


def estimates_table(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows of estimates as a table, with columns that are all null as numbers.

    >>> estimates_table([{"se": None}]).schema["se"]
    Float64
    """
    table = pl.DataFrame(rows, infer_schema_length=None)
    return table.with_columns(pl.col(pl.Null).cast(pl.Float64))


def _reliability(played: Standings, chances: Array) -> pl.DataFrame:
    """Return for each band of chances their mean, and how often such seats win."""
    going, seats = win_probability.open_moments(played), chances.shape[1]
    games = len(played.game)
    won = np.arange(seats)[:, None] == played.winner
    band = np.minimum((chances * BANDS).astype(int), BANDS - 1)
    rows = []
    for number in range(BANDS):
        here = (band == number) & going[:, None]
        x = here.sum(axis=(0, 1))
        if not x.any():
            continue
        wins = mean_over_games((here & won).sum(axis=(0, 1)), "share", x)
        mean_chance = float((chances * here).sum() / x.sum())
        rows.append({"band": number, "said": mean_chance, "games": games, **wins})
    return estimates_table(rows)


def calibration_error(reliability: pl.DataFrame) -> float:
    """Return the expected calibration error, |chance - share won| weighted by seats."""
    said, won, n = (reliability[name].to_numpy() for name in ("said", "estimate", "n"))
    return float(np.average(abs(said - won), weights=n))


def _fan(played: Standings, chances: Array) -> pl.DataFrame:
    """Return quantiles of the greatest chance, by tenths of the game."""
    lasted, best = played.rounds_played * played.moments, chances.max(axis=1)
    rows = []
    for tenth in range(1, 10):
        at = np.maximum(tenth * lasted // 10, 1) - 1
        now = np.rint(1000 * best[at, np.arange(len(at))])
        values, counts = np.unique(now, return_counts=True)
        for part in _FAN:
            quantile = quantiles(values, counts.astype(np.float64), part)
            low, high = quantile.wide
            rows.append(
                {
                    "tenth": tenth,
                    "quantile": f"{100 * part:.0f} %",
                    "estimate": quantile.estimate / 1000,
                    "low": low / 1000,
                    "high": high / 1000,
                    "n": float(len(at)),
                }
            )
    return estimates_table(rows)
