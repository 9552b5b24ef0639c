"""Tricks: following suit and winning, as trick-taking games share them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Mask, Masks


def follow(hand: Masks, lead: Masks, free: Mask) -> Masks:
    """(games,) the cards that may be played.

    A player who holds cards of the ``lead`` suit (a mask; nothing where no suit is led)
    plays one of them or a ``free`` card; a player who holds none may play any card.
    """
    must = hand & lead
    also = masks.from_flags(must == 0)
    also |= free
    also &= hand
    also |= must
    return also


def strongest(cards: Sequence[Masks], contenders: Masks) -> Masks:
    """(games,) the winning card, where a higher bit is a stronger contender.

    ``cards`` are lone bits in playing order, (games,) each; the result is nothing where
    no contender was played.
    """
    best = cards[0] & contenders
    for card in cards[1:]:
        np.maximum(best, card & contenders, out=best)
    return best


def first(cards: Sequence[Masks], wanted: Mask) -> Masks:
    """(games,) the first card played of those ``wanted``; nothing where none is."""
    earliest = cards[-1] & wanted
    for card in cards[-2::-1]:
        hit = card & wanted
        earliest = masks.blend(hit != 0, hit, earliest)
    return earliest


def position(cards: Sequence[Masks], card: Masks) -> NDArray[np.uint8]:
    """(games,) the place in the trick, from 0, at which a card was played."""
    place = np.zeros(card.shape, dtype=np.uint8)
    for turn in range(1, len(cards)):
        place += (cards[turn] == card).view(np.uint8) * np.uint8(turn)
    return place
