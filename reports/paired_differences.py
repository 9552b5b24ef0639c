"""Differences between both games of a pair: a report declares what is compared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.game_arrays import About, Raw


@dataclass(frozen=True, eq=False)
class PairedDifferences:
    """What is compared in the games of a pair, in the tidy ``table`` of this name.

    ``reads`` makes arrays of the recorded games. ``values`` are compared: (seats,
    games) by the name of the difference, which is the first game less the second.
    ``rows`` says what counts: a row for each game and seat, with columns to group by;
    in ``sign``, if there is one, -1 turns the difference round. Both are told about the
    pair: also ``when`` and ``option`` of what is declined, and the ``trial``.
    """

    table: str
    reads: Callable[[Raw, About], Any]
    values: Callable[[Any, About], Mapping[str, Array]]
    rows: Callable[[Any, Any, About], pl.DataFrame]

    def of(self, raw: Raw, other: Raw, about: About) -> dict[str, pl.DataFrame]:
        """Return the table, from what was recorded of both games."""
        here, there = self.reads(raw, about), self.reads(other, about)
        rows, second = self.rows(here, there, about), self.values(there, about)
        sign = pl.col("sign") if "sign" in rows.columns else 1
        at = rows["seat"].to_numpy(), here.game_index(rows)
        less = {
            name: sign
            * pl.lit(pl.Series(first[at].astype(np.int64) - second[name][at]))
            for name, first in self.values(here, about).items()
        }
        return {self.table: rows.with_columns(**less)}


def drawn_cards(here: Any, there: Any, about: About) -> pl.DataFrame:
    """Return the cards that one game of an experiment on deals keeps, one discards.

    From the note ``trial`` (seat, card, has): differences are with the card less
    without.
    """
    sign = pl.when(pl.col("has").cast(pl.Boolean)).then(1).otherwise(-1)
    drawn: pl.DataFrame = here.raw["trial"].with_columns(sign=sign)
    return drawn
