"""Checks of games: each catches the bug that is planted for it."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.conformance.check import check_game
from experiments.conformance.harness import pieces
from sim.games import REGISTRY, load
from sim.kunitame.state import Clock, State
from sim.kunitame.view import KunitameView
from sim.scores import Score
from tests.games.room import first_few

GAME = load("kunitame")


def without(kept, name):
    return {key: value for key, value in kept.items() if key != name}


def undeclared_kind():
    return replace(GAME, kinds=without(GAME.kinds, "claim"))


def undeclared_note():
    return replace(GAME, events=without(GAME.events, "gem"))


def field_not_told():
    gem = GAME.events["gem"]
    wrong = replace(gem, fields=without(gem.fields, "value"))
    return replace(GAME, events={**GAME.events, "gem": wrong})


def field_of_another_form():
    trick = GAME.events["trick"]
    wrong = {**trick.fields, "met": replace(trick.fields["met"], form="bit")}
    return replace(GAME, events={**GAME.events, "trick": replace(trick, fields=wrong)})


def wrong_vocabulary():
    kinds = {**GAME.kinds, "play": replace(GAME.kinds["play"], vocabulary="plays")}
    return replace(GAME, kinds=kinds)


def clock_that_does_not_tell():
    kinds = {**GAME.kinds, "play": replace(GAME.kinds["play"], clock=("turn",))}
    return replace(GAME, kinds=kinds)


def two_results():
    def play(state, table):
        GAME.play(state, table)
        by = np.zeros(len(state.games), dtype=np.uint8)
        table.emit(
            state, "result", winner=by, by=by, points=state.points, lives=state.life
        )

    return replace(GAME, play=play)


def own_dice():
    def start(rules, players, seed, games):
        state = State(rules, players, seed, games)
        state.life[0] = np.random.randint(2, 5, len(games))  # noqa: NPY002
        return state

    return replace(GAME, start=start)


def seed_without_effect():
    return replace(GAME, start=lambda rules, n, seed, games: State(rules, n, 1, games))


def rows_that_matter():
    def start(rules, players, seed, games):
        state = State(rules, players, seed, games)
        state.life[0] += np.arange(len(games), dtype=np.uint8) % 2
        return state

    return replace(GAME, start=start)


def state_that_is_shared():
    class Shared(State):
        def copy(self):
            other = super().copy()
            other.life = self.life
            return other

    return replace(GAME, start=Shared)


def state_outside_the_state():
    kept = {}

    class Outside(State):
        def __init__(self, *given):
            super().__init__(*given)
            kept["calls"] = 0

    def play(state, table):
        kept["calls"] += 1
        if kept["calls"] > 1:
            state.gems_1[:] = 0
        GAME.play(state, table)

    return replace(GAME, start=Outside, play=play)


def nothing_hidden():
    return replace(GAME, redeal=lambda state, seat, salt=0: state.copy())


def table_redealt():
    def redeal(state, seat, salt=0):
        other = GAME.redeal(state, seat, salt)
        other.gems_1[:] = 0
        return other

    return replace(GAME, redeal=redeal)


def view_that_shows_too_much():
    class Open(KunitameView):
        @property
        def theirs(self):
            return self.each(self._state.hands)

    return replace(GAME, view=Open)


def gems_from_nowhere():
    class Conserved(State):
        def conserved(self):
            return {"points": self.points.sum(axis=0)}

    return replace(GAME, start=Conserved)


def nothing_conserved():
    class Silent(State):
        conserved = None

    return replace(GAME, start=Silent)


def one_deal_for_all_salts():
    return replace(GAME, redeal=lambda state, seat, salt=0: GAME.redeal(state, seat, 1))


def redeal_that_disturbs():
    def redeal(state, seat, salt=0):
        state.gems_3[:] = 0
        return GAME.redeal(state, seat, salt)

    return replace(GAME, redeal=redeal)


def one_hand_left():
    def redeal(state, seat, salt=0):
        other = GAME.redeal(state, seat, salt)
        place = state.at((2 - state.leader.astype(np.int64)) % state.players)
        true = state.hands_by_turn.reshape(-1).take(place)
        hands = other.hands_by_turn.copy()
        hands.reshape(-1)[place] = true
        other.hands_by_turn = hands
        return other

    return replace(GAME, redeal=redeal)


def redeal_but_for_the_stakes(state, seat, salt=0):
    other = GAME.redeal(state, seat, salt)
    other.stakes = state.stakes.copy()
    return other


def secret_that_is_not_asked_anew():
    return replace(GAME, redeal=redeal_but_for_the_stakes, rewind_simultaneous=None)


def secret_that_a_view_shows():
    class Open(KunitameView):
        @property
        def theirs(self):
            return self.each(self._state.stakes)

    return replace(GAME, view=Open, redeal=redeal_but_for_the_stakes)


def tick_that_stands_still():
    class Still(Clock):
        @property
        def tick(self):
            return 0

    class Timeless(State):
        def __init__(self, *given):
            super().__init__(*given)
            self.clock = Still(**vars(self.clock))

    return replace(GAME, start=Timeless)


def array_by_seat():
    class Seats(State):
        def __init__(self, *given):
            super().__init__(*given)
            self.order = np.arange(self.players)

    return replace(GAME, start=Seats)


def direction_upside_down():
    return replace(GAME, score=Score("points", wins="fewest"))


def standing_upside_down():
    return replace(GAME, standing=Score("points", wins="fewest", note="week"))


BUGS = {
    undeclared_kind: ("declared", "'claim'"),
    undeclared_note: ("declared", "'gem'"),
    field_not_told: ("declared", "'value'"),
    field_of_another_form: ("declared", "not one bit"),
    wrong_vocabulary: ("declared", "vocabulary 'plays'"),
    clock_that_does_not_tell: ("declared", "'turn'"),
    two_results: ("declared", "2 results"),
    own_dice: ("repeatable", "not the same"),
    seed_without_effect: ("repeatable", "another seed"),
    rows_that_matter: ("alone", "in another block"),
    state_that_is_shared: ("resumes", ""),
    state_outside_the_state: ("resumes", "not the same"),
    nothing_hidden: ("hides", "changes nothing"),
    table_redealt: ("hides", "'gems"),
    view_that_shows_too_much: ("hides", "'theirs'"),
    one_deal_for_all_salts: ("hides", "another salt deals the same"),
    redeal_that_disturbs: ("hides", "the state itself: gems_3"),
    one_hand_left: ("hides", "'hands' of seat 2"),
    secret_that_is_not_asked_anew: ("secrets", "'contract' is not shown"),
    secret_that_a_view_shows: ("secrets", "a view shows 'theirs'"),
    tick_that_stands_still: ("declared", "tick is 0"),
    array_by_seat: ("resumes", "'order'"),
    nothing_conserved: ("conserves", "has no conserved()"),
    gems_from_nowhere: ("conserves", "points are not conserved"),
    direction_upside_down: ("ranks", "score: fewest 'points' should be ahead"),
    standing_upside_down: ("ranks", "standing: fewest 'points'"),
}


@pytest.mark.parametrize("bug", first_few(BUGS, 3), ids=lambda bug: bug.__name__)
def test_the_planted_bug_is_caught(bug):
    name, words = BUGS[bug]
    game = replace(bug(), players=(4,))
    rules = GAME.rules.of({"weeks": 2})
    found = {check.name: check for check in check_game(game, rules=rules, games=20)}
    assert not found[name].ok
    assert words in found[name].detail
    if bug in (one_hand_left, nothing_hidden, table_redealt):
        line = bug.__code__.co_firstlineno
        assert f"{__file__}, line {line + 1}:" in found[name].detail


@pytest.mark.soak
@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_passes(game):
    assert [check for check in check_game(game, games=20) if not check.ok] == []


@pytest.mark.parametrize("count", [1, 2, 5, 12, 13, 100])
def test_pieces_are_all_games_once(count):
    games = [int(game) for part in pieces(count) for game in part]
    assert sorted(games) == list(range(count))
