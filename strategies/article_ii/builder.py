"""Praise for oneself."""

from dataclasses import dataclass

import numpy as np

from sim.article_ii.view import ArticleIIView
from strategies.article_ii.features import Wishes
from strategies.article_ii.heuristic import Heuristic


@dataclass(frozen=True)
class Builder(Heuristic):
    """Only its own total counts, that of the phase that is on.

    What would lower it goes to somebody else, whoever that is.
    """

    name = "builder"
    of_table = True

    def wishes(self, view: ArticleIIView) -> Wishes:
        """Its own total of the phase; the others' are nothing to it."""
        own = np.zeros((view.players, len(view)), dtype=np.int16)
        own[0] = 4
        return Wishes(own, -own if view.general else own)
