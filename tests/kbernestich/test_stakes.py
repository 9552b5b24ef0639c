"""What is at stake with a trick, found once a trick, is what it is at each card."""

import random
from typing import Any

import numpy as np

from sim import masks
from sim.kbernestich.state import ANY
from sim.kbernestich.values import points
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.random import Random
from tests.kbernestich.plays import GAME, any_rules, started, table


class Counting:
    """Plays at random, and counts by hand what each trick means to its seat."""

    title = "counting"

    def __init__(self) -> None:
        self.seen = [0, 0, 0]

    def decide(self, view: KbernestichView) -> Masks:
        if view.kind.name == "play":
            self._count(view)
        answer: Masks = Random().decide(view)
        return answer

    def _count(self, view: KbernestichView) -> None:
        rules, base = view.rules, points(view.pile, view.by_digit).tolist()
        for row in range(len(view)):
            bust, tricks = int(view.bust[row]), int(view.tricks[row])
            fits = base[row] <= bust
            room = ANY if view.graced[row] else bust - base[row]
            met = int(view.target[row]) >> tricks
            bid = rules.hunch_points * ((met > 1) - (met & 1))
            none = bool(view.mine[row] & view.square("hunch-0"))
            if none and not tricks:
                bid -= bust // rules.misery_bonus_divisor
            assert view.room[row] == room
            assert view.at_stake[row] == base[row] * fits
            assert view.bid_gain[row] == bid
            self.seen[0] += room == ANY
            self.seen[1] += not fits
            self.seen[2] += bid < 0


def played(rules: Any, players: int, games: int, seed: int) -> list[int]:
    counting = Counting()
    GAME.play(started(rules, players, games, seed=seed), table([counting]))
    return counting.seen


def test_stakes_of_the_rules_as_they_are() -> None:
    assert min(played({}, 4, 12, 1)) > 50


def test_stakes_of_any_rules() -> None:
    for seed in range(8):
        dice = random.Random(seed)
        players = dice.choice((3, 4))
        played(any_rules(dice, players, rounds=2), players, 2, seed)


def test_an_area_as_a_number() -> None:
    layout = started({}, 4, 1).layout
    every = np.array([0, layout.all_squares, layout.zabine], dtype=np.uint64)
    cut = layout.cut(every, "zabine").tolist()
    most = (1 << int(masks.count(np.array(layout.zabine)))) - 1
    assert cut == [0, most, most]
