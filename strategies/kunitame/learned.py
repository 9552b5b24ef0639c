"""Cards and contracts by weights that were fitted to what search finds."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from sim import masks
from sim.kunitame.layout import Layout
from sim.kunitame.view import KunitameView
from sim.masks import Mask, Masks
from sim.view import Rows
from strategies.kunitame import features
from strategies.kunitame.allround import Allround
from strategies.linear_policy import LinearPolicy, Numbers, Reading


class _Cards:
    """Lookup tables by card number, of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.rank = np.zeros(64)
        self.higher: Masks = np.zeros(64, dtype=np.uint64)  # of its suit
        self.lower: Masks = np.zeros(64, dtype=np.uint64)  # Ability cards of any suit
        for card in masks.members(layout.ability):
            self.rank[card] = layout.card_numbers[card] / layout.rules.ranks
        for suit in (*layout.suits, layout.devils):
            for card in masks.members(suit):
                self.higher[card] = suit & ~masks.span(0, card + 1)
        for card in masks.members(layout.ability):
            lower = np.flatnonzero(self.rank < self.rank[card])
            self.lower[card] = layout.ability & masks.union(lower.tolist())


@lru_cache(maxsize=8)
def _cards(layout: Layout) -> _Cards:
    return _Cards(layout)


FEATURES = (
    "wins", "pays", "pays 3", "bonus", "pays and bonus",
    "rank", "rank, wins", "rank squared", "Devil", "Devil, wins", "Priest",
    "dearest loser", "dearest winner", "allround",
    "lower unseen", "last of its suit", "of its suit", "square open", "bonus open",
    "stays", "stays, pays", "stays, bonus", "stays, pays and bonus",
    "firm", "firm, pays", "firm, pays 3", "firm, bonus",
)  # fmt: skip


def _options(view: KunitameView, of: Rows, card: Masks, plain: Masks) -> Numbers:
    """(features, answers) the features of playing a card."""
    layout, cards, number = view.layout, _cards(view.layout), masks.index(card)

    def among(some: Masks | Mask) -> Numbers:
        rows = some.take(of) if some.ndim else some
        return ((rows & card) != masks.NOTHING).astype(np.float64)

    winning, gems = view.winning, view.gems
    paying = features.cards_that_pay(view, gems)
    opening = features.with_bonus(view, gems)
    wins, pays = among(winning), among(paying & winning)
    bonus = among(opening & winning)
    pays_3 = among(features.cards_that_pay(view, view.gems_3) & winning)
    rank, devil = cards.rank.take(number), among(layout.devils)
    suit = view.hand.take(of) & layout.suit_of.take(number)
    length = masks.count(suit) * among(layout.ability)
    # What is unseen: lower cards, and higher ones of its suit in the hands to come
    unseen = view.layout.ability & ~(view.played | view.hand)
    hidden = np.maximum(masks.count(unseen), 1)
    lower = masks.count(unseen.take(of) & cards.lower.take(number)) / hidden.take(of)
    above = masks.count(unseen.take(of) & cards.higher.take(number))
    higher = above * (masks.count(view.hand) / hidden).take(of)
    stays = wins * np.exp(-higher * (view.players - 1.0 - view.turn))
    # ... of those that have not shown to lack the suit, half of which play it
    follow = np.zeros(len(of))
    for seat in _later(view):
        lacks = view.voids[seat].take(of) & layout.suit_of.take(number)
        follow += lacks == masks.NOTHING
    firm = wins * np.exp(-higher * follow / 2)
    return np.stack(
        [
            wins, pays, pays_3, bonus, pays * bonus,
            rank, rank * wins, rank**2, devil, devil * wins, among(layout.priests),
            among(features.dearest(view, view.legal ^ winning)),
            among(features.dearest(view, winning)), among(plain),
            lower, length == 1, length / 3, among(paying), among(opening),
            stays, stays * pays, stays * bonus, stays * pays * bonus,
            firm, firm * pays, firm * pays_3, firm * bonus,
        ]
    )  # fmt: skip


def _later(view: KunitameView) -> range:
    """The seats that play after this one in the trick, by places to the left."""
    return range(1, view.players - view.turn)


SITUATIONS = (
    "always", "leads", "last to play", "turn",
    "tricks", "no trick yet", "no trick yet, round", "round", "first two rounds",
    "last round", "week", "last week", "contract kept", "contract kept, last week",
    "gems kept", "tricks missing", "how many missing",
    "promise", "high cards", "cards that pay", "ahead", "lives", "holds a 3",
    "holds nothing", "gems of 3", "bonus left", "Devils elsewhere",
    "best card pays", "best card pays 3", "best card of who leads in points",
    "best card of one who wants more", "best card of one who wants no more",
    "later ones who want more", "later ones who want no more",
)  # fmt: skip


def _situation(view: KunitameView) -> Numbers:
    """(situations, rows) the features of the week so far."""
    layout, rules, one = view.layout, view.rules, np.ones(len(view))
    gems, tricks, number = view.gems, view.tricks, view.round - 1
    points, wanted = view.points.astype(np.float64), _wanted(view)
    more = wanted > view.tricks_of
    no_more = (wanted == view.tricks_of) & (wanted > 0)
    kept, missing = features.just_kept(view), features.tricks_missing(view)
    promise = features.promise(view) / 8 + masks.count(view.hand & layout.devils) * 0.7
    elsewhere = view.devils_drawn[1:].sum(axis=0, dtype=np.float64)
    elsewhere -= masks.count(view.played & layout.devils)
    holder = np.zeros((3, len(view)))
    for at, card in enumerate(view.cards):
        seat = view.players - view.turn + at
        known = [points[seat] == points.max(axis=0), more[seat], no_more[seat]]
        holder += (card == view.best) * np.array(known)
    after = list(_later(view))
    last = one * view.last_week
    return np.stack(
        [
            one, one * (view.turn == 0), one * (view.turn == view.players - 1),
            one * view.turn / 3,
            tricks / 3, tricks == 0, (tricks == 0) * number / 7, one * number / 7,
            one * (number < 2), one * (number == rules.rounds - 1),
            one * view.week / 4, last, kept, kept * last,
            masks.count(view.stakes) * kept, missing,
            missing * (wanted[0] - tricks.astype(np.float64)),
            promise / 3, masks.count(view.hand & features.tables(layout).high) / 2,
            masks.count(view.hand & features.cards_that_pay(view, gems)) / 3,
            (points[0] - points[1:].max(axis=0)) / 6, np.minimum(view.life, 6) / 6,
            view.threes > 0, points[0] == 0, masks.count(view.gems_3) / 4,
            (view.streak & layout.by_all & gems) != masks.NOTHING, elsewhere / 3,
            (view.best & features.cards_that_pay(view, gems)) != masks.NOTHING,
            (view.best & features.cards_that_pay(view, view.gems_3)) != masks.NOTHING,
            *holder,
            more[after].sum(axis=0) / 2, no_more[after].sum(axis=0) / 2,
        ]
    )  # fmt: skip


def _wanted(view: KunitameView) -> Numbers:
    """(seats, rows) the most tricks that each seat has a contract on; 0 without."""
    wanted = np.zeros((view.players, len(view)))
    for at, exactly in enumerate(view.rules.contract_squares):
        np.maximum(wanted, (view.contracts[:, at] > 0) * exactly, out=wanted)
    return wanted


STAKES = (
    "any", "gems", "gems squared", "tricks", "tricks squared", "tricks, gems",
    "over the promise", "over the promise, squared", "off the promise",
    "over the promise, gems", "over the promise, squared, gems",
    "off the promise, gems",
    "allround",
)  # fmt: skip
HANDS = (
    "always", "last week", "week", "promise", "promise squared", "lives", "two lives",
    "one life", "ahead", "high cards", "Priests", "place", "last to decide",
)  # fmt: skip


def _contracts(view: KunitameView, of: Rows, stake: Masks, plain: Masks) -> Numbers:
    """(features, answers) what a contract needs, against what the hand promises."""
    layout, gems = view.layout, masks.count(stake).astype(np.float64)
    tricks, any_gems = np.zeros(len(of)), (gems > 0).astype(np.float64)
    for column, wanted in zip(layout.columns, view.rules.contract_squares, strict=True):
        tricks[(stake & column) != masks.NOTHING] = wanted
    promise = (features.promise(view) / 8).take(of)
    over = any_gems * (tricks - promise - gems * features.DEVIL / 8)
    return np.stack(
        [
            any_gems, gems, gems**2, tricks, tricks**2 / 5, tricks * gems,
            over, over**2, np.abs(over), over * gems, over**2 * gems,
            np.abs(over) * gems,
            stake == plain.take(of),
        ]
    )  # fmt: skip


def _hand(view: KunitameView) -> Numbers:
    """(situations, rows) what the hand promises, and the state of the game."""
    one, promise = np.ones(len(view)), features.promise(view) / 8
    table, points = features.tables(view.layout), view.points.astype(np.float64)
    place = view.place.astype(np.float64)
    return np.stack(
        [
            one, one * view.last_week, one * view.week / 4, promise, promise**2 / 3,
            np.minimum(view.life, 6) / 6, view.life == 2, view.life == 1,
            (points[0] - points[1:].max(axis=0)) / 6,
            masks.count(view.hand & table.high) / 3,
            masks.count(view.hand & view.layout.priests),
            place / view.players, place == view.players - 1,
        ]
    )  # fmt: skip


@dataclass(frozen=True)
class Learned(LinearPolicy):
    """Learned from search which cards and contracts win; all else is as `allround`.

    Of each card it weighs what it may win or keep open, how likely the trick is to stay
    its own, and who wins it otherwise, by how the week stands: who leads in points, and
    who wants more tricks for a contract. Of each contract it weighs the hand's promise.
    The weights tell what search found at tables of `allround`.
    """

    name = "learned"
    readings: ClassVar = {
        "play": Reading(FEATURES, SITUATIONS, _options, _situation),
        "contract": Reading(STAKES, HANDS, _contracts, _hand),
    }
    data: ClassVar = Path(__file__).with_suffix(".toml")
    teacher: ClassVar = Allround()
