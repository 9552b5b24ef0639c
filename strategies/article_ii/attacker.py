"""Down with who leads."""

from dataclasses import dataclass

import numpy as np

from sim.article_ii.view import ArticleIIView
from strategies.article_ii import features
from strategies.article_ii.features import Wishes
from strategies.article_ii.heuristic import Heuristic


@dataclass(frozen=True)
class Attacker(Heuristic):
    """Whoever of the others leads in this phase must come down, whatever it costs.

    Its own total counts only a quarter as much: cards that cannot hurt the leader are
    kept for itself.
    """

    name = "attacker"
    of_table = True

    def wishes(self, view: ArticleIIView) -> Wishes:
        """The highest total among the others, of contenders in the General."""
        others = np.ones((view.players, len(view)), dtype=np.bool_)
        if view.general:
            others = view.contenders.copy()
        others[0] = False
        wish = features.leader(view.totals, others) * np.int16(-4)
        wish[0] = 1
        return Wishes(wish, -wish if view.general else wish)
