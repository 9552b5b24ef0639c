"""What is counted of decisions tried with every option."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
    **dict.fromkeys(("strategy", "option"), pl.Categorical()),
    "came": pl.Int64(),
}
"""Columns of what was tried, but for the time."""
_MADE = "share that comes true"


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
    def schema(self) -> dict[str, pl.DataType]:
        """The columns of what was tried."""
        return {**SCHEMA, self.time: pl.Int64()}

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
        of = MeasuresOf(self.plural, "strategy option", head=self.m(""))
        wins, chosen = replace(of, unit="pp"), {"where": pl.col("chosen")}
        worth = f"win share, {self._less}"
        taken = f"{worth}, where it is taken"
        best = f"{worth}, of the one that is chosen"
        missed = "decisions of a game lost that another option would have won"
        hand, half = "strategy hand", "strategy hand half"
        came = "what the hand came to"
        return (
            *self._alike("strategy option"),
            *self._alike(f"strategy {self.time} option", " by time"),
            *self._alike("strategy position option", " by place"),
            *self._alike("strategy hand option", " by hand", " half"),
            of.share("kept", _MADE, "made", **chosen),
            wins.mean("gained", taken, "won_more", "pairs", **chosen),
            wins.mean("chosen by hand", best, "won_more", "pairs", by=half, **chosen),
            of.mean("came by hand", came, "came", by=hand, where=self.plain),
            of.share("missed", missed, "missed", by="strategy", **chosen),
        )

    @property
    def _less(self) -> str:
        """What an option is compared with, in words."""
        return f"with less {'without' if self.none else 'with another'}"

    def _alike(self, by: str, more: str = "", half: str = "") -> Iterator[Measure]:
        """What is counted alike by several groups; their names end with ``more``.

        ``half``: the half of the games as a group of worth, for regret.
        """
        of = MeasuresOf(self.plural, by, head=self.m(""))
        wins, points = replace(of, unit="pp"), replace(of, unit="points")
        worth, gain = f"win share, {self._less}", f"points at the end, {self._less}"
        ended = {"by": f"{by} made", "where": pl.col("made").is_not_null()}
        outcomes = "changes of the points at the end"
        yield of.share(f"taken{more}", "share of the times that it is taken", "chosen")
        yield of.share(f"made{more}", _MADE, "made")
        yield wins.mean(f"worth{more}", worth, "won_more", "pairs", by=by + half)
        yield points.mean(f"points{more}", gain, "points_more", "pairs")
        yield wins.mean(f"worth if{more}", worth, "won_more", "pairs", **ended)
        yield points.mean(f"points if{more}", gain, "points_more", "pairs", **ended)
        yield of.per_game(f"outcomes{more}", outcomes, by=f"{by} points_more")
        if self.eliminates:
            yield of.share(f"out{more}", "share that is eliminated then", "out")

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
