"""The measures of pledges."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid_of_sample
from reports.measures import Measure, MeasuresOf
from reports.report_document import Column

PLEDGE_GROUPS = (Column("beside", "beside", "another on offer, or taken with it"),)
"""Groups of the measures of pledges, in addition to those of decisions tried."""
PLEDGE_SCHEMA: dict[str, pl.DataType] = {
    **dict.fromkeys(("game", "decision", "winner", "next"), pl.Int64()),
    **dict.fromkeys(("chosen", "won"), pl.Boolean()),
    **dict.fromkeys(("strategy", "option"), pl.Categorical()),
}
"""Columns of the options tried, without the time."""


@dataclass(frozen=True)
class Pledges:
    """Pledges of a game: their name, its plural, the time group, and taking none."""

    name: str
    plural: str
    time: str
    none: str = ""

    def measure_name(self, name: str) -> str:
        """Return the full name of one of the measures."""
        return f"{self.name}: {name}"

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """The columns of the options tried."""
        return {**PLEDGE_SCHEMA, self.time: pl.Int64()}

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of ``tables`` and of ``taken_with``."""
        of = partial(MeasuresOf, by="strategy option", head=self.measure_name(""))
        tried, against, left, without = (
            of(f"{self.plural} {table}", unit="pp")
            for table in ("tried", "against", "left", "without")
        )
        one, nobody = (pl.col("whose") == whose for whose in ("first", "all"))
        used, own = one & pl.col("used"), nobody & pl.col("own")
        taken = {"by": "strategy", "where": pl.col("chosen")}
        times = "share of the times"
        worth = "win share with it, less that with another on offer"
        denied = f"{times} it is taken that, if left, another seat takes it soon"
        gained = "win share that the next seat to take it gains if it is left"
        lost = "win share lost by a player who may not take it"
        first = "win share lost by the first to take it, if nobody may"
        ends = "games that somebody else wins if nobody may take it"
        both = f"{times} it is taken that the other one is taken, too"
        return (
            tried.share("taken", f"{times} that it is taken", "chosen", unit=""),
            against.mean("worth", worth, "more"),
            against.mean(
                "worth by time", worth, "more", by=f"strategy {self.time} option"
            ),
            against.mean("against", worth, "more", by="strategy option beside half"),
            against.mean(
                "chosen", f"{worth}, of the one that is taken", "more", **taken
            ),
            left.share("denied", denied, "denied", unit=""),
            left.mean("denial", gained, "more", where=pl.col("denied")),
            without.share(
                "used", "games in which a player takes it", "used", where=one, unit=""
            ),
            without.mean("lost", lost, "lost", where=one),
            without.mean("lost when used", f"{lost}, but would", "lost", where=used),
            without.mean("lost by nobody", first, "lost", where=own),
            without.share("ends", ends, "ends", where=nobody, unit=""),
            of(by="option beside").share("taken with", both),
            of(by="option").share(
                "taken in all", "share of all times that it is taken"
            ),
        )

    def tables(
        self, tried: pl.DataFrame, forbidden: pl.DataFrame
    ) -> dict[str, pl.DataFrame]:
        """Return tidy tables of the options tried and forbidden.

        tried: a row for each option (``PLEDGE_SCHEMA``). forbidden: the table
        of ``experiments.counterfactual.forbidden_options``, or one without columns.
        """
        half = pl.col("game").cast(pl.Int64) // 64 % 2
        rows = tried.with_columns(pl.col("won").cast(pl.Int64), half=half)
        other = rows.select("decision", beside="option", other_won="won")
        against = rows.join(other, on="decision", maintain_order="left")
        against = against.filter(pl.col("option") != pl.col("beside"))
        taken = rows.filter("chosen").select("decision", took="option", had="winner")
        left = rows.join(taken, on="decision", maintain_order="left")
        left = left.filter(pl.col("option") != pl.col("took"))
        denied, gets = pl.col("next") >= 0, pl.col("winner") == pl.col("next")
        had = pl.col("had") == pl.col("next")
        if forbidden.is_empty():
            forbidden = pl.DataFrame(schema=_FORBIDDEN)
        won, still = (
            (pl.col(name) == pl.col("seat")).cast(pl.Int64)
            for name in ("winner", "winner_without")
        )
        ends = pl.col("winner") != pl.col("winner_without")
        return {
            f"{self.plural} tried": rows,
            f"{self.plural} against": against.with_columns(
                more=pl.col("won") - pl.col("other_won")
            ),
            f"{self.plural} left": left.with_columns(
                option="took",
                denied=denied,
                more=gets.cast(pl.Int64) - had.cast(pl.Int64),
            ),
            f"{self.plural} without": forbidden.with_columns(
                lost=pl.when("used").then(won - still).otherwise(0), ends=ends
            ),
        }

    def taken_with(
        self, taken: Array, bits: Mapping[str, np.uint64], game: Array
    ) -> Iterator[Counts]:
        """Count for each pledge how often another one is taken, too.

        taken: (units, games) what a seat took in a unit of time, as masks; bits: the
        bit of each pledge; game: (games,) the numbers of these games in the block.
        """
        names = [*bits]
        flags = np.stack([(taken & bit) != 0 for bit in bits.values()])
        times = flags.sum(axis=1, dtype=np.int64)  # (names, games)
        both = np.stack(
            [(flags & flag).sum(axis=1, dtype=np.int64) for flag in flags], axis=1
        )
        x = np.broadcast_to(times[:, None], both.shape)
        name = self.measure_name("taken with")
        yield grid_of_sample(name, game, both, x, option=names, beside=names)
        name, units = self.measure_name("taken in all"), np.full_like(times, len(taken))
        yield grid_of_sample(name, game, times, units, option=names)


_FORBIDDEN = {
    **dict.fromkeys(("game", "seat", "winner", "winner_without"), pl.Int64()),
    **dict.fromkeys(("option", "whose", "strategy"), pl.String()),
    **dict.fromkeys(("used", "own"), pl.Boolean()),
}
