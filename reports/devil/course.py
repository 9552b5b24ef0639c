"""Course of the game: who is ahead, and whether those behind come back.

The least total is ahead. Games last as many rounds as it takes, so half-time is told
by totals: it is the end of the first round after which some total has reached half of
the target.
"""

import numpy as np
import polars as pl

from reports.devil.grids import grid
from reports.devil.played import Array, Played
from reports.drawing import bars, dots, lines
from reports.found import Found
from reports.measures import Kind
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge, more_games, sure
from reports.words import (
    LINEUPS,
    PLAYERS,
    N,
    estimated,
    exhibit,
    joined,
    number,
    percent,
    share,
)

LOST = 0.5
"""A game is open at half-time if the last wins at least this part of an even share."""
_SHARES = {
    "comeback": "P(wins | nobody has more points at half-time)",
    "runaway": "P(wins | alone has the fewest points at half-time)",
    "decisiveness": "share of the rounds left when the winner takes the sole lead for "
    "good",
    "half-time": "games in which half-time comes before the last round's end",
}
_ENDS = {
    "points": "least total",
    "shared": "equal least totals: shared",
    "rounds": "equal least totals: rounds won",
    "random": "equal least totals: by lot",
    "guard": "broken off",
}
_FORMULA = (
    "half-time = first round after which max(scores) * 2 >= target. comeback, runaway "
    "= wins of the seats last, alone first at half-time, of such seats. decisiveness = "
    "rounds after the one with which the winner leads alone to the end / rounds, sums "
    "over games won"
)


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums at half-time and by rank, and of the course of each game."""
    scores, game = played.rounds.each("scores"), played.game
    won = played.victory[:, game]
    alone, leader = _leaders(scores)
    rank = 1 + (scores[:, None] < scores[None]).sum(axis=0)
    half = _half_time(played, scores)
    last = scores == scores.max(axis=0, initial=0)
    first = (played.seats == leader) & alone
    ranks = range(1, played.players + 1)
    here = (rank == np.arange(1, played.players + 1)[:, None, None]) & half
    mid = np.bincount(game, half, minlength=played.size)
    return [
        grid("comeback", game, (last & won & half).sum(axis=0), (last & half).sum(axis=0)),
        grid("runaway", game, (first & won & half).sum(axis=0),
             (first & half).sum(axis=0)),
        grid("half-time", played.number, mid, np.ones(played.size)),
        grid("won by rank", game, (here & won).sum(axis=1), here.sum(axis=1),
             rank=ranks),
        grid("decisiveness", played.number, _left(played, leader, alone),
             played.rounds_of_game * (played.winner >= 0)),
        grid("lead changes", played.number, _changes(played, leader, alone),
             np.ones(played.size)),
        *_margins(played),
    ]  # fmt: skip


def _leaders(scores: Array) -> tuple[Array, Array]:
    """(rounds,) whether one seat alone has the least total, and a seat that has it."""
    least = scores == scores.min(axis=0, initial=np.iinfo(np.int64).max)
    return least.sum(axis=0) == 1, least.argmax(axis=0)


def _half_time(played: Played, scores: Array) -> Array:
    """(rounds,) whether half-time comes with its end, and the game goes on."""
    reached = scores.max(axis=0, initial=0) * 2 >= played.rules["target"]
    before = np.zeros_like(reached)
    before[1:] = reached[:-1] & (played.game[1:] == played.game[:-1])
    return reached & ~before & ~played.over


def _changes(played: Played, leader: Array, alone: Array) -> Array:
    """(games,) changes of the sole leader; the first is none."""
    who, game = leader[alone], played.game[alone]
    other = (who[1:] != who[:-1]) & (game[1:] == game[:-1])
    return np.bincount(game[1:], other, minlength=played.size)


def _left(played: Played, leader: Array, alone: Array) -> Array:
    """(games,) rounds after the one with which the winner leads for good."""
    behind = ~alone | (leader != played.winner[played.game])
    settled = np.zeros(played.size, dtype=np.int64)
    np.maximum.at(settled, played.game, played.rounds.round * behind)
    left = np.maximum(played.rounds_of_game - settled - 1, 0)
    return left * (played.winner >= 0)


def _margins(played: Played) -> list[pl.DataFrame]:
    """The second least total less the winner's, of games that one seat wins."""
    first, second = np.sort(played.final, axis=0)[:2]
    wins = (played.winner >= 0).astype(np.int64)
    return [grid("margin", played.number, (second - first) * wins, wins)]


def section(found: Found) -> Section:
    """Comebacks, leads, and how games are decided."""
    return Section(
        "course",
        "Comebacks and the course of the game",
        f"With {found.who}. The least total is ahead. Half-time is the end of the "
        "first round after which some total has reached half of the target.",
        (_shares(found), _ranks(found), _course(found), _decided(found)),
        tuple(_finding(found, players) for players in found.counts),
    )


def _shares(found: Found) -> Exhibit:
    rows = pl.concat(
        [
            found.leading(name, "rate").with_columns(what=pl.lit(name))
            for name in _SHARES
        ]
    )
    even = [
        percent(1 / players) if what in {"comeback", "runaway"} else ""
        for what, players in rows.select("what", "players").rows()
    ]
    return exhibit(
        "course-shares",
        "Comebacks, runaways and decisiveness",
        "; ".join(f"{name}: {meaning}" for name, meaning in _SHARES.items()) + ".",
        rows.with_columns(
            pl.Series("even", even, dtype=pl.String),
            table=pl.format("{} players", "players"),
        ),
        (
            Column("what", "what", "name of the share"),
            PLAYERS,
            estimated("share", "see above what of", "share"),
            Column("even", "even", "1/n: the share if standing meant nothing"),
            N,
        ),
        dots("what", "share, %", by="table"),
        _FORMULA,
    )


def _ranks(found: Found) -> Exhibit:
    rows = found.leading("won by rank", "rate", ("rank",))
    return exhibit(
        "course-ranks",
        "Who wins, by standing at half-time",
        "Rank 1 has the fewest points. Seats with equal points share a rank.",
        rows.with_columns(table=pl.format("{} players", "players")),
        (
            PLAYERS,
            Column("rank", "rank", "1 + seats with fewer points", "count"),
            estimated("wins", "share of such seats that win the game", "share"),
            N,
        ),
        lines("rank", "win share, %", by="table"),
    )


def _course(found: Found) -> Exhibit:
    names: dict[str, Kind] = {"lead changes": "mean", "margin": "mean"}
    rows = pl.concat(
        [
            found.leading(n, kind).with_columns(what=pl.lit(n))
            for n, kind in names.items()
        ]
    )
    return exhibit(
        "course-leads",
        "Changes of the leader, and the margin at the end",
        "Lead changes: how often in a game another seat alone has the fewest points at "
        "the end of a round than the sole leader before; the first leader is none. "
        "Margin: points between the winner and the second.",
        rows,
        (
            Column("what", "what", "what is counted"),
            PLAYERS,
            estimated("mean", "mean of a game"),
            N,
        ),
    )


def _decided(found: Found) -> Exhibit:
    rows = found.of_games("decided", ("by",), only=found.leads())
    words = [_ENDS.get(by, by) for by in rows["by"]]
    spread = found.spread("decided", "per_game", ("by",), percent=True)
    return exhibit(
        "course-decided",
        "How games are decided",
        "When a total has reached the target the least total wins.",
        joined(
            rows.with_columns(
                pl.Series("how", words, dtype=pl.String),
                table=pl.format("{} players", "players"),
            ),
            spread,
            ("players", "by"),
        ),
        (
            PLAYERS,
            Column("how", "how", "what decided"),
            estimated("games", "share of games", "share"),
            LINEUPS,
            N,
        ),
        bars("table", "share of games, %", "how"),
    )


def _finding(found: Found, players: int) -> Finding:
    def row(name: str, kind: Kind = "rate") -> dict[str, float]:
        rows = found.leading(name, kind, players=players).drop_nulls("estimate")
        return rows.row(0, named=True) if rows.height else {}

    comeback, runaway, decisive = map(row, ("comeback", "runaway", "decisiveness"))
    if not (comeback and decisive and runaway):
        text = f"Comeback, {players} players: no game had a half-time."
        return Finding(text, "open", "course")
    least = LOST / players
    (verdict,) = judge([comeback["estimate"]], [comeback["se"]], least, 1.0)
    changes = number(row("lead changes", "mean"))
    text = (
        f"Comeback, {players} players, {found.who}: who is last at half-time wins "
        f"{share(comeback)} of such games, who leads alone {share(runaway)} (even: "
        f"{percent(1 / players)}): {_SAID[verdict]} half an even share; the leader "
        f"changes {changes} times a game, and {share(decisive)} of the rounds are left "
        "when the winner takes the lead for good"
    )
    if verdict == "undecided":
        needed = more_games(
            [comeback["estimate"]], [comeback["se"]], found.games, least, 1.0
        )
        text += f"; {needed}"
    return Finding(f"{text}.", sure(verdict), "course")


_SAID = {
    "within": "the last still wins more than",
    "outside": "the last wins less than",
    "undecided": "it is undecided whether the last wins more than",
}
