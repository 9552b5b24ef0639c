"""What a report shows of pledges."""

from collections.abc import Callable

import polars as pl

from reports.drawing import dots
from reports.formatting import Row, estimated, joined, listed, named, points, share
from reports.game_report import Parts
from reports.page import Column, Finding
from reports.parting import parted
from reports.pledges.counted import Pledges
from reports.pledges.found import ALWAYS, DEAD, ENOUGH, RARELY, TOLERANCE, Found
from reports.report_data import ReportData
from reports.selected import at_once
from reports.statistics.equivalence import label
from reports.tabled import Number, Table
from reports.verdicts import how_tested

_VERDICT = Column("verdict", "verdict", "against 1 point of win share; Holm, 95 %")
_LOST = (
    "lost = mean over games of (the player wins - wins when he may not take it); first "
    "= the same of who takes it first, where nobody may. Players learn it when they "
    "would take it; where there is nothing else they take nothing"
)
_BEST = (
    "against the best = win share with it less that with the other which is worth most "
    "against it: chosen in one half of the games, compared in the other half"
)
_SHOWN = 12  # rows of pairs


def shown(
    pledges: Pledges,
    data: ReportData,
    collected: str = "",
    words: Callable[[str], str] = str,
) -> Parts:
    """Worth, regret, denial, and which go together or compete; and what that says.

    ``collected``: the measure of what is collected with each, by ``pledges.name``,
    which ``words`` calls what they are called where they are tried.
    """
    return _Shown(pledges, data).parts(collected, words)


class _Shown(Found):
    """What was found, with the tables and the findings that show it."""

    def parts(self, collected: str, words: Callable[[str], str]) -> Parts:
        """All of them."""
        worth, regret = self.worth(), self.regret()
        if worth.is_empty() and regret.is_empty():
            yield Finding(f"{self._many} knocked out or tried: no data.", "open")
            return
        yield self._worth(worth, collected, words)
        yield self._regret(regret)
        yield self._when()
        denial = self.denial()
        yield self._denial(denial)
        together = self.together()
        yield self._together(together)
        yield self._competing(self.competing())
        if not worth.is_empty():
            yield from self._said_worth(worth)
        yield from self._said_regret(regret)
        yield from self._said_denial(denial)
        yield from self._said_together(together)

    @property
    def _one(self) -> Column:
        return Column("option", self.pledges.name, f"the {self.pledges.name}")

    @property
    def _many(self) -> str:
        return self.pledges.plural.capitalize()

    @property
    def _head(self) -> str:
        return f"{self._many}, {self.data.players} players"

    @property
    def _lead(self) -> pl.Expr:
        """Rows of the leading strategy."""
        return pl.col("strategy") == self.data.lead

    def _number(self, measure: str, title: str, name: str) -> Number:
        return Number(self.pledges.m(measure), title, name=name)

    def _worth(
        self, rows: pl.DataFrame, collected: str, words: Callable[[str], str]
    ) -> Table:
        beside: tuple[Number, ...] = ()
        if collected:
            more = self.data.leading(collected, players=self.data.players)
            names = [words(one) for one in more[self.pledges.name]]
            option = pl.Series("option", names, dtype=pl.String)
            more = more.with_columns(option, strategy=pl.lit(self.data.lead))
            by = ("strategy", "option")
            rows = joined(rows, named(more, by, "paid"), by)
            beside = (Number(collected, "collected", name="paid"),)
        one, axis = self.pledges.name, "win share lost when one may not take it, %"
        return Table(
            f"{self.pledges.plural}-worth",
            f"What each {one} is worth: win share lost without it",
            f"With {self.data.who}, and, where a searcher is told of, with him alone "
            "among these. The same games are played again: once one player (the "
            f"searcher) may not take the {one}, once nobody may.",
            (
                "strategy",
                self._one,
                self._number("lost", "lost by one who may not", "lost"),
                _VERDICT,
                *beside,
                self._number("used", "taken by a player", "used"),
                self._number("lost when used", "lost where taken", "would"),
                self._number(
                    "lost by nobody", "lost by the first if nobody may", "first"
                ),
                self._number("ends", "other winner if nobody may", "ends"),
            ),
            rows=rows,
            draw=dots("option", axis, "lost", by="strategy", reference=0),
            formula=_LOST,
            n=Column("lost_n", "n", "games played again or the same", "count"),
        )

    def _regret(self, rows: pl.DataFrame) -> Table:
        doc = "win share, with less the best other one that was there"
        axis = "change of the win share, %"
        return Table(
            f"{self.pledges.plural}-others",
            f"What taking each {self.pledges.name} is worth against others there",
            f"One decision in some games is tried with every {self.pledges.name} that "
            "was there; all else is played on as before. Below 0 another one would "
            f"have been better. What a searcher chose {self.data.played_on}.",
            (
                "strategy",
                self._one,
                Column("best", "best other", "in either half of the games"),
                estimated("against the best", doc, "points", "best_worth"),
                _VERDICT,
                self._number("worth", "against each other", "worth"),
                self._number("taken", "taken when there", "taken"),
            ),
            rows=rows,
            draw=dots("option", axis, "worth", reference=0, only=self._lead),
            formula=_BEST,
            n=Column("taken_n", "n", "decisions in which it was there", "count"),
        )

    def _when(self) -> Table:
        """By time, and by position."""
        time = self.data.columns[self.pledges.time]
        found = []
        for name, words in (("time", time.title), ("place", "position")):
            group = self.pledges.time if name == "time" else "position"
            rows = self.of(f"worth by {name}").filter(pl.col("n") >= ENOUGH)
            when = pl.format("{} {}", pl.lit(words), group)
            rows = rows.sort(group, "option", ~self._lead, "strategy")
            found.append(rows.with_columns(when=when).drop(group))
        return Table(
            f"{self.pledges.plural}-when",
            f"The same by {time.title} and by position",
            "Against each other that was there.",
            (
                "strategy",
                Column("when", "when", "or the position of the seat"),
                self._one,
                self._number("worth", "against each other", "estimate"),
            ),
            rows=pl.concat(found),
        )

    def _denial(self, rows: pl.DataFrame) -> Table:
        one, unit = self.pledges.name, self.data.columns[self.pledges.time].title
        axis = "taken by another when it is left, %"
        return Table(
            f"{self.pledges.plural}-denial",
            f"Denial: who takes the {one} when it is left",
            f"The same decisions. Left: the {one} that was taken is not, and another "
            f"seat takes it in the same {unit}; gained is what that seat wins more "
            "than where it was taken before.",
            (
                "strategy",
                self._one,
                self._number("denied", "another takes it", "denied"),
                self._number("denial", "gained by that one", "denial"),
                _VERDICT,
            ),
            rows=rows,
            draw=dots("option", axis, "denied", only=self._lead),
            n=Column("denied_n", "n", "times that another one was tried", "count"),
        )

    def _together(self, rows: pl.DataFrame) -> Table:
        unit = self.data.columns[self.pledges.time].title
        return Table(
            f"{self.pledges.plural}-together",
            "Which are taken together",
            f"By one seat in one {unit}: the pairs that go together most; with "
            f"{self.data.who}. Redundant: surely in {100 * ALWAYS:g} % or more.",
            (
                self._one,
                Column("beside", "taken with", "by the same seat"),
                self._number("taken with", "with it", "both"),
                self._number("taken in all", "in all", "all"),
                Column("verdict", "verdict", "redundant, where sure; Holm, 95 %"),
            ),
            rows=rows.head(_SHOWN),
            n=Column("both_n", "n", "times that the first one was taken", "count"),
        )

    def _competing(self, rows: pl.DataFrame) -> Table:
        return Table(
            f"{self.pledges.plural}-competing",
            "Which compete",
            "Pairs that lie there at the same decision most often, and what the first "
            "is worth more than the second, on the same deals.",
            (
                "strategy",
                self._one,
                Column("beside", "or", "the other one that was there"),
                self._number("against", "win share, first less second", "worth"),
                _VERDICT,
            ),
            rows=rows.head(_SHOWN),
            n=Column("worth_n", "n", "decisions with both", "count"),
        )

    def _said_worth(self, every: pl.DataFrame) -> Parts:
        for rows in every.partition_by("strategy", maintain_order=True):
            yield from self._said_of(rows)
        head = f"{self._head}, a player who may not take one"
        yield from parted(every, "option", self.data, TOLERANCE, head, "lost")

    def _said_of(self, rows: pl.DataFrame) -> Parts:
        wide, who = at_once(rows, "lost"), rows["strategy"][0]
        others = f"one {who} among {self.data.lead}"
        head = f"{self._head}, {self.data.who if who == self.data.lead else others}"
        pays, costs, idle = (
            wide.filter(verdict=one) for one in ("pays", "costs", "under a point")
        )
        texts = [
            f"{_few(part)} {verb}"
            for part, verb in ((pays, "surely lost"), (costs, "surely gained"))
            if part.height
        ] or ["of none more than a point is surely lost or gained"]
        if idle.height:
            texts.append(f"{idle.height} are surely worth less than a point each")
        yield Finding(
            f"{head}, a player who may not take one (points of win share): "
            f"{'; '.join(texts)}.",
            label(rows["verdict"]),
            tested=self._tested(rows),
        )
        dead = rows.filter(verdict=DEAD)["option"].to_list()
        limit = f"a player takes it in under {100 * RARELY:g} % of the games"
        if dead:
            text = f"dead, as {limit} and loses nothing to speak of without"
            how = self._tested(rows)
            yield Finding(f"{head}: {text}: {listed(dead)}.", "sure", tested=how)
        else:
            yield Finding(f"{head}: none is surely dead ({limit}).", "")

    def _said_regret(self, rows: pl.DataFrame) -> Parts:
        for part in rows.partition_by("strategy", maintain_order=True):
            who = part["strategy"][0]
            wide = at_once(part, "best_worth")
            bad = wide.filter(verdict="costs").sort("best_worth")
            texts = [
                f"{row['option']} ({points(row, 'best_worth')} against {row['best']})"
                for row in bad.head(4).rows(named=True)
            ]
            chosen = self.of("chosen").filter(strategy=who).rows(named=True)
            gained = ""
            if chosen:
                gained = (
                    f"; what it takes is worth {points(chosen[0])} points of win share "
                    "more than the others that were there"
                )
            said = listed(texts) if texts else "no other is surely better than any"
            yield Finding(
                f"{self._head}, {who}, regret of taking one against the best other "
                f"that was there (points of win share): {said}{gained}.",
                label(part["verdict"]),
                tested=self._tested(rows),
            )
        head = f"{self._head}, against the best other"
        yield from parted(rows, "option", self.data, TOLERANCE, head, "best_worth")

    def _tested(self, rows: pl.DataFrame) -> str:
        bounds = f"{100 * TOLERANCE:g} point"
        return how_tested(bounds, "rows of its table", rows.height, self.data.games)

    def _said_denial(self, rows: pl.DataFrame) -> Parts:
        for part in rows.partition_by("strategy", maintain_order=True):
            wide = at_once(at_once(part, "denied", share=True), "denial")
            wide = wide.with_columns(pl.col("denial_low", "denial_high").clip(-1, 1))
            most = wide.sort("denied", descending=True, nulls_last=True).head(3)
            texts = [
                f"{row['option']} ({share(row, 'denied')} of the times; gained: "
                f"{points(row, 'denial')} points of win share)"
                for row in most.rows(named=True)
            ]
            unit = self.data.columns[self.pledges.time].title
            text = (
                f"{self._head}, {part['strategy'][0]}, denial: left where it was "
                f"taken, another seat takes most often in the same {unit} "
            )
            yield Finding(f"{text}{listed(texts)}.", "")

    def _said_together(self, rows: pl.DataFrame) -> Parts:
        if rows.is_empty():
            return
        same = rows.filter(verdict="redundant")
        if same.height:
            pairs = [f"{a} with {b}" for a, b in same.select("option", "beside").rows()]
            text = f"always taken with another (redundant): {listed(pairs)}"
            how = how_tested(
                f"{100 * ALWAYS:g} %", "pairs", rows.height, self.data.games
            )
            said = f"{self._head}, {self.data.who}: {text}."
            yield Finding(said, "sure", tested=how)
            return
        row: Row = at_once(rows, "both", share=True).row(0, named=True)
        text = (
            f"none is always taken with another; nearest to it is {row['option']}, "
            f"with {row['beside']} ({share(row, 'both')} of the times)"
        )
        yield Finding(f"{self._head}, {self.data.who}: {text}.", "")


def _few(rows: pl.DataFrame, most: int = 4) -> str:
    texts = [
        f"{row['option']} ({points(row, 'lost')})" for row in rows.rows(named=True)
    ]
    more = len(texts) - most
    return listed([*texts[:most], *([f"{more} more"] if more > 0 else [])])
