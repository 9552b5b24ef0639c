"""Random numbers that belong to a game, not to a batch.

Every random value is a pure function of (seed, game, purpose, counter). So game 4711
is the same alone or in a block, in one process or in sixteen, and two rule variants
see the same shuffles as long as they draw for the same purpose at the same count
(common random numbers).

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014) run as a counter: each game and
purpose has a key, and value number ``c`` is the finaliser of
``key + (c + 1) * gamma``.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Masks
from sim.shuffles import FEW_DECKS, deal_by_keys, shuffle_by_keys

_GAMMA = 0x9E3779B97F4A7C15
_STEP = masks.constant(_GAMMA)
_MIX1 = masks.constant(0xBF58476D1CE4E5B9)
_MIX2 = masks.constant(0x94D049BB133111EB)
_WORD = (1 << 64) - 1
_SMALL = masks.constant((1 << masks.CHANCE_BITS) - 1)
_S27, _S30, _S31 = masks.constant(27), masks.constant(30), masks.constant(31)
Counter = int | Masks  # one for all games, or one for each
Rows = NDArray[np.int64]
# A draw made for all rows serves three counters, so it pays unless fewer than one row
# in so many asks for it
_FEW_ROWS_SHARE = 4
_IMAGINED = 1 << 62  # counters beyond those of any decision
_DECKS = 2_048  # dealt at a time: their keys stay in the cache
# Five keys of 10 bits in 64; the low six are the flip
KEYS, _KEY_BITS = 5, np.uint64(10)


class Purpose(IntEnum):
    """What a random value is drawn for; each purpose has a stream of its own."""

    START = 1  # who starts, who deals first
    DEAL = 2
    DRAW = 3
    DICE = 4
    TIE = 5
    STRATEGY = 6
    HIDDEN = 7  # dealing anew what a seat cannot see (checks, search)
    TRIAL = 8  # experiments on deals


_DEALT = (Purpose.START, Purpose.DEAL)  # stay the same when a deal is replicated
_PURPOSES = 16  # more than there are, so that replicates have keys of their own


def mix(value: Masks) -> Masks:
    """Scramble each 64-bit value, in place (the finaliser of SplitMix64)."""
    shifted = value >> _S30
    value ^= shifted
    value *= _MIX1
    value ^= np.right_shift(value, _S27, out=shifted)
    value *= _MIX2
    value ^= np.right_shift(value, _S31, out=shifted)
    return value


def _step(counter: int) -> np.uint64:
    return np.uint64((counter + 1) * _GAMMA & _WORD)


def _steps(counter: Masks) -> Masks:
    steps = counter + masks.ONE
    steps *= _STEP
    return steps


class Chance:
    """The random numbers of a batch of games.

    ``games`` (games,) are the indices of the games in their run.
    """

    def __init__(self, seed: int, games: NDArray[np.uint64]) -> None:
        start = mix(np.array([seed & _WORD], dtype=np.uint64) + _step(0))
        key = games * np.uint64(_GAMMA)
        key += start
        self._keys = {0: mix(key)}
        self._again: Counter = 0  # which replicate of its deal each game is
        self._last: dict[int, tuple[tuple[int, int], Masks]] = {}  # of ``short_bits``

    def bits(
        self, purpose: Purpose, counter: Counter, rows: Rows | None = None
    ) -> Masks:
        """(games,) 64 random bits each; (rows,) for these rows only."""
        key = self._key(purpose)
        if rows is not None:
            key = key.take(rows)
        if isinstance(counter, int):
            return mix(key + _step(counter))
        steps = _steps(counter)
        steps += key
        return mix(steps)

    def short_bits(
        self,
        purpose: Purpose,
        counter: Counter,
        draw: int = 0,
        rows: Rows | None = None,
    ) -> Masks:
        """(games,) ``CHANCE_BITS`` random bits each; (rows,) for these rows only.

        ``draw`` distinguishes several values of the same counter. Why the cache: three
        consecutive counters that all rows share are cut from the same 64 bits, which
        are kept until the next three, so that two in three draws cost a shift.
        """
        if not isinstance(counter, int):
            if draw:
                counter = counter + np.uint64(draw << 48)
            bits = self.bits(purpose, counter, rows)
            bits &= _SMALL
            return bits
        group, part = divmod(counter, 3)
        wanted = (int(purpose), group)
        cached = self._last.get(draw)
        if cached is not None and cached[0] == wanted:
            bits = cached[1] if rows is None else cached[1].take(rows)
        elif rows is not None and len(rows) < len(self._keys[0]) // _FEW_ROWS_SHARE:
            bits = self.bits(purpose, group + (draw << 40), rows)
        else:
            bits = self.bits(purpose, group + (draw << 40))
            self._last[draw] = (wanted, bits)
            if rows is not None:
                bits = bits.take(rows)
        if part == 0:
            return bits & _SMALL
        bits = bits >> np.uint64(masks.CHANCE_BITS * part + 1)
        if part == 1:
            bits &= _SMALL
        return bits

    @classmethod
    def concatenate(cls, parts: "Sequence[Chance]") -> "Chance":
        """The random numbers of all these games, one batch after the other."""
        sizes = [len(part._keys[0]) for part in parts]
        again = np.array([part._again for part in parts], dtype=np.uint64)
        other = object.__new__(Chance)
        other._keys = {0: np.concatenate([part._keys[0] for part in parts])}
        other._again = again.repeat(sizes) if again.any() else 0
        other._last = {}
        return other

    def take(self, rows: Rows) -> "Chance":
        """The random numbers of these rows only, unchanged."""
        other = object.__new__(Chance)
        other._keys = {purpose: key.take(rows) for purpose, key in self._keys.items()}
        again = self._again
        other._again = again if isinstance(again, int) else again.take(rows)
        other._last = {}
        return other

    def replicate(self, number: Counter) -> "Chance":
        """The same deals and starters, with everything else drawn anew.

        ``number`` is which replicate this is; 0 is the game itself.
        """
        other = self.copy()
        other._again = number
        other._keys = {0: other._keys[0]}
        return other

    def copy(self) -> "Chance":
        """An independent copy."""
        other = object.__new__(Chance)
        other._keys = {purpose: key.copy() for purpose, key in self._keys.items()}
        again = self._again
        other._again = again if isinstance(again, int) else again.copy()
        other._last = {}
        return other

    def imagined(self, counter: Counter, rows: Rows, sample: Masks) -> "Chance":
        """The random numbers of determinizations of these rows.

        Each is a function of the game, ``counter`` (one, or one for each of ``rows``)
        and the number of its ``sample`` alone. It reveals nothing about the real game's
        future, as it comes from the stream of the strategy that searches.
        """
        start = counter + _IMAGINED if isinstance(counter, int) else counter.copy()
        if not isinstance(start, int):
            start += np.uint64(_IMAGINED)
        key = self.bits(Purpose.STRATEGY, start, rows)
        key += _steps(sample)
        other = object.__new__(Chance)
        other._keys = {0: mix(key)}
        other._again = 0
        other._last = {}
        return other

    def lagging(self, counts: Mapping[Purpose, Masks]) -> "Chance":
        """Random numbers whose counters lag by ``counts`` (games,), for each purpose.

        Count ``c`` then draws what ``c`` less the lag drew before. So games that stand
        at different counts can be played on together with one shared counter.
        """
        other = self.copy()
        for purpose, lag in counts.items():
            other._keys[purpose] = self._key(purpose) - lag * _STEP
        return other

    def replace(self, rows: Rows, other: "Chance") -> None:
        """Turn these rows into other games, those of ``other``."""
        if isinstance(self._again, int):
            other = other.replicate(self._again)
        else:
            self._again[rows] = other._again
        for purpose, key in self._keys.items():
            key[rows] = other._key(purpose) if purpose else other._keys[0]
        self._last = {}

    def _key(self, purpose: int) -> Masks:
        """(games,) the key of a stream, made when it is first drawn from."""
        key = self._keys.get(purpose)
        if key is None:
            again, number = self._again, int(purpose)
            if number in _DEALT:
                step: Masks | np.uint64 = _step(number)
            elif isinstance(again, int):
                step = _step(number + _PURPOSES * again)
            else:
                step = _steps(again * np.uint64(_PURPOSES) + np.uint64(number))
            key = mix(self._keys[0] + step)
            self._keys[purpose] = key
        return key

    def below(self, limit: int, purpose: Purpose, counter: int) -> Masks:
        """(games,) a whole number from 0 to ``limit`` - 1 each."""
        high = self.bits(purpose, counter) >> np.uint64(32)
        return high * np.uint64(limit) >> np.uint64(32)

    def shuffle(
        self,
        cards: Sequence[int],
        purpose: Purpose,
        counter: int,
        piles: tuple[int, ...] = (),
    ) -> NDArray[np.uint16]:
        """Shuffle these cards (different numbers below 64), (cards, games).

        ``piles`` are sizes: the first so many cards are the first pile, and so on. The
        order within a pile is then left undone, and cards of no pile are left out,
        which is faster.
        """
        words = max(1, -(-len(cards) // KEYS))
        start = self._key(purpose)
        keys = np.empty((words, KEYS, len(start)), dtype=np.uint16)
        steps = _steps(np.arange(words, dtype=np.uint64) + np.uint64(counter * 32))
        at_once = words if len(start) <= FEW_DECKS else 1
        for word in range(0, words, at_once):
            here = slice(word, word + at_once)
            bits = mix(steps[here, None] + start)
            if word == 0:
                flip = bits[0].astype(np.uint16)
            for part in range(KEYS):
                keys[here, part] = bits
                bits >>= _KEY_BITS
        return shuffle_by_keys(cards, keys.reshape(words * KEYS, -1), flip, piles)

    def row_keys(
        self, size: int, purpose: Purpose, counter: int, rows: Rows
    ) -> NDArray[np.uint16]:
        """(rows, size) sorting keys of 16 random bits, for few decks.

        A tie goes to the lower of two cards, which favours it by less than 2**-17.
        """
        words = np.arange(-(-size // 4), dtype=np.uint64)
        words += np.uint64(counter * 64)
        keys = self._key(purpose).take(rows)[:, None] + _steps(words)
        return mix(keys).view(np.uint16)[:, :size]

    def deal_rows(
        self,
        cards: Sequence[int],
        purpose: Purpose,
        counter: Masks,
        rows: Rows,
        piles: tuple[int, ...],
    ) -> Masks:
        """The piles of ``shuffle`` as sets, (piles, rows), with a counter for each row.

        Why deck by deck: for few decks the number of numpy calls decides, not the work.
        Why ``_DECKS`` at a time: so that their keys stay in the cache.
        """
        words = np.arange(max(1, -(-len(cards) // KEYS)), dtype=np.uint64)
        words *= _STEP
        start = _steps(counter * np.uint64(32))
        start += self._key(purpose).take(rows)
        dealt = np.empty((len(piles), len(rows)), dtype=np.uint64)
        for first in range(0, len(rows), _DECKS):
            here = slice(first, first + _DECKS)
            bits = mix(start[here, None] + words)
            flip = bits[:, 0].astype(np.uint16)
            keys = np.empty((*bits.shape, KEYS), dtype=np.uint16)
            for part in range(KEYS):
                keys[..., part] = bits
                bits >>= _KEY_BITS
            deal_by_keys(
                cards, keys.reshape(len(keys), -1), flip, piles, dealt[:, here]
            )
        return dealt


Seed = int | Chance
"""The seed of a run, or the random numbers of its games where they are of several."""


def of_seed(seed: Seed, games: NDArray[np.uint64]) -> Chance:
    """The random numbers of the games with these indices (games,)."""
    return seed if isinstance(seed, Chance) else Chance(seed, games)
