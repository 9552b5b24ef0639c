"""The parameters of Kunitame: what the rule text says, and what is refused."""

from typing import Any

from sim.kunitame.rules import Kunitame
from tests.games.parameters import Parameters
from tests.kunitame.plays import PLAYS, started
from tests.kunitame.referee import DEFAULTS, SQUARES


def test_defaults_are_those_of_the_rule_text() -> None:
    """The referee's own reading of the rule text, written apart from the engine."""
    plain = Kunitame().plain()
    for key, value in DEFAULTS.items():
        if key != "squares":
            assert plain[key] == (list(value) if isinstance(value, tuple) else value), (
                key
            )
    assert plain["contract_returns"] == [1] * 5
    assert plain["contract_points"] == [0] * 5
    assert plain["gems_each_colour"] == 15


def test_squares_are_those_of_the_rule_text() -> None:
    ours = {row["id"]: row for row in Kunitame().plain()["squares"]}
    assert list(ours) == [square["id"] for square in SQUARES]
    for square in SQUARES:
        wanted = {key: value for key, value in square.items() if value is not None}
        assert ours[square["id"]] == wanted


def test_the_box_holds_enough_gems() -> None:
    for players in (3, 4, 5):
        for removed in ("P7", "none"):
            assert Kunitame.of({"removed_pledge": removed}).shortages(players) == []
    assert Kunitame.of({"life": 4}).shortages(5) == [
        "20 Life gems are needed, the box holds 15"
    ]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"rounds": 8}, "rounds: at most the hand of 7 cards, not 8."),
    ({"lief": 3}, "lief: no rule value 'lief'; did you mean 'life'?"),
    ({"life": "3"}, "life: "),
    ({"trick_take": "maybe"}, "Did you mean 'may'? Allowed: must | may."),
    ({"removed_pledge": "P9"}, "removed_pledge: no pledge 'P9'"),
    ({"suits": []}, "suits: at least one"),
    ({"suits": ["blue", "brown"]}, "suits: first letters name the cards"),
    ({"suits": ["blue", "dark"]}, "D (Devil) and P (Priest) are taken"),
    ({"suits": ["black", "red", "yellow"]}, "suits: black is the Devils' suit"),
    ({"suits": ["white", "red", "yellow"]}, "suits: black is the Devils' suit"),
    ({"squares.blue.suit": "bleu"}, "no suit 'bleu'; did you mean 'blue'?"),
    ({"squares.blue.num": [5, 3]}, "squares.blue.num: from 5 to 3 is empty."),
    ({"squares.blue.gem": 2}, "squares.blue.gem: "),
    ({"squares.blue.when": "rank"}, "squares.blue: a rank square is one of fewest"),
    ({"squares.pass": {"pledge": "P1", "when": "all"}}, "squares.pass: "),
    (
        {"squares.no-tricks-P1": {"pledge": "P1", "when": "all"}},
        "squares.no-tricks-P1: ",
    ),
    (
        {"squares": [{"id": "a", "pledge": "P7", "when": "all"}] * 2},
        "squares.a: this id is used twice.",
    ),
    (
        {
            "squares": [
                {"id": f"s{n}", "pledge": "P7", "when": "all"} for n in range(63)
            ],
            "removed_pledge": "none",
        },
        "squares: at most 62 squares",
    ),
    ({"contract_squares": [1, 2]}, "one number for each of the 2 contract_squares"),
    (
        {"contract_squares": [], "contract_returns": [], "contract_points": []},
        "contract_squares: at least one; contract_limit = 0 plays without.",
    ),
    ({"contract_squares": [1, 1, 2, 3, 4]}, "contract_squares: different numbers"),
    ({"contract_squares": [1, 2, 3, 4, 21]}, "0 to 20."),
    ({"contract_returns": [1, 1, 1, 1, 4]}, "contract_returns: 0 to 3 each"),
    ({"contract_points": [0, 0, 0, 0, 10]}, "contract_points: 0 to 9 each"),
    ({"contract_limit": 13}, "contract_limit: at most 12 with 5 contract squares"),
    (
        {"life": 12, "contract_returns": [3] * 5},
        "12 Life gems that may grow 3 times in each of 4 weeks could pass 255",
    ),
    (
        {"life": 12, "contract_points": [9] * 5},
        "255 is the most there can be.",
    ),
]

REFUSED_FOR: list[tuple[dict[str, Any], int, str]] = [
    (
        {"hand": 11},
        4,
        "hand: 4 players with 11 cards need 44, but the Strength deck has 43: "
        "at most 10 each.",
    ),
    ({"hand": 9}, 5, "at most 8 each."),
    (
        {"ranks": 20},
        4,
        "suits, ranks, devil_ranks, priests_per_player: 64 Strength and 13 Devil "
        "cards are more than 64 in all.",
    ),
    (
        {"ranks": 4, "hand": 3, "rounds": 3},
        5,
        "ranks: a tie is drawn from one suit, so 5 players need at least 5 ranks",
    ),
]


class TestParameters(Parameters):
    plays = PLAYS
    refused, refused_for = REFUSED, REFUSED_FOR
    assumed = frozenset({"removed_pledge"})


def test_as_many_cards_as_there_are_may_be_dealt() -> None:
    started({"hand": 14, "rounds": 14}, 3, 1)
    started({"hand": 8, "rounds": 8}, 5, 1)
