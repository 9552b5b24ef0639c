"""The option that is worth most: considered one by one, or all at once."""

import numpy as np

from sim import masks
from strategies.best_options import BestOptions


def test_all_at_once_is_as_one_after_the_other():
    chance, one, every = np.random.default_rng(5), BestOptions(40), BestOptions(40)
    parts = []
    for option in range(6):
        rows = np.flatnonzero(chance.random(40) < 0.5)
        worth = chance.integers(0, 3, len(rows)).astype(np.float64)
        parts.append((rows, np.full(len(rows), masks.bit(option)), worth))
    for part in parts:
        one.consider(*part)
    for some in (parts[:2], parts[2:]):  # what was considered before still counts
        every.consider_all(*map(np.concatenate, zip(*some, strict=True)))
    assert (every.options == one.options).all()
    assert (every.worth == one.worth).all()
    of = np.repeat(np.arange(40), 6)
    answer = masks.ONE << np.tile(np.arange(6, dtype=np.uint64), 40)
    assert (every.worth_of(of, answer) == one.worth_of(of, answer)).all()
