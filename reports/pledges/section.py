"""The tables and findings about pledges."""

from collections.abc import Callable

import polars as pl

from reports.figure_specs import dots
from reports.formatting import estimated, join, join_words, points, renamed
from reports.game_report import SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.pledges.estimates import ALWAYS, ENOUGH, TOLERANCE, PledgeEstimates
from reports.pledges.measures import Pledges
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics.equivalence import label
from reports.strategy_differences import strategy_differences
from reports.verdicts import how_tested

_VERDICT = Column("verdict", "verdict", "against 1 point of win share; Holm, 95 %")
_PAIRS_SHOWN = 12


def pledge_parts(
    pledges: Pledges,
    data: ReportData,
    collected: str = "",
    words: Callable[[str], str] = str,
) -> SectionParts:
    """Yield tables and findings on worth, regret, denial, and which go together.

    ``collected``: the measure of what is collected with each, by ``pledges.name``;
    ``words`` turns its names into those of the options tried.
    """
    return _Shown(pledges, data).parts(collected, words)


class _Shown(PledgeEstimates):
    """Makes tables and findings from the estimates."""

    def parts(self, collected: str, words: Callable[[str], str]) -> SectionParts:
        """Yield all tables, then all findings."""
        worth, regret = self.worth(), self.regret()
        if worth.is_empty() and regret.is_empty():
            return
        yield self._worth(worth, collected, words)
        yield self._regret(regret)
        yield self._when()
        yield self._denial(self.denial())
        together = self.taken_together()
        yield self._together(together)
        if not worth.is_empty():
            yield from self._worth_findings(worth)
        yield from self._regret_findings(regret)
        yield from self._together_finding(together)

    @property
    def _option(self) -> Column:
        return Column("option", self.pledges.name, f"the {self.pledges.name}")

    @property
    def _plural(self) -> str:
        return self.pledges.plural.capitalize()

    @property
    def _head(self) -> str:
        return f"{self._plural}, {self.data.players} players"

    @property
    def _lead(self) -> pl.Expr:
        """An expression: rows of the leading strategy."""
        return pl.col("strategy") == self.data.lead

    def _number(self, measure: str, title: str, name: str) -> Number:
        return Number(self.pledges.measure_name(measure), title, name=name)

    def _worth(
        self, rows: pl.DataFrame, collected: str, words: Callable[[str], str]
    ) -> MeasureTable:
        beside: tuple[Number, ...] = ()
        if collected:
            more = self.data.leading(collected, players=self.data.players)
            names = [words(name) for name in more[self.pledges.name]]
            option = pl.Series("option", names, dtype=pl.String)
            more = more.with_columns(option, strategy=pl.lit(self.data.lead))
            by = ("strategy", "option")
            rows = join(rows, renamed(more, by, "paid"), by)
            beside = (Number(collected, "collected", name="paid"),)
        name, axis = self.pledges.name, "win share lost by who may not take it, %"
        return MeasureTable(
            f"{self.pledges.plural}-worth",
            f"What each {name} is worth: win share lost without it",
            f"With {self.data.who}; rows of search: one search player among these. The "
            "same games are played again: once one player (the one who searches) may "
            f"not take the {name}, once nobody may.",
            (
                "strategy",
                self._option,
                self._number("lost", "lost by one who may not", "lost"),
                _VERDICT,
                *beside,
                self._number("used", "taken by a player", "used"),
                self._number("lost when used", "lost if taken", "would"),
                self._number(
                    "lost by nobody", "lost by the first if nobody may", "first"
                ),
                self._number("ends", "other winner if nobody may", "ends"),
            ),
            rows=rows,
            draw=dots("option", axis, "lost", by="strategy", reference=0),
            n=Column("lost_n", "n", "games compared", "count"),
        )

    def _regret(self, rows: pl.DataFrame) -> MeasureTable:
        doc = "win share with it, less that with the best other on offer"
        axis = "change of the win share, %"
        return MeasureTable(
            f"{self.pledges.plural}-others",
            f"What taking each {self.pledges.name} is worth against others on offer",
            f"In some games, one decision is tried with every {self.pledges.name} on "
            "offer; the rest is played as before. Below 0, another would have been "
            f"better. After a search player's choice, {self.data.continuation_words}.",
            (
                "strategy",
                self._option,
                Column("best", "best other", "in either half of the games"),
                estimated("against the best", doc, "points", "best_worth"),
                _VERDICT,
                self._number("worth", "against each other", "worth"),
                self._number("taken", "taken when on offer", "taken"),
            ),
            rows=rows,
            draw=dots("option", axis, "worth", reference=0, only=self._lead),
            n=Column("taken_n", "n", "decisions in which it was on offer", "count"),
        )

    def _when(self) -> MeasureTable:
        """Return the table of worth by time."""
        time = self.pledges.time
        rows = self.of("worth by time").filter(pl.col("n") >= ENOUGH)
        return MeasureTable(
            f"{self.pledges.plural}-when",
            f"Worth against others on offer, by {self.data.columns[time].title}",
            "Against each other one on offer.",
            (
                "strategy",
                time,
                self._option,
                self._number("worth", "against each other", "estimate"),
            ),
            rows=rows.sort(time, "option", ~self._lead, "strategy"),
        )

    def _denial(self, rows: pl.DataFrame) -> MeasureTable:
        name, unit = self.pledges.name, self.data.columns[self.pledges.time].title
        axis = "taken by another when it is left, %"
        return MeasureTable(
            f"{self.pledges.plural}-denial",
            f"Denial: who takes the {name} when it is left",
            f"The same decisions, with another choice than the {name} that was taken: "
            f"how often another seat then takes it in the same {unit}, and what win "
            "share that seat gains by it.",
            (
                "strategy",
                self._option,
                self._number("denied", "another takes it", "denied"),
                self._number("denial", "gained by that seat", "denial"),
                _VERDICT,
            ),
            rows=rows,
            draw=dots("option", axis, "denied", only=self._lead),
            n=Column("denied_n", "n", "times that another one was tried", "count"),
        )

    def _together(self, rows: pl.DataFrame) -> MeasureTable:
        unit = self.data.columns[self.pledges.time].title
        return MeasureTable(
            f"{self.pledges.plural}-together",
            "Which are taken together",
            f"By one seat in one {unit}: the pairs that go together most often; with "
            f"{self.data.who}. Redundant: shown to be in {100 * ALWAYS:g} % or more.",
            (
                self._option,
                Column("beside", "taken with", "by the same seat"),
                self._number("taken with", "with it", "both"),
                self._number("taken in all", "in all", "all"),
                Column("verdict", "verdict", "redundant, if shown; Holm, 95 %"),
            ),
            rows=rows.head(_PAIRS_SHOWN),
            n=Column("both_n", "n", "times that the first one was taken", "count"),
        )

    def _worth_findings(self, worth: pl.DataFrame) -> SectionParts:
        for rows in worth.partition_by("strategy", maintain_order=True):
            yield from self._worth_of(rows)
        head = f"{self._head}, loss of a player who may not take one"
        yield from strategy_differences(
            worth, "option", self.data, TOLERANCE, head, "lost"
        )

    def _worth_of(self, rows: pl.DataFrame) -> SectionParts:
        wide, who = simultaneous_intervals(rows, "lost"), rows["strategy"][0]
        others = f"one {who} among {self.data.lead}"
        head = f"{self._head}, {self.data.who if who == self.data.lead else others}"
        pays, costs, idle = (
            wide.filter(verdict=word) for word in ("pays", "costs", "under a point")
        )
        texts = [
            f"{verdict} without {_listed(part)}"
            for part, verdict in ((pays, "a loss"), (costs, "a gain"))
            if part.height
        ] or [f"no {self.pledges.name} is shown to cost or gain more than a point"]
        if idle.height:
            texts.append(f"worth less than a point each: {idle.height}")
        texts += _left(wide, "lost")
        yield Finding(
            f"{head}, loss of a player who may not take one (points of win share): "
            f"{'; '.join(texts)}.",
            label(rows["verdict"]),
            tested=self._tested(rows),
        )

    def _regret_findings(self, rows: pl.DataFrame) -> SectionParts:
        for part in rows.partition_by("strategy", maintain_order=True):
            who = part["strategy"][0]
            wide = simultaneous_intervals(part, "best_worth")
            bad = wide.filter(verdict="costs").sort("best_worth")
            texts = [
                f"{row['option']} ({points(row, 'best_worth')} against {row['best']})"
                for row in bad.head(4).to_dicts()
            ]
            chosen = self.of("chosen").filter(strategy=who).to_dicts()
            gained = ""
            if chosen:
                gained = (
                    f"; what it takes is worth {points(chosen[0])} points of win share "
                    "more than the others on offer"
                )
            regret = join_words(texts) or "none, as no other is shown to be better"
            regret = "; ".join([regret, *_left(wide, "best_worth")])
            yield Finding(
                f"{self._head}, {who}, regret of taking one, compared with the best "
                f"other on offer (points of win share): {regret}{gained}.",
                label(part["verdict"]),
                tested=self._tested(rows),
            )
        head = f"{self._head}, against the best other"
        yield from strategy_differences(
            rows, "option", self.data, TOLERANCE, head, "best_worth"
        )

    def _tested(self, rows: pl.DataFrame) -> str:
        bounds = f"{100 * TOLERANCE:g} point"
        return how_tested(bounds, "rows of its table", rows.height, self.data.games)

    def _together_finding(self, rows: pl.DataFrame) -> SectionParts:
        same = rows.filter(verdict="redundant").select("option", "beside").rows()
        if same:
            pairs = join_words([f"{one} with {other}" for one, other in same])
            bounds = f"{100 * ALWAYS:g} %"
            yield Finding(
                f"{self._head}, {self.data.who}: nearly always taken with another "
                f"(redundant): {pairs}.",
                "sure",
                tested=how_tested(bounds, "pairs", rows.height, self.data.games),
            )


def _left(rows: pl.DataFrame, name: str) -> list[str]:
    """Count the rows that say nothing: those without data, and undecided ones."""
    none = rows.filter(pl.col(name).is_null()).height
    open_ = rows.filter(verdict="undecided").height - none
    counts = {"undecided": open_, "without data": none}
    return [f"{word}: {count}" for word, count in counts.items() if count > 0]


def _listed(rows: pl.DataFrame, most: int = 4) -> str:
    texts = [f"{row['option']} ({points(row, 'lost')})" for row in rows.to_dicts()]
    more = len(texts) - most
    return join_words([*texts[:most], *([f"{more} more"] if more > 0 else [])])
