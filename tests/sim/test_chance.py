"""Chance belongs to a game: known vectors, no block in it, and fair."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sim import masks
from sim.chance import Chance, Purpose, mix
from sim.shuffles import network

WORD = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
UNLIKELY = 1e-4


def split_mix(state: int) -> int:
    """The finaliser of SplitMix64, in plain numbers."""
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & WORD
    state = (state ^ state >> 27) * 0x94D049BB133111EB & WORD
    return state ^ state >> 31


def plain_bits(seed: int, game: int, purpose: int, counter: int) -> int:
    """What ``bits`` is, one value at a time."""
    start = split_mix(seed + GAMMA & WORD)
    key = split_mix(game * GAMMA + start & WORD)
    key = split_mix(key + (purpose + 1) * GAMMA & WORD)
    return split_mix(key + (counter + 1) * GAMMA & WORD)


def chance(games: int = 1000, seed: int = 1, first: int = 0) -> Chance:
    return Chance(seed, np.arange(first, first + games, dtype=np.uint64))


# The first values of SplitMix64, as the reference implementation prints them
# (Vigna, splitmix64.c), for the seeds 0 and 1234567.
KNOWN = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F],
    1234567: [6457827717110365317, 3203168211198807973, 9817491932198370423],
}


@pytest.mark.parametrize("seed", KNOWN)
def test_mix_is_split_mix(seed: int) -> None:
    states = [seed + (n + 1) * GAMMA & WORD for n in range(3)]
    assert mix(np.array(states, dtype=np.uint64)).tolist() == KNOWN[seed]


def test_mix_works_in_place() -> None:
    value = np.array([1, 2], dtype=np.uint64)
    assert mix(value) is value


@given(
    seed=st.integers(0, WORD),
    game=st.integers(0, WORD),
    purpose=st.sampled_from(Purpose),
    counter=st.integers(0, 2**60),
)
def test_bits_in_plain_numbers(
    seed: int, game: int, purpose: Purpose, counter: int
) -> None:
    found = Chance(seed, np.array([game], dtype=np.uint64)).bits(purpose, counter)
    assert found.tolist() == [plain_bits(seed, game, purpose, counter)]


def everything(some: Chance) -> list[np.ndarray]:
    """A value of each kind."""
    return [
        some.bits(Purpose.DEAL, 3),
        some.short_bits(Purpose.STRATEGY, 7),
        some.short_bits(Purpose.STRATEGY, 8, 2),
        some.below(13, Purpose.TIE, 0),
        some.shuffle(range(42), Purpose.DEAL, 1).T,
        some.shuffle(range(10), Purpose.DRAW, 1, (3, 3)).T,
    ]


def test_values_do_not_depend_on_the_block() -> None:
    whole = everything(chance(100))
    for first, games in ((0, 1), (7, 1), (7, 40), (99, 1)):
        part = everything(chance(games, first=first))
        for one, other in zip(whole, part, strict=True):
            assert (one[first : first + games] == other).all()


def test_values_of_some_rows() -> None:
    rows = np.array([3, 50, 4])
    whole, some = everything(chance(100)), everything(chance(100).take(rows))
    for one, other in zip(whole, some, strict=True):
        assert (one[rows] == other).all()


@pytest.mark.parametrize("size", [3, 80])
def test_small_values_of_some_rows(size: int) -> None:
    """Few rows are drawn alone, many with all; the values are the same."""
    rows = np.arange(0, 100)[::-1][:size].copy()
    for counter in range(6):
        whole = chance(100).short_bits(Purpose.STRATEGY, counter, 1)
        fresh = chance(100)
        some = fresh.short_bits(Purpose.STRATEGY, counter, 1, rows)
        assert (whole[rows] == some).all()
        assert (fresh.short_bits(Purpose.STRATEGY, counter, 1) == whole).all()


def test_values_do_not_depend_on_what_was_drawn_before() -> None:
    fresh, used = chance(50), chance(50)
    for counter in (9, 2, 7, 8, 6):
        used.short_bits(Purpose.STRATEGY, counter)
        used.bits(Purpose.STRATEGY, counter)
    for one, other in zip(everything(fresh), everything(used), strict=True):
        assert (one == other).all()
    assert (everything(used)[0] == everything(used)[0]).all()


def test_streams_differ() -> None:
    """By seed, game, purpose, counter and draw: no value twice in all of them."""
    values = [
        chance(50, seed).bits(purpose, counter)
        for seed in (0, 1, 2**64 - 1)
        for purpose in Purpose
        for counter in range(5)
    ]
    assert len(np.unique(np.concatenate(values))) == 50 * len(values)
    one = chance(50)
    small = {
        tuple(one.short_bits(Purpose.STRATEGY, counter, draw).tolist())
        for counter in range(30)
        for draw in range(4)
    }
    assert len(small) == 120


def test_bits_are_fair_coins() -> None:
    bits = chance(20_000).bits(Purpose.DICE, 0)
    ones = [int(np.count_nonzero(bits & masks.bit(n))) for n in range(64)]
    assert min(stats.binomtest(n, 20_000).pvalue for n in ones) > UNLIKELY


def test_neighbours_are_independent() -> None:
    """Values of the next game and of the next counter tell nothing of this one's."""
    one = chance(50_000)
    this = one.bits(Purpose.DICE, 0) >> np.uint64(60)
    after = one.bits(Purpose.DICE, 1) >> np.uint64(60)
    for other in (after, np.roll(this, 1)):
        counts = np.bincount((this * np.uint64(16) + other).astype(int), minlength=256)
        assert stats.chisquare(counts).pvalue > UNLIKELY


@pytest.mark.parametrize("part", range(3))
def test_small_values_are_uniform(part: int) -> None:
    values = chance(50_000).short_bits(Purpose.STRATEGY, part)
    assert int(values.max()) < 2**masks.CHANCE_BITS
    counts = np.bincount((values >> np.uint64(13)).astype(int), minlength=256)
    assert stats.chisquare(counts).pvalue > UNLIKELY


def test_small_values_that_share_a_draw_are_independent() -> None:
    one = chance(50_000)
    parts = [one.short_bits(Purpose.STRATEGY, n) >> np.uint64(17) for n in range(3)]
    for a, b in ((0, 1), (1, 2), (0, 2)):
        both = (parts[a] * np.uint64(16) + parts[b]).astype(int)
        assert stats.chisquare(np.bincount(both, minlength=256)).pvalue > UNLIKELY


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7, 13, 100])
def test_below(limit: int) -> None:
    counts = np.bincount(chance(60_000).below(limit, Purpose.DICE, 4).astype(int))
    assert len(counts) == limit
    assert limit == 1 or stats.chisquare(counts).pvalue > UNLIKELY


# --- Shuffles -----------------------------------------------------------------------


@pytest.mark.parametrize("size", [*range(1, 20), 43, 57, 64])
def test_shuffle_is_an_order_of_the_cards(size: int) -> None:
    cards = np.random.default_rng(size).permutation(64)[:size].tolist()
    order = chance(300).shuffle(cards, Purpose.DEAL, 2)
    assert order.shape == (size, 300)
    assert (np.sort(order, axis=0) == np.sort(cards)[:, None]).all()


@pytest.mark.parametrize("size", range(2, 17))
def test_network_sorts(size: int) -> None:
    """Whatever zeros and ones it is given, so whatever it is given (Knuth)."""
    lines = (np.arange(2**size) >> np.arange(size)[:, None]) & 1
    for low, high in network(size):
        one, other = lines[low].copy(), lines[high].copy()
        lines[low], lines[high] = np.minimum(one, other), np.maximum(one, other)
    assert (np.diff(lines, axis=0) >= 0).all()


@pytest.mark.parametrize(("size", "piles"), [(43, (7,) * 4), (9, (2, 3)), (12, (12,))])
def test_piles_are_the_same_without_order(size: int, piles: tuple[int, ...]) -> None:
    whole = chance(400).shuffle(range(size), Purpose.DEAL, 0)
    quick = chance(400).shuffle(range(size), Purpose.DEAL, 0, piles)
    assert quick.shape == (sum(piles), 400)
    for first, end in pairwise(np.cumsum([0, *piles])):
        pile = np.sort(quick[first:end], axis=0)
        assert (pile == np.sort(whole[first:end], axis=0)).all()
    assert len(network(size, piles)) < len(network(size))


def test_few_decks_are_shuffled_as_among_many() -> None:
    """They are sorted one by one, others all at once."""
    cards = np.random.default_rng(3).permutation(64)[:57].tolist()
    many = chance(2_000).shuffle(cards, Purpose.DEAL, 1)
    few = chance(2_000).take(np.arange(40)).shuffle(cards, Purpose.DEAL, 1)
    assert few.dtype == many.dtype
    assert (few == many[:, :40]).all()


def test_every_order_comes_as_often() -> None:
    order = chance(120_000, seed=4).shuffle(range(5), Purpose.DEAL, 0)
    code = (order.astype(int).T * 5 ** np.arange(5)).sum(axis=1)
    wanted = [sum(c * 5**n for n, c in enumerate(p)) for p in permutations(range(5))]
    counts = np.array([np.count_nonzero(code == one) for one in wanted])
    assert counts.sum() == 120_000
    assert stats.chisquare(counts).pvalue > UNLIKELY


@pytest.mark.parametrize("size", [13, 43, 64])
def test_every_card_comes_to_every_place(size: int) -> None:
    order = chance(60_000, seed=5).shuffle(range(size), Purpose.DEAL, 0)
    ps = []
    for place in (0, 1, size // 2, size - 1):
        counts = np.bincount(order[place], minlength=size)
        ps.append(stats.chisquare(counts).pvalue)
    assert min(ps) > UNLIKELY


@pytest.mark.parametrize("size", [2, 13, 43, 64])
def test_of_two_neighbours_each_is_as_often_the_higher(size: int) -> None:
    """Cards whose random keys tie are neighbours: the lower number gains nothing.

    Of n cards (n - 1) / 2 steps go up on average, with variance (n + 1) / 12.
    """
    order = chance(40_000, seed=6).shuffle(range(size), Purpose.DEAL, 0)
    up = (order[1:] > order[:-1]).sum(axis=0)
    error = np.sqrt((size + 1) / 12 / 40_000)
    assert abs(up.mean() - (size - 1) / 2) < 4 * error


def test_neighbours_in_a_shuffle_are_any_two() -> None:
    order = chance(60_000, seed=7).shuffle(range(16), Purpose.DEAL, 0).astype(int)
    pairs = np.bincount(order[3] * 16 + order[4], minlength=256)
    counts = pairs.reshape(16, 16)[~np.eye(16, dtype=bool)]
    assert pairs.sum() == counts.sum()
    assert stats.chisquare(counts).pvalue > UNLIKELY


def test_counters_of_their_own_give_the_values_of_one_for_all() -> None:
    chance, rows = Chance(3, np.arange(50, dtype=np.uint64)), np.array([4, 7, 49])
    counters = np.array([[5, 9, 5], [6, 6, 6]], dtype=np.uint64)
    found = chance.bits(Purpose.DRAW, counters, rows)
    for line, of_line in zip(found, counters, strict=True):
        for value, counter, row in zip(line, of_line, rows, strict=True):
            assert value == chance.bits(Purpose.DRAW, int(counter))[row]


def test_chance_that_is_behind_draws_what_was_drawn_before() -> None:
    """Also of some rows, and where the values were drawn before."""
    one, late = chance(20), np.arange(20, dtype=np.uint64) * np.uint64(7)
    counts = late // np.uint64(7)
    other = one.lagging({Purpose.DICE: late, Purpose.DRAW: counts})
    rows = np.array([3, 3, 19])
    for some, of in ((other, np.arange(20)), (other.take(rows), rows)):
        dice = one.bits(Purpose.DICE, np.uint64(500) - late.take(of), of)
        assert (some.bits(Purpose.DICE, 500) == dice).all()
        drawn = [
            one.short_bits(Purpose.DRAW, 100 - 3 * int(counts[row]))[row] for row in of
        ]
        assert (some.short_bits(Purpose.DRAW, 100) == drawn).all()
        tie = one.bits(Purpose.TIE, 5).take(of)
        assert (some.bits(Purpose.TIE, 5) == tie).all()
