"""What sessions say by themselves: wins by position and player, scores and length.

    own_table(sessions, game)

Shares have Wilson's intervals and means Student's; the unit is the session. A win that
is shared is nobody's.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from experiments.analysis.play_log import SessionSeat, TableSession
from reports.statistics.intervals import wilson
from sim.games import Game, positions

_SHOWN = 3  # players in a sentence
_SHARES = dict.fromkeys(("share", "low", "high", "even"), pl.Float64)
_POSITIONS = {
    "players": pl.Int64, "position": pl.String, "sessions": pl.Int64, "won": pl.Int64,
} | _SHARES  # fmt: skip
_PEOPLE = {"player": pl.String, "sessions": pl.Int64, "won": pl.Int64} | _SHARES
_NUMBERS = {
    "of": pl.String, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64,
    "least": pl.Float64, "most": pl.Float64, "n": pl.Int64,
}  # fmt: skip


@dataclass(frozen=True)
class OwnTable:
    """The tables of a group.

    ``positions``: players, position, sessions, won, share, low, high (95 %), even (of
    the sessions that somebody won alone).
    ``people``: player instead of position, those who won most first. ``numbers``: mean,
    interval, least, most and n of scores, winners' scores and minutes, as far as known.
    """

    sessions: int
    positions: pl.DataFrame
    people: pl.DataFrame
    numbers: pl.DataFrame
    alone: int  # sessions that somebody won alone

    @property
    def sentences(self) -> list[str]:
        """Everything in words."""
        parts = [*_position_words(self.positions), *_people_words(self.people)]
        numbers = [_number_words(row) for row in self.numbers.to_dicts()]
        shared = self.sessions - self.alone
        if shared:
            parts.append(f"{shared} of {self.sessions} sessions nobody won alone.")
        return [*parts, *numbers]

    def plain(self) -> dict[str, Any]:
        """Return the tables as plain values."""
        names = ("positions", "people", "numbers")
        tables = {name: getattr(self, name).to_dicts() for name in names}
        return {"sessions": self.sessions, "won alone": self.alone, **tables}


def own_table(sessions: Sequence[TableSession], game: Game) -> OwnTable:
    """Count what sessions of a game say by themselves."""
    alone = sum(any(seat.won for seat in session.seats) for session in sessions)
    return OwnTable(
        len(sessions),
        pl.DataFrame([*_positions(sessions, game)], _POSITIONS, orient="row"),
        _people(sessions),
        pl.DataFrame([*_numbers(sessions, game)], _NUMBERS, orient="row"),
        alone,
    )


def _share(won: int, sessions: int, even: float) -> tuple[float, float, float, float]:
    low, high = wilson(won, sessions)
    return won / sessions, float(low), float(high), even


def _positions(
    sessions: Sequence[TableSession], game: Game
) -> Iterator[tuple[Any, ...]]:
    """Yield the wins by position of the sessions in which positions are known."""
    placed: dict[int, list[TableSession]] = defaultdict(list)
    for session in sessions:
        if session.placed:
            placed[len(session.seats)].append(session)
    for players, group in sorted(placed.items()):
        n = len(group)
        wins = [
            sum(bool(session.seats[at].won) for session in group)
            for at in range(players)
        ]
        even = sum(wins) / n / players  # of the sessions that somebody won alone
        for name, won in zip(positions(game, players), wins, strict=True):
            yield players, name, n, won, *_share(won, n, even)


def _people(sessions: Sequence[TableSession]) -> pl.DataFrame:
    """Return the wins by player, and what an even part of all wins would be."""
    seats: dict[str, list[tuple[SessionSeat, float]]] = defaultdict(list)
    for session in sessions:
        wins = sum(bool(seat.won) for seat in session.seats)
        for seat in session.seats:
            seats[seat.player].append((seat, wins / len(session.seats)))
    rows = []
    for name, own in seats.items():
        won, n = sum(bool(seat.won) for seat, _ in own), len(own)
        even = float(np.mean([part for _, part in own]))
        rows.append((name, n, won, *_share(won, n, even)))
    frame = pl.DataFrame(rows, _PEOPLE, orient="row")
    more = (pl.col("share") - pl.col("even")) * pl.col("sessions")
    return frame.sort(more, "player", descending=[True, False])


def _numbers(sessions: Sequence[TableSession], game: Game) -> Iterator[tuple[Any, ...]]:
    """Yield mean and range of scores, of winners' scores and of minutes.

    Of scores a session counts with its mean, as players of one session are not
    independent.
    """
    scored = [session for session in sessions if session.scored and game.score]
    parts: dict[str, list[list[float]]] = {
        "score": [[_score(seat) for seat in session.seats] for session in scored],
        "winner's score": [
            [_score(seat) for seat in session.seats if seat.won] for session in scored
        ],
        "minutes": [
            [session.minutes] for session in sessions if session.minutes is not None
        ],
    }
    for name, rows in parts.items():
        if known := [row for row in rows if row]:
            yield name, *_mean([float(np.mean(row)) for row in known], known)


def _score(seat: SessionSeat) -> float:
    return 0.0 if seat.score is None else seat.score


def _mean(
    means: Sequence[float], rows: Sequence[Sequence[float]]
) -> tuple[float, float | None, float | None, float, float, int]:
    """Return mean, interval (None of one session), least, most and sessions."""
    n, mean = len(means), float(np.mean(means))
    low = high = None
    if n > 1:
        half = float(stats.t(n - 1).ppf(0.975) * np.std(means, ddof=1) / np.sqrt(n))
        low, high = mean - half, mean + half
    return mean, low, high, min(map(min, rows)), max(map(max, rows)), n


def _position_words(rows: pl.DataFrame) -> Iterator[str]:
    """Say who won how often, by position."""
    several = rows["players"].n_unique() > 1
    for (players,), part in rows.group_by("players", maintain_order=True):
        n = part["sessions"][0]
        won = ", ".join(
            f"{name} {w}" for name, w in part.select("position", "won").rows()
        )
        at = f" with {players} players" * several
        even = f"{n * part['even'][0]:.3g} would be even"
        yield f"Your {n} sessions{at}, won by position: {won}; {even}."


def _people_words(rows: pl.DataFrame) -> Iterator[str]:
    """Say who won how often, by player."""
    told = [
        f"{name} {won} of {n}"
        for name, won, n in rows.head(_SHOWN).select("player", "won", "sessions").rows()
    ]
    left = rows.height - len(told)
    yield f"Won by player: {', '.join(told)}{f', and {left} more' * bool(left)}."


_WORDS: dict[str, Callable[[int], str]] = {
    "score": lambda n: f"Mean score in {n} session{'s' * (n > 1)}",
    "winner's score": lambda n: f"Mean score of the winner in {n}",
    "minutes": lambda n: f"Minutes a game in {n} session{'s' * (n > 1)}",
}


def _number_words(row: dict[str, Any]) -> str:
    """Say mean, interval and range of a number."""
    interval = ""
    if row["low"] is not None:
        interval = f" ({row['low']:.3g} to {row['high']:.3g})"
    ends = f"from {row['least']:.3g} to {row['most']:.3g} in all"
    return f"{_WORDS[row['of']](row['n'])}: {row['mean']:.3g}{interval}, {ends}."
