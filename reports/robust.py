"""Whether findings hold for stronger players, and for any other way to play.

The leading findings are told of one strategy. Here each is tried where all search,
where the leading strategy errs now and then, and where all play by another heuristic;
what becomes of it is said in the finding's own sentence.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.claims import Claim
from reports.drawing import dots
from reports.formatting import (
    PLAYERS,
    N,
    estimated,
    exhibit,
    listed,
    points,
    share,
)
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.robust_words import APART, ID, Tried, counted, in_words
from reports.statistics.equivalence import LEVEL, judge, overall
from reports.statistics.intervals import LEAST
from reports.statistics.robustness import (
    DIFFERS,
    agreement,
    asserted,
    heterogeneity,
)
from reports.verdicts import how_tested

DECIDED = 0.1
"""Where play decides fewer of the games, a way to play is set apart."""
ALWAYS = 0.95
"""And where one position wins so many of them, whatever is dealt: of a heuristic, that
is a habit which meets itself. Unless the rules favour the position, so that with the
leading strategy, too, it wins more than halfway from even to all; and searchers have no
such habits: what wins always among them is won by the best play that is known."""
_CHANCE = "random"
_WON, _BY_STRATEGY = "won by position", "won by strategy"


@dataclass(frozen=True)
class Way:
    """A way to play: everybody at the table plays like that."""

    name: str
    data: ReportData
    cell: int
    searches: bool = False
    apart: str = ""  # why it does not count, if it does not

    @property
    def leads(self) -> bool:
        """Whether findings are about it."""
        return self.name == self.data.lead


@dataclass(frozen=True)
class Robustness:
    """What is known of the ways to play: games of the panel, and those of searchers.

    ``undecided`` are ways in which games end that play did not decide.
    """

    data: ReportData
    search: Sequence[ReportData] = ()
    undecided: Sequence[str] = ()

    def told(self, sections: Sequence[Section]) -> tuple[Section, ...]:
        """The sections with their claims tried, and one more, of how that went."""
        one = self.one
        stronger = one.filter(pl.col("searches") & (pl.col("verdict") == "better"))
        strong = not stronger.is_empty()
        every: list[Tried] = []

        def tell(finding: Finding) -> Finding:
            claim = finding.claim
            tried = None if claim is None else self.tried(claim)
            if tried is None:
                return finding
            every.append(tried)
            return in_words(finding, tried, strong)

        changed = [replace(s, findings=tuple(map(tell, s.findings))) for s in sections]
        return (*changed, self._section(every, one, strong))

    def ways(self, players: int) -> list[Way]:
        """The ways to play with so many players: searchers, who leads, the others."""
        if players not in self._known:
            self._known[players] = self._ways(players)
        return self._known[players]

    @cached_property
    def _known(self) -> dict[int, list[Way]]:
        """The ways to play that were asked for so far, by players."""
        return {}

    def _ways(self, players: int) -> list[Way]:
        found = [
            Way(row["lineup"], data, row["cell"], row["kind"] == "search")
            for data in (*self.search, self.data)
            for row in data.cells.filter(
                pl.col("kind").is_in(["search", "self", "noisy"]), players=players
            ).rows(named=True)
        ]
        found.sort(key=lambda way: (not way.searches, not way.leads))
        leading = [self._most(way) for way in found if way.leads]
        favours = max(leading, default=0.0) > (1 + 1 / players) / 2
        return [replace(way, apart=self._apart(way, favours)) for way in found]

    def _apart(self, way: Way, favours: bool) -> str:
        """Why a way to play does not count: nothing is decided by play.

        ``favours``: the rules favour one position whoever plays.
        """
        if way.name == _CHANCE and not way.leads:
            return "decides by chance"
        here = pl.col("cell") == way.cell
        won = way.data.raw(_WON).filter(here)["y"].sum()
        won /= way.data.games_of(way.cell, _WON)
        ends = way.data.of("decided", only=here & pl.col("kind").is_not_null())
        tied = ends.filter(pl.col("by").is_in(list(self.undecided)))["estimate"].sum()
        decided = min(won, 1 - tied)
        if decided < DECIDED:
            return f"play decides {100 * decided:.1f} % of the games"
        most = self._most(way)
        if most < ALWAYS or favours or way.leads or way.searches:
            return ""
        return f"one position wins {100 * most:.0f} % of the games, whatever is dealt"

    def _most(self, way: Way) -> float:
        """Of the games that somebody wins, those of the position that wins most."""
        won = way.data.raw(_WON).filter(pl.col("cell") == way.cell)["y"].to_numpy()
        return float(won.max() / won.sum()) if won.sum() > 0 else 0.0

    def tried(self, claim: Claim, *, beyond: bool = False) -> Tried | None:
        """A claim under all ways; None where the leading one has no numbers for it.

        beyond: that one number lies beyond what is even is known already. Where none is
        surely further from it than the tolerance, what is tried is that the furthest
        lies on its side of even at all.
        """
        tried = self._tried(claim)
        if tried is None or not beyond or tried.said.sign:
            return tried
        return self._tried(replace(claim, tolerance=0.0))

    def _tried(self, claim: Claim) -> Tried | None:
        ways = self.ways(claim.players)
        found = [_numbers(claim, way, 0 if way.leads else LEAST) for way in ways]
        leading = [n for n, way in enumerate(ways) if way.leads]
        if not leading or found[leading[0]].is_empty():
            return None
        who = found[leading[0]]["who"]
        more, se, n = (_beside(found, who, name) for name in ("more", "se", "n"))
        counts = np.array([not way.apart for way in ways])
        said = asserted(more[leading[0]], se[leading[0]], claim.tolerance)
        holds = np.full(len(ways), APART, dtype=object)
        within = -claim.tolerance, claim.tolerance
        holds[counts] = agreement(said, more[counts], se[counts], within)
        verdicts = np.full(more.shape, "", dtype=object)
        verdicts[counts] = np.reshape(
            judge(more[counts].ravel(), se[counts].ravel(), *within),
            more[counts].shape,
        )
        far = np.argmax(np.nan_to_num(np.abs(more), nan=-1.0), axis=1)
        other = (holds == DIFFERS) & (said.sign == 0)  # then the one that is outside
        at = np.where(other, far, said.at)
        # of several claims about the same positions, which one
        other_one = claim.by and claim.measure != "won by position"
        several = f" ({claim.subject})" if other_one else ""
        rows = [
            {
                "finding": claim.subject,
                "players": claim.players,
                "whose": f"{who[said.at]}{several}, {claim.players} players",
                "way": way.name,
                "who": who[int(at[w])],
                **_interval(
                    more[w, at[w]],
                    se[w, at[w]],
                    len(who) if way.leads or other[w] else 1,
                ),
                "tolerance": claim.tolerance,
                "reference": claim.called or "even",
                "verdict": _side(verdicts[w, at[w]], more[w, at[w]]),
                "holds": holds[w],
                "settled": overall(verdicts[w].tolist()) in ("within", "outside"),
                "n": n[w, at[w]],
                "searches": way.searches,
                "leads": way.leads,
                "why": way.apart,
            }
            for w, way in enumerate(ways)
        ]
        p = heterogeneity(more[counts], se[counts])
        return Tried(claim, said, pl.DataFrame(rows, schema_overrides=_TYPES), p)

    @cached_property
    def one(self) -> pl.DataFrame:
        """One of each strategy at a table of the leading one.

        Columns: strategy, players, estimate (the share that it wins) with its interval,
        more (than even) with its own and se, n, searches, verdict ("better" than the
        others there, "worse" or "not settled").
        """
        rows = [
            row
            for data in (*self.search, self.data)
            for row in _ones(data, self.data.lead, searches=data is not self.data)
        ]
        table = pl.DataFrame(rows, schema=_ONE)
        judged = judge(table["more"], table["se"], 0.0, 0.0)
        words = [
            "not settled" if one != "outside" else "better" if more > 0 else "worse"
            for one, more in zip(judged, table["more"], strict=True)
        ]
        return table.with_columns(pl.Series("verdict", words, dtype=pl.String))

    def _section(
        self, every: Sequence[Tried], one: pl.DataFrame, strong: bool
    ) -> Section:
        found = (counted(every), *_searcher(one, self.data.lead, strong))
        search = "where all search, " if self.search else ""
        slow = (
            ""
            if search
            else " Nobody searches here, which is slow; --search-games N has it done."
        )
        return Section(
            ID,
            "Does it hold for stronger players?",
            f"Findings are told of {self.data.who}. Here the leading ones are tried "
            f"with every other way to play, all at the table alike: {search}where "
            "each decision is left to chance with probability 0.1 (noisy), and where "
            f"all play by another heuristic.{slow} What changes with who plays is no "
            "fact about the game.",
            (_table(every), _ones_exhibit(one, self.data.lead)),
            tuple(found),
        )


def _searcher(one: pl.DataFrame, lead: str, strong: bool) -> Iterator[Finding]:
    """Whether searchers are the stronger players."""
    for row in one.filter("searches").rows(named=True):
        more = f"{points(row, 'more')} points from even"
        text = (
            f"Stronger play: one {row['strategy']} among {row['players'] - 1} {lead} "
            f"wins {share(row)} of the games, {more}: {_STRENGTH[row['verdict']]}."
        )
        how = how_tested("from even", "searchers", one.height, row["n"])
        yield Finding(text, "sure" if strong else "open", ID, tested=how)


_STRENGTH = {
    "better": "search is the stronger play",
    "worse": "search is the weaker play, at this effort",
    "not settled": "whether search is the stronger play is not settled",
}


def _table(every: Sequence[Tried]) -> Exhibit:
    rows = (
        pl.concat([tried.rows for tried in every])
        if every
        else pl.DataFrame(schema=_TYPES)
    )
    apart = dict(rows.filter(pl.col("why") != "").select("way", "why").rows())
    set_apart = [f"{name} ({why})" for name, why in apart.items()]
    differ = [
        f"{tried.claim.subject} with {tried.claim.players} players"
        for tried in every
        if tried.p * len(every) < 1 - LEVEL
    ]
    note = (
        "Agrees: what is found of the leading strategy is shown of this way too; "
        "differs: it is shown not to hold (Holm over the ways); not settled: neither, "
        "as the interval is too wide. A number that was chosen as the furthest of "
        "several carries an interval that holds for all of them. A test of position x "
        "way to play finds a difference (at most "
        f"5 % false alarms in all) for: {listed(differ) or 'none'}."
    )
    if set_apart:
        note += f" Set apart, and not counted: {listed(set_apart)}."
    return exhibit(
        "robust-findings",
        "Leading findings, by way to play",
        note,
        rows,
        (
            Column("whose", "finding about", "whose share, with how many players"),
            Column("way", "all play", "everybody at the table plays like that"),
            estimated(
                "beyond even",
                "share less what is even or so by chance",
                "points",
                "more",
            ),
            Column("holds", "the finding", "agrees, differs, not settled or set apart"),
            Column("verdict", "by itself", "this way's number against the tolerance"),
            Column("who", "number of", "whose number it is: also another's, outside"),
            N,
        ),
        dots("way", "share vs. even, %", "more", by="whose", reference=0),
    )


def _ones(data: ReportData, lead: str, searches: bool) -> Iterator[dict[str, Any]]:
    """One of a strategy among so many of the leading one: what each seat wins."""
    cells = data.cells.filter(kind="one")
    rows = data.raw(_BY_STRATEGY)
    for cell in cells.rows(named=True):
        here = rows.filter(pl.col("cell") == cell["cell"])
        won = dict(here.select("strategy", "y").rows())
        names = [name for name in won if name != lead]
        if len(names) != 1:
            continue
        games, players = data.games_of(cell["cell"], _BY_STRATEGY), cell["players"]
        mine, even = won[names[0]] / games, sum(won.values()) / games / players
        more = mine - even
        # a game is won by it, by another, or by nobody: 1 - 1/n, -1/n or 0
        square = mine * (1 - 1 / players) ** 2 + (even * players - mine) / players**2
        se = float(np.sqrt(max(square - more**2, 0.0) / games))
        around = data.of(_BY_STRATEGY, only=pl.col("cell") == cell["cell"])
        own = around.filter(strategy=names[0]).row(0, named=True)
        if won[names[0]] in (0, sum(won.values())):  # none or all: yet no certainty
            half = (own["high"] - own["low"]) / 2
            se = half / NormalDist().inv_cdf((1 + LEVEL) / 2) * (1 - 1 / players)
        yield {
            "strategy": names[0],
            "players": players,
            **{name: own[name] for name in ("estimate", "low", "high")},
            **_interval(more, se, 1),
            "se": se,
            "n": float(games),
            "searches": searches,
        }


def _ones_exhibit(one: pl.DataFrame, lead: str) -> Exhibit:
    return exhibit(
        "robust-one",
        f"One of each strategy at a table of {lead}",
        f"{lead} sits in all other seats. Even: the same share of the games that "
        "somebody wins.",
        one,
        (
            PLAYERS,
            Column("strategy", "one", "who sits among them"),
            estimated("win share", "games that it wins", "share"),
            estimated("vs. even", "win share less even", "points", "more"),
            Column("verdict", "than they", "Holm over the rows, 95 %"),
            N,
        ),
        dots("strategy", "win share vs. even, %", "more", reference=0),
    )


def _numbers(claim: Claim, way: Way, least: int) -> pl.DataFrame:
    """A row a number of the claim: who, more (than even), se and n, ``least`` at least.

    Of fewer games standard errors say nothing.
    """
    found = way.data.of(claim.measure, only=pl.col("cell") == way.cell)
    found = found.filter(pl.col("n") >= least, **claim.where).drop_nulls("estimate")
    even = pl.col("estimate").mean() if claim.even is None else pl.lit(claim.even)
    who = pl.lit(claim.subject)
    if claim.by:
        who = pl.col(claim.by).replace_strict(claim.words, return_dtype=pl.String)
    more = pl.col("estimate") - even
    return found.select(who.alias("who"), more.alias("more"), "se", "n")


def _beside(
    found: Sequence[pl.DataFrame], who: pl.Series, name: str
) -> NDArray[np.float64]:
    """(ways, numbers) of a column, as the leading way has them; nan where lacking."""
    parts = [
        who.to_frame().join(rows, on="who", how="left", maintain_order="left")[name]
        for rows in found
    ]
    return np.array([part.cast(pl.Float64).fill_null(np.nan) for part in parts])


def _interval(more: float, se: float, among: int) -> dict[str, float | None]:
    """An interval; that of the greatest of several holds for all of them."""
    half = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / among) * se
    if np.isnan(more) or np.isnan(half):
        return dict.fromkeys(("more", "more_low", "more_high"))
    return {"more": float(more), "more_low": more - half, "more_high": more + half}


def _side(verdict: str, more: float) -> str:
    if verdict != "outside":
        return verdict
    return "more" if more > 0 else "less"


_TYPES = {
    "finding": pl.String,
    "players": pl.Int64,
    "whose": pl.String,
    "way": pl.String,
    "who": pl.String,
    "more": pl.Float64,
    "more_low": pl.Float64,
    "more_high": pl.Float64,
    "tolerance": pl.Float64,
    "reference": pl.String,
    "verdict": pl.String,
    "holds": pl.String,
    "settled": pl.Boolean,
    "n": pl.Float64,
    "searches": pl.Boolean,
    "leads": pl.Boolean,
    "why": pl.String,
}
_ONE = {
    "strategy": pl.String,
    "players": pl.Int64,
    **dict.fromkeys(
        ("estimate", "low", "high", "more", "more_low", "more_high", "se", "n"),
        pl.Float64,
    ),
    "searches": pl.Boolean,
}
