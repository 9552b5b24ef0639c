"""Both elections in mind, and whoever stands in the way."""

from dataclasses import dataclass

import numpy as np

from sim.article_ii.view import ArticleIIView
from strategies.article_ii import reading
from strategies.article_ii.reading import Wishes
from strategies.article_ii.school import School


@dataclass(frozen=True)
class Balanced(School):
    """The Primary needs to be passed, no more; the General needs to be won.

    TODO
    """

    name = "balanced"
    own_p: int = 2
    own_g: int = 4
    cut_p: int = 2
    cut_g: int = 2
    behind: int = 4
    lead: int = 4
    others: int = 1
    down: int = 4
    rise: int = 1

    def wishes(self, view: ArticleIIView) -> Wishes:
        """By phase."""
        if view.general:
            return self._general(view)
        if view.players == 2:
            wish = np.full((2, len(view)), -1, dtype=np.int16)
            wish[0] = 1
            return Wishes(wish * np.int16(4), -wish * np.int16(4))
        return self._primary(view)

    def _primary(self, view: ArticleIIView) -> Wishes:
        totals = view.primary_totals
        order = np.sort(totals[1:], axis=0)
        second = order[-2]  # of the others
        behind = totals[0] <= second
        shape = (view.players, len(view))
        p, g = np.zeros(shape, "i2"), np.zeros(shape, "i2")
        p[0] = np.where(behind, self.behind, self.own_p)
        g[0] = self.own_g
        top = totals[1:] >= second
        p[1:] = top * np.int16(-self.cut_p)
        g[1:] = top * np.int16(-self.cut_g)
        return Wishes(p + g, p - g)

    def _general(self, view: ArticleIIView) -> Wishes:
        contenders, totals = view.contenders, view.general_totals
        others = contenders.copy()
        others[0] = False
        lead = reading.leader(totals, others)
        wish = np.where(lead, -self.lead, np.where(others, -self.others, 0))
        wish[0] = 4
        above = np.where(contenders & (totals > 0), -self.down, 0)
        mine = contenders[0]
        e = np.where(mine, wish, above).astype("i2")
        a = -e
        e[0] = np.where(mine, 4, self.rise)
        a[0] = np.where(mine, -4, 0)
        return Wishes(e, a)
