"""What the strategies share: they value the afterstate of each option."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from sim import masks
from sim.drake.view import DrakeView
from sim.masks import Masks
from sim.observation import Worth
from sim.view import Rows
from strategies.base import Strategy
from strategies.best_options import BestOptions
from strategies.by_worth import worth_of
from strategies.drake import features
from strategies.drake.features import Afterstate, Numbers

_CLOSE = 1e-9  # equal worths, but for rounding
_FEW_ROWS = 256  # above it all options together do not fit the cache
Judge = Callable[[Afterstate], Numbers]
"""(rows,) the value of an afterstate to the seat."""
_Looks = Iterable[list[tuple[Numbers | float, Afterstate]]]  # after each option
_Worths = Iterator[Numbers]


class Heuristic(Strategy):
    """It takes the option after which the table is worth most; equals are tossed."""

    def play(self, view: DrakeView) -> Masks:
        """The deck whose card is worth most, with the action that follows."""
        return self._chosen(view)

    def act(self, view: DrakeView) -> Masks:
        """The action that is worth most."""
        return self._chosen(view)

    def judge(self, view: DrakeView, now: Afterstate) -> Judge:
        """How it values the afterstates of the table ``now``."""
        return lambda look: np.zeros(len(view))

    def _chosen(self, view: DrakeView) -> Masks:
        chosen = view.legal.copy()
        rows = np.flatnonzero(chosen & (chosen - masks.ONE))  # there is a choice
        if len(rows):
            some = view.take(rows)
            chosen[rows] = some.toss(self._considered(some).options)
        return chosen

    @worth_of(play)
    @worth_of(act)
    def _worth(self, view: DrakeView) -> Worth:
        return self._considered(view).worth_by_bit()

    def _considered(self, view: DrakeView) -> BestOptions:
        """All options, by the table after each."""
        now, best = features.now(view), BestOptions(len(view), _CLOSE)
        options = [*map(masks.bit, masks.members(np.bitwise_or.reduce(view.legal)))]
        looks = ([*features.after(view, now, option)] for option in options)
        weigh = self._weighed if len(view) > _FEW_ROWS else self._weighed_together
        for option, worth in zip(options, weigh(view, looks, now), strict=True):
            able = masks.rows_with(view.legal, option)
            best.consider(able, view.legal.take(able) & option, worth.take(able))
        return best

    def _weighed(self, view: DrakeView, looks: _Looks, now: Afterstate) -> _Worths:
        """(rows,) the value of each option, from its afterstates."""
        judge = self.judge(view, now)
        for some in looks:
            worth = np.zeros(len(view))
            for chance, look in some:
                worth += chance * judge(look)
            yield worth

    def _weighed_together(
        self, view: DrakeView, looks: _Looks, now: Afterstate
    ) -> _Worths:
        """(rows,) as ``_weighed``, with all options in one call, for few rows."""
        every = [*looks]
        after = [look for looks_of_option in every for _, look in looks_of_option]
        rows = np.tile(np.arange(len(view)), len(after))
        worths = self.judge(view.take(rows), now.take(rows))(
            features.concatenate(after)
        )
        left = iter(worths.reshape(len(after), len(view)))
        for looks_of_option in every:
            worth = np.zeros(len(view))
            for chance, _ in looks_of_option:
                worth += chance * next(left)
            yield worth


def own(view: DrakeView) -> Rows:
    """(rows,) the flat index of the seat's own Virtue in a (virtues, rows) field."""
    places: Rows = view.virtues[0].astype(np.int64) * len(view) + np.arange(len(view))
    return places
