"""Who is ahead after each round: half-time, ranks, leads and margins, summed up.

The least total is ahead. Half-time is the end of the first round after which some
total has reached half of the target.
"""

import numpy as np

from reports.counts import Array, Counts
from reports.counts import grid_of_rows as grid
from reports.devil.played import PlayedGames


def counts(played: PlayedGames) -> list[Counts]:
    """Sums at half-time and by rank, and of the course of each game."""
    scores, game = played.rounds.each("scores"), played.game_of
    won = played.victory[:, game]
    alone, leader = _leaders(scores)
    rank = 1 + (scores[:, None] < scores[None]).sum(axis=0)
    half = _half_time(played, scores)
    last = scores == scores.max(axis=0, initial=0)
    first = (played.seats == leader) & alone
    ranks = range(1, played.players + 1)
    here = (rank == np.arange(1, played.players + 1)[:, None, None]) & half
    mid = np.bincount(game, half, minlength=played.size)
    number, ones = played.number, np.ones(played.size)
    left, decided = _left(played, leader, alone), played.winner >= 0
    early, ahead = (last & half).sum(axis=0), (first & half).sum(axis=0)
    return [
        grid("comeback", game, (last & won & half).sum(axis=0), early),
        grid("runaway", game, (first & won & half).sum(axis=0), ahead),
        grid("half-time", number, mid, ones),
        grid(
            "won by rank", game, (here & won).sum(axis=1), here.sum(axis=1), rank=ranks
        ),
        grid("decisiveness", number, left, played.rounds_of_game * decided),
        grid("lead changes", number, _changes(played, leader, alone), ones),
        *_margins(played),
    ]


def _leaders(scores: Array) -> tuple[Array, Array]:
    """(rounds,) whether one seat alone has the least total, and a seat that has it."""
    least = scores == scores.min(axis=0, initial=np.iinfo(np.int64).max)
    return least.sum(axis=0) == 1, least.argmax(axis=0)


def _half_time(played: PlayedGames, scores: Array) -> Array:
    """(rounds,) whether half-time comes with its end, and the game goes on."""
    reached = scores.max(axis=0, initial=0) * 2 >= played.rules["target"]
    before = np.zeros_like(reached)
    before[1:] = reached[:-1] & (played.game_of[1:] == played.game_of[:-1])
    return reached & ~before & ~played.over


def _changes(played: PlayedGames, leader: Array, alone: Array) -> Array:
    """(games,) changes of the sole leader; the first is none."""
    who, game = leader[alone], played.game_of[alone]
    other = (who[1:] != who[:-1]) & (game[1:] == game[:-1])
    return np.bincount(game[1:], other, minlength=played.size)


def _left(played: PlayedGames, leader: Array, alone: Array) -> Array:
    """(games,) rounds after the one with which the winner leads for good."""
    behind = ~alone | (leader != played.winner[played.game_of])
    settled = np.zeros(played.size, dtype=np.int64)
    np.maximum.at(settled, played.game_of, played.rounds.round * behind)
    left = np.maximum(played.rounds_of_game - settled - 1, 0)
    return left * (played.winner >= 0)


def _margins(played: PlayedGames) -> list[Counts]:
    """The second least total less the winner's, of games that one seat wins."""
    first, second = np.sort(played.final, axis=0)[:2]
    wins = (played.winner >= 0).astype(np.int64)
    return [grid("margin", played.number, (second - first) * wins, wins)]
