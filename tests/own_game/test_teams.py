"""Teams: partners are one player of all commands, and see what partners see."""

from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from experiments.api import play, trace
from experiments.conformance.check_game import check_game
from experiments.core.cells import UsageError
from sim.games import load
from sim.own_game.declarations import CardGame, Number, Pile, check_declarations
from sim.own_game.hidden import hidden_cards
from sim.own_game.seat_view import view_type
from sim.scores import GameError
from tests.own_game.examples import each_question, ends

PAIRS = Path(__file__).with_name("pairs.py")


@pytest.fixture(scope="module")
def pairs():
    """The game of the file beside this one."""
    return load(str(PAIRS))


def test_a_team_is_one_player(pairs):
    assert pairs.players == (2, 3)
    for teams, dealt in ((2, 6), (3, 4)):
        end = ends(pairs, 64, teams)
        assert end["tricks"].shape == (teams, 64)
        assert np.array_equal(end["tricks"].sum(axis=0), np.full(64, dealt))
        best = end["tricks"] == end["tricks"].max(axis=0)
        alone = best.sum(axis=0) == 1
        assert np.array_equal(end["winner"][alone], best.argmax(axis=0)[alone])


def test_random_teams_win_alike_and_good_ones_more():
    found = play(str(PAIRS), lineup="high,random", games=800, seed=1, jobs=1)
    won = dict(found.estimates("won by strategy").select("strategy", "estimate").rows())
    assert won["high"] > won["random"] + 0.1


def test_partners_see_what_partners_see(pairs):
    """Own cards first, and then theirs; the others see none of it."""
    seen = set()

    def look(moment, side):
        board, seat = moment.board, moment.seat
        assert seat % 2 == side
        seen.add(seat)
        view = view_type(board._plan)(moment, seat, lambda: 0.5)
        partner = (seat + 2) % 4
        assert view.hand == board.hand[seat]
        assert view.open_hand == [board.open_hand[seat], board.open_hand[partner]]
        assert view.seat == seat
        assert view.players == 4
        hidden = hidden_cards(board, seat)
        assert not {*board.open_hand[partner]} & {*hidden}
        assert {*board.hand[partner], *board.open_hand[(seat + 1) % 4]} <= {*hidden}

    each_question(pairs, 6, look, players=2)
    assert seen == {0, 1, 2, 3}


@pytest.mark.slow
def test_games_of_teams_pass_all_checks(pairs):
    assert [check for check in check_game(pairs, games=4) if not check.ok] == []


@pytest.mark.slow
def test_a_team_that_looks_ahead_wins_more():
    found = play(
        str(PAIRS), lineup="search:inner=random,random", games=60, seed=1, jobs=1
    )
    rows = found.estimates("won by strategy").select("strategy", "estimate").rows()
    (searching,) = [won for name, won in rows if name.startswith("search")]
    assert searching > 0.5


ALL_AT_ONCE = """
class Secret(CardGame):
    'All show a card at once.'

    title, players, team, score = "Secret", (4,), 2, "points"
    decisions = {"play": ChoiceOf("a card", "cards")}
    hand = Pile(each=True, sees="owner")
    shown = Pile(each=True)
    points = Number(each=True)

    def cards(self, g):
        return list(range(12))

    def setup(self, g):
        cards = g.shuffled(self.cards(g))
        for hand in g.hand:
            hand += [cards.pop() for _ in range(3)]

    def turn(self, g):
        shown = g.secretly("play", {seat: g.hand[seat] for seat in g.seats})
        assert [*shown] == [*g.seats]
        for seat, card in shown.items():
            g.hand[seat].remove(card)
            g.shown[seat].append(card)
        g.points[max(shown, key=shown.get)] += 1
        g.over = not g.hand[0]
"""


def test_partners_who_choose_in_secret_look_ahead_each_for_itself(tmp_path):
    """What one tries is its own answer, though its partner is asked before it."""
    file = tmp_path / "secret.py"
    names = "CardGame, ChoiceOf, Number, Pile"
    file.write_text(f"from fairdeal import {names}\n{ALL_AT_ONCE}")
    asked = set()

    def look(moment, side):
        asked.add(moment.seat)
        again = moment.asked_anew()
        same = [seat for seat in again.order if seat % 2 == side]
        assert same[0] == moment.seat
        assert sorted(again.order) == [0, 1, 2, 3]

    each_question(load(str(file)), 4, look, players=2)
    assert asked == {0, 1, 2, 3}
    search = "search:samples=1:inner=random"
    found = play(str(file), lineup=f"{search},random", games=4, seed=1, jobs=1)
    assert found.cells


def test_how_many_play_is_told_in_teams():
    with pytest.raises(UsageError, match=r"Allowed: 2, 3 \(teams of 2\)"):
        play(str(PAIRS), players=4, games=8)


class Wrong(CardGame):
    """A game without teams."""

    title, players, score = "wrong", (3, 4), "points"
    decisions: ClassVar = {"play": "a card"}
    points = Number(each=True)

    def turn(self, g):
        g.over = True


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"team": 2}, r"3 players are not several teams of 2; .* \(4,\)"),
        ({"team": 4, "players": (4,)}, r"4 players are not several teams of 4"),
        ({"team": "two"}, "how many play together, as in team = 2"),
        ({"teams": 2}, "did you mean 'team'"),
        ({"hand": Pile(each=True, sees="partners")}, "needs teams; write team = 2"),
    ],
)
def test_teams_that_cannot_be_are_refused(declared, said):
    with pytest.raises(GameError, match=said):
        check_declarations(type("Wrong", (Wrong,), declared), ())


def test_a_story_names_the_teams():
    assert "Ada" in str(trace(str(PAIRS), players=2, seed=1))
