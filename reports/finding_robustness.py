"""Whether findings hold for stronger players, and for every other way to play.

The leading findings are about one strategy. Here each is tested again at tables where
all search, where the leading strategy errs now and then, and where all play another
heuristic. The result becomes part of the finding's own sentence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.claims import Claim
from reports.lone_players import (
    interval_of_extreme,
    lone_exhibit,
    lone_players,
    stronger_play,
)
from reports.report_data import ReportData
from reports.report_document import Finding, Section
from reports.robustness_table import ROW_TYPES, robustness_table
from reports.robustness_text import (
    EXCLUDED,
    ROBUSTNESS_ID,
    TO_SETTLE,
    ClaimTest,
    annotate_finding,
    robustness_summary,
)
from reports.statistics.equivalence import deciding_games, judge, overall
from reports.statistics.intervals import LEAST
from reports.statistics.random_effects import pooled
from reports.statistics.repeated_looks import LATER
from reports.statistics.robustness import (
    DIFFERS,
    OPEN,
    Asserted,
    agreement,
    assertion,
    heterogeneity,
)

DECIDED = 0.1
"""A way to play is excluded if choices decide less than this share of its games."""
ALWAYS = 0.95
"""A way to play is also excluded if one position wins this share of its games, which
shows a habit of a heuristic and not the game. There are two exceptions: the rules
favour that position (with the leading strategy, too, it wins more than halfway from
even to all), or all search or have learned, as they have no such habits."""
STRONG = "strong players"
SKILLED = {
    "strong": STRONG,
    "taught": "players taught by heuristics",
    "search": "players who search",
}
"""Kinds of cells at which all play better than heuristics, and what they are called."""
_RANDOM = "random"
_WON = "won by position"


@dataclass(frozen=True)
class PlayStyle:
    """A way to play: a cell in which everyone at the table plays the same strategy."""

    name: str
    data: ReportData
    cell: int
    skilled: str = ""  # what those are called who search or have learned
    excluded: str = ""  # why it does not count, if it does not

    @property
    def leads(self) -> bool:
        """Whether the findings are about it."""
        return self.name == self.data.lead


@dataclass(frozen=True)
class Robustness:
    """The ways to play: games of the panel, and those of search players.

    ``undecided`` are endings in which the winner is not decided by play.
    """

    data: ReportData
    search: Sequence[ReportData] = ()
    undecided: Sequence[str] = ()

    def annotate(
        self, sections: Sequence[Section], seconds: float = 0.0
    ) -> tuple[Section, ...]:
        """Return the sections with their claims tested, and one about the tests.

        seconds: of strong players who played on while claims were open.
        """
        tested: list[ClaimTest] = []

        def annotated(finding: Finding) -> Finding:
            claim = finding.claim
            tried = None if claim is None else self.test_claim(claim)
            if tried is None:
                return finding
            tested.append(tried)
            return annotate_finding(finding, tried)

        changed = [
            replace(part, findings=tuple(map(annotated, part.findings)))
            for part in sections
        ]
        return (*changed, self._section(tested, self.one_among_leaders, seconds))

    def play_styles(self, players: int) -> list[PlayStyle]:
        """Return the ways to play: search players, the leading strategy, the others."""
        if players not in self._known:
            self._known[players] = self._ways(players)
        return self._known[players]

    @cached_property
    def _known(self) -> dict[int, list[PlayStyle]]:
        """Cache of ``play_styles``, by the number of players."""
        return {}

    def _ways(self, players: int) -> list[PlayStyle]:
        every = [
            PlayStyle(row["lineup"], data, row["cell"], _called(data, row))
            for data in (*self.search, self.data)
            for row in data.cells.filter(
                pl.col("kind").is_in([*SKILLED, "self", "noisy"]), players=players
            ).to_dicts()
        ]
        every.sort(key=lambda way: (not way.skilled, not way.leads))
        leading = [self._most(way) for way in every if way.leads]
        favours = max(leading, default=0.0) > (1 + 1 / players) / 2
        return [replace(way, excluded=self._exclusion(way, favours)) for way in every]

    def _exclusion(self, way: PlayStyle, favours: bool) -> str:
        """Return why a way to play does not count ("": it does).

        ``favours``: the rules favour one position, whoever plays.
        """
        if way.name == _RANDOM and not way.leads:
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
        if most < ALWAYS or favours or way.leads or way.skilled:
            return ""
        return f"one position wins {100 * most:.0f} % of the games, whatever is dealt"

    def _most(self, way: PlayStyle) -> float:
        """Return the share of the games with a winner that the best position wins."""
        won = way.data.raw(_WON).filter(pl.col("cell") == way.cell)["y"].to_numpy()
        return float(won.max() / won.sum()) if won.sum() > 0 else 0.0

    def test_claim(self, claim: Claim, *, beyond: bool = False) -> ClaimTest | None:
        """Test a claim in all ways to play; None if the leading one has no numbers.

        beyond: whether one number is already known to differ from even. If so, and none
        is shown to exceed the tolerance, the test is only on which side of even the
        furthest lies.
        """
        tried = self._tried(claim)
        if tried is None or not beyond or tried.asserted.sign:
            return tried
        return self._tried(replace(claim, tolerance=0.0))

    def _tried(self, claim: Claim) -> ClaimTest | None:
        ways = self.play_styles(claim.players)
        tables = [_numbers(claim, way, 0 if way.leads else LEAST) for way in ways]
        leading = [games for games, way in enumerate(ways) if way.leads]
        if not leading or tables[leading[0]].is_empty():
            return None
        who = tables[leading[0]]["who"]
        more, se, games = (_beside(tables, who, name) for name in ("more", "se", "n"))
        counts = np.array([not way.excluded for way in ways])
        claimed = assertion(more[leading[0]], se[leading[0]], claim.tolerance)
        holds = np.full(len(ways), EXCLUDED, dtype=object)
        within = -claim.tolerance, claim.tolerance
        holds[counts] = agreement(claimed, more[counts], se[counts], within)
        verdicts = np.full(more.shape, "", dtype=object)
        verdicts[counts] = np.reshape(
            judge(more[counts].ravel(), se[counts].ravel(), *within), more[counts].shape
        )
        far = np.argmax(np.nan_to_num(np.abs(more), nan=-1.0), axis=1)
        # a way to play that refutes "none is far from even" shows its furthest number
        refuting = (holds == DIFFERS) & (claimed.sign == 0)
        at = np.where(refuting, far, claimed.at)
        # several claims may be about the same positions: name the claim
        ambiguous = claim.by and claim.measure != "won by position"
        several = f" ({claim.subject})" if ambiguous else ""
        rows = [
            {
                "finding": claim.subject,
                "players": claim.players,
                "whose": f"{who[claimed.at]}{several}, {claim.players} players",
                "way": way.name,
                "who": who[int(at[w])],
                "claimed": who[claimed.at],
                **interval_of_extreme(
                    more[w, at[w]],
                    se[w, at[w]],
                    len(who) if way.leads or refuting[w] else 1,
                ),
                "tolerance": claim.tolerance,
                "reference": claim.reference or "even",
                "verdict": _side(verdicts[w, at[w]], more[w, at[w]]),
                "holds": holds[w],
                "settled": overall(verdicts[w].tolist()) in ("within", "outside"),
                "n": games[w, at[w]],
                **(
                    _to_settle(claim, claimed, more[w], se[w], games[w], way)
                    if holds[w] == OPEN and (way.skilled or way.leads)
                    else _SETTLED
                ),
                "skilled": way.skilled,
                "leads": way.leads,
                "why": way.excluded,
            }
            for w, way in enumerate(ways)
        ]
        strong = counts & [bool(way.skilled) for way in ways]
        return ClaimTest(
            claim,
            claimed,
            pl.DataFrame(rows, schema_overrides=ROW_TYPES),
            heterogeneity(more[counts], se[counts]),
            pooled(more[strong, claimed.at], se[strong, claimed.at]),
        )

    def open_tables(self, claims: Sequence[Claim]) -> dict[int, float]:
        """Return the tables of skilled players that leave a claim open, and games.

        By place in ``search``, with the games in all that would settle the first claim
        there. A claim that is refuted by anybody who judges is not open.
        """
        needed: dict[int, float] = {}
        for claim in claims:
            tried = self.test_claim(claim)
            if tried is None or tried.votes(DIFFERS):
                continue
            more = {
                row["way"]: row["n"] + row["more_games"]
                for row in tried.votes(OPEN)
                if row["more_games"] is not None
            }
            for way in self.play_styles(claim.players):
                for at, data in enumerate(self.search):
                    if way.data is data and way.name in more:
                        games = more[way.name]
                        needed[at] = min(games, needed.get(at, games))
        return needed

    @cached_property
    def one_among_leaders(self) -> pl.DataFrame:
        """Each strategy alone at a table of the leading one (``lone_players``)."""
        return lone_players(self.data, self.search)

    def _section(
        self, every: Sequence[ClaimTest], single: pl.DataFrame, seconds: float
    ) -> Section:
        findings = (
            robustness_summary(every, seconds),
            *stronger_play(single, self.data.lead),
        )
        ways = self.play_styles(self.data.players)
        others = [way.skilled for way in ways if way.skilled and not way.leads]
        called = dict.fromkeys(others)
        skilled = "".join(f"tables of {who}, " for who in called)
        slow = (
            ""
            if SKILLED["search"] in called
            else " Nobody searches here, as it is slow; --search-games N adds search."
        )
        return Section(
            ROBUSTNESS_ID,
            "Does it hold for other players?",
            f"Findings are about {self.data.who}. Here the leading ones are tested in "
            f"every other way to play, the same for the whole table: {skilled}tables "
            "where each decision is random with probability 0.1 (noisy), and tables of "
            f"each other heuristic.{slow} A result that depends on who plays says "
            "something about the players, not about the game.",
            (robustness_table(every), lone_exhibit(single, self.data.lead)),
            tuple(findings),
        )


def _called(data: ReportData, cell: Mapping[str, Any]) -> str:
    """Return what those at a table are called who search or have learned; or ""."""
    if cell["kind"] == "self" and cell["lineup"] == data.lead:
        return data.lead_called
    return SKILLED.get(cell["kind"], "")


def _numbers(claim: Claim, way: PlayStyle, least: int) -> pl.DataFrame:
    """Return the numbers of a claim: who, more (than even), se and n.

    Numbers from fewer than ``least`` games are left out: their standard errors say
    nothing.
    """
    rows = way.data.of(claim.measure, only=pl.col("cell") == way.cell)
    rows = rows.filter(pl.col("n") >= least, **claim.where).drop_nulls("estimate")
    even = pl.col("estimate").mean() if claim.even is None else pl.lit(claim.even)
    who = pl.lit(claim.subject)
    if claim.by:
        who = pl.col(claim.by).replace_strict(claim.words, return_dtype=pl.String)
    more = pl.col("estimate") - even
    return rows.select(who.alias("who"), more.alias("more"), "se", "n")


_SETTLED: Mapping[str, float | None] = dict.fromkeys(TO_SETTLE)


def _to_settle(
    claim: Claim,
    claimed: Asserted,
    more: NDArray[np.float64],
    se: NDArray[np.float64],
    games: NDArray[np.float64],
    way: PlayStyle,
) -> Mapping[str, float | None]:
    """Return the games beyond those played that would settle a claim, and seconds.

    They would if the numbers stay as they are, by a chance of 80 %. None if nothing is
    known, and for others if the leading strategy itself leaves the claim open.
    """
    least, most = -claim.tolerance, claim.tolerance
    if claimed.sign is None and not way.leads:
        return _SETTLED
    if claimed.sign:
        least, most = (-np.inf, most) if claimed.sign > 0 else (least, np.inf)
        more, se, games = (row[[claimed.at]] for row in (more, se, games))
    later = se * LATER / way.data.wider(way.cell, claim.measure)
    needed = deciding_games(more, later, games, least, most)
    if np.isnan(needed):
        return _SETTLED
    left = max(needed - float(np.nanmax(games)), 1.0)
    return dict(zip(TO_SETTLE, (left, left * way.data.game_seconds), strict=True))


def _beside(
    tables: Sequence[pl.DataFrame], who: pl.Series, name: str
) -> NDArray[np.float64]:
    """Return a column (ways, numbers) in the order of ``who``; nan where missing."""
    parts = [
        who.to_frame().join(rows, on="who", how="left", maintain_order="left")[name]
        for rows in tables
    ]
    return np.array([part.cast(pl.Float64).fill_null(np.nan) for part in parts])


def _side(verdict: str, more: float) -> str:
    if verdict != "outside":
        return verdict
    return "more" if more > 0 else "less"
