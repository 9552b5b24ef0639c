"""Who has how many points: Gini, and whether leaders run away or others catch up."""

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid, numbered
from reports.drawing import lines
from reports.formatting import number, percent, share
from reports.game_report import Parts
from reports.kbernestich.played import PlayedGames
from reports.measures import MeasuresOf
from reports.page import Finding
from reports.report_data import ReportData
from reports.tabled import TABLES, Number, Table

_GINI = (
    "Gini = sum over pairs of seats of |difference of scores| / (seats * sum of "
    "scores), sums over all games; 0: all equal"
)

_ROUNDS = MeasuresOf(by="round")
_STANDING = "share of such seats that win the game"
MEASURES = (
    _ROUNDS.mean("gini", "Gini index of the scores"),
    _ROUNDS.share("won by standing", _STANDING, by="rank round"),
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums of the Gini index by round, and of wins by standing."""
    rounds, ranks = numbered(played.rounds), numbered(played.players)
    score = played.score.astype(np.int32)
    apart = np.zeros(score[:, 0].shape, dtype=np.int64)
    for one in range(played.players):
        for other in range(one):
            apart += abs(score[:, one] - score[:, other])
    found = [grid("gini", apart, score.sum(axis=1) * played.players, round=rounds)]
    if played.rounds > 1:
        won, by = _by_rank(played), {"rank": ranks, "round": rounds[:-1]}
        found.append(grid("won by standing", won, np.ones((1, 1, played.size)), **by))
    return found


def _by_rank(played: PlayedGames) -> Array:
    """(ranks, rounds - 1, games) whether who had this rank after the round won."""
    standing = played.standing[1:]
    return np.stack(
        [
            ((standing == rank) & played.victory).any(axis=1)
            for rank in range(played.players)
        ]
    )


def half(data: ReportData) -> int:
    """The round after which half the game is over."""
    return max(int(data.rules["rounds"]) // 2, 1)


def at_half(data: ReportData, last: bool) -> pl.DataFrame:
    """How often who leads, or is last, at half-time wins; by number of players."""
    rows = data.leading("won by standing")
    rank = pl.col("players") if last else pl.lit(1)
    return rows.filter(pl.col("rank") == rank, pl.col("round") == half(data))


def shown(data: ReportData) -> Parts:
    """The Gini index by round, and whether leaders run away."""
    yield Table(
        "economy-gini",
        "How unequal scores are at the end of each round",
        "Less is more equal. The scores at the start differ by the place at the table.",
        ("players", "round", Number("gini", "Gini")),
        rows=TABLES,
        draw=lines("round", "Gini index of scores", by="table"),
        formula=_GINI,
    )
    yield _finding(data)


def _finding(data: ReportData) -> Finding:
    """Whether leaders run away, in words."""
    players = data.players
    ends = [at_half(data, last).filter(players=players) for last in (False, True)]
    gini = data.leading("gini", players=players)
    if gini.is_empty() or any(part.is_empty() for part in ends):
        return Finding("Runaway and catch-up: no data.", "open")
    first, last = (part.row(0, named=True) for part in ends)
    start, end = (number(gini.row(at, named=True)) for at in (0, -1))
    text = (
        f"Runaway and catch-up, {players} players, {data.who}: who leads after round "
        f"{half(data)} wins {share(first)}, who is last {share(last)} (even: "
        f"{percent(1 / players)}); the Gini index of scores is {start} after round 1 "
        f"and {end} at the end."
    )
    return Finding(text, "")
