"""Losing the Primary, to win without the others."""

from dataclasses import dataclass

import numpy as np

from sim.article_ii.view import ArticleIIView
from strategies.article_ii.features import Wishes
from strategies.article_ii.heuristic import Heuristic


@dataclass(frozen=True)
class Spoiler(Heuristic):
    """If no Candidate ends above zero, the Spoiler with the highest Electability wins.

    So it gathers Electability and loses Affiliation, and the others shall be nominated
    for their Affiliation. In the General it pulls contenders down to zero; should it be
    one itself, it plays for its own total.
    """

    name = "spoiler"
    of_table = True

    def wishes(self, view: ArticleIIView) -> Wishes:
        """Affiliation to the others, and in the General nothing above zero to them."""
        shape = (view.players, len(view))
        electability, affiliation = np.zeros(shape, "i2"), np.zeros(shape, "i2")
        electability[0], affiliation[0] = 2, -3
        if not view.general:
            electability[1:], affiliation[1:] = -1, 2
            return Wishes(electability, affiliation)
        above = view.contenders & (view.general_totals > 0)
        electability[1:] = above[1:] * np.int16(-4)
        affiliation[1:] = above[1:] * np.int16(4)
        affiliation[0] = np.where(view.contenders[0], -2, 0)
        return Wishes(electability, affiliation)
