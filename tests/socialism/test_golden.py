"""The golden transcripts of Socialism, and what each is to show."""

from tests.games.golden import Golden, Shown
from tests.socialism.plays import PLAYS
from tests.socialism.referee import OPTIONS

SHORT = {"tokens": 4}

# name: rules, players, and what has to happen in it
GOLDEN: dict[str, Shown] = {
    "two-players": (SHORT, 2, {"won by personal", "stopped"}),
    "printed": ({}, 3, {"a reshuffle", "won by stellar-status"}),
    "five-players": (SHORT, 5, {"a Sherman Act against an Action"}),
    "becca": (SHORT, 4, {"a token leaves Becca"}),
    "sloan": ({"tokens": 6}, 3, {"Sloan to the hand by a-s-l"}),
    "viral-post": (SHORT, 3, {"won by viral-post"}),
    "flattery": ({"tokens": 8}, 3, {"flattery:viral-post stays"}),
    "ipo": (SHORT, 4, {"won by ipo"}),
    "cat-pic": ({"tokens": 8}, 3, {"asked twice by an OMG CAT PIC"}),
    "at-a-distance": ({"tokens": 6}, 2, {"invited at a distance"}),
    "board-empty": (SHORT, 2, {"the first User again"}),
    "broken-off": ({"guard": 6}, 5, {"broken off"}),
    "all-options": (
        {"tokens": 5} | {key: other for key, (_, other) in OPTIONS.items()},
        4,
        {"two invitations in a turn", "no card played"},
    ),
}


class TestGolden(Golden):
    plays = PLAYS
    golden = GOLDEN
    altered = ("two-players", {"hand": 2})
    most, together, shortest = 4000, 100, True
