"""Primary against General: whether what wins the one loses the other.

The total of the Primary is Electability plus Affiliation, that of the General
Electability less Affiliation. Their correlation over seats says whether one has to
choose; its interval leaves out one of 32 parts of the games at a time (jackknife).
"""

import numpy as np
import polars as pl

from reports.article_ii import totals
from reports.article_ii.formatting import texts
from reports.article_ii.played import PlayedGames
from reports.counts import Counts, grid
from reports.drawing import dots, lines
from reports.formatting import PLAYERS, N, estimated, exhibit, number, share
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Finding, Section
from reports.report_data import PAIRED, ReportData
from reports.statistics.equivalence import judge, sure

WIDE, MOST = 5, 40
"""Width of a band of Primary totals, and the total beyond which bands end."""
TOLERANCE = 0.1
"""A correlation so small is none."""
RARE = 0.02
"""Bands with fewer of the seats are left out of the findings."""
COST = 0.05
"""A win share that is lower by 5 points is a cost."""
SHOWN = 100
"""Bands with fewer seats are left out of the figure."""


MEASURES = (
    Measure(
        "nominated by total",
        "share of such seats that become a Candidate",
        "share",
        by=("band",),
    ),
    Measure("won by total", "share of such seats that win", "share", by=("band",)),
    *totals.MEASURES,
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums of totals for correlations, by batch of games; outcomes by Primary total."""
    total = played.primary[0]
    bands = range(-MOST, MOST + 1, WIDE)
    band = np.clip(total // WIDE * WIDE, -MOST, MOST).astype(np.int64)
    at = np.stack([(band == low) & played.over[0] for low in bands])
    at = at.astype(np.int8)
    found = [
        grid(
            "nominated by total",
            (at * played.candidates).sum(axis=1),
            at.sum(axis=1),
            band=bands,
        ),
        grid(
            "won by total",
            (at * played.victory).sum(axis=1),
            at.sum(axis=1),
            band=bands,
        ),
    ]
    return [*found, *totals.counts(played)]


def section(data: ReportData) -> Section:
    """Correlations, and outcomes by Primary total."""
    rows, bands = _correlated(data), _bands(data)
    return Section(
        "tension",
        "Primary against General",
        "If the totals of both elections went together, the same play would win both; "
        "if one is paid for with the other, players have to choose. General totals are "
        "those of all seats, as if all competed.",
        (
            exhibit(
                "tension-correlation",
                "Correlation of Primary and General totals over seats",
                "; ".join(": ".join(pair) for pair in totals.PAIRS.items()) + ". "
                f"The figure shows {data.players} players.",
                rows,
                (
                    PLAYERS,
                    Column("lineup", "lineup", "who plays"),
                    Column("totals", "totals", "which totals are compared"),
                    estimated("correlation", "Pearson's correlation over seats"),
                    Column("verdict", "0.1", _AGAINST),
                    N,
                ),
                dots(
                    "lineup",
                    "correlation over seats",
                    by="totals",
                    reference=0,
                    only=pl.col("players") == data.players,
                ),
                "correlation of (E + A, E - A) over seats; interval: jackknife over "
                f"{totals.BATCHES} parts of the games",
            ),
            exhibit(
                "tension-bands",
                "Candidates and Presidents by Primary total",
                "A band begins at the total named and is "
                f"{WIDE} points wide; the first and last hold all beyond. Of two "
                f"players both are Candidates. The figure shows {data.players} "
                "players.",
                bands,
                (
                    PLAYERS,
                    Column("Primary_total", "from", "least Primary total", "count"),
                    Column("what", "becomes", "Candidate or President"),
                    estimated("share", "of the seats with such a total", "share"),
                    N,
                ),
                lines(
                    "Primary_total",
                    "share of seats, %",
                    by="what",
                    only=(pl.col("players") == data.players) & (pl.col("n") >= SHOWN),
                ),
            ),
        ),
        (
            *(_finding(data, rows, players) for players in data.counts),
            *_best(data, bands),
        ),
    )


def _correlated(data: ReportData) -> pl.DataFrame:
    """Correlations in all lineups, with verdicts by kind of totals."""
    parts = []
    for name in totals.PAIRS:
        part = totals.correlations(data, name, ~PAIRED)
        verdicts = judge(part["estimate"], part["se"], -TOLERANCE, TOLERANCE)
        words = [
            _VERDICTS[one] or ("together" if up else "tension")
            for one, up in zip(verdicts, (part["estimate"] > 0).to_list(), strict=True)
        ]
        parts.append(part.with_columns(totals=pl.lit(name), verdict=texts(words)))
    return pl.concat(parts).sort("cell", "totals", maintain_order=True)


def _bands(data: ReportData) -> pl.DataFrame:
    """Shares that become Candidate and President, by Primary total."""
    parts = [
        data.leading(f"{measure} by total").with_columns(
            what=pl.lit(what), Primary_total="band"
        )
        for measure, what in (("nominated", "Candidate"), ("won", "President"))
    ]
    return pl.concat(parts).sort("players", "what", "Primary_total")


def _finding(data: ReportData, rows: pl.DataFrame, players: int) -> Finding:
    """How the totals go together, in words."""
    mine = rows.filter(players=players, lineup=data.lead)
    values, verdicts = [], []
    for name in totals.PAIRS:
        for row in mine.filter(totals=name).rows(named=True):
            values.append(f"{number(row)} ({name}: {_SAID[row['verdict']]})")
            verdicts.append(row["verdict"])
    if not values:
        return Finding(f"Tension, {players} players: no data.", "open", "tension")
    text = (
        f"With {players} players the totals of Primary and General correlate over "
        f"seats by {' and '.join(values)}; {data.who}."
    )
    return Finding(text, "open" if "undecided" in verdicts else "sure", "tension")


def _best(data: ReportData, bands: pl.DataFrame) -> tuple[Finding, ...]:
    """Whether a very high Primary total costs the General."""
    values = []
    for players in data.counts:
        rows = bands.filter(players=players, what="President")
        rows = rows.filter(pl.col("n") >= RARE * pl.col("n").sum())
        if rows.height < 2:
            continue
        *lower, last = rows.sort("Primary_total").rows(named=True)
        best = max(lower, key=lambda row: float(row["estimate"]))
        less = best["estimate"] - last["estimate"]
        se = float(np.hypot(best["se"], last["se"]))
        verdict = judge([less], [se], -1.0, COST)[0]
        text = (
            f"With {players} players seats with a Primary total of "
            f"{best['Primary_total']} to {best['Primary_total'] + WIDE - 1} become "
            f"President in {share(best)}, seats with {last['Primary_total']} to "
            f"{last['Primary_total'] + WIDE - 1} in {share(last)} ({data.who}): "
            f"{_COSTS[verdict]}."
        )
        values.append(Finding(text, sure(verdict), "tension"))
    return tuple(values)


_COSTS = {
    "within": "to win the Primary high costs no more than 5 points of win share",
    "outside": "to win the Primary too high costs more than 5 points of win share",
    "undecided": "whether a high Primary total costs 5 points is undecided",
}
_AGAINST = (
    "tension: surely below -0.1; together: surely above 0.1; none: surely between; "
    "Holm over the rows of a kind of totals"
)
_VERDICTS = {"outside": "", "within": "none", "undecided": "undecided"}
_SAID = {
    "tension": "one is paid for with the other",
    "together": "the same play serves both",
    "none": "neither helps the other",
    "undecided": "undecided",
}


SECTION = ReportSection(section, MEASURES, counts=counts)
