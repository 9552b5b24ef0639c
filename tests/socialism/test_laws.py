"""What holds whoever plays: conservation, who accepts what, chance, the first seat."""

import random
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from sim import masks
from sim.recorder import Recorder
from sim.socialism.layout import VIA
from sim.socialism.state import AWAY, State
from tests.games.likely import UNLIKELY, even
from tests.socialism.plays import GAME, PLAYS, any_rules, started, table

MANY = {"tokens": 20, "guard": 150, "actions.new-feature.copies": 6}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_cards_and_tokens_are_kept(seed: int) -> None:
    """Before each step of games under any rules, and what a supply is."""
    dice = random.Random(seed)
    players = dice.randint(2, 5)
    state = started(any_rules(dice, players) if seed else {}, players, 20, seed=seed)
    for _ in PLAYS.stages(state, table()):
        assert not any(counts.any() for counts in state.conserved().values())
        assert (state.supply() + masks.count(state.tokens) == state.rules.tokens).all()
        assert_board(state)


def assert_board(state: State) -> None:
    """Friends are those who lie beside each other, and nobody lies on another."""
    x, y = state.placed_at(state.lies)
    numbers = np.arange(state.layout.size, dtype=np.uint64)
    on = (state.board >> numbers[:, None]) & masks.ONE
    assert ((state.lies != AWAY) == (on != 0)).all()
    for user in numbers:
        across, down = np.abs(x - x[user]), np.abs(y - y[user])
        beside = (np.maximum(across, down) == 1) & (on != 0) & (on[user] != 0)
        friends = state.friends[user].astype(np.uint64) >> numbers[:, None] & masks.ONE
        assert (beside == (friends != 0)).all()
        same = (across + down == 0) & (on != 0) & (on[user] != 0)
        mates = (state.layout.both[user] >> numbers & masks.ONE) != 0
        assert not (same & ~mates[:, None]).any()


@pytest.mark.slow
def test_each_pair_of_texts_accepts_as_often_as_its_faces_say() -> None:
    """By what lies before the inviting seat: no IPO or one, no New feature or one."""
    book = Recorder(["invitation"])
    for changes, players in (({}, 4), ({"newfeature_beats_never": True}, 2)):
        state = started({**MANY, **changes}, players, 500)
        GAME.play(state, table([], book))
    told, layout = book.table("invitation"), state.layout
    who = {
        int(masks.bit(n)): f"{user.sends} {user.personal} {user.spam}"
        for n, user in enumerate(layout.users)
    }
    found = Counter[tuple[str, str, int]]()
    yes = Counter[tuple[str, str, int]]()
    names = ("inviter", "target", "faces", "accepted", "via")
    rows = zip(*(told[name].tolist() for name in names), strict=True)
    for inviter, target, faces, accepted, way in rows:
        pair = (f"{VIA[way]} {who.get(inviter)}", who[target], faces)
        found[pair] += 1
        yes[pair] += accepted
    usual = [pair for pair, number in found.items() if number > 30]
    assert len(usual) > 40
    for pair in usual:
        chance = pair[2] / 6
        likely = stats.binomtest(yes[pair], found[pair], chance).pvalue
        assert likely > UNLIKELY, (pair, yes[pair], found[pair])


def test_dice_are_fair_and_of_their_own() -> None:
    book = Recorder(["roll"])
    GAME.play(started(MANY, 3, 300), table([], book))
    told = book.table("roll")
    for way in range(len(VIA)):
        counts = np.bincount(told["die"][told["via"] == way], minlength=7)[1:]
        if counts.sum() > 100:
            assert even(counts), VIA[way]
    first = told["die"][:-1].astype(int) * 6 + told["die"][1:]
    moment = told["game"].astype(np.int64) << 16 | told["turn"]
    same = moment[:-1] == moment[1:]
    pairs = np.bincount(first[same] - 7, minlength=36)
    assert even(pairs)
