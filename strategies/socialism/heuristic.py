"""What the strategy share: each choice by what it brings at once.

What follows from a choice that was made (which Member, which cell, whom) is decided
alike by all; they differ in which cards they play, and in how they invite.
"""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.masks import Counts, Flags, Masks
from sim.socialism.layout import DOES, MODES, NAMES, STAYS, USER
from sim.socialism.view import SocialismView
from strategies.base import Strategy
from strategies.socialism import features
from strategies.socialism.features import Numbers

_HOLD = 0.01  # a toss between nearly equals
_REMOVED = {"viral-post": 2.0, "new-feature": 1.0, "ipo": -0.5, "smtp-block-list": -0.5}
_COPIED = {"viral-post": 3.0, "new-feature": 1.0, "smtp-block-list": 0.3, "ipo": -0.5}


@dataclass(frozen=True)
class Heuristic(Strategy):
    """It takes what brings most tokens at once, and hurts whoever leads."""

    # --- Cards ---

    def play(self, view: SocialismView) -> Masks:
        """The card that is worth most."""
        by_code = self.worth(view)
        worth = by_code[view.layout.does]
        worth[: view.layout.size] += self.likes(view)
        return features.best(view, worth)

    def worth(self, view: SocialismView) -> Numbers:
        """(codes, rows) what playing a card of each kind is worth; 0 is no card."""
        worth = np.zeros((USER + 1, len(view)), dtype=np.float32)
        for name, gain in self.gains(view).items():
            worth[USER if name == "user" else DOES[name]] = gain
        worth[0] = -1
        return worth

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
            "change-of-management": removed(view).max(axis=0),
            "smtp-block-list": np.float32(0.2),
            "flattery": copied(view),
            "industrial-espionage": stolen(view).max(axis=0),
        }

    def likes(self, view: SocialismView) -> Numbers:
        """(users, 1) which Users it rather plays than others."""
        return np.zeros((view.layout.size, 1), dtype=np.float32)

    def sherman(self, view: SocialismView) -> Masks:
        """It cancels what helps whoever leads, if that is not this seat."""
        return masks.blend(self.cancels(view), view.bits("cancel"), view.bits("pass"))

    def cancels(self, view: SocialismView) -> Flags:
        """(rows,) where it would cancel the card."""
        left = view.to_place.min(axis=0) == of_active(view, view.to_place)
        strong = np.isin(view.does, [DOES[name] for name in STRONG])
        return strong & left & (view.does != USER)

    # --- Where a card goes ---

    def beside(self, view: SocialismView) -> Masks:
        """Where most of those lie to whom it wants to be near."""
        near = self.near(view)
        worth = near.copy()
        for user in range(view.layout.size):
            on = features.holds(view.friends[user], view.layout.size)
            worth[user] += np.float32(0.4) * (near * on).sum(axis=0)
        return features.best(view, worth)

    def cell(self, view: SocialismView) -> Masks:
        """The same for the cell."""
        return features.best(view, features.cells(view, self.near(view)))

    def near(self, view: SocialismView) -> Numbers:
        """(users, rows) how much it wants to place a User beside each."""
        mine = features.holds(view.mine, view.layout.size)
        return mine.astype(np.float32) + np.float32(0.1)

    def member(self, view: SocialismView) -> Masks:
        """Who brings most: at once, or for a Viral Post on its way."""
        free = features.around(view, features.wanted(view))
        worth = np.where(view.does == DOES["viral-post"], self.way(view), free)
        cat = np.flatnonzero(view.does == DOES["omg-cat-pic"])
        worth[:, cat] = features.cat_pic(view.some(cat))
        return features.best(view, worth)

    def way(self, view: SocialismView) -> Numbers:
        """(users, rows) how far a Viral Post comes from each User, about."""
        return features.ahead(view)

    def viral(self, view: SocialismView) -> Masks:
        """Where the Viral Post can go on."""
        return features.best(view, self.way(view))

    def lost(self, view: SocialismView) -> Masks:
        """Who hurts others most, and oneself least."""
        return features.best(view, features.hurt(view))

    def user(self, view: SocialismView) -> Masks:
        """A User with tokens of who leads, as a Friend has."""
        return features.best(view, features.shared(view))

    def friend(self, view: SocialismView) -> Masks:
        """That Friend."""
        return features.best(view, features.lost_by(view))

    def manage(self, view: SocialismView) -> Masks:
        """What helps others, or hinders oneself."""
        return features.best(view, removed(view))

    def front(self, view: SocialismView) -> Masks:
        """Whoever leads of the others."""
        return seat_of(view, features.leader(view))

    def network(self, view: SocialismView) -> Masks:
        """Where most would accept."""
        worth = stolen(view)
        seats = np.arange(view.players, dtype=np.uint8)[:, None]
        ahead = (seats - np.asarray(view.seat, dtype=np.uint8)) % view.players
        return features.best(view, np.take_along_axis(worth, ahead.astype(np.int64), 0))

    def copy(self, view: SocialismView) -> Masks:
        """What helps most."""
        worth = np.array([_COPIED[name] for name in STAYS], dtype=np.float32)
        return features.best(view, np.repeat(worth[:, None], len(view), axis=1))

    # --- Invitations ---

    def invite(self, view: SocialismView) -> Masks:
        """The way from which it expects most tokens."""
        return features.best(view, self.ways(view))

    def ways(self, view: SocialismView) -> Numbers:
        """(modes, rows) what each way to invite is worth."""
        worth = np.zeros((len(MODES), len(view)), dtype=np.float32)
        worth[0] = 1
        worth[1] = features.spam(view).max(axis=0)
        worth[2] = np.maximum(features.personal(view).max(axis=0), np.float32(_HOLD))
        worth[3] = np.float32(0.5) * features.threat(view)[1:].max(axis=0)
        worth[4] = np.float32(-1)
        return worth

    def inviter(self, view: SocialismView) -> Masks:
        """The Member from whom it expects most."""
        return features.best(view, features.personal(view))

    def invited(self, view: SocialismView) -> Masks:
        """Who accepts most often; it never stops while it may name more."""
        layout = view.layout
        by = np.where(view.mode == 4, view.inviter, np.uint8(layout.size))
        worth = features.accepting(view, by)
        return features.best(view, worth + np.float32(0.01) * self.bridges(view))

    def bridges(self, view: SocialismView) -> Numbers:
        """(users, rows) what a User is worth as a Member: by whom he can invite."""
        return features.around(view, features.wanted(view))

    def victim(self, view: SocialismView) -> Masks:
        """The Friend whose token hurts most."""
        off = masks.ONE << view.inviter.astype(np.uint64)
        worth = np.zeros((view.layout.size, len(view)), dtype=np.float32)
        for tokens, of in zip(view.members[1:], features.threat(view)[1:], strict=True):
            one = features.holds(tokens, view.layout.size) * (
                of * ((tokens & off) == 0)
            )
            worth = np.maximum(worth, one)
        return features.best(view, worth)

    def colour(self, view: SocialismView) -> Masks:
        """Whoever leads of those."""
        threat = features.threat(view)
        seats = np.arange(view.players, dtype=np.uint8)[:, None]
        ahead = (seats - np.asarray(view.seat, dtype=np.uint8)) % view.players
        return features.best(
            view, np.take_along_axis(threat, ahead.astype(np.int64), 0)
        )


STRONG = ("stellar-status", "viral-post", "omg-cat-pic", "ipo", "flattery", "a-s-l")


def of_active(view: SocialismView, field: Counts) -> Counts:
    """(rows,) what the seat whose turn it is has of a (seats, rows) field."""
    return np.take_along_axis(field, view.active[None].astype(np.int64), 0)[0]


def seat_of(view: SocialismView, ahead: Counts) -> Masks:
    """(rows,) the option of the seat so many places to the left."""
    seat = (ahead + np.asarray(view.seat, dtype=np.uint8)) % np.uint8(view.players)
    return masks.ONE << seat.astype(np.uint64)


def removed(view: SocialismView) -> Numbers:
    """(seats * names, rows) what it is worth to remove each Action in play, by option.

    Where nothing lies it is worth nothing.
    """
    threat = features.threat(view)
    worth = np.full((view.players, len(NAMES), len(view)), -1, dtype=np.float32)
    seat = np.asarray(view.seat, dtype=np.uint8)
    rows = np.arange(len(view))
    for ahead in range(view.players):
        whose = np.broadcast_to((seat + ahead) % view.players, len(view))
        for name, actions in enumerate(view.layout.named):
            of = np.float32(_REMOVED[STAYS[name % len(STAYS)]])
            lies = (view.front[ahead] & actions) != 0
            worth[whose, name, rows] = np.where(lies, of * threat[ahead], -1)
    return worth.reshape(-1, len(view))


def copied(view: SocialismView) -> Numbers:
    """(rows,) what Flattery is worth."""
    front = masks.join(list(view.front))
    worth = np.full(len(view), -1, dtype=np.float32)
    for kind, actions in enumerate(view.layout.kinds):
        lies = (front & actions) != 0
        worth = np.where(lies, np.maximum(worth, _COPIED[STAYS[kind]]), worth)
    return worth.astype(np.float32)


def stolen(view: SocialismView) -> Numbers:
    """(seats, rows) tokens that Industrial Espionage brings from each network."""
    chance = features.spam(view)
    if view.rules.smtp_blocks_espionage:
        chance = chance * ~view.is_blocked[0]
    return np.stack(
        [
            (chance * features.holds(one, view.layout.size)).sum(axis=0)
            for one in view.members
        ]
    )
