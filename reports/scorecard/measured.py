"""The number of each line, from what runs count already.

Most are of one cell of a run, so that they can be taken of every way to play. Some are
of all cells: who wins among whom.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from reports.measures import SUMS
from reports.report_data import ReportData
from reports.scorecard import numbers
from reports.scorecard.lines import SECONDS
from reports.scorecard.numbers import (
    BEYOND,
    CHOICES,
    DECIDED,
    NUMBERS,
    OFFERED,
    POSITION,
    TAKEN,
    WEAK,
    Totals,
)
from reports.statistics import extremes
from reports.statistics.estimates import estimates

_Z = 1.959963984540054
HEURISTICS = "our heuristics"
"""Who is asked where nobody searches."""


@dataclass(frozen=True)
class Found:
    """The number of a line, and what is judged.

    ``values`` and ``errors`` are a family, each judged against the tolerance: where
    nothing is said, the number itself. ``share``: by the tests of shares. ``sign``
    says which of several it is, so that ways to play can be compared. ``words`` are
    put into the line's sentence.
    """

    value: float
    low: float
    high: float
    values: tuple[float, ...]
    errors: tuple[float, ...]
    share: bool = False
    chance: float | None = None
    sign: str = ""
    n: float = 0.0
    note: str = ""
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def se(self) -> float:
        """Standard error of the number, as its interval tells it."""
        return (self.high - self.low) / 2 / _Z

    @property
    def held(self) -> tuple[float, float]:
        """The 95 % interval of what is held to the tolerance."""
        if self.chance is None:
            return self.low, self.high
        [value], [se] = self.values, self.errors
        return value - _Z * se, value + _Z * se


@dataclass(frozen=True)
class Where:
    """A cell of a run, and what is known of the game it is of.

    ``undecided``: ways in which games are decided, but not by play. ``named``: what a
    position is called, by its number.
    """

    data: ReportData
    cell: int
    players: int
    undecided: Sequence[str] = ()
    named: Callable[[int, int], str] = lambda position, _: f"position {position}"
    seconds: float = SECONDS

    def of(self, measure: str) -> pl.DataFrame:
        """A measure of this cell; empty where the run has none of it."""
        if measure not in self.data.measures:
            return pl.DataFrame()
        found = self.data.of(measure, only=pl.col("cell") == self.cell)
        return found.drop_nulls("estimate")

    def totals(self, measure: str) -> Totals | None:
        """The sums of a measure of this cell; None where the run has none of it."""
        if measure not in self.data.measures:
            return None
        rows = self.data.raw(measure).filter(pl.col("cell") == self.cell)
        if rows.is_empty():
            return None
        games = self.data.games_of(self.cell)
        return Totals.of(rows, games, self.data.measure(measure).kind)


def of_100(share: float) -> str:
    """A share as games of a hundred."""
    text = f"{100 * share:.0f}"
    return text if text not in {"0", "100"} else f"{100 * share:.1f}"


def positions(here: Where) -> Found | None:
    """How far the best position is above the worst: all pairs are judged."""
    rows = here.of(POSITION)
    if rows.height < 2:
        return None
    won = rows["estimate"].to_numpy()
    n = float(rows["n"].max())  # type: ignore[arg-type]
    gap = extremes.of_shares(won, n)
    one, other = np.triu_indices(len(won), 1)
    apart = np.abs(won[one] - won[other])
    spread = np.sqrt(np.maximum(won[one] + won[other] - apart**2, 0) / n + 2 / n**2)
    best, worst = (
        int(rows["position"][int(at)]) for at in (won.argmax(), won.argmin())
    )
    return Found(
        gap.estimate,
        gap.low,
        gap.high,
        tuple(apart),
        tuple(spread),
        sign=f"{best} over {worst}",
        n=n,
        words={
            "best": here.named(best, here.players),
            "worst": here.named(worst, here.players),
            "best_of": of_100(won.max()),
            "worst_of": of_100(won.min()),
            "even": of_100(won.mean()),
        },
    )


def ties(here: Where) -> Found | None:
    """Games that nobody wins alone, or that are decided, but not by play."""
    won, decided = here.totals(POSITION), here.totals(DECIDED)
    if won is None or decided is None:
        return None
    games, rows = here.data.games_of(here.cell), decided.groups
    many = float(numbers.undecided(here.undecided, won, decided)[0])
    sums = dict.fromkeys(SUMS, many) | {"x": float(games)}
    row = estimates(pl.DataFrame([sums]), "share of games", games).row(0, named=True)
    some = numbers.ended(decided, here.undecided)
    ways = [str(name) for name in rows.filter(some, pl.col("y") > 0)["by"]]
    how = f"settled by {' or '.join(ways)}" if ways else "without a winner"
    return _one(row, share=True, words={"how": how})


def mean(line: str) -> Callable[[Where], Found | None]:
    """The number of a line that is that of a measure without groups."""
    [measure] = NUMBERS[line].measures

    def found(here: Where) -> Found | None:
        rows = here.of(measure)
        if rows.height != 1:
            return None
        return _one(rows.row(0, named=True), share=here.data.measure(measure).share)

    return found


def against_chance(line: str) -> Callable[[Where], Found | None]:
    """A line of the course of the game; judged is what it is beyond chance.

    Of a ratio as a part of what it is by chance (which varies little beside it).
    """
    measure, by_chance = NUMBERS[line].measures
    ratio = NUMBERS[line].of is numbers.ratio

    def found(here: Where) -> Found | None:
        rows, beyond, null = map(here.of, (measure, measure + BEYOND, by_chance))
        if rows.height != 1 or beyond.height != 1 or null.height != 1:
            return None
        more, even = beyond.row(0, named=True), float(null["estimate"][0])
        unit = even if ratio else 1.0
        if unit <= 0 or more["se"] is None:
            return None
        words = {
            "chance": f"{even:.1f}",
            "chance_of": of_100(even),
            "chance_percent": f"{100 * even:.0f}",
        }
        return replace(
            _one(rows.row(0, named=True), words=words),
            values=(more["estimate"] / unit,),
            errors=(more["se"] / unit,),
            chance=even,
        )

    return found


def length(here: Where) -> Found | None:
    """Minutes of a game, from its decisions."""
    totals = here.totals(CHOICES)
    if totals is None or not totals.n.sum():
        return None
    rows = totals.groups
    decisions = {"y": "x", "yy": "xx", "x": "games", "xx": "games", "xy": "x"}
    x, xx, n = (pl.col(name) for name in ("x", "xx", "games"))
    even = 3 * xx * x / n - 2 * x**3 / n**2  # cubes were not kept: as if not skewed
    sums = rows.select(
        *(pl.col(of).alias(name) for name, of in decisions.items()), n, yyy=even
    )
    row = estimates(sums, "mean").row(0, named=True)
    note = f"{row['estimate']:.0f} decisions, {here.seconds:g} seconds each"
    minute = here.seconds / 60
    numbers = ("estimate", "low", "high", "se")
    row |= {name: row[name] * minute for name in numbers if row[name] is not None}
    return _one(row, note=note, words={"seconds": f"{here.seconds:g}"})


def _one(
    row: Mapping[str, Any],
    *,
    share: bool = False,
    note: str = "",
    words: Mapping[str, str] | None = None,
) -> Found:
    """A number that is judged by itself."""
    value = float(row["estimate"])
    low, high = (value if row[end] is None else row[end] for end in ("low", "high"))
    told = {
        "value": f"{value:.0f}" if abs(value) >= 10 else f"{value:.1f}",
        "value_of": of_100(value),
        "percent": f"{100 * value:.0f}",
    }
    return Found(
        value,
        low,
        high,
        (value,),
        (row["se"] if row["se"] is not None else np.nan,),
        share,
        n=row["n"] or 0.0,
        note=note,
        words={**told, **(words or {})},
    )


OF_CELL: Mapping[str, Callable[[Where], Found | None]] = {
    "positions": positions,
    "ties": ties,
    "length": length,
    **{line: mean(line) for line in ("choices", "options")},
    **{
        line: against_chance(line)
        for line in ("early", "runaway", "half", "comeback", "changes")
    },
}
"""The lines that each cell of a run can tell."""


def skill(one: pl.DataFrame) -> Found | None:
    """What the weakest lacks of an even share; by chance, where somebody plays so.

    ``one``: a row a strategy alone at a table of the leading one
    (``reports.robust.ones``).
    """
    rows = one.filter(~pl.col("searches"))
    if rows.is_empty():
        return None
    chance = rows.filter(strategy=WEAK)
    row = (chance if chance.height else rows.sort("more")).row(0, named=True)
    even = row["estimate"] - row["more"]
    if even <= 0:
        return None
    value, se = -row["more"] / even, row["se"] / even
    name = str(row["strategy"])
    return Found(
        value,
        value - _Z * se,
        value + _Z * se,
        (value,),
        (se,),
        n=row["n"],
        note=f"{name} among the others",
        words={
            "weakest": name,
            "weakest_of": of_100(row["estimate"]),
            "even": of_100(even),
        },
    )


def plan(one: pl.DataFrame, lead: str) -> Found | None:
    """What the best other heuristic wins above even: all are judged."""
    heuristic = ~pl.col("searches") & (pl.col("strategy") != "random")
    rows = one.filter(heuristic).sort("more", descending=True)
    if rows.is_empty():
        return None
    row = rows.row(0, named=True)
    wide = extremes_z(rows.height) * row["se"]
    return Found(
        row["more"],
        row["more"] - wide,
        row["more"] + wide,
        tuple(rows["more"]),
        tuple(rows["se"]),
        sign=str(row["strategy"]),
        n=row["n"],
        note=str(row["strategy"]),
        words={
            "plan": str(row["strategy"]),
            "plan_of": of_100(row["estimate"]),
            "even": of_100(row["estimate"] - row["more"]),
            "lead": lead,
        },
    )


def extremes_z(among: int) -> float:
    """Standard errors to the end of an interval that holds for all of so many."""
    return NormalDist().inv_cdf(1 - 0.05 / 2 / max(among, 1))


def uses(here: Sequence[Where], searches: Sequence[bool]) -> pl.DataFrame:
    """How often each option is taken, a row a way to play and option.

    Columns way (its number), searches, decision, option, estimate, se, n. Left out is
    what is seldom offered, and what only one heuristic is offered, whose habit is no
    fact about the game.
    """
    names = ("decision", "option", "estimate", "se", "n")
    parts = [
        rows.select(
            pl.lit(way).alias("way"), pl.lit(searches[way]).alias("searches"), *names
        )
        for way, one in enumerate(here)
        if not (rows := one.of(TAKEN)).is_empty()
    ]
    if not parts:
        return pl.DataFrame()
    rows = pl.concat(parts).filter(pl.col("n") >= OFFERED)
    several = (pl.len() > 1) | pl.col("searches").any()
    return rows.filter(several.over("decision", "option"))


def dead(taken: pl.DataFrame) -> Found | None:
    """Of each option, who takes it most; the least of them."""
    rows = _options(taken, most=True)
    return None if rows is None else _extreme(rows, at=0)


def dominant(taken: pl.DataFrame) -> Found | None:
    """Of each option, who takes it least; the most of them."""
    rows = _options(taken, most=False)
    return None if rows is None else _extreme(rows, at=-1)


def _options(taken: pl.DataFrame, *, most: bool) -> pl.DataFrame | None:
    """A row an option, of the way to play that may take it most, or least."""
    if taken.is_empty():
        return None
    side = pl.col("se") * (_Z if most else -_Z)
    ends = taken.with_columns(end=pl.col("estimate") + side)
    rows = (
        ends.sort("end", descending=most, maintain_order=True)
        .group_by("decision", "option", maintain_order=True)
        .first()
    )
    return rows.sort("estimate", "decision", "option")


def _extreme(rows: pl.DataFrame, at: int) -> Found:
    row = rows.row(at, named=True)
    half = extremes_z(rows.height) * row["se"]
    low, high = max(row["estimate"] - half, 0.0), min(row["estimate"] + half, 1.0)
    label = named(row["decision"], row["option"])
    return Found(
        row["estimate"],
        low,
        high,
        tuple(rows["estimate"]),
        tuple(rows["se"]),
        share=True,
        sign=label,
        n=row["n"],
        note=f"{label}; {rows.height} options",
        words={
            "labels": "\n".join(map(named, rows["decision"], rows["option"])),
            "they": "players who search" if row["searches"] else HEURISTICS,
        },
    )


def named(decision: str, option: str) -> str:
    """An option in words."""
    return f"{option} at {decision}"


def trap(worth: pl.DataFrame) -> Found | None:
    """The option that it is best to be kept from, of a knock-out's rows."""
    rows = worth.filter(pl.col("option") != "").sort("lost")
    if rows.is_empty():
        return None
    gains = (-rows["lost"]).to_list()
    half = (rows["high"] - rows["low"]) / 2
    row = rows.row(0, named=True)
    label = named(row["decision"], row["option"])
    errors = (half / extremes_z(rows.height)).to_list()
    return Found(
        gains[0],
        -row["high"],
        -row["low"],
        tuple(gains),
        tuple(errors),
        sign=label,
        note=f"{label}; {rows.height} options",
        words={
            "labels": "\n".join(map(named, rows["decision"], rows["option"])),
            "they": HEURISTICS,
        },
    )


def luck(shares: pl.DataFrame) -> Found | None:
    """What is due to the deal and to chance, of a run's shares of variance."""
    rows = shares.filter(pl.col("source").is_in(["deal", "play"])).drop_nulls("share")
    if rows.is_empty():
        return None
    value = min(float(rows["share"].sum()), 1.0)
    errors = ((rows["high"] - rows["low"]) / 2 / _Z).to_numpy()
    se = float(np.abs(errors).sum())  # they need not be independent
    low, high = max(value - _Z * se, 0.0), min(value + _Z * se, 1.0)
    words = {"percent": f"{100 * value:.0f}"}
    return Found(value, low, high, (value,), (se,), words=words)
