"""Tokens expected, now and later."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.masks import Flags
from sim.socialism.layout import DOES
from sim.socialism.view import SocialismView
from strategies.base import parameter
from strategies.socialism import features
from strategies.socialism.features import Numbers
from strategies.socialism.heuristic import Heuristic, copied, of_active, removed, stolen

_STRONG = ("stellar-status", "viral-post", "omg-cat-pic", "flattery", "a-s-l")
_WIN = 50


@dataclass(frozen=True)
class Allround(Heuristic):
    """It weighs what each card brings now against what it may bring later.

    It keeps Stellar Status and OMG CAT PIC until many join by them, unless they win; it
    plays a Viral Post and a New feature early, places Users beside those who are still
    to be won, and hurts whoever leads the more, the nearer he is to the end.
    """

    name = "allround"
    # what a User on the board is worth later; all in tokens
    placed: float = parameter(0.3, 0.0, 50.0)
    auto: float = parameter(1.0, 0.0, 50.0)  # how much of what he brings at once counts
    # what Stellar Status brings if it is kept,
    stellar: float = parameter(3.5, 0.0, 50.0)
    # and how much each Member more than that counts
    dense: float = parameter(3.0, 0.0, 50.0)
    cat: float = parameter(1.5, 0.0, 50.0)  # the same of OMG CAT PIC
    post: float = parameter(8.0, 0.0, 50.0)  # what a Viral Post brings
    feature: float = parameter(1.5, 0.0, 50.0)  # what a New feature brings
    ipo: float = parameter(2.0, 0.0, 50.0)  # what an IPO costs later
    block: float = parameter(0.2, 0.0, 50.0)  # what an SMTP Block List brings
    # what a token taken from who leads is worth
    harm: float = parameter(1.05, 0.0, 50.0)
    # what a card that hurts brings if it is kept
    keep: float = parameter(0.6, 0.0, 50.0)
    mine: float = -1.0  # what it is worth to place a User beside an own Member
    # what it costs to place him beside another's Member
    other: float = parameter(0.5, 0.0, 50.0)
    # what less, beside who accepts no personal invitation
    hard: float = parameter(0.0, 0.0, 50.0)
    # what an open Friend of a new Member is worth
    bridge: float = parameter(0.05, 0.0, 50.0)
    # chance by which personal invitations are better than auto
    spread: float = parameter(0.0, 0.0, 50.0)

    def gains(self, view: SocialismView) -> dict[str, Numbers | float]:
        """What each brings now, less what it might bring later."""
        free = masks.count(features.wanted(view)).astype(np.float32)
        at_once = features.personal(view).max(axis=0)
        joining = features.adjacent(view).max(axis=0)
        some = (view.mine != 0) & (free > 1)
        flattery = np.where(copied(view) >= 3, self.post, copied(view))
        hurt = np.float32(self.harm) * features.hurt(view).max(axis=0)
        shared = np.float32(self.harm) * features.shared(view).max(axis=0)
        managed = np.float32(self.harm) * removed(view).max(axis=0)
        wins = _WIN * (joining >= view.to_place[0])
        return {
            "user": self.auto * np.maximum(1 - at_once, 0) + self.placed,
            "stellar-status": self.dense * (joining - self.stellar) + wins,
            "viral-post": np.where(some, self.post, -1),
            "lost-password": hurt - self.keep,
            "omg-cat-pic": features.cat_pic(view).max(axis=0) - self.cat,
            "a-s-l": shared - self.keep,
            "ipo": free / 6 - self.ipo,
            "new-feature": np.where(view.has_feature[0], -0.5, self.feature),
            "change-of-management": managed - self.keep,
            "smtp-block-list": self.block,
            "flattery": np.where(some, flattery, -1),
            "industrial-espionage": stolen(view).max(axis=0) - 0.5,
        }

    def near(self, view: SocialismView) -> Numbers:
        """Beside those who are still to be won."""
        size, accepts = view.layout.size, view.layout.personal[0]
        free = features.wanted(view)
        worth = features.holds(free, size) * np.float32(1 - self.hard)
        worth += features.holds(free & accepts, size) * np.float32(self.hard)
        worth += features.holds(view.mine, size) * np.float32(self.mine)
        for tokens in view.members[1:]:
            worth -= features.holds(tokens, size) * np.float32(self.other)
        return worth

    def ways(self, view: SocialismView) -> Numbers:
        """What it expects, personal invitations a little more."""
        worth = super().ways(view)
        worth[2] += np.float32(self.spread)
        worth[3] *= np.float32(self.harm)
        return worth

    def cancels(self, view: SocialismView) -> Flags:
        """What helps a seat that has fewer tokens left than this one, or hurts it."""
        strong = np.isin(view.does, [DOES[name] for name in _STRONG])
        ahead = of_active(view, view.to_place) <= view.to_place[0]
        return strong & ahead

    def bridges(self, view: SocialismView) -> Numbers:
        """By how many Friends are left to invite."""
        return np.float32(100 * self.bridge) * super().bridges(view)
