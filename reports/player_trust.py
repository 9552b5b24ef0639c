"""How much the players of a table are to be trusted: who wins more in one seat there.

A finding about a table is about players who play well only as far as nobody could do
much better there. So one seat is given to others: heuristics, search that knows how the
table plays, one that learned against this table alone. What the best of them gains
tells how far the players are from playing as well as they could; and where it gains
more than by the base rules, they do not know the rules that differ.

All of them are told, with intervals that hold for all at once (Bonferroni), since the
best is chosen among them.
"""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import polars as pl

from reports.formatting import N, bounds_of, exhibit, points, signed_points
from reports.report_document import LEVEL, Column, Section, SectionLink

LINK = SectionLink(
    "trust",
    "How much the players are to be trusted",
    "What does one gain who studies these players for a minute?",
)
ALLOWED = 0.05
"""A gain that says nothing against the players, as a share of the win."""
_ROWS = {
    "strategy": pl.String,
    **dict.fromkeys(("gain", "gain_se", "base", "base_se", "n"), pl.Float64),
}


@dataclass(frozen=True)
class PlayerTrust:
    """What others gain in one seat at a table where all play alike.

    ``table``, most first: strategy; gain over who sits there otherwise, as a share of
    the win; base, the same by the base rules, and more, the difference, null where the
    rules are those or it was not played; each with its interval (gain_low, gain_high,
    ...), which holds for all rows at once; n (games).
    """

    lead: str
    players: int
    table: pl.DataFrame

    @classmethod
    def of(cls, lead: str, players: int, *parts: pl.DataFrame) -> "PlayerTrust":
        """From gains with their standard errors.

        parts: strategy, gain, gain_se, n, base and base_se, or some of them; what
        several say of a strategy is joined, and those without a gain are left out.

        >>> rows = {"strategy": ["search"], "gain": [0.2], "gain_se": [0.01]}
        >>> PlayerTrust.of("allround", 4, pl.DataFrame(rows)).sentence[:33]
        'These players can be beaten: one '
        """
        rows = pl.concat([pl.DataFrame(schema=_ROWS), *parts], how="diagonal_relaxed")
        by_name = rows.group_by("strategy", maintain_order=True)
        rows = by_name.agg(pl.all().drop_nulls().first()).drop_nulls("gain")
        z = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / max(rows.height, 1))
        table = rows.with_columns(
            more=pl.col("gain") - pl.col("base"),
            more_se=(pl.col("gain_se") ** 2 + pl.col("base_se") ** 2).sqrt(),
        )
        for name in ("gain", "base", "more"):
            half = z * pl.col(f"{name}_se")
            low, high = bounds_of(name)
            table = table.with_columns(
                (pl.col(name) - half).alias(low), (pl.col(name) + half).alias(high)
            )
        table = table.drop("gain_se", "base_se", "more_se")
        table = table.sort("gain", "strategy", descending=[True, False])
        return cls(lead, players, table)

    @property
    def beaten(self) -> pl.DataFrame:
        """Who surely gains something, and by the estimate more than is allowed."""
        return self.table.filter(pl.col("gain_low") > 0, pl.col("gain") > ALLOWED)

    @property
    def unadapted(self) -> pl.DataFrame:
        """Those of them of whose gain the same holds beside the base rules."""
        return self.beaten.filter(pl.col("more_low") > 0, pl.col("more") > ALLOWED)

    @property
    def sentence(self) -> str:
        """How much the players are to be trusted, in words; "" if nobody was tried."""
        much = f"more than {100 * ALLOWED:g} points"
        if self.table.is_empty():
            return ""
        if self.unadapted.height:
            text = "These players do not know these rules well yet"
            rows = self.unadapted
        elif self.beaten.height:
            text, rows = "These players can be beaten", self.beaten
        elif (self.table["gain_high"] > ALLOWED).any():
            text = f"Whether these players can be beaten by {much} is not settled"
            rows = self.table.sort("gain_high", descending=True)
        else:
            return f"Nobody who was tried gains {much} over these players."
        return f"{text}: {self._who(rows)}."

    def _who(self, rows: pl.DataFrame) -> str:
        row = rows.row(0, named=True)
        gain = points(row, "gain")
        told = f"one {_called(row['strategy'])} among them wins {gain} points more"
        if (base := row["base"]) is None:
            return told
        return f"{told}; by the base rules {signed_points(base)}"

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        rows = self.table.to_dicts()
        return {
            "lead": self.lead,
            "players": self.players,
            "sentence": self.sentence,
            "gains": rows,
        }

    def __repr__(self) -> str:
        """Say how much the players are to be trusted."""
        return f"{self.sentence}\nsee .table"


def section(trust: PlayerTrust) -> Section | None:
    """Return the section with all gains; None if nobody was tried."""
    if trust.table.is_empty():
        return None
    columns = [
        Column("strategy", "one", "who has one seat, which moves round the table"),
        _gain("gain", "gain", "share of the win, less that of those who sit there"),
    ]
    if trust.table["base"].null_count() < trust.table.height:
        columns += [
            _gain("base", "by the base rules", "the same by the base rules"),
            _gain("more", "more here", "gain, less that by the base rules"),
        ]
    columns.append(N)
    made = exhibit(
        "player-trust",
        f"What others gain in one seat among {trust.lead}",
        f"{trust.lead} has all other seats. Intervals hold for all rows at once. Gains "
        f"of more than {100 * ALLOWED:g} points say that findings are about players "
        "who can be beaten clearly.",
        trust.table,
        tuple(columns),
    )
    text = f"{trust.sentence} {trust.players} players."
    return Section(LINK.id, LINK.title, text, (made,))


def _called(strategy: str) -> str:
    """What a player of a strategy is called in a sentence, without its fields."""
    name = strategy.partition(":")[0]
    return "search player" if name == "search" else name


def _gain(name: str, title: str, about: str) -> Column:
    return Column(name, title, about, "points", *bounds_of(name))
