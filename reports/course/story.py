"""What chances to win tell of some games: tables, beside the same of the null model."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.course import odds
from reports.course.chance import shuffled
from reports.course.odds import TOLD, Odds
from reports.course.standing import Standing
from reports.formatting import ends, error, less
from reports.measures import SUMS, Statistic
from reports.statistics.estimates import estimates
from reports.statistics.intervals import wilson
from reports.statistics.quantiles import quantiles

BANDS = 10
"""Chances are told in tenths."""
PARTS = 10
"""Parts of the games that are left out in turn, for intervals (jackknife): models are
fitted anew without each, so the intervals tell what is unsure about these too."""
_T = 2.262  # Student's, 9 degrees of freedom, 95 %
_FAN = (0.1, 0.25, 0.5, 0.75, 0.9)


def story(played: Standing) -> dict[str, pl.DataFrame]:
    """The tables ``odds``, ``reliability`` and ``fan``; none of fewer than 40 games."""
    known = np.flatnonzero((played.winner >= 0) & odds.moments(played).any(axis=0))
    if len(known) < 4 * PARTS:
        return {}
    played, chance = played.some(known), shuffled(played).some(known)
    models = odds.fitted(_half(played, 0)), odds.fitted(_half(chance, 0))
    whole = _means(played, chance, models, -1)
    parts = np.array([_means(played, chance, models, part) for part in range(PARTS)])
    spread = parts - parts.mean(axis=0)
    se = np.sqrt((PARTS - 1) / PARTS * (spread**2).sum(axis=0))  # (columns, what)
    tested = _half(played, 1)
    rows = []
    for at, what in enumerate(TOLD):
        row: dict[str, Any] = {"what": what.name, "n": float(len(tested.game))}
        for number, name in enumerate(("estimate", "chance", "beyond")):
            value, half = float(whole[number, at]), _T * float(se[number, at])
            low, high = ends(name)
            least = -1.0 if name == "beyond" else 0.0  # all numbers lie from 0 to 1
            row |= {name: value, low: max(value - half, least)}
            row[high] = min(value + half, 1.0)
            if what.share and value in (0, 1) and name != "beyond":
                games = len(tested.game)
                row[low], row[high] = map(float, wilson(value * games, games))
            row[error(name)] = float(se[number, at])
        rows.append(row)
    chances = models[0].chances(tested.values)
    return {
        "odds": table_of(rows),
        "reliability": _reliability(tested, chances),
        "fan": _fan(tested, chances),
    }


def of_searchers(played: Standing, search: Standing) -> dict[str, pl.DataFrame]:
    """The tables ``odds of search`` and ``reliability of search``.

    Chances are those of the model of the leading strategy's games, so that numbers
    differ by play alone. None of fewer than 40 games of each.
    """
    both = []
    for one in (played, search):
        known = np.flatnonzero((one.winner >= 0) & odds.moments(one).any(axis=0))
        if len(known) < 4 * PARTS:
            return {}
        both.append(one.some(known))
    model, tested = odds.fitted(_half(both[0], 0)), _half(both[0], 1)
    told = [odds.numbers(one, model.chances(one.values)) for one in (tested, both[1])]
    rows = []
    for what in TOLD:
        row: dict[str, Any] = {"what": what.name}
        for name, found in zip(("estimate", "search"), told, strict=True):
            number = of_games(found[what.name], "share" if what.share else "mean")
            low, high = ends(name)
            row |= {name: number["estimate"], low: number["low"]}
            row |= {high: number["high"], error(name): number["se"]}
        rows.append(row | {"n": float(len(both[1].game))})
    said = _reliability(both[1], model.chances(both[1].values))
    table = less(table_of(rows), "search", "estimate", "more")
    return {"odds of search": table, "reliability of search": said}


def _means(
    played: Standing, chance: Standing, models: tuple[Odds, Odds], without: int
) -> Array:
    """(3, what) means as played, by chance, and their difference.

    Of the games that are measured, and with models fitted to the others, ``without``
    one part of all games; -1: of all.
    """
    found = []
    for games, model in zip((played, chance), models, strict=True):
        fit, test = _half(games, 0, without), _half(games, 1, without)
        known = model if without < 0 else odds.fitted(fit, model)
        numbers = odds.numbers(test, known.chances(test.values))
        found.append([float(numbers[what.name].mean()) for what in TOLD])
    one, other = np.array(found)
    return np.stack([one, other, one - other])


def _half(played: Standing, which: int, without: int = -1) -> Standing:
    """Every other game, but those of one part."""
    at = np.arange(which, len(played.game), 2)
    return played.some(at[at // 2 % PARTS != without])


def of_games(
    values: Array, kind: Statistic, weights: Array | None = None
) -> dict[str, Any]:
    """An estimate of (games,) values, or of their sums over (games,) weights."""
    y = np.asarray(values, dtype=np.float64)
    x = np.ones_like(y) if weights is None else np.asarray(weights, dtype=np.float64)
    parts = (y, x, y * y, x * x, x * y, x != 0, y**3)
    sums = {name: [float(part.sum())] for name, part in zip(SUMS, parts, strict=True)}
    row = estimates(pl.DataFrame(sums), kind).row(0, named=True)
    return {name: row[name] for name in ("estimate", "low", "high", "se", "n")}


def table_of(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows with estimates as a table; what is unknown in all of them is a number, too.

    >>> table_of([{"se": None}]).schema["se"]
    Float64
    """
    found = pl.DataFrame(rows, infer_schema_length=None)
    return found.with_columns(pl.col(pl.Null).cast(pl.Float64))


def _reliability(played: Standing, chances: Array) -> pl.DataFrame:
    """A row a band of chances: their mean, and how often such a seat wins."""
    going, seats = odds.moments(played), chances.shape[1]
    games = len(played.game)
    won = np.arange(seats)[:, None] == played.winner
    band = np.minimum((chances * BANDS).astype(int), BANDS - 1)
    rows = []
    for number in range(BANDS):
        here = (band == number) & going[:, None]
        x = here.sum(axis=(0, 1))
        if not x.any():
            continue
        found = of_games((here & won).sum(axis=(0, 1)), "share", x)
        said = float((chances * here).sum() / x.sum())
        rows.append({"band": number, "said": said, "games": games, **found})
    return table_of(rows)


def calibration_error(reliability: pl.DataFrame) -> float:
    """The expected calibration error: |chance - share won|, weighted by seats."""
    said, won, n = (reliability[name].to_numpy() for name in ("said", "estimate", "n"))
    return float(np.average(abs(said - won), weights=n))


def _fan(played: Standing, chances: Array) -> pl.DataFrame:
    """Quantiles of the greatest chance, by tenths of the game."""
    lasted, best = played.lasted * played.moments, chances.max(axis=1)
    rows = []
    for tenth in range(1, 10):
        at = np.maximum(tenth * lasted // 10, 1) - 1
        now = np.rint(1000 * best[at, np.arange(len(at))])
        values, many = np.unique(now, return_counts=True)
        for part in _FAN:
            found = quantiles(values, many.astype(np.float64), part)
            low, high = found.wide
            rows.append(
                {
                    "tenth": tenth,
                    "quantile": f"{100 * part:.0f} %",
                    "estimate": found.estimate / 1000,
                    "low": low / 1000,
                    "high": high / 1000,
                    "n": float(len(at)),
                }
            )
    return table_of(rows)
