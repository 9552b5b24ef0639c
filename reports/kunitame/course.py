"""Course of the game: who is ahead, whether that changes, and how games end."""

from collections.abc import Callable

import polars as pl

from reports import course
from reports.claims import Claim
from reports.formatting import Row, number, percent, share
from reports.game_report import ReportSection
from reports.kunitame.formatting import WEEK
from reports.kunitame.tables import tables
from reports.measures import Measure
from reports.page import Finding, Section
from reports.report_data import ReportData

_LEFT = pl.col("steps") - pl.col("settled")
_WON, _WEEKLY = pl.col("won"), ("week",)
MEASURES = (
    Measure(
        "points by week",
        "points at the end of the week",
        "mean",
        "weeks",
        pl.col("points"),
        by=_WEEKLY,
        unit="points",
    ),
    Measure(
        "winner's by week",
        "points of the winner at the end of the week",
        "mean",
        "weeks",
        pl.col("points"),
        by=_WEEKLY,
        where=_WON,
        unit="points",
    ),
    Measure(
        "lead changes",
        "changes of the sole leader in a game",
        "mean",
        "games",
        pl.col("lead_changes"),
    ),
    Measure(
        "games by lead changes",
        "games with so many changes of the sole leader",
        "share of games",
        "games",
        by=("lead_changes",),
    ),
    Measure(
        "steps left",
        "steps (tricks and liquidations) left when the winner takes "
        "the sole lead for good",
        "mean",
        "games",
        _LEFT,
        where=pl.col("winner") >= 0,
        unit="steps",
    ),
    Measure(
        "comeback",
        "wins of seats that nobody had fewer points than at half-time",
        "share",
        "players",
        _WON,
        where=pl.col("last_at_half"),
    ),
    Measure(
        "runaway",
        "wins of sole leaders after a third of the game",
        "share",
        "players",
        _WON,
        where=pl.col("sole_at_third"),
    ),
    Measure(
        "won by rank",
        "games won by seats of this standing at the week's end",
        "share",
        "weeks",
        _WON,
        by=("week", "rank"),
    ),
    Measure(
        "eliminated", "seats that are eliminated", "share", "players", pl.col("out")
    ),
    Measure(
        "all eliminated",
        "games in which everyone is eliminated",
        "share",
        "games",
        pl.col("all_out"),
    ),
)
_ENDS = {
    "points": "points",
    "lives": "Life gems",
    "draw": "card drawn",
    "none": "nobody",
}
_SHARES = {
    "decisiveness": "share of the game left when the winner takes the sole lead for "
    "good; 0 where a tie or an elimination decided",
    "comeback": "P(wins | nobody had fewer points at half-time)",
    "runaway": "P(wins | sole leader after a third of the game)",
    "eliminated": "seats that are eliminated",
    "all eliminated": "games in which everyone is eliminated",
}
_FORMULA = (
    "steps = weeks * (rounds + 1): every trick, and every liquidation. decisiveness = "
    "mean over games won of (steps - first step of the winner's last sole lead) / "
    "steps. comeback = wins of seats last after steps / 2, of such seats. runaway = "
    "wins of sole leaders after steps / 3, of such seats"
)


def section(data: ReportData) -> Section:
    """Scores, leads, comebacks, ties and eliminations."""
    return Section(
        "course",
        "Course of the game",
        f"With {data.who}. Points are counted after every trick and liquidation.",
        (
            course.shares(
                "Decisiveness, comebacks, runaways and eliminations",
                _SHARES,
                {name: _share(data, name) for name in _SHARES},
                _FORMULA,
            ),
            course.scores(
                data,
                "Points at the end of each week",
                "Of all seats, and of the seat that wins in the end.",
                {"all seats": "points by week", "winner": "winner's by week"},
                WEEK,
            ),
            course.ranks(
                data,
                "Who wins, by standing at the end of each week",
                "Seats of equal points share a rank.",
                "won by rank",
                WEEK,
                "1 + seats with more points",
            ),
            course.changes(
                data,
                "A change is counted when another seat becomes sole leader; the first "
                "leader is none.",
                "changes of the sole leader",
            ),
            course.decided(
                data,
                "course-ends",
                "Ties on points go to the seat with more Life gems, then to the "
                "highest card drawn.",
                _ENDS,
            ),
        ),
        _findings(data),
    )


def _share(data: ReportData, name: str) -> pl.DataFrame:
    """One of ``_SHARES``, by number of players."""
    if name != "decisiveness":
        return data.leading(name)
    steps_of_game = data.rules["weeks"] * (data.rules["rounds"] + 1)
    return data.leading("steps left").with_columns(
        pl.col("estimate", "low", "high", "se") / steps_of_game
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    players = data.players
    head = f"{players} players, {data.who}"

    def told(rows: pl.DataFrame, words: Callable[[Row], str] = share) -> str:
        rows = rows.filter(players=players)
        return words(rows.row(0, named=True)) if rows.height else "no data"

    ends = data.leading("decided", players=players)
    by = {row["by"]: share(row) for row in ends.rows(named=True)}
    if not by:
        return (Finding("Course: no data.", "open", "course"),)
    lead = (
        f"Course, {head}: the leader changes "
        f"{told(data.leading('lead changes'), number)} times a game; the sole leader "
        f"after a third of it wins {told(_share(data, 'runaway'))}, who is last at "
        f"half-time {told(_share(data, 'comeback'))} (even: {percent(1 / players)}); "
        f"{told(_share(data, 'decisiveness'))} of the game is left when the winner "
        "takes the lead for good."
    )
    end = (
        f"Endings, {head}: Life gems break a tie in {by.get('lives', '0 %')} of the "
        f"games, a card drawn in {by.get('draw', '0 %')}; nobody wins "
        f"{by.get('none', '0 %')}; {told(_share(data, 'eliminated'))} of the seats "
        "are eliminated."
    )
    claim = Claim(
        "wins of the sole leader after a third", "runaway", players, even=1 / players
    )
    return (
        Finding(lead, "sure", "course", claim),
        Finding(end, "sure", "course"),
    )


SECTION = ReportSection(section, MEASURES, tables)
