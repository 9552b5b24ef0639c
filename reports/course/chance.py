"""The null model of a course: the same rounds, but each independent of the others.

What each seat gains in a round is kept. The rounds of a game come in another order,
and each is dealt to the seats anew, all orders and deals being alike. Where rounds
are independent of one another and seats alike, such a game is as probable as the one
that was played, so all that differs is due to how rounds hang together: the leader is
helped or hindered, some seats are stronger, late rounds are worth more.

Where games end as soon as somebody has enough, another order might end sooner or not
at all. So the rounds change places two by two, and a change that would make the game
end at another time is taken back. That is a Markov chain which begins at the game as
it was played, and whose stationary law is even over all games that would end then
(Besag and Clifford 1989, Biometrika 76:633-642). A game in which two tie for the best
standing is compared with one in which they do, too, as ties may be decided otherwise.
"""

from collections.abc import Callable
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from reports.counts import Array
from reports.course.standing import Standing

TRIES = 3
"""How often all rounds are shuffled; what breaks the conditions is taken back."""
SWAPS = 48
"""How many pairs of rounds change places where games end with what somebody has."""
_FOUND: WeakKeyDictionary[Standing, Standing] = WeakKeyDictionary()


def shuffled(played: Standing) -> Standing:
    """The games as independent rounds would have it; the same for the same numbers.

    Found once for each standing: several sections ask.
    """
    if played not in _FOUND:
        _FOUND[played] = _shuffled(played)
    return _FOUND[played]


def _shuffled(played: Standing) -> Standing:
    """The same, found anew."""
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
        found = steps.reshape(-1).take((at + skip)[:, None] + inner[:, None, None])
        found[1:] += _added_up(found[:-1, -1])[:, None]
    else:
        gains = _swaps(played, gains, played.over)
        found = _added_up(gains)
    values = found.reshape(played.values.shape)
    winner = _winner(played, values[-1])
    return replace(played, values=values, winner=winner)


def _shuffles(played: Standing, gains: Array) -> tuple[Array, Array]:
    """(rounds, games) another order, and (rounds, seats, games) whose gains are whose.

    Orders in which as many seats tie for the best as did, one or several.
    """
    rounds, seats, games = gains.shape
    flat, lines = gains.reshape(-1), np.arange(rounds)[:, None]
    alone = _alone(played.values[-1])
    left = np.arange(games)  # games that have no order yet
    for number in range(TRIES):
        size = len(left)
        keys = _noise(played.game[left], rounds, 2 * number)
        if played.rounds is not None:  # what comes after the end stays there
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
    order[:, left] = lines  # as they were played
    seating[..., left] = np.arange(seats)[:, None]
    return order, seating


def _swaps(played: Standing, gains: Array, over: Callable[[Array], Array]) -> Array:
    """(rounds, seats, games) gains after many swaps of rounds, dealt anew."""
    seats, games = gains.shape[1:]
    lasted, at = played.lasted, np.arange(games)
    gains = gains.astype(np.int32)
    before = np.arange(len(gains))[:, None] < lasted - 1

    def conditions() -> Array:
        """(3, games): over at the end, over before, one seat alone has the best."""
        values = _added_up(gains)
        now = over(values)
        sooner = (now & before).any(axis=0)
        return np.stack([now[lasted - 1, at], sooner, _alone(values[-1])])

    fixed, many = conditions(), lasted.astype(np.uint64)
    flat, seat = gains.reshape(-1), np.arange(seats)[:, None] * games
    for number in range(SWAPS):
        pick = _noise(played.game, 2, 4 * TRIES + 2 * number) % many
        deal = _noise(played.game, 2 * seats, 4 * TRIES + 2 * number + 1)
        here, there = _places(deal.reshape(2, seats, games)) * games
        one, other = pick.astype(np.int64) * (seats * games) + at  # in ``flat``
        to_one, to_other = one + seat, other + seat  # (seats, games) each
        old = flat.take(to_one), flat.take(to_other)
        new = flat.take(one + there), flat.take(other + here)
        flat[to_other] = new[0]
        flat[to_one] = new[1]
        back = np.flatnonzero((conditions() != fixed).any(axis=0))
        flat[to_one[:, back]] = old[0][:, back]
        flat[to_other[:, back]] = old[1][:, back]
    return gains


def _added_up(gains: Array) -> Array:
    """(rounds, seats, games) sums up to each round; faster than ``cumsum``."""
    values = gains.copy()
    for number in range(1, len(values)):
        values[number] += values[number - 1]
    return values


def _alone(values: Array) -> Array:
    """(games,) whether one seat alone has the best standing."""
    alone: Array = (values == values.max(axis=0)).sum(axis=0) == 1
    return alone


def _winner(played: Standing, values: Array) -> Array:
    """(games,) who wins: whose rank is the winner's in the game as it was played.

    That is the best one where the best standing wins; equals are ranked by lot.
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
    """(rounds, seats, games) a place for each seat, all orders being alike."""
    found = np.zeros(keys.shape, dtype=np.int64)
    for seat in range(keys.shape[1]):
        found += keys[:, seat, None] < keys
    return found


def _noise(game: Array, many: int, purpose: int) -> Array:
    """(many, games) numbers that belong to a game, below 2**63 (SplitMix64).

    Steele, Lea and Flood 2014, Proc. OOPSLA: 453-472.
    """
    counter = np.arange(many, dtype=np.uint64) + np.uint64(purpose << 32)
    z = counter[:, None] * np.uint64(0x9E3779B97F4A7C15) + game.astype(
        np.uint64
    ) * np.uint64(0xD1B54A32D192ED03)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z ^= z >> np.uint64(shift)
        z *= np.uint64(factor)
    z ^= z >> np.uint64(31)
    return z >> np.uint64(1)
