"""Hidden cards are drawn anew: as many as there are, in the order of the bits."""

import numpy as np

from sim import masks
from sim.redeal import draw, draw_each


def test_the_first_cards_of_the_pool_are_drawn_in_their_order() -> None:
    chance = np.random.default_rng(5)
    pool, like = (chance.integers(0, 1 << 20, (2, 50)).astype(np.uint64)) >> np.array(
        [[0], [12]], dtype=np.uint64
    )
    order = np.argsort(chance.random((64, 50)), axis=0).astype(np.uint16)
    drawn = draw(pool, like, order)
    for row in range(50):
        cards = [n for n in order[:, row].tolist() if int(pool[row]) >> n & 1]
        size = int(masks.count(like)[row])
        assert masks.members(drawn[row]) == sorted(cards[:size])


def test_nothing_is_drawn_where_nothing_is_hidden() -> None:
    pool, order = np.full(3, 7, dtype=np.uint64), np.zeros((64, 3), dtype=np.uint16)
    assert not draw(pool, np.zeros_like(pool), order).any()


def test_each_place_draws_from_what_those_before_it_left() -> None:
    chance = np.random.default_rng(6)
    pool = chance.integers(0, 1 << 40, 600).astype(np.uint64) | np.uint64(0xFFF)
    sizes = chance.integers(0, 4, (4, 600)).astype(np.uint8)
    order = np.argsort(chance.random((64, 600)), axis=0).astype(np.uint16)
    left = pool.copy()
    for size, drawn in zip(sizes, draw_each(pool, sizes, order), strict=True):
        like = (masks.ONE << size.astype(np.uint64)) - masks.ONE
        assert np.array_equal(drawn, draw(left, like, order))
        left ^= drawn
