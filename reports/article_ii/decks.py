"""Both decks compared: the leading strategy plays the updated and the original."""

import polars as pl

from reports.article_ii import what_ifs
from reports.bounded_claims import RowsClaim
from reports.figure_specs import dots
from reports.formatting import estimated, join, renamed, subtract
from reports.game_report import ReportSection
from reports.measure_tables import WHAT, MeasureTable, Stack, VerdictColumn, stack
from reports.report_data import ReportData
from reports.report_document import Column

_NAMES = ("updated", "original")
_KEYS = ("players", "what")
_SHARES: Stack = {
    "a Candidate ahead as the General begins wins": (
        "won by standing",
        {"standing": 0},
    ),
    "rank 1 of the Primary wins": ("won by rank", {"rank": 1}),
    "Spoilers win": ("ended", {"by": "Spoilers"}),
    "nobody wins": ("ended", {"by": "nobody"}),
    "marks on the leader, of marks that hit in the General": (
        "leader hit",
        {"phase": 2},
    ),
}


def both(data: ReportData) -> pl.DataFrame:
    """Return a row per share and number of players: both decks, and the difference."""
    kind = pl.col("kind") == "beside"
    cells = {name: kind & (pl.col("changes") == f"deck={name}") for name in _NAMES}
    cells[str(data.rules["deck"])] = data.leads()
    updated, original = (
        renamed(stack(data, _SHARES, cells[name]), _KEYS, name) for name in _NAMES
    )
    rows = subtract(join(updated, original, _KEYS), "original", "updated", "more")
    rows = rows.drop_nulls("original_n")
    return rows.with_columns(n=pl.min_horizontal("updated_n", "original_n"))


SHARES = MeasureTable(
    "decks-shares",
    "What differs between the decks",
    "Shares of all games unless stated otherwise.",
    (
        "players",
        WHAT,
        *(estimated(name, f"with the {name} deck", "share", name) for name in _NAMES),
        estimated("difference", "original less updated", "points", "more"),
        VerdictColumn(
            0.02,
            "2 points",
            {"above": "more", "below": "less", "within": "same"},
            "more",
            ("players",),
        ),
    ),
    source=both,
    draw=dots("what", "original less updated, %", "more", reference=0),
    figure_here=True,
    n=Column("n", "n", "count behind the share of the deck with fewer", "count"),
)
SECTION = ReportSection(
    id="decks",
    title="Both decks side by side",
    question="What changes with the other deck?",
    intro="With {who}, and once more with the other printed deck. The original deck "
    "has no Styles and no Unaffiliated Activity, and more of some cards.",
    tables=(SHARES,),
    claims=(
        RowsClaim(
            "Decks, {players} players, {who}, the original deck less the updated one",
            SHARES,
            "what",
            {"above": "more than 2 points more often", "below": "less often"},
        ),
    ),
    what_ifs=(what_ifs.DECKS,),
)
