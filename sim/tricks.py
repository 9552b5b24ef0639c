"""Following suit, and who wins a trick: what trick-taking games share."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Mask, Masks


def follow(hand: Masks, lead: Masks, free: Mask) -> Masks:
    """The cards that may be played.

    Who holds a card of the ``lead`` suit (a mask; nothing where no suit is led)
    plays one of them or a ``free`` card; who holds none plays anything.
    """
    must = hand & lead
    also = masks.from_flags(must == 0)
    also |= free
    also &= hand
    also |= must
    return also


def strongest(cards: Sequence[Masks], contenders: Masks) -> Masks:
    """The winning card where bit order is strength among the contenders.

    ``cards`` are lone bits in playing order, (games,) each; nothing where no
    contender was played.
    """
    best = cards[0] & contenders
    for card in cards[1:]:
        np.maximum(best, card & contenders, out=best)
    return best


def first(cards: Sequence[Masks], wanted: Mask) -> Masks:
    """The first card played that is one of ``wanted``; nothing where none is."""
    found = cards[-1] & wanted
    for card in cards[-2::-1]:
        hit = card & wanted
        found = masks.blend(hit != 0, hit, found)
    return found


def position(cards: Sequence[Masks], card: Masks) -> NDArray[np.uint8]:
    """When a card was played: 0 first; each of ``cards`` is on the table once."""
    place = np.zeros(card.shape, dtype=np.uint8)
    for turn in range(1, len(cards)):
        place += (cards[turn] == card).view(np.uint8) * np.uint8(turn)
    return place
