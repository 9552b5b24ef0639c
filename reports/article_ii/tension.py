"""Primary against General: whether what wins one election loses the other.

The total of the Primary is Electability plus Affiliation, that of the General
Electability less Affiliation. Their correlation over seats says whether players have to
choose; its interval leaves out one of 64 batches of games at a time (jackknife).
"""

import numpy as np
import polars as pl

from reports.article_ii import total_correlations
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.counts import Counts, grid
from reports.figure_specs import dots, lines
from reports.formatting import estimated, number, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable
from reports.measures import MeasuresOf
from reports.report_data import PAIRED, ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import judge, overall, sureness
from reports.verdicts import how_tested, with_verdict

WIDE, MOST = 5, 40
"""The width of a band of Primary totals, and the total at which bands end."""
TOLERANCE = 0.1
"""A correlation as small as this counts as none."""
RARE = 0.02
"""Bands with a smaller share of the seats are left out of the findings."""
COST = 0.05
"""A win share lower by this much is a cost."""
SHOWN = 100
"""Bands with fewer seats are left out of the figure."""

_BANDS = MeasuresOf(by="band")
MEASURES = (
    _BANDS.share("nominated by total", "share of these that become Candidates"),
    _BANDS.share("won by total", "share of these seats that win"),
    *total_correlations.MEASURES,
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count outcomes by Primary total; and totals, for correlations."""
    total = played.primary[0]
    bands = range(-MOST, MOST + 1, WIDE)
    band = np.clip(total // WIDE * WIDE, -MOST, MOST).astype(np.int64)
    at = np.stack([(band == low) & played.over[0] for low in bands])
    at = at.astype(np.int8)
    nominated, won = (
        (at * flags).sum(axis=1) for flags in (played.candidates, played.victory)
    )
    return [
        grid("nominated by total", nominated, at.sum(axis=1), band=bands),
        grid("won by total", won, at.sum(axis=1), band=bands),
        *total_correlations.counts(played),
    ]


def section(data: ReportData) -> SectionParts:
    """Yield correlations, and outcomes by Primary total."""
    rows, bands = _correlated(data), _bands(data)
    here = pl.col("players") == data.players
    yield (
        "If the totals of both elections go together, the same play wins both; if one "
        "is paid for with the other, players have to choose. General totals are those "
        "of all seats, as if all competed."
    )
    over = "correlation over seats"
    yield MeasureTable(
        "tension-correlation",
        "Correlation of Primary and General totals over seats",
        "; ".join(": ".join(pair) for pair in total_correlations.PAIRS.items()) + ". "
        f"The figure shows {data.players} players.",
        (
            "players",
            Column("lineup", "lineup", "who plays"),
            Column("totals", "totals", "which totals are compared"),
            estimated("correlation", "Pearson's correlation over seats"),
            Column("verdict", "0.1", _AGAINST),
        ),
        rows=rows,
        draw=dots("lineup", over, by="totals", reference=0, only=here),
    )
    shown = here & (pl.col("n") >= SHOWN)
    yield MeasureTable(
        "tension-bands",
        "Candidates and Presidents by Primary total",
        f"A band begins at the total named and is {WIDE} points wide; the first and "
        "last include all beyond. With two players both are Candidates. The figure "
        f"shows {data.players} players.",
        (
            "players",
            Column("Primary_total", "from", "least Primary total", "count"),
            Column("what", "becomes", "Candidate or President"),
            estimated("share", "of the seats with this total", "share"),
        ),
        rows=bands,
        draw=lines("Primary_total", "share of seats, %", by="what", only=shown),
    )
    for players in data.counts:
        yield _finding(data, rows, players)
    yield from _best(data, bands)


def _correlated(data: ReportData) -> pl.DataFrame:
    """Return correlations in all lineups, with verdicts by kind of totals."""
    words = {"above": "together", "below": "tension", "within": "none"}
    parts = [
        total_correlations.correlations(data, name, ~PAIRED).with_columns(
            totals=pl.lit(name)
        )
        for name in total_correlations.PAIRS
    ]
    rows = with_verdict(pl.concat(parts), TOLERANCE, words, family=("totals",))
    return rows.sort("cell", "totals", maintain_order=True)


def _bands(data: ReportData) -> pl.DataFrame:
    """Return the shares that become Candidate and President, by Primary total."""
    parts = [
        data.leading(f"{measure} by total").with_columns(
            what=pl.lit(what), Primary_total="band"
        )
        for measure, what in (("nominated", "Candidate"), ("won", "President"))
    ]
    return pl.concat(parts).sort("players", "what", "Primary_total")


def _finding(data: ReportData, rows: pl.DataFrame, players: int) -> Finding:
    """Say how the totals correlate."""
    mine = rows.filter(players=players, lineup=data.lead)
    values, verdicts = [], []
    for name in total_correlations.PAIRS:
        for row in mine.filter(totals=name).to_dicts():
            values.append(f"{number(row)} ({name}: {_VERDICTS[row['verdict']]})")
            verdicts.append(row["verdict"])
    if not values:
        return Finding(f"Tension, {players} players: no data.", "open")
    text = (
        f"With {players} players the totals of Primary and General correlate over "
        f"seats by {' and '.join(values)}; {data.who}."
    )
    lineups = rows.filter(totals=next(iter(total_correlations.PAIRS))).height
    tested = how_tested(f"{TOLERANCE:g} from 0", "lineups", lineups, data.games)
    return Finding(text, "open" if "undecided" in verdicts else "sure", tested=tested)


def _best(data: ReportData, bands: pl.DataFrame) -> SectionParts:
    """Say whether a very high Primary total costs the General."""
    for players in data.counts:
        rows = bands.filter(players=players, what="President")
        rows = rows.filter(pl.col("n") >= RARE * pl.col("n").sum())
        if rows.height < 2:
            continue
        *lower, last = rows.sort("Primary_total").to_dicts()
        best = max(lower, key=lambda row: float(row["estimate"]))
        less = [row["estimate"] - last["estimate"] for row in lower]
        se = [np.hypot(row["se"], last["se"]) for row in lower]
        verdict = overall(judge(less, se, -1.0, COST))  # of any band, as it is chosen
        text = (
            f"With {players} players seats with a Primary total of "
            f"{best['Primary_total']} to {best['Primary_total'] + WIDE - 1} become "
            f"President in {share(best)}, seats with {last['Primary_total']} to "
            f"{last['Primary_total'] + WIDE - 1} in {share(last)} ({data.who}): "
            f"{_COSTS[verdict]}."
        )
        tested = how_tested(f"{100 * COST:g} points", "bands", len(lower), data.games)
        yield Finding(text, sureness(verdict), tested=tested)


_COSTS = {
    "within": "a high Primary total costs no more than 5 points of win share",
    "outside": "a high Primary total costs more than 5 points of win share",
    "undecided": "whether a high Primary total costs 5 points is undecided",
}
_AGAINST = (
    "tension: shown to be below -0.1; together: above 0.1; none: between; Holm over "
    "the rows of a kind of totals"
)
_VERDICTS = {
    "tension": "one is paid for with the other",
    "together": "the same play serves both",
    "none": "neither helps the other",
    "undecided": "undecided",
}


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("standing",),
    id="tension",
    title="Primary against General",
    question="Does the same play win both elections?",
)
