"""Kbernestich: Incubation, Observation and Review, worked out by hand."""

import pytest

from tests.games.event_lines import numbered
from tests.kbernestich.referee import deck
from tests.kbernestich.scripts import (
    asked,
    at,
    fouls_at,
    scripted,
    told_under,
)

HANDS = ["B2 R9 Y2", "R2 R3 R4", "Y5 Y6 BI"]


def test_incubation_lead() -> None:
    """B4: a face-down lead sets no suit; the next face-up card does."""
    rules = {"actions": ["incubation"], "tricks": 3}
    script = "B | incubation | down-B2 R2 Y5"
    events = scripted(script, [HANDS], **rules)
    plays = asked(events, "play")
    assert plays[:3] == [
        (0, "B2 R9 Y2 down-B2 down-R9 down-Y2", "down-B2"),
        (1, "R2 R3 R4", "R2"),
        (2, "BI Y5 Y6", "Y5"),
    ]
    assert events[at(events, "trick", 0)]["card"] == "R2"
    assert not any("down" in legal for _, legal, _ in plays[3:])  # once (B18)
    n = at(events, "play", 0)
    fouls_at(told_under(events, incubation_lead=False), n, "has .'down-B2'")


def test_incubation_elsewhere() -> None:
    """Any card, ignoring must-follow, also where the lead may not be face down."""
    rules = {"actions": ["incubation"], "tricks": 3, "incubation_lead": False}
    script = "B | pass | incubation | R9 down-R4 BI"
    events = scripted(script, [["B2 R9 Y2", "B3 R3 R4", "Y5 Y6 BI"]], **rules)
    plays = asked(events, "play")
    assert plays[1] == (1, "R3 R4 down-B3 down-R3 down-R4", "down-R4")
    assert events[at(events, "trick", 0)]["winner"] == 2


def test_face_down_cards_count_for_the_winner() -> None:
    rules = {"actions": ["incubation"], "marie_from": [2]}
    script = "none | incubation from-B-2 | pass | pass | down-B2 R2 Y5"
    events = scripted(script, [["B2", "R2", "Y5"]], **rules)
    won = next(e for e in events if e["name"] == "score" and e["seat"] == 1)
    assert (won["base"], won["from"]) == (2, 2)


def test_incubation_comes_back_next_round() -> None:
    rules = {"actions": ["incubation"], "rounds": 2, "tricks": 1}
    hands = [["B2", "R2", "Y5"]] * 2
    script = "none incubation down-B2 R2 Y5 | none incubation down-B2 R2 Y5"
    events = scripted(script, hands, **rules, start_scores=[0, 9, 9])
    assert [legal for _, legal, _ in asked(events, "play")][::3] == ["B2 down-B2"] * 2


@pytest.mark.parametrize("lead", [True, False])
def test_leader_observes(lead: bool) -> None:
    """The next leads the trick, the winner the next plot phase (B7)."""
    rules = {
        "actions": ["observation", "incubation"],
        "tricks": 3,
        "plot_before_tricks": 2,
        "incubation_lead": lead,
        "marie_to": [1] * 9,
        "cubes_per_turn": 1,
    }
    script = "none | observation | incubation | pass | observe R2 BI Y9"
    events = scripted(script, [["B2 Y9 Y2", "R2 R3 R4", "Y5 Y6 BI"]], **rules)
    down = " down-R2 down-R3 down-R4" if lead else ""
    assert asked(events, "play")[:4] == [
        (0, "B2 Y2 Y9 observe", "observe"),
        (1, "R2 R3 R4" + down, "R2"),
        (2, "BI Y5 Y6", "BI"),
        (0, "B2 Y2 Y9", "Y9"),
    ]
    assert events[at(events, "trick", 0)]["winner"] == 1
    assert [seat for seat, _, _ in asked(events, "plot")] == [0, 1, 2, 1, 2, 0]


def test_last_player_observes() -> None:
    """B6: legal, without effect; asked again at once; twice a round at most."""
    rules = {"actions": ["observation"], "tricks": 3}
    script = """none | pass | pass | observation | R9 R2 observe Y5
        | Y2 R3 observe Y6 | BI B2 R4"""
    events = scripted(script, [HANDS], **rules)
    plays = asked(events, "play")
    seats = [seat for seat, _, _ in plays]
    assert seats[:4] == [0, 1, 2, 2]
    assert plays[3] == (2, "BI Y5 Y6", "Y5")
    observed = [legal for seat, legal, _ in plays if seat == 2 and "observe" in legal]
    assert observed == ["BI Y5 Y6 observe", "Y6 observe"]


def test_observe_twice_same_trick() -> None:
    """B5: by option a second time at once; then the two uses are gone."""
    rules = {
        "actions": ["observation"],
        "tricks": 3,
        "observe_twice_same_trick": True,
    }
    script = "none | observation | observe R2 BI observe R9"
    events = scripted(script, [HANDS], **rules)
    plays = asked(events, "play")
    assert plays[:5] == [
        (0, "B2 R9 Y2 observe", "observe"),
        (1, "R2 R3 R4", "R2"),
        (2, "BI Y5 Y6", "BI"),
        (0, "R9 observe", "observe"),
        (0, "R9", "R9"),
    ]
    assert not any("observe" in legal for _, legal, _ in plays[5:])
    n = at(events, "play", 3)
    fouls_at(told_under(events, observe_twice_same_trick=False), n, "has .'observe'")


def test_review() -> None:
    """The rest comes into the hand, and as many cards are put back."""
    everything = iter(deck(3))
    hands = [" ".join(next(everything) for _ in range(11)) for _ in range(3)]
    events = scripted("none | review", [hands], actions=["review"], tricks=11)
    review = events[at(events, "review", 0)]
    assert sorted(review["taken"]) == ["Y11", "Y12", "YI"]
    assert review["count"] == len(review["chosen"]) == 3


def test_review_comes_before_the_next_cube() -> None:
    rules = {"actions": ["review"], "marie_to": [1]}
    events = scripted("none | review rest to-1", [["B2", "B3", "B4", "B5"]], **rules)
    n = at(events, "plot", 0)
    assert [event["name"] for event in events[n : n + 3]] == ["plot", "review", "plot"]
    late = [*events[: n + 1], events[n + 2], events[n + 1], *events[n + 3 :]]
    fouls_at(numbered(late), n + 1, "the rules say choice 'review'")


def test_review_without_a_rest() -> None:
    """Nothing left over: no event."""
    ranks = [*range(2, 13), "I"]
    hands = [" ".join(f"{suit}{rank}" for rank in ranks) for suit in "BRYG"]
    events = scripted("none | review", [hands], actions=["review"], tricks=12)
    assert asked(events, "plot")[0][2] == "review"
    assert not any(event["name"] == "review" for event in events)
