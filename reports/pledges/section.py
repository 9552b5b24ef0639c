"""The tables and findings about pledges."""

from collections.abc import Callable

import polars as pl

from reports.figure_specs import dots
from reports.formatting import Row, estimated, join, join_words, points, renamed, share
from reports.game_report import SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.pledges.estimates import (
    ALWAYS,
    DEAD,
    ENOUGH,
    RARELY,
    TOLERANCE,
    PledgeEstimates,
)
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
            yield Finding(f"{self._plural} forbidden or tried: no data.", "open")
            return
        yield self._worth(worth, collected, words)
        yield self._regret(regret)
        yield self._when()
        denial = self.denial()
        yield self._denial(denial)
        together = self.taken_together()
        yield self._together(together)
        yield self._competing(self.competing())
        if not worth.is_empty():
            yield from self._worth_findings(worth)
        yield from self._regret_findings(regret)
        yield from self._denial_findings(denial)
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
        """Return the table of worth by time, and by position."""
        time = self.data.columns[self.pledges.time]
        parts = []
        for name, words in (("time", time.title), ("place", "position")):
            group = self.pledges.time if name == "time" else "position"
            rows = self.of(f"worth by {name}").filter(pl.col("n") >= ENOUGH)
            when = pl.format("{} {}", pl.lit(words), group)
            rows = rows.sort(group, "option", ~self._lead, "strategy")
            parts.append(rows.with_columns(when=when).drop(group))
        return MeasureTable(
            f"{self.pledges.plural}-when",
            f"Worth against others on offer, by {time.title} and by position",
            "Against each other one on offer.",
            (
                "strategy",
                Column("when", "when", "or the position of the seat"),
                self._option,
                self._number("worth", "against each other", "estimate"),
            ),
            rows=pl.concat(parts),
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

    def _competing(self, rows: pl.DataFrame) -> MeasureTable:
        return MeasureTable(
            f"{self.pledges.plural}-competing",
            "Which compete",
            "The pairs that are most often on offer at the same decision, and how much "
            "more the first is worth than the second, on the same deals.",
            (
                "strategy",
                self._option,
                Column("beside", "or", "the other on offer"),
                self._number("against", "win share, first less second", "worth"),
                _VERDICT,
            ),
            rows=rows.head(_PAIRS_SHOWN),
            n=Column("worth_n", "n", "decisions with both", "count"),
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
        yield Finding(
            f"{head}, loss of a player who may not take one (points of win share): "
            f"{'; '.join(texts)}.",
            label(rows["verdict"]),
            tested=self._tested(rows),
        )
        dead = rows.filter(verdict=DEAD)["option"].to_list()
        limit = f"a player takes it in under {100 * RARELY:g} % of the games"
        if dead:
            text = f"dead, as {limit} and is not shown to lose by that"
            test = self._tested(rows)
            yield Finding(f"{head}: {text}: {join_words(dead)}.", "sure", tested=test)
        else:
            yield Finding(f"{head}: none is shown to be dead ({limit}).", "")

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

    def _denial_findings(self, rows: pl.DataFrame) -> SectionParts:
        for part in rows.partition_by("strategy", maintain_order=True):
            wide = simultaneous_intervals(
                simultaneous_intervals(part, "denied", share=True), "denial"
            )
            wide = wide.with_columns(pl.col("denial_low", "denial_high").clip(-1, 1))
            most = wide.sort("denied", descending=True, nulls_last=True).head(3)
            texts = [
                f"{row['option']} ({share(row, 'denied')} of the times; gain of that "
                f"seat: {points(row, 'denial')} points of win share)"
                for row in most.to_dicts()
            ]
            unit = self.data.columns[self.pledges.time].title
            text = (
                f"{self._head}, {part['strategy'][0]}, denial: if one is left instead "
                f"of taken, another seat most often takes, in the same {unit}, "
            )
            yield Finding(f"{text}{join_words(texts)}.", "")

    def _together_finding(self, rows: pl.DataFrame) -> SectionParts:
        if rows.is_empty():
            return
        same = rows.filter(verdict="redundant")
        if same.height:
            pairs = [f"{a} with {b}" for a, b in same.select("option", "beside").rows()]
            text = f"nearly always taken with another (redundant): {join_words(pairs)}"
            bounds = f"{100 * ALWAYS:g} %"
            test = how_tested(bounds, "pairs", rows.height, self.data.games)
            yield Finding(
                f"{self._head}, {self.data.who}: {text}.", "sure", tested=test
            )
            return
        row: Row = simultaneous_intervals(rows, "both", share=True).row(0, named=True)
        text = (
            f"none is nearly always taken with another; the nearest is {row['option']} "
            f"with {row['beside']} ({share(row, 'both')} of the times)"
        )
        yield Finding(f"{self._head}, {self.data.who}: {text}.", "")


def _listed(rows: pl.DataFrame, most: int = 4) -> str:
    texts = [f"{row['option']} ({points(row, 'lost')})" for row in rows.to_dicts()]
    more = len(texts) - most
    return join_words([*texts[:most], *([f"{more} more"] if more > 0 else [])])
