"""The laws of copies: what a seat saw stays, what it did not see does not."""

import random
from collections import Counter
from typing import ClassVar

import numpy as np
import pytest

from experiments.conformance.check_game import check_game
from sim.own_game.board import Board, BoardPlan
from sim.own_game.declarations import CardGame, Number, Pile
from sim.own_game.hidden import Deal, hidden_cards
from sim.own_game.moments import Fork
from sim.own_game.seat_view import view_type
from tests.own_game.examples import NAMES, each_question, example

_SHARE = 0.1  # of the questions, at which games are dealt anew


def _shown(moment, seat):
    """Return all that a view shows."""
    kind = view_type(moment.board._plan)
    view = kind(moment, seat, lambda: 0.5)
    return {name: getattr(view, name) for name in kind._names}


@pytest.mark.parametrize("name", NAMES)
def test_a_deal_shows_a_seat_what_it_saw_and_hides_what_it_did_not(name):
    """No view changes; the true hidden cards are kept as often as chance has it."""
    chance, count = random.Random(1), Counter[str]()

    def look(moment, seat):
        hidden = hidden_cards(moment.board, seat)
        if chance.random() > _SHARE or len(hidden) < 5:
            return
        before = _shown(moment, seat)
        other = moment.changed(Fork(Deal(moment.board, seat, chance.getrandbits(60))))
        assert _shown(other, seat) == before
        assert sorted(map(str, hidden_cards(other.board, seat))) == sorted(
            map(str, hidden)
        )
        count["asked"] += 1
        count["same"] += hidden_cards(other.board, seat) == hidden
        assert _shown(moment, seat) == before  # the game itself stays as it is

    each_question(example(name), 12, look)
    assert count["asked"] > 30
    assert count["same"] <= 0.05 * count["asked"]  # 5 hidden cards: 1 in 120


@pytest.mark.parametrize("name", NAMES)
def test_a_turn_that_is_run_again_is_the_same(name):
    """Shuffles and deals in it included, at every question."""
    count = 0

    def look(moment, seat):
        nonlocal count
        again = moment.changed(Fork())
        assert again.board is not moment.board
        assert again.board == moment.board
        assert list(map(str, again.options)) == list(map(str, moment.options))
        count += 1

    each_question(example(name), 4, look)
    assert count > 50


def test_a_deal_keeps_what_hands_have_shown():
    """Who has shown to lack a suit is dealt none of it."""
    game, count = example("oh_hell"), 0
    of = game.start.game

    def look(moment, seat):
        nonlocal count
        if not any(moment.board.lacks):
            return
        deal = Deal(moment.board, seat, count)
        deal.apply(board := moment.changed(Fork()).board)
        for other in board.seats:
            if other != seat:
                assert all(
                    of.may_hold(board, other, card) for card in board.hand[other]
                )
        count += 1

    each_question(game, 8, look)
    assert count > 50


class Hands(CardGame):
    """Four hidden cards in two hands; the first may hold no 0."""

    title, players, score = "hands", range(2, 4), "points"
    decisions: ClassVar = {"play": "a card"}
    hand = Pile(each=True, sees="owner")
    deck = Pile(sees="nobody")
    points = Number(each=True)

    def may_hold(self, g, seat, card):
        return seat != 1 or card != 0


def test_all_deals_that_may_be_are_as_likely():
    """By what is known: hand 1 holds two of 1, 2, 3; the deck has the others."""
    count = Counter[tuple]()
    for key in range(6_000):
        board = Board(BoardPlan(Hands(), {}, 2), 0, 0)
        board.hand, board.deck = [[9], [1, 2]], [0, 3]
        Deal(board, 0, key).apply(board)
        count[(*board.hand[1], *board.deck)] += 1
    assert len(count) == 12  # two of three in order, and two in order
    expected = 6_000 / 12
    chi = sum((seen - expected) ** 2 / expected for seen in count.values())
    assert chi < 31.3  # 0.1 % of chi-square with 11 degrees of freedom


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_examples_pass_all_checks_of_games(name):
    """Copies, deals, blocks, conservation, winners."""
    checks = check_game(example(name), games=6)
    assert [check for check in checks if not check.ok] == []


def test_games_are_the_same_alone_and_in_any_block():
    """By seed and number of the game."""
    from tests.own_game.examples import ends

    game = example("six_nimmt")
    whole = ends(game, 300)["heads"]
    assert np.array_equal(ends(game, 40)["heads"], whole[:, :40])
