"""Kbernestich: plot turns and letters, worked out with pen and paper."""

from tests.kbernestich.referee import check
from tests.kbernestich.scripts import (
    asked,
    at,
    fouls_at,
    in_force,
    scores,
    scripted,
    told_under,
)

ONE_CARD = [["B2", "B3", "B4", "B5"]]


def test_example_of_the_text() -> None:
    """Plot phase and trick of the text's play example, steps 1 to 11."""
    hands = ["G11 R2 R3", "G3 G6 G8", "B2 R4 R5", "G12 Y2 Y3"]
    events = scripted(
        """B | from-B-2 grace | from-R-0 bust-22 | review rest hunch-4
        | from-Y-0 hunch-0 | G11 G6 B2 G12""",
        [hands],
        **in_force(4, rounds=1, tricks=3, plot_before_tricks=3),
    )
    plays = asked(events, "play")
    assert plays[:4] == [
        (0, "G11 R2 R3", "G11"),
        (1, "G3 G6 G8", "G6"),
        (2, "B2 R4 R5", "B2"),
        (3, "G12", "G12"),
    ]
    trick = events[at(events, "trick", 0)]
    assert (trick["winner"], trick["card"]) == (2, "B2")
    assert asked(events, "plot")[8][0] == 2  # Alea starts the next plot phase


def test_two_on_one_square() -> None:
    """B1: a second cube of the turn may go onto the square, not a third."""
    rules = {"marie_to": [3, 2], "two_on_one_square": True, "cubes_per_turn": 3}
    script = "none | to-3 to-3 pass | to-2 to-2 | B2 B3 B4 B5"
    events = scripted(script, ONE_CARD, **rules)
    assert asked(events, "plot") == [
        (0, "pass to-2 to-3", "to-3"),
        (0, "pass to-2 to-3", "to-3"),
        (0, "pass to-2", "pass"),
        (1, "pass to-2", "to-2"),
        (1, "pass to-2", "to-2"),
    ]
    assert scores(events) == [6, 4, 6, 6]
    n = at(events, "plot", 1)
    fouls_at(told_under(events, two_on_one_square=False), n, "has .'to-3'. too many")
    fouls_at(told_under(events, marie_to_shared=True), n + 1, "lacks .'to-3'")


def test_two_on_one_square_in_one_turn_only() -> None:
    rules = {"marie_to": [3], "two_on_one_square": True, "tricks": 2}
    rules["plot_before_tricks"] = 2
    hands = [["B2 R2", "B3 R3", "B4 R4"]]
    events = scripted("none | to-3 pass | B2 B3 B4", hands, **rules)
    assert len(asked(events, "plot")) == 2  # nobody is asked again


def test_cubes_take_free_squares_first() -> None:
    """B1: of alike squares a free one is taken, so nothing is left for seat 1."""
    rules = {"marie_to": [1, 1], "two_on_one_square": True}
    events = scripted("none | to-1 to-1 | B2", ONE_CARD, **rules)
    assert [seat for seat, _, _ in asked(events, "plot")] == [0, 0]
    three = {**rules, "cubes_per_turn": 5}
    events = scripted("none | to-1 to-1 to-1 to-1 | B2", ONE_CARD, **three)
    assert scores(events) == [6, 4, 2, 4]


def test_two_on_one_square_is_for_letter_to_marie() -> None:
    rules = {
        "marie_from": [1],
        "zabine": [20],
        "hannah": 2,
        "hunch": ["0"],
        "actions": ["optimism"],
        "two_on_one_square": True,
        "cubes_per_turn": 5,
    }
    script = "none | from-B-1 bust-20 grace hunch-0 optimism"
    events = scripted(script, ONE_CARD, **rules)
    assert [legal for seat, legal, _ in asked(events, "plot") if seat == 0] == [
        "bust-20 from-B-1 from-G-1 from-R-1 from-Y-1 grace hunch-0 optimism pass",
        "bust-20 from-G-1 from-R-1 from-Y-1 grace hunch-0 optimism pass",
        "from-G-1 from-R-1 from-Y-1 grace hunch-0 optimism pass",
        "from-G-1 from-R-1 from-Y-1 hunch-0 optimism pass",
        "from-G-1 from-R-1 from-Y-1 optimism pass",
    ]
    check(told_under(events, two_on_one_square=False))


def test_marie_to_shared() -> None:
    rules = {"marie_to": [3, 1], "marie_to_shared": True}
    script = "none | to-3 to-3 | to-3 to-1 | pass | to-3 pass | B2 B3 B4 B5"
    events = scripted(script, ONE_CARD, **rules)
    assert {legal for _, legal, _ in asked(events, "plot")} == {"pass to-1 to-3"}
    assert scores(events) == [9, 4, 6, 6]
    check(told_under(events, two_on_one_square=True))


def test_hunch_exclusive() -> None:
    """B2: the same bid once, or as often as players make it; one bid a player."""
    rules = {"hunch": ["0", "1"], "hunch_exclusive": False}
    script = "none | hunch-0 | hunch-0 | pass | hunch-1 | B2 B3 B4 B5"
    events = scripted(script, ONE_CARD, **rules)
    assert [seat for seat, _, _ in asked(events, "plot")] == [0, 1, 2, 3]
    assert scores(events) == [6 + 6, 4, 2 + 6 + 12, 6 + 12]
    n = at(events, "plot", 1)
    fouls_at(told_under(events, hunch_exclusive=True), n, "has .'hunch-0'. too many")


def test_cubes_are_kept_up_to_the_limit() -> None:
    """B16: the four kept of seat 0 and the refill make no more than five."""
    rules = {"marie_to": [9, 8, 1], "rounds": 2}
    script = "none | to-1 pass | to-9 to-8 | B2 B3 B4"
    events = scripted(script, [["B2", "B3", "B4"]], **rules)
    assert events[at(events, "cubes", 0)]["cubes"] == [5, 5, 5]
    rules |= {"refill": [[0, 9, 1], [10, 9999, 0]], "cubes": 3}
    events = scripted(script, [["B2", "B3", "B4"]], **rules)
    assert events[at(events, "cubes", 0)]["cubes"] == [3, 1, 3]


def test_players_without_cubes_are_skipped() -> None:
    rules = {"marie_to": [3, 2, 2, 1], "cubes": 1}
    events = scripted("none | to-2 to-2 to-1 to-3", ONE_CARD, **rules)
    assert [seat for seat, _, _ in asked(events, "plot")] == [0, 1, 2, 3]
    none = scripted("none | B2", ONE_CARD, **{**rules, "cubes": 0})
    assert not asked(none, "plot")


def test_plot_pass() -> None:
    """B20: without pass a player places while there is a square for him."""
    rules = {"marie_to": [3, 2, 1], "plot_pass": False}
    events = scripted("none | to-3 to-1 | to-2 | B2", ONE_CARD, **rules)
    assert asked(events, "plot") == [
        (0, "to-1 to-2 to-3", "to-3"),
        (0, "to-1 to-2", "to-1"),
        (1, "to-2", "to-2"),
    ]
    n = at(events, "plot", 0)
    fouls_at(told_under(events, plot_pass=True), n, "lacks .'pass'")
