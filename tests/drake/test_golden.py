"""Golden transcripts of the Drake, to be read with the rulebook."""

from tests.drake.plays import PLAYS
from tests.games.golden import Golden, Shown

NYMPH = {
    "deck": "maiden",
    "chastity": 4,
    "copies": 3,
    "name": "Laughing Nymph",
    "effect": "discard_in_play(knight)",
    "use_from": "in_play",
}
SMITH = {
    "deck": "knight",
    "strength": 2,
    "wealth": 0,
    "effect": "swap_rightmost(gullet)",
}

GOLDEN: dict[str, Shown] = {
    "four-players": (
        {},
        4,
        {"a Knight is robbed", "a Maiden is burnt", "pride wins"},
    ),
    "sangria-all": (
        {},
        3,
        {
            "passes with nothing but a card",
            "a card is used instead of fire",
            "wrath wins",
        },
    ),
    "absent-virtue": ({}, 2, {"absent greed wins"}),
    "update-one": (
        {"ruleset": "update_I"},
        3,
        {"absent greed shuffles", "absent greed wins after its shuffle"},
    ),
    "ignored": (
        {"ruleset": "update_I", "absent_second_win": "ignored", "goal": 4},
        2,
        {"a Virtue is ignored", "a pile larger than the goal"},
    ),
    "stalemate": (
        {"must_act": False, "treasure_needs_knight": True},
        2,
        {"absent Pride wins by stalemate", "stalemate though a deck has cards"},
    ),
    "empty-deck": (
        {"exhaust_when": "draw_from_empty", "maidens": 4},
        4,
        {"an empty deck is chosen", "a deck stays empty"},
    ),
    "own-cards": (
        {
            "special.nymph": NYMPH,
            "special.smith": SMITH,
            "sangria_returns": False,
            "guard": 30,
        },
        4,
        {
            "discard_in_play(knight) takes a card",
            "swap_rightmost(gullet)",
            "a card that paid stays discarded",
        },
    ),
}


class TestGolden(Golden):
    plays = PLAYS
    golden = GOLDEN
    altered = ("four-players", {"guard": 499})
    together, shortest = 200, True
