"""Course of the game: who is ahead, whether that changes, and how games end."""

from collections.abc import Callable

import polars as pl

from reports import course
from reports.claims import Claim
from reports.formatting import Row, number, percent, share
from reports.game_report import Parts, ReportSection, Shown
from reports.kunitame.formatting import WEEK
from reports.kunitame.tables import tables
from reports.measures import MeasuresOf
from reports.page import Finding, Section
from reports.report_data import ReportData

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
_LEFT = "steps (tricks and liquidations) left when the winner takes the sole lead for "
_COMEBACK = "wins of seats that nobody had fewer points than at half-time"
_BY_RANK = "games won by seats of this standing at the week's end"
_CHANGES = "games with so many changes of the sole leader"
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
    _GAMES.mean("lead changes", "changes of the sole leader in a game", "lead_changes"),
    _GAMES.share_of_games("games by lead changes", _CHANGES, by="lead_changes"),
    _GAMES.mean(
        "steps left",
        f"{_LEFT}good",
        pl.col("steps") - pl.col("settled"),
        where=pl.col("winner") >= 0,
        unit="steps",
    ),
    _SEATS.share("comeback", _COMEBACK, "won", where=pl.col("last_at_half")),
    _SEATS.share(
        "runaway",
        "wins of sole leaders after a third of the game",
        "won",
        where=pl.col("sole_at_third"),
    ),
    _WEEKS.share("won by rank", _BY_RANK, "won", by="week rank", unit=""),
    _SEATS.share("eliminated", _SHARES["eliminated"], "out"),
    _GAMES.share("all eliminated", _SHARES["all eliminated"], "all_out"),
)
_FORMULA = (
    "steps = weeks * (rounds + 1): every trick, and every liquidation. decisiveness = "
    "mean over games won of (steps - first step of the winner's last sole lead) / "
    "steps. comeback = wins of seats last after steps / 2, of such seats. runaway = "
    "wins of sole leaders after steps / 3, of such seats"
)


def section(data: ReportData) -> Shown:
    """Scores, leads, comebacks, ties and eliminations."""
    yield Section(
        "course",
        "Course of the game",
        f"With {data.who}. Points are counted after every trick and liquidation.",
    )
    shares = {name: _share(data, name) for name in _SHARES}
    title = "Decisiveness, comebacks, runaways and eliminations"
    yield course.shares(title, _SHARES, shares, _FORMULA)
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
        "Seats of equal points share a rank.",
        "won by rank",
        WEEK,
        "1 + seats with more points",
    )
    yield course.changes(
        data,
        "A change is counted when another seat becomes sole leader; the first leader "
        "is none.",
        "changes of the sole leader",
    )
    yield course.decided(
        data,
        "course-ends",
        "Ties on points go to the seat with more Life gems, then to the highest card "
        "drawn.",
        _ENDS,
    )
    yield from _findings(data)


def _share(data: ReportData, name: str) -> pl.DataFrame:
    """One of ``_SHARES``, by number of players."""
    if name != "decisiveness":
        return data.leading(name)
    steps_of_game = data.rules["weeks"] * (data.rules["rounds"] + 1)
    return data.leading("steps left").with_columns(
        pl.col("estimate", "low", "high", "se") / steps_of_game
    )


def _findings(data: ReportData) -> Parts:
    players = data.players
    head = f"{players} players, {data.who}"

    def told(rows: pl.DataFrame, words: Callable[[Row], str] = share) -> str:
        rows = rows.filter(players=players)
        return words(rows.row(0, named=True)) if rows.height else "no data"

    ends = data.leading("decided", players=players)
    by = {row["by"]: share(row) for row in ends.rows(named=True)}
    if not by:
        yield Finding("Course: no data.", "open")
        return
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
    tried = Claim(
        "wins of the sole leader after a third", "runaway", players, even=1 / players
    )
    yield Finding(lead, "", claim=tried)
    yield Finding(end, "")


SECTION = ReportSection(section, MEASURES, tables)
