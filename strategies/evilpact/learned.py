"""Cards, spells and contracts by weights that were fitted to what search finds."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from sim.evilpact.view import EvilpactView
from strategies.evilpact import features
from strategies.evilpact.allround import Allround
from strategies.evilpact.collector import Collector
from strategies.linear_policy import (
    LinearPolicy,
    Numbers,
    general_reading,
    situation_reading,
)

ALLROUND = Allround()
SITUATIONS = "starts", "led", "chance"


def _situation(view: EvilpactView) -> Numbers:
    """(situations, rows) who starts the round, elements led, and the chance to win."""
    led = np.sign(features.margins(view)).sum(axis=0) / 3
    return np.stack([view.starts, led, ALLROUND.judge(view).now])


@dataclass(frozen=True)
class Learned(LinearPolicy):
    """Learned from search which cards, spells and contracts win.

    Of each it weighs what it is, and its worth to `allround` and `collector`, by the
    time, who starts the round, and how likely it wins. All else is as `allround`; the
    weights tell what search found against it.
    """

    name = "learned"
    readings: ClassVar = {
        kind: general_reading("evilpact", kind, judges=(ALLROUND, Collector()))
        + situation_reading(SITUATIONS, _situation)
        for kind in ("acquire", "cast", "contract")
    }
    data: ClassVar = Path(__file__).with_suffix(".toml")
    teacher: ClassVar = ALLROUND
