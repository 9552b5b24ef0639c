"""The Devil referee on its own: games written by hand, and fouls planted in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from tests.devil.hand import game
from tests.devil.referee import (
    DECKS,
    OPTIONS,
    VALUES,
    check,
    check_stream,
    cost,
    deck,
    factors,
    in_force,
    playable,
)
from tests.devil.scripts import GAMES, written
from tests.games.referee import Foul
from tests.games.telling import Events, numbered


def fouls_at(events: Events, n: int, match: str = "") -> None:
    with pytest.raises(Foul, match=rf"(?s)^event {n}: .*{match}"):
        check(events)


# --- Hand-computed rules ------------------------------------------------------------

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


# --- Games written by hand ----------------------------------------------------------


def under(name: str, **rules: Any) -> Events:
    """Tell a game under other rules."""
    players, script, told = GAMES[name]
    return game(players, script, **{**told, **rules})


@pytest.mark.parametrize("name", GAMES)
def test_game_by_hand_passes(name: str) -> None:
    check(written(name))
    check(under(name, **in_force(GAMES[name][2])))


NINE_GONE = {**DECKS["base"][1], "normal": [3, 4, 4, 3, 4, 4, 4, 4, 1, 4]}
HIGH = [*range(1, 10), 11]

UNDER_OTHER_RULES: list[tuple[str, dict[str, Any], int | None, str]] = [
    ("base", {"target": 35}, None, ""),
    ("base", {"target": 36}, 32, "the rules say chance 'deal'"),
    ("base", {"target": 15}, 27, "the rules say result"),
    ("base", {"hand": 3}, 2, "cards of seat 0: 2 is written, the rules say 3"),
    ("base", {"points": [2, *range(2, 11)]}, None, ""),  # nobody is left with a 1
    ("base", {"points": HIGH}, 31, "round.added"),
    ("base", {"sums_ok": [5]}, 5, "the rules say chance 'draw'"),
    ("base", {"sums_ok": [5, 9, 7]}, 4, "the rules say choice 'play'"),
    ("base", {"guard": 13}, None, ""),  # the round ends in this turn
    ("base", {"guard": 12}, 25, "the rules say result"),
    ("base", {"base_deck": NINE_GONE}, 27, "deal.hands: ..9.: 1. more than the deck"),
    ("base", {"deck": "440"}, None, ""),
    ("base", {"first_card_effect": True}, None, ""),
    ("base", {"voluntary_draw": True}, 5, r"legal lacks \['draw'\]"),
    ("base", {"s4_end": "all"}, 31, "round.added: .20, 15, 18. .* .20, 30, 36."),
    ("base", {"out_special_stacks": True}, None, ""),
    ("base", {"first_oni": "end_round"}, None, ""),
    ("base", {"dealer_tie": "special_lower"}, None, ""),
    ("base", {"tie": "random"}, None, ""),
    ("440", {"first_oni": "end_round"}, 4, "the rules say outcome 'round'"),
    ("440", {"blank_points": 0, "onifuda_points": 0}, None, ""),
    ("440", {"deck": "base"}, 0, "'ext_deck'. are no rule values in force"),
    ("costs", {"blank_points": 6}, 6, "round.added"),
    ("costs", {"onifuda_points": 4}, 6, "round.added"),
    ("first card a 10", {"first_card_effect": False}, 4, "the rules say choice 'play'"),
    ("out with a Special 1", {"out_special_stacks": True}, 5, "0, 56"),
    ("Special 4 stacks", {"s4_end": "self_only"}, 5, "0, 14"),
    ("shared", {"tie": "most_rounds_won"}, 16, "devil.winner"),
    ("shared", {"tie": "random"}, 16, "devil.by"),
    ("drawn though able", {"voluntary_draw": False}, 4, r"has \['draw'\] too many"),
]


@pytest.mark.parametrize(("name", "rules", "n", "match"), UNDER_OTHER_RULES)
def test_game_by_hand_under_other_rules(
    name: str, rules: dict[str, Any], n: int | None, match: str
) -> None:
    if n is None:
        check(under(name, **rules))
    else:
        fouls_at(under(name, **rules), n, match)


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
    fouls_at(under("base", **rules), 0, match)


def test_things_of_another_kind() -> None:
    for n, key, value in (
        (0, "rules", [1, 2]),
        (0, "lineup", "abc"),
        (0, "lineup", ["a", "a"]),
        (0, "players", True),
        (0, "players", 9),
        (0, "players", 1),
        (0, "game", -1),
        (1, "seat", 3),
        (1, "seat", "1"),
        (2, "hands", {"0": ["4"]}),
        (2, "hands", ["4 9", "1S 2", "10 5"]),
        (3, "card", 8),
        (3, "card", ["8"]),
        (5, "legal", "1S"),
        (5, "legal", ["1S", 2]),
        (5, "chosen", ["1S"]),
        (25, "added", {"0": 15}),
    ):
        events = written("base")
        events[n][key] = value
        fouls_at(events, n)


def test_no_events_are_no_game() -> None:
    fouls_at([], 0, "the transcript ends")


def test_every_number_of_players() -> None:
    ranks = ["2", "3", "5", "6", "7", "9", "10", "5"]
    for players in range(2, 9):
        hands = " | ".join(["8", *ranks[1:players]])
        points = [0, *map(int, ranks[1:players])]
        told = " ".join(map(str, points))
        script = f"""
            dealer {players - 1}
            deal {players - 1}: {hands}
            flip 7
            1 0 play 8 > 8
            round 0 out: {told} = {told}
            result 0 points: 0 = {told}
        """
        check(game(players, script, hand=1, target=1))


def test_a_stream_of_games() -> None:
    games = [numbered(written("base"), number) for number in range(3)]
    lines = [json.dumps(told) for events in games for told in events]
    assert check_stream([*lines, "\n"]) == 3
    with pytest.raises(Foul, match="game 0: told twice"):
        check_stream([*lines, *lines[: len(games[0])]])
    end = len(games[1]) - 1
    with pytest.raises(Foul, match=f"game 1: event {end}: the transcript ends"):
        check_stream(lines[: len(games[0]) + end])
    with pytest.raises(Foul, match="game 0: event 0"):
        check_stream(lines[1:])


# --- Planted fouls ------------------------------------------------------------------

PLANTED: list[tuple[str, str, str, str]] = [
    # The deal and the first card.
    ("base", "dealer 2", "dealer 3", "dealer.seat 3 is no seat"),
    ("base", "deal 2: 4 9", "deal 1: 4 9", "deal.dealer: 1 .* say 2"),
    ("base", "deal 2: 10 4S", "deal 0: 10 4S", "deal.dealer: 0 .* say 2"),
    ("base", "4 9 | 1S 2", "1S 9 | 1S 2", ".'1S': 1. more than the deck has"),
    ("base", "4 9 | 1S 2", "4 oni | 1S 2", ".'oni': 1. more than the deck has"),
    ("base", "4 9 |", "4 9 3 |", "cards of seat 0: 3 is written, the rules say 2"),
    ("base", "| 10 5", "| 10", "cards of seat 2: 1 is written, the rules say 2"),
    ("base", "| 10 5", "", "a hand per seat"),
    ("base", "flip 8", "flip 1S", "flip.card: there is no '1S' in the draw pile"),
    ("base", "flip 8", "flip oni", "flip.card: there is no 'oni' in the draw pile"),
    ("base", "flip 8", "1 0 draw 6", "the rules say chance 'flip'"),
    ("base", "flip 8", "flip 8\nflip 8", "'flip' is written, the rules say .* 'draw'"),
    ("440", "flip 7", "", "'draw' is written, the rules say chance 'flip'"),
    ("first card Onifuda ends", "round 2 oni", "round 0 oni", "round.winner"),
    ("first card Onifuda ends", "deal 2: 4 9", "deal 1: 4 9", "deal.dealer"),
    ("first card a 10", "0 0 skip", "", "the rules say outcome 'skip'"),
    ("first card a 10", "0 0 skip", "1 0 skip", "skip.turn: 1 .* say 0"),
    ("first card a 10", "1 1 draw 9", "2 1 draw 9", "draw.turn: 2 .* say 1"),
    ("first card a Special 1", "0 0 pen", "0 2 declare > end\n0 0 pen", "'penalty'"),
    ("first card a Special 4", "0 1 penalty 1S", "", "the rules say chance 'penalty'"),
    ("first card a Special 4", "0 1 skip", "0 0 skip", "skip.seat: 0 .* say 1"),
    # Cards played and drawn.
    ("base", "1 0 draw 6", "", "the rules say chance 'draw'"),
    ("base", "1 0 draw 6", "1 1 draw 6", "draw.seat: 1 .* say 0"),
    ("base", "1 0 draw 6", "2 0 draw 6", "draw.turn: 2 .* say 1"),
    ("base", "1 0 draw 6", "1 0 draw 1S", "there is no '1S' in the draw pile"),
    ("base", "1 0 draw 6", "1 0 draw oni", "there is no 'oni' in the draw pile"),
    ("base", "1 0 draw 6", "1 0 play 9 > 9", "the rules say chance 'draw'"),
    ("base", "1 0 draw 6", "1 0 draw 6\n1 0 draw 6", "the rules say choice 'play'"),
    ("base", "1 0 draw 6", "1 0 draw 6\n1 0 play 6 > 6", "play.turn: 1 .* say 2"),
    ("base", "2 1 play 1S > 1S", "2 1 play 1S 2 > 1S", r"has \['2'\] too many"),
    ("base", "2 1 play 1S > 1S", "2 1 play 1S 1S > 1S", r"has \['1S'\] too many"),
    ("base", "2 1 play 1S > 1S", "2 1 play > 1S", r"legal lacks \['1S'\]"),
    ("base", "2 1 play 1S > 1S", "2 1 play 1S > 2", "chosen '2' is none of"),
    ("base", "2 1 play 1S > 1S", "2 1 draw 5", "the rules say choice 'play'"),
    ("base", "2 1 play 1S > 1S", "2 1 play 1S draw > 1S", r"has \['draw'\] too many"),
    ("base", "4 1 play 5 > 5", "", "play.turn: 5 .* say 4"),
    ("base", "4 1 play 5 > 5", "4 1 play 5 2 > 5", r"has \['2'\] too many"),
    ("base", "5 2 play 10 > 10", "5 2 play 10 5 > 10", r"has \['5'\] too many"),
    ("440", "play 2 blank >", "play blank >", r"legal lacks \['2'\]"),
    ("440", "play 2 blank >", "play 2 >", r"legal lacks \['blank'\]"),
    ("440", "3 1 play 10 3", "3 1 play 3", r"legal lacks \['10'\]"),
    ("440", "1 1 play blank > blank", "", "play.turn: 2 .* say 1"),
    ("440", "8 0 play oni > oni", "", "the rules say choice 'play'"),
    ("a Special on a blank", "play 9 >", "play 9 4S >", r"has \['4S'\] too many"),
    ("a blank on a Special", "1 0 draw blank", "1 0 play blank > blank", "chance 'dr"),
    ("a blank on a Special", "draw blank", "draw blank\n1 0 play blank > blank", "pl"),
    ("drawn though able", "1 0 play 4 draw > draw", "", "the rules say choice 'play'"),
    ("drawn though able", "4 0 play 8 > 8", "4 0 play 8 4 > 8", r"\['4'\] too many"),
    ("drawn though able", "4 0 play 8 > 8", "4 0 play 8 draw > 8", "'draw'. too many"),
    ("nothing to draw though allowed", "play 4 >", "play 4 draw >", "too many"),
    # What cards do.
    ("base", "2 1 declare > continue", "2 1 declare > pass", "chosen 'pass' is none"),
    ("base", "2 1 declare > continue", "", "the rules say choice 'declare'"),
    ("base", "2 1 declare > continue", "2 2 declare > end", "declare.seat: 2 .* 1"),
    ("base", "2 2 penalty 3", "", "the rules say chance 'penalty'"),
    ("base", "2 2 penalty 3", "2 2 penalty 3\n2 2 penalty 3", "outcome 'skip'"),
    ("base", "2 2 penalty 3", "2 0 penalty 3", "penalty.seat: 0 .* say 2"),
    ("base", "2 2 penalty 3", "2 2 penalty 1S", "penalty.card: there is no '1S'"),
    ("base", "2 2 skip", "", "the rules say outcome 'skip'"),
    ("base", "2 2 skip", "2 0 skip", "skip.seat: 0 .* say 2"),
    ("base", "3 0 play 4 > 4", "3 2 play 5 > 5", "play.seat: 2 .* say 0"),
    ("base", "5 0 skip", "", "the rules say outcome 'skip'"),
    ("base", "5 0 skip", "5 0 penalty 3\n5 0 skip", "the rules say outcome 'skip'"),
    ("base", "8 0 play 4 > 4", "8 0 play 4 > 4\n8 0 declare > end", "say .* 'draw'"),
    ("440", "3 0 skip\n", "3 0 skip\n4 0 play 2 > 2\n", "play.seat|'draw'"),
    ("440", "7 1 penalty 7", "", "the rules say chance 'penalty'"),
    ("out with a 10", "round 0", "1 1 skip\nround 0", "the rules say outcome 'round'"),
    ("out with a Special 1", "round", "1 0 declare > end\nround", "outcome 'round'"),
    # The draw pile runs out.
    ("base", "1 0 draw 6", "1 reshuffle 1\n1 0 draw 6", "the rules say chance 'draw'"),
    ("short pile", "1 reshuffle 1", "", "the rules say chance 'reshuffle'"),
    ("short pile", "1 reshuffle 1", "1 reshuffle 2", "reshuffle.cards: 2 .* say 1"),
    ("short pile", "1 1 skip", "1 1 penalty 2\n1 1 skip", "outcome 'skip'"),
    ("short pile", "1 1 skip", "1 1 skip\n2 reshuffle 0", "'turn': 3"),
    ("short pile", "3 1 play 1 > 1", "2 1 play 1 > 1", "play.turn: 2 .* say 3"),
    ("short pile", "4 0 draw 4S", "4 0 draw 1", "there is no '1' in the draw pile"),
    ("broken off", "2 reshuffle 1", "1 reshuffle 1", "reshuffle.turn: 1 .* say 2"),
    # The end of a round.
    ("base", "round 2 out: 15", "14 0 draw 3\nround 2 out: 15", "outcome 'round'"),
    ("base", "round 2 out", "round 1 out", "round.winner: 1 .* say 2"),
    ("base", "round 2 out", "round 2 end", "round.by: 'end' .* say 'out'"),
    ("base", "out: 15 8 0", "out: 15 4 0", "round.added"),
    ("base", "out: 15 8 0", "out: 15 8 3", "round.added"),
    ("base", "= 35 23 18\nresult", "= 20 15 18\nresult", "round.scores"),
    ("base", "end: 20 15 18", "end: 10 15 18", "round.added"),
    ("base", "end: 20 15 18", "end: 20 30 18", "round.added"),
    ("base", "round 0 end", "round 0 out", "round.by: 'out' .* say 'end'"),
    ("440", "round 0 oni: 20", "round 0 oni: 0", "round.added"),
    ("out with Onifuda", "round 0 oni", "round 0 out", "round.by: 'out' .* say 'oni'"),
    ("out with a Special 1", "out: 0 28", "out: 0 14", "round.added"),
    ("end by a Special 1", "end: 18 28", "end: 18 56", "round.added"),
    # The end of the game.
    ("base", "deal 2: 10", "result 2 points: 2 = 15 8 0\ndeal 2: 10", "chance 'deal'"),
    ("base", "result 2", "deal 0: 4 9 | 1S 2 | 10 5\nresult 2", "the rules say result"),
    ("base", "result 2 points: 2", "result 1 points: 2", "devil.winner: 1 .* say 2"),
    ("base", "result 2 points: 2", "result 0 points: 0", "devil.winner: 0 .* say 2"),
    (
        "base",
        "result 2 points: 2",
        "result 2 guard: 2",
        "devil.by: 'guard' .* 'points'",
    ),
    ("base", "points: 2 =", "points: 1 2 =", "devil.winners"),
    ("base", "2 = 35 23 18", "2 = 35 23 17", "devil.scores"),
    ("base", "2 = 35 23 18", "2 = 35 23 18\nflip 8", "nothing may follow"),
    ("shared", "nobody shared", "0 points", "devil.winner: 0 .* say None"),
    ("shared", "nobody shared", "nobody points", "devil.by: 'points' .* 'shared'"),
    ("shared", "shared: 0 1", "shared: 1 0", "devil.winners"),
    ("rounds won", "0 rounds: 0", "1 rounds: 1", "devil.winner: 1 .* say 0"),
    ("rounds won", "0 rounds: 0", "0 points: 0", "devil.by: 'points' .* 'rounds'"),
    ("tossed", "1 random: 1", "2 random: 2", r"devil.winner: 2 is none of \[0, 1\]"),
    ("tossed", "1 random: 1", "1 random: 0 1", "devil.winners"),
    ("tossed", "1 random: 1", "1 points: 1", "devil.by: 'points' .* 'random'"),
    ("broken off", "nobody guard: =", "0 guard: 0 =", "devil.winner: 0 .* say None"),
    ("broken off", "guard: =", "guard: 0 1 =", "devil.winners"),
    ("broken off", "nobody guard", "nobody shared", "devil.by: 'shared' .* 'guard'"),
    ("broken off", "guard: = 0 0", "guard: = 5 8", "devil.scores"),
    ("broken off", "result", "4 0 draw 2\nresult", "the rules say result"),
    ("stuck", "result", "1 reshuffle 0\nresult", "the rules say result"),
]


@pytest.mark.parametrize(("name", "old", "new", "match"), PLANTED)
def test_planted_foul(name: str, old: str, new: str, match: str) -> None:
    """The foul is called where the transcript first differs from the right one."""
    players, script, rules = GAMES[name]
    plain = "\n".join(map(str.strip, script.splitlines()))
    assert old in plain
    spoilt = game(players, plain.replace(old, new, 1), **rules)
    right = written(name)
    pairs = zip(right, spoilt, strict=False)
    same = [one == other for one, other in pairs]
    fouls_at(spoilt, (*same, False).index(False), match)


@pytest.mark.parametrize(
    ("name", "old", "new", "n", "match"),
    [
        ("base", "2 1 declare > continue", "2 1 declare > end", 7, "outcome 'round'"),
        ("440", "2 blank > blank", "2 blank > 2", 9, r"has \['10'\] too many"),
        (
            "drawn though able",
            "4 draw > draw",
            "4 draw > 4",
            5,
            "draw.turn: 1 .* say 2",
        ),
    ],
)
def test_planted_foul_that_shows_later(
    name: str, old: str, new: str, n: int, match: str
) -> None:
    """Another choice would have been right, but not what follows."""
    players, script, rules = GAMES[name]
    fouls_at(game(players, script.replace(old, new, 1), **rules), n, match)


# --- Every event counts -------------------------------------------------------------


@pytest.fixture(params=GAMES)
def events(request: pytest.FixtureRequest) -> Events:
    return written(request.param)


def replaced(events: Events, n: int, wrong: dict[str, Any]) -> Events:
    return [*events[:n], wrong, *events[n + 1 :]]


def numbers(events: Events) -> Iterator[tuple[int, str, int]]:
    """Every whole number of the transcript: event, field, number."""
    for n, told in enumerate(events):
        for key, value in told.items():
            if type(value) is int and key != "seed":
                yield n, key, value


def test_events_missing_or_told_twice(events: Events) -> None:
    """Onifuda may be flipped again or not; of two penalties either may miss."""
    for n, (told, after) in enumerate(zip(events, [*events[1:], {}], strict=True)):
        if told["name"] == "flip" and told["card"] == "oni":
            continue
        last = (told["name"], after.get("name")) != ("penalty", "penalty")
        fouls_at(numbered(events[:n] + events[n + 1 :]), n + (not last))
        if last:
            fouls_at(numbered([*events[: n + 1], *events[n:]]), n + 1)


def test_events_out_of_order(events: Events) -> None:
    """Cards flipped or drawn as penalties one after the other may come so or so."""
    for n, (one, other) in enumerate(pairwise(events)):
        if one["name"] != other["name"]:
            turned = [*events[:n], other, one, *events[n + 2 :]]
            fouls_at(numbered(turned), n)


def test_field_missing_or_extra(events: Events) -> None:
    for n, told in enumerate(events):
        spoilt = [{k: v for k, v in told.items() if k != key} for key in told]
        added = [{**told, key: "x"} for key in ("comment", "type", "name")]
        for wrong in [*spoilt, *added]:
            fouls_at(replaced(events, n, wrong), n)


def test_every_number_is_checked(events: Events) -> None:
    """Nothing passes that only compares equal, as 1.0 does to 1."""
    for n, key, value in numbers(events):
        fouls_at(replaced(events, n, {**events[n], key: float(value)}), n)
        if (events[n]["name"], key) in (("dealer", "seat"), ("devil", "players")):
            continue
        if n or key == "n":
            fouls_at(replaced(events, n, {**events[n], key: value + 1}), n)


def test_another_first_dealer_is_seen_in_the_deal(events: Events) -> None:
    seat = (events[1]["seat"] + 1) % events[0]["players"]
    fouls_at(replaced(events, 1, {**events[1], "seat": seat}), 2, "deal.dealer")


def test_every_option_is_checked(events: Events) -> None:
    """One less, one more, one twice: each is called."""
    for n, told in enumerate(events):
        legal = told.get("legal", [])
        sets = [[o for o in legal if o != less] for less in legal]
        sets += [[*legal, more] for more in (*legal, "2", "pass", "oni") if legal]
        for wrong in sets:
            if sorted(wrong) != sorted(set(legal)):
                wrongly = replaced(events, n, {**told, "legal": wrong})
                fouls_at(wrongly, n, f"seat {told['seat']}: {told['name']}.legal")


def test_defaults_are_told_nowhere_else() -> None:
    """Every rule value of the transcript format has a default here."""
    keys = {"deck", "target", "base_deck", *VALUES, *OPTIONS}
    assert in_force({}).keys() == keys
    assert in_force({})["target"] == 180
    assert in_force({"deck": "440"})["target"] == 440
    assert in_force({"deck": "440"}).keys() == keys - {"base_deck"} | {"ext_deck"}
