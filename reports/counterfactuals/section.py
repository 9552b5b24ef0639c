"""The tables and findings about decisions tried with every option."""

from collections.abc import Sequence

import polars as pl

from reports.counterfactuals.estimates import (
    BANDS,
    ENOUGH,
    SIDES,
    TOLERANCE,
    CounterfactualEstimates,
    best_of,
    compared_options,
)
from reports.counterfactuals.measures import Counterfactual
from reports.figure_specs import lines, scatter
from reports.formatting import Row, estimated, join_words, points, share
from reports.game_report import SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics.equivalence import label, sureness
from reports.strategy_differences import strategy_differences
from reports.verdicts import how_tested, with_verdict

_VERDICT = Column("verdict", "verdict", "worth against 1 point; Holm, 95 %")

_NEEDED = (
    estimated("needed", "made rate for a worth of 0", "share", "even"),
    estimated("for points", "made rate for 0 points more", "share", "even_points"),
)
_RISK = (
    estimated("sd", "standard deviation of the change in points", name="sd"),
    Column("cvar", "CVaR 10 %", "mean of the worst tenth", "number"),
)


def counterfactual_parts(
    tried: Counterfactual, data: ReportData, only: pl.Expr | None = None
) -> SectionParts:
    """Yield tables and findings on risk and worth, by time and hand, and regret.

    ``only`` selects options.
    """
    return _Shown(tried, data).parts(only)


class _Shown(CounterfactualEstimates):
    """Makes tables and findings from the estimates."""

    def parts(self, only: pl.Expr | None) -> SectionParts:
        """Yield all tables and findings."""
        kept = pl.lit(True) if only is None else only
        risk, bands = self.risk().filter(kept), self.by_band.filter(kept)
        if risk.is_empty():
            return
        yield from self._risk(risk)
        if (times := self.when().filter(kept))[self.tried.time].n_unique() > 1:
            yield self._when(times)
        if bands["band"].n_unique() > 1:
            yield self._hands(bands)
        yield from self._findings(risk)
        yield from self._own(risk)
        if only is None:
            yield from self._regret(self.regret())

    @property
    def _name(self) -> str:
        return self.tried.one

    @property
    def _plural(self) -> str:
        return self.tried.many

    @property
    def _option(self) -> Column:
        return Column("option", self._name, f"the {self._name} that is tried")

    def _columns(self, *more: Column | Number) -> tuple[Column | Number | str, ...]:
        taken = Number(self.tried.measure_name("taken"), "taken", name="taken")
        made = Number(self.tried.measure_name("made"), "made", name="made")
        worth = Number(self.tried.measure_name("worth"), "worth", name="worth")
        return (worth, taken, made, *more)

    @property
    def _points(self) -> tuple[Column | Number, ...]:
        """The change of the points: mean, spread, worst tenth; eliminations."""
        points = Number(self.tried.measure_name("points"), "points", name="points")
        out = Number(self.tried.measure_name("out"), "eliminated", name="out")
        return (points, *_RISK, *((out,) if self.tried.eliminates else ()))

    @property
    def _lead(self) -> pl.Expr:
        """An expression: rows of the leading strategy."""
        return pl.col("strategy") == self.data.lead

    def _risk(self, rows: pl.DataFrame) -> SectionParts:
        n = Column("worth_n", "n", "decisions in which it was tried", "count")
        best = Column(
            "best", "best for", "share of the hands, by bands of hands", "share"
        )
        without = "the same deals without one"
        against = without if self.tried.none else "each other one on the table"
        yield MeasureTable(
            f"{self._plural}-risk",
            f"Every {self._name} on the same deals: made, needed, worth",
            f"In some games, one decision is tried with every {self._name}, against "
            f"{against}; the rest is played as before. Taken and made are of all the "
            "hands tried, good and bad. After a search player's choice, "
            f"{self.data.continuation_words}.",
            ("strategy", self._option, *self._columns(*_NEEDED), _VERDICT, best),
            rows=rows,
            n=n,
        )
        kept = Number(self.tried.measure_name("kept"), "made when taken", name="kept")
        gained = Number(
            self.tried.measure_name("gained"), "worth when taken", name="gained"
        )
        risk = "standard deviation of the points (risk)"
        reward = "change of the win share (reward), %"
        yield MeasureTable(
            f"{self._plural}-points",
            f"Risk against reward of every {self._name}",
            "Change of the points at the end: its mean, spread and worst tenth. The "
            f"figure has a dot for each {self._name}, with its intervals; on the line, "
            f"it is worth as much as {against}. Left out: those tried fewer "
            f"than {ENOUGH} times.",
            ("strategy", self._option, *self._points, kept, gained),
            rows=rows.with_columns(pl.col("option").alias(self._name)),
            draw=scatter(
                self._name, "sd", "worth", risk, reward, reference=0, only=self._lead
            ),
            n=n,
        )

    def _when(self, rows: pl.DataFrame) -> MeasureTable:
        time = self.tried.time
        numbers = (*self._columns(*_NEEDED), _VERDICT, *self._points)
        return MeasureTable(
            f"{self._plural}-{time}",
            f"Every {self._name} by {time}",
            "As above, with the change of the points at the end: its mean, spread and "
            "worst tenth.",
            ("strategy", time, self._option, *numbers),
            rows=with_verdict(rows, TOLERANCE, SIDES, "worth"),
            n=Column("worth_n", "n", "decisions in which it was tried", "count"),
        )

    def _hands(self, bands: pl.DataFrame) -> MeasureTable:
        promise = f"{self.tried.hand_words} that the hand promises"
        band = Column("band", "band", "band of hands, from the weakest", "count")
        hand = Column("words", "hand", promise)
        numbers = (*self._columns(*_NEEDED), *self._points)
        rows = bands.filter(
            pl.col("option") != self.tried.none, pl.col("worth_n") >= ENOUGH / 4
        )
        best = self._lead & pl.col("option").is_in(_drawn(bands))
        axis = "change of the win share, %"
        return MeasureTable(
            f"{self._plural}-hand",
            f"Every {self._name} by the strength of the hand",
            f"Bands of equally many hands, from the weakest; {BANDS} if there are "
            f"enough decisions. The figure shows each {self._name} that is best for "
            "some band, or that is taken most.",
            ("strategy", band, hand, self._option, *numbers),
            rows=rows,
            draw=lines("band", axis, "worth", by="option", reference=0, only=best),
            n=Column("worth_n", "n", "decisions in which it was tried", "count"),
        )

    def _regret(self, rows: pl.DataFrame) -> SectionParts:
        words = pl.when(pl.col("band") == 0).then(pl.lit("all")).otherwise("words")
        columns = [
            Column("hand", "hand", f"promise in {self.tried.hand_words}"),
            Column("option", "best", "in either half of the games"),
            estimated("rule", "worth of the best rule by hand", "points", "worth"),
            estimated("chosen", "worth of what is chosen", "points", "chosen"),
            estimated("given up", "rule less chosen", "points", "lost"),
        ]
        yield MeasureTable(
            f"{self._plural}-regret",
            f"Regret: the best {self._name} for a hand against the one that is chosen",
            "Below 0, the choice is better than any rule that knows only the hand's "
            "promise. The rule is judged on other games than it is made from.",
            ("strategy", *columns),
            rows=rows.with_columns(hand=words),
            n=Column("chosen_n", "n", "decisions", "count"),
        )
        whole = rows.filter(band=0).with_columns(what=pl.lit("what is given up"))
        head = f"Regret, {self.data.players} players"
        yield from strategy_differences(
            whole, "what", self.data, TOLERANCE, head, "lost"
        )

    def _findings(self, risk: pl.DataFrame) -> SectionParts:
        for part in risk.partition_by("strategy", maintain_order=True):
            yield self._worth_finding(part["strategy"][0], part)
        worth = f"{self._plural.capitalize()}, {self.data.players} players, worth"
        yield from strategy_differences(
            risk, "option", self.data, TOLERANCE, worth, "worth"
        )

    def _own(self, risk: pl.DataFrame) -> SectionParts:
        """Yield a finding on each option that the variant adds to the printed rules."""
        for option in self.tried.added(self.data.rules, self.data.base_rules):
            rows = risk.filter(option=option)
            head = f"New {self._name} of this variant, {option}"
            if rows.is_empty():
                text = f"fewer than {ENOUGH} decisions had it among their options"
                yield Finding(f"{head}: {text}.", "open")
            for row in rows.to_dicts():
                text, test = f"{head}, {self._of_own(row)}.", self._tested(risk)
                yield Finding(text, sureness(row["verdict"]), tested=test)

    def _of_own(self, row: Row) -> str:
        made = ""
        if row["made"] is not None:
            made = f"comes true {share(row, 'made')} of the times that it is tried"
            needed = f" (needed: {share(row, 'even')})" if row["even"] else ""
            made = f"; {made}{needed}"
        return (
            f"{self.data.players} players, {row['strategy']}: taken "
            f"{share(row, 'taken')} of the times{made}; worth {points(row, 'worth')} "
            f"points of win share ({row['verdict']}), best for "
            f"{100 * (row['best'] or 0):.0f} % of the hands"
        )

    def _worth_finding(self, who: str, rows: pl.DataFrame) -> Finding:
        rows = simultaneous_intervals(rows, "worth")
        sides = {
            "pay": rows.filter(verdict="pays").sort("worth", descending=True),
            "cost": rows.filter(verdict="costs").sort("worth"),
        }
        texts = [
            f"{_listed([_worth(row) for row in part.to_dicts()])} {verb}"
            for verb, part in sides.items()
            if part.height
        ]
        within = rows.filter(verdict="within").height
        open_ = rows.filter(verdict="undecided").height
        rest = f"less than a point: {within}, undecided: {open_}"
        sides_of = "with and without" if self.tried.none else "each against the others"
        text = (
            f"{self._plural.capitalize()}, {self.data.players} players, {who}, on the "
            f"same deals {sides_of} (points of win share): {'; '.join([*texts, rest])}."
        )
        return Finding(text, label(rows["verdict"]), tested=self._tested(rows))

    def _tested(self, rows: pl.DataFrame) -> str:
        bounds, family = f"{100 * TOLERANCE:g} point", f"{self._plural} and strategies"
        return how_tested(bounds, family, rows.height, self.data.games)


def _drawn(rows: pl.DataFrame) -> list[str]:
    """Return the options to draw: the best of each band, and those taken most."""
    best, rows = list(best_of(rows)), compared_options(rows, "strategy", "band")
    taken = rows.group_by("option", maintain_order=True).agg(pl.col("taken").mean())
    most = taken.sort("taken", descending=True)["option"].to_list()
    return [*dict.fromkeys([*best, *most])][:6]


def _worth(row: Row) -> str:
    return f"{row['option']} ({points(row, 'worth')})"


def _listed(texts: Sequence[str], most: int = 4) -> str:
    more = len(texts) - most
    return join_words([*texts[:most], *([f"{more} more"] if more > 0 else [])])
