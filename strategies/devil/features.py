"""Reading a table of Devil: what hands may cost, and where the pile may go.

All is made of what a view shows. Ranks that fit form a ring, so each card played moves
the top by one place: where it may stand at one's next turn is a walk of a few steps.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.devil.layout import SPECIAL1, SPECIAL4, Layout
from sim.devil.view import DevilView
from sim.masks import Flags, Masks
from strategies.best import best_of

Numbers = NDArray[np.float64]
_PLAYS = 0.65  # how often a turn ends with a card played
_EARLY = 0.32  # width of the totals to come, of the last round; in dealt hands
_FEWER = 3.75  # how much more it is with few players
_DOUBLED = 0.35  # how much more by an Onifuda in 56 cards
_LEFT = 0.48  # the same of a point that is left to the target, for one player
_TARGET = 0.6  # width of the highest total, in spreads
_FAR = 50.0  # differences in widths above which nothing changes
_PLAIN = np.array([kind not in (SPECIAL1, SPECIAL4) for kind in range(14)])


def best(view: DevilView, worth: Numbers) -> Masks:
    """(rows,) the option of most worth (kinds, rows); a toss between equals."""
    return view.toss(best_of(view, view.layout.each_kind[:, 0], worth, 1e-9))


def options(view: DevilView) -> Flags:
    """(kinds, rows) which kinds of card may be played."""
    able: Flags = (view.legal & view.layout.each_kind) != masks.NOTHING
    return able


@lru_cache(maxsize=64)
def points(layout: Layout) -> Numbers:
    """(kinds, 1) points of a card of each kind; of a kind without copies 0."""
    each = [
        layout.points[min(masks.members(kind))] if kind else 0 for kind in layout.kinds
    ]
    return np.array(each, dtype=np.float64)[:, None]


def left_over(view: DevilView) -> Numbers:
    """(kinds, rows) what the rest of the hand costs without a card of each kind."""
    specials = masks.count(view.hand & view.layout.specials).astype(np.int16)
    rest = view.layout.points_of(view.hand) - points(view.layout)
    return np.ldexp(rest, specials - ~_PLAIN[:, None])


def expected(view: DevilView) -> Numbers:
    """(seats, rows) what each hand costs; of the others, on average.

    Hidden cards are any of those unseen; each Special among them doubles.
    """
    unseen = view.unseen.astype(np.float64)
    total = np.maximum(unseen.sum(axis=0), 1)
    mean = (unseen * points(view.layout)).sum(axis=0) / total
    doubling = 1 + (unseen[SPECIAL1] + unseen[SPECIAL4]) / total
    costs = mean * view.sizes * doubling**view.sizes
    costs[0] = view.cost
    return costs


def if_ended(view: DevilView) -> Numbers:
    """(seats, rows) what an end declared now would add, of the others on average."""
    four = (view.played & view.layout.kinds[SPECIAL4]) != masks.NOTHING
    return ended(view, expected(view), four)


def ended(view: DevilView, costs: Numbers, four: Flags) -> Numbers:
    """(seats, rows) what an end adds to hands of these costs, by a Special 4 or 1."""
    spared = four & (view.rules.s4_end == "self_only")
    added = 2 * costs
    added[1:] -= costs[1:] * spared
    return added


@lru_cache(maxsize=64)
def dealt(layout: Layout) -> float:
    """What a hand costs on average as it is dealt."""
    copies = masks.count(np.array(layout.kinds)).astype(np.float64)
    doubling = 1 + (copies[SPECIAL1] + copies[SPECIAL4]) / layout.size
    mean = float(copies @ points(layout)[:, 0]) / layout.size
    return mean * layout.rules.hand * float(doubling) ** layout.rules.hand


@lru_cache(maxsize=64)
def onifuda(layout: Layout) -> float:
    """How many Onifuda are in 56 cards of the deck, as in deck 440."""
    return 56 * len(masks.members(layout.oni)) / layout.size


def chance(view: DevilView, added: Numbers, spread: float) -> Numbers:
    """(rows,) how likely this seat wins the game if a round adds so much to totals.

    Of totals that far apart, the less is left to play the more certainly the least
    wins. ``spread`` is by how many points, more or less, totals may be others; so
    it is not certain either whether the game is over.
    """
    after, goal = view.scores + added, view.rules.goal
    most = after.max(axis=0)
    early = _EARLY * dealt(view.layout) * (1 + _FEWER / view.players)
    early *= 1 + _DOUBLED * onifuda(view.layout)
    later = early + _LEFT / view.players * np.maximum(goal - most, 0)
    over = _logistic((goal - most) / (_TARGET * spread))
    now = _least(after, np.full_like(most, spread))
    return over * now + (1 - over) * _least(after, np.hypot(later, spread))


def _least(totals: Numbers, width: Numbers) -> Numbers:
    """(rows,) how likely the first of the totals (seats, rows) is the least."""
    ahead = (totals[0] - totals) / width
    return 1 / np.exp(np.minimum(ahead, _FAR)).sum(axis=0)


def _logistic(value: Numbers) -> Numbers:
    """From 1 to 0, the higher the value."""
    return 1 / (1 + np.exp(np.minimum(value, _FAR)))


def cover(view: DevilView) -> Numbers:
    """(kinds, rows) how likely the rest of the hand can follow at the next turn.

    Without a card of each kind, that is, and with this card on top.
    """
    fits, reached = _walk(view.layout, view.players)
    held = view.held > 0
    follows = fits.astype(np.int16) @ held.astype(np.int16)  # (tops, rows) kinds
    last = view.held == 1
    found = np.zeros(held.shape)
    able = options(view)
    for kind in np.flatnonzero(able.any(axis=1)).tolist():
        rows = np.flatnonzero(able[kind])
        rest = follows[:, rows] - fits[:, kind, None] * last[kind, rows]
        found[kind, rows] = reached[kind] @ (rest > 0)
    return found


def answers(view: DevilView) -> Numbers:
    """(kinds, rows) which share of the unseen cards may follow each kind."""
    fits, _ = _walk(view.layout, view.players)
    unseen = view.unseen.astype(np.float64)
    share: Numbers = fits.astype(np.float64) @ unseen
    share /= np.maximum(unseen.sum(axis=0), 1)
    return share


@lru_cache(maxsize=64)
def _walk(layout: Layout, players: int) -> tuple[NDArray[np.int16], Numbers]:
    """Which kind fits on which (tops, kinds), and where the top may be next (from, to).

    The others play or not, each card that fits as often as there are copies of it.
    """
    size = len(layout.kinds)
    fits = np.zeros((size, size), dtype=np.int16)
    for top, cards in enumerate(layout.kinds):
        if cards:
            follow = layout.fits[min(masks.members(cards))]
            fits[top] = [bool(follow & kind) for kind in layout.kinds]
    copies = masks.count(np.array(layout.kinds)).astype(np.float64)
    step = fits * copies
    step /= np.maximum(step.sum(axis=1, keepdims=True), 1)
    moved = _PLAYS * step + (1 - _PLAYS) * np.eye(size)
    reached = np.linalg.matrix_power(moved, players - 1)
    return fits, reached
