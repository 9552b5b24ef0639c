"""Estimates about pledges: worth, regret, denial, and which go together."""

from dataclasses import dataclass

import polars as pl

from reports.formatting import Z, join, renamed
from reports.pledges.measures import Pledges
from reports.report_data import ReportData
from reports.statistics.equivalence import judge
from reports.verdicts import with_verdict

TOLERANCE = 0.01
"""A change of the win share smaller than 1 point counts as none."""
ALWAYS = 0.95
"""A pledge is redundant if another is shown to come with it this often, or more."""
ENOUGH = 100
"""Pledges tried, or taken, less often are not judged."""
_SIDES = {"above": "pays", "below": "costs", "within": "under a point"}


@dataclass(frozen=True)
class PledgeEstimates:
    """Estimates about the pledges of a game, as tables."""

    pledges: Pledges
    data: ReportData

    def of(self, name: str, *by: str) -> pl.DataFrame:
        """Return a measure of all players, with search, by its groups or some."""
        measure = self.data.measure(self.pledges.measure_name(name))
        rows = self.data.raw_with_search(measure.name)
        return self.data.pool_rows(rows, by or measure.by, measure.kind, measure.unit)

    def lead(self, name: str) -> pl.DataFrame:
        """Return a measure of the leading lineup, without columns about the cell."""
        name = self.pledges.measure_name(name)
        rows = self.data.leading(name, players=self.data.players)
        return rows.drop("lineup", "kind", "strategy_declining", "moment", "changes")

    @property
    def _any(self) -> pl.Expr:
        """An expression: rows about a pledge, not about taking none."""
        return pl.col("option") != self.pledges.none

    def worth(self) -> pl.DataFrame:
        """Return a row for each strategy and pledge: win share lost without, verdict.

        The leading strategy is first, and within each strategy the greatest loss.
        """
        by = ("strategy", "option")
        rows = renamed(self.of("lost"), by, "lost")
        for name, column in (
            ("used", "used"),
            ("lost when used", "would"),
            ("lost by nobody", "first"),
            ("ends", "ends"),
        ):
            rows = join(rows, renamed(self.of(name), by, column), by)
        rows = with_verdict(rows, TOLERANCE, _SIDES, "lost")
        # options have the same names in ``follow_ups``
        unknown = pl.col("option").is_in([of for _, of in self.data.unused_options])
        verdict = pl.when(unknown).then(pl.lit("undecided")).otherwise("verdict")
        rows = rows.with_columns(verdict=verdict)
        others = pl.col("strategy") != self.data.lead
        down = [False, False, True]
        return rows.sort(
            others, "strategy", "lost", descending=down, maintain_order=True
        )

    def regret(self) -> pl.DataFrame:
        """Return a row for each strategy and pledge, compared with others on offer.

        The best other one is chosen in one half of the games and compared in the other,
        so that picking it adds no bias; ``best`` names it for both halves.
        """
        by = ("strategy", "option")
        rows = renamed(self.of("worth"), by, "worth")
        rows = join(rows, renamed(self.of("taken"), by, "taken"), by)
        best = self._best_other()
        rows = join(rows, best, by).filter(pl.col("taken_n") >= ENOUGH, self._any)
        return with_verdict(rows.sort(by), TOLERANCE, _SIDES, "best_worth")

    def _best_other(self) -> pl.DataFrame:
        """Return ``best``, the best other, and ``best_worth``: the pledge less that."""
        keys = ("strategy", "option", "half")
        rows = renamed(self.of("against"), (*keys, "beside"), "worth")
        rows = rows.filter(pl.col("worth_n") >= ENOUGH / 4)
        worst = rows.sort("worth", maintain_order=True)
        worst = worst.unique(keys, keep="first", maintain_order=True)
        worst = worst.select("strategy", "option", "beside", half=1 - pl.col("half"))
        judged = worst.join(rows, on=(*keys, "beside")).sort(keys)
        n, se = pl.col("worth_n"), pl.col("worth_se")
        mean = (pl.col("worth") * n).sum() / n.sum()
        error = (se * n).pow(2).sum().sqrt() / n.sum()
        means = judged.group_by("strategy", "option", maintain_order=True).agg(
            best=pl.col("beside").unique(maintain_order=True).str.join(" or "),
            best_worth=mean,
            best_worth_se=error,
            best_worth_low=mean - Z * error,
            best_worth_high=mean + Z * error,
            best_worth_n=n.sum(),
        )
        return means.sort("strategy", "option")

    def denial(self) -> pl.DataFrame:
        """Return for each strategy and pledge how often others take it if left."""
        by = ("strategy", "option")
        rows = renamed(self.of("denied"), by, "denied")
        rows = join(rows, renamed(self.of("denial"), by, "denial"), by)
        rows = rows.filter(pl.col("denied_n") >= ENOUGH, self._any)
        few = pl.col("denial_n").fill_null(0) < ENOUGH / 4
        numbers = [f"denial{end}" for end in ("", "_low", "_high", "_se")]
        rows = rows.with_columns(
            pl.when(few).then(None).otherwise(name).alias(name) for name in numbers
        ).with_columns(pl.col("denial_low", "denial_high").clip(-1, 1))
        return with_verdict(rows.sort(by), TOLERANCE, _SIDES, "denial")

    def taken_together(self) -> pl.DataFrame:
        """Return a row for each ordered pair: how often the other is taken, too."""
        by = ("option", "beside")
        rows = renamed(self.lead("taken with"), by, "both")
        rows = rows.filter(pl.col("option") != pl.col("beside"))
        alone = self.lead("taken in all").rename({"option": "beside"})
        rows = join(rows, renamed(alone, ("beside",), "all"), ("beside",))
        rows = rows.filter(pl.col("both_n") >= ENOUGH)
        words = {"outside": "redundant"}
        verdicts = judge(rows["both"], rows["both_se"], -1.0, ALWAYS, share=True)
        texts = [words.get(verdict, "") for verdict in verdicts]
        rows = rows.with_columns(pl.Series("verdict", texts, dtype=pl.String))
        return rows.sort("both", "option", descending=[True, False])
