"""What is counted of decisions tried with every option."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reports.measures import Measure, MeasuresOf
from reports.page import Column

GROUPS = (
    Column("option", "option", "what is chosen"),
    Column("hand", "hand", "what the hand promises, a whole number", "count"),
    Column("half", "half", "of the games: 0 or 1", "count"),
    Column("made", "made", "1 where it came true, else 0", "count"),
    Column("points_more", "points", "points at the end, with less without", "count"),
)
"""What the measures of decisions tried are grouped by."""
SCHEMA: dict[str, pl.DataType] = {
    **dict.fromkeys(("game", "decision", "position", "hand", "points"), pl.Int64()),
    **dict.fromkeys(("chosen", "made", "won", "out"), pl.Boolean()),
    "strategy": pl.String(),
    "option": pl.String(),
    "came": pl.Int64(),
}
"""Columns of what was tried, but for the time."""


@dataclass(frozen=True)
class Tried:
    """A decision that is tried: names, and what a report shows of it.

    ``name`` is what an option is called ("contract"), ``plural`` names its table,
    ``time`` is the group that says when. ``none`` is the option to go without; nothing
    where each is compared with the others. ``per_hand`` is how many of ``hand`` are one
    of ``hand_words``. ``eliminates``: whether a seat may be out by it. ``said`` are
    other words for the two names, where a section tells of some options only.
    """

    name: str
    plural: str
    time: str
    none: str = ""
    hand_words: str = "tricks"
    per_hand: int = 1
    eliminates: bool = False
    said: tuple[str, str] = ("", "")
    options: Callable[[Mapping[str, Any]], Sequence[str]] | None = None

    @property
    def one(self) -> str:
        """What an option is called in words."""
        return self.said[0] or self.name

    @property
    def many(self) -> str:
        """The same of several."""
        return self.said[1] or self.plural

    def m(self, name: str) -> str:
        """The full name of one of the measures."""
        return f"{self.name} {name}"

    def added(self, rules: Mapping[str, Any], printed: Mapping[str, Any]) -> list[str]:
        """The options of a variant that the printed rules do not have."""
        if self.options is None or not printed:
            return []
        known = self.options(printed)
        return [option for option in self.options(rules) if option not in known]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is counted of the table ``plural``."""
        of, each = MeasuresOf(self.plural), "strategy option"
        other = "without" if self.none else "with another"
        worth, per = f"win share, with less {other}", "pairs"
        gain = f"points at the end, with less {other}"
        chosen, made = pl.col("chosen"), pl.col("made")
        took, came = "share of the times that it is taken", "share that comes true"
        groups = {"": each, " by time": f"strategy {self.time} option"}
        groups |= {" by place": "strategy position option"}
        groups |= {" by hand": "strategy hand option"}
        halves = {" by hand": " half"}  # of the games, for regret
        found = [
            part
            for more, by in groups.items()
            for part in (
                of.share(self.m(f"taken{more}"), took, "chosen", by=by),
                of.share(self.m(f"made{more}"), came, "made", by=by),
                of.mean(self.m(f"worth{more}"), worth, "won_more", per,
                        by=by + halves.get(more, ""), unit="pp"),
                of.mean(self.m(f"points{more}"), gain, "points_more", per, by=by,
                        unit="points"),
                of.mean(self.m(f"worth if{more}"), worth, "won_more", per,
                        by=f"{by} made", where=made.is_not_null(), unit="pp"),
                of.mean(self.m(f"points if{more}"), gain, "points_more", per,
                        by=f"{by} made", where=made.is_not_null(), unit="points"),
                of.per_game(self.m(f"outcomes{more}"), "changes of the points at the "
                            "end", by=f"{by} points_more"),
                *([of.share(self.m(f"out{more}"), "share that is eliminated then",
                            "out", by=by)] if self.eliminates else []),
            )
        ]  # fmt: skip
        return (
            *found,
            of.share(self.m("kept"), came, "made", by=each, where=chosen),
            of.mean(self.m("gained"), f"{worth}, where it is taken", "won_more", per,
                    by=each, where=chosen, unit="pp"),
            of.mean(self.m("chosen by hand"), f"{worth}, of the one that is chosen",
                    "won_more", per, by="strategy hand half", where=chosen, unit="pp"),
            of.mean(self.m("came by hand"), "what the hand came to", "came",
                    by="strategy hand", where=self.plain),
            of.share(self.m("missed"), "decisions of a game lost that another option "
                     "would have won", "missed", by="strategy", where=chosen),
        )  # fmt: skip

    @property
    def plain(self) -> pl.Expr:
        """Rows that show what the hand is without the decision."""
        return pl.col("option") == self.none if self.none else pl.col("chosen")

    def rows(self, tried: pl.DataFrame) -> pl.DataFrame:
        """What was tried, compared: won_more, points_more, pairs, missed, half."""
        same = "decision"
        if self.none:
            without = tried.filter(option=self.none).select(
                same, points_0="points", won_0="won"
            )
            tried = tried.join(without, on=same, how="inner", maintain_order="left")
            others, points_0, won_0 = pl.lit(1), pl.col("points_0"), pl.col("won_0")
        else:
            others = pl.len().over(same).cast(pl.Int64) - 1
            points_0 = pl.col("points").sum().over(same) - pl.col("points")
            won_0 = pl.col("won").sum().over(same) - pl.col("won")
        won = pl.col("won").cast(pl.Int64)
        return tried.with_columns(
            won_more=won * others - won_0.cast(pl.Int64),
            points_more=pl.col("points") * others - points_0,
            pairs=others,
            missed=pl.col("won").max().over(same) & ~pl.col("won"),
            half=pl.col("game").cast(pl.Int64) // 64 % 2,
        )
