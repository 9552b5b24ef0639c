"""Where a decision is declined, games take the course that they took, until then."""

from dataclasses import replace
from functools import partial

import pytest

from experiments.core.block_records import Block, record_block
from experiments.core.cells import Cell
from experiments.counterfactual.replay import (
    RecordedAnswers,
    ReplayUntilDeviation,
)
from sim import games
from strategies.decliner import Decliner
from strategies.registry import make

CASES = [
    ("kunitame", 4, "contract", ("week", 2), ""),
    ("evilpact", 2, "cast", ("round", 2), ""),
    ("kbernestich", 3, "cube", ("week", 1), ""),
    ("devil", 4, "declare", ("round", 1), ""),
]


@pytest.mark.parametrize(("game", "players", "kind", "when", "option"), CASES)
def test_games_are_as_if_played_from_the_start(game, players, kind, when, option):
    inner, block = make(game, "allround"), Block(0, 0, 60)
    rules = games.load(game).rules.of()
    one = Cell(game, rules, players, (inner,) * players, True, 7)
    lineup = Decliner(inner, kind, when, option), *one.lineup[1:]
    other, course = replace(one, lineup=lineup), RecordedAnswers(games.load(game), 60)
    names = tuple(name for name in games.load(game).events)
    _, before = record_block(one, block, names, [course])
    played, found = record_block(
        other, block, names, [], partial(ReplayUntilDeviation, course)
    )
    plain, wanted = record_block(other, block, names, [])
    assert played.decisions == plain.decisions
    assert {name: frame.equals(wanted[name]) for name, frame in found.items()} == (
        dict.fromkeys(wanted, True)
    )
    assert any(not frame.equals(before[name]) for name, frame in found.items())
