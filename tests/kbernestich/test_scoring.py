"""Kbernestich: scores, stacks and ties, worked out with pen and paper."""

import copy
import re

import pytest

from tests.kbernestich.plays import PLAYS
from tests.kbernestich.referee import check
from tests.kbernestich.scripts import (
    BARE,
    asked,
    at,
    fouls_at,
    scores,
    scripted,
    told_under,
)


@pytest.mark.parametrize(
    ("low_tie", "starters"), [("top", {3}), ("bottom", {0}), ("random", {0, 1, 2, 3})]
)
def test_low_tie(low_tie: str, starters: set[int]) -> None:
    """B8: discs arrive clockwise from the start player, nobody scores."""
    rules = {**BARE, "rounds": 2, "by_players.4.start_scores": [0] * 4}
    seen: set[int] = set()
    for events in PLAYS.transcripts({**rules, "low_tie": low_tie}, 4, 30):
        check(events)
        n, start = at(events, "deal", 1), events[1]["seat"]
        seen.add((events[n]["start"] - start) % 4)
        for place in {*range(4)} - starters:
            spoilt = copy.deepcopy(events)
            spoilt[n]["start"] = (start + place) % 4
            fouls_at(spoilt, n, "deal.start: . is written, not")
    assert seen == starters


def test_final_tie() -> None:
    """B9: the bottom of the stack wins, or nobody alone."""
    rules = {"start_scores": [0, 7, 7]}
    hands = [["B2", "B3", "B4"]]
    events = scripted("", hands, start=2, **rules)
    assert (events[-1]["winner"], events[-1]["by"]) == (0, "stack")
    shared = scripted("", hands, start=2, **rules, final_tie="shared")
    assert (shared[-1]["winner"], shared[-1]["by"]) == (None, "points")
    end = len(events) - 1
    fouls_at(
        told_under(events, final_tie="shared"), end, "winner: 0 is written, .* None"
    )
    fouls_at(told_under(shared, final_tie="bottom"), end, "winner: None is written")
    spoilt = copy.deepcopy(events)
    spoilt[-1]["winner"] = 1
    fouls_at(spoilt, end, "winner: 1 is written, the rules say 0")


def test_discs_that_arrive_later_are_on_top() -> None:
    """Seat 0 comes to 5 after seat 1 did; seat 2 never moved from there."""
    rules = {"marie_to": [5, 3], "start_scores": [0, 2, 5], "rounds": 2}
    script = "none | to-5 pass | to-3 | B2 B3 B4"
    events = scripted(script, [["B2", "B3", "B4"]], **rules)
    assert [e["seat"] for e in events if e["name"] == "score"][:3] == [2, 1, 0]
    assert [e["seat"] for e in events if e["name"] == "score"][3:] == [2, 1, 0]
    assert events[at(events, "deal", 1)]["start"] == 0


def test_score_order_in_a_game() -> None:
    """B11: seat 1 by the Letter to, seat 2 by the Letter from, both come to 8."""
    rules = {
        "marie_to": [6],
        "marie_from": [1],
        "start_scores": [9, 2, 5],
        "rounds": 2,
    }
    script = "none | from-B-1 pass | to-6 pass | pass | B2 B3 B4"
    for order, start in (("player", 1), ("area", 2)):
        hands = [["B2", "B3", "B4"]]
        events = scripted(script, hands, **rules, score_order=order)
        assert scores(events)[:3] == [9, 8, 8]
        n = at(events, "deal", 1)
        assert events[n]["start"] == start
        other = {"player": "area", "area": "player"}[order]
        fouls_at(told_under(events, score_order=other), n, "deal.start")


GREEN = re.compile("(down-|from-)?G")


def test_three_players_have_no_green() -> None:
    """B12: no green trump, no green squares."""
    [events] = PLAYS.transcripts({"rounds": 1}, 3, 1)
    check(events)
    told = {option for e in events for option in e.get("legal", [])}
    assert not [option for option in told if GREEN.match(option)]
    assert asked(events, "trump")[0][1] == "B R Y none"
    n = at(events, "trump", 0)
    spoilt = copy.deepcopy(events)
    spoilt[n]["legal"].append("G")
    fouls_at(spoilt, n, "has .'G'. too many")
