"""Playing cards by weights that were fitted to what search finds."""

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
from strategies.learned import Linear, Numbers, Reading


class _Cards:
    """What is looked up of each card of a box, by its number."""

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
    "wins", "pays", "bonus", "pays and bonus", "pays 3",
    "rank", "rank, wins", "rank squared", "Devil", "Devil, wins", "Priest",
    "dearest loser", "cheapest winner", "dearest winner", "cheapest loser", "allround",
    "lower unseen", "lower unseen, wins", "last of its suit",
    "stays", "may stay", "stays, pays", "stays, bonus", "stays, pays and bonus",
    "stays, pays 3", "may stay, pays", "may stay, bonus", "may stay, pays 3",
    "higher to come, wins",
)  # fmt: skip


def _options(view: KunitameView, of: Rows, card: Masks, plain: Masks) -> Numbers:
    """(features, options) what a card does."""
    cards, number = _cards(view.layout), masks.index(card)

    def among(some: Masks) -> Numbers:
        return ((some.take(of) & card) != masks.NOTHING).astype(np.float64)

    def alike(some: Mask) -> Numbers:
        return ((card & some) != masks.NOTHING).astype(np.float64)

    winning, ability = view.winning, view.layout.ability
    losing = view.legal ^ winning
    wins = among(winning)
    pays = among(features.paid(view, view.gems) & winning)
    pays_3 = among(features.paid(view, view.gems_3) & winning)
    bonus = among(features.with_bonus(view, view.gems) & winning)
    rank, devil = cards.rank.take(number), alike(view.layout.devils)
    unseen = view.layout.everything & ~(view.played | view.hand)
    hidden = np.maximum(masks.count(unseen & ability), 1)
    lower = masks.count((unseen & ability).take(of) & cards.lower.take(number))
    lower = lower / hidden.take(of)
    higher = masks.count((unseen & ability).take(of) & cards.higher.take(number))
    to_come = masks.count(view.hand) * (view.players - 1.0 - view.turn) / hidden
    to_come = higher * to_come.take(of)  # higher cards of its suit in later hands
    stays, may = wins * np.exp(-to_come), wins * np.exp(-to_come / 3)
    suit = view.hand.take(of) & view.layout.suit_of.take(number)
    lone = alike(ability) * (masks.count(suit) == 1)
    return np.stack(
        [
            wins, pays, bonus, pays * bonus, pays_3,
            rank, rank * wins, rank**2,
            devil, devil * wins, alike(view.layout.priests),
            among(features.dearest(view, losing)),
            among(features.cheapest(view, winning)),
            among(features.dearest(view, winning)),
            among(features.cheapest(view, losing)),
            among(plain),
            lower, lower * wins, lone,
            stays, may, stays * pays, stays * bonus, stays * pays * bonus,
            stays * pays_3, may * pays, may * bonus, may * pays_3,
            to_come * wins,
        ]
    )  # fmt: skip


SITUATIONS = (
    "always", "leads", "last to play", "no trick yet", "one trick",
    "contract kept", "tricks missing", "no contract", "how many missing",
    "one missing", "all must be won", "last week", "contract kept, last week",
    "round", "last round", "first two rounds", "from round 5", "gems", "tricks",
    "promise", "missing less promise", "ahead", "lives", "Devils elsewhere",
    "best card pays", "best card pays 3", "week", "no trick yet, round",
    "gems kept by the contract",
)  # fmt: skip


def _situation(view: KunitameView) -> Numbers:
    """(situations, rows) how the week stands for the seat."""
    layout, rules, one = view.layout, view.rules, np.ones(len(view))
    gems, tricks, number = view.gems, view.tricks.astype(np.float64), view.round - 1
    kept, misses = features.just_kept(view), features.tricks_missing(view)
    wanted = sum((_wanted(view, at) for at in range(len(layout.columns))), 0 * one)
    missing = misses * (wanted - tricks)
    promise = features.promise(view) / 8 + masks.count(view.hand & layout.devils) * 0.7
    points = view.points.astype(np.float64)
    elsewhere = view.devils_drawn[1:].sum(axis=0, dtype=np.float64)
    elsewhere -= masks.count(view.played & layout.devils)
    best = view.best
    last_week = one * view.last_week
    return np.stack(
        [
            one, one * (view.turn == 0), one * (view.turn == view.players - 1),
            tricks == 0, tricks == 1,
            kept, misses, view.stakes == masks.NOTHING, missing,
            misses & (missing == 1), misses & (missing >= rules.rounds - number),
            last_week, kept * last_week,
            one * number / 7, one * (number == rules.rounds - 1), one * (number < 2),
            one * (number > 3), masks.count(gems) / 30, tricks / 3,
            promise / 3, missing - misses * promise,
            (points[0] - points[1:].max(axis=0)) / 6, np.minimum(view.life, 6) / 6,
            elsewhere / 3,
            (best & features.paid(view, gems)) != masks.NOTHING,
            (best & features.paid(view, view.gems_3)) != masks.NOTHING,
            one * view.week / 4, (tricks == 0) * number / 7,
            masks.count(view.stakes) * kept,
        ]
    )  # fmt: skip


def _wanted(view: KunitameView, at: int) -> Numbers:
    """(rows,) the tricks that a contract on this square wants; 0 of none."""
    staked = (view.stakes & view.layout.columns[at]) != masks.NOTHING
    return staked * float(view.rules.contract_squares[at])


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
    """(features, answers) what a contract wants, against what the hand promises."""
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
    """(situations, rows) what the hand promises, and how the game stands."""
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
class Learned(Linear):
    """Learned from search which card is worth most; all else is as `allround` has it.

    Of each card it weighs what it would win and keep open, how likely it is to win the
    trick, and what is left in hand, by how the week stands: 841 weights, fitted to what
    search found at tables of `allround`.
    """

    name = "learned"
    readings: ClassVar = {
        "play": Reading(FEATURES, SITUATIONS, _options, _situation),
        "contract": Reading(STAKES, HANDS, _contracts, _hand),
    }
    data: ClassVar = Path(__file__).with_suffix(".toml")
    teacher: ClassVar = Allround()
