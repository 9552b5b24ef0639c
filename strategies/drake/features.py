"""Features of a table of the Drake: afterstates of options, and how near Virtues are.

All are computed from what a view shows. An afterstate is the table as it may be after
an option. Where an unknown card decides there are two, each with its probability.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.drake.layout import (
    FIRE,
    IN_PLAY,
    KNIGHT,
    MAIDEN,
    PRIDE,
    SWALLOW,
    TREASURE,
    CardAction,
)
from sim.drake.view import DrakeView
from sim.masks import Counts, Mask
from sim.view import Rows

Numbers = NDArray[np.float64]
PILES = (MAIDEN, TREASURE, KNIGHT)
"""The pile of each Virtue but Pride."""
SHUFFLE = "shuffle_all_discards"


class Afterstate(NamedTuple):
    """A table as it may be; numbers of cards by pile or deck, (..., rows) each."""

    piles: Numbers  # (3,)
    left: Numbers  # (3,) in the decks; -1 where an empty one was chosen
    gone: Numbers  # (3,) discarded
    waiting: Numbers  # (2,) Maidens and Knights in play
    risk: Numbers  # (2,) that the next Knight burns a Maiden, a Treasure robs a Knight
    shuffles: Numbers  # cards that lie where they can shuffle all discards back

    def plus(self, field: str, place: int, number: Numbers | float) -> "Afterstate":
        """This afterstate with ``number`` more at a place of a field."""
        value: Numbers = getattr(self, field).copy()
        value[place] += number
        return self._replace(**{field: value})

    def take(self, rows: Rows) -> "Afterstate":
        """The afterstate in these rows."""
        return Afterstate(*(field.take(rows, axis=-1) for field in self))


def concatenate(looks: Iterable[Afterstate]) -> Afterstate:
    """The rows of several afterstates, one after the other."""
    fields = zip(*looks, strict=True)
    return Afterstate(*(np.concatenate(field, axis=-1) for field in fields))


Afterstates = Iterator[tuple[Numbers | float, Afterstate]]
"""Afterstates, each with its probability."""


def now(view: DrakeView) -> Afterstate:
    """The table as it is."""
    shuffles = np.zeros(len(view))
    for action in view.layout.actions:
        if action.effect == SHUFFLE:
            shuffles += _lying(view, action)
    return Afterstate(
        piles=view.piles.astype(np.float64),
        left=view.decks.astype(np.float64),
        gone=view.discards.astype(np.float64),
        waiting=(view.in_play > 0).astype(np.float64),
        risk=_risk(view),
        shuffles=shuffles,
    )


def _lying(view: DrakeView, action: CardAction) -> Numbers:
    """(rows,) how many copies of a card lie where it can be used."""
    if action.place == IN_PLAY:
        return (view.in_play[action.deck] == action.card).astype(np.float64)
    line = view.layout.lines[action.deck]
    lying: Numbers = (view.lying[line] == action.card).sum(axis=0, dtype=np.float64)
    return lying


def _risk(view: DrakeView) -> Numbers:
    """(2, rows) how likely the rightmost Maiden and Knight are beaten next.

    For a Knight in play this is known; else any card left in the deck may come.
    """
    layout, (maiden, knight, _) = view.layout, view.rightmost
    chastity = layout.number("chastity", maiden)
    wealth = layout.number("wealth", knight)
    burns = _share(view, KNIGHT, "strength", chastity)
    robs = _share(view, TREASURE, "value", wealth)
    waiting = view.in_play[KNIGHT]
    known = layout.number("strength", waiting) > chastity
    return np.stack([np.where(waiting > 0, known, burns), robs])


def _share(view: DrakeView, deck: int, number: str, than: Counts) -> Numbers:
    """(rows,) the share of the cards left in a deck that have more; 0 of none."""
    codes = view.layout.kinds[deck]
    left = view.left.take(codes, axis=0)
    beats = view.layout.numbers[number].take(codes)[:, None] > than
    more = (left * beats).sum(axis=0, dtype=np.uint8)
    share: Numbers = more / np.maximum(left.sum(axis=0, dtype=np.uint8), 1)
    return share


# --- Afterstates of options ----------------------------------------------------------


def after(view: DrakeView, look: Afterstate, option: Mask) -> Afterstates:
    """The afterstates of an option, in these or other rows."""
    if view.kind.name == "play":
        return _played(view, look, int(masks.index(np.array([option]))[0]))
    for action in view.layout.actions:
        if option == action.option:
            return iter([(1.0, _used(look, action))])
    if option == SWALLOW:
        return iter([(1.0, _swallowed(look))])
    return _fired(look) if option == FIRE else iter([(1.0, look)])


def _played(view: DrakeView, look: Afterstate, deck: int) -> Afterstates:
    """A card of a deck is played; a Maiden is swallowed, fire breathed if it can be."""
    look = look.plus("left", deck, -1.0)
    if deck == TREASURE:
        look = look.plus("piles", TREASURE, 1.0)
        return _perhaps(look, KNIGHT, look.risk[KNIGHT])
    look = look.plus("waiting", deck, 1.0)
    knight = look.waiting[KNIGHT] > 0
    return (
        (chance * branch, after)
        for branch, outlooks in (
            (~knight, [(1.0, _swallowed(look))]),
            (knight, _fired(look)),
        )
        if branch.any()
        for chance, after in outlooks
    )


def _swallowed(look: Afterstate) -> Afterstate:
    return look.plus("waiting", MAIDEN, -1.0).plus("piles", MAIDEN, 1.0)


def _fired(look: Afterstate) -> Afterstates:
    look = look.plus("waiting", KNIGHT, -1.0).plus("piles", KNIGHT, 1.0)
    return _perhaps(look, MAIDEN, look.risk[MAIDEN])


def _perhaps(look: Afterstate, pile: int, chance: Numbers) -> Afterstates:
    """The rightmost card of a pile is discarded with this chance, or else stays."""
    yield 1 - chance, look
    yield chance, look.plus("piles", pile, -1.0).plus("gone", pile, 1.0)


def _used(look: Afterstate, action: CardAction) -> Afterstate:
    """The afterstate of using a card: the cost first, then the effect."""
    if action.pays:
        where = "waiting" if action.place == IN_PLAY else "piles"
        look = look.plus(where, action.deck, -1.0).plus("gone", action.deck, 1.0)
    if action.effect == SHUFFLE:
        back = look._replace(left=look.left + look.gone, gone=np.zeros_like(look.gone))
        return back._replace(shuffles=look.shuffles - action.pays)
    if action.effect in ("discard_rightmost", "discard_in_play"):
        where = "piles" if action.effect == "discard_rightmost" else "waiting"
        number = np.minimum(getattr(look, where)[action.where], 1.0)
        look = look.plus(where, action.where, -number)
        return look.plus("gone", action.where, number)
    return look


# --- How near Virtues are -----------------------------------------------------------


def needs(view: DrakeView, look: Afterstate) -> Numbers:
    """(virtues, rows) cards that each must still see played, at best.

    For Pride, the cards of the smallest deck.
    """
    needed = np.empty((PRIDE + 1, look.piles.shape[1]))
    np.subtract(view.rules.goal, look.piles.take(PILES, axis=0), out=needed[:PRIDE])
    empties = look.left + (view.rules.exhaust_when == "draw_from_empty")
    np.min(empties, axis=0, out=needed[PRIDE])
    return needed


def far(view: DrakeView, look: Afterstate) -> Numbers:
    """(virtues, rows) as ``needs``, and four more for each card that cannot come."""
    found = needs(view, look)
    found[:PRIDE] += 4 * np.maximum(lacks(view, look), 0)
    return found


def lacks(view: DrakeView, look: Afterstate) -> Numbers:
    """(virtues but Pride, rows) cards that a pile lacks, though all left come to it.

    Nothing or less, as -2: it is full before, unless three more are discarded.
    """
    found: Numbers = look.piles + reach(view, look)
    return view.rules.goal - found.take(PILES, axis=0)


def reach(view: DrakeView, look: Afterstate) -> Numbers:
    """(piles, rows) cards that can come to a pile before its deck is exhausted.

    The last Maiden and Knight come too late, if the deck then is: Pride wins at once.
    """
    cards = np.maximum(look.left, 0)
    cards[:TREASURE] += look.waiting
    if view.rules.exhaust_when == "empty":
        cards[:TREASURE] -= 1
    return cards
