"""The parameters of the Drake: what the rule text says, and what is refused."""

from typing import Any

import pytest

from sim.drake.rules import Drake
from tests.drake.plays import PLAYS, SHAPES
from tests.games.parameters import ParametersInForce

# --- Decks that a designer varies -----------------------------------------------------


def test_a_larger_deck_repeats_its_list_and_a_smaller_one_ends_it() -> None:
    told = Drake.of({"maidens": 10, "knights": 3, "treasures": 1}).plain_with(2)
    assert told["maiden_chastity"] == [1, 2, 3, 4, 1, 2, 3, 4, 1, 2]
    assert told["knight"] == [[1, 2], [2, 3], [3, 4]]
    assert told["treasure_value"] == [1]


SPREAD = {
    "listed": [1, 1, 2, 2, 3, 3, 4, 4],
    "uniform": [1, 1, 2, 2, 3, 3, 4, 4],
    "low": [1, 1, 1, 2, 2, 2, 3, 4],
    "high": [1, 2, 3, 3, 3, 4, 4, 4],
    "middle": [1, 2, 2, 2, 3, 3, 3, 4],
    "ends": [1, 1, 1, 2, 3, 4, 4, 4],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_numbers_lie_in_a_shape(shape: str) -> None:
    told = Drake.of({"stats.chastity.shape": shape}).plain_with(2)
    assert sorted(told["maiden_chastity"]) == SPREAD[shape]


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "listed"])
@pytest.mark.parametrize(("low", "high"), [(0, 0), (2, 3), (0, 9), (5, 99)])
def test_shapes_keep_their_range_and_their_lean(
    shape: str, low: int, high: int
) -> None:
    stat = {"shape": shape, "low": low, "high": high}
    told = Drake.of({"treasures": 40, "stats.value": stat}).plain_with(2)
    values = told["treasure_value"]
    assert low <= min(values) <= max(values) <= high
    middle, mean = (low + high) / 2, sum(values) / len(values)
    if high > low:
        assert (mean < middle, mean > middle) == {
            "low": (True, False),
            "high": (False, True),
        }.get(shape, (False, False))


def test_the_knight_with_the_least_keeps_the_least() -> None:
    """So it stays as it was how Strength and Wealth go together."""
    stat = {"shape": "uniform", "low": 10, "high": 17}
    told = Drake.of({"stats.wealth": stat}).plain_with(2)
    before = Drake().plain_with(2)
    assert [strength for strength, _ in told["knight"]] == [
        strength for strength, _ in before["knight"]
    ]
    pairs = zip(before["knight"], told["knight"], strict=True)
    order = sorted((old, new) for (_, old), (_, new) in pairs)
    assert [new for _, new in order] == list(range(10, 18))


def test_special_cards_are_told_one_by_one() -> None:
    mead = {"deck": "maiden", "chastity": 2, "copies": 2}
    told = Drake.of({"special.mead": mead, "special.sangria-all.copies": 0})
    assert (
        told.plain_with(3)["special"]
        == [{"name": "mead", "deck": "maiden", "chastity": 2}] * 2
    )


# --- What is refused ------------------------------------------------------------------

MEAD = {"deck": "maiden", "chastity": 2}

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"gaol": 3}, "gaol: no rule value 'gaol'; did you mean 'goal'?"),
    ({"goal": 1}, "goal: "),
    ({"guard": 0}, "guard: "),
    ({"ruleset": "update_III"}, "Did you mean 'update_II'?"),
    ({"exhaust_when": "emty"}, "Did you mean 'empty'?"),
    ({"must_act": "perhaps"}, "must_act: "),
    ({"maiden_chastity": 3}, "maiden_chastity: a list in brackets is needed"),
    ({"maiden_chastity": [1, -1]}, "maiden_chastity: numbers from 0 to 99."),
    ({"treasure_value": [1, 100]}, "treasure_value: numbers from 0 to 99."),
    ({"knight": [[1, 2], [100, 0]]}, "knight: numbers from 0 to 99."),
    ({"knight": [1, 2]}, "knight.0: a list in brackets is needed, not 1."),
    ({"knight": [[1, 2, 3]]}, "knight.0: "),
    ({"maidens": 1}, "maiden: a deck has 2 to 60 cards with the special ones, not 1."),
    ({"treasures": 60}, "treasure: a deck has 2 to 60 cards with the special ones"),
    ({"knights": 61}, "knights: "),
    ({"treasure_value": []}, "treasure: a deck has 2 to 60 cards"),
    (
        {"maiden_chastity": [], "maidens": 4},
        "maidens: maiden_chastity lists no card that could be repeated.",
    ),
    ({"stats.welth.shape": "low"}, "did you mean 'wealth'?"),
    ({"stats.wealth.shape": "lwo"}, "Did you mean 'low'?"),
    ({"stats.wealth.high": 3}, "stats.wealth: low and high need a shape: "),
    (
        {"stats.wealth": {"shape": "low", "low": 9}},
        "stats.wealth: low (9) is above high (4).",
    ),
    ({"stats.wealth.remove": True}, "stats: the rows are chastity, strength, wealth"),
    (
        {"special.mead": {"chastity": 2}},
        "no row 'mead' (a new row lacks deck)",
    ),
    (
        {"special.mead": {"deck": "maiden"}},
        "special.mead: a maiden needs a chastity; its numbers: chastity.",
    ),
    (
        {"special.mead": MEAD | {"value": 1}},
        "special.mead: a maiden has no value; its numbers: chastity.",
    ),
    (
        {"special.sangria-all.use_from": "lair"},
        "a treasure is never in 'lair'. Allowed: bed.",
    ),
    (
        {"special.mead": MEAD | {"use_from": "bed", "effect": "swap_rightmost(bed)"}},
        "a maiden is never in 'bed'. Allowed: gullet, in_play.",
    ),
    (
        {"special.mead": MEAD | {"use_from": "gullet"}},
        "special.mead: use_from: there is no effect for which it could be used.",
    ),
    (
        {"special.sangria-all.effect": "swap_rightmost(beds)"},
        "Allowed: shuffle_all_discards | discard_rightmost(gullet)",
    ),
    ({"special.sangria-all.cost": "discard"}, "Did you mean 'discard_self'?"),
    ({"special.mead": MEAD | {"name": "M3"}}, "'M3' is the name of plain cards."),
    (
        {"special.mead": MEAD | {"name": "Sangria All"}},
        "there are two cards named 'Sangria All'.",
    ),
]


class TestKnobs(ParametersInForce):
    plays = PLAYS
    refused = REFUSED
    assumed = frozenset({"maiden_chastity", "knight", "treasure_value", "special"})
    test_refused_for_so_many_players = None  # all rules are for two, three and four

    def options(self) -> list[str]:
        return [key for key in super().options() if key != "special"]
