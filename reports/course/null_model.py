"""The null model of a course: the same rounds, but independent of each other.

The gains of each round are kept. The rounds of a game are put into a random order, and
the gains of each round are dealt to the seats at random, all orders and deals being
equally likely. If rounds are independent and seats alike, such a game is as probable as
the one that was played. So any difference is due to dependence between rounds: the
leader is helped or hindered, some seats are stronger, late rounds are worth more.

If games end as soon as somebody has enough, another order might end sooner, or never.
So pairs of rounds are swapped instead, and a swap that would make the game end at
another time is taken back. That is a Markov chain that starts at the game as played,
with a stationary law that is uniform over all games that would end then (Besag and
Clifford 1989, Biometrika 76:633-642). A game with a tie for the best standing is
compared with one that has such a tie, too, as ties may be decided by other rules.
"""

from collections.abc import Callable
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from reports.counts import Array
from reports.course.standings import Standings

TRIES = 3
"""The most shuffles of a game; if all break the conditions, it stays as played."""
SWAPS = 48
"""Swaps of a pair of rounds, for games that end when somebody has enough."""
_CACHE: WeakKeyDictionary[Standings, Standings] = WeakKeyDictionary()


def shuffle_rounds(played: Standings) -> Standings:
    """Return the games with independent rounds; deterministic for each game number.

    The result is cached, as several sections ask for it.
    """
    if played not in _CACHE:
        _CACHE[played] = _shuffled(played)
    return _CACHE[played]


def _shuffled(played: Standings) -> Standings:
    """Return the games with independent rounds, without the cache."""
    seats = played.values.shape[1]
    paths = played.values.reshape(-1, played.moments, *played.values.shape[1:])
    start = np.zeros_like(paths[:, :1])
    start[1:] = paths[:-1, -1:]
    steps = paths - start  # (rounds, moments, seats, games) from the round's start
    gains = steps[:, -1]
    if played.over is None:
        order, seating = _shuffles(played, gains)
        of = (order[:, None] * seats + seating) * len(played.game)
        at = of + np.arange(len(played.game))  # (rounds, seats, games) in ``gains``
        skip = (at // gains[0].size) * (steps[0].size - gains[0].size)
        inner = np.arange(played.moments) * gains[0].size
        path = steps.reshape(-1).take((at + skip)[:, None] + inner[:, None, None])
        path[1:] += _added_up(path[:-1, -1])[:, None]
    else:
        gains = _swaps(played, gains, played.over)
        path = _added_up(gains)
    values = path.reshape(played.values.shape)
    winner = _winner(played, values[-1])
    return replace(played, values=values, winner=winner)


def _shuffles(played: Standings, gains: Array) -> tuple[Array, Array]:
    """Return new orders (rounds, games) and new seats of gains (rounds, seats, games).

    They keep whether one seat alone has the best standing or several tie for it.
    """
    rounds, seats, games = gains.shape
    flat, lines = gains.reshape(-1), np.arange(rounds)[:, None]
    alone = _alone(played.values[-1])
    left = np.arange(games)  # games that have no order yet
    for number in range(TRIES):
        size = len(left)
        keys = _noise(played.game[left], rounds, 2 * number)
        if played.rounds is not None:  # rounds after the end stay there
            keys |= (lines >= played.rounds[left]) * _TOP
        new = np.argsort(keys, axis=0)
        dealt = _noise(played.game[left], rounds * seats, 2 * number + 1)
        dealt = _places(dealt.reshape(rounds, seats, size))
        total = np.zeros((seats, size), dtype=np.int64)
        for line, deal in zip(new, dealt, strict=True):
            total += flat.take((line * seats + deal) * games + left)
        if number == 0:
            order, seating = new, dealt
        else:
            order[:, left], seating[..., left] = new, dealt
        left = left[_alone(total) != alone[left]]
    order[:, left] = lines  # as played
    seating[..., left] = np.arange(seats)[:, None]
    return order, seating


def _swaps(played: Standings, gains: Array, over: Callable[[Array], Array]) -> Array:
    """Return gains (rounds, seats, games) after many swaps of rounds, dealt anew."""
    seats, games = gains.shape[1:]
    lasted, at = played.rounds_played, np.arange(games)
    gains = gains.astype(np.int32)
    before = np.arange(len(gains))[:, None] < lasted - 1

    def conditions() -> Array:
        """Return (3, games): over at the end, over before, one seat alone is best."""
        values = _added_up(gains)
        now = over(values)
        sooner = (now & before).any(axis=0)
        return np.stack([now[lasted - 1, at], sooner, _alone(values[-1])])

    fixed, rounds = conditions(), lasted.astype(np.uint64)
    flat, seat = gains.reshape(-1), np.arange(seats)[:, None] * games
    for number in range(SWAPS):
        pick = _noise(played.game, 2, 4 * TRIES + 2 * number) % rounds
        deal = _noise(played.game, 2 * seats, 4 * TRIES + 2 * number + 1)
        here, there = _places(deal.reshape(2, seats, games)) * games
        first, second = pick.astype(np.int64) * (seats * games) + at  # in ``flat``
        to_first, to_second = first + seat, second + seat  # (seats, games) each
        old = flat.take(to_first), flat.take(to_second)
        new = flat.take(first + there), flat.take(second + here)
        flat[to_second] = new[0]
        flat[to_first] = new[1]
        back = np.flatnonzero((conditions() != fixed).any(axis=0))
        flat[to_first[:, back]] = old[0][:, back]
        flat[to_second[:, back]] = old[1][:, back]
    return gains


def _added_up(gains: Array) -> Array:
    """Return sums up to each round (rounds, seats, games); faster than ``cumsum``."""
    values = gains.copy()
    for number in range(1, len(values)):
        values[number] += values[number - 1]
    return values


def _alone(values: Array) -> Array:
    """Return (games,) whether one seat alone has the best standing."""
    alone: Array = (values == values.max(axis=0)).sum(axis=0) == 1
    return alone


def _winner(played: Standings, values: Array) -> Array:
    """Return (games,) who wins: the seat with the winner's rank in the game as played.

    That is the best seat if the best standing wins; equals are ranked by lot.
    """
    seats, games = values.shape
    winner, ended = np.maximum(played.winner, 0), played.values[-1]
    ahead = (ended > ended[winner, np.arange(games)]).sum(axis=0)
    lots = _noise(played.game, seats, 4 * TRIES + 2 * SWAPS)
    rank = np.zeros((seats, games), dtype=np.int64)
    for seat in range(seats):
        rank += values[seat] > values
        rank += (values[seat] == values) & (lots[seat] < lots)
    return np.where(played.winner < 0, -1, (rank == ahead).argmax(axis=0))


_TOP = np.uint64(1 << 63)


def _places(keys: Array) -> Array:
    """Return (rounds, seats, games) a rank for each seat; all orders equally likely."""
    places = np.zeros(keys.shape, dtype=np.int64)
    for seat in range(keys.shape[1]):
        places += keys[:, seat, None] < keys
    return places


def _noise(game: Array, count: int, purpose: int) -> Array:
    """Return (count, games) random integers below 2**63 for each game (SplitMix64).

    Steele, Lea and Flood 2014, Proc. OOPSLA: 453-472.
    """
    counter = np.arange(count, dtype=np.uint64) + np.uint64(purpose << 32)
    z = counter[:, None] * np.uint64(0x9E3779B97F4A7C15) + game.astype(
        np.uint64
    ) * np.uint64(0xD1B54A32D192ED03)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z ^= z >> np.uint64(shift)
        z *= np.uint64(factor)
    z ^= z >> np.uint64(31)
    return z >> np.uint64(1)
