"""What is counted of pledges."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid
from reports.measures import Measure, MeasuresOf
from reports.page import Column

ONE, NOBODY = "one may not", "nobody may"
"""Who is kept from a pledge, as ``experiments.core.knocked`` tells it."""
GROUPS = (
    Column("beside", "beside", "another that is there, or is taken"),
    Column("who", "who", "who may not take it"),
)
"""What the measures of pledges are grouped by, beside those of decisions tried."""
SCHEMA: dict[str, pl.DataType] = {
    **dict.fromkeys(("game", "decision", "position", "winner", "next"), pl.Int64()),
    **dict.fromkeys(("chosen", "won"), pl.Boolean()),
    "strategy": pl.String(),
    "option": pl.String(),
}
"""Columns of what was tried, but for the time."""


@dataclass(frozen=True)
class Pledges:
    """What one is called, of several, the group that says when, and taking none."""

    name: str
    plural: str
    time: str
    none: str = ""

    def m(self, name: str) -> str:
        """The full name of one of the measures."""
        return f"{self.name}: {name}"

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is counted of the tables of ``tables``, and by ``taken_with``."""
        against, left, without, tried = (
            MeasuresOf(f"{self.plural} {one}")
            for one in ("against", "left", "without", "tried")
        )
        each, one = "strategy option", pl.col("who") == ONE
        nobody = pl.col("who") == NOBODY
        worth = "win share, with less another that was there"
        lost = "win share lost by a player who may not take it"
        return (
            tried.share(self.m("taken"), "share of the times that it is taken",
                        "chosen", by=each),
            against.mean(self.m("worth"), worth, "more", by=each, unit="pp"),
            against.mean(self.m("worth by time"), worth, "more",
                         by=f"strategy {self.time} option", unit="pp"),
            against.mean(self.m("worth by place"), worth, "more",
                         by="strategy position option", unit="pp"),
            against.mean(self.m("against"), worth, "more",
                         by="strategy option beside half", unit="pp"),
            against.mean(self.m("chosen"), f"{worth}, of the one that is taken", "more",
                         by="strategy", where=pl.col("chosen"), unit="pp"),
            left.share(self.m("denied"), "share of the times it is taken that another "
                       "takes it soon where it is left", "denied", by=each),
            left.mean(self.m("denial"), "win share that the next who takes it gains "
                      "where it is left", "more", by=each, where=pl.col("denied"),
                      unit="pp"),
            without.share(self.m("used"), "games in which a player takes it", "used",
                          by=each, where=one),
            without.mean(self.m("lost"), lost, "lost", by=each, where=one, unit="pp"),
            without.mean(self.m("lost when used"), f"{lost}, where he would", "lost",
                         by=each, where=one & pl.col("used"), unit="pp"),
            without.mean(self.m("lost by nobody"), "win share lost by who takes it "
                         "first, where nobody may", "lost", by=each,
                         where=nobody & pl.col("own"), unit="pp"),
            without.share(self.m("ends"), "games that somebody else wins where nobody "
                          "may take it", "ends", by=each, where=nobody),
            MeasuresOf().share(self.m("taken with"), "share of the times it is taken "
                               "that the other one is taken too", by="option beside"),
            MeasuresOf().share(self.m("taken in all"), "share of all times that it is "
                               "taken", by="option"),
        )  # fmt: skip

    def tables(
        self, tried: pl.DataFrame, knocked: pl.DataFrame
    ) -> dict[str, pl.DataFrame]:
        """What was tried and knocked out, compared.

        tried: a row an option (``SCHEMA``). knocked: as ``experiments.core.knocked``
        tells it, or without any column.
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
        if knocked.is_empty():
            knocked = pl.DataFrame(schema=_KNOCKED)
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
            f"{self.plural} without": knocked.with_columns(
                lost=pl.when("used").then(won - still).otherwise(0), ends=ends
            ),
        }

    def taken_with(
        self, taken: Array, bits: Mapping[str, np.uint64]
    ) -> Iterator[Counts]:
        """Of each the share of the times that another one is taken too.

        taken: (units, games) what a seat took in a unit of time, as masks; bits: of
        each one.
        """
        names = [*bits]
        flags = np.stack([(taken & bit) != 0 for bit in bits.values()])
        many = flags.sum(axis=1, dtype=np.int64)  # (names, games)
        both = np.stack(
            [(flags & flag).sum(axis=1, dtype=np.int64) for flag in flags], axis=1
        )
        x = np.broadcast_to(many[:, None], both.shape)
        yield grid(self.m("taken with"), both, x, option=names, beside=names)
        units = np.full_like(many, len(taken))
        yield grid(self.m("taken in all"), many, units, option=names)


_KNOCKED = {
    **dict.fromkeys(("game", "seat", "winner", "winner_without"), pl.Int64()),
    **dict.fromkeys(("option", "who", "strategy"), pl.String()),
    **dict.fromkeys(("used", "own"), pl.Boolean()),
}
