"""First of all to be nominated."""

from dataclasses import dataclass

import numpy as np

from sim.article_ii.view import ArticleIIView
from strategies.article_ii.features import Wishes
from strategies.article_ii.heuristic import Heuristic


@dataclass(frozen=True)
class Partisan(Heuristic):
    """Who is no Candidate wins nothing, so the Primary is played as if it were all.

    Affiliation is welcome there, as much as Electability; the General is played for
    the General, with what the Primary has left.
    """

    name = "partisan"
    of_table = True

    def wishes(self, view: ArticleIIView) -> Wishes:
        """The totals of the phase: its own up, all others' down."""
        wish = np.full((view.players, len(view)), -1, dtype=np.int16)
        wish[0] = 4
        return Wishes(wish, -wish if view.general else wish)
