"""Primary against General: whether what wins one election loses the other.

The total of the Primary is Electability plus Affiliation, that of the General
Electability less Affiliation. Their correlation over seats says whether players have to
choose; its interval leaves out one of 64 batches of games at a time (jackknife), as the
seats of a game are not independent.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports.article_ii.game_arrays import ArticleIIArrays
from reports.bounded_claims import RowsClaim
from reports.counts import Counts, grid
from reports.figure_specs import dots
from reports.formatting import estimated
from reports.game_report import ReportSection
from reports.measure_tables import LINEUP, MeasureTable, VerdictColumn
from reports.measures import MeasuresOf
from reports.report_data import CELL, PAIRED, ReportData
from reports.statistics.intervals import jackknifed_correlation

_TOTALS = "Primary total at its end, General total at the game's end"
_SUMS = ("n", "x", "y", "xx", "yy", "xy")
_CELL = ("cell", "lineup", "kind", "players", "changes")
_ESTIMATE = ("estimate", "low", "high", "se")

_OF_SEATS = MeasuresOf(head="totals ")
MEASURES = tuple(_OF_SEATS.mean(part, f"{_TOTALS}: sum of {part}") for part in _SUMS)


def counts(played: ArticleIIArrays) -> Iterator[Counts]:
    """Count both totals and their products over seats."""
    over = played.over[1]
    x, y = (
        total.astype(np.float64) * over
        for total in (played.primary[0], played.general[1])
    )
    parts = {"n": np.ones_like(x) * over, "x": x, "y": y}
    parts |= {"xx": x * x, "yy": y * y, "xy": x * y}
    for part, values in parts.items():
        yield grid(f"totals {part}", values.sum(axis=0), over)


def correlations(data: ReportData) -> pl.DataFrame:
    """Return the correlation of the totals in each lineup."""
    every = [
        data.in_batches(f"totals {part}").filter(~PAIRED).sort("cell") for part in _SUMS
    ]
    values = []
    for number, cell in enumerate(every[0].select(_CELL).to_dicts()):
        parts = np.stack([part["y_batches"][number].to_numpy() for part in every])
        numbers = map(float, jackknifed_correlation(parts))
        ends = dict(zip(_ESTIMATE, numbers, strict=True))
        values.append({**cell, **ends, "n": every[0]["y"][number]})
    kinds = {name: CELL[name] for name in _CELL}
    schema = kinds | dict.fromkeys((*_ESTIMATE, "n"), pl.Float64)
    return pl.DataFrame(values, schema=schema).with_columns(
        pl.col(_ESTIMATE).fill_nan(None)
    )


CORRELATION = MeasureTable(
    "tension-correlation",
    "Correlation of Primary and General totals over seats",
    f"{_TOTALS}.",
    (
        "players",
        LINEUP,
        estimated("correlation", "Pearson's correlation over seats"),
        VerdictColumn(
            0.1,
            "0.1",
            {"above": "together", "below": "tension", "within": "none"},
            family=("players",),
        ),
    ),
    source=correlations,
    draw=dots("lineup", "correlation over seats", reference=0),
    figure_here=True,
)
SECTION = ReportSection(
    id="tension",
    title="Primary against General",
    question="Does the same play win both elections?",
    intro="If the totals of both elections go together, the same play wins both; if "
    "one is paid for with the other, players have to choose. General totals are those "
    "of all seats, as if all competed.",
    measures=MEASURES,
    counts=counts,
    records=("standing",),
    tables=(CORRELATION,),
    claims=(
        RowsClaim(
            "Correlation of the totals of Primary and General, {players} players",
            CORRELATION,
            "lineup",
            {
                "below": "one is paid for with the other",
                "above": "the same play serves both",
            },
        ),
    ),
)
