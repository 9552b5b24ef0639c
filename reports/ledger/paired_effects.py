"""What one more is worth, and what a brake does: games played twice on the same deals.

Both games of each deal are known, so every number is a difference within the deal, with
the interval of the mean over deals.
"""

from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.course.standings import Standings
from reports.course.win_probability_tables import estimates_table, mean_over_games
from reports.formatting import bounds_of, se_of
from reports.ledger.account import Account, as_int64, gini
from reports.ledger.ledger import Ledger

GRANTED, BRAKES, OF_SEARCH = "granted", "brakes", " of search"
"""Tables of the story (``ReportData.story``), and the ending of those of search."""
FEW = 30
"""Times at which it was given in fewer games are left out."""
LEADS, LAST = "the leader", "the last player"


def grant_worth(given: pl.DataFrame, strategy: str) -> pl.DataFrame:
    """Return what one more was worth to a strategy, a row for each thing and time.

    given: a row for each grant: game, thing, unit, time, won (share of the win with one
    more, less without) and points (at the end, likewise; null if there are none).
    """
    keys = ("thing", "unit", "time")
    of_game = given.group_by(*keys, "game", maintain_order=True).agg(
        pl.len(), pl.col("won", "points").sum(), scored=pl.col("points").count()
    )
    rows = []
    for (thing, unit, time), part in of_game.sort("time").group_by(
        keys, maintain_order=True
    ):
        if part.height < FEW:
            continue
        weights = part["len"].to_numpy()
        row = {"strategy": strategy, "thing": thing, "unit": unit, "time": time}
        row |= mean_over_games(part["won"].to_numpy(), "mean", weights)
        if part["scored"].sum():
            row |= _named(
                mean_over_games(part["points"].to_numpy(), "mean", weights), "points"
            )
        rows.append(row)
    return estimates_table(rows)


def brake_effect(
    ledger: Ledger, one: tuple[Account, Standings], other: tuple[Account, Standings]
) -> pl.DataFrame:
    """Return numbers under the rules in force, without the brake, and the difference.

    Both are of the same deals; games have the same number of rounds.
    """
    with_, without = _of_ranks(*one), _of_ranks(*other)
    rows = []
    for what, played in with_.items():
        row: dict[str, Any] = {"thing": ledger.name, "what": what}
        row |= mean_over_games(played, "mean")
        row |= _named(mean_over_games(without[what], "mean"), "without")
        row |= _named(mean_over_games(played - without[what], "mean"), "more")
        rows.append(row)
    return estimates_table(rows)


def _of_ranks(account: Account, standing: Standings) -> dict[str, Array]:
    """Return (games,) what the leader, and the last, receives, gains and wins."""
    seats, games = standing.values.shape[1:]
    after = standing.values[standing.moments - 1 :: standing.moments]
    times = len(after)
    flows = {"receives": account.income}
    if account.gained is not None:
        flows["gains"] = as_int64(account.gained)
    half = max(times // 2, 1) - 1
    won = np.arange(seats)[:, None] == standing.winner
    numbers = {}
    for who, end in ((LEADS, after.max(axis=1)), (LAST, after.min(axis=1))):
        here = after == end[:, None]
        share = here / here.sum(axis=1, keepdims=True)
        for does, values in flows.items() if times > 1 else ():
            then = np.moveaxis(values.reshape(seats, times, games), 1, 0)[1:]
            mean = (share[:-1] * then).sum(axis=1).mean(axis=0)
            numbers[f"{who} {does} next"] = mean
        numbers[f"{who} at half-time wins"] = (share[half] * won).sum(axis=0)
    numbers["Gini index at the end"] = gini(np.maximum(standing.as_recorded[-1], 0))
    return numbers


def _named(row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an estimate under another name."""
    low, high = bounds_of(name)
    return {name: row["estimate"], low: row["low"], high: row["high"]} | {
        se_of(name): row["se"]
    }
