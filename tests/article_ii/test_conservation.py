"""No card of Article II appears or vanishes, and the sums are those of the cards."""

import random
from typing import Any

import numpy as np
import pytest

from sim import masks
from sim.article_ii.layout import CANDIDATE, TIMES, TRAITS
from sim.article_ii.play import STEPS
from sim.article_ii.scoring import seat_flags
from sim.article_ii.state import State, Step
from tests.article_ii.plays import (
    any_rules,
    each_card_once,
    started,
    table,
)


def audit(state: State) -> int:
    """Play on, and count cards and points after every step; how many there were."""
    desk, steps, layout = table(), 0, state.layout
    while state.clock.step is not Step.OVER:
        STEPS[state.clock.step](state, desk)
        steps += 1
        if state.clock.step is Step.TURN or steps % 3 == 0:
            each_card_once(state)
            sums_are_those_of_the_cards(state)
            traits_are_those_of_the_styles(state)
            assert (masks.count(state.lying & layout.styles) <= 1).all(), "two Styles"
            assert not (masks.join([*state.lying]) & ~layout.lies).any(), (
                "a one-shot lies"
            )
    each_card_once(state)
    return steps


def sums_are_those_of_the_cards(state: State) -> None:
    for field, worth in (
        (state.electability, state.layout.electability),
        (state.affiliation, state.layout.affiliation),
    ):
        total = np.zeros_like(field)
        for number in masks.members(state.layout.everything):
            total += worth[number] * ((state.lying & masks.bit(number)) != 0)
        assert (field == total).all(), "sums are not those of the cards"


def traits_are_those_of_the_styles(state: State) -> None:
    effects, lying = state.layout.effects, state.lying
    has = {name: (lying & cards) != 0 for name, cards in effects.items()}
    for name, bit in TRAITS.items():
        assert (((state.traits & bit) != 0) == has[name]).all(), name
    assert ((state.traits & TIMES) == (1 + has["doubled"]) * ~has["zero"]).all()
    elected = seat_flags(state.candidates, state.players)
    assert (((state.traits & CANDIDATE) != 0) == elected).all(), "not the Candidates"


@pytest.mark.parametrize("seed", range(6))
def test_nothing_appears_or_vanishes(seed: int) -> None:
    rules = any_rules(random.Random(seed)) if seed > 2 else {}
    assert audit(started(rules, 2 + seed % 3, 60, seed=seed)) > 20


@pytest.mark.parametrize("thing", ["card", "point", "deck"])
def test_a_theft_is_seen(thing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state, end_turn = started(None, 4, 20), STEPS[Step.END_TURN]

    def thief(state: State, desk: Any) -> None:
        end_turn(state, desk)
        if thing == "card":
            state.hands[0, 3] &= state.hands[0, 3] - np.uint64(state.hands[0, 3] > 0)
        elif thing == "point":
            state.affiliation[2, 7] += 1
        else:
            state.top[5] += np.uint8(state.left[5] > 0)

    monkeypatch.setitem(STEPS, Step.END_TURN, thief)
    with pytest.raises(AssertionError):
        audit(state)
