"""With the General in mind from the first card."""

from dataclasses import dataclass

import numpy as np

from sim.article_ii.view import ArticleIIView
from strategies.article_ii.features import Wishes
from strategies.article_ii.heuristic import Heuristic


@dataclass(frozen=True)
class Centrist(Heuristic):
    """The General decides, so Electability is gathered and Affiliation shed, always.

    The others get Affiliation, in the Primary too, where it helps them.
    """

    name = "centrist"
    of_table = True

    def wishes(self, view: ArticleIIView) -> Wishes:
        """General totals: its own up, all others' down."""
        wish = np.full((view.players, len(view)), -1, dtype=np.int16)
        wish[0] = 4
        return Wishes(wish, -wish)
