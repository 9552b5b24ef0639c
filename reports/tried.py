"""Decisions tried with every option: what each option is worth, and what was lost.

A game is played on from a decision with each option, on the same deals and with the
same chance (``WhatIfs.otherwise``). The game tells what was tried, a row an option:

    CONTRACTS = Tried("contract", "contracts", time="week", none="none", hand=HAND)
    ReportSection(section, CONTRACTS.measures, tables)   # {"contracts": rows}

with the columns game, decision, strategy, position, the time, hand (what the hand
promises, a whole number), option (words), chosen, made (or null), points (at the end),
won, out and came (what the hand came to). Worth is against the option ``none``, or,
where nobody may go without, against each other option of the same decision.

Few decisions of a game are tried, and the game is the unit; ``half`` parts the games
in two, so that the option that is best for a hand is chosen in one half and judged in
the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.drawing import lines, scatter
from reports.formatting import Row, estimated, joined, less, listed, named, points
from reports.game_report import Parts
from reports.measures import Measure, MeasuresOf
from reports.page import Column, Finding
from reports.report_data import ReportData
from reports.statistics import intervals
from reports.statistics.equivalence import judge, label
from reports.tabled import Number, Table
from reports.verdicts import with_verdict

TOLERANCE = 0.01
"""A change of the win share smaller than 1 point counts as none."""
ENOUGH = 100
"""Options that were tried less often are not judged, nor drawn."""
BANDS, OF_BAND = 10, 400
"""Hands are parted into so many bands at most, of so many decisions at least."""
_CLEAR = 3.0  # standard errors of K above B for a break-even rate to be told
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
    "strategy": pl.String(),
    "option": pl.String(),
    "came": pl.Int64(),
}
"""Columns of what was tried, but for the time."""
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
_SIDES = {"above": "pays", "below": "costs"}
_VERDICT = Column("verdict", "verdict", "worth against 1 point; Holm, 95 %")


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

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is counted of the table ``plural``."""
        of, each = MeasuresOf(self.plural), "strategy option"
        other = "without" if self.none else "with another"
        worth, per = f"win share, with less {other}", "pairs"
        chosen, made = pl.col("chosen"), pl.col("made")
        took, came = "share of the times that it is taken", "share that comes true"
        groups = {"": each, " by time": f"strategy {self.time} option"}
        groups |= {" by place": "strategy position option"}
        found = [
            part
            for more, by in groups.items()
            for part in (
                of.share(self.m(f"taken{more}"), took, "chosen", by=by),
                of.share(self.m(f"made{more}"), came, "made", by=by),
                of.mean(self.m(f"worth{more}"), worth, "won_more", per, by=by,
                        unit="pp"),
            )
        ]  # fmt: skip
        return (
            *found,
            of.share(self.m("kept"), came, "made", by=each, where=chosen),
            of.mean(self.m("gained"), f"{worth}, where it is taken", "won_more", per,
                    by=each, where=chosen, unit="pp"),
            of.mean(self.m("points"), f"points at the end, with less {other}",
                    "points_more", per, by=each, unit="points"),
            of.per_game(self.m("outcomes"), "changes of the points at the end",
                        by=f"{each} points_more"),
            of.share(self.m("out"), "share that is eliminated then", "out", by=each),
            of.mean(self.m("worth if"), worth, "won_more", per, by=f"{each} made",
                    where=made.is_not_null(), unit="pp"),
            of.share(self.m("taken by hand"), took, "chosen",
                     by="strategy hand option"),
            of.share(self.m("made by hand"), came, "made", by="strategy hand option"),
            of.mean(self.m("worth by hand"), worth, "won_more", per,
                    by="strategy hand option half", unit="pp"),
            of.mean(self.m("chosen by hand"), f"{worth}, of the one that is chosen",
                    "won_more", per, by="strategy hand half", where=chosen, unit="pp"),
            of.mean(self.m("came by hand"), "what the hand came to", "came",
                    by="strategy hand", where=self._plain),
            of.share(self.m("missed"), "decisions of a game lost that another option "
                     "would have won", "missed", by="strategy", where=chosen),
        )  # fmt: skip

    @property
    def _plain(self) -> pl.Expr:
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

    # What was found

    def of(self, data: ReportData, name: str, *by: str) -> pl.DataFrame:
        """A measure of all who play, those who search too; by its groups, or some."""
        measure = data.measure(self.m(name))
        return data.together(self._raw(data, name), by or measure.by, measure.kind)

    def table(self, data: ReportData, *names: str, by: Sequence[str]) -> pl.DataFrame:
        """Measures beside one another, the first as ``worth``."""
        rows = self.of(data, names[0])
        rows = named(rows, by, names[0].split()[0])
        for name in names[1:]:
            rows = joined(rows, named(self.of(data, name), by, name.split()[0]), by)
        return rows

    def shown(self, data: ReportData, only: pl.Expr | None = None) -> Parts:
        """Risk and worth, by time, place and hand; regret; and what that says.

        ``only``: of which options.
        """
        some = pl.lit(True) if only is None else only
        risk, bands = self.risk(data).filter(some), self.by_band(data)
        if risk.is_empty():
            yield Finding(f"{self.many.capitalize()}: none was tried.", "open")
            return
        risk = joined(risk, _classes(bands), ("strategy", "option"))
        bands = bands.filter(some)
        yield from self._risk(data, risk)
        yield from self._when(data, some)
        yield self._hands(data, bands)
        yield from self._findings(data, risk)
        if only is None:
            yield self._promise(data)
            yield from self._regret(data, self.regret(data))

    def risk(self, data: ReportData) -> pl.DataFrame:
        """A row a strategy and option: how often, made, worth, spread and tail."""
        by = ("strategy", "option")
        rows = self.table(
            data, "worth", "taken", "made", "kept", "gained", "points", "out", by=by
        )
        rows = rows.filter(pl.col("worth_n") >= ENOUGH, pl.col("option") != self.none)
        rows = joined(rows, self._spread(data), by)
        rows = joined(rows, self._needed(data), by)
        return with_verdict(rows.sort(by), TOLERANCE, _SIDES, "worth")

    def _spread(self, data: ReportData) -> pl.DataFrame:
        """Standard deviation and CVaR of the change in points, from its histogram."""
        by = ("strategy", "option", "points_more")
        rows = self._raw(data, "outcomes").group_by(by).agg(pl.col("y").sum()).sort(by)
        found = [
            {"strategy": who, "option": option} | spread(part)
            for (who, option), part in rows.partition_by(
                "strategy", "option", as_dict=True
            ).items()
        ]
        schema = {"strategy": pl.String, "option": pl.String}
        return pl.DataFrame(found, {**schema, **dict.fromkeys(_SPREAD, pl.Float64)})

    def _needed(self, data: ReportData) -> pl.DataFrame:
        """The made rate at which it is worth nothing."""
        return break_even(self.of(data, "worth if"), ("strategy", "option"), "made")

    def by_band(self, data: ReportData) -> pl.DataFrame:
        """A row a strategy, band of hands and option: taken, made, worth."""
        return self._banded(data, ("taken by hand", "made by hand", "worth by hand"))

    def _banded(self, data: ReportData, names: Sequence[str], *by: str) -> pl.DataFrame:
        keys = ("strategy", "band", "option", *by)
        bands, parts = self.bands(data), []
        for name in names:
            measure = data.measure(self.m(name))
            rows = self._raw(data, name).join(bands, on=("strategy", "hand"))
            part = data.together(rows, keys, measure.kind)
            parts.append(named(part, keys, name.split()[0]))
        table = parts[0]
        for part in parts[1:]:
            table = joined(table, part, keys)
        words = bands.select("strategy", "band", "words").unique()
        return joined(table.sort(keys), words, ("strategy", "band"))

    def _raw(self, data: ReportData, name: str) -> pl.DataFrame:
        """The sums of a measure, of tables without searchers and with them."""
        parts = [one.raw(self.m(name)) for one in (data, *data.searched)]
        return pl.concat(parts, how="vertical_relaxed").filter(players=data.players)

    def bands(self, data: ReportData) -> pl.DataFrame:
        """For each strategy and hand its band, from 1, and the band in words."""
        hands = self.of(data, "came by hand").sort("strategy", "hand")
        found = []
        for part in hands.partition_by("strategy", maintain_order=True):
            many = part["n"].to_numpy()
            number = int(np.clip(many.sum() // OF_BAND, 1, BANDS))
            middle = (np.cumsum(many) - many / 2) / max(many.sum(), 1)
            band = np.minimum((middle * number).astype(int), number - 1)
            band = np.unique(band, return_inverse=True)[1] + 1
            found.append(part.with_columns(band=pl.Series(band, dtype=pl.Int64)))
        if not found:
            return hands.with_columns(
                band=pl.lit(1, pl.Int64), words=pl.lit("")
            ).select("strategy", "hand", "band", "words")
        rows = pl.concat(found)
        least, most = (
            (end.over("strategy", "band") / self.per_hand).round(2).cast(pl.String)
            for end in (pl.col("hand").min(), pl.col("hand").max())
        )
        words = pl.when(least == most).then(least).otherwise(least + " to " + most)
        return rows.select("strategy", "hand", "band", words=words)

    def regret(self, data: ReportData) -> pl.DataFrame:
        """A row a strategy and band: the best rule, the chosen, what is given up.

        And one with band 0: all hands together.
        """
        worth = self._banded(data, ("worth by hand",), "half")
        bands = self.bands(data)
        keys = ("strategy", "band", "half")
        rows = self._raw(data, "chosen by hand").join(bands, on=("strategy", "hand"))
        chosen = named(data.together(rows, keys, "mean"), keys, "chosen")
        worth = _open(worth, *keys)
        best = worth.sort("worth", descending=True, maintain_order=True)
        best = best.unique(keys, keep="first", maintain_order=True)
        best = best.select("strategy", "band", "option", half=1 - pl.col("half"))
        judged = best.join(worth, on=(*keys, "option")).join(chosen, on=keys)
        without = (pl.col("option") == self.none) & pl.col("worth_se").is_null()
        nothing = pl.when(without).then(0.0).otherwise("worth_se").alias("worth_se")
        judged = judged.with_columns(nothing)  # to go without is worth 0, for sure
        judged = less(judged, "worth", "chosen", "lost")
        found = [
            {"strategy": who, "band": band, "option": _names(part), "words": words}
            | _mean(part, "worth") | _mean(part, "chosen") | _mean(part, "lost")
            for (who, band, words), part in _with_all(judged).partition_by(
                "strategy", "band", "words", as_dict=True, maintain_order=True
            ).items()
        ]  # fmt: skip
        numbers = [f"{n}{e}" for n in ("worth", "chosen", "lost") for e in ("", *_ENDS)]
        schema = {"strategy": pl.String, "band": pl.Int64, "option": pl.String}
        schema |= {"words": pl.String, **dict.fromkeys(numbers, pl.Float64)}
        return pl.DataFrame(found, schema).sort("strategy", "band")

    # What is shown

    @property
    def _option(self) -> Column:
        return Column("option", self.one, f"the {self.one} that is tried")

    def _columns(self, *more: Column | Number) -> tuple[Column | Number | str, ...]:
        taken = Number(self.m("taken"), "taken", name="taken")
        made = Number(self.m("made"), "made", name="made")
        worth = Number(self.m("worth"), "worth", name="worth")
        return (taken, made, *more, worth)

    def _risk(self, data: ReportData, rows: pl.DataFrame) -> Parts:
        n = Column("worth_n", "n", "decisions in which it was tried", "count")
        needed = estimated("needed", "made rate for a worth of 0", "share", "even")
        best = Column(
            "best", "best for", "share of the hands, by bands of hands", "share"
        )
        kind = Column("kind", "says", "over all bands of hands; Holm, 95 %")
        how = "the same deals without" if self.none else "each other one on the table"
        yield Table(
            f"{self.many}-risk",
            f"Every {self.one} on the same deals: made, needed, worth",
            f"One decision in some games is tried with every {self.one}, against "
            f"{how}; all else is played on as before. Taken and made are of all the "
            "hands tried, good and bad. What a searcher chose is played on without it.",
            (
                "strategy",
                self._option,
                *self._columns(needed),
                _VERDICT,
                best,
                kind,
            ),
            rows=rows,
            formula=f"{_WORTH}. {_EVEN}",
            n=n,
        )
        kept = Number(self.m("kept"), "made when taken", name="kept")
        gained = Number(self.m("gained"), "worth when taken", name="gained")
        sd = estimated("sd", "standard deviation of the change in points", name="sd")
        out = Number(self.m("out"), "eliminated", name="out")
        tail = Column("cvar", "CVaR 10 %", "mean of the worst tenth", "number")
        yield Table(
            f"{self.many}-points",
            f"Risk against reward of every {self.one}",
            "Change of the points at the end: its mean, spread and worst tenth. The "
            "figure has a dot for each, with its intervals; on the line it is worth "
            f"as much as {how}. It leaves out those tried less than {ENOUGH} times.",
            ("strategy", self._option, kept, gained,
             Number(self.m("points"), "points", name="points"), sd, tail,
             *((out,) if self.eliminates else ())),
            rows=rows.with_columns(pl.col("option").alias(self.one)),
            draw=scatter(
                self.one, "sd", "worth", "standard deviation of the points (risk)",
                "change of the win share (reward), %", reference=0,
                only=(pl.col("strategy") == data.lead),
            ),
            formula="sd: interval by the fourth moment; CVaR = mean of the worst 10 %",
            n=n,
        )  # fmt: skip

    def _when(self, data: ReportData, some: pl.Expr) -> Parts:
        place = Column("position", "position", "of the seat then, from 1", "count")
        for group, column, words in (
            ("time", data.columns[self.time], self.time),
            ("place", place, "position"),
        ):
            by = ("strategy", column.name, "option")
            names = [f"{one} by {group}" for one in ("worth", "taken", "made")]
            rows = self.table(data, *names, by=by).filter(
                some, pl.col("worth_n") >= ENOUGH, pl.col("option") != self.none
            )
            yield Table(
                f"{self.many}-{words}",
                f"Every {self.one} by {words}",
                "As above.",
                ("strategy", column, self._option, *self._columns(), _VERDICT),
                rows=with_verdict(rows.sort(by), TOLERANCE, _SIDES, "worth"),
                n=Column("worth_n", "n", "decisions in which it was tried", "count"),
            )

    def _hands(self, data: ReportData, bands: pl.DataFrame) -> Table:
        hand = Column("words", "hand", f"{self.hand_words} that the hand promises")
        rows = bands.filter(
            pl.col("option") != self.none, pl.col("worth_n") >= ENOUGH / 4
        )
        lead = (pl.col("strategy") == data.lead) & pl.col("option").is_in(_most(bands))
        return Table(
            f"{self.many}-hand",
            f"Every {self.one} by the strength of the hand",
            f"Bands of as many hands, from the weakest; {BANDS} where there are enough "
            "decisions. The figure shows those that are best for some band, or taken "
            "most.",
            ("strategy", Column("band", "band", "of hands, from the weakest", "count"),
             hand, self._option, *self._columns()),
            rows=rows,
            draw=lines("band", "change of the win share, %", "worth", by="option",
                       reference=0, only=lead),
            n=Column("worth_n", "n", "decisions in which it was tried", "count"),
        )  # fmt: skip

    def _promise(self, data: ReportData) -> Table:
        """What the hand promises against what it comes to."""
        came = self.of(data, "came by hand").with_columns(
            promised=pl.col("hand") / self.per_hand
        )
        came = came.filter(pl.col("n") >= ENOUGH / 4)
        without = "without any" if self.none else "as it was played"
        return Table(
            f"{self.many}-promise",
            f"What hands promise, and what they come to in {self.hand_words}",
            f"The promise is that of the strategies' own rule of thumb; {without}.",
            ("strategy", Column("promised", "promised", self.hand_words, "number"),
             estimated("came", f"{self.hand_words}, mean")),
            rows=came,
            draw=lines("promised", self.hand_words, by="strategy"),
        )  # fmt: skip

    def _regret(self, data: ReportData, rows: pl.DataFrame) -> Parts:
        words = pl.when(pl.col("band") == 0).then(pl.lit("all")).otherwise("words")
        columns = [
            estimated("rule", "worth of the best rule by hand", "points", "worth"),
            estimated("chosen", "worth of what is chosen", "points", "chosen"),
            estimated("given up", "rule less chosen", "points", "lost"),
        ]
        yield Table(
            f"{self.many}-regret",
            f"Regret: the best {self.one} for a hand against the one that is chosen",
            "Below 0 the choice is better than any rule that knows the hand's promise "
            "alone. The rule is judged on other games than those it is made of.",
            ("strategy", Column("hand", "hand", f"promise in {self.hand_words}"),
             Column("option", "best", "in either half of the games"), *columns),
            rows=rows.with_columns(hand=words),
            formula=_RULE,
            n=Column("chosen_n", "n", "decisions", "count"),
        )  # fmt: skip
        for row in rows.filter(band=0).rows(named=True):
            who = row["strategy"]
            missed = self.of(data, "missed").filter(strategy=who)["estimate"][0]
            text = (
                f"Regret, {data.players} players, {who}: the {self.one} that it "
                f"chooses is worth {points(row, 'chosen')} points of win share, the "
                f"best rule by hand {points(row, 'worth')}, so {points(row, 'lost')} "
                f"are given up; seen from the end, another {self.one} would have won "
                f"{100 * missed:.0f} % of the games tried."
            )
            yield Finding(text, "")

    def _findings(self, data: ReportData, risk: pl.DataFrame) -> Parts:
        for part in risk.partition_by("strategy", maintain_order=True):
            yield self._said(data, part["strategy"][0], part)
        yield from self._anybody(data, risk)

    def _said(self, data: ReportData, who: str, rows: pl.DataFrame) -> Finding:
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
        text = (
            f"{self.many.capitalize()}, {data.players} players, {who}, on the same "
            f"deals with and without (points of win share): "
            f"{'; '.join([*texts, rest])}."
        )
        return Finding(text, label(rows["verdict"]))

    def _anybody(self, data: ReportData, risk: pl.DataFrame) -> Parts:
        """Traps, free lunches, and where strategies part."""
        several = risk.group_by("option", maintain_order=True).agg(
            trap=(pl.col("kind") == TRAP).all(),
            lunch=(pl.col("kind") == LUNCH).any(),
            apart=pl.col("verdict").is_in(["pays"]).any()
            & pl.col("verdict").is_in(["costs"]).any(),
        )
        names = risk["strategy"].unique(maintain_order=True).to_list()
        head = f"{data.players} players, {listed(names)}"
        for flag, one, none in (
            ("trap", "never the best with any hand, for anybody (a trap)", "a trap"),
            ("lunch", "worth more than a point with every hand, for somebody (a free "
             "lunch)", "a free lunch"),
        ):  # fmt: skip
            names = several.filter(flag)["option"].to_list()
            if names:
                yield Finding(f"{self.many.capitalize()}, {head}: surely {one}: "
                              f"{listed(names)}.", "sure")  # fmt: skip
            else:
                text = f"{self.many.capitalize()}, {head}: none is surely {none}."
                yield Finding(text, "")
        for name in several.filter("apart")["option"]:
            rows = risk.filter(option=name).rows(named=True)
            told = [f"{points(row, 'worth')} to {row['strategy']}" for row in rows]
            yield Finding(f"Where they part: {name} is worth {listed(told)}.", "sure")


TRAP, LUNCH = "never best", "pays with every hand"
_ENDS = ("_se", "_low", "_high", "_n")
_SPREAD = ("sd", "sd_low", "sd_high", "cvar")


def spread(rows: pl.DataFrame) -> dict[str, float]:
    """Standard deviation with its interval, and CVaR, of ``points_more`` (y times).

    The variance of a variance is (m4 - m2**2) / n (Cramer 1946, Mathematical Methods of
    Statistics, 27.4).
    """
    values, many = (
        rows[name].cast(pl.Float64).to_numpy() for name in ("points_more", "y")
    )
    n = many.sum()
    away = values - (values * many).sum() / n
    second, fourth = ((away**k * many).sum() / n for k in (2, 4))
    sd = float(np.sqrt(second))
    half = (
        1.96 * float(np.sqrt(max(fourth - second**2, 0) / n)) / (2 * sd) if sd else 0.0
    )
    cvar = float(intervals.cvar(values, many))
    return dict(zip(_SPREAD, (sd, max(sd - half, 0.0), sd + half, cvar), strict=True))


def break_even(rows: pl.DataFrame, groups: Sequence[str], made: str) -> pl.DataFrame:
    """The made rate ``even`` at which something is worth nothing.

    rows: worth by ``groups``, and by ``made`` (1 or 0). With K and B the worth where it
    came true or not, a made rate m is worth m K + (1 - m) B. These lie in different
    games, so the means are independent. A rate that surely lies below 0 (it pays even
    where broken) or above 1 is told as 0 or 1, without an interval.
    """
    true = pl.col(made).cast(pl.Boolean)
    kept, broken = (
        rows.filter(true if flag else ~true).select(*groups, mean="estimate", se="se")
        for flag in (1, 0)
    )
    both = kept.join(broken, on=list(groups), how="inner", suffix="_b")
    k, k_se, b, b_se = (
        both[name].cast(pl.Float64).to_numpy()
        for name in ("mean", "se", "mean_b", "se_b")
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.hypot(k_se, b_se)
        low, high = intervals.fieller(-b, k - b, b_se, apart, b_se**2)
        clear = k - b > _CLEAR * apart
        ends = {"even": -b / (k - b), "even_low": low, "even_high": high}
        inside = (high > 0) & (low < 1)
    columns = [
        pl.Series(
            name,
            np.where(clear & (inside | (name == "even")), np.clip(one, 0, 1), np.nan),
            nan_to_null=True,
        )
        for name, one in ends.items()
    ]
    return both.select(groups).with_columns(columns)


def _classes(bands: pl.DataFrame) -> pl.DataFrame:
    """A row a strategy and option: share of the hands it is best for, and ``kind``.

    Never best: with every band of hands another one is surely worth more (all pairs of
    a strategy are one family; their errors as if independent, which is wider where they
    share deals). Pays with every hand: worth surely more than ``TOLERANCE``.
    """
    found = []
    for who in bands["strategy"].unique(maintain_order=True):
        part = bands.filter(pl.col("strategy") == who, pl.col("worth_n") >= ENOUGH / 4)
        beaten, pays, best = _pairs(part), _pays(part), _best(part)
        for name in part["option"].unique(maintain_order=True):
            own = part.filter(option=name)["band"].to_list()
            kind = TRAP if all((name, at) in beaten for at in own) else ""
            kind = LUNCH if own and all((name, at) in pays for at in own) else kind
            found.append((who, name, best.get(name, 0.0), kind))
    schema = {"strategy": pl.String, "option": pl.String}
    return pl.DataFrame(
        found, {**schema, "best": pl.Float64, "kind": pl.String}, orient="row"
    )


def _pairs(part: pl.DataFrame) -> set[tuple[str, int]]:
    """Options and bands in which another option is surely worth more."""
    one = part.select("band", "option", "worth", "worth_se")
    rival = one.select("band", rival="option", other="worth", other_se="worth_se")
    both = one.join(rival, on="band").filter(pl.col("option") != pl.col("rival"))
    both = less(both, "worth", "other", "more").drop_nulls("more")
    told = judge(both["more"], both["more_se"], 0.0, np.inf)
    sure = both.filter(pl.Series(told, dtype=pl.String) == "outside")
    return set(sure.select("option", "band").rows())


def _pays(part: pl.DataFrame) -> set[tuple[str, int]]:
    told = judge(part["worth"], part["worth_se"], -np.inf, TOLERANCE)
    sure = part.filter(pl.Series(told, dtype=pl.String) == "outside")
    return set(sure.select("option", "band").rows())


def _open(rows: pl.DataFrame, *by: str) -> pl.DataFrame:
    """The options that half of the decisions have at least, if they are enough."""
    n = pl.col("worth_n")
    return rows.filter(n >= ENOUGH / 4, n >= n.max().over(by) / 2)


def _best(part: pl.DataFrame) -> dict[str, float]:
    """Of each option the share of the hands for which it is worth most."""
    rows = _open(part, "strategy", "band")
    top = rows.sort("worth", descending=True, nulls_last=True)
    top = top.unique(["strategy", "band"], keep="first", maintain_order=True)
    shares = top.group_by("option").agg(pl.col("worth_n").sum())
    total = shares["worth_n"].sum() or 1.0
    return {name: many / total for name, many in shares.rows()}


def _most(rows: pl.DataFrame) -> list[str]:
    """The options that are drawn: the best of each band, and those taken most."""
    best, rows = list(_best(rows)), _open(rows, "strategy", "band")
    taken = rows.group_by("option", maintain_order=True).agg(pl.col("taken").mean())
    most = taken.sort("taken", descending=True)["option"].to_list()
    return [*dict.fromkeys([*best, *most])][:6]


def _with_all(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows, and all of them once more as band 0."""
    whole = rows.with_columns(band=pl.lit(0, pl.Int64), words=pl.lit(""))
    return pl.concat([whole, rows])


def _mean(rows: pl.DataFrame, name: str) -> dict[str, float]:
    """The mean of parts that are of different games, weighted by decisions."""
    many = rows["chosen_n"].cast(pl.Float64).to_numpy()
    value, se = (rows[n].cast(pl.Float64).to_numpy() for n in (name, f"{name}_se"))
    share = many / max(many.sum(), 1)
    middle, error = float(value @ share), float(np.hypot.reduce(se * share))
    ends = {"": middle, "_se": error, "_low": middle - 1.96 * error}
    ends |= {"_high": middle + 1.96 * error, "_n": float(many.sum())}
    return {f"{name}{end}": number for end, number in ends.items()}


def _names(rows: pl.DataFrame) -> str:
    return " or ".join(rows["option"].unique(maintain_order=True).to_list()[:3])


def _worth(row: Row) -> str:
    return f"{row['option']} {points(row, 'worth')}"


def _few(texts: Sequence[str], most: int = 4) -> str:
    more = len(texts) - most
    return listed([*texts[:most], *([f"{more} more"] if more > 0 else [])])
