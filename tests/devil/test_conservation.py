"""No card of Devil appears or vanishes, and each moves as it may."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sim import masks
from sim.devil.play import STEPS
from sim.devil.state import Phase, State
from tests.devil.plays import any_rules, started, table
from tests.devil.referee import PLAYERS


def cards_are_kept(state: State, before: State) -> Counter[str]:
    """Cards move as they may between two moments of a round; how they moved."""
    seen = np.zeros_like(state.pile)
    for part in (*state.hands, state.pile, state.top):
        assert not (seen & part).any(), "a card is in two places"
        seen |= part
    assert not (seen & ~state.layout.everything).any(), "a card from nowhere"
    _, now, then = np.intersect1d(state.games, before.games, return_indices=True)
    same = (state.clock.round[now] == before.clock.round[then]) & (
        state.hands[:, now] != 0
    ).any(axis=0)
    now, then = now[same], then[same]
    held, earlier = (
        np.bitwise_or.reduce(part.hands[:, rows], axis=0)
        for part, rows in ((state, now), (before, then))
    )
    discards, under = (
        (part.top | part.under())[rows] for part, rows in ((state, now), (before, then))
    )
    pile, full = state.pile[now], before.pile[then]
    played, back, drawn = discards & ~under, under & ~discards, held & ~earlier
    assert not (played & ~(earlier | full | back)).any(), "played from nowhere"
    assert (masks.count(played) <= 1).all(), "two cards played at once"
    assert not (drawn & ~(full | back)).any(), "drawn from nowhere"
    assert (masks.count(drawn) <= 2).all(), "three cards drawn at once"
    assert not (pile & full)[back != 0].any(), "shuffled before the pile was empty"
    moved = {"played": played, "reshuffled": back, "drawn": drawn}
    return Counter({name: int(np.count_nonzero(m)) for name, m in moved.items()})


def audit(state: State) -> Counter[str]:
    """Play on, looking at the cards after every step; how many moved how."""
    desk, ways = table(), Counter[str]()
    while state.clock.phase is not Phase.OVER:
        before = state.copy()
        STEPS[state.clock.phase](state, desk)
        if state.clock.phase is not Phase.OVER:
            ways += cards_are_kept(state, before)
    return ways


@pytest.mark.parametrize("seed", range(8))
def test_nothing_appears_or_vanishes(seed: int) -> None:
    dice = random.Random(seed)
    players = PLAYERS[seed % len(PLAYERS)]
    rules = any_rules(dice, players, target=40) | {"guard": 200}
    ways = audit(started(rules if seed > 1 else {"target": 40}, players, 60, seed=seed))
    assert ways["played"] > 60
    assert ways["drawn"] > 0


def test_cards_are_shuffled_again() -> None:
    assert audit(started({"target": 40}, 8, 60))["reshuffled"] > 20


@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.TURN])
@pytest.mark.parametrize("thing", ["copied", "stolen"])
def test_a_theft_is_seen(
    phase: Phase, thing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, step = started({"target": 40}, 4, 20), STEPS[phase]

    def thief(state: State, desk: Any) -> None:
        step(state, desk)
        if len(state.games) > 3:
            card = masks.lowest(state.hands[1])
            if thing == "copied":
                state.pile[3] |= card[3]
            else:
                state.hands[1, 3] &= ~card[3]

    monkeypatch.setitem(STEPS, phase, thief)
    with pytest.raises(AssertionError):
        audit(state)
