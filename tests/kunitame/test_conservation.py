"""Nothing of Kunitame appears or vanishes: cards, gems and lives."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import masks
from sim.kunitame.state import Phase, State
from sim.listener import Choice, Listener
from sim.masks import Masks
from tests.kunitame.plays import GAME, any_rules, started, table

Fields = Mapping[str, Any]


class Auditor(Listener):
    """Counts cards, gems and lives at every choice and note, in all rows."""

    def __init__(self, state: State) -> None:
        start = state.layout.starting
        self.values = np.full(len(state.games), 0, dtype=np.int64)
        self.values += int(masks.count(start[0])) + 3 * int(masks.count(start[1]))
        self.lives = state.life.sum(axis=0, dtype=np.int64)
        self.events = Counter[str]()
        self.dealt = False

    def hears(self, name: str) -> bool:
        return True

    def choice(self, state: State, choice: Choice) -> None:
        self._audit(state, choice.kind.name)

    def event(self, state: State, name: str, where: Any, fields: Fields) -> None:
        if name == "deal":
            self.dealt = True
            self._new_week(state)
        if name == "contracts":
            self._contracts(state, fields)
        self._audit(state, name)

    def _new_week(self, state: State) -> None:
        """A refill puts gems on vacant squares, from the box."""
        if state.rules.refill_weekly:
            self.values = _on_board(state) + state.points.sum(axis=0, dtype=np.int64)
        size = masks.count(state.hands)
        assert (size == state.rules.hand).all()

    def _contracts(self, state: State, fields: Mapping[str, Any]) -> None:
        """What kept contracts pay comes from the box, what is lost goes there."""
        for at, exactly in enumerate(state.rules.contract_squares):
            gems = masks.count(state.stakes & state.layout.columns[at]).astype(np.int64)
            kept = (gems * (state.tricks == exactly)).sum(axis=0)
            self.lives += kept * (state.rules.contract_returns[at] - 1)
            self.values += kept * state.rules.contract_points[at]
        self.lives -= fields["lost"].sum(axis=0, dtype=np.int64)
        assert (state.tricks.sum(axis=0) == state.rules.rounds).all()

    def _audit(self, state: State, name: str) -> None:
        self.events[name] += 1
        if self.dealt:
            self._cards(state)
        assert not (state.gems_1 & state.gems_3).any(), name
        assert not (state.gems & ~state.layout.all_squares).any(), name
        board = _on_board(state) + state.points.sum(axis=0, dtype=np.int64)
        if state.clock.phase is not Phase.CONTRACTS or name == "contracts":
            assert (board == self.values).all(), name
        lives = state.life.sum(axis=0, dtype=np.int64)
        assert (lives == self.lives).all(), name

    def _cards(self, state: State) -> None:
        """Every card is in one hand, or played, or set aside; none is in two places."""
        seen, table = np.zeros_like(state.played), state.cards
        if state.clock.phase is not Phase.PLAY:
            table = []  # what was played in this trick is among all that was played
        for held in (*state.hands, state.played, *table):
            assert not (seen & held).any(), "a card is in two places"
            seen |= held
        assert not (seen & ~state.layout.everything).any(), "a card of another box"
        if (
            not state.hands_by_turn.any()
        ):  # the week's tricks are over, the rest is dropped
            cards = state.rules.rounds * state.players
            assert (masks.count(state.played) == cards).all()
            return
        strength = masks.count(seen & ~state.layout.devils)
        assert (strength == state.rules.hand * state.players).all()
        if state.clock.phase in (Phase.PLAY, Phase.TRICK, Phase.CLAIM, Phase.RETURN):
            devils = masks.count(seen & state.layout.devils)
            staked = state.staked.sum(axis=0)
            assert (devils == np.minimum(staked, state.rules.devil_ranks)).all()
            trick = state.clock.round * state.players
            assert (masks.count(state.played) >= trick).all()


def _on_board(state: State) -> NDArray[np.int64]:
    ones, threes = masks.count(state.gems_1), masks.count(state.gems_3)
    return ones.astype(np.int64) + 3 * threes.astype(np.int64)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_appears_or_vanishes(seed: int) -> None:
    dice = random.Random(seed)
    players = 3 + seed % 3
    rules = any_rules(dice, players) if seed > 2 else {"removed_pledge": "none"}
    state = started(rules, players, 300, seed=seed)
    auditor = Auditor(state)
    GAME.play(state, table((), auditor))
    rounds = state.rules.weeks * state.rules.rounds
    assert auditor.events["trick"] == rounds
    assert auditor.events["play"] == rounds * players
    assert auditor.events["result"] == 1


@pytest.mark.parametrize("thing", ["card", "gem", "life"])
def test_auditor_sees_a_theft(thing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = started(None, 4, 20)
    auditor = Auditor(state)
    gain = State.gain

    def thief(self: State, at: Any, square: Masks) -> None:
        gain(self, at, square)
        if thing == "card":
            self.hands_by_turn[0, 3] |= self.hands_by_turn[1, 3] | self.played[3]
        elif thing == "gem":
            self.gems_1[5] &= self.gems_1[5] - np.uint64(1)
        else:
            self.life[2, 7] += 1

    monkeypatch.setattr(State, "gain", thief)
    with pytest.raises(AssertionError):
        GAME.play(state, table((), auditor))
