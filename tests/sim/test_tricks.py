"""Following suit and winning tricks, against the plainest reading."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim import masks, tricks

SUITS = [masks.span(4 * suit, 4) for suit in range(3)]
FREE = masks.span(12, 4)
HAND = st.sets(st.integers(0, 15), min_size=1)
LEAD = st.sampled_from([masks.NOTHING, *SUITS])


def one(mask: np.uint64) -> masks.Masks:
    return np.array([mask], dtype=np.uint64)


@given(st.lists(st.tuples(HAND, LEAD), min_size=1))
def test_follow(rows: list[tuple[set[int], np.uint64]]) -> None:
    hands = np.array([masks.union(hand) for hand, _ in rows], dtype=np.uint64)
    leads = np.array([lead for _, lead in rows], dtype=np.uint64)
    before = hands.copy()
    legal = tricks.follow(hands, leads, FREE)
    assert (hands == before).all()
    for (hand, lead), options in zip(rows, legal, strict=True):
        led = set(masks.members(lead))
        free = set(masks.members(FREE))
        wanted = hand & (led | free) if hand & led else hand
        assert set(masks.members(options)) == wanted


TRICK = st.lists(st.integers(0, 63), min_size=1, max_size=6, unique=True)


@given(TRICK, st.sets(st.integers(0, 63)))
def test_strongest_and_first(cards: list[int], wanted: set[int]) -> None:
    lone = [one(masks.bit(card)) for card in cards]
    contenders = masks.union(wanted)
    among = [card for card in cards if card in wanted]
    strongest = tricks.strongest(lone, one(contenders))[0]
    assert masks.members(strongest) == ([max(among)] if among else [])
    assert masks.members(tricks.first(lone, contenders)[0]) == among[:1]


@given(TRICK, st.data())
def test_position(cards: list[int], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(cards) - 1))
    lone = [one(masks.bit(card)) for card in cards]
    assert tricks.position(lone, lone[place])[0] == place


def test_many_tricks_at_once() -> None:
    dice = np.random.default_rng(2)
    cards = masks.ONE << dice.permuted(
        np.tile(np.arange(40, dtype=np.uint64), (200, 1)), axis=1
    )[:, :5].T.astype(np.uint64)
    contenders = dice.integers(0, 2**40, 200, dtype=np.uint64)
    strongest = tricks.strongest(list(cards), contenders)
    place = tricks.position(list(cards), strongest)
    for game in range(200):
        able = [int(card) for card in cards[:, game] & contenders[game] if card]
        assert int(strongest[game]) == max(able, default=0)
        if able:
            assert int(cards[place[game], game]) == max(able)
