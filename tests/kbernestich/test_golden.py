"""The golden transcripts of Kbernestich, and what each is to show."""

from tests.games.golden import Golden, Shown
from tests.kbernestich.plays import PLAYS

SHORT = {"rounds": 1, "tricks": 3, "plot_before_tricks": 2}
LOW = {**SHORT, "bust_default": 4, "zabine": [2, 6]}

# name: rules, players, and what has to happen in it
GOLDEN: dict[str, Shown] = {
    "three-tricks": (SHORT, 3, {"a misery bonus"}),
    "review": ({**SHORT, "tricks": 11}, 4, {"a review that keeps a card"}),
    "incubation": (
        SHORT,
        4,
        {"a card face down as the lead"},
    ),
    "off-suit": (SHORT, 4, {"a card face down while the suit is held"}),
    "observation": (SHORT, 4, {"the leader observes"}),
    "bust-and-grace": (LOW, 4, {"a bust", "Grace pays"}),
    "saved-bids": (SHORT, 4, {"Pessimism saves a bid", "Optimism saves a bid"}),
    "tie-by-stack": (SHORT, 3, {"a tie decided by the stack"}),
    "two-rounds": (
        {**SHORT, "rounds": 2, "refill": [[0, 6, 3], [7, 9999, 1]]},
        3,
        {"a tie for lowest", "fewer cubes than before"},
    ),
    "future-known": (
        {**SHORT, "future_known": True},
        4,
        {"a claimed colour is set", "a claimed colour is never set"},
    ),
    "all-options": (
        {
            **SHORT,
            "two_on_one_square": True,
            "hunch_exclusive": False,
            "observe_twice_same_trick": True,
            "final_tie": "shared",
            "score_order": "area",
            "plot_pass": False,
        },
        3,
        {"a square of letters used twice", "the same bid by two players"},
    ),
    "whole-round": ({"rounds": 1}, 4, {"observed twice in a round", "Grace pays"}),
}


class TestGolden(Golden):
    plays = PLAYS
    golden = GOLDEN
    altered = ("three-tricks", {"low_tie": "bottom"})
    most = 2000
