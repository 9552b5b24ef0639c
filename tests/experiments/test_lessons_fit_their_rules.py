"""Further lessons under some rules are worth no less there than those under others."""

import random
from functools import lru_cache
from importlib import import_module

import pytest

from experiments.core.measures import report_of
from experiments.learning.adaptation import LessonPlan, adapted, learned_anew
from experiments.learning.blocks import Decisions, LearningTask
from experiments.learning.learning_question import advisers_of
from experiments.learning.training_rounds import StrengthGain, Training
from sim.games import REGISTRY, load
from sim.parameters import Rules

BLOCKS = 2  # of lessons
GAMES = 2_048  # of each player at each table
VARIANTS = 20  # of each game
_FIRST = 5_000  # the number of the first block: deals that taught nothing


@lru_cache(maxsize=4)
def adapted_spec(game: str, rules: Rules, players: int, anew: tuple[str, ...]) -> str:
    """Who has adapted to some rules."""
    return adapted(
        game,
        rules,
        players=[players],
        start="learned",
        anew=anew,
        lessons=LessonPlan(BLOCKS * report_of(game).lesson_seconds),
        seed=1,
    ).spec


def gains(game: str, rules: Rules, players: int) -> dict[str, StrengthGain]:
    """What those gain who adapted to the rules in force, over those of others.

    Under the variant and under the base rules, in one seat of a table of either.
    """
    base = load(game).rules()
    anew = learned_anew(game, (base, rules), [players], "learned")
    of_base, of_variant = (
        adapted_spec(game, one, players, anew) for one in (base, rules)
    )
    found = {}
    for name, one, own, other in (
        ("variant", rules, of_variant, of_base),
        ("base", base, of_base, of_variant),
    ):
        task = LearningTask(game, one, (players,), advisers_of(game), 1)
        training = Training(task, Decisions({}, {}), 1)
        for table, sits in (("own", own), ("other", other)):
            gain = training.gain(own, other, [sits], GAMES, _FIRST)
            found[f"{name}, {table} table"] = gain
    return found


def any_variant(game: str, number: int) -> tuple[Rules, int]:
    """Rules drawn from all that a designer may change, and how many play by them."""
    dice = random.Random(number)
    players = dice.choice(load(game).players)
    plays = import_module(f"tests.{game}.plays")
    return load(game).rules.of(plays.any_rules(dice, players)), players


@pytest.mark.soak
@pytest.mark.parametrize("number", range(VARIANTS))
@pytest.mark.parametrize("game", REGISTRY)
def test_no_worse_by_any_rules_than_who_learned_others(game, number):
    found = gains(game, *any_variant(game, number))
    assert [name for name, gain in found.items() if not gain.reaches(-3)] == []
