"""The result of a ladder of skill: its rungs, and what each gains."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl
from numpy.typing import NDArray

from experiments.analysis.luck_shares import PLAYS, LuckShares
from experiments.analysis.skill_sentences import LadderSummary, findings
from reports.statistics.duplicates import gain
from reports.statistics.intervals import rate
from sim.parameters import Rules
from strategies.strength_levels import plays_as

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEFORE = "before"
"""The value of ``against`` that seats each rung at a table of the one before it."""
GAINS, NO_MORE, NOT_SURE = "gains", "no more", "not sure"
_Wins = NDArray[Any]  # (deals,)


@dataclass(frozen=True)
class Rung:
    """One player at a table of others; ``samples`` is None unless it searches."""

    name: str
    samples: int | None
    table: str
    played: LuckShares

    @cached_property
    def wins(self) -> _Wins:
        """(deals,) games won, of ``PLAYS`` in each seat."""
        players = self.played.cell.players
        alone = (players - pl.col("rotation")) % players + 1
        return _wins(self.played.games.filter(pl.col("position") == alone))

    @cached_property
    def decided(self) -> _Wins:
        """(deals,) games that anybody won."""
        return _wins(self.played.games)

    @property
    def shares(self) -> Mapping[str, float | None]:
        """Shares of the variance in winning, by source (``LuckShares``)."""
        if len({player.title for player in self.played.cell.strategies()}) < 2:
            return {}
        rows = self.played.components().select("source", "share").rows()
        return dict(rows)


@dataclass(frozen=True)
class Ladder:
    """The results of a ladder.

    ``budgets_left`` are budgets that were not tried, for the reason ``why``: "no more"
    (a doubling is shown to gain less than the tolerance) or "time".
    """

    game: str
    rules: Rules
    players: int
    against: str  # who sits at the table, or BEFORE
    seed: int
    tolerance: float
    budgets: tuple[int, ...]
    rungs: tuple[Rung, ...]
    budgets_left: tuple[int, ...] = ()
    why: str = ""

    @cached_property
    def table(self) -> pl.DataFrame:
        """One row per rung, the lowest first.

        rung, samples, table (who has the other seats), deals, games; share, low, high
        (of games won); gain, gain_low, gain_high (over the rung before; 95 %), verdict;
        deal, strategy (shares of luck and skill, as of ``fairdeal luck``).

        The verdict: shown to gain ("gains"), shown to gain "no more" than the
        tolerance, or "not sure".
        In at most 5 % of ladders any verdict on a doubling is wrong, and likewise any
        other verdict (Bonferroni).
        """
        rows = []
        for number, rung in enumerate(self.rungs):
            deals, size = len(rung.wins), self.players * PLAYS
            y, x = rung.wins, size * deals
            share = rate(y.sum(), x, (y * y).sum(), size * x, size * y.sum(), deals)
            row: dict[str, Any] = {
                "rung": rung.name,
                "samples": rung.samples,
                "table": rung.table,
                "deals": deals,
                "games": x,
                "share": float(share.estimate),
                "low": float(share.low),
                "high": float(share.high),
            }
            row |= self._gain(number)
            row |= {key: rung.shares.get(key) for key in ("deal", "strategy")}
            rows.append(row)
        return pl.DataFrame(rows, schema=_SCHEMA)

    def _gain(self, number: int) -> dict[str, Any]:
        """Return the gain over the rung before, and the verdict."""
        rung = self.rungs[number]
        if self.against == BEFORE:
            before: NDArray[Any] = rung.decided / self.players
        elif number:
            before = self.rungs[number - 1].wins
        else:
            return {}
        deals = min(len(before), len(rung.wins))
        level = 1 - 0.05 / self._family(number)
        wide, plain = gain(
            rung.wins[:deals], before[:deals], PLAYS * self.players, level
        )
        verdict = NOT_SURE
        if wide.high < self.tolerance:
            verdict = NO_MORE
        elif wide.low > 0:
            verdict = GAINS
        return {
            "gain": plain.estimate,
            "gain_low": plain.low,
            "gain_high": plain.high,
            "verdict": verdict,
        }

    def _family(self, number: int) -> int:
        """Return how many gains are tested together: all doublings, or all others."""
        if self.doubles(number):
            return len(self.budgets) - 1
        return max(sum(not self.doubles(n) for n in range(1, len(self.rungs))), 1)

    def doubles(self, number: int) -> bool:
        """Whether a rung is the searcher of the rung before with a larger budget."""
        return number > 0 and self.rungs[number - 1].samples is not None

    @property
    def doublings(self) -> pl.DataFrame:
        """The rows of rungs with a larger budget than the one before."""
        which = [n for n in range(len(self.rungs)) if self.doubles(n)]
        return self.table[which]

    @property
    def settled(self) -> bool:
        """Whether the last doubling is shown to gain no more than the tolerance."""
        last = len(self.rungs) - 1
        return self.doubles(last) and self._gain(last)["verdict"] == NO_MORE

    @property
    def deals(self) -> str:
        """What all deals have in common, if anything, in words."""
        return next((rung.played.cell.deals for rung in self.rungs), "")

    @property
    def findings(self) -> list[str]:
        """The findings in sentences."""
        return findings(
            LadderSummary(
                self.table.to_dicts(),
                self.doublings.to_dicts(),
                self.players,
                self.tolerance,
                self.budgets,
                self.budgets_left,
                self.why,
            )
        )

    def plot(self) -> "Figure":
        """Draw each rung's win share, or its gain if ``against`` is ``BEFORE``."""
        from reports import figures
        from reports.figure_style import footnote

        before = self.against == BEFORE
        value = ("gain", "gain_low", "gain_high") if before else ("share", *_ENDS)
        what = (
            "gain over the rung before, %"
            if before
            else f"win share of one at a table of {self.table['table'][0]}, %"
        )
        made = figures.dots(
            self.table,
            "rung",
            *value,
            title=f"{self.game}, {self.players} players: the ladder of skill",
            xlabel=what,
            reference=0.0 if before else 1 / self.players,
        )
        footnote(made, "bars: 95 % intervals, unit of resampling: deal")
        return made

    @cached_property
    def levels(self) -> Mapping[str, str]:
        """Who plays on those rungs that are levels of strength, as specs."""
        names = [rung.name for rung in self.rungs]
        return plays_as(names, self.game, self.rules, self.players)

    def as_dict(self) -> dict[str, Any]:
        """Return the ladder as one JSON object."""
        return {
            "levels": {**self.levels},
            "game": self.game,
            "rules": {key: new for key, (_, new) in self.rules.differences().items()},
            "players": self.players,
            "against": self.against,
            "seed": self.seed,
            **({"given": deals} if (deals := self.deals) else {}),
            "tolerance": self.tolerance,
            "budgets": list(self.budgets),
            "left": list(self.budgets_left),
            "why": self.why,
            "findings": self.findings,
            "rungs": self.table.to_dicts(),
        }

    def __repr__(self) -> str:
        """Return the findings, one per line."""
        given = [f"given {deals}"] if (deals := self.deals) else []
        return "\n".join([*given, *self.findings])

    def _repr_html_(self) -> str:
        return str(self.table._repr_html_())


_ENDS = ("low", "high")
_SCHEMA = {
    "rung": pl.String,
    "samples": pl.Int64,
    "table": pl.String,
    "deals": pl.Int64,
    "games": pl.Int64,
    **dict.fromkeys(("share", *_ENDS, "gain", "gain_low", "gain_high"), pl.Float64),
    "verdict": pl.String,
    "deal": pl.Float64,
    "strategy": pl.Float64,
}


def _wins(games: pl.DataFrame) -> _Wins:
    """Return (deals,): games won, in the order of the deals."""
    rows = games.group_by("deal").agg(pl.col("won").sum()).sort("deal")
    return rows["won"].cast(pl.Int64).to_numpy()
