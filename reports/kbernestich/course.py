"""Course of the game: who is ahead, whether that changes, and how close it ends.

Scores are counted after every round; of equal scores the bottom of the stack is ahead,
so there is always one leader.
"""

import numpy as np
import polars as pl

from reports import course
from reports.claims import Claim
from reports.counts import Array, Counts, grid, numbered
from reports.formatting import number, percent, share
from reports.game_report import ReportSection, Shown
from reports.kbernestich import spread
from reports.kbernestich.formatting import ROUND
from reports.kbernestich.played import PlayedGames
from reports.measures import MeasuresOf
from reports.page import Finding, Section
from reports.report_data import ReportData

_GAMES, _ROUNDS = MeasuresOf("course"), MeasuresOf(by="round")
_CHANGES = "changes of the leader from round to round"
_LEFT = "rounds after the one with which the winner leads for good"
MEASURES = (
    _GAMES.mean("lead changes", _CHANGES, "lead_changes"),
    _GAMES.share_of_games(
        "games by lead changes", "share of the games", by="lead_changes"
    ),
    _GAMES.mean("rounds left", _LEFT, "rounds_left", where=pl.col("winner") >= 0),
    _GAMES.mean("margin", "highest score less the second highest", "margin"),
    _ROUNDS.mean("score by round", "score of a seat at the end of the round"),
    _ROUNDS.mean("gained by round", "points that a seat wins in the round"),
    _ROUNDS.mean("winner's by round", "score of the seat that wins in the end"),
)
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


def tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    """A row a game: its leaders and its end."""
    leaders = _leaders(played)
    settled = np.zeros(played.size, dtype=np.int16)
    for number_, leader in enumerate(leaders[:-1], start=1):
        settled[leader != played.winner] = number_
    first, second = np.sort(played.scores, axis=0)[[-1, -2]]
    columns = {
        "winner": played.winner,
        "lead_changes": (leaders[1:] != leaders[:-1]).sum(axis=0),
        "rounds_left": np.int16(played.rounds - 1) - settled,
        "margin": first - second,
    }
    return {"course": played.frame((played.size,), columns)}


def _leaders(played: PlayedGames) -> Array:
    """(rounds, games) who leads after each round; at the end of a shared win one."""
    after = played.standing[1:].argmin(axis=1)
    key = played.scores.argmax(axis=0)
    last = np.where(played.winner >= 0, played.winner, key)
    return np.concatenate([after, last[None]]).astype(np.int16)


def counts(played: PlayedGames) -> list[Counts]:
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


def section(data: ReportData) -> Shown:
    """Scores, leads, comebacks."""
    yield Section(
        "course",
        "Course of the game",
        f"With {data.who}. Who leads is told after every round.",
    )
    shares = {name: _share(data, name) for name in _SHARES}
    title = "Decisiveness, comebacks and runaways"
    yield course.shares(title, _SHARES, shares, _FORMULA)
    yield course.scores(
        data,
        "Score at the end of each round",
        "Of all seats, and of the seat that wins in the end; and what a seat wins in "
        "the round.",
        {
            "all seats": "score by round",
            "winner": "winner's by round",
            "points of the round": "gained by round",
        },
        ROUND,
        "score",
    )
    yield course.ranks(
        data,
        "Who wins, by standing at the end of each round",
        "Of equal scores the bottom of the stack is ahead.",
        "won by standing",
        ROUND,
        "1 leads",
    )
    yield course.changes(
        data,
        "From the end of one round to the end of the next.",
        "changes of the leader",
    )
    yield _finding(data)


def _share(data: ReportData, name: str) -> pl.DataFrame:
    """One of ``_SHARES``, by number of players."""
    columns = ["players", "estimate", "low", "high", "n"]
    if name != "decisiveness":
        return spread.at_half(data, name == "comeback").select(columns)
    rows = data.leading("rounds left").select(columns)
    rounds = data.rules["rounds"]
    return rows.with_columns(pl.col("estimate", "low", "high") / rounds)


def _finding(data: ReportData) -> Finding:
    players = data.players

    def told(rows: pl.DataFrame, *, rate: bool = True) -> str:
        rows = rows.filter(players=players)
        if rows.is_empty():
            return "no data"
        return (share if rate else number)(rows.row(0, named=True))

    text = (
        f"Course, {players} players, {data.who}: the leader changes "
        f"{told(data.leading('lead changes'), rate=False)} times a game; who leads "
        f"after half of it wins {told(_share(data, 'runaway'))}, who is last "
        f"{told(_share(data, 'comeback'))} (even: {percent(1 / players)}); "
        f"{told(_share(data, 'decisiveness'))} of the game is left when the winner "
        "takes the lead for good; the winner is "
        f"{told(data.leading('margin'), rate=False)} points ahead of the second."
    )
    claim = Claim(
        "wins of who leads after half of the rounds",
        "won by standing",
        players,
        where={"rank": 1, "round": max(data.rules["rounds"] // 2, 1)},
        even=1 / players,
    )
    return Finding(text, "", claim=claim)


SECTION = ReportSection(section, MEASURES, tables, counts)
