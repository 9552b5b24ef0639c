"""Kbernestich: The Future We Knew in Advance, worked out by hand."""

import copy

from tests.games.event_lines import Rules
from tests.kbernestich.scripts import (
    asked,
    at,
    fouls_at,
    scripted,
    told_under,
)

FUTURE: Rules = {
    "future_known": True,
    "marie_from": [0, 2],
    "tricks": 2,
    "cubes": 2,
    "plot_before_tricks": 2,
}
FOUR_HANDS = [["B2 R2", "B3 R3", "B4 R4", "G2 G3"]]


def test_future_known() -> None:
    """Claims go counterclockwise, the start player last; only the owner sets."""
    script = """none | R pass G B | from-B-2 from-Y-0 | pass | pass | B2 B3 B4 G2
        | pass | from-G-2 | R4 G3 R2 R3"""
    events = scripted(script, FOUR_HANDS, **FUTURE)
    assert asked(events, "claim") == [
        (3, "B G R Y pass", "R"),
        (2, "B G Y pass", "pass"),
        (1, "B G Y pass", "G"),
        (0, "B Y pass", "B"),
    ]
    blue, green, red, yellow = (f"from-{c}-0 from-{c}-2" for c in "BGRY")
    assert asked(events, "plot") == [
        (0, f"{blue} {yellow} pass", "from-B-2"),
        (0, f"{yellow} pass", "from-Y-0"),  # unclaimed: a cube out of the hand
        (1, f"{green} pass", "pass"),
        (3, f"{red} pass", "pass"),  # seat 2 has two cubes, but no square
        (3, f"{red} pass", "pass"),
        (1, f"{green} pass", "from-G-2"),  # and nothing for his other cube
    ]
    # Seat 2 wins three blue at 2, two green at 2, three red at 1: claimed, not set.
    won = next(e for e in events if e["name"] == "score" and e["seat"] == 2)
    assert won["base"] == 6 + 4 + 3
    n = at(events, "claim", 0)
    fouls_at(told_under(events, future_known=False), n, "'claim' is written")
    n = at(events, "plot", 0)
    spoilt = copy.deepcopy(events)
    spoilt[n]["legal"].append("from-R-2")
    fouls_at(spoilt, n, "seat 0: plot.legal .* has .'from-R-2'. too many")


def test_claimant_without_another_cube() -> None:
    """He is asked for his colour alone, sets it for nothing, and is done."""
    rules = {**FUTURE, "cubes": 1, "rounds": 2, "refill": [[0, 999, 0]]}
    script = "none | Y pass pass B | from-B-2 | pass | from-G-0 | pass | B2 B3 B4 G2"
    events = scripted(script, FOUR_HANDS, **rules)
    blue, green, red, yellow = (f"from-{c}-0 from-{c}-2" for c in "BGRY")
    assert asked(events, "plot")[:4] == [
        (0, f"{blue} pass", "from-B-2"),
        (1, f"{green} {red} pass", "pass"),
        (2, f"{green} {red} pass", "from-G-0"),
        (3, f"{yellow} pass", "pass"),
    ]
    # Without a refill a claim is gone like a cube placed; he is not asked to claim.
    kept = events[at(events, "cubes", 0)]["cubes"]
    assert kept[0] == kept[2] == kept[3] == 0
    claims = [e for e in events if e["name"] == "claim" and e["round"] == 2]
    assert {e["seat"] for e in claims} <= {1}


def test_colours_that_nobody_claims() -> None:
    """They are free to all, and worth nothing where nobody sets them."""
    script = """none | pass pass pass pass | pass | pass | pass | pass | B2 B3 B4 G2
        | pass pass pass pass | R4 G3 R2 R3"""
    events = scripted(script, FOUR_HANDS, **FUTURE)
    assert {e["base"] for e in events if e["name"] == "score"} == {0}
    every = "from-B-0 from-B-2 from-G-0 from-G-2 from-R-0 from-R-2 from-Y-0 from-Y-2"
    assert {legal for _, legal, _ in asked(events, "plot")} == {f"{every} pass"}


def test_claims_where_nobody_may_pass() -> None:
    """A claim is always voluntary; the plot phase knows no pass."""
    script = "none | pass pass pass B | from-B-2"
    events = scripted(script, FOUR_HANDS, **FUTURE, plot_pass=False)
    assert all("pass" in legal for _, legal, _ in asked(events, "claim"))
    assert not any("pass" in legal for _, legal, _ in asked(events, "plot"))


def test_claims_without_a_plot_phase() -> None:
    rules = {**FUTURE, "plot_before_tricks": 0, "marie_from": [0]}
    script = "none | pass pass pass B | B2 B3 B4 G2 | R4 G3 R2 R3"
    events = scripted(script, FOUR_HANDS, **rules)
    won = next(e for e in events if e["name"] == "score" and e["seat"] == 2)
    assert won["base"] == 3


def test_claims_end_with_the_fourth_trick() -> None:
    """A fifth plot phase is too late: the colour is worth 1, and closed to all."""
    rules = {**FUTURE, "tricks": 6, "plot_before_tricks": 6, "marie_from": [1, 2]}
    hands = [["B2 B3 B4 B5 B6 B7", "R2 R3 R4 R5 R6 R7", "Y2 Y3 Y4 Y5 Y6 Y7"]]
    script = "none | pass pass B" + " | pass pass pass B{} R{} Y{}" * 6
    events = scripted(
        script.format(*(n for n in range(2, 8) for _ in range(3))), hands, **rules
    )
    free = "from-R-1 from-R-2 from-Y-1 from-Y-2 pass"
    own = f"from-B-1 from-B-2 {free}"
    legal = [legal for _, legal, _ in asked(events, "plot")]
    assert legal == [own, free, free] * 4 + [free] * 6
    won = next(e for e in events if e["name"] == "score" and e["seat"] == 0)
    assert won["base"] == 6
