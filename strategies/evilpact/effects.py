"""The best effect that a spell can have, for whoever casts it."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.evilpact.layout import CTHUGHA, CTHULHU, EIHORT, NYARLATHOTEP, UPPER
from sim.evilpact.view import EvilpactView
from sim.masks import Masks
from sim.view import Rows
from strategies.best_options import BestOptions
from strategies.evilpact import features
from strategies.evilpact.features import Change, Judge, Numbers

OWN, OTHER = 1, -1  # who casts: this seat, or the opponent
_TOGETHER = 65_536  # changes judged: more do not fit the cache
_SECOND = 0.5  # what a second card excluded is worth, by the first


def judge_changes(judge: Judge, rows: Rows, *changes: Change) -> Numbers:
    """(changes,) the value of changes of margins, (changes,) each; in parts."""
    parts = [slice(at, at + _TOGETHER) for at in range(0, len(rows), _TOGETHER)]
    found = [
        judge.changed(rows[part], *((of[part], by[part]) for of, by in changes))
        for part in parts
    ]
    return found[0] if len(found) == 1 else np.concatenate(found)


def _best(
    view: EvilpactView,
    judge: Judge,
    who: int,
    rows: Rows,
    cards: Masks,
    *changes: Change,
) -> BestOptions:
    """The best changes of margins for a side, by the cards to choose."""
    best = BestOptions(len(view))
    if len(rows):
        best.consider_all(rows, cards, who * judge_changes(judge, rows, *changes))
    return best


def exclusion(
    view: EvilpactView, judge: Judge, cards: Masks, who: int = OWN
) -> BestOptions:
    """The best of some cards of the other's library to exclude."""
    rows, some, (element, icons), _ = features.library_sets(view, cards)
    return _best(view, judge, who, rows, some, (element, who * icons))


def flips(
    view: EvilpactView, judge: Judge, cards: Masks, who: int = OWN
) -> BestOptions:
    """The best of some Turbidity cards of both libraries to flip."""
    cards = cards & view.layout.turbidity
    both = [features.library_sets(view, cards & library) for library in view.library]
    rows, some = (np.concatenate([one[n] for one in both]) for n in (0, 1))
    of, icons = (np.concatenate([one.now[n] for one in both]) for n in (0, 1))
    over, more = (np.concatenate([one.over[n] for one in both]) for n in (0, 1))
    sign = np.repeat((OWN, OTHER), [len(one.rows) for one in both])
    changes = (of, -sign * icons), (over, sign * more)
    return _best(view, judge, who, rows, some, *changes)


def turns(
    view: EvilpactView, judge: Judge, cards: Masks, who: int = OWN
) -> BestOptions:
    """The best of some upright Insight 5 cards to turn sideways."""
    rows, some, (element, icons), (_, more) = features.library_sets(
        view, cards & ~view.turned
    )
    return _best(view, judge, who, rows, some, (element, who * (more - icons)))


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
        return cards & masks.from_flags(
            (spells & masks.bit(int(spell))) != masks.NOTHING
        )

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
