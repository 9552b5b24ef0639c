"""The measures of decisions tried with every option."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from reports.measures import Measure, MeasuresOf
from reports.report_document import Column

COUNTERFACTUAL_GROUPS = (
    Column("option", "option", "what is chosen"),
    Column("hand", "hand", "what the hand promises, a whole number", "count"),
    Column("half", "half", "half of the games: 0 or 1", "count"),
    Column("made", "made", "1 if it came true, else 0", "count"),
    Column("points_more", "points", "points at the end, with less without", "count"),
)
"""Groups of the measures of decisions tried."""
COUNTERFACTUAL_SCHEMA: dict[str, pl.DataType] = {
    **dict.fromkeys(("game", "decision", "hand", "points"), pl.Int64()),
    **dict.fromkeys(("chosen", "made", "won", "out"), pl.Boolean()),
    **dict.fromkeys(("strategy", "option"), pl.Categorical()),
    "came": pl.Int64(),
}
"""Columns of the options tried, without the time."""
_MADE = "share that comes true"


@dataclass(frozen=True)
class Counterfactual:
    """A decision that is tried: its names, and what a report shows.

    ``name`` is the name of an option ("contract"), ``plural`` that of its table, and
    ``time`` the group that says when. ``none`` is the option to go without; "" if each
    is compared with the others. ``per_hand``: how many units of ``hand`` make one of
    ``hand_words``. ``eliminates``: whether it may eliminate a seat. ``words``:
    the two names in sentences, if they differ, for a section on some of the options.
    """

    name: str
    plural: str
    time: str
    none: str = ""
    hand_words: str = "tricks"
    per_hand: int = 1
    eliminates: bool = False
    words: tuple[str, str] = ("", "")
    options: Callable[[Mapping[str, Any]], Sequence[str]] | None = None

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """The columns of the options tried."""
        return {**COUNTERFACTUAL_SCHEMA, self.time: pl.Int64()}

    @property
    def one(self) -> str:
        """The name of an option in sentences."""
        return self.words[0] or self.name

    @property
    def many(self) -> str:
        """The name of several options in sentences."""
        return self.words[1] or self.plural

    def measure_name(self, name: str) -> str:
        """Return the full name of one of the measures."""
        return f"{self.name} {name}"

    def added(self, rules: Mapping[str, Any], printed: Mapping[str, Any]) -> list[str]:
        """Return the options of a variant that the printed rules do not have."""
        if self.options is None or not printed:
            return []
        known = self.options(printed)
        return [option for option in self.options(rules) if option not in known]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of the table ``plural``."""
        of = MeasuresOf(self.plural, "strategy option", head=self.measure_name(""))
        wins, chosen = replace(of, unit="pp"), {"where": pl.col("chosen")}
        worth = f"win share, {self._less}"
        taken = f"{worth}, when it is taken"
        best = f"{worth}, of the one that is chosen"
        hand, half = "strategy hand", "strategy hand half"
        came = "what the hand came to"
        return (
            *self._grouped("strategy option"),
            *self._grouped(f"strategy {self.time} option", " by time"),
            *self._grouped("strategy hand option", " by hand", " half"),
            of.share("kept", _MADE, "made", **chosen),
            wins.mean("gained", taken, "won_more", "pairs", **chosen),
            wins.mean("chosen by hand", best, "won_more", "pairs", by=half, **chosen),
            of.mean("came by hand", came, "came", by=hand, where=self.plain),
        )

    @property
    def _less(self) -> str:
        """What an option is compared with, in words."""
        return f"with it less {'without' if self.none else 'with another'}"

    def _grouped(self, by: str, more: str = "", half: str = "") -> Iterator[Measure]:
        """Yield the measures that several groups have; their names end with ``more``.

        ``half``: another group of worth, the half of the games, for regret.
        """
        of = MeasuresOf(self.plural, by, head=self.measure_name(""))
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
            yield of.share(f"out{more}", "share that is then eliminated", "out")

    @property
    def plain(self) -> pl.Expr:
        """An expression: rows that show what the hand comes to by itself."""
        return pl.col("option") == self.none if self.none else pl.col("chosen")

    def rows(self, tried: pl.DataFrame) -> pl.DataFrame:
        """Add comparisons to rows: won_more, points_more, pairs, half."""
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
            half=pl.col("game").cast(pl.Int64) // 64 % 2,
        )
