"""What each option does to the chance to win."""

from dataclasses import dataclass

import numpy as np

from sim.drake.layout import GLUTTONY, GREED, KNIGHT, MAIDEN, PRIDE, TREASURE, WRATH
from sim.drake.view import DrakeView
from strategies.base import parameter
from strategies.drake import features
from strategies.drake.features import Numbers, Outlook
from strategies.drake.heuristic import Heuristic, own

_ABSENT = 255
_PILES = ((GLUTTONY, MAIDEN), (WRATH, KNIGHT), (GREED, TREASURE))
_NEVER = 99.0
_CERTAIN = 30.0  # logits of a Virtue that has won


@dataclass(frozen=True)
class Allround(Heuristic):
    """It weighs each option by its chance to win against all Virtues, absent ones too.

    A Virtue is likely to win that needs few cards, that somebody plays, and whose turn
    comes soon; unlikely, if too few cards are left for it or its rightmost card is
    easily lost. So it races where it is ahead, and blocks whoever would be first.
    """

    name = "allround"
    # of a card less that a Virtue needs; in logits, as all below
    near: float = parameter(0.8, 0.0, 20.0)
    pride: float = parameter(0.54, 0.0, 20.0)  # the same of Pride
    # cards that Pride needs more, by a discard that it waits for
    keeps: float = parameter(0.37, 0.0, 20.0)
    lacks: float = parameter(1.05, 0.0, 20.0)  # that too few cards are left for a pile
    more: float = parameter(0.17, 0.0, 20.0)  # and of each of them
    # if a card lies there that shuffles them back
    fixed: float = parameter(2.2, 0.0, 20.0)
    # that its rightmost card is surely discarded next
    risk: float = parameter(0.25, 0.0, 20.0)
    played: float = parameter(3.35, 0.0, 20.0)  # that somebody plays it
    proud: float = parameter(1.5, 0.0, 20.0)  # the same of Pride
    # that its player had the last turn, not the next
    waits: float = parameter(0.75, 0.0, 20.0)
    # that it needs one card, and its player's turn is next
    next: float = parameter(1.45, 0.0, 20.0)
    soon: float = parameter(1.75, 0.0, 20.0)  # that Pride needs but one
    # by update I, that its win would but shuffle, or be ignored
    spared: float = parameter(3.0, 0.0, 20.0)

    def worth(self, view: DrakeView, look: Outlook, now: Outlook) -> Numbers:
        """The chance that its own Virtue wins."""
        scores = self._scores(view, look)
        scores -= scores.max(axis=0)
        chances = np.exp(scores, out=scores)
        share: Numbers = own(view, chances) / chances.sum(axis=0)
        return share

    def _scores(self, view: DrakeView, look: Outlook) -> Numbers:
        """(virtues, rows) how likely each Virtue is to win; logits."""
        need, lacks = features.needs(view, look), features.lacks(view, look)
        short = features.by_virtue(np.maximum(lacks, 0))
        scores = self._of_players(view, need, short)
        kept = self.keeps * np.maximum(1 - lacks, 0)  # discards that it waits for
        kept[TREASURE] *= _NEVER  # nothing robs or burns the Bed: it is full first
        for virtue, pile in _PILES:
            lacking = short[virtue] > 0
            back = (look.gone[pile] >= short[virtue]) & (look.shuffles > 0)
            lost = self.lacks + self.more * short[virtue] - self.fixed * back
            scores[virtue] -= self.near * need[virtue] + lost * lacking
            if pile != TREASURE:
                scores[virtue] -= self.risk * look.risk[pile] * ~lacking
        scores[PRIDE] -= self.pride * (look.left + kept).min(axis=0)
        scores[need <= 0] = _CERTAIN
        return scores

    def _of_players(self, view: DrakeView, need: Numbers, short: Numbers) -> Numbers:
        """(virtues, rows) what it counts that somebody plays a Virtue, and when."""
        present = view.waits != _ABSENT
        turns = np.where(view.waits > 0, view.waits, view.players) - 1.0
        later = turns / view.players
        close = (need <= 1) & (short == 0)
        scores = self.played - self.waits * later + self.next * (1 - later) * close
        scores[PRIDE] = self.proud + self.soon * close[PRIDE]
        scores *= present
        if view.rules.ruleset == "update_I":
            again = view.spent & (view.rules.absent_second_win == "wins")
            scores -= self.spared * (~present & ~again)
        return scores
