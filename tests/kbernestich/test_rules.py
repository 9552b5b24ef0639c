"""The parameters of Kbernestich: what the rule text says, and what is refused."""

from typing import Any

import pytest

from sim.kbernestich.rules import Kbernestich
from tests.games.parameters import Parameters
from tests.kbernestich.plays import PLAYS
from tests.kbernestich.referee import OPTIONS, PER_PLAYERS, VALUES


@pytest.mark.parametrize("players", [3, 4])
def test_defaults_are_those_of_the_rule_text(players: int) -> None:
    """The referee's own reading of the rule text, written apart from the engine."""
    readings = {key: values[0] for key, values in OPTIONS.items()}
    wanted = VALUES | PER_PLAYERS[players] | readings
    assert Kbernestich().plain_with(players) == wanted


def test_squares_change_for_all_numbers_of_players_or_for_one() -> None:
    both = Kbernestich.of({"hannah": 1, "marie_to": [4]})
    assert [both.with_players(n).hannah for n in (3, 4)] == [1, 1]
    assert [both.plain_with(n)["marie_to"] for n in (3, 4)] == [[4], [4]]
    one = Kbernestich.of({"by_players.4.hannah": 3})
    assert [one.with_players(n).hannah for n in (3, 4)] == [1, 3]
    assert one.differences() == {"by_players.4.hannah": (2, 3)}


def test_cubes_by_score() -> None:
    scores = (0, 25, 26, 40, 41, 300)
    assert [Kbernestich().refilled(score) for score in scores] == [5, 5, 4, 4, 3, 3]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"plot_before_tricks": 12}, "at most the 11 tricks of a round, not 12."),
    ({"future_known": True, "marie_from": []}, "claims need a square"),
    ({"ronds": 3}, "ronds: no rule value 'ronds'; did you mean 'rounds'?"),
    ({"rounds": 0}, "rounds: "),
    ({"rounds": 13}, "rounds: "),
    ({"cubes": "5"}, "cubes: "),
    ({"low_tie": "tap"}, "Did you mean 'top'? Allowed: top | bottom | random."),
    ({"refill": [[1, 9999, 5]]}, "refill: scores from 0 up must come next, not 1-"),
    ({"refill": [[0, 25, 5], [27, 9999, 4]]}, "from 26 up must come next, not 27-"),
    ({"refill": [[0, 9999, 10]]}, "refill: 0 to 9 cubes, not 10."),
    ({"refill": [[0, 25, 5]]}, "refill: scores up to 999 at least must be covered"),
    ({"zabine": list(range(13))}, "zabine: at most 12 squares."),
    ({"hunch": [str(n) for n in range(13)]}, "hunch: at most 12 squares."),
    ({"marie_from": [1, 1]}, "marie_from: different numbers, 0 to 9 each."),
    ({"marie_from": [10]}, "marie_from: different numbers, 0 to 9 each."),
    ({"zabine": [100]}, "zabine: different numbers, 0 to 99 each."),
    ({"hunch": ["17"]}, "hunch: bids of at most 16 tricks, not '17'."),
    ({"hunch": ["two"]}, "hunch: 'two' is no bid; write a number, with a +"),
    ({"hunch": ["1", "1"]}, "hunch: each square once."),
    ({"actions": ["review", "review"]}, "actions: each square once."),
    ({"actions": ["reviw"]}, "actions"),
    ({"hannah": 5}, "hannah: 0 to 4 squares, not 5."),
    ({"marie_to": [10]}, "marie_to: 0 to 9 points each."),
    ({"by_players.4.start_scores": [0, 2, 4, 100]}, "start_scores: 0 to 99 each."),
    (
        {"by_players.5": {"start_scores": [0], "hannah": 1, "marie_to": []}},
        "by_players.5: players are 3 or 4.",
    ),
]

REFUSED_FOR: list[tuple[dict[str, Any], int, str]] = [
    ({"tricks": 13}, 4, "4 players have 48 cards, so at most 12 tricks, not 13."),
    ({"tricks": 13}, 3, "3 players have 36 cards, so at most 12 tricks, not 13."),
    (
        {"by_players.4.start_scores": [0, 1]},
        4,
        "start_scores: one score for each of the 4 players, not 2.",
    ),
    ({"marie_to": [1] * 40}, 4, "73 squares with 4 players; at most 60."),
    ({"by_players.3": {"remove": True}}, 3, "by_players: there is no row '3'."),
]


class TestParameters(Parameters):
    plays = PLAYS
    refused, refused_for = REFUSED, REFUSED_FOR
    assumed = frozenset({"by_players", "hunch", "marie_from", "zabine"})
