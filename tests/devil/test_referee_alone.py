"""The rules of Devil as its referee reads them, held against pen and paper."""

from typing import Any

import pytest

from tests.devil.plays import transcripts
from tests.devil.referee import (
    DECKS,
    OPTIONS,
    VALUES,
    check,
    cost,
    deck,
    factors,
    in_force,
    playable,
)
from tests.games.referee import Foul

CYCLE = ["1", "8", "7", "2", "3", "6", "9", "10", "5", "4"]
"""Rules 2.1: neighbours in this ring, and no others, fit each other."""

NORMAL = sorted(CYCLE, key=int)


def test_ranks_that_fit_form_a_ring_of_ten() -> None:
    for place, top in enumerate(CYCLE):
        near = {CYCLE[place - 1], CYCLE[(place + 1) % 10]}
        assert {card for card in NORMAL if playable(card, top)} == near


def test_special_cards_have_their_rank() -> None:
    for other in NORMAL:
        for special, rank in (("1S", "1"), ("4S", "4")):
            assert playable(special, other) == playable(rank, other)
            assert playable(other, special) == playable(other, rank)
    assert playable("1S", "4S")
    assert playable("4S", "1S")
    assert not playable("4S", "4S")


def test_blank_and_onifuda() -> None:
    for other in (*NORMAL, "blank"):
        assert playable("blank", other)
        assert playable(other, "blank")
    for special in ("1S", "4S"):
        assert not playable("blank", special)
        assert not playable(special, "blank")
    assert all(playable("oni", top) for top in (*NORMAL, "1S", "4S", "blank"))


def test_other_sums() -> None:
    assert [card for card in NORMAL if playable(card, "8", [6])] == ["8"]
    assert [card for card in NORMAL if playable(card, "10", [0, 3])] == ["3", "10"]
    assert not any(playable(card, "8", []) for card in NORMAL)


def test_decks() -> None:
    base = deck(DECKS["base"][1])
    assert base.total() == 40
    assert base == {**dict.fromkeys(NORMAL, 4), "1": 3, "4": 3, "1S": 1, "4S": 1}
    more = {"1": 5, "1S": 1, "4": 2, "4S": 1, "10": 4, "blank": 2, "oni": 1}
    extended = deck(DECKS["440"][1])
    assert extended.total() == 56
    assert {card: copies - base[card] for card, copies in extended.items()} == {
        **dict.fromkeys(NORMAL, 0),
        **more,
    }


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("", 0),
        ("10 9 1", 20),
        ("4S", 8),
        ("1S 7", 16),
        ("1S 4S 10", 60),
        ("4S 4S 1S 1S", 160),
        ("blank 2", 22),
        ("oni 1S", 42),
    ],
)
def test_costs(hand: str, points: int) -> None:
    assert cost(hand.split(), in_force({})) == points


@pytest.mark.parametrize(
    ("by", "card", "readings", "own", "other"),
    [
        ("out", "7", "", 0, 1),
        ("out", "10", "out_special_stacks", 0, 1),
        ("out", "blank", "out_special_stacks", 0, 1),
        ("out", "1S", "", 0, 4),
        ("out", "4S", "", 0, 2),
        ("out", "1S", "out_special_stacks", 0, 8),
        ("out", "4S", "out_special_stacks", 0, 2),
        ("out", "4S", "out_special_stacks s4_end", 0, 4),
        ("out", "4S", "s4_end", 0, 2),
        ("end", "1S", "", 2, 2),
        ("end", "4S", "", 2, 1),
        ("end", "4S", "s4_end", 2, 2),
        ("end", "4S", "out_special_stacks", 2, 1),
        ("oni", "oni", "", 2, 2),
    ],
)
def test_factors(by: str, card: str, readings: str, own: int, other: int) -> None:
    """Rules 2.5, and the readings D2 and D6."""
    rules = in_force({key: OPTIONS[key][1] for key in readings.split()})
    assert factors(by, card, rules) == (own, other)


NINE_GONE = {**DECKS["base"][1], "normal": [3, 4, 4, 3, 4, 4, 4, 4, 1, 4]}


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ({"deck": "441"}, "setup.rules.deck '441' is none of"),
        ({"deck": ["base"]}, "setup.rules.deck"),
        ({"tie": "nobody"}, "setup.rules.tie 'nobody' is none of"),
        ({"voluntary_draw": 0}, "setup.rules.voluntary_draw 0 is none of"),
        ({"hand": "4"}, "setup.rules.hand '4': not as 4"),
        ({"hand": True}, "setup.rules.hand True"),
        ({"hand": 0}, "setup.rules.hand 0 is not from 1"),
        ({"hand": 14}, "setup.rules.hand: the deck has not"),
        ({"guard": 0}, "setup.rules.guard 0 is not from 1"),
        ({"target": 0}, "setup.rules.target 0 is not from 1"),
        ({"target": 1.5}, "setup.rules.target 1.5"),
        ({"points": [1] * 9}, "setup.rules.points"),
        ({"points": [1] * 9 + [-1]}, "setup.rules.points"),
        ({"points": {"1": 1}}, "setup.rules.points"),
        ({"blank_points": None}, "setup.rules.blank_points None"),
        ({"sums_ok": [15]}, "setup.rules.sums_ok"),
        ({"sums_ok": 5}, "setup.rules.sums_ok"),
        ({"base_deck": {"normal": [4] * 10}}, "setup.rules.base_deck"),
        ({"base_deck": [4] * 10}, "setup.rules.base_deck"),
        ({"base_deck": {**NINE_GONE, "normal": [9]}}, "setup.rules.base_deck"),
        ({"base_deck": {**NINE_GONE, "blank": -1}}, "setup.rules.base_deck"),
        ({"ext_deck": NINE_GONE}, "'ext_deck'. are no rule values in force"),
        ({"targets": {"base": 180}}, "'targets'. are no rule values in force"),
    ],
)
def test_wrong_rule_values(rules: dict[str, Any], match: str) -> None:
    [events] = transcripts(None, 3, 1)
    events[0]["rules"] |= rules
    with pytest.raises(Foul, match=rf"(?s)^event 0: .*{match}"):
        check(events)


def test_defaults_are_told_nowhere_else() -> None:
    """Every rule value of the transcript format has a default here."""
    keys = {"deck", "target", "base_deck", *VALUES, *OPTIONS}
    assert in_force({}).keys() == keys
    assert in_force({})["target"] == 180
    assert in_force({"deck": "440"})["target"] == 440
    assert in_force({"deck": "440"}).keys() == keys - {"base_deck"} | {"ext_deck"}
