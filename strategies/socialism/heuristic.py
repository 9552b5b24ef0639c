"""What the strategies share: each choice by what it brings at once.

What follows from a choice that was made (which Member, which cell, whom) is decided
alike by all; they differ in which cards they play, and in how they invite.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sim import masks
from sim.masks import Counts, Flags, Mask, Masks
from sim.observation import Worth
from sim.socialism.layout import DOES, MODES, USER, Layout
from sim.socialism.view import SocialismView
from strategies.base import Strategy, method_of
from strategies.best_options import best_of, by_seat
from strategies.by_worth import by_worth, worth_of, worth_of_two
from strategies.socialism import features
from strategies.socialism.features import Numbers

STRONG = ("stellar-status", "viral-post", "omg-cat-pic", "ipo", "flattery", "a-s-l")
Near = Iterable[tuple[Masks | Mask, float]]  # sets of Users, and what each is worth
Feature = Callable[[SocialismView], Numbers]
_DECIDES_BY = {  # methods that a decision of ``Heuristic`` calls
    "play": ("gains",),
    "sherman": ("cancels",),
    "beside": ("near",),
    "cell": ("near",),
    "invite": ("ways",),
    "invited": ("bridges",),
}
_MEMBER = {"viral-post": features.ahead, "omg-cat-pic": features.cat_pic}
_FEW_ROWS = 128  # rows, of which all are looked at, as what is read of them is shared
_CLOSE = 1e-4  # worths that are as good as equal
_HOLD = np.float32(0.01)  # a toss between nearly equals


@dataclass(frozen=True)
class Heuristic(Strategy):
    """It takes what brings most tokens at once, and hurts whoever leads."""

    def policy_key(self, kind: str) -> object:
        """The method, for kinds that this class decides, without parameters."""
        names = ("decide", method_of(kind), *_DECIDES_BY.get(kind, ()))
        known = (getattr(type(self), n) is getattr(Heuristic, n) for n in names)
        return (Heuristic, kind) if all(known) else None

    # --- Cards ---

    def play(self, view: SocialismView) -> Masks:
        """The card that is worth most."""
        worth = self._by_code(view)
        chosen = best_of(view, cards_of(view.layout), worth, _CLOSE)
        return view.toss(chosen, legal=True)

    @worth_of(play)
    def _worth_of_cards(self, view: SocialismView) -> Numbers:
        return self._by_code(view).take(view.layout.does, axis=0)

    def _by_code(self, view: SocialismView) -> Numbers:
        """(codes, rows) what cards are worth, by what they do; the first, no card."""
        worth = np.zeros((USER + 1, len(view)), dtype=np.float32)
        for name, gain in self.gains(view).items():
            worth[code_of(name)] = gain
        worth[0] = -1
        return worth

    def gains(self, view: SocialismView) -> dict[str, Numbers | float]:
        """What playing a User, or each Action, is worth now, where it may be played."""
        free = masks.count(features.users_to_win(view)).astype(np.float32)
        none = view.mine == 0
        at_once = most_of(view, "user", features.personal)
        return {
            "user": np.maximum(1 - at_once, 0) + np.float32(0.3),
            "stellar-status": most_of(view, "stellar-status", features.adjacent),
            "viral-post": np.where(none, np.float32(-1), np.minimum(free, 3)),
            "lost-password": most_of(view, "lost-password", features.log_out_value),
            "omg-cat-pic": most_of(view, "omg-cat-pic", features.cat_pic),
            "a-s-l": most_of(view, "a-s-l", features.asl_value),
            "ipo": free / np.float32(6) - 1,
            "new-feature": np.where(view.lies_here >= 2, np.float32(-1), 1),
            "change-of-management": most_of(
                view, "change-of-management", features.removal_value
            ),
            "smtp-block-list": 0.2,
            "flattery": most_of(view, "flattery", features.copy_value),
            "industrial-espionage": most_of(
                view, "industrial-espionage", features.espionage_gains
            ),
        }

    def sherman(self, view: SocialismView) -> Masks:
        """It cancels what helps whoever leads, if that is not this seat."""
        return masks.blend(self.cancels(view), view.bits("cancel"), view.bits("pass"))

    @worth_of(sherman)
    def _worth_of_cancelling(self, view: SocialismView) -> Worth:
        gain = np.where(self.cancels(view), 1, -1)
        return worth_of_two(view, view.bits("cancel"), view.bits("pass"), gain)

    def cancels(self, view: SocialismView) -> Flags:
        """(rows,) where it would cancel the card."""
        left = view.to_place.min(axis=0) == of_active(view, view.to_place)
        return among(view.does, STRONG) & left

    # --- Where a card goes ---

    @by_worth
    def beside(self, view: SocialismView) -> Numbers:
        """Where most of those lie to whom it wants to be near."""
        found = features.none(view)
        for users, worth in self.near(view):
            found += features.on(view, users) * np.float32(worth)
            found += features.around(view, users) * np.float32(0.4 * worth)
        return found

    @by_worth
    def cell(self, view: SocialismView) -> Numbers:
        """Around where most of those lie to whom it wants to be near."""
        found = features.none(view)
        for users, worth in self.near(view):
            found += features.on(view, users) * np.float32(worth)
        return features.cells(view, found)

    def near(self, view: SocialismView) -> Near:
        """How much it wants to place a User beside each of these sets of Users."""
        return (view.mine, 1.0), (view.layout.everybody, 0.1)

    @by_worth
    def member(self, view: SocialismView) -> Numbers:
        """Who brings most: at once, or for a Viral Post on its way."""
        worth = features.around(view, features.users_to_win(view))
        for name, feature in _MEMBER.items():
            rows = masks.rows_where(view.does == DOES[name])
            if len(rows):
                worth[:, rows] = feature(view.take(rows))
        return worth

    @by_worth
    def viral(self, view: SocialismView) -> Numbers:
        """Where the Viral Post can go on."""
        return features.ahead(view)

    @by_worth
    def lost(self, view: SocialismView) -> Numbers:
        """Who hurts others most, and oneself least."""
        return features.log_out_value(view)

    @by_worth
    def user(self, view: SocialismView) -> Numbers:
        """A User with tokens of who leads, as a Friend has."""
        return features.asl_value(view)

    @by_worth
    def friend(self, view: SocialismView) -> Numbers:
        """That Friend."""
        return features.asl_value_on(view)

    @by_worth
    def manage(self, view: SocialismView) -> Numbers:
        """What helps others, or hinders oneself."""
        return features.removal_value_by_seat(view)

    @by_worth
    def front(self, view: SocialismView) -> Numbers:
        """Whoever leads of the others."""
        return by_seat(view, features.threat(view))

    @by_worth
    def network(self, view: SocialismView) -> Numbers:
        """Where most would accept."""
        return by_seat(view, features.espionage_gains(view))

    @by_worth
    def copy(self, view: SocialismView) -> Numbers:
        """What helps most."""
        return features.copy_value(view)

    # --- Invitations ---

    @by_worth
    def invite(self, view: SocialismView) -> Numbers:
        """The way from which it expects most tokens."""
        return self.ways(view)

    def ways(self, view: SocialismView) -> Numbers:
        """(modes, rows) what each way to invite is worth."""
        worth = np.zeros((len(MODES), len(view)), dtype=np.float32)
        worth[0] = 1
        worth[1] = features.spam_most(view)
        worth[2] = np.maximum(features.personal(view).max(axis=0), _HOLD)
        worth[3] = np.float32(0.5) * features.threat(view)[1:].max(axis=0)
        worth[4] = -1
        return worth

    @by_worth
    def inviter(self, view: SocialismView) -> Numbers:
        """The Member from whom it expects most."""
        return features.personal(view, view.legal)

    @by_worth
    def invited(self, view: SocialismView) -> Numbers:
        """Who accepts most often; it never stops while it may name more."""
        by = np.where(view.mode == 4, view.inviter, np.uint8(view.layout.size))
        worth = features.accepting(view.layout).take(
            view.lies_here * (view.layout.size + 1) + by, axis=1
        )
        return worth + _HOLD * self.bridges(view)

    def bridges(self, view: SocialismView) -> Numbers:
        """(users, rows) what a User is worth as a Member, by whom that can invite."""
        return features.around(view, features.users_to_win(view))

    @by_worth
    def victim(self, view: SocialismView) -> Numbers:
        """The Friend whose token hurts most."""
        off = masks.ONE << view.inviter.astype(np.uint64)
        worth = features.none(view)
        for tokens, of in zip(view.members[1:], features.threat(view)[1:], strict=True):
            could = of * ((tokens & off) == 0)
            worth = np.maximum(worth, features.on(view, tokens) * could)
        return worth

    @by_worth
    def colour(self, view: SocialismView) -> Numbers:
        """Whoever leads of those."""
        return by_seat(view, features.threat(view))


def of_active(view: SocialismView, field: Counts) -> Counts:
    """(rows,) what the seat whose turn it is has of a (seats, rows) field."""
    place = view.active * np.int64(len(view)) + np.arange(len(view))
    return field.reshape(-1).take(place)


def code_of(name: str) -> int:
    """The number of what a card does: of an Action, or of a User."""
    return USER if name == "user" else int(DOES[name])


def among(does: Counts, names: tuple[str, ...]) -> Flags:
    """(rows,) whether a card does one of these things."""
    return _codes(names).take(does)


@lru_cache(maxsize=64)
def _codes(names: tuple[str, ...]) -> Flags:
    """(codes,) whether each is one of these names."""
    found = np.zeros(USER + 1, dtype=np.bool_)
    found[[code_of(name) for name in names]] = True
    return found


@lru_cache(maxsize=64)
def cards_of(layout: Layout) -> Masks:
    """(codes,) the cards that do each thing; the first is the option to play none."""
    cards = [
        masks.union(np.flatnonzero(layout.does == code).tolist())
        for code in range(USER + 1)
    ]
    return np.array(cards, dtype=np.uint64)


def most_of(view: SocialismView, name: str, feature: Feature) -> Numbers:
    """(rows,) the most that a card may bring, where it may be played; else 0."""
    able = (view.legal & cards_of(view.layout)[code_of(name)]) != masks.NOTHING
    rows = masks.rows_where(able)
    if len(rows) == len(view):
        return feature(view).max(axis=0)
    if len(rows) and (len(view) <= _FEW_ROWS or len(view) < 2 * len(rows)):
        return feature(view).max(axis=0) * able
    most = np.zeros(len(view), dtype=np.float32)
    if len(rows):
        most[rows] = feature(view.take(rows)).max(axis=0)
    return most
