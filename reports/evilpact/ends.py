"""How games are won: by contract, by elements, by cards in hand, or not at all."""

import polars as pl

from reports import course
from reports.drawing import bars
from reports.evilpact.formatting import WAYS, share, shown
from reports.evilpact.played import tables
from reports.formatting import listed
from reports.formatting import share as told
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Finding, Section
from reports.report_data import ReportData
from reports.tabled import Number

MEASURES = (
    share(
        "changed by contracts",
        "games that would have ended otherwise if contracts did not count",
        "seats",
        pl.col("without").cast(pl.Int64) != pl.col("winner").cast(pl.Int64),
        where=pl.col("seat") == 0,
    ),
    Measure(
        "won by place and way",
        "games won in this way by this place",
        "share of games",
        "seats",
        by=("position", "by"),
        where=pl.col("won"),
    ),
)


def section(data: ReportData) -> Section:
    """Ways of winning, by lineup and by place."""
    rows = data.leading("decided").sort("estimate", descending=True)
    texts = [f"{WAYS[row['by']]} {told(row)}" for row in rows.rows(named=True)]
    changed = data.leading("changed by contracts").row(0, named=True)
    text = (
        f"Ways of winning, {data.who}: {listed(texts)} of the games. Contracts change "
        f"how the game ends in {told(changed)} of the games as they were played: the "
        "same libraries and hands would have ended otherwise without them."
    )
    title, note = "Ways of winning", "The first in which both differ decides."
    return Section(
        "ends", title, f"With {data.who}.",
        (
            course.decided(data, "ends-decided", note, WAYS),
            shown(
                data, "ends-places", "Ways of winning by place", "Of all games.",
                "position", "by", Number("won by place and way", "games"),
                draw=bars("who", "share of all games, %", "how"),
            ),
        ),
        (Finding(text, "", "ends"),),
    )  # fmt: skip


SECTION = ReportSection(section, MEASURES, tables)
