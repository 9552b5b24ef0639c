"""The parameters of Devil: what the rule text says, and what is refused."""

from typing import Any

import pytest

from sim.devil.rules import Devil
from sim.parameters import RuleError
from tests.devil.plays import PLAYS, started
from tests.devil.referee import DECKS, in_force
from tests.games.parameters import Parameters


@pytest.mark.parametrize("deck", DECKS)
def test_defaults_are_those_of_the_rule_text(deck: str) -> None:
    """The referee's own reading of the rule text, written apart from the engine."""
    told = Devil.of({"deck": deck}).plain_with(4)
    assert told == in_force({"deck": deck})


def test_target_is_the_printed_minimum_until_it_is_set() -> None:
    targets = [Devil.of({"deck": deck}).plain_with(2)["target"] for deck in DECKS]
    assert targets == [180, 440]
    assert Devil.of({"deck": "440", "target": 7}).plain_with(2)["target"] == 7


def test_only_the_deck_in_force_is_told() -> None:
    own = {"base_deck.special4": 3, "ext_deck.blank": 5}
    base = Devil.of(own).plain_with(3)
    assert base["base_deck"]["special4"] == 3
    assert "ext_deck" not in base
    other = Devil.of({**own, "deck": "440"}).plain_with(3)
    assert other["ext_deck"]["blank"] == 5
    assert "base_deck" not in other


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"targt": 3}, "targt: no rule value 'targt'; did you mean 'target'?"),
    ({"target": 0}, "target: "),
    ({"target": "180"}, "target: "),
    ({"deck": "44"}, "Did you mean '440'? Allowed: base | 440."),
    ({"hand": 0}, "hand: "),
    ({"guard": 0}, "guard: "),
    ({"guard": 60_001}, "guard: "),
    ({"points": [1] * 9}, "points: 10 numbers, 0 to 99 each."),
    ({"points": [*range(9), 100]}, "points: 10 numbers, 0 to 99 each."),
    ({"points": [*range(9), -1]}, "points: 10 numbers, 0 to 99 each."),
    ({"blank_points": -1}, "blank_points: "),
    ({"onifuda_points": 100}, "onifuda_points: "),
    ({"sums_ok": [15]}, "sums_ok: ones digits, 0 to 9 each."),
    ({"sums_ok": [5, 5]}, "sums_ok: each digit once."),
    ({"base_deck.normal": [4] * 9}, "base_deck.normal: 10 numbers of copies"),
    ({"base_deck.normal": [9] * 10}, "base_deck: 1 to 63 cards in all, not 92."),
    ({"base_deck.special1": 9}, "base_deck.special1: "),
    ({"base_deck.specal1": 2}, "did you mean 'special1'?"),
    ({"tie": "sharde"}, "Did you mean 'shared'? Allowed: shared | most_rounds_won"),
    ({"s4_end": "self"}, "Did you mean 'self_only'? Allowed: self_only | all."),
    ({"first_oni": "reflop"}, "Did you mean 'reflip'? Allowed: reflip | end_round"),
    ({"dealer_tie": "redrew"}, "Did you mean 'redraw'?"),
    ({"voluntary_draw": "perhaps"}, "voluntary_draw: "),
    ({"points": [0] * 10}, "points: "),
]

REFUSED_FOR: list[tuple[dict[str, Any], int, str]] = [
    ({"hand": 5}, 8, "hand: of 40 cards 8 players can be dealt at most 4 each"),
    ({"hand": 20}, 2, "hand: of 40 cards 2 players can be dealt at most 19 each"),
    ({"deck": "440", "hand": 7}, 8, "of 56 cards 8 players can be dealt at most 6"),
    (  # nothing but Onifuda would be left to flip
        {"deck": "440", "hand": 11, "ext_deck.onifuda": 8, "ext_deck.blank": 0},
        5,
        "at most 10",
    ),
]


class TestParameters(Parameters):
    plays = PLAYS
    refused, refused_for = REFUSED, REFUSED_FOR
    assumed = frozenset({"onifuda_points", "points"})


def test_the_most_cards_that_can_be_dealt_can_be_played() -> None:
    for changes, players in (({"hand": 19}, 2), ({"hand": 4}, 8), ({"hand": 13}, 3)):
        assert len(started(changes, players, 1).games) == 1


def test_a_deck_named_by_a_number_is_that_deck() -> None:
    """As ``--set deck=440`` gives it."""
    assert Devil.of({"deck": 440}) == Devil.of({"deck": "440"})
    with pytest.raises(RuleError, match="deck"):
        Devil.of({"deck": 441})
