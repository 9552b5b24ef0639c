"""Course of the game: who is ahead, whether that changes, and how close it ends.

Scores are counted after every round; of equal scores the bottom of the stack is ahead,
so there is always one leader.
"""

import numpy as np
import polars as pl

from reports import course
from reports.found import Found
from reports.grids import Array, grid, numbered
from reports.kbernestich import spread
from reports.kbernestich.played import Played
from reports.kbernestich.words import ROUND
from reports.measures import Measure
from reports.page import Finding, Section
from reports.words import number, percent, share

_WON = pl.col("winner") >= 0
MEASURES = [
    Measure("lead changes", "course", pl.col("lead_changes")),
    Measure("games by lead changes", "course", pl.lit(1), by=("lead_changes",)),
    Measure("rounds left", "course", pl.col("rounds_left"), where=_WON),
    Measure("margin", "course", pl.col("margin")),
]
DOCS = {
    "course": {
        "game": "number of the game in its run",
        "winner": "seat of the winner; -1 nobody alone",
        "lead_changes": "changes of the leader from round to round",
        "rounds_left": "rounds after the one with which the winner leads for good",
        "margin": "highest score less the second highest",
    }
}
_SHARES = {
    "decisiveness": "share of the game left when the winner takes the lead for good",
    "comeback": "P(wins | last after half the rounds)",
    "runaway": "P(wins | leads after half the rounds)",
}
_FORMULA = (
    "decisiveness = mean over games won of (rounds - first round after which the "
    "winner leads to the end) / rounds. comeback, runaway = wins of the seats last, "
    "first after rounds / 2 (rounded down), of such seats"
)


def tables(played: Played) -> dict[str, pl.DataFrame]:
    """A row a game: its leaders and its end."""
    leaders = _leaders(played)
    settled = np.zeros(played.size, dtype=np.int16)
    for number_, leader in enumerate(leaders[:-1], start=1):
        settled[leader != played.winner] = number_
    first, second = np.sort(played.scores, axis=0)[[-1, -2]]
    columns = {
        "game": played.game,
        "winner": played.winner,
        "lead_changes": (leaders[1:] != leaders[:-1]).sum(axis=0),
        "rounds_left": np.int16(played.rounds - 1) - settled,
        "margin": first - second,
    }
    return {"course": pl.DataFrame(columns)}


def _leaders(played: Played) -> Array:
    """(rounds, games) who leads after each round; at the end of a shared win one."""
    after = played.standing[1:].argmin(axis=1)
    key = played.scores.argmax(axis=0)
    last = np.where(played.winner >= 0, played.winner, key)
    return np.concatenate([after, last[None]]).astype(np.int16)


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums of scores by round: of all seats, and of the winner."""
    rounds = numbered(played.rounds)
    seats = np.full((1, played.size), played.players)
    decided = (played.winner >= 0)[None].astype(np.uint8)
    winners = (played.score * played.victory).sum(axis=1)
    gained = (played.score - played.before).sum(axis=1)
    return [
        grid("score by round", played.score.sum(axis=1), seats, round=rounds),
        grid("gained by round", gained, seats, round=rounds),
        grid("winner's by round", winners, decided, round=rounds),
    ]


def section(found: Found) -> Section:
    """Scores, leads, comebacks."""
    return Section(
        "course",
        "Course of the game",
        f"With {found.who}. Who leads is told after every round.",
        (
            course.shares(
                "Decisiveness, comebacks and runaways",
                _SHARES,
                {name: _share(found, name) for name in _SHARES},
                _FORMULA,
            ),
            course.scores(
                found,
                "Score at the end of each round",
                "Of all seats, and of the seat that wins in the end; and what a seat "
                "wins in the round.",
                {
                    "all seats": "score by round",
                    "winner": "winner's by round",
                    "points of the round": "gained by round",
                },
                ROUND,
                "score",
            ),
            course.ranks(
                found,
                "Who wins, by standing at the end of each round",
                "Of equal scores the bottom of the stack is ahead.",
                "won by standing",
                ROUND,
                "1 leads",
            ),
            course.changes(
                found,
                "From the end of one round to the end of the next.",
                "changes of the leader",
            ),
        ),
        _findings(found),
    )


def _share(found: Found, name: str) -> pl.DataFrame:
    """One of ``_SHARES``, by number of players."""
    columns = ["players", "estimate", "low", "high", "n"]
    if name != "decisiveness":
        return spread.at_half(found, name == "comeback").select(columns)
    rows = found.leading("rounds left").select(columns)
    rounds = found.rules["rounds"]
    return rows.with_columns(pl.col("estimate", "low", "high") / rounds)


def _findings(found: Found) -> tuple[Finding, ...]:
    players = found.players

    def told(rows: pl.DataFrame, *, rate: bool = True) -> str:
        rows = rows.filter(players=players)
        if rows.is_empty():
            return "no data"
        return (share if rate else number)(rows.row(0, named=True))

    text = (
        f"Course, {players} players, {found.who}: the leader changes "
        f"{told(found.leading('lead changes'), rate=False)} times a game; who leads "
        f"after half of it wins {told(_share(found, 'runaway'))}, who is last "
        f"{told(_share(found, 'comeback'))} (even: {percent(1 / players)}); "
        f"{told(_share(found, 'decisiveness'))} of the game is left when the winner "
        "takes the lead for good; the winner is "
        f"{told(found.leading('margin'), rate=False)} points ahead of the second."
    )
    return (Finding(text, "sure", "course"),)
