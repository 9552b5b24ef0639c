"""Arrays of the report against what the transcripts tell."""

import numpy as np
import pytest

from reports.devil.game_arrays import ENDINGS
from tests.reports.devil.transcript import (
    KINDS,
    cell,
    cost_of,
    ending_of,
    points_of,
    transcripts,
)

CASES = [
    (2, {}),
    (4, {}),
    (8, {}),
    (3, {"deck": "440", "target": 150}),
    (5, {"deck": "440", "first_oni": "end_round", "s4_end": "all", "target": 120}),
]


@pytest.fixture(scope="module", params=CASES, ids=str)
def seen(request):
    players, changes = request.param
    return transcripts(cell(players, changes=changes, seed=3), 30, first=5)


def test_rounds_are_those_told(seen):
    played, games = seen
    rules, at = played.rules, 0
    for number, game in enumerate(games):
        for round_, told_ in enumerate(game.rounds, start=1):
            assert (played.game_of[at], played.rounds.round[at]) == (number, round_)
            assert played.added[:, at].tolist() == told_.added
            assert played.rounds.each("scores")[:, at].tolist() == told_.scores
            assert played.ender[at] == told_.winner
            assert played.own[at] == told_.added[told_.winner]
            assert ENDINGS[played.ending[at]] == ending_of(told_)
            for name in ("draws", "penalties", "skips", "reshuffles", "dealer"):
                assert played.rounds.once(name)[at] == getattr(told_, name)
            hands = told_.hands
            points = [points_of(hand, rules) for hand in hands]
            assert played.rounds.each("points")[:, at].tolist() == points
            costs = [cost_of(hand, rules) for hand in hands]
            assert played.rounds.each("cost")[:, at].tolist() == costs
            at += 1
        assert played.final[:, number].tolist() == game.result["scores"]
        winner = game.result["winner"]
        assert played.winner[number] == (-1 if winner is None else winner)
    assert at == len(played.game_of)


def test_hands_are_counted_by_kind(seen):
    played, games = seen
    left = played.held(played.rounds.each("hands"))
    dealt = played.held(played.dealt)
    rounds = [round_ for game in games for round_ in game.rounds]
    assert set(played.kinds) <= set(KINDS)
    for at, round_ in enumerate(rounds):
        for seat in range(played.players):
            for kind, name in enumerate(played.kinds):
                assert left[kind, seat, at] == round_.hands[seat].count(name)
                assert dealt[kind, seat, at] == round_.dealt[seat].count(name)


def test_turns_are_counted(seen):
    played, games = seen
    turns = played.rounds.once("turns")
    rounds = [round_ for game in games for round_ in game.rounds]
    # a turn in which nothing can be played or drawn is not told, but it is counted
    assert np.all(turns >= [round_.turns for round_ in rounds])
    assert np.mean(turns == [round_.turns for round_ in rounds]) > 0.95
    total = np.bincount(played.game_of, turns, minlength=played.size)
    assert total.tolist() == played.turns_of_game.tolist()


def test_a_column_that_is_not_there_is_an_error(seen):
    played, _ = seen
    with pytest.raises(Exception, match="tunrs"):
        played.rounds.once("tunrs")
