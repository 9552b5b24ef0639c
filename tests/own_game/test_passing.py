"""Cards that go on to another player: who passed them knows where they are."""

from pathlib import Path

import numpy as np
import pytest

from experiments.conformance.check_game import check_game
from sim.games import load
from sim.own_game.board import Board, BoardPlan
from sim.own_game.hidden import Deal, hidden_cards, remembered_cards
from sim.scores import GameError

DRAFT = Path(__file__).with_name("draft.py")


@pytest.fixture(scope="module")
def draft():
    """The game of the file beside this one."""
    return load(str(DRAFT))


@pytest.fixture
def board(draft) -> Board:
    """A board on which seats 0 to 2 hold 4 cards each."""
    made = Board(BoardPlan(draft.start.game, {}, 3), 0, 0)
    made.hand = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    made.deck = [*range(12, 20)]
    return made


def test_hands_go_on_and_are_remembered_where_they_went(board):
    board.pass_to("hand", 1)
    assert board.hand == [[8, 9, 10, 11], [0, 1, 2, 3], [4, 5, 6, 7]]
    assert remembered_cards(board, 0) == {0, 1, 2, 3}
    board.hand[1].remove(2)
    board.shown[1].append(2)  # all see it
    assert remembered_cards(board, 0) == {0, 1, 3}
    board.pass_to("hand", 1)
    assert board.hand[2] == [0, 1, 3]
    assert remembered_cards(board, 0) == {0, 1, 3, 8, 9, 10, 11}
    board.pass_to("hand", 1)  # home again
    assert remembered_cards(board, 0) == {4, 5, 6, 7, 8, 9, 10, 11}


@pytest.mark.parametrize("pile", ["hnad", "deck"])
def test_only_piles_of_seats_go_on(board, pile):
    with pytest.raises(GameError, match=f"no pile of each seat '{pile}'.*: hand, "):
        board.pass_to(pile, 1)


def test_who_could_not_see_what_was_taken_remembers_nothing_of_that_hand(board):
    board.pass_to("hand", 1)
    board.kept[1].append(board.hand[1].pop())
    assert remembered_cards(board, 0) == set()
    assert remembered_cards(board, 1) == {4, 5, 6, 7}


def test_some_cards_go_on_and_are_remembered_until_they_may_have_gone(board):
    board.pass_to("hand", 1, {0: [0, 1], 1: [4], 2: [8]})
    assert board.hand == [[2, 3, 8], [5, 6, 7, 0, 1], [9, 10, 11, 4]]
    assert remembered_cards(board, 0) == {0, 1}
    board.pass_to("hand", 1, {1: [5]})  # which might have been 0 or 1
    assert remembered_cards(board, 0) == set()
    assert remembered_cards(board, 1) == {4, 5}


def test_what_is_known_is_not_dealt_anew_and_all_else_is(board):
    board.pass_to("hand", 1)
    seen = set()
    for key in range(200):
        again = board._clone()
        Deal(again, 0, key).apply(again)
        assert again.hand[:2] == board.hand[:2]
        assert sorted(hidden_cards(again, 0)) == sorted(hidden_cards(board, 0))
        assert remembered_cards(again, 0) == {0, 1, 2, 3}
        seen |= {*again.hand[2]}
    assert seen == {*range(4, 8), *range(12, 20)}


def test_a_draft_passes_all_checks(draft):
    """And nothing is said of cards that go on, as they are remembered."""
    checks = check_game(draft, games=4)
    assert [check for check in checks if not check.ok] == []
    assert "go on" not in " ".join(str(check) for check in checks)


def test_memory_makes_the_deals_of_a_search_better(board):
    """Of the hand that went on, all cards are right; dealt anew, one in twelve."""
    board.pass_to("hand", 1)
    right = [0, 0]
    for key in range(100):
        for memory in (True, False):
            again = board._clone()
            if not memory:
                again._remembered = {}
            Deal(again, 0, key).apply(again)
            right[memory] += np.isin(again.hand[1], board.hand[1]).sum()
    assert right[True] == 400
    assert right[False] < 200


def test_a_card_that_is_not_there_cannot_be_passed(board):
    with pytest.raises(GameError, match="seat 0 passes 9, which is not in its 'hand'"):
        board.pass_to("hand", 1, {0: [9]})
