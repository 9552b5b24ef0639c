"""What schools read off the table: what a card is worth on whom.

A school says what a point of Electability and of Affiliation is worth to it, by
seat: its *wishes*. From these follows the worth of every card on every player,
Styles in force allowed for: a point that a Style makes zero is worth nothing.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii.box import Box
from sim.article_ii.scoring import Standing
from sim.article_ii.view import ArticleIIView
from sim.masks import Flags, Mask, Masks
from sim.view import Rows

Worth = NDArray[Any]  # (rows,) or (seats, rows) quarters of a point, int16
FORBIDDEN = np.int16(-30_000)
_MOST = 8_000


@dataclass(frozen=True)
class Wishes:
    """(seats, rows) what a point in force is worth, in quarters; this seat first.

    Where ``totals`` is given, it is the General totals that are wished for.
    """

    electability: Worth
    affiliation: Worth
    totals: Worth | None = None


@lru_cache(maxsize=16)
def kinds_of_marks(box: Box) -> tuple[tuple[Mask, np.int16, np.int16], ...]:
    """The marks with the same numbers, and these: cards, Electability, Affiliation."""
    found: dict[tuple[int, int], list[int]] = {}
    for number in masks.members(box.marks):
        pair = (int(box.electability[number]), int(box.affiliation[number]))
        found.setdefault(pair, []).append(number)
    return tuple(
        (masks.union(numbers), np.int16(e), np.int16(a))
        for (e, a), numbers in found.items()
    )


def raw(view: ArticleIIView, wishes: Wishes) -> Wishes:
    """What a point on a card that lies on a player is worth, Styles allowed for."""
    effects, lying, times = view.box.effects, view.lying, view.times
    affiliation = wishes.affiliation * times
    slings = (lying & effects["slings"]) != masks.NOTHING
    thrown = np.flatnonzero(slings.any(axis=0))
    if len(thrown):
        hit = (lying[:, thrown] & effects["independent"]) == masks.NOTHING
        all_hit = (wishes.electability[:, thrown] * hit).sum(axis=0, dtype=np.int16)
        affiliation[:, thrown] -= slings[:, thrown] * times[:, thrown] * all_hit
    halved = ((lying & effects["halved"]) != masks.NOTHING).view(np.uint8)
    return Wishes(wishes.electability >> halved, affiliation)


def on_each(points: Wishes, electability: np.int16, affiliation: np.int16) -> Worth:
    """(seats, rows) what these numbers are worth on each player."""
    worth: Worth = points.electability * electability
    worth += points.affiliation * affiliation
    return worth


def allowed(view: ArticleIIView, worth: Worth, affiliation: np.int16) -> Worth:
    """The same, but what an Outsider may not play on others."""
    if affiliation >= 0:
        return worth
    scrupulous = (view.lying[0] & view.box.effects["scrupulous"]) != masks.NOTHING
    rows = np.flatnonzero(scrupulous)
    if len(rows):
        worth[1:, rows] = FORBIDDEN
    return worth


def style_worth(view: ArticleIIView, wishes: Wishes, style: Mask, rows: Rows) -> Worth:
    """(seats, rows) what this Style is worth on each player, in some rows."""
    lying, box = view.lying[:, rows], view.box
    raw_e, raw_a = view.electability[:, rows], view.affiliation[:, rows]
    before = _worth(wishes, rows, *view.what_if(lying, raw_e, raw_a, rows))
    found = np.empty(lying.shape, dtype=np.int16)
    for seat in range(view.players):
        there = lying.copy()
        there[seat] &= ~box.styles
        there[seat] |= style
        then = view.what_if(there, raw_e, raw_a, rows)
        found[seat] = _worth(wishes, rows, *then) - before
    return found


def _worth(wishes: Wishes, rows: Rows, then: Standing, totals: Any) -> Worth:
    """(rows,) what a table is worth."""
    if wishes.totals is not None:
        each = wishes.totals[:, rows] * totals.astype(np.int32)
    else:
        each = wishes.electability[:, rows] * then.electability.astype(np.int32)
        each += wishes.affiliation[:, rows] * then.affiliation.astype(np.int32)
    return np.clip(each.sum(axis=0), -_MOST, _MOST).astype(np.int16)


class Best:
    """The best option of each row so far; equals are kept together, for a toss."""

    def __init__(self, size: int) -> None:
        self.worth: Worth = np.full(size, FORBIDDEN, dtype=np.int16)
        self.options: Masks = np.zeros(size, dtype=np.uint64)

    def consider(self, options: Masks, worth: Worth) -> None:
        """Offer options, nothing where a row has none."""
        offered = np.where(options != masks.NOTHING, worth, np.int16(-32_000))
        better = offered > self.worth
        equal = offered == self.worth
        self.options &= masks.flags(~better)
        better |= equal
        self.options |= options & masks.flags(better)
        np.maximum(self.worth, offered, out=self.worth)

    def consider_in(self, rows: Rows, options: Masks, worth: Worth) -> None:
        """Offer options to some rows."""
        part = Best(len(rows))
        part.worth, part.options = self.worth.take(rows), self.options.take(rows)
        part.consider(options, worth)
        self.worth[rows], self.options[rows] = part.worth, part.options


def leader(totals: Any, among: Flags) -> Flags:
    """(seats, rows) who of these has the highest total."""
    low = np.where(among, totals, -20_000)
    best: Flags = low == low.max(axis=0)
    best &= among
    return best
