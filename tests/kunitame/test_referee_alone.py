"""The rules of Kunitame as its referee reads them, held against pen and paper."""

import pytest

from tests.kunitame.referee import (
    SQUARES,
    legal_plays,
    meets,
    rank_squares,
    trick_winner,
)


@pytest.mark.parametrize(
    ("table", "winner"),
    [
        ("B3 B9 B5", "B9"),  # highest of the lead suit
        ("B3 R13 Y12", "B3"),  # off-suit cards never win
        ("B13 P P", "B13"),  # white is weakest
        ("P P P", "P0"),  # only Priests: the first
        ("P B2 R13", "B2"),  # a Priest sets no lead suit
        ("P R2 B13 R3", "R3"),
        ("D1 B13 B12", "D1"),  # black beats the lead suit
        ("D3 D12 B13", "D12"),  # highest black
        ("B13 D1 P", "P2"),  # white wins where black was played
        ("P D13 P", "P0"),  # the first of them
        ("D13 P P D1", "P1"),
        ("D5 R4 R9 B13", "D5"),  # Devil led, then a suit
        ("D5 D2 D4", "D5"),  # no lead suit at all
    ],
)
def test_trick_winner(table: str, winner: str) -> None:
    cards = table.split()
    place = trick_winner(cards)
    assert winner in (cards[place], f"{cards[place]}{place}")


def test_trick_winner_with_more_suits() -> None:
    suits = ["blue", "red", "yellow", "green"]
    assert trick_winner(["G2", "B13", "G11"], suits) == 2


@pytest.mark.parametrize(
    ("hand", "table", "legal"),
    [
        ("B1 R2 D3 P", "", "B1 R2 D3 P"),
        ("B1 R2 D3 P", "B9", "B1 D3 P"),
        ("B1 R2 D3 P", "Y9", "B1 R2 D3 P"),
        ("B1 R2 D3 P P", "D9 P", "B1 R2 D3 P"),
        ("B1 R2 R3", "P D4 R9 B2", "R2 R3"),
    ],
)
def test_must_follow(hand: str, table: str, legal: str) -> None:
    assert legal_plays(hand.split(), table.split()) == set(legal.split())


@pytest.mark.parametrize(
    ("card", "round_", "squares"),
    [
        ("B5", 1, "card-1-5 round-1 blue only-1-10 only-odd only-blue"),
        ("R11", 4, "card-11 round-3-4 red only-11-13 only-odd only-red"),
        ("D12", 6, "card-12 round-5-6 black only-11-13 only-even only-black"),
        ("P", 7, "round-7 white only-white"),
        ("Y9", 2, "round-2 yellow only-1-10 only-odd only-yellow"),
    ],
)
def test_squares_met_by_a_trick(card: str, round_: int, squares: str) -> None:
    table = [square for square in SQUARES if square["when"] != "rank"]
    met = {square["id"] for square in table if meets(square, (card, round_))}
    assert met == set(squares.split())


@pytest.mark.parametrize(
    ("squares", "numbers"),
    [
        ("card-1-5", [1, 2, 3, 4, 5]),
        ("card-6-8", [6, 7, 8]),
        ("card-11", [11]),
        ("card-12", [12]),
        ("only-1-10", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("only-11-13", [11, 12, 13]),
        ("only-even", [2, 4, 6, 8, 10, 12]),
        ("only-odd", [1, 3, 5, 7, 9, 11, 13]),
    ],
)
def test_squares_met_by_a_number(squares: str, numbers: list[int]) -> None:
    square = next(square for square in SQUARES if square["id"] == squares)
    met = [n for n in range(14) if meets(square, (f"B{n}" if n else "P", 1))]
    assert met == numbers


def test_each_round_has_a_square() -> None:
    rounds = [s for s in SQUARES if s["pledge"] == "P2"]
    met = [[s["id"] for s in rounds if meets(s, ("B9", n))] for n in range(1, 9)]
    once = "round-1 round-2 round-3-4 round-3-4 round-5-6 round-5-6 round-7"
    assert met == [*([name] for name in once.split()), []]


def test_gems_at_the_start() -> None:
    """The gem budget of the rules: 14 of 1 point, 9 of 3 points, 4 more with P7."""
    gems = [(s["gem"], s["pledge"] == "P7") for s in SQUARES]
    assert [gems.count(kind) for kind in ((1, False), (3, False), (3, True))] == [
        14,
        9,
        4,
    ]


def test_conditions_of_a_square_hold_together() -> None:
    square = {"id": "x", "num": [0, 5], "round": [2, 3], "suit": "white"}
    assert meets(square, ("P", 2))
    assert not meets(square, ("P", 4))
    assert not meets(square, ("B2", 2))


@pytest.mark.parametrize(
    ("tricks", "seat", "distinct", "players"),
    [
        ([4, 2, 1], 0, "most", "most"),
        ([4, 2, 1], 1, "second-most second-fewest", "second-most second-fewest"),
        ([4, 2, 1], 2, "fewest", "fewest"),
        ([0, 4, 3], 0, "", ""),
        ([0, 4, 3], 1, "most second-fewest", "most second-fewest"),
        ([0, 4, 3], 2, "fewest second-most", "fewest second-most"),
        ([7, 0, 0], 0, "most fewest", "most fewest"),
        ([3, 3, 1], 0, "most second-fewest", "most second-most second-fewest"),
        ([3, 3, 1], 2, "fewest second-most", "fewest"),
        ([3, 2, 1, 1], 1, "second-most second-fewest", "second-most"),
        ([3, 2, 1, 1], 2, "fewest", "second-fewest fewest"),
        (
            [3, 3, 0],
            1,
            "most fewest",
            "most second-most second-fewest fewest",
        ),
    ],
)
def test_rank_of_trick_counts(
    tricks: list[int], seat: int, distinct: str, players: str
) -> None:
    assert rank_squares(tricks, seat, "distinct") == set(distinct.split())
    assert rank_squares(tricks, seat, "players") == set(players.split())
