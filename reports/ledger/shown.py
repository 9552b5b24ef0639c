"""What a report shows of the things that seats hold."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from reports.counts import Counts
from reports.drawing import dots, lines
from reports.formatting import Row, estimated, listed, number, points, share
from reports.game_report import Parts, ReportSection, Shown
from reports.ledger.ledger import GINIS, Ledger
from reports.ledger.worth import BRAKES, GRANTED
from reports.page import Column, Finding, Section
from reports.report_data import ReportData
from reports.searched import searched
from reports.statistics.equivalence import judge, label
from reports.tabled import TABLES, Number, Table
from reports.verdicts import how_tested

INCOME = 1.0
"""A stock that grows or shrinks by less than what comes in one round is stable,"""
TIMES = 2.0
"""and so is an income that at the end is less than twice, or more than half, that at
the start."""
ALIKE = {"idle": 0.05, "wasted": 0.05, "growth": 0.25, "inflation": 0.25}
"""Numbers that differ by no more are alike, whoever plays."""
COUNTED = "counted in every game, not estimated"
WORTH = 0.01
"""Worth of less than a point of win share is none."""


def section(
    ledgers: Sequence[Ledger],
    note: str = "",
    own: ReportSection | None = None,
    title: str = "Economy",
) -> ReportSection:
    """The section of a game's ledgers; ``own`` comes after them, without a heading."""
    own = ReportSection(lambda _: iter(())) if own is None else own
    measures = [m for ledger in ledgers for m in ledger.measures]

    def counted(read: Any) -> Iterator[Counts]:
        for ledger in ledgers:
            yield from ledger.counts(read)
        if own.counts is not None:
            yield from own.counts(read)

    return ReportSection(
        partial(_shown, tuple(ledgers), note, title, own.show),
        (*measures, *own.measures),
        own.tables,
        counted,
        own.records,
        ledgers=tuple(ledgers),
    )


def _shown(
    ledgers: Sequence[Ledger],
    note: str,
    title: str,
    own: Callable[[ReportData], Any],
    data: ReportData,
) -> Shown:
    yield Section("economy", title, f"With {data.who}. {note}".strip())
    for ledger in ledgers:
        yield from _of(ledger, data)
    yield from own(data)


def _of(ledger: Ledger, data: ReportData) -> Parts:
    """All that is told of a thing."""
    if data.leading(ledger.m("idle")).is_empty():
        yield Finding(f"{_title(ledger)}: nothing comes or goes in these rules.", "")
        return
    yield _flows(ledger)
    yield _totals(ledger)
    yield from _used(ledger, data)
    yield from _worth(ledger, data)
    if ledger.wealth is not None:
        yield from _ginis(ledger, data)
    yield from _brake(ledger, data)
    yield from searched(
        data,
        f"{_id(ledger)}-search",
        f"{_title(ledger)} where everybody searches",
        {
            ledger.m(name): most
            for name, most in ALIKE.items()
            if ledger.wasted or name != "wasted"
        },
    )
    if ledger.checked:
        yield _conserved(ledger, data)


def _id(ledger: Ledger) -> str:
    return f"economy-{ledger.name.lower().replace(' ', '-')}"


def _title(ledger: Ledger) -> str:
    return ledger.name[:1].upper() + ledger.name[1:]


def _flows(ledger: Ledger) -> Table:
    """The account, a row a time."""
    signs = dict.fromkeys(ledger.sources, "+ ") | dict.fromkeys(
        ledger.sinks, "\N{MINUS SIGN} "
    )
    told = {"before": "before", "after": "= after"}
    numbers = [
        Number(
            ledger.m(name),
            told.get(name, signs.get(name, "") + name),
            name="estimate" if name == "before" else name,
        )
        for name in ledger.entries
    ]
    numbers.append(Number(ledger.m("velocity"), "velocity", name="velocity"))
    if ledger.gains:
        numbers.append(Number(ledger.m("yield"), "points for one", name="yield"))
    return Table(
        _id(ledger),
        f"{_title(ledger)} of a {ledger.whose}, by {ledger.time}",
        "Read a row as an account: before + what comes \N{MINUS SIGN} what goes = "
        "after. Velocity is the share that is used, of what there is to use.",
        ("players", ledger.time, *numbers),
        formula="after = before + sources - sinks; before = after of the time before; "
        "velocity = used / (before + sources)",
    )


def _totals(ledger: Ledger) -> Table:
    name, time = ledger.name, ledger.time
    lost = [Number(ledger.m("wasted"), "wasted", name="wasted")]
    return Table(
        f"{_id(ledger)}-use",
        f"{_title(ledger)}: what becomes of it, and whether it grows",
        f"Idle: held at the end of the game, that is, {ledger.idle}. "
        + (f"Wasted: {', '.join(ledger.wasted)}. " if ledger.wasted else "")
        + f"Growth: how much more {name} a {ledger.whose} holds at the end than after "
        f"the first {time}, as a multiple of what comes in a {time}. Inflation: what "
        f"comes in the last {time}, as a multiple of what comes in the first.",
        (
            "players",
            Number(ledger.m("idle"), "idle"),
            *(lost if ledger.wasted else ()),
            Number(ledger.m("growth"), "growth", name="growth"),
            Number(ledger.m("inflation"), "inflation", name="inflation"),
        ),
        n=Column("n", "n", f"{name} that came", "count"),
    )


def _used(ledger: Ledger, data: ReportData) -> Parts:
    """How much is used, and whether it grows without end."""
    lead = partial(data.leading, players=data.players)
    (idle,), (wasted,) = (
        lead(ledger.m(name)).rows(named=True) for name in ("idle", "wasted")
    )
    speed = lead(ledger.m("velocity")).rows(named=True)
    whose, time = f"{_title(ledger)}, {data.players} players, {data.who}", ledger.time
    told = [f"{share(idle)} of all that comes is {ledger.idle}"]
    if ledger.wasted:
        told.append(f"{share(wasted)} is wasted ({', '.join(ledger.wasted)})")
    if len(speed) > 1:
        told.append(
            f"of what there is, {share(speed[0])} is used in the first {time} and "
            f"{share(speed[-1])} in the last that is told"
        )
    yield Finding(f"{whose}: {'; '.join(told)}.", "")
    if not ledger.gathered:
        yield from _stable(ledger, data)


@dataclass(frozen=True)
class _Trend:
    """A measure that tells whether an economy is stable, and what it is beyond."""

    measure: str
    words: str
    least: float
    most: float
    more: str
    fewer: str

    def side(self, row: Row) -> str:
        """What it is, beyond one of the bounds."""
        return self.more if row["estimate"] > self.most else self.fewer


_TRENDS = (
    _Trend(
        "growth",
        "{value} times a {time}'s income more is held at the end than after the first "
        f"(stable: less than {INCOME:g} up or down)",
        -INCOME,
        INCOME,
        "piles up",
        "runs down",
    ),
    _Trend(
        "inflation",
        "the last {time} brings {value} times what the first does "
        f"(stable: {1 / TIMES:g} to {TIMES:g})",
        1 / TIMES,
        TIMES,
        "income grows",
        "income dries up",
    ),
)


def _stable(ledger: Ledger, data: ReportData) -> Parts:
    """Whether stock and income stay what they are, where there are any."""
    known = [
        (trend, row)
        for trend in _TRENDS
        for row in data.leading(ledger.m(trend.measure), players=data.players).rows(
            named=True
        )
        if row["se"] is not None
    ]
    if not known:
        return
    verdicts = judge(
        [row["estimate"] for _, row in known],
        [row["se"] for _, row in known],
        [trend.least for trend, _ in known],
        [trend.most for trend, _ in known],
    )
    beyond = [
        trend.side(row)
        for (trend, row), verdict in zip(known, verdicts, strict=True)
        if verdict == "outside"
    ]
    what = "a stable economy" if {*verdicts} == {"within"} else "undecided"
    if beyond:
        runs = {trend.more for trend in _TRENDS}.intersection(beyond)
        what = ("a runaway economy, it " if runs else "") + listed(beyond)
    parts = [
        trend.words.format(value=number(row), time=ledger.time) for trend, row in known
    ]
    yield Finding(
        f"{_title(ledger)}, {data.players} players, {data.who}: {what}: "
        f"{'; '.join(parts)}.",
        label(verdicts),
        tested=how_tested(
            "the bounds named", "numbers", len(known), known[0][1]["n"], "counts"
        ),
    )


def _worth(ledger: Ledger, data: ReportData) -> Parts:
    """What one more was worth, given on the same deals."""
    every = data.story.get(GRANTED, pl.DataFrame())
    rows = every if every.is_empty() else every.filter(thing=ledger.name)
    if rows.is_empty():
        return
    unit = rows["unit"][0]
    time = Column("time", unit, f"{unit} in which it is given", "count")
    has_points = "points" in rows.columns and rows["points"].null_count() == 0
    yield Table(
        f"{_id(ledger)}-worth",
        f"What one more of the {ledger.name} is worth, by {unit}",
        f"{data.players} players, {data.who}. At the moment named one seat is given "
        "one more, and the game is played on; beside it the same game without. Both "
        "are the same deals with the same chance, and differ by it alone.",
        (
            time,
            estimated("win share", "with one more, less without", "points"),
            *(
                [estimated("points", "at the end, the same", name="points")]
                if has_points
                else ()
            ),
        ),
        rows=rows.with_columns(when=pl.format("{} {}", "unit", "time")),
        draw=dots("when", "win share with one more, less without", reference=0),
        n=Column("n", "n", "deals", "count"),
        formula="worth = mean over deals of (win share with one more - without)",
    )
    told = rows.rows(named=True)
    verdicts = judge(rows["estimate"], rows["se"], -WORTH, WORTH)
    best, least = (
        pick(told, key=lambda row: row["estimate"] or 0.0) for pick in (max, min)
    )
    spread = (
        f", and least in {unit} {least['time']}: {points(least)}"
        if len(told) > 1
        else ""
    )
    yield Finding(
        f"One more of the {ledger.name}, {data.players} players, {data.who}: it is "
        f"worth most in {unit} {best['time']}: {points(best)} points of win "
        f"share{spread}. Surely worth over {100 * WORTH:g} point: "
        f"{_times(told, verdicts, unit, 1)}; surely harmful: "
        f"{_times(told, verdicts, unit, -1)}.",
        label(verdicts),
        tested=how_tested(
            f"{100 * WORTH:g} point",
            f"{unit}s",
            len(told),
            min(row["n"] for row in told),
            "deals",
        ),
    )


def _times(rows: Sequence[Any], verdicts: Sequence[str], unit: str, side: int) -> str:
    here = [
        str(row["time"])
        for row, verdict in zip(rows, verdicts, strict=True)
        if verdict == "outside" and side * row["estimate"] > 0
    ]
    return f"{unit} {', '.join(here)}" if here else "never"


def _ginis(ledger: Ledger, data: ReportData) -> Parts:
    """How unequal seats are, against independent rounds."""
    names = [*GINIS]
    yield Table(
        f"{_id(ledger)}-gini",
        f"How unequal seats are at the end of each {ledger.time}",
        "Gini index of the points: 0 all equal, towards 1 one has all. By chance: the "
        "rounds of the game in another order, each dealt to the seats anew. More than "
        "by chance: who has, gets more; less: who is behind is helped.",
        (
            "players",
            ledger.time,
            Number(ledger.m(names[0]), "Gini"),
            Number(ledger.m(names[1]), "by chance", name="chance"),
            Number(ledger.m(names[2]), "difference", name="beyond"),
        ),
        rows=TABLES,
        draw=lines(ledger.time, "Gini index, less by chance", "beyond", by="table"),
        formula="Gini = sum over pairs of seats of |difference| / (seats * sum); mean "
        "over games",
    )
    rows = data.leading(ledger.m(names[2]), players=data.players).rows(named=True)
    played = data.leading(ledger.m(names[0]), players=data.players).rows(named=True)
    if not rows:
        return
    end = rows[-1]
    (verdict,) = judge([end["estimate"]], [end["se"]], -WORTH, WORTH)
    side = "more" if end["estimate"] > 0 else "less"
    said = {
        "outside": f"surely {side} unequal than independent rounds would make it",
        "within": "as unequal as independent rounds would make it",
        "undecided": "whether independent rounds would make it so is undecided",
    }[verdict]
    yield Finding(
        f"Inequality, {data.players} players, {data.who}: the Gini index is "
        f"{number(played[0])} after the first {ledger.time} and {number(played[-1])} "
        f"at the end, {number(end)} against independent rounds: {said} (by {WORTH:g}).",
        label([verdict]),
        tested=how_tested(f"{WORTH:g}", "number", 1, end["n"]),
    )


def _brake(ledger: Ledger, data: ReportData) -> Parts:
    """What the brake does, against the same deals without it."""
    every = data.story.get(BRAKES, pl.DataFrame())
    rows = every if every.is_empty() else every.filter(thing=ledger.name)
    if rows.is_empty() or ledger.brake is None:
        return
    without = rows["rule"][0]
    yield Table(
        f"{_id(ledger)}-brake",
        f"What holds back who is ahead: {ledger.name} with the brake and without",
        f"{data.players} players, {data.who}. The same deals twice: by the rules in "
        f"force, and with {without}. Of seats that lead or are last together, each "
        "counts a part.",
        (
            Column("what", "what", "whose, and what"),
            estimated("in force", "by the rules in force"),
            estimated("without", f"with {without}", name="without"),
            estimated("difference", "in force less without", name="more"),
        ),
        rows=rows,
        n=Column("n", "n", "deals", "count"),
        formula="difference = mean over deals of (in force - without)",
    )
    wins = rows.filter(pl.col("what").str.ends_with("wins"))
    receives = rows.filter(pl.col("what").str.contains("receives"))
    verdicts = judge(wins["more"], wins["more_se"], -WORTH, WORTH)
    texts = [
        f"{row['what']} {number(row, 'more')}" for row in receives.rows(named=True)
    ]
    texts += [
        f"{row['what']} {points(row, 'more')} points ({verdict})"
        for row, verdict in zip(wins.rows(named=True), verdicts, strict=True)
    ]
    yield Finding(
        f"Brake, {data.players} players, {data.who}: on the same deals, by the rules "
        f"in force less with {without}: {'; '.join(texts)}. Outside: by surely over "
        f"{100 * WORTH:g} point.",
        label(verdicts),
        tested=how_tested(
            f"{100 * WORTH:g} point",
            "shares",
            len(verdicts),
            float(wins["n"].min() or 0),  # type: ignore[arg-type]
            "deals",
        ),
    )


def _conserved(ledger: Ledger, data: ReportData) -> Finding:
    rows = data.raw(ledger.m("astray"))
    wrong, every = int(rows["y"].sum()), int(rows["x"].sum())
    if wrong:
        text = f"Conservation fails: {wrong:,} {ledger.name} of {every:,} are astray"
        return Finding(
            f"{text}: more or fewer than came and went.", "sure", tested=COUNTED
        )
    return Finding(
        f"Conservation is exact: of {every:,} {ledger.name} in all lineups, before + "
        f"what comes \N{MINUS SIGN} what goes is what is held after, for every "
        f"{ledger.whose} and {ledger.time}, and nothing is lost in between.",
        "sure",
        tested=COUNTED,
    )
