"""What the strategies share: each choice by what it brings at once.

What follows from a choice that was made (which Member, which cell, whom) is decided
alike by all; they differ in which cards they play, and in how they invite.
"""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.masks import Counts, Flags, Masks
from sim.socialism.layout import DOES, MODES, USER
from sim.socialism.view import SocialismView
from strategies.base import Strategy
from strategies.best import best, by_seat
from strategies.socialism import features
from strategies.socialism.features import Numbers

STRONG = ("stellar-status", "viral-post", "omg-cat-pic", "ipo", "flattery", "a-s-l")
_HOLD = np.float32(0.01)  # a toss between nearly equals


@dataclass(frozen=True)
class Heuristic(Strategy):
    """It takes what brings most tokens at once, and hurts whoever leads."""

    # --- Cards ---

    def play(self, view: SocialismView) -> Masks:
        """The card that is worth most."""
        by_code = np.zeros((USER + 1, len(view)), dtype=np.float32)
        for name, gain in self.gains(view).items():
            by_code[USER if name == "user" else DOES[name]] = gain
        by_code[0] = -1  # no card
        return best(view, by_code[view.layout.does])

    def gains(self, view: SocialismView) -> dict[str, Numbers | float]:
        """What playing a User, or each Action, is worth now."""
        free = masks.count(features.wanted(view)).astype(np.float32)
        none = view.mine == 0
        at_once = features.personal(view).max(axis=0)
        return {
            "user": np.maximum(1 - at_once, 0) + np.float32(0.3),
            "stellar-status": features.adjacent(view).max(axis=0),
            "viral-post": np.where(none, np.float32(-1), np.minimum(free, 3)),
            "lost-password": features.hurt(view).max(axis=0),
            "omg-cat-pic": features.cat_pic(view).max(axis=0),
            "a-s-l": features.shared(view).max(axis=0),
            "ipo": free / 6 - 1,
            "new-feature": np.where(view.has_feature[0], np.float32(-1), 1),
            "change-of-management": features.removed(view).max(axis=0),
            "smtp-block-list": 0.2,
            "flattery": features.copied(view).max(axis=0),
            "industrial-espionage": features.stolen(view).max(axis=0),
        }

    def sherman(self, view: SocialismView) -> Masks:
        """It cancels what helps whoever leads, if that is not this seat."""
        return masks.blend(self.cancels(view), view.bits("cancel"), view.bits("pass"))

    def cancels(self, view: SocialismView) -> Flags:
        """(rows,) where it would cancel the card."""
        left = view.to_place.min(axis=0) == of_active(view, view.to_place)
        strong = np.isin(view.does, [DOES[name] for name in STRONG])
        return strong & left

    # --- Where a card goes ---

    def beside(self, view: SocialismView) -> Masks:
        """Where most of those lie to whom it wants to be near."""
        near = self.near(view)
        return best(view, near + np.float32(0.4) * features.of_friends(view, near))

    def cell(self, view: SocialismView) -> Masks:
        """The same for the cell."""
        return best(view, features.cells(view, self.near(view)))

    def near(self, view: SocialismView) -> Numbers:
        """(users, rows) how much it wants to place a User beside each."""
        return features.on(view, view.mine).astype(np.float32) + np.float32(0.1)

    def member(self, view: SocialismView) -> Masks:
        """Who brings most: at once, or for a Viral Post on its way."""
        free = features.around(view, features.wanted(view))
        worth = np.where(view.does == DOES["viral-post"], features.ahead(view), free)
        cat = np.flatnonzero(view.does == DOES["omg-cat-pic"])
        worth[:, cat] = features.cat_pic(view.some(cat))
        return best(view, worth)

    def viral(self, view: SocialismView) -> Masks:
        """Where the Viral Post can go on."""
        return best(view, features.ahead(view))

    def lost(self, view: SocialismView) -> Masks:
        """Who hurts others most, and oneself least."""
        return best(view, features.hurt(view))

    def user(self, view: SocialismView) -> Masks:
        """A User with tokens of who leads, as a Friend has."""
        return best(view, features.shared(view))

    def friend(self, view: SocialismView) -> Masks:
        """That Friend."""
        return best(view, features.lost_by(view))

    def manage(self, view: SocialismView) -> Masks:
        """What helps others, or hinders oneself."""
        return best(view, features.removed(view))

    def front(self, view: SocialismView) -> Masks:
        """Whoever leads of the others."""
        return best(view, by_seat(view, features.threat(view)))

    def network(self, view: SocialismView) -> Masks:
        """Where most would accept."""
        return best(view, by_seat(view, features.stolen(view)))

    def copy(self, view: SocialismView) -> Masks:
        """What helps most."""
        return best(view, features.copied(view))

    # --- Invitations ---

    def invite(self, view: SocialismView) -> Masks:
        """The way from which it expects most tokens."""
        return best(view, self.ways(view))

    def ways(self, view: SocialismView) -> Numbers:
        """(modes, rows) what each way to invite is worth."""
        worth = np.zeros((len(MODES), len(view)), dtype=np.float32)
        worth[0] = 1
        worth[1] = features.spam(view).max(axis=0)
        worth[2] = np.maximum(features.personal(view).max(axis=0), _HOLD)
        worth[3] = np.float32(0.5) * features.threat(view)[1:].max(axis=0)
        worth[4] = -1
        return worth

    def inviter(self, view: SocialismView) -> Masks:
        """The Member from whom it expects most."""
        return best(view, features.personal(view))

    def invited(self, view: SocialismView) -> Masks:
        """Who accepts most often; it never stops while it may name more."""
        by = np.where(view.mode == 4, view.inviter, np.uint8(view.layout.size))
        worth = features.chances(view.layout)[view.lies[0], by].T
        return best(view, worth + _HOLD * self.bridges(view))

    def bridges(self, view: SocialismView) -> Numbers:
        """(users, rows) what a User is worth as a Member: by whom he can invite."""
        return features.around(view, features.wanted(view))

    def victim(self, view: SocialismView) -> Masks:
        """The Friend whose token hurts most."""
        off = masks.ONE << view.inviter.astype(np.uint64)
        worth = features.none(view)
        for tokens, of in zip(view.members[1:], features.threat(view)[1:], strict=True):
            could = of * ((tokens & off) == 0)
            worth = np.maximum(worth, features.on(view, tokens) * could)
        return best(view, worth)

    def colour(self, view: SocialismView) -> Masks:
        """Whoever leads of those."""
        return best(view, by_seat(view, features.threat(view)))


def of_active(view: SocialismView, field: Counts) -> Counts:
    """(rows,) what the seat whose turn it is has of a (seats, rows) field."""
    return np.take_along_axis(field, view.active[None].astype(np.int64), 0)[0]
