"""Course of the game: who is ahead, whether that changes, and how games end."""

import polars as pl

from reports import course
from reports.found import Found
from reports.kunitame.words import WEEK
from reports.measures import Kind, Measure
from reports.page import Finding, Section
from reports.words import (
    number,
    percent,
    share,
)

_LEFT = pl.col("steps") - pl.col("settled")
_WON, _WEEKLY = pl.col("won"), ("week",)
MEASURES = [
    Measure("points by week", "weeks", pl.col("points"), by=_WEEKLY),
    Measure("winner's by week", "weeks", pl.col("points"), by=_WEEKLY, where=_WON),
    Measure("lead changes", "games", pl.col("lead_changes")),
    Measure("games by lead changes", "games", pl.lit(1), by=("lead_changes",)),
    Measure("steps left", "games", _LEFT, where=pl.col("winner") >= 0),
    Measure("comeback", "players", _WON, where=pl.col("last_at_half")),
    Measure("runaway", "players", _WON, where=pl.col("sole_at_third")),
    Measure("won by rank", "weeks", _WON, by=("week", "rank")),
    Measure("eliminated", "players", pl.col("out")),
    Measure("all eliminated", "games", pl.col("all_out")),
]
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


def section(found: Found) -> Section:
    """Scores, leads, comebacks, ties and eliminations."""
    return Section(
        "course",
        "Course of the game",
        f"With {found.who}. Points are counted after every trick and liquidation.",
        (
            course.shares(
                "Decisiveness, comebacks, runaways and eliminations",
                _SHARES,
                {name: _share(found, name) for name in _SHARES},
                _FORMULA,
            ),
            course.scores(
                found,
                "Points at the end of each week",
                "Of all seats, and of the seat that wins in the end.",
                {"all seats": "points by week", "winner": "winner's by week"},
                WEEK,
            ),
            course.ranks(
                found,
                "Who wins, by standing at the end of each week",
                "Seats of equal points share a rank.",
                "won by rank",
                WEEK,
                "1 + seats with more points",
            ),
            course.changes(
                found,
                "A change is counted when another seat becomes sole leader; the first "
                "leader is none.",
                "changes of the sole leader",
            ),
            course.decided(
                found,
                "course-ends",
                "Ties on points go to the seat with more Life gems, then to the "
                "highest card drawn.",
                _ENDS,
            ),
        ),
        _findings(found),
    )


def _share(found: Found, name: str) -> pl.DataFrame:
    """One of ``_SHARES``, by number of players."""
    if name != "decisiveness":
        return found.leading(name, "rate")
    steps_of_game = found.rules["weeks"] * (found.rules["rounds"] + 1)
    return found.leading("steps left").with_columns(
        pl.col("estimate", "low", "high", "se") / steps_of_game
    )


def _findings(found: Found) -> tuple[Finding, ...]:
    players = found.players
    head = f"{players} players, {found.who}"

    def told(rows: pl.DataFrame, kind: Kind = "rate") -> str:
        rows = rows.filter(players=players)
        if rows.is_empty():
            return "no data"
        return (share if kind == "rate" else number)(rows.row(0, named=True))

    ends = found.of_games("decided", ("by",), only=found.leads(players))
    by = {row["by"]: share(row) for row in ends.rows(named=True)}
    if not by:
        return (Finding("Course: no data.", "open", "course"),)
    lead = (
        f"Course, {head}: the leader changes "
        f"{told(found.leading('lead changes'), 'mean')} times a game; the sole leader "
        f"after a third of it wins {told(_share(found, 'runaway'))}, who is last at "
        f"half-time {told(_share(found, 'comeback'))} (even: {percent(1 / players)}); "
        f"{told(_share(found, 'decisiveness'))} of the game is left when the winner "
        "takes the lead for good."
    )
    end = (
        f"Endings, {head}: Life gems break a tie in {by.get('lives', '0 %')} of the "
        f"games, a card drawn in {by.get('draw', '0 %')}; nobody wins "
        f"{by.get('none', '0 %')}; {told(_share(found, 'eliminated'))} of the seats "
        "are eliminated."
    )
    return tuple(Finding(text, "sure", "course") for text in (lead, end))
