"""What a report shows of decisions tried with every option."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl

from reports.drawing import lines, scatter
from reports.formatting import Row, estimated, listed, points, share
from reports.game_report import Parts
from reports.page import Column, Finding
from reports.parting import parted
from reports.report_data import ReportData
from reports.selected import at_once
from reports.statistics.equivalence import label, sure
from reports.tabled import Number, Table
from reports.tried.counted import Tried
from reports.tried.found import (
    BANDS,
    ENOUGH,
    FEW,
    LUNCH,
    SIDES,
    TOLERANCE,
    TRAP,
    Found,
    best_of,
    compared,
)
from reports.verdicts import how_tested, with_verdict

_WORTH = "worth = mean over decisions of (won with it - won without)"
_EVEN = (
    "made needed = B / (B - K): K, B = mean change of the win share where it came true "
    "or not; Fieller's interval; none where K is not surely above B; 0 or 1, without "
    "an interval, where it surely lies outside"
)
_RULE = (
    "rule = for each band of hands the option that is worth most in one half of the "
    "games, judged in the other half; given up = rule - chosen"
)
_VERDICT = Column("verdict", "verdict", "worth against 1 point; Holm, 95 %")

_NEEDED = (
    estimated("needed", "made rate for a worth of 0", "share", "even"),
    estimated("for points", "made rate for 0 points more", "share", "even_points"),
)
_RISK = (
    estimated("sd", "standard deviation of the change in points", name="sd"),
    Column("cvar", "CVaR 10 %", "mean of the worst tenth", "number"),
)


def shown(tried: Tried, data: ReportData, only: pl.Expr | None = None) -> Parts:
    """Risk and worth, by time, place and hand; regret; and what that says.

    ``only``: of which options.
    """
    return _Shown(tried, data).parts(only)


def _beside_the_promise(lead: str, words: str, rows: pl.DataFrame, title: str) -> Any:
    """What hands come to, and the line on which they would come to the promise."""
    ends = [pl.col("promised").alias(end) for end in ("estimate", "low", "high")]
    line = rows.filter(strategy=lead).with_columns(
        *ends, strategy=pl.lit("as promised")
    )
    draw = lines("promised", words, by="strategy")
    return draw(pl.concat([rows, line]), title)


class _Shown(Found):
    """What was found, with the tables and the findings that show it."""

    def parts(self, only: pl.Expr | None) -> Parts:
        """All of them."""
        some = pl.lit(True) if only is None else only
        risk, bands = self.risk().filter(some), self.by_band.filter(some)
        if risk.is_empty():
            text = f"{self._many.capitalize()}: none was tried."
            yield Finding(text, "open")
            return
        yield from self._risk(risk)
        yield from self._when(some)
        yield self._hands(bands)
        yield from self._findings(risk)
        yield from self._own(risk)
        if only is None:
            yield self._promise()
            yield from self._regret(self.regret())

    @property
    def _one(self) -> str:
        return self.tried.one

    @property
    def _many(self) -> str:
        return self.tried.many

    @property
    def _option(self) -> Column:
        return Column("option", self._one, f"the {self._one} that is tried")

    def _columns(self, *more: Column | Number) -> tuple[Column | Number | str, ...]:
        taken = Number(self.tried.m("taken"), "taken", name="taken")
        made = Number(self.tried.m("made"), "made", name="made")
        worth = Number(self.tried.m("worth"), "worth", name="worth")
        return (worth, taken, made, *more)

    @property
    def _points(self) -> tuple[Column | Number, ...]:
        """The change of the points: its mean, spread and worst tenth; who is out."""
        points = Number(self.tried.m("points"), "points", name="points")
        out = Number(self.tried.m("out"), "eliminated", name="out")
        return (points, *_RISK, *((out,) if self.tried.eliminates else ()))

    @property
    def _lead(self) -> pl.Expr:
        """Rows of the leading strategy."""
        return pl.col("strategy") == self.data.lead

    def _risk(self, rows: pl.DataFrame) -> Parts:
        n = Column("worth_n", "n", "decisions in which it was tried", "count")
        best = Column(
            "best", "best for", "share of the hands, by bands of hands", "share"
        )
        kind = Column("kind", "says", "over all bands of hands; Holm, 95 %")
        how = (
            "the same deals without"
            if self.tried.none
            else "each other one on the table"
        )
        yield Table(
            f"{self._many}-risk",
            f"Every {self._one} on the same deals: made, needed, worth",
            f"One decision in some games is tried with every {self._one}, against "
            f"{how}; all else is played on as before. Taken and made are of all the "
            f"hands tried, good and bad. What a searcher chose {self.data.played_on}.",
            (
                "strategy",
                self._option,
                *self._columns(*_NEEDED),
                _VERDICT,
                best,
                kind,
            ),
            rows=rows,
            formula=f"{_WORTH}. {_EVEN}",
            n=n,
        )
        kept = Number(self.tried.m("kept"), "made when taken", name="kept")
        gained = Number(self.tried.m("gained"), "worth when taken", name="gained")
        risk = "standard deviation of the points (risk)"
        reward = "change of the win share (reward), %"
        yield Table(
            f"{self._many}-points",
            f"Risk against reward of every {self._one}",
            "Change of the points at the end: its mean, spread and worst tenth. The "
            "figure has a dot for each, with its intervals; on the line it is worth "
            f"as much as {how}. It leaves out those tried less than {ENOUGH} times.",
            ("strategy", self._option, *self._points, kept, gained),
            rows=rows.with_columns(pl.col("option").alias(self._one)),
            draw=scatter(
                self._one, "sd", "worth", risk, reward, reference=0, only=self._lead
            ),
            formula="sd: interval by the fourth moment; CVaR = mean of the worst 10 %",
            n=n,
        )

    def _when(self, some: pl.Expr) -> Parts:
        place = Column("position", "position", "of the seat then, from 1", "count")
        for group, column, words in (
            ("time", self.data.columns[self.tried.time], self.tried.time),
            ("place", place, "position"),
        ):
            by = ("strategy", column.name, "option")
            rows = self.when(group, by).filter(some)
            numbers = (*self._columns(*_NEEDED), _VERDICT, *self._points)
            yield Table(
                f"{self._many}-{words}",
                f"Every {self._one} by {words}",
                "As above, with the change of the points at the end: its mean, spread "
                "and worst tenth.",
                ("strategy", column, self._option, *numbers),
                rows=with_verdict(rows, TOLERANCE, SIDES, "worth"),
                n=Column("worth_n", "n", "decisions in which it was tried", "count"),
            )

    def _hands(self, bands: pl.DataFrame) -> Table:
        promise = f"{self.tried.hand_words} that the hand promises"
        band = Column("band", "band", "of hands, from the weakest", "count")
        hand = Column("words", "hand", promise)
        numbers = (*self._columns(*_NEEDED), *self._points)
        rows = bands.filter(
            pl.col("option") != self.tried.none, pl.col("worth_n") >= ENOUGH / 4
        )
        best = self._lead & pl.col("option").is_in(_most(bands))
        axis = "change of the win share, %"
        return Table(
            f"{self._many}-hand",
            f"Every {self._one} by the strength of the hand",
            f"Bands of as many hands, from the weakest; {BANDS} where there are enough "
            "decisions. The figure shows those that are best for some band, or taken "
            "most.",
            ("strategy", band, hand, self._option, *numbers),
            rows=rows,
            draw=lines("band", axis, "worth", by="option", reference=0, only=best),
            n=Column("worth_n", "n", "decisions in which it was tried", "count"),
        )

    def _promise(self) -> Table:
        """What the hand promises against what it comes to."""
        came = self.of("came by hand").with_columns(
            promised=pl.col("hand") / self.tried.per_hand
        )
        came = came.filter(pl.col("n") >= ENOUGH / 4)
        none = f"where the seat takes no {self._one}"
        without = none if self.tried.none else "as it was played"
        promised = Column("promised", "promised", self.tried.hand_words, "number")
        return Table(
            f"{self._many}-promise",
            f"What hands promise, and what they come to in {self.tried.hand_words}",
            "The promise is that of the strategies' own rule of thumb; what it comes "
            f"to is told {without}.",
            ("strategy", promised, estimated("came", f"{self.tried.hand_words}, mean")),
            rows=came,
            draw=partial(_beside_the_promise, self.data.lead, self.tried.hand_words),
        )

    def _regret(self, rows: pl.DataFrame) -> Parts:
        words = pl.when(pl.col("band") == 0).then(pl.lit("all")).otherwise("words")
        columns = [
            Column("hand", "hand", f"promise in {self.tried.hand_words}"),
            Column("option", "best", "in either half of the games"),
            estimated("rule", "worth of the best rule by hand", "points", "worth"),
            estimated("chosen", "worth of what is chosen", "points", "chosen"),
            estimated("given up", "rule less chosen", "points", "lost"),
        ]
        yield Table(
            f"{self._many}-regret",
            f"Regret: the best {self._one} for a hand against the one that is chosen",
            "Below 0 the choice is better than any rule that knows the hand's promise "
            "alone. The rule is judged on other games than those it is made of.",
            ("strategy", *columns),
            rows=rows.with_columns(hand=words),
            formula=_RULE,
            n=Column("chosen_n", "n", "decisions", "count"),
        )
        whole = rows.filter(band=0).with_columns(what=pl.lit("what is given up"))
        head = f"Regret, {self.data.players} players"
        yield from parted(whole, "what", self.data, TOLERANCE, head, "lost")
        for row in rows.filter(band=0).rows(named=True):
            who = row["strategy"]
            missed = self.of("missed").filter(strategy=who)["estimate"][0]
            text = (
                f"Regret, {self.data.players} players, {who}: the {self._one} that "
                f"it chooses is worth {points(row, 'chosen')} points of win share, the "
                f"best rule by hand {points(row, 'worth')}, so {points(row, 'lost')} "
                f"are given up; seen from the end, another {self._one} would have won "
                f"{100 * missed:.0f} % of the games tried."
            )
            yield Finding(text, "")

    def _findings(self, risk: pl.DataFrame) -> Parts:
        for part in risk.partition_by("strategy", maintain_order=True):
            yield self._said(part["strategy"][0], part)
        yield from self._anybody(risk.filter(pl.col("kind") != FEW))
        worth = f"{self._many.capitalize()}, {self.data.players} players, worth"
        yield from parted(risk, "option", self.data, TOLERANCE, worth, "worth")

    def _own(self, risk: pl.DataFrame) -> Parts:
        """A finding about each option of a variant that the printed rules lack."""
        for option in self.tried.added(self.data.rules, self.data.printed):
            rows = risk.filter(option=option)
            head = f"Own {self._one} of this variant, {option}"
            if rows.is_empty():
                text = f"fewer than {ENOUGH} decisions had it among their options"
                yield Finding(f"{head}: {text}.", "open")
            for row in rows.rows(named=True):
                text, how = f"{head}, {self._of_own(row)}.", self._tested(risk)
                yield Finding(text, sure(row["verdict"]), tested=how)

    def _of_own(self, row: Row) -> str:
        made = kind = ""
        if row["made"] is not None:
            made = f"comes true {share(row, 'made')} of the times that it is tried"
            needed = f" (needed: {share(row, 'even')})" if row["even"] else ""
            made = f"; {made}{needed}"
        if row["kind"]:
            kind = f"; {row['kind']}"
        return (
            f"{self.data.players} players, {row['strategy']}: taken "
            f"{share(row, 'taken')} of the times{made}; worth {points(row, 'worth')} "
            f"points of win share ({row['verdict']}), best for "
            f"{100 * (row['best'] or 0):.0f} % of the hands{kind}"
        )

    def _said(self, who: str, rows: pl.DataFrame) -> Finding:
        rows = at_once(rows, "worth")
        sides = {
            "pay": rows.filter(verdict="pays").sort("worth", descending=True),
            "cost": rows.filter(verdict="costs").sort("worth"),
        }
        texts = [
            f"{_few([_worth(row) for row in part.rows(named=True)])} surely {verb}"
            for verb, part in sides.items()
            if part.height
        ]
        within = rows.filter(verdict="within").height
        open_ = rows.filter(verdict="undecided").height
        rest = f"{within} make less than a point of difference, {open_} are undecided"
        how = "with and without" if self.tried.none else "each against the others"
        text = (
            f"{self._many.capitalize()}, {self.data.players} players, {who}, on the "
            f"same deals {how} (points of win share): {'; '.join([*texts, rest])}."
        )
        return Finding(text, label(rows["verdict"]), tested=self._tested(rows))

    def _anybody(self, risk: pl.DataFrame) -> Parts:
        """Traps and free lunches; of hands that nobody has often enough none."""
        if risk.is_empty():
            return
        several = risk.group_by("option", maintain_order=True).agg(
            trap=(pl.col("kind") == TRAP).all(),
            lunch=(pl.col("kind") == LUNCH).any(),
        )
        names = risk["strategy"].unique(maintain_order=True).to_list()
        head = f"{self.data.players} players, {listed(names)}"
        never = "never the best with any hand, for anybody (a trap)"
        always = "worth more than a point with every hand, for somebody (a free lunch)"
        for flag, one, none in (
            ("trap", never, "a trap"),
            ("lunch", always, "a free lunch"),
        ):
            names = several.filter(flag)["option"].to_list()
            if names:
                text = f"{self._many.capitalize()}, {head}: surely {one}"
                how = self._tested(risk)
                yield Finding(f"{text}: {listed(names)}.", "sure", tested=how)
            else:
                text = f"{self._many.capitalize()}, {head}: none is surely {none}."
                yield Finding(text, "")

    def _tested(self, rows: pl.DataFrame) -> str:
        bounds, family = f"{100 * TOLERANCE:g} point", f"{self._many} and strategies"
        return how_tested(bounds, family, rows.height, self.data.games)


def _most(rows: pl.DataFrame) -> list[str]:
    """The options that are drawn: the best of each band, and those taken most."""
    best, rows = list(best_of(rows)), compared(rows, "strategy", "band")
    taken = rows.group_by("option", maintain_order=True).agg(pl.col("taken").mean())
    most = taken.sort("taken", descending=True)["option"].to_list()
    return [*dict.fromkeys([*best, *most])][:6]


def _worth(row: Row) -> str:
    return f"{row['option']} ({points(row, 'worth')})"


def _few(texts: Sequence[str], most: int = 4) -> str:
    more = len(texts) - most
    return listed([*texts[:most], *([f"{more} more"] if more > 0 else [])])
