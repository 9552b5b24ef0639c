"""Article II, one rule at a time, worked out with pen and paper."""

import copy
from typing import Any

import pytest

from tests.article_ii.referee import MARKS, check
from tests.article_ii.scripts import Transcribed, wants

NEWS = "newspaper-endorsement"
LOWERS = {card: affiliation for card, (_, affiliation, *_) in MARKS.items()}


def test_phases_start_and_deal() -> None:
    told = Transcribed("gaffe | gaffe", "gaffe gaffe gaffe", start=1)
    wants(told, "choice 'play'", 1)
    told.play(1, "gaffe", 1).play(0, "gaffe", 1)
    wants(told, "outcome 'primary'")
    told.primary([0, -6], [0, -6], [0, 1])
    told.phase = "general"
    wants(told, "chance 'start'")
    wants(told.start(0), "chance 'deal'")


def test_seats_with_empty_hands_are_passed_over() -> None:
    told = Transcribed("gaffe | unaffiliated-activity | gaffe", "gaffe gaffe", start=1)
    told.play(1, "unaffiliated-activity").draw(1, "gaffe").draw(1, "gaffe")
    told.play(2, "gaffe", 2).play(0, "gaffe", 2).play(1, "gaffe", 1)
    wants(told, "choice 'play' {'phase': 'primary', 'turn': 5", 1)


def test_short_deck_leaves_the_last_seats_short() -> None:
    """Dealt from seat 2: seat 1 is the last (A3)."""
    hands = "gaffe gaffe | gaffe | gaffe gaffe"
    wants(Transcribed(hands, start=2, hand=2), "choice 'play'", 2)


def test_deck_too_short_even_for_a_card_each() -> None:
    told = Transcribed("| gaffe | true-blue", start=1, hand=3).play(1, "gaffe", 1)
    wants(told, "choice 'play'", 2)


def general(deck: str, **rules: Any) -> Transcribed:
    """Two players play out the Primary; then the General begins."""
    told = Transcribed("gaffe voter-adhd | true-blue gaffe", deck, **rules)
    told.play(0, "gaffe", 0).play(1, "true-blue", 0)
    told.play(0, "voter-adhd").remove(0, 0, "gaffe").play(1, "gaffe", 1)
    told.primary([0, -3], [5, -3], [0, 1]).phase = "general"
    return told.start(0)


def test_reshuffle_before_a_deal_that_is_short() -> None:
    """The discard pile holds Voter ADHD and the Gaffe that it removed (A2)."""
    wants(general("toe-the-line " * 4), "chance 'deal'")
    told = general("toe-the-line tack-center")
    wants(told, "chance 'reshuffle' {'phase': 'general', 'cards': 2}")
    right = "toe-the-line gaffe | tack-center voter-adhd"
    wants(copy.deepcopy(told).reshuffle(2).deal(right), "choice 'play'", 0)


def test_general_deal_reshuffles_all() -> None:
    told = general("toe-the-line " * 4, general_deal="reshuffle_all")
    wants(told, "chance 'reshuffle' {'phase': 'general', 'cards': 2}")
    told.reshuffle(2).deal("gaffe voter-adhd | toe-the-line toe-the-line")
    wants(told, "choice 'play'", 0)
    bare = Transcribed("gaffe | gaffe", "gaffe gaffe", general_deal="reshuffle_all")
    bare.play(0, "gaffe", 0).play(1, "gaffe", 1).primary([-3, -3], [-3, -3], [0, 1])
    bare.phase = "general"
    wants(bare.start(0), "chance 'deal'")  # nothing lies in the discard pile


PLAIN = "hairpiece hairpiece | hairpiece hairpiece"


def test_carry_over() -> None:
    told = general("hairpiece " * 4).deal("hairpiece hairpiece | hairpiece hairpiece")
    told.play(0, "hairpiece", 1)
    assert told.played()[0][-1]["affiliation"] == -3
    wants(told, "choice 'play'", 1)
    bare = general("hairpiece " * 4, carry_over=False)
    bare.deal(PLAIN)
    bare.lying = [[], []]
    wants(bare.play(0, "hairpiece", 1), "choice 'play'", 1)


def test_what_does_not_carry_over_is_dealt_again() -> None:
    told = general("toe-the-line", carry_over=False).reshuffle(4)
    told.deal("toe-the-line gaffe | gaffe voter-adhd")
    told.lying = [[], []]
    wants(told.play(0, "gaffe", 1), "choice 'play'", 1)


def test_one_style_each() -> None:
    told = Transcribed("hairpiece mudslinger | gaffe gaffe").play(0, "hairpiece", 1)
    told.play(1, "gaffe", 1).play(0, "mudslinger", 1)
    assert [event["name"] for event in told.played()[0][-2:]] == ["removed", "placed"]
    wants(told, "choice 'play'", 1)


def test_voter_adhd() -> None:
    wants(
        Transcribed("voter-adhd | gaffe").play(0, "voter-adhd"), "choice 'play'", 1
    )  # A16
    told = Transcribed("hairpiece voter-adhd | gaffe gaffe").play(0, "hairpiece", 0)
    told.play(1, "gaffe", 0).play(0, "voter-adhd")
    wants(told, "choice 'remove-from'", 0)
    wants(copy.deepcopy(told).remove(0, 0, "gaffe"), "choice 'play'", 1)
    wants(told.remove(0, 0, "hairpiece"), "choice 'play'", 1)  # Styles go too


def test_unaffiliated_activity() -> None:
    told = Transcribed("unaffiliated-activity | gaffe", "gaffe gaffe gaffe")
    wants(told.play(0, "unaffiliated-activity"), "chance 'draw'", 0)
    wants(told.draw(0, "gaffe"), "chance 'draw'", 0)
    wants(told.draw(0, "gaffe"), "choice 'play'", 1)


def test_unaffiliated_activity_is_not_in_the_pile_for_its_own_draws() -> None:
    told = Transcribed("unaffiliated-activity gaffe | hairpiece mudslinger")
    wants(told.play(0, "unaffiliated-activity"), "choice 'play'", 1)
    told.play(1, "hairpiece", 1).play(0, "gaffe", 0).play(1, "mudslinger", 1)
    told.primary([-3, 0], [-3, 0], [0, 1]).phase = "general"
    wants(told.start(0), "chance 'reshuffle' {'phase': 'general', 'cards': 2}")


def test_cards_of_ones_own() -> None:
    """Kinds do what they do by their numbers, unknown Styles are Hairpieces."""
    cards = {
        "rally": {"kind": "draw", "copies": 1, "draw": 1},
        "scandal": {"kind": "remove", "copies": 1},
        "debate": {"kind": "mark", "copies": 2, "electability": 1},
        "dreamer": {"kind": "style", "copies": 2},
    }
    told = Transcribed("rally dreamer | dreamer scandal", cards=cards).play(0, "rally")
    wants(told, "chance 'draw'", 0)
    told.draw(0, "debate").play(1, "dreamer", 0).play(0, "dreamer", 0)
    wants(told, "choice 'play'", 1)
    wants(told.play(1, "scandal"), "choice 'remove-from'", 1)
    told.remove(1, 0, "dreamer").play(0, "debate", 1)
    wants(told, "outcome 'primary'")


def test_ties_in_the_primary() -> None:
    told = Transcribed(f"{NEWS} | {NEWS} | {NEWS} | highlander")
    for seat in range(3):
        told.play(seat, NEWS, seat)
    told.play(3, "highlander", 3)
    wants(told, r"chance 'tie' {'phase': 'primary', 'seats': \[0, 1, 2\]}")
    told.tie([0, 1, 2], [0, 2])
    wants(told, "outcome 'primary'")
    lone = (
        Transcribed(f"{NEWS} | {NEWS} | tack-center").play(0, NEWS, 0).play(1, NEWS, 1)
    )
    lone.play(2, "tack-center", 0)
    wants(lone, "outcome 'primary'")  # 4, 3, 0: no tie at all


@pytest.mark.parametrize(
    ("fallback", "by", "winners"), [(False, "none", []), (True, "spoiler", [2])]
)
def test_highlander_fallback(fallback: bool, by: str, winners: list[int]) -> None:
    """Without a positive total a Highlander is no Spoiler, unless so ruled (A11)."""
    deck = "hairpiece hairpiece policy-proposal"
    told = Transcribed(
        "true-blue | true-blue | highlander", deck, highlander_fallback=fallback
    )
    told.play(0, "true-blue", 0).play(1, "true-blue", 1).play(2, "highlander", 2)
    told.primary([0, 0, 0], [5, 5, 0], [0, 1])
    told.general(0, "hairpiece | hairpiece | policy-proposal")
    told.play(0, "hairpiece", 0).play(1, "hairpiece", 1).play(2, "policy-proposal", 2)
    told.totals([0, 0, 0], [5, 5, 3], [-5, -5, -3])
    check(told.result(by, winners, [0, 1]))


@pytest.mark.parametrize(
    ("card", "electability", "affiliation"),
    [
        ("hairpiece", [0, 0], [3, 6]),
        ("greater-evil", [0, 0], [3, 0]),
        ("lesser-evil", [0, 0], [0, 6]),
        ("mudslinger", [-3, -3], [3, 6]),
    ],
)
def test_styles_are_evaluated(
    card: str, electability: list[int], affiliation: list[int]
) -> None:
    told = Transcribed(f"{card} policy-proposal | screaming-partisan policy-proposal")
    told.play(0, card, 0).play(1, "screaming-partisan", 1)
    told.play(0, "policy-proposal", 0).play(1, "policy-proposal", 1)
    wants(told.primary(electability, affiliation, [0, 1]), "chance 'start'")
