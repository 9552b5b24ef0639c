"""Who is ahead, whether that changes, and how games end."""

import polars as pl

from reports import course
from reports.formatting import share
from reports.game_report import ReportSection, SectionParts
from reports.kunitame.labels import WEEK
from reports.kunitame.standings import standing
from reports.kunitame.tidy_tables import tables
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding

_ENDS = {
    "points": "points",
    "lives": "Life gems",
    "draw": "card drawn",
    "none": "nobody",
}
_BY_RANK = "games won by seats of this standing at the week's end"
_GAMES, _SEATS = MeasuresOf("games"), MeasuresOf("players")
_WEEKS = MeasuresOf("weeks", by="week", unit="points")
_WON = pl.col("won")
MEASURES = (
    _WEEKS.mean("points by week", "points at the end of the week", "points"),
    _WEEKS.mean(
        "winner's by week",
        "points of the winner at the end of the week",
        "points",
        where=_WON,
    ),
    _WEEKS.share("won by rank", _BY_RANK, "won", by="week rank", unit=""),
    _SEATS.share("eliminated", "seats that are eliminated", "out"),
    _GAMES.share("all eliminated", "games in which everyone is eliminated", "all_out"),
)


def shown(data: ReportData) -> SectionParts:
    """Yield scores, ties and eliminations."""
    yield course.scores(
        data,
        "Points at the end of each week",
        "Of all seats, and of the seat that wins in the end.",
        {"all seats": "points by week", "winner": "winner's by week"},
        WEEK,
    )
    yield course.ranks(
        data,
        "Who wins, by standing at the end of each week",
        "Seats with equal points share a rank.",
        "won by rank",
        WEEK,
        "1 + seats with more points",
    )
    yield MeasureTable(
        "course-eliminated",
        "Eliminations",
        "Players without a Life gem are eliminated.",
        (
            "players",
            Number("eliminated", "seats"),
            Number("all eliminated", "all", name="all"),
        ),
    )
    yield course.decided_by(
        data,
        "course-ends",
        "Ties on points go to the seat with more Life gems, then to the highest card "
        "drawn.",
        _ENDS,
    )
    yield from _findings(data)


def _findings(data: ReportData) -> SectionParts:
    players = data.players
    ends = data.leading("decided", players=players)
    by = {row["by"]: share(row) for row in ends.to_dicts()}
    out = data.leading("eliminated", players=players)
    if not by:
        yield Finding("Endings: no data.", "open")
        return
    yield Finding(
        f"Endings, {players} players, {data.who}: Life gems break a tie in "
        f"{by.get('lives', '0 %')} of the games, a card drawn in "
        f"{by.get('draw', '0 %')}; nobody wins {by.get('none', '0 %')}; "
        f"{share(out.row(0, named=True)) if out.height else 'no data'} of the seats "
        "are eliminated.",
        "",
    )


SECTION = course.section(
    standing,
    "Points are counted after every trick and liquidation; a round is a week.",
    ReportSection(
        shown,
        MEASURES,
        tables,
        records=("contracts", "deal", "gem", "trick", "week"),
    ),
)
