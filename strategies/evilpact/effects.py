"""What a spell would do at best, for whoever casts it."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.evilpact.layout import CTHUGHA, CTHULHU, EIHORT, NYARLATHOTEP, UPPER
from sim.evilpact.view import EvilpactView
from sim.masks import Masks
from sim.view import Rows
from strategies.best import Best
from strategies.evilpact import features
from strategies.evilpact.features import Change, Judge, Numbers

OWN, OTHER = 1, -1  # who casts: this seat, or the opponent
_TOGETHER = 65_536  # rows of all ways: more do not fit the cache
_SECOND = 0.5  # what a second card excluded is worth, by the first


Changes = Sequence[tuple[int, float]]  # of margins, as a judge is told them


def judged(judge: Judge, ways: Sequence[tuple[Rows, Changes]]) -> Sequence[Numbers]:
    """(rows,) what each way to change margins is worth, in rows of a view.

    All ways have as many changes. They are judged together, as long as they are few.
    """
    counts = [len(rows) for rows, _ in ways]
    if not ways or sum(counts) > _TOGETHER:
        return [judge.changed(rows, *changes) for rows, changes in ways]
    every, changed = zip(*ways, strict=True)
    columns: list[Change] = []
    for one in zip(*changed, strict=True):
        elements, gained = zip(*one, strict=True)
        columns.append((np.repeat(elements, counts), np.repeat(gained, counts)))
    worth = judge.changed(np.concatenate(every), *columns)
    return np.split(worth, np.cumsum(counts)[:-1])


def _best(
    view: EvilpactView, judge: Judge, who: int, ways: Iterable[tuple[Masks, Changes]]
) -> Best:
    """Of ways to change margins, with the cards to choose, what is best for a side."""
    best, there, options = Best(len(view)), [], []
    for cards, changes in ways:
        rows = masks.holding(cards, masks.ANYTHING)
        if len(rows):
            there.append((rows, changes))
            options.append(cards.take(rows))
    found = judged(judge, there)
    for (rows, _), cards, worth in zip(there, options, found, strict=True):
        best.consider(rows, cards, who * worth)
    return best


def exclusion(view: EvilpactView, judge: Judge, cards: Masks, who: int = OWN) -> Best:
    """Of some cards of the library of the other, what is best gone."""
    lying = features.lying(view, cards)
    ways = ((some, [(now[0], who * now[1])]) for some, now, _ in lying)
    return _best(view, judge, who, ways)


def flips(view: EvilpactView, judge: Judge, cards: Masks, who: int = OWN) -> Best:
    """Of some Turbidity cards of both libraries, what is best turned over."""
    cards = cards & view.layout.turbidity
    ways = (
        (some, [(now[0], -sign * now[1]), (over[0], sign * over[1])])
        for sign, library in zip((OWN, OTHER), view.library, strict=True)
        for some, now, over in features.lying(view, cards & library)
    )
    return _best(view, judge, who, ways)


def turns(view: EvilpactView, judge: Judge, cards: Masks, who: int = OWN) -> Best:
    """Of some upright Insight 5 cards, what is best turned sideways."""
    lying = features.lying(view, cards & ~view.turned)
    ways = ((some, [(now[0], who * (up[1] - now[1]))]) for some, now, up in lying)
    return _best(view, judge, who, ways)


def worths(
    view: EvilpactView,
    judge: Judge,
    lost: Numbers | float,
    spells: Masks,
    who: int = OWN,
) -> Mapping[np.uint8, Numbers]:
    """(rows,) what each spell is worth to who casts it, of these ``spells``.

    It is less than nothing where there is no use; ``lost`` is the worth of a spell that
    the other one loses. At the upper level the second card is worth ``_SECOND``.
    """

    def there(spell: np.uint8, cards: Masks) -> Masks:
        return cards & masks.flags((spells & masks.bit(int(spell))) != masks.NOTHING)

    mine, theirs = view.library[::who]
    eihort = there(EIHORT, mine & view.layout.eihort_turns)
    exclude = exclusion(view, judge, there(CTHUGHA, theirs), who).worth
    second = _SECOND * _upper(view, CTHUGHA, who) * (masks.count(theirs) > 1)
    several = (1 + _upper(view, CTHULHU, who)).clip(max=view.sizes[::who][1])
    return {
        CTHUGHA: exclude * (1 + second),
        NYARLATHOTEP: flips(view, judge, there(NYARLATHOTEP, mine | theirs), who).worth,
        EIHORT: turns(view, judge, eihort, who).worth,
        CTHULHU: np.where(several > 0, lost * several, -np.inf),
    }


def _upper(view: EvilpactView, spell: np.uint8, who: int) -> NDArray[np.uint8]:
    """(rows,) 1 where a spell is, or would be, at the upper level."""
    if who == OTHER:
        return view.upper.view(np.uint8)
    power = view.power[view.layout.element_of[spell], 0]
    upper = power >= view.rules.thresholds[UPPER]
    upper |= view.contract == masks.bit(int(spell))
    return upper.view(np.uint8)
