"""Features of a table of Article II: what a card is worth on whom.

A strategy says what a point of Electability and of Affiliation is worth to it, by
seat: its *wishes*. From these follows the worth of every card on every player,
Styles in force allowed for: a point that a Style makes zero is worth nothing.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii.layout import CANDIDATE, ONCE, TRAITS, Layout
from sim.article_ii.scoring import EffectiveAttributes
from sim.article_ii.view import ArticleIIView
from sim.masks import Flags, Masks
from sim.view import Rows
from strategies.best_options import worth_by_bit

Worth = NDArray[Any]  # (rows,) or (seats, rows) quarters of a point, int16
FORBIDDEN = np.int16(-30_000)
_NONE = np.array(-32_000, dtype=np.int16)  # what no option is worth
_MOST_WORTH = 8_000  # quarters of a point
_HALVED, _SLINGS = TRAITS["halved"], TRAITS["slings"]
_INDEPENDENT, _SCRUPULOUS = TRAITS["independent"], TRAITS["scrupulous"]


@dataclass(frozen=True)
class Wishes:
    """(seats, rows) what a point in force is worth, in quarters; this seat first."""

    electability: Worth
    affiliation: Worth


@dataclass(frozen=True)
class KindsOfMarks:
    """The marks with the same numbers, (kinds, 1) each: cards, and what they move."""

    cards: Masks
    electability: Worth
    affiliation: Worth


@lru_cache(maxsize=16)
def kinds_of_marks(layout: Layout) -> KindsOfMarks:
    """The kinds of marks of these cards."""
    by_points: dict[tuple[int, int], list[int]] = {}
    for number in masks.members(layout.marks):
        pair = (int(layout.electability[number]), int(layout.affiliation[number]))
        by_points.setdefault(pair, []).append(number)
    cards = [masks.union(numbers) for numbers in by_points.values()]
    moved = np.array([*by_points], dtype=np.int16).reshape(-1, 2)
    e, a = (np.ascontiguousarray(part)[:, None] for part in moved.T)
    return KindsOfMarks(np.array(cards, dtype=np.uint64)[:, None], e, a)


@lru_cache(maxsize=16)
def kinds_of_cards(layout: Layout) -> Masks:
    """(kinds + 2, 1) the kinds of marks, and what removes, and what draws."""
    others = np.array([[layout.removes], [layout.draws]], dtype=np.uint64)
    return np.concatenate([kinds_of_marks(layout).cards, others])


def raw(view: ArticleIIView, wishes: Wishes) -> Wishes:
    """What a point on a card that lies on a player is worth, Styles allowed for."""
    traits, now = view.traits, view.attributes
    electability, affiliation = wishes.electability, wishes.affiliation * now.times
    if now.some & _SLINGS:
        hit = wishes.electability * ((traits & _INDEPENDENT) == 0)
        thrown = now.times * ((traits & _SLINGS) != 0)
        thrown *= np.add.reduce(hit, axis=0, dtype=np.int16)
        affiliation -= thrown
    if now.some & _HALVED:
        electability = electability >> ((traits & _HALVED) != 0).view(np.uint8)
    return Wishes(electability, affiliation)


def on_each(points: Wishes, marks: KindsOfMarks) -> Worth:
    """(kinds, seats, rows) what marks are worth on each player."""
    worth: Worth = points.electability * marks.electability[..., None]
    worth += points.affiliation * marks.affiliation[..., None]
    return worth


def at_best(view: ArticleIIView, points: Wishes, marks: KindsOfMarks) -> Worth:
    """(kinds, rows) what marks are worth where they are worth most.

    Cards that an Outsider may not play on others count on the Outsider alone.
    """
    each = on_each(points, marks)
    worth: Worth = each.max(axis=1)
    rows = masks.rows_where((view.traits[0] & _SCRUPULOUS) != 0)
    if len(rows):
        harm = masks.rows_where(marks.affiliation < 0)[:, None]
        worth[harm, rows] = np.maximum(each[harm, 0, rows], FORBIDDEN)
    return worth


def style_worth(
    view: ArticleIIView, wishes: Wishes, style: Masks | None, rows: Rows
) -> Worth:
    """(seats, rows) what a Style is worth on each player, in these rows of the view.

    ``style`` (rows,); None is what it is worth to have none. All that could be is
    weighed at once: the Style on the first player, on the second and so on, and now.
    """
    players, layout = view.players, view.layout
    now = view.traits.take(rows, axis=1)
    then = np.empty((players, players + 1, len(rows)), dtype=np.int16)
    then[:] = now[:, None]
    own = ONCE if style is None else layout.traits.take(masks.index(style))
    now &= CANDIDATE
    now |= own
    for seat in range(players):
        then[seat, seat] = now[seat]
    worth = _worth(wishes, rows, view.styled(then, rows))
    on_each: Worth = worth[:players] - worth[players]
    return on_each


def _worth(wishes: Wishes, rows: Rows, then: EffectiveAttributes) -> Worth:
    """(what could be, rows) what tables are worth."""
    appeal, own = (
        wish.take(rows, axis=1)[:, None].astype(np.int32)
        for wish in (wishes.electability, wishes.affiliation)
    )
    worth = appeal * then.electability
    if worth.dtype != np.int32:  # halves are rounded down, seat by seat
        worth = np.floor(worth)
    worth = worth + own * then.affiliation
    total = np.add.reduce(worth, axis=0, dtype=np.int32)
    return within(total, _MOST_WORTH).astype(np.int16)


def within(worth: Worth, most: int) -> Worth:
    """Clip values to ``-most`` up to ``most``.

    Why not ``np.clip``: it takes more calls, which counts where rows are few.
    """
    found: Worth = np.minimum(worth, worth.dtype.type(most))
    return np.maximum(found, worth.dtype.type(-most), out=found)


class RunningBest:
    """The best options of each row so far; ties are kept, to be broken at random."""

    def __init__(self, options: Masks, worth: Worth) -> None:
        """The best of the first options, (kinds, rows); nothing where there is none."""
        self._first = options, worth
        self._more: list[tuple[Rows | None, Masks, Worth]] = []
        offered = np.where(options != masks.NOTHING, worth, _NONE)
        self.worth: Worth = np.maximum.reduce(offered, axis=0, initial=FORBIDDEN)
        best = np.where(offered == self.worth, options, masks.NOTHING)
        self.options: Masks = np.bitwise_or.reduce(best, axis=0)

    def consider(self, options: Masks, worth: Worth) -> None:
        """Offer one more option, nothing where a row has none; (rows,) each."""
        self._more.append((None, options, worth))
        offered = np.where(options != masks.NOTHING, worth, _NONE)
        kept = np.where(self.worth >= offered, self.options, masks.NOTHING)
        np.maximum(self.worth, offered, out=self.worth)
        best = np.where(offered == self.worth, options, masks.NOTHING)
        self.options = np.bitwise_or(kept, best, out=kept)

    def consider_in(self, rows: Rows, option: Masks, worth: Worth) -> None:
        """Offer an option to some rows; a row that comes again has another one."""
        self._more.append((rows, option, worth))
        old = self.worth.copy()
        np.maximum.at(self.worth, rows, worth)
        self.options &= masks.from_flags(self.worth == old)
        equal = masks.rows_where(worth == self.worth.take(rows))
        np.bitwise_or.at(self.options, rows.take(equal), option.take(equal))

    def worth_by_bit(self) -> Worth:
        """(option bits, rows) the worth of each option; nan if not offered."""
        size = len(self.options)
        first = ((None, *offer) for offer in zip(*self._first, strict=True))
        return worth_by_bit(
            size,
            (
                (np.arange(size) if rows is None else rows, options, worth)
                for rows, options, worth in chain(first, self._more)
            ),
        )


def second_of(totals: Any) -> Any:
    """(rows,) the second highest of (seats, rows) totals, which may be as high."""
    first, second = np.maximum(*totals[:2]), np.minimum(*totals[:2])
    for total in totals[2:]:
        second = np.maximum(second, np.minimum(first, total))
        first = np.maximum(first, total)
    return second


def leader(totals: Any, among: Flags) -> Flags:
    """(seats, rows) who of these has the highest total."""
    low = np.where(among, totals, -20_000)
    best: Flags = low == low.max(axis=0)
    best &= among
    return best
