"""The scalar adapter: ids for bits, and answers by id."""

import numpy as np
import pytest

from experiments.core.cells import Cell, play
from sim.answers import IllegalAnswer
from sim.games import load
from sim.transcript import Transcript
from strategies.scalar import Scalar

RULES = load("kunitame").rules
SEEN = []


class Looks(Scalar):
    """Looks at everything, and stakes all it has on one trick."""

    name = "looks"

    def contract(self, view):
        return {"1": view.most}

    def cancel(self, view):
        return view.legal[:1] * view.most

    def play(self, view):
        SEEN.append(
            (
                view.hand,
                view.legal,
                view.life,
                view.lives,
                view.week,
                view.best,
                view.cards,
                view.seat,
                view.random(),
                view.gems,
                view.contract,
            )
        )
        return view.legal[-1]

    def return_(self, view):
        return view.legal[0]


def transcript(cell, games):
    told = Transcript(load("kunitame"))
    play(cell, np.arange(games, dtype=np.uint64), [told])
    return told.events()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_game_is_played_by_ids(players):
    SEEN.clear()
    cell = Cell("kunitame", RULES(), players, (Looks(),) * players)
    events = transcript(cell, 20)
    plays = [event for event in events if event["name"] == "play"]
    assert len(plays) == len(SEEN) == 20 * 28 * players
    contracts = [event for event in events if event["name"] == "contract"]
    for event in contracts:
        assert event["chosen"] == (
            {"1": event["max_gems"]} if event["max_gems"] else {}
        )
    first_returns = [event for event in events if event["name"] == "return"]
    assert first_returns


def test_values_are_plain():
    SEEN.clear()
    transcript(Cell("kunitame", RULES(), 4, (Looks(),) * 4), 3)
    for hand, legal, life, lives, week, best, cards, seat, chance, gems, stakes in SEEN:
        assert set(legal) <= set(hand)
        assert isinstance(life, int)
        assert lives[0] == life
        assert len(lives) == 4
        assert week in (1, 2, 3, 4)
        assert best is None or best in cards
        assert seat in range(4)
        assert 0 <= chance < 1
        assert all(isinstance(square, str) for square in gems)
        assert len(stakes) == 5
    assert len({seen[8] for seen in SEEN}) > len(SEEN) // 2


class Answers(Scalar):
    """Answers whatever it is told to."""

    def play(self, view):
        return ANSWER[0]


ANSWER = [None]


@pytest.mark.parametrize("answer", [None, 7, "B99", ["B1"], "D13", ("B1",)])
def test_wrong_answers_are_named(answer):
    ANSWER[0] = answer
    without_devils = RULES.of({"contract_limit": 0})
    cell = Cell("kunitame", without_devils, 4, (Answers(),) * 4)
    with pytest.raises(IllegalAnswer, match=r"'Answers' .* in game 0 .*Options: "):
        play(cell, np.arange(5, dtype=np.uint64))


class Bags(Scalar):
    """Contracts whatever it is told to."""

    def contract(self, view):
        return ANSWER[0]


@pytest.mark.parametrize(
    "answer", ["1", {"9": 1}, ["1"] * 3, ["1"] * 99, {"1": "x"}, 3]
)
def test_wrong_bags_are_named(answer):
    ANSWER[0] = answer
    cell = Cell("kunitame", RULES(), 4, (Bags(),) * 4)
    with pytest.raises(IllegalAnswer, match=r"'Bags' .* in game 0 .*Options: up to 2"):
        play(cell, np.arange(5, dtype=np.uint64))


@pytest.mark.parametrize("answer", [[], {}, ["5"], {"1": 1, "5": 1}, ("2", "2")])
def test_right_bags(answer):
    ANSWER[0] = answer
    play(
        Cell("kunitame", RULES(weeks=1), 4, (Bags(),) * 4),
        np.arange(5, dtype=np.uint64),
    )
