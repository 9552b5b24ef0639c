"""Checks of strategies: each catches the bug that is planted for it."""

import json
from dataclasses import replace

import numpy as np
import pytest

from experiments.conformance.check import check_strategy
from sim import masks
from sim.chance import Purpose
from sim.games import load
from sim.parameters import RuleError
from strategies.base import Strategy
from strategies.registry import builtin
from strategies.scalar import Scalar
from tests.games.room import first_few

CALLS = 0
GAME = replace(load("kunitame"), players=(4,))
SHORT = GAME.rules.of({"weeks": 2})


class Illegal(Strategy):
    """Claims nothing."""

    def claim(self, view):
        return np.zeros_like(view.legal)


class Raises(Strategy):
    """Has no idea."""

    def play(self, view):
        raise RuntimeError("no idea")


class Shape(Strategy):
    """Answers for one row too few."""

    def play(self, view):
        return masks.lowest(view.legal)[1:]


class Whole(Strategy):
    """Answers with signed numbers."""

    def play(self, view):
        return masks.lowest(view.legal).astype(np.int64)


class Dice(Strategy):
    """Throws dice of its own."""

    def play(self, view):
        chance = np.random.randint(0, 1 << 20, len(view)).astype(np.uint64)  # noqa: NPY002
        return masks.pick(view.legal, chance)


class Counts(Strategy):
    """Counts its calls in its module."""

    def play(self, view):
        global CALLS  # noqa: PLW0603
        CALLS += 1
        return masks.lowest(view.legal) if CALLS % 3 else masks.highest(view.legal)


class Remembers(Strategy):
    """Keeps a number in itself, and does not even use it."""

    def play(self, view):
        vars(self)["calls"] = vars(self).get("calls", 0) + 1
        return masks.lowest(view.legal)


class Shared(Strategy):
    """Keeps what it saw in its class."""

    seen = []  # noqa: RUF012

    def play(self, view):
        self.seen.append(len(view))
        return masks.lowest(view.legal)


class Peeks(Strategy):
    """Looks at the next seat's hand."""

    def play(self, view):
        theirs = view.each(view._state.hands)[1]
        few = masks.count(theirs & view.layout.ability) % 2 == 0
        return masks.blend(few, masks.lowest(view.legal), masks.highest(view.legal))


class Foresees(Strategy):
    """Knows next week's deal from the chance of the game."""

    def play(self, view):
        bits = view.common(view._state.chance.bits(Purpose.DEAL, 3))
        odd = (bits & masks.ONE) != 0
        return masks.blend(odd, masks.lowest(view.legal), masks.highest(view.legal))


class Rows(Strategy):
    """Decides by the place of a game in its block."""

    def play(self, view):
        odd = np.arange(len(view)) % 2 == 1
        return masks.blend(odd, masks.lowest(view.legal), masks.highest(view.legal))


class Crowd(Strategy):
    """Decides by how many games are played at once."""

    def play(self, view):
        return masks.highest(view.legal) if len(view) > 20 else masks.lowest(view.legal)


class Cheats(Strategy):
    """Takes all Life gems for itself."""

    def play(self, view):
        view._state.life[0] = 9
        return masks.lowest(view.legal)


class Honest(Scalar):
    """Plays its last card, or any."""

    def play(self, view):
        return view.legal[-1] if view.random() < 0.5 else view.legal[0]


BUGS = {
    Illegal: "legal",
    Raises: "legal",
    Shape: "legal",
    Whole: "legal",
    Dice: "deterministic",
    Counts: "deterministic",
    Remembers: "no memory",
    Shared: "no memory",
    Peeks: "blind",
    Foresees: "blind",
    Rows: "alone",
    Crowd: "alone",
    Cheats: "hands off",
}


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_the_planted_bug_is_caught(bug):
    found = {
        check.name: check
        for check in check_strategy(GAME, bug(), rules=SHORT, games=30)
    }
    caught = found[BUGS[bug]]
    assert not caught.ok
    assert caught.detail


def test_memory_in_the_module_is_named():
    found = {c.name: c for c in check_strategy(GAME, Counts(), rules=SHORT, games=20)}
    assert "CALLS" in found["no memory"].detail


def test_an_illegal_strategy_is_told_with_game_and_options():
    [legal] = check_strategy(GAME, Illegal(), games=20)
    assert "in game " in legal.detail
    assert "Options: " in legal.detail


@pytest.mark.parametrize("name", first_few(builtin("kunitame")))
def test_built_in_strategies_pass(name):
    found = check_strategy(GAME, name, rules=SHORT, games=20)
    assert [check for check in found if not check.ok] == []
    assert [check.name for check in found] == [
        "legal",
        "deterministic",
        "alone",
        "no memory",
        "hands off",
        "blind",
        "speed",
    ]


def test_a_scalar_strategy_passes():
    found = check_strategy(GAME, Honest(), rules=SHORT, games=15)
    assert [check for check in found if not check.ok] == []


CHECK = ("check-strategy", "--game", "kunitame", "-n", "10", "--set", "weeks=1")


@pytest.mark.slow
def test_numbers_of_players_that_the_rules_refuse_are_left_out():
    parties = load("article_ii").rules.of({"parties": True})
    legal, *_ = check_strategy("article_ii", "random", rules=parties, games=8)
    assert legal.detail == "every answer in 8 games with 4 players"
    crowded = load("devil").rules.of({"hand": 20})
    with pytest.raises(RuleError, match="hand: of 40 cards 2 players"):
        check_strategy("devil", "random", rules=crowded, games=8)


def test_the_command(fairdeal):
    good = fairdeal(*CHECK, "my.py:Bold", "--json")
    assert good.exit_code == 0
    found = json.loads(good.stdout)
    assert found["ok"]
    assert found["strategy"] == "bold"
    assert "ns a decision" in found["checks"][-1]["detail"]
    bad = fairdeal(*CHECK, "my.py:Illegal")
    assert bad.exit_code == 1
    assert "NO" in bad.stdout
    assert "Traceback" not in bad.output
