"""The golden transcripts of Devil, and what each is to show."""

from tests.devil.plays import PLAYS
from tests.devil.scripts import deck
from tests.games.golden import Golden, Shown

SHORT = {"hand": 2, "target": 1}
EXTENDED = {**SHORT, "deck": "440"}

# name: rules, players, and what has to happen in it
GOLDEN: dict[str, Shown] = {
    "one-round": (SHORT, 3, {"the round goes on after a Special", "out with a 10"}),
    "declared": ({**SHORT, "target": 40}, 4, {"the ender has a Special left"}),
    "two-players": (SHORT, 2, {"a turn again after a skip", "out with 1S"}),
    "reshuffles": (
        {**SHORT, "hand": 4, "base_deck": deck(r1=3, r4=3, r8=2, r10=2, s1=1, s4=1)},
        2,
        {"a reshuffle before a draw", "a reshuffle before a penalty"},
    ),
    "nothing-left": (
        {**SHORT, "base_deck": deck(r1=2, r2=1, r4=1, r6=1, s4=2)},
        3,
        {"fewer penalties than due", "a turn that writes nothing"},
    ),
    "broken-off": ({**SHORT, "guard": 6}, 3, {"broken off"}),
    "onifuda": (EXTENDED, 3, {"an Onifuda flipped", "Onifuda ends the round"}),
    "onifuda-last": (EXTENDED, 3, {"Onifuda as the last card"}),
    "blanks": (
        EXTENDED,
        4,
        {
            "a blank held while a Special is on top",
            "a Special held while a blank is on top",
        },
    ),
    "all-options": (
        {
            **EXTENDED,
            "target": 30,
            "out_special_stacks": True,
            "first_card_effect": True,
            "voluntary_draw": True,
            "s4_end": "all",
            "first_oni": "end_round",
            "tie": "most_rounds_won",
        },
        3,
        {"a round ended by the first card", "a penalty by the first card"},
    ),
    "shared": ({**SHORT, "target": 12}, 3, {"a shared victory"}),
    "rounds-won": (
        {**SHORT, "hand": 1, "target": 12, "tie": "most_rounds_won"},
        3,
        {"a tie decided by rounds"},
    ),
    "eight-players": ({"target": 60}, 8, {"a Special ends the round"}),
}


class TestGolden(Golden):
    plays = PLAYS
    golden = GOLDEN
    altered = ("one-round", {"blank_points": 19})
    most, together, shortest = 4000, 400, True
