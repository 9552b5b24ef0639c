"""A forecast by hand: what is written side by side is what each square is worth."""

import numpy as np

from sim import masks
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.kbernestich.features import tables
from strategies.kbernestich.forecast import Forecast
from strategies.random import Random
from tests.kbernestich.plays import GAME, started, table


class Asking:
    """Plays at random, and forecasts each plot, all rows at once and one by one."""

    title = "asking"

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, view: KbernestichView) -> Masks:
        if view.kind.name == "plot":
            together = Forecast(view, 1.5).worth()
            for row in range(len(view)):
                alone = Forecast(view.take(np.array([row])), 1.5).worth()[0]
                np.testing.assert_array_equal(together[row], alone)
                self.asked += 1
            self._printed(view)
        answer: Masks = Random().decide(view)
        return answer

    def _printed(self, view: KbernestichView) -> None:
        """Points printed on legal squares; all others are worth less than any."""
        worth = tables(view.layout).plain_worth(view.legal)
        for legal, row in zip(view.legal.tolist(), worth, strict=True):
            squares = [n for n in masks.members(legal) if n < 63]
            assert row[squares].tolist() == view.layout.points[squares].tolist()
            row[squares] = -1e9
            assert (row == -1e9).all()


def test_rows_are_forecast_together_as_alone() -> None:
    asking = Asking()
    GAME.play(started({}, 4, 6, seed=2), table([asking]))
    assert asking.asked > 300
