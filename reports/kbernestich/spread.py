"""Who has how many points: Gini, and whether leaders run away or others catch up."""

import numpy as np
import polars as pl

from reports.drawing import lines
from reports.found import Found
from reports.grids import Array, grid, numbered
from reports.kbernestich.played import Played
from reports.kbernestich.words import ROUND
from reports.page import Exhibit, Finding
from reports.words import PLAYERS, N, estimated, exhibit, number, percent, share

_GINI = (
    "Gini = sum over pairs of seats of |difference of scores| / (seats * sum of "
    "scores), sums over all games; 0: all equal"
)


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums of the Gini index by round, and of wins by standing."""
    rounds = numbered(played.rounds)
    score = played.score.astype(np.int32)
    apart = np.zeros(score[:, 0].shape, dtype=np.int64)
    for one in range(played.players):
        for other in range(one):
            apart += abs(score[:, one] - score[:, other])
    found = [grid("gini", apart, score.sum(axis=1) * played.players, round=rounds)]
    if played.rounds > 1:
        found.append(
            grid("won by standing", _by_rank(played), np.ones((1, 1, played.size)),
                 rank=numbered(played.players), round=rounds[:-1])
        )  # fmt: skip
    return found


def _by_rank(played: Played) -> Array:
    """(ranks, rounds - 1, games) whether who had this rank after the round won."""
    standing = played.standing[1:]
    return np.stack(
        [
            ((standing == rank) & played.victory).any(axis=1)
            for rank in range(played.players)
        ]
    )


def half(found: Found) -> int:
    """The round after which half the game is over."""
    return max(int(found.rules["rounds"]) // 2, 1)


def at_half(found: Found, last: bool) -> pl.DataFrame:
    """How often who leads, or is last, at half-time wins; by number of players."""
    rows = found.leading("won by standing", "rate", ("rank", "round"))
    rank = pl.col("players") if last else pl.lit(1)
    return rows.filter(pl.col("rank") == rank, pl.col("round") == half(found))


def exhibits(found: Found) -> tuple[Exhibit, ...]:
    """The Gini index by round."""
    rows = found.leading("gini", "mean", ("round",))
    return (
        exhibit(
            "economy-gini",
            "How unequal scores are at the end of each round",
            "Less is more equal. The scores at the start differ by the place at the "
            "table.",
            rows.with_columns(table=pl.format("{} players", "players")),
            (PLAYERS, ROUND, estimated("Gini", "Gini index of the scores"), N),
            lines("round", "Gini index of scores", by="table"),
            _GINI,
        ),
    )


def finding(found: Found) -> Finding:
    """Whether leaders run away, in words."""
    players = found.players
    ends = [at_half(found, last).filter(players=players) for last in (False, True)]
    gini = found.leading("gini", "mean", ("round",), players=players)
    if gini.is_empty() or any(part.is_empty() for part in ends):
        return Finding("Runaway and catch-up: no data.", "open", "economy")
    first, last = (part.row(0, named=True) for part in ends)
    start, end = (number(gini.row(at, named=True)) for at in (0, -1))
    text = (
        f"Runaway and catch-up, {players} players, {found.who}: who leads after round "
        f"{half(found)} wins {share(first)}, who is last {share(last)} (even: "
        f"{percent(1 / players)}); the Gini index of scores is {start} after round 1 "
        f"and {end} at the end."
    )
    return Finding(text, "sure", "economy")
