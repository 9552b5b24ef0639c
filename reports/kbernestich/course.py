"""Course of the game: who is ahead, whether that changes, and how close it ends.

Scores are counted after every round; of equal scores the bottom of the stack is ahead,
so there is always one leader.
"""

import numpy as np
import polars as pl

from reports.drawing import dots, lines, steps
from reports.found import Found
from reports.grids import Array, grid, numbered
from reports.kbernestich import spread
from reports.kbernestich.played import Played
from reports.kbernestich.words import ROUND
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.words import PLAYERS, N, estimated, exhibit, number, percent, share

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
        (_shares(found), _scores(found), _ranks(found), _changes(found)),
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


def _shares(found: Found) -> Exhibit:
    parts = [_share(found, name).with_columns(what=pl.lit(name)) for name in _SHARES]
    rows = pl.concat(parts)
    even = [
        "" if what == "decisiveness" else percent(1 / players)
        for what, players in rows.select("what", "players").rows()
    ]
    return exhibit(
        "course-shares",
        "Decisiveness, comebacks and runaways",
        "; ".join(f"{name}: {meaning}" for name, meaning in _SHARES.items()) + ".",
        rows.with_columns(pl.Series("even", even, dtype=pl.String)),
        (
            Column("what", "what", "name of the share"),
            PLAYERS,
            estimated("share", "see above what of", "share"),
            Column("even", "even", "1/n: the share if standing meant nothing"),
            N,
        ),
        dots("what", "share, %", by="players"),
        _FORMULA,
    )


def _scores(found: Found) -> Exhibit:
    whose = {
        "all seats": "score by round",
        "winner": "winner's by round",
        "points of the round": "gained by round",
    }
    rows = pl.concat(
        [
            found.leading(name, "mean", ("round",)).with_columns(whose=pl.lit(words))
            for words, name in whose.items()
        ]
    )
    return exhibit(
        "course-scores",
        "Score at the end of each round",
        "Of all seats, and of the seat that wins in the end; and what a seat wins in "
        "the round.",
        rows.with_columns(who=pl.format("{}, {} players", "whose", "players")),
        (
            Column("who", "who", "all seats, the winners, or points of the round"),
            ROUND,
            estimated("score", "mean of a seat"),
            N,
        ),
        lines("round", "score", by="who"),
    )


def _ranks(found: Found) -> Exhibit:
    by = ("rank", "round")
    rows = found.leading("won by standing", "rate", by, players=found.players)
    return exhibit(
        "course-ranks",
        "Who wins, by standing at the end of each round",
        f"{found.players} players. Of equal scores the bottom of the stack is ahead.",
        rows.with_columns(standing=pl.format("rank {}", "rank")).sort("rank", "round"),
        (
            ROUND,
            Column("rank", "rank", "1 leads", "count"),
            estimated("wins", "share of such seats that win the game", "share"),
            N,
        ),
        lines("round", "win share, %", by="standing", reference=1 / found.players),
    )


def _changes(found: Found) -> Exhibit:
    rows = found.of_games(
        "games by lead changes", ("lead_changes",), only=found.leads()
    )
    rows = rows.with_columns(count=(pl.col("estimate") * pl.col("n")).round())
    means = [
        f"{row['players']} players {number(row)}"
        for row in found.leading("lead changes").rows(named=True)
    ]
    return exhibit(
        "course-changes",
        "Changes of the leader in a game",
        f"From the end of one round to the end of the next. Means: {'; '.join(means)}.",
        rows,
        (
            PLAYERS,
            Column("lead_changes", "changes", "changes of the leader", "count"),
            estimated("games", "share of games with so many", "share"),
            N,
        ),
        steps("lead_changes", "count", "changes of the leader", "players"),
    )


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
