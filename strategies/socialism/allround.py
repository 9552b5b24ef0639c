"""Tokens expected, now and later."""

from dataclasses import dataclass

import numpy as np

from sim import masks
from sim.masks import Flags
from sim.socialism.view import SocialismView
from strategies.base import parameter
from strategies.socialism import features
from strategies.socialism.features import Numbers
from strategies.socialism.heuristic import (
    Feature,
    Heuristic,
    Near,
    among,
    most_of,
    of_active,
)

_STRONG = ("stellar-status", "viral-post", "omg-cat-pic", "flattery", "a-s-l")
_HURTING: dict[str, Feature] = {
    "lost-password": features.log_out_value,
    "a-s-l": features.asl_value,
    "change-of-management": features.removal_value,
}
_WIN = 50


@dataclass(frozen=True)
class Allround(Heuristic):
    """It weighs what each card brings now against what it may bring later.

    It keeps Stellar Status and OMG CAT PIC until many join by them, unless they win; it
    plays a Viral Post and a New feature early, places Users beside those who are still
    to be won, and hurts the leader, the more the nearer the leader is to winning.

    All its numbers are in tokens.
    """

    name = "allround"
    auto: float = parameter(1.0, 0.0, 50.0)  # part of what a User brings at once
    stellar: float = parameter(3.5, 0.0, 50.0)  # what a Stellar Status kept brings,
    dense: float = parameter(3.0, 0.0, 50.0)  # and each Member more than that
    cat: float = parameter(1.5, 0.0, 50.0)  # what an OMG CAT PIC kept brings
    post: float = parameter(8.0, 0.0, 50.0)  # a Viral Post
    feature: float = parameter(1.5, 0.0, 50.0)  # a New feature
    ipo: float = parameter(2.0, 0.0, 50.0)  # what an IPO costs later
    block: float = parameter(0.2, 0.0, 50.0)  # an SMTP Block List
    harm: float = parameter(1.05, 0.0, 50.0)  # a token taken from who leads
    keep: float = parameter(0.6, 0.0, 50.0)  # what a card that hurts brings if kept
    away: float = parameter(1.0, 0.0, 50.0)  # cost of a User beside an own Member
    bridge: float = parameter(0.1, 0.0, 50.0)  # an open Friend of a new Member

    def gains(self, view: SocialismView) -> dict[str, Numbers | float]:
        """What each brings now, less what it might bring later."""
        free = masks.count(features.users_to_win(view)).astype(np.float32)
        at_once = most_of(view, "user", features.personal)
        joining = most_of(view, "stellar-status", features.adjacent)
        useful = (view.mine != 0) & (free > 1)
        copied = most_of(view, "flattery", features.copy_value)
        hurts = {
            name: np.float32(self.harm) * most_of(view, name, feature) - self.keep
            for name, feature in _HURTING.items()
        }
        flattery = np.where(copied >= 3, self.post, copied)
        wins = _WIN * (joining >= view.to_place[0])
        return {
            "user": self.auto * np.maximum(1 - at_once, 0),
            "stellar-status": self.dense * (joining - self.stellar) + wins,
            "viral-post": np.where(useful, self.post, -1),
            "omg-cat-pic": most_of(view, "omg-cat-pic", features.cat_pic) - self.cat,
            "ipo": free / 6 - self.ipo,
            "new-feature": np.where(view.lies_here >= 2, -0.5, self.feature),
            "smtp-block-list": self.block,
            "flattery": np.where(useful, flattery, -1),
            "industrial-espionage": most_of(
                view, "industrial-espionage", features.espionage_gains
            )
            - 0.5,
            **hurts,
        }

    def near(self, view: SocialismView) -> Near:
        """Beside those who are still to be won."""
        return (features.users_to_win(view), 1.0), (view.mine, -self.away)

    def ways(self, view: SocialismView) -> Numbers:
        """What it expects; a token taken, by what that is worth."""
        worth = super().ways(view)
        worth[3] *= np.float32(self.harm)
        return worth

    def cancels(self, view: SocialismView) -> Flags:
        """What helps a seat that has fewer tokens left than this one, or hurts it."""
        strong = among(view.does, _STRONG)
        return strong & (of_active(view, view.to_place) <= view.to_place[0])

    def bridges(self, view: SocialismView) -> Numbers:
        """By how many Friends are left to invite."""
        return np.float32(100 * self.bridge) * super().bridges(view)
