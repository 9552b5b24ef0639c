"""What each option does to the chance to win."""

from dataclasses import dataclass

import numpy as np

from sim.drake.layout import GLUTTONY, GREED, PRIDE, WRATH
from sim.drake.view import DrakeView
from strategies.base import parameter
from strategies.drake import features
from strategies.drake.features import PILES, Afterstate, Numbers
from strategies.drake.heuristic import Heuristic, Judge, own

_ABSENT = 255
_AT_RISK = slice(GLUTTONY, WRATH + 1, WRATH - GLUTTONY)  # as in ``Outlook.risk``
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
    pride: float = parameter(0.54, 0.0, 20.0)  # of a card less that Pride needs
    # cards that Pride needs more, by a discard that it waits for
    keeps: float = parameter(0.37, 0.0, 20.0)
    lacks: float = parameter(1.05, 0.0, 20.0)  # that too few cards are left for a pile
    more: float = parameter(0.17, 0.0, 20.0)  # and of each of them
    # if a card lies there that shuffles them back
    fixed: float = parameter(2.2, 0.0, 20.0)
    # that its rightmost card is surely discarded next
    risk: float = parameter(0.25, 0.0, 20.0)
    played: float = parameter(3.35, 0.0, 20.0)  # that somebody plays it
    proud: float = parameter(1.5, 0.0, 20.0)  # that somebody plays Pride
    # that its player had the last turn, not the next
    waits: float = parameter(0.75, 0.0, 20.0)
    # that it needs one card, and its player's turn is next
    next: float = parameter(1.45, 0.0, 20.0)
    soon: float = parameter(1.75, 0.0, 20.0)  # that Pride needs but one
    # by update I, that its win would but shuffle, or be ignored
    spared: float = parameter(3.0, 0.0, 20.0)

    def judge(self, view: DrakeView, now: Afterstate) -> Judge:
        """The chance that its own Virtue wins."""
        return _Race(self, view).chance


class _Race:
    """How likely each Virtue is to win; what no option changes is computed once."""

    def __init__(self, how: Allround, view: DrakeView) -> None:
        self._how, self._view, self._own = how, view, own(view)
        present = view.waits != _ABSENT
        turns = np.where(view.waits > 0, view.waits, view.players) - 1.0
        later = turns / view.players
        # (virtues, rows) what it counts that somebody plays a Virtue, and when; and
        # what more if it is close
        self._played, self._close = how.played - how.waits * later, 1 - later
        self._close *= how.next
        self._played[PRIDE], self._close[PRIDE] = how.proud, how.soon
        self._played *= present
        self._close *= present
        if view.rules.ruleset == "update_I":
            again = view.spent & (view.rules.absent_second_win == "wins")
            self._played -= how.spared * (~present & ~again)

    def chance(self, look: Afterstate) -> Numbers:
        """(rows,) the chance of the seat's own Virtue."""
        scores = self._scores(look)
        scores -= scores.max(axis=0)
        chances = np.exp(scores, out=scores)
        share: Numbers = chances.take(self._own) / chances.sum(axis=0)
        return share

    def _scores(self, look: Afterstate) -> Numbers:
        """(virtues, rows) how likely each Virtue is to win, in logits."""
        how, view = self._how, self._view
        need, lacks = features.needs(view, look), features.lacks(view, look)
        short = np.maximum(lacks, 0)
        close = need <= 1
        close[:PRIDE] &= short == 0
        scores = self._close * close
        scores += self._played
        lacking = short > 0
        back = (look.gone.take(PILES, axis=0) >= short) & (look.shuffles > 0)
        lost = how.lacks + how.more * short
        lost -= how.fixed * back
        lost *= lacking
        lost += how.near * need[:PRIDE]
        scores[:PRIDE] -= lost
        scores[_AT_RISK] -= how.risk * look.risk * ~lacking[_AT_RISK]
        kept = how.keeps * np.maximum(1 - lacks, 0)  # discards that it waits for
        kept[GREED] *= _NEVER  # nothing robs or burns the Bed: it is full first
        kept += look.left.take(PILES, axis=0)
        scores[PRIDE] -= how.pride * kept.min(axis=0)
        np.copyto(scores, _CERTAIN, where=need <= 0)
        return scores
