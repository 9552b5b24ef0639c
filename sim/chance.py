"""Chance that belongs to a game, not to a batch.

Every random value is a pure function of (seed, game, purpose, counter). So
game 4711 is the same alone or in a block, in one process or in sixteen, and
two rule variants see the same shuffles as long as they draw for the same
purpose at the same count (common random numbers).

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
_FEW_ROWS_SHARE = (
    4  # a value shared by three counters is made for all rows, unless fewer need it
)
_IMAGINED = 1 << 62  # counters beyond those of any decision
_DECKS = 2_048  # dealt at a time
KEYS, _KEY_BITS = 5, np.uint64(10)  # of 10 bits in 64; the low six are for a flip


class Purpose(IntEnum):
    """What a random value is drawn for; each has a stream of its own."""

    START = 1  # who starts, who deals first
    DEAL = 2
    DRAW = 3
    DICE = 4
    TIE = 5
    STRATEGY = 6
    HIDDEN = 7  # re-dealing what a seat cannot see (checks, search)
    TRIAL = 8  # experiments on deals


_DEALT = (Purpose.START, Purpose.DEAL)  # what stays when a deal is played again
_PURPOSES = 16  # more than there are


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
    """The random values of some games.

    ``games`` (games,) are the indices of the games in their run.
    """

    def __init__(self, seed: int, games: NDArray[np.uint64]) -> None:
        start = mix(np.array([seed & _WORD], dtype=np.uint64) + _step(0))
        key = games * np.uint64(_GAMMA)
        key += start
        self._keys = {0: mix(key)}
        self._again: Counter = 0  # the number of the play of each game's deal
        self._last: dict[int, tuple[tuple[int, int], Masks]] = {}

    def bits(
        self, purpose: Purpose, counter: Counter, rows: Rows | None = None
    ) -> Masks:
        """64 random bits for each game, or for these rows only."""
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
        """``CHANCE_BITS`` random bits for each game, or for these rows only.

        ``draw`` tells several values of the same counter apart. Three counters that
        all rows share, one after the other, share 64 bits; a few rows cost little.
        """
        if not isinstance(counter, int):
            if draw:
                counter = counter + np.uint64(draw << 48)
            bits = self.bits(purpose, counter, rows)
            bits &= _SMALL
            return bits
        group, part = divmod(counter, 3)
        wanted = (int(purpose), group)
        kept = self._last.get(draw)
        if kept is not None and kept[0] == wanted:
            bits = kept[1] if rows is None else kept[1].take(rows)
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
        """The chance of all these games, one after the other."""
        sizes = [len(part._keys[0]) for part in parts]
        again = np.array([part._again for part in parts], dtype=np.uint64)
        other = object.__new__(Chance)
        other._keys = {0: np.concatenate([part._keys[0] for part in parts])}
        other._again = again.repeat(sizes) if again.any() else 0
        other._last = {}
        return other

    def take(self, rows: Rows) -> "Chance":
        """The chance of these rows only, with the values that they had."""
        other = object.__new__(Chance)
        other._keys = {purpose: key.take(rows) for purpose, key in self._keys.items()}
        again = self._again
        other._again = again if isinstance(again, int) else again.take(rows)
        other._last = {}
        return other

    def replicate(self, number: Counter) -> "Chance":
        """Chance with these deals and starters; all else is drawn anew by number."""
        other = self.copy()
        other._again = number
        other._keys = {0: other._keys[0]}
        return other

    def copy(self) -> "Chance":
        """A copy, whose arrays are its own."""
        other = object.__new__(Chance)
        other._keys = {purpose: key.copy() for purpose, key in self._keys.items()}
        again = self._again
        other._again = again if isinstance(again, int) else again.copy()
        other._last = {}
        return other

    def imagined(self, counter: Counter, rows: Rows, sample: Masks) -> "Chance":
        """Chance of imagined games: these rows, in samples of these numbers.

        Each is a function of the game, ``counter`` (one, or one for each of ``rows``)
        and the number of the sample alone, and tells nothing of what is really to come:
        it is drawn from the chance of whoever imagines them.
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
        """Chance that is so many counts (games,) behind, by purpose, in each game.

        What is drawn by count ``c`` is what was by ``c`` less these. So games that are
        at different counts may go on with the same one.
        """
        other = self.copy()
        for purpose, late in counts.items():
            other._keys[purpose] = self._key(purpose) - late * _STEP
        return other

    def replace(self, rows: Rows, other: "Chance") -> None:
        """These rows are other games from now on; ``other`` has their values."""
        if isinstance(self._again, int):
            other = other.replicate(self._again)
        else:
            self._again[rows] = other._again
        for purpose, key in self._keys.items():
            key[rows] = other._key(purpose) if purpose else other._keys[0]
        self._last = {}

    def _key(self, purpose: int) -> Masks:
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
        """A whole number from 0 to ``limit`` - 1 for each game."""
        high = self.bits(purpose, counter) >> np.uint64(32)
        return high * np.uint64(limit) >> np.uint64(32)

    def shuffle(
        self,
        cards: Sequence[int],
        purpose: Purpose,
        counter: int,
        piles: tuple[int, ...] = (),
    ) -> NDArray[np.uint16]:
        """These cards (different numbers below 64) in random order, (cards, games).

        With ``piles`` the first so many are the first pile, and so on: then the
        order within a pile is left undone and the rest left out, which is faster.
        """
        words = max(1, -(-len(cards) // KEYS))
        start = self._key(purpose)
        keys = np.empty((words, KEYS, len(start)), dtype=np.uint16)
        steps = _steps(np.arange(words, dtype=np.uint64) + np.uint64(counter * 32))
        at_once = words if len(start) <= FEW_DECKS else 1
        for word in range(0, words, at_once):
            some = slice(word, word + at_once)
            bits = mix(steps[some, None] + start)
            if word == 0:
                flip = bits[0].astype(np.uint16)
            for part in range(KEYS):
                keys[some, part] = bits
                bits >>= _KEY_BITS
        return shuffle_by_keys(cards, keys.reshape(words * KEYS, -1), flip, piles)

    def row_keys(
        self, size: int, purpose: Purpose, counter: int, rows: Rows
    ) -> NDArray[np.uint16]:
        """(rows, size) 16 random bits each, to sort few decks by.

        That the lower of two cards wins a tie favours it by less than 2**-17.
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

        Deck by deck, for numpy's calls are what few decks wait for, and some decks at a
        time, so that their keys stay in cache.
        """
        words = np.arange(max(1, -(-len(cards) // KEYS)), dtype=np.uint64)
        words *= _STEP
        start = _steps(counter * np.uint64(32))
        start += self._key(purpose).take(rows)
        dealt = np.empty((len(piles), len(rows)), dtype=np.uint64)
        for first in range(0, len(rows), _DECKS):
            some = slice(first, first + _DECKS)
            bits = mix(start[some, None] + words)
            flip = bits[:, 0].astype(np.uint16)
            keys = np.empty((*bits.shape, KEYS), dtype=np.uint16)
            for part in range(KEYS):
                keys[..., part] = bits
                bits >>= _KEY_BITS
            deal_by_keys(
                cards, keys.reshape(len(keys), -1), flip, piles, dealt[:, some]
            )
        return dealt


Seed = int | Chance
"""The seed of a run, or the chance of its games where they are of several."""


def of_seed(seed: Seed, games: NDArray[np.uint64]) -> Chance:
    """The chance of the games with these indices, ``games`` (games,)."""
    return seed if isinstance(seed, Chance) else Chance(seed, games)
