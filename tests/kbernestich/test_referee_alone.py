"""The rules of Kbernestich as its referee reads them, held against pen and paper."""

from typing import Any

import pytest

from tests.kbernestich.referee import (
    OPTIONS,
    Track,
    deck,
    hunch_made,
    legal_plays,
    letter_points,
    refilled,
    tally,
    trick_winner,
)
from tests.kbernestich.scripts import in_force

BASE = in_force(4)


@pytest.mark.parametrize(
    ("table", "trump", "winner"),
    [
        ("G11 G6 B2 G12", "B", "B2"),  # the example of the text
        ("G11 G6 B2 G12", "none", "G12"),
        ("G11 G6 B2 G12", "Y", "G12"),  # nobody played a trump
        ("B12 BI B2 B11", "B", "BI"),  # the icon is the highest
        ("B2 B10 B9 R12", "none", "B10"),  # ten is above nine
        ("B3 RI YI GI", "none", "B3"),  # other colours never win
        ("R5 B3 B10 BI", "B", "BI"),
        ("down-BI R2 R3 B2", "B", "B2"),  # face down neither wins nor leads
        ("down-BI R2 R3 G2", "B", "R3"),
        ("down-BI R2 BI Y3", "none", "R2"),
        ("R2 down-RI R3 down-BI", "B", "R3"),
        ("down-B2 down-B3 down-B4 R2", "B", "R2"),
    ],
)
def test_trick_winner(table: str, trump: str, winner: str) -> None:
    cards = table.split()
    place = trick_winner(cards, trump)
    assert place is not None
    assert cards[place] == winner


def test_no_winner_face_down() -> None:
    assert trick_winner(["down-B2", "down-BI", "down-R2"], "B") is None


@pytest.mark.parametrize(
    ("hand", "table", "legal"),
    [
        ("G3 G6 G8", "G11", "G3 G6 G8"),
        ("B2 R3", "G11", "B2 R3"),
        ("G12 B2", "G11 G6", "G12"),
        ("G12 B2", "", "G12 B2"),
        ("G12 B2", "down-G5", "G12 B2"),  # nobody has set the suit
        ("G12 B2", "down-G5 B3", "B2"),
        ("G12 B2", "G5 down-B3", "G12"),
    ],
)
def test_must_follow(hand: str, table: str, legal: str) -> None:
    assert legal_plays(hand.split(), table.split()) == set(legal.split())


def test_decks() -> None:
    assert [len(deck(players)) for players in (3, 4)] == [36, 48]
    assert not any(card[0] == "G" for card in deck(3))
    assert [card for card in deck(3) if card[0] == "R"] == [
        *[f"R{rank}" for rank in range(2, 13)],
        "RI",
    ]


@pytest.mark.parametrize(
    ("bid", "action", "tricks"),
    [
        ("0", None, "0"),
        ("0", "optimism", "0 1"),
        ("0", "pessimism", "0"),
        ("3", None, "3"),
        ("3", "review", "3"),
        ("3", "pessimism", "2 3"),  # B21
        ("3", "optimism", "3 4"),
        ("5+", None, "5 6 7 8 9 10 11"),
        ("5+", "pessimism", "4 5 6 7 8 9 10 11"),
        ("5+", "optimism", "5 6 7 8 9 10 11"),
        ("5", "optimism", "5 6"),
        ("10", "pessimism", "9 10"),
    ],
)
def test_bids(bid: str, action: str | None, tricks: str) -> None:
    made = [str(n) for n in range(12) if hunch_made(bid, n, action)]
    assert made == tricks.split()


@pytest.mark.parametrize(
    ("base", "plain", "grace"),
    [(0, 0, 0), (21, 21, 0), (22, 22, 0), (23, 0, 1), (24, 0, 2), (60, 0, 38)],
)
def test_bust_of_22(base: int, plain: int, grace: int) -> None:
    """Exactly the bust value scores fully, and nothing with Grace (B3)."""
    assert letter_points(base, 22, grace=False) == plain
    assert letter_points(base, 22, grace=True) == grace


def points(**more: Any) -> dict[str, int]:
    nothing: dict[str, Any] = {
        "to": [],
        "bid": None,
        "action": None,
        "tricks": 0,
        "cards": {},
        "values": {},
        "bust": 24,
        "grace": False,
    }
    return tally(BASE, **nothing | more)


@pytest.mark.parametrize(
    ("bust", "action", "tricks", "hunch", "misery"),
    [
        (24, None, 0, 6, 12),
        (25, None, 0, 6, 12),  # rounded down (B10)
        (20, "optimism", 0, 6, 10),
        (20, "optimism", 1, 6, 0),  # the bid is saved, the misery bonus is not
        (20, "pessimism", 0, 6, 10),
        (20, None, 1, 0, 0),
        (20, "pessimism", 1, 0, 0),
    ],
)
def test_bid_of_0(
    bust: int, action: str | None, tricks: int, hunch: int, misery: int
) -> None:
    for grace in (False, True):  # independent of Grace (B14)
        told = points(bid="0", bust=bust, action=action, tricks=tricks, grace=grace)
        assert (told["hunch"], told["misery"]) == (hunch, misery)


def test_misery_is_for_the_bid_0_alone() -> None:
    assert points(bid=None)["hunch"] == points(bid=None)["misery"] == 0  # B13
    assert points(bid="0+") == points() | {"hunch": 6}
    assert points(bid="1", action="pessimism") == points() | {"hunch": 6}


LETTER = {"B": 2, "R": 0, "Y": 0, "G": 2}
EXAMPLE = {
    "Gault": ([3, 1], "0", 1, "optimism", "0220", False, (4, 6, 0, 0, 0)),
    "Alea": ([2], "4", 2, "review", "1322", False, (2, 0, 0, 6, 6)),
    "Hans": ([1, 1], "3", 3, None, "4428", True, (2, 6, 0, 24, 2)),
    "Schmidt": ([2], "5+", 4, "pessimism", "7142", True, (2, 6, 0, 18, 0)),
}
"""Rules 7.6: to Marie, bid, tricks, action, cards b r y g, Grace, points by area."""


def example(name: str, cards: str = "") -> dict[str, int]:
    to, bid, tricks, action, held, grace, _ = EXAMPLE[name]
    counts = dict(zip("BRYG", map(int, cards or held), strict=True))
    told = {"to": to, "bid": bid, "tricks": tricks, "action": action, "grace": grace}
    return points(**told, cards=counts, values=LETTER, bust=22)


@pytest.mark.parametrize("name", EXAMPLE)
def test_worked_example(name: str) -> None:
    assert tuple(example(name).values()) == EXAMPLE[name][-1]


def test_worked_example_without_its_misprints() -> None:
    """With as many cards as tricks, Hans and Schmidt score the same."""
    assert example("Hans", "4408") == example("Hans")
    assert example("Schmidt", "7162") == example("Schmidt")


def test_worked_example_on_the_track() -> None:
    """Schmidt, Hans, Alea, Gault sit clockwise; Hans comes to lie on top of Alea."""
    names = ["Schmidt", "Hans", "Alea", "Gault"]
    for order in OPTIONS["score_order"]:
        track = Track([0, 2, 4, 6], range(4))
        assert [names[seat] for seat in track.ranking()] == names[::-1]
        sums = {seat: example(name) for seat, name in enumerate(names)}
        track.score_all(sums, str(order))
        assert track.scores == [8, 12, 12, 16]
        assert track.starters("top") == [0]  # Schmidt starts round 2
        assert [names[seat] for seat in track.tied(12)] == ["Alea", "Hans"]


def area(to: int = 0, hunch: int = 0, from_: int = 0) -> dict[str, int]:
    return {"to": to, "hunch": hunch, "misery": 0, "base": 0, "from": from_}


def test_score_order() -> None:
    """Player by player seat 0 arrives first at 12, area by area seat 1 (B11)."""
    sums = {0: area(from_=6), 1: area(to=8), 2: area()}
    for order, stack in (("player", [0, 1]), ("area", [1, 0])):
        track = Track([6, 4, 0], [2, 1, 0])
        track.score_all(sums, order)
        assert track.tied(12) == stack


def test_misery_belongs_to_hunch_of_growth() -> None:
    sums = {0: area() | {"misery": 10}, 1: area(hunch=6)}
    track = Track([5, 9], [0, 1])
    track.score_all(sums, "area")
    assert track.tied(15) == [1, 0]  # both in the second area, the higher first


def test_stacks() -> None:
    """A disc that does not move stays below; one that moves arrives on top."""
    track = Track([5, 5, 5], [2, 0, 1])
    assert track.ranking() == [2, 0, 1]
    track.move(0, 0)
    assert track.ranking() == [2, 0, 1]
    track.move(2, 3)
    track.move(1, 3)
    assert track.ranking() == [2, 1, 0]
    track.move(0, 3)
    assert track.ranking() == [2, 1, 0]
    assert track.starters("top") == [0]
    assert track.starters("bottom") == [2]
    assert set(track.starters("random")) == {0, 1, 2}


@pytest.mark.parametrize(
    ("kept", "score", "cubes"),
    [
        (0, 0, 5),
        (0, 25, 5),
        (0, 26, 4),
        (0, 40, 4),
        (0, 41, 3),
        (0, 99, 3),
        (2, 24, 5),
        (1, 26, 5),
        (2, 40, 5),
        (1, 41, 4),
        (5, 41, 5),
    ],
)
def test_cubes_after_a_round(kept: int, score: int, cubes: int) -> None:
    """The text's example: 2 kept at 24 points makes 5, not 7 (B16)."""
    assert refilled(kept, score, BASE) == cubes


def test_cubes_of_an_edited_table() -> None:
    rules = {**BASE, "cubes": 4, "refill": [[0, 10, 9], [5, 20, 1]]}
    told = [refilled(0, score, rules) for score in (0, 10, 11, 21)]
    assert told == [4, 4, 1, 0]
