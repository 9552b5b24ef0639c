"""The Kbernestich referee on its own: hand-written games, random games, fouls."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from tests.games.referee import Foul
from tests.games.telling import Events, Rules, event, numbered
from tests.kbernestich.hand import follow, hand_game, in_force, pick
from tests.kbernestich.referee import (
    OPTIONS,
    Track,
    check,
    check_stream,
    deck,
    hunch_made,
    legal_plays,
    letter_points,
    refilled,
    tally,
    trick_winner,
)

BASE = in_force(4, {})


def fouls_at(events: Events, n: int, match: str = "") -> None:
    with pytest.raises(Foul, match=rf"(?s)^event {n}: .*{match}"):
        check(events)


# --- Hand-computed rules ------------------------------------------------------------


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
        "to": [], "bid": None, "action": None, "tricks": 0, "cards": {}, "values": {},
        "bust": 24, "grace": False,
    }  # fmt: skip
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
        (0, 0, 5), (0, 25, 5), (0, 26, 4), (0, 40, 4), (0, 41, 3), (0, 99, 3),
        (2, 24, 5), (1, 26, 5), (2, 40, 5), (1, 41, 4), (5, 41, 5),
    ],
)  # fmt: skip
def test_cubes_after_a_round(kept: int, score: int, cubes: int) -> None:
    """The text's example: 2 kept at 24 points makes 5, not 7 (B16)."""
    assert refilled(kept, score, BASE) == cubes


def test_cubes_of_an_edited_table() -> None:
    rules = in_force(3, {"cubes": 4, "refill": [[0, 10, 9], [5, 20, 1]]})
    told = [refilled(0, score, rules) for score in (0, 10, 11, 21)]
    assert told == [4, 4, 1, 0]


# --- A game written by hand ---------------------------------------------------------

SMALL: Rules = {
    "rounds": 2, "tricks": 2, "plot_before_tricks": 1, "cubes": 2,
    "refill": [[0, 20, 2], [21, 9999, 0]],
    "marie_from": [2], "zabine": [3], "hunch": ["0", "1+"], "marie_to": [3, 1],
    "actions": ["incubation", "observation", "review"],
}  # fmt: skip


def by_hand(**more: object) -> Events:
    """Two rounds of two tricks among three, worked out at the table with pen and paper.

    Round 1: the leader observes, the next leads face down, a bid of 0 holds. Round 2:
    of two with 6 points the top of the stack starts, one has no cubes, one goes bust.
    """
    one, two = {"round": 1}, {"round": 2}
    first, second = {"round": 1, "trick": 1}, {"round": 1, "trick": 2}
    third, fourth = {"round": 2, "trick": 1}, {"round": 2, "trick": 2}
    hands = [["R5", "B3"], ["B9", "Y2"], ["BI", "R12"]]
    left = sorted({*deck(3)} - {"R5", "B3", "B9", "Y2", "BI", "R12"})
    back = sorted({*left} - {"R2", "B2"} | {"R5", "B3"})
    return numbered(
        [
            event(
                "setup",
                "kbernestich",
                players=3,
                lineup=["a"] * 3,
                rules={**SMALL, **more},
                seed=7,
            ),
            event("chance", "start", seat=1),
            event("chance", "deal", **one, start=1, hands=hands),
            pick("trump", "B R Y none", "none", **one, seat=1),
            pick(
                "plot",
                "from-B-2 from-R-2 from-Y-2 bust-3 grace hunch-0 hunch-1+ incubation "
                "observation review to-3 to-1 pass",
                "observation",
                **first,
                seat=1,
            ),
            pick(
                "plot",
                "from-B-2 from-R-2 from-Y-2 bust-3 grace hunch-0 hunch-1+ to-3 to-1 "
                "pass",
                "from-B-2",
                **first,
                seat=1,
            ),
            pick(
                "plot",
                "from-R-2 from-Y-2 bust-3 grace hunch-0 hunch-1+ incubation review "
                "to-3 to-1 pass",
                "incubation",
                **first,
                seat=2,
            ),
            pick(
                "plot",
                "from-R-2 from-Y-2 bust-3 grace hunch-0 hunch-1+ to-3 to-1 pass",
                "to-3",
                **first,
                seat=2,
            ),
            pick(
                "plot",
                "from-R-2 from-Y-2 bust-3 grace hunch-0 hunch-1+ review to-1 pass",
                "hunch-0",
                **first,
                seat=0,
            ),
            pick(
                "plot",
                "from-R-2 from-Y-2 bust-3 grace review to-1 pass",
                "review",
                **first,
                seat=0,
            ),
            event(
                "choice", "review", **first, seat=0, taken=left, count=30, chosen=back
            ),
            pick("play", "B9 Y2 observe", "observe", **first, seat=1),
            pick("play", "BI R12 down-BI down-R12", "down-BI", **first, seat=2),
            pick("play", "R2 B2", "B2", **first, seat=0),
            pick("play", "B9", "B9", **first, seat=1),
            event("outcome", "trick", **first, winner=1, card="B9"),
            pick("play", "Y2 observe", "Y2", **second, seat=1),
            pick("play", "R12", "R12", **second, seat=2),
            pick("play", "R2", "R2", **second, seat=0),
            event("outcome", "trick", **second, winner=1, card="Y2"),
            score(1, 0, to=0, hunch=6, misery=12, base=0, from_=0, score=24),
            score(1, 2, to=3, hunch=0, misery=0, base=0, from_=0, score=6),
            score(1, 1, to=0, hunch=0, misery=0, base=6, from_=6, score=6),
            event("outcome", "cubes", **one, cubes=[0, 2, 2]),
            event(
                "chance",
                "deal",
                **two,
                start=1,
                hands=[["R5", "B4"], ["R3", "YI"], ["Y12", "Y3"]],
            ),
            pick("trump", "B R Y none", "Y", **two, seat=1),
            pick(
                "plot",
                "from-B-2 from-R-2 from-Y-2 bust-3 grace hunch-0 hunch-1+ incubation "
                "observation review to-3 to-1 pass",
                "from-Y-2",
                **third,
                seat=1,
            ),
            pick(
                "plot",
                "from-B-2 from-R-2 bust-3 grace hunch-0 hunch-1+ incubation "
                "observation review to-3 to-1 pass",
                "bust-3",
                **third,
                seat=1,
            ),
            pick(
                "plot",
                "from-B-2 from-R-2 grace hunch-0 hunch-1+ incubation observation "
                "review to-3 to-1 pass",
                "grace",
                **third,
                seat=2,
            ),
            pick(
                "plot",
                "from-B-2 from-R-2 hunch-0 hunch-1+ incubation observation review "
                "to-3 to-1 pass",
                "hunch-1+",
                **third,
                seat=2,
            ),
            pick("play", "R3 YI", "R3", **third, seat=1),
            pick("play", "Y12 Y3", "Y3", **third, seat=2),
            pick("play", "R5", "R5", **third, seat=0),
            event("outcome", "trick", **third, winner=2, card="Y3"),
            pick("play", "Y12", "Y12", **fourth, seat=2),
            pick("play", "B4", "B4", **fourth, seat=0),
            pick("play", "YI", "YI", **fourth, seat=1),
            event("outcome", "trick", **fourth, winner=1, card="YI"),
            score(2, 0, to=0, hunch=0, misery=0, base=0, from_=0, score=24),
            score(2, 2, to=0, hunch=6, misery=0, base=2, from_=0, score=12),
            score(2, 1, to=0, hunch=0, misery=0, base=4, from_=0, score=6),
            event("result", "kbernestich", winner=0, by="points", scores=[24, 6, 12]),
        ]
    )


def score(round_: int, seat: int, *, from_: int, **told: int) -> dict[str, Any]:
    return event("outcome", "score", round=round_, seat=seat, **told, **{"from": from_})


def test_game_by_hand_passes() -> None:
    check(by_hand())
    check(by_hand(**{**in_force(3, {}), **SMALL}))


@pytest.mark.parametrize(
    ("rules", "n", "match"),
    [
        ({"memories": True}, None, ""),
        ({"score_order": "area"}, None, ""),
        ({"final_tie": "shared"}, None, ""),
        ({"low_tie": "random"}, None, ""),  # either of the two may start
        ({"hunch_exclusive": False}, None, ""),
        ({"plot_before_tricks": 0}, 4, "the rules say choice 'play'"),
        ({"plot_before_tricks": 2}, None, ""),  # all cubes lie on the sheet by then
        ({"start_scores": [0, 3, 7]}, 20, "score.score: 24 is written, .* 25"),
        ({"start_scores": [0, 7, 3]}, 20, "seat 2: score.seat: 0"),
        ({"tricks": 3}, 2, "deal: cards of seat 0: 2 is written, the rules say 3"),
        ({"cubes": 3}, 23, "cubes.cubes"),
        ({"cubes_per_turn": 1}, 5, "plot.seat: 1 is written, the rules say 2"),
        ({"cubes_per_turn": 3, "cubes": 3}, 6, "plot.seat: 2 .* the rules say 1"),
        ({"refill": [[0, 5, 2], [6, 99, 1]]}, 23, r"\[1, 1, 1\]"),
        ({"bust_default": 25}, None, ""),  # half of it is 12 still (B10)
        ({"bust_default": 26}, 20, "seat 0: score.misery"),
        ({"misery_bonus_divisor": 5}, 20, "misery: 12 is written, the rules say 4"),
        ({"hunch_points": 5}, 20, "score.hunch"),
        ({"marie_from": [2, 3]}, 4, r"plot.legal lacks \['from-B-3'"),
        ({"marie_from": [1]}, 4, "from-B-2"),
        ({"zabine": [3, 5]}, 4, "bust-5"),
        ({"zabine": [3, 3]}, None, ""),  # alike squares, one cube in all
        ({"hannah": 0}, 4, r"has \['grace'\] too many"),
        ({"hannah": 2}, None, ""),  # not both by one player
        ({"hunch": ["0", "1+", "1+"]}, None, ""),
        ({"hunch": ["0", "0", "1+"]}, None, ""),
        ({"hunch": ["0", "1"]}, 4, "hunch-1"),
        ({"actions": ["incubation", "observation"]}, 4, "review"),
        ({"actions": ["incubation", *SMALL["actions"]]}, 8, "lacks .'incubation'"),
        ({"marie_to": [3, 1, 1]}, None, ""),
        ({"marie_to": [3, 3, 1]}, 8, "seat 0: plot.legal lacks .'to-3'"),
        ({"marie_to_shared": True}, 8, "seat 0: plot.legal lacks .'to-3'"),
        ({"two_on_one_square": True}, None, ""),
        ({"incubation_lead": False}, 12, "has .'down-BI', 'down-R12'. too many"),
        ({"observe_twice_same_trick": True}, 14, "seat 1: play.legal lacks .'observe'"),
        ({"low_tie": "bottom"}, 24, "deal.start: 1 is written, not 2"),
        ({"plot_pass": False}, 4, "has .'pass'. too many"),
        ({"future_known": True}, 4, "the rules say choice 'claim'"),
        ({"rounds": 1}, 23, "the rules say result"),
        ({"rounds": 3}, 41, "the rules say outcome 'cubes'"),
        ({"low_tie": "left"}, 0, "setup.rules.low_tie 'left' is none of"),
        ({"plot_pass": 1}, 0, "setup.rules.plot_pass 1 is none of"),
        ({"hannah": {"3": 1}}, 0, "setup.rules.hannah"),
        ({"marie_to": {"3": [3, 1]}}, 0, "setup.rules.marie_to"),
        ({"start_scores": [0, 3]}, 0, "one number per seat"),
        ({"start_scores": [0, 3, -1]}, 0, "setup.rules.start_scores"),
        ({"refill": [[0, 5]]}, 0, "setup.rules.refill"),
        ({"hunch": ["few"]}, 0, "are no bids"),
        ({"actions": ["sleep"]}, 0, "are no actions"),
        ({"tricks": 13}, 0, "setup.rules.tricks"),
        ({"misery_bonus_divisor": 0}, 0, "misery_bonus_divisor 0 is not from 1"),
        ({"rounds": True}, 0, "setup.rules.rounds True"),
    ],
)
def test_game_by_hand_under_other_rules(
    rules: Rules, n: int | None, match: str
) -> None:
    if n is None:
        check(by_hand(**rules))
    else:
        fouls_at(by_hand(**rules), n, match)


def test_things_of_another_kind() -> None:
    for n, key, value in (
        (0, "rules", [1, 2]),
        (0, "lineup", "abc"),
        (0, "lineup", ["a", "a"]),
        (0, "players", True),
        (0, "players", 5),
        (0, "players", 2),
        (1, "seat", 3),
        (1, "seat", "1"),
        (2, "start", True),
        (2, "hands", {"0": ["R9"]}),
        (2, "hands", ["R5 B3", "B9 Y2", "BI R12"]),
        (3, "legal", "B"),
        (3, "legal", ["B", "R", "Y", 0]),
        (3, "chosen", ["B"]),
        (10, "taken", "all"),
        (10, "chosen", None),
        (10, "chosen", [1] * 30),
    ):
        events = by_hand()
        events[n][key] = value
        fouls_at(events, n)


def test_no_events_are_no_game() -> None:
    fouls_at([], 0, "the transcript ends")


# --- Readings, each in a small game that is played as a script says -----------------

BARE: Rules = {
    "rounds": 1, "tricks": 1, "plot_before_tricks": 1, "marie_from": [], "zabine": [],
    "hannah": 0, "hunch": [], "actions": [], "marie_to": [],
}  # fmt: skip
"""A sheet without a square and a single trick."""


def scripted(script: str, deals: list[list[str]], **rules: Any) -> Events:
    """Seat 0 starts; as many players as hands; passes the referee."""
    told = {**BARE, **rules}
    wish = follow(script)
    events = hand_game(0, len(deals[0]), told, wish=wish, deals=deals, start=0)
    check(events)
    return events


def under(events: Events, **rules: Any) -> Events:
    """Tell the same game under other rules."""
    return [{**events[0], "rules": {**events[0]["rules"], **rules}}, *events[1:]]


def asked(events: Events, name: str) -> list[tuple[int, str, str]]:
    """Tell who was asked, the options in order of the alphabet, and the choice."""
    told = [event for event in events if event["name"] == name]
    return [(e["seat"], " ".join(sorted(e["legal"])), e["chosen"]) for e in told]


def at(events: Events, name: str, number: int) -> int:
    """Tell the place of an event, numbered among those of its name."""
    return [n for n, event in enumerate(events) if event["name"] == name][number]


def scores(events: Events) -> list[int]:
    return [event["score"] for event in events if event["name"] == "score"]


ONE_CARD = [["B2", "B3", "B4", "B5"]]


def test_example_of_the_text() -> None:
    """Plot phase and trick of the text's play example, steps 1 to 11."""
    hands = ["G11 R2 R3", "G3 G6 G8", "B2 R4 R5", "G12 Y2 Y3"]
    events = scripted(
        """B | from-B-2 grace | from-R-0 bust-22 | review rest hunch-4
        | from-Y-0 hunch-0 | G11 G6 B2 G12""",
        [hands],
        **in_force(4, {"rounds": 1, "tricks": 3}),
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
    fouls_at(under(events, two_on_one_square=False), n, "has .'to-3'. too many")
    fouls_at(under(events, marie_to_shared=True), n + 1, "lacks .'to-3'")


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
        "marie_from": [1], "zabine": [20], "hannah": 2, "hunch": ["0"],
        "actions": ["optimism"], "two_on_one_square": True, "cubes_per_turn": 5,
    }  # fmt: skip
    script = "none | from-B-1 bust-20 grace hunch-0 optimism"
    events = scripted(script, ONE_CARD, **rules)
    assert [legal for seat, legal, _ in asked(events, "plot") if seat == 0] == [
        "bust-20 from-B-1 from-G-1 from-R-1 from-Y-1 grace hunch-0 optimism pass",
        "bust-20 from-G-1 from-R-1 from-Y-1 grace hunch-0 optimism pass",
        "from-G-1 from-R-1 from-Y-1 grace hunch-0 optimism pass",
        "from-G-1 from-R-1 from-Y-1 hunch-0 optimism pass",
        "from-G-1 from-R-1 from-Y-1 optimism pass",
    ]
    check(under(events, two_on_one_square=False))


def test_marie_to_shared() -> None:
    rules = {"marie_to": [3, 1], "marie_to_shared": True}
    script = "none | to-3 to-3 | to-3 to-1 | pass | to-3 pass | B2 B3 B4 B5"
    events = scripted(script, ONE_CARD, **rules)
    assert {legal for _, legal, _ in asked(events, "plot")} == {"pass to-1 to-3"}
    assert scores(events) == [9, 4, 6, 6]
    check(under(events, two_on_one_square=True))


def test_hunch_exclusive() -> None:
    """B2: the same bid once, or as often as players make it; one bid a player."""
    rules = {"hunch": ["0", "1"], "hunch_exclusive": False}
    script = "none | hunch-0 | hunch-0 | pass | hunch-1 | B2 B3 B4 B5"
    events = scripted(script, ONE_CARD, **rules)
    assert [seat for seat, _, _ in asked(events, "plot")] == [0, 1, 2, 3]
    assert scores(events) == [6 + 6, 4, 2 + 6 + 12, 6 + 12]
    n = at(events, "plot", 1)
    fouls_at(under(events, hunch_exclusive=True), n, "has .'hunch-0'. too many")
    twice = scripted(script, ONE_CARD, hunch=["0", "0", "1"])
    assert scores(twice) == scores(events)


HANDS = ["B2 R9 Y2", "R2 R3 R4", "Y5 Y6 BI"]


def test_incubation_lead() -> None:
    """B4: a face-down lead sets no suit; the next face-up card does."""
    rules = {"actions": ["incubation"], "tricks": 3}
    script = "B | incubation | down-B2 R2 Y5"
    events = scripted(script, [HANDS], **rules)
    plays = asked(events, "play")
    assert plays[:3] == [
        (0, "B2 R9 Y2 down-B2 down-R9 down-Y2", "down-B2"),
        (1, "R2 R3 R4", "R2"),
        (2, "BI Y5 Y6", "Y5"),
    ]
    assert events[at(events, "trick", 0)]["card"] == "R2"
    assert not any("down" in legal for _, legal, _ in plays[3:])  # once (B18)
    n = at(events, "play", 0)
    fouls_at(under(events, incubation_lead=False), n, "has .'down-B2'")


def test_incubation_elsewhere() -> None:
    """Any card, ignoring must-follow, also where the lead may not be face down."""
    rules = {"actions": ["incubation"], "tricks": 3, "incubation_lead": False}
    script = "B | pass | incubation | R9 down-R4 BI"
    events = scripted(script, [["B2 R9 Y2", "B3 R3 R4", "Y5 Y6 BI"]], **rules)
    plays = asked(events, "play")
    assert plays[1] == (1, "R3 R4 down-B3 down-R3 down-R4", "down-R4")
    assert events[at(events, "trick", 0)]["winner"] == 2


def test_face_down_cards_count_for_the_winner() -> None:
    rules = {"actions": ["incubation"], "marie_from": [2]}
    script = "none | incubation from-B-2 | pass | pass | down-B2 R2 Y5"
    events = scripted(script, [["B2", "R2", "Y5"]], **rules)
    won = next(e for e in events if e["name"] == "score" and e["seat"] == 1)
    assert (won["base"], won["from"]) == (2, 2)


def test_incubation_comes_back_next_round() -> None:
    rules = {"actions": ["incubation"], "rounds": 2, "tricks": 1}
    hands = [["B2", "R2", "Y5"]] * 2
    script = "none incubation down-B2 R2 Y5 | none incubation down-B2 R2 Y5"
    events = scripted(script, hands, **rules, start_scores=[0, 9, 9])
    assert [legal for _, legal, _ in asked(events, "play")][::3] == ["B2 down-B2"] * 2


@pytest.mark.parametrize("lead", [True, False])
def test_leader_observes(lead: bool) -> None:
    """The next leads the trick, the winner the next plot phase (B7)."""
    rules = {
        "actions": ["observation", "incubation"], "tricks": 3, "plot_before_tricks": 2,
        "incubation_lead": lead, "marie_to": [1] * 9, "cubes_per_turn": 1,
    }  # fmt: skip
    script = "none | observation | incubation | pass | observe R2 BI Y9"
    events = scripted(script, [["B2 Y9 Y2", "R2 R3 R4", "Y5 Y6 BI"]], **rules)
    down = " down-R2 down-R3 down-R4" if lead else ""
    assert asked(events, "play")[:4] == [
        (0, "B2 Y2 Y9 observe", "observe"),
        (1, "R2 R3 R4" + down, "R2"),
        (2, "BI Y5 Y6", "BI"),
        (0, "B2 Y2 Y9", "Y9"),
    ]
    assert events[at(events, "trick", 0)]["winner"] == 1
    assert [seat for seat, _, _ in asked(events, "plot")] == [0, 1, 2, 1, 2, 0]


def test_last_player_observes() -> None:
    """B6: legal, without effect; asked again at once; twice a round at most."""
    rules = {"actions": ["observation"], "tricks": 3}
    script = """none | pass | pass | observation | R9 R2 observe Y5
        | Y2 R3 observe Y6 | BI B2 R4"""
    events = scripted(script, [HANDS], **rules)
    plays = asked(events, "play")
    seats = [seat for seat, _, _ in plays]
    assert seats[:4] == [0, 1, 2, 2]
    assert plays[3] == (2, "BI Y5 Y6", "Y5")
    observed = [legal for seat, legal, _ in plays if seat == 2 and "observe" in legal]
    assert observed == ["BI Y5 Y6 observe", "Y6 observe"]


def test_observe_twice_same_trick() -> None:
    """B5: by option a second time at once; then the two uses are gone."""
    rules = {
        "actions": ["observation"], "tricks": 3, "observe_twice_same_trick": True,
    }  # fmt: skip
    script = "none | observation | observe R2 BI observe R9"
    events = scripted(script, [HANDS], **rules)
    plays = asked(events, "play")
    assert plays[:5] == [
        (0, "B2 R9 Y2 observe", "observe"),
        (1, "R2 R3 R4", "R2"),
        (2, "BI Y5 Y6", "BI"),
        (0, "R9 observe", "observe"),
        (0, "R9", "R9"),
    ]
    assert not any("observe" in legal for _, legal, _ in plays[5:])
    n = at(events, "play", 3)
    fouls_at(under(events, observe_twice_same_trick=False), n, "has .'observe'")


def test_two_observers_come_as_they_observed() -> None:
    rules = {"actions": ["observation"] * 2, "tricks": 1}
    rules["observe_twice_same_trick"] = True
    script = "none | observation | observation | observe observe B4 observe B3 B2"
    events = scripted(script, [["B2", "B3", "B4"]], **rules)
    assert [seat for seat, _, _ in asked(events, "play")] == [0, 1, 2, 0, 1, 0]
    n = at(events, "play", 4)
    swapped = copy.deepcopy(events)
    swapped[n] = {**events[n + 1], "n": n}
    swapped[n + 1] = {**events[n], "n": n + 1}
    fouls_at(swapped, n, "play.seat: 0 is written, the rules say 1")


def test_all_face_down() -> None:
    """A sheet on which nobody has to play face up: the rules name no winner."""
    cards = [["B2", "B3", "B4"]]
    rules = {"actions": ["incubation"] * 3}
    script = "none | incubation | incubation | incubation | B2 down-B3 down-B4"
    events = scripted(script, cards, **rules)
    n = at(events, "play", 0)
    events[n]["chosen"] = "down-B2"
    fouls_at(events, n + 2, "the rules name no winner")


def test_review() -> None:
    """The rest comes into the hand; what is put back is the rest from then on."""
    rules = {"actions": ["review"] * 2, "tricks": 11, "marie_to": [1]}
    everything = iter(deck(3))
    hands = [" ".join(next(everything) for _ in range(11)) for _ in range(3)]
    events = hand_game(3, 3, {**BARE, **rules}, deals=[hands], wish=always_review)
    check(events)
    first, second = (event for event in events if event["name"] == "review")
    assert sorted(first["taken"]) == ["Y11", "Y12", "YI"]
    assert first["count"] == second["count"] == 3
    assert sorted(second["taken"]) == sorted(first["chosen"])


def always_review(name: str, _: object, legal: object) -> str | None:
    return "review" if name == "plot" and "review" in str(legal) else None


def test_review_comes_before_the_next_cube() -> None:
    rules = {"actions": ["review"], "marie_to": [1]}
    events = scripted("none | review rest to-1", ONE_CARD, **rules)
    n = at(events, "plot", 0)
    assert [event["name"] for event in events[n : n + 3]] == ["plot", "review", "plot"]
    late = [*events[: n + 1], events[n + 2], events[n + 1], *events[n + 3 :]]
    fouls_at(numbered(late), n + 1, "the rules say choice 'review'")


def test_review_without_a_rest() -> None:
    """Nothing left over: no event."""
    rules = {"actions": ["review"], "tricks": 12}
    events = hand_game(1, 4, {**BARE, **rules}, wish=always_review)
    assert any(e["name"] == "plot" and e["chosen"] == "review" for e in events)
    assert not any(e["name"] == "review" for e in events)
    check(events)


@pytest.mark.parametrize(
    ("low_tie", "starters"), [("top", {3}), ("bottom", {0}), ("random", {0, 1, 2, 3})]
)
def test_low_tie(low_tie: str, starters: set[int]) -> None:
    """B8: discs arrive clockwise from the start player, nobody scores."""
    rules = {**BARE, "rounds": 2, "start_scores": [0] * 4, "low_tie": low_tie}
    seen: set[int] = set()
    for seed in range(30):
        events = hand_game(seed, 4, rules, start=0)
        check(events)
        n = at(events, "deal", 1)
        seen.add(events[n]["start"])
        for seat in {*range(4)} - starters:
            spoilt = copy.deepcopy(events)
            spoilt[n]["start"] = seat
            fouls_at(spoilt, n, f"deal.start: {seat} is written, not")
    assert seen == starters


def test_final_tie() -> None:
    """B9: the bottom of the stack wins, or nobody alone."""
    rules = {**BARE, "start_scores": [0, 7, 7]}
    events = hand_game(0, 3, rules, start=2)
    check(events)
    assert (events[-1]["winner"], events[-1]["by"]) == (0, "stack")
    shared = hand_game(0, 3, {**rules, "final_tie": "shared"}, start=2)
    check(shared)
    assert (shared[-1]["winner"], shared[-1]["by"]) == (None, "points")
    fouls_at(
        under(events, final_tie="shared"),
        len(events) - 1,
        "winner: 0 is written, the rules say None",
    )
    fouls_at(
        under(shared, final_tie="bottom"), len(events) - 1, "winner: None is written"
    )
    spoilt = copy.deepcopy(events)
    spoilt[-1]["winner"] = 1
    fouls_at(spoilt, len(events) - 1, "winner: 1 is written, the rules say 0")


def test_discs_that_arrive_later_are_on_top() -> None:
    """Seat 0 comes to 5 after seat 1 did; seat 2 never moved from there."""
    rules = {"marie_to": [5, 3], "start_scores": [0, 2, 5], "rounds": 2}
    script = "none | to-5 pass | to-3 | B2 B3 B4"
    events = scripted(script, [["B2", "B3", "B4"]], **rules)
    assert [e["seat"] for e in events if e["name"] == "score"][:3] == [2, 1, 0]
    assert [e["seat"] for e in events if e["name"] == "score"][3:] == [2, 1, 0]
    assert events[at(events, "deal", 1)]["start"] == 0


def test_score_order_in_a_game() -> None:
    """B11: seat 1 by the Letter to, seat 2 by the Letter from, both come to 8."""
    rules = {
        "marie_to": [6], "marie_from": [1], "start_scores": [9, 2, 5], "rounds": 2,
    }  # fmt: skip
    script = "none | from-B-1 pass | to-6 pass | pass | B2 B3 B4"
    for order, start in (("player", 1), ("area", 2)):
        hands = [["B2", "B3", "B4"]]
        events = scripted(script, hands, **rules, score_order=order)
        assert scores(events)[:3] == [9, 8, 8]
        n = at(events, "deal", 1)
        assert events[n]["start"] == start
        other = {"player": "area", "area": "player"}[order]
        fouls_at(under(events, score_order=other), n, "deal.start")


GREEN = re.compile("(down-|from-)?G")


def test_three_players_have_no_green() -> None:
    """B12: no green trump, no green squares."""
    rules = in_force(3, {"rounds": 1})
    events = hand_game(0, 3, rules)
    check(events)
    told = {option for e in events for option in e.get("legal", [])}
    assert not [option for option in told if GREEN.match(option)]
    assert asked(events, "trump")[0][1] == "B R Y none"
    n = at(events, "trump", 0)
    spoilt = copy.deepcopy(events)
    spoilt[n]["legal"].append("G")
    fouls_at(spoilt, n, "has .'G'. too many")


def test_cubes_are_kept_up_to_the_limit() -> None:
    """B16: the four kept of seat 0 and the refill make no more than five."""
    rules = {"marie_to": [40, 30, 1], "rounds": 2}
    script = "none | to-1 pass | to-40 to-30 | B2 B3 B4"
    events = scripted(script, [["B2", "B3", "B4"]], **rules)
    assert events[at(events, "cubes", 0)]["cubes"] == [5, 5, 5]
    rules |= {"refill": [[0, 9, 1], [10, 99, 0]], "cubes": 3}
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
    fouls_at(under(events, plot_pass=True), n, "lacks .'pass'")


FUTURE: Rules = {
    "future_known": True, "marie_from": [0, 2], "tricks": 2, "cubes": 2,
    "plot_before_tricks": 2,
}  # fmt: skip
FOUR_HANDS = [["B2 R2", "B3 R3", "B4 R4", "G2 G3"]]


def test_future_known() -> None:
    """Claims go counterclockwise, the start player last; only the owner sets."""
    script = """none | R pass G B | from-B-2 from-Y-0 | pass | pass | B2 B3 B4 G2
        | pass | from-G-2 | R4 G3 R2 R3"""
    events = scripted(script, FOUR_HANDS, **FUTURE)
    assert asked(events, "claim") == [
        (3, "B G R Y pass", "R"),
        (2, "B G Y pass", "pass"),
        (1, "B G Y pass", "G"),
        (0, "B Y pass", "B"),
    ]
    blue, green, red, yellow = (f"from-{c}-0 from-{c}-2" for c in "BGRY")
    assert asked(events, "plot") == [
        (0, f"{blue} {yellow} pass", "from-B-2"),
        (0, f"{yellow} pass", "from-Y-0"),  # unclaimed: a cube out of the hand
        (1, f"{green} pass", "pass"),
        (3, f"{red} pass", "pass"),  # seat 2 has two cubes, but no square
        (3, f"{red} pass", "pass"),
        (1, f"{green} pass", "from-G-2"),  # and nothing for his other cube
    ]
    # Seat 2 wins three blue at 2, two green at 2, three red at 1: claimed, not set.
    won = next(e for e in events if e["name"] == "score" and e["seat"] == 2)
    assert won["base"] == 6 + 4 + 3
    n = at(events, "claim", 0)
    fouls_at(under(events, future_known=False), n, "'claim' is written")
    n = at(events, "plot", 0)
    spoilt = copy.deepcopy(events)
    spoilt[n]["legal"].append("from-R-2")
    fouls_at(spoilt, n, "seat 0: plot.legal .* has .'from-R-2'. too many")


def test_claimant_without_another_cube() -> None:
    """He is asked for his colour alone, sets it for nothing, and is done."""
    rules = {**FUTURE, "cubes": 1, "rounds": 2, "refill": [[0, 99, 0]]}
    script = "none | Y pass pass B | from-B-2 | pass | from-G-0 | pass | B2 B3 B4 G2"
    events = scripted(script, FOUR_HANDS, **rules)
    blue, green, red, yellow = (f"from-{c}-0 from-{c}-2" for c in "BGRY")
    assert asked(events, "plot")[:4] == [
        (0, f"{blue} pass", "from-B-2"),
        (1, f"{green} {red} pass", "pass"),
        (2, f"{green} {red} pass", "from-G-0"),
        (3, f"{yellow} pass", "pass"),
    ]
    # Without a refill a claim is gone like a cube placed; he is not asked to claim.
    kept = events[at(events, "cubes", 0)]["cubes"]
    assert kept[0] == kept[2] == kept[3] == 0
    claims = [e for e in events if e["name"] == "claim" and e["round"] == 2]
    assert {e["seat"] for e in claims} <= {1}


def test_colours_that_nobody_claims() -> None:
    """They are free to all, and worth nothing where nobody sets them."""
    script = """none | pass pass pass pass | pass | pass | pass | pass | B2 B3 B4 G2
        | pass pass pass pass | R4 G3 R2 R3"""
    events = scripted(script, FOUR_HANDS, **FUTURE)
    assert {e["base"] for e in events if e["name"] == "score"} == {0}
    every = "from-B-0 from-B-2 from-G-0 from-G-2 from-R-0 from-R-2 from-Y-0 from-Y-2"
    assert {legal for _, legal, _ in asked(events, "plot")} == {f"{every} pass"}


def test_claims_where_nobody_may_pass() -> None:
    """A claim is always voluntary; the plot phase knows no pass."""
    script = "none | pass pass pass B | from-B-2"
    events = scripted(script, FOUR_HANDS, **FUTURE, plot_pass=False)
    assert all("pass" in legal for _, legal, _ in asked(events, "claim"))
    assert not any("pass" in legal for _, legal, _ in asked(events, "plot"))


def test_claims_without_a_plot_phase() -> None:
    rules = {**FUTURE, "plot_before_tricks": 0, "marie_from": [0]}
    script = "none | pass pass pass B | B2 B3 B4 G2 | R4 G3 R2 R3"
    events = scripted(script, FOUR_HANDS, **rules)
    won = next(e for e in events if e["name"] == "score" and e["seat"] == 2)
    assert won["base"] == 3


# --- Random games -------------------------------------------------------------------

READINGS: list[Rules] = [
    {key: value} for key, values in OPTIONS.items() for value in values[1:]
]
ODD: dict[str, Rules] = {
    "defaults": {},
    "six rounds": {"rounds": 6},
    "eight rounds": {"rounds": 8},
    "all other readings": {key: values[-1] for key, values in OPTIONS.items()},
    "future, two on one": {"future_known": True, "two_on_one_square": True},
    "future, no pass": {"future_known": True, "plot_pass": False, "cubes": 3},
    "three a turn": {"cubes_per_turn": 3, "two_on_one_square": True, "cubes": 9},
    "one a turn": {"cubes_per_turn": 1, "plot_before_tricks": 11},
    "plots after the end": {"plot_before_tricks": 99, "tricks": 3},
    "no plots": {"plot_before_tricks": 0},
    "no plots but claims": {"plot_before_tricks": 0, "future_known": True},
    "no cubes": {"cubes": 0},
    "no rest": {"tricks": 12},
    "a large rest": {"tricks": 2, "rounds": 3},
    "alike squares": {
        "marie_from": [1, 1, 4], "zabine": [9, 9], "hunch": ["0", "0", "1", "3+", "3+"],
        "marie_to": [2, 2, 2], "actions": ["observation", "observation", "review",
        "review", "incubation", "incubation"], "two_on_one_square": True,
        "observe_twice_same_trick": True,
    },
    "sparse sheet": {
        "marie_from": [3], "zabine": [], "hannah": 0, "hunch": ["2"], "marie_to": [],
        "actions": ["pessimism", "optimism"], "bust_default": 25,
    },
    "bare sheet": {**BARE, "rounds": 3, "tricks": 4},
    "odd busts": {
        "zabine": [5, 7, 13], "misery_bonus_divisor": 3, "bust_default": 11,
        "hunch_points": 4, "hannah": 3, "hunch": ["0", "0+", "2", "11"],
    },
    "scarce cubes": {"refill": [[0, 10, 2], [11, 30, 1]], "cubes": 4, "rounds": 6},
    "level start": {"tricks": 2, "plot_before_tricks": 1, "marie_to": [2, 2, 2, 2]},
    "level start, other ties": {
        "tricks": 2, "plot_before_tricks": 1, "marie_to": [2, 2, 2, 2],
        "low_tie": "bottom", "final_tie": "shared", "score_order": "area",
    },
}  # fmt: skip


def any_game(seed: int, players: int, name: str) -> Events:
    level = {"start_scores": [0] * players} if name.startswith("level") else {}
    return hand_game(seed, players, {**ODD[name], **level})


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("rules", READINGS, ids=str)
def test_random_games_of_each_reading(rules: Rules, players: int) -> None:
    for seed in range(8):
        events = hand_game(seed, players, rules)
        check(events)
        check(under(events, **in_force(players, rules)))


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", ODD)
def test_random_games(name: str, players: int) -> None:
    for seed in range(8):
        check(any_game(seed, players, name))


def test_memories_change_nothing() -> None:
    for seed in range(3):
        events = hand_game(seed, 4, {"memories": True})
        check(under(events, memories=False))


RARE = {
    "leader observes", "last observes", "observed twice", "led face down", "face down",
    "review", "misery", "bust", "grace pays", "grace for nothing", "stack", "low tie",
    "fewer cubes", "no cubes",
}  # fmt: skip


def rare(events: Events) -> Iterator[str]:
    """Name what is rare in a game, so that the random games are known to show it."""
    players, looks = events[0]["players"], Counter[tuple[int, int]]()
    for n, told in enumerate(events):
        if told["name"] == "review":
            yield "review"
        elif told["name"] == "play":
            first = events[n - 1]["name"] != "play"
            if told["chosen"].startswith("down-"):
                yield "led face down" if first else "face down"
            elif told["chosen"] == "observe":
                again = told["seat"] == events[n + 1]["seat"]
                looks[told["round"], told["seat"]] += 1
                yield from ["leader observes"] * first + ["last observes"] * again
        elif told["name"] == "score":
            yield from ["misery"] * (told["misery"] > 0)
            yield from rare_letter(told, events)
        elif told["name"] == "cubes":
            yield from ["fewer cubes"] * (min(told["cubes"]) < 5)
            yield from ["no cubes"] * (0 in told["cubes"])
    last = [event["score"] for event in events if event["name"] == "score"][-players:]
    yield from ["observed twice"] * (2 in looks.values())
    yield from ["low tie"] * (last.count(min(last)) > 1)
    yield from ["stack"] * (events[-1]["by"] == "stack")


def rare_letter(told: dict[str, Any], events: Events) -> Iterator[str]:
    grace = {"round": told["round"], "seat": told["seat"], "chosen": "grace"}
    if any(grace.items() <= event.items() for event in events):
        yield "grace pays" if told["from"] else "grace for nothing"
    elif told["from"] < told["base"]:
        yield "bust"


def test_random_games_show_what_is_rare() -> None:
    seen = Counter[str]()
    for name in ("defaults", "level start", "scarce cubes"):
        for seed in range(25):
            seen.update(rare(any_game(seed, 3, name)))
    assert set(seen) == RARE


def test_a_stream_of_games() -> None:
    games = [numbered(hand_game(seed, 4, {}), game=seed) for seed in range(3)]
    lines = [json.dumps(told) for game in games for told in game]
    assert check_stream([*lines, "\n"]) == 3
    with pytest.raises(Foul, match="game 0: told twice"):
        check_stream([*lines, *lines[: len(games[0])]])
    end = len(games[1]) - 1
    with pytest.raises(Foul, match=f"game 1: event {end}: the transcript ends"):
        check_stream(lines[: len(games[0]) + end])
    with pytest.raises(Foul, match="game 0: event 0"):
        check_stream(lines[1:])


# --- Planted fouls ------------------------------------------------------------------

PLAIN: Rules = {"rounds": 2}
KNOWN: Rules = {"rounds": 2, "future_known": True}


@cache
def games(future: bool) -> list[Events]:
    """Random games of four, to be spoilt."""
    rules = KNOWN if future else PLAIN
    return [hand_game(seed, 4, rules) for seed in range(40)]


class Unsuitable(Exception):
    """The foul cannot be planted in this game."""


def where(events: Events, name: str, **fields: object) -> list[int]:
    """Tell the places of the events with this name and these fields."""
    found = [
        n
        for n, told in enumerate(events)
        if told["name"] == name and fields.items() <= told.items()
    ]
    if not found:
        raise Unsuitable
    return found


def need(sound: bool) -> None:
    if not sound:
        raise Unsuitable


def held(events: Events, n: int, seat: int) -> set[str]:
    """Cards that a seat was dealt in the round of an event."""
    deal = max(at for at in where(events, "deal") if at < n)
    return set(events[deal]["hands"][seat])


PLANTED: list[Any] = []


def plant(name: str, match: str, *, future: bool = False, **fields: object) -> Any:
    """Mark a function that spoils an event of that name; tell what the foul says.

    The foul is called there, or where the function says.
    """

    def mark(spoil: Callable[[Events, int], int | None]) -> Callable[..., Any]:
        told = (name, match, future, fields, spoil)
        PLANTED.append(pytest.param(*told, id=spoil.__name__))
        return spoil

    return mark


def another(events: Events, n: int, key: str = "seat") -> int:
    """Tell a seat that is not the one written."""
    return int((events[n][key] + 1) % events[0]["players"])


# Setup and deal.


@plant("kbernestich", "for 3 or 4 players", type="setup")
def too_many_players(events: Events, n: int) -> None:
    events[n]["players"] = 5


@plant("kbernestich", "strategy per seat", type="setup")
def strategy_missing(events: Events, n: int) -> None:
    events[n]["lineup"].pop()


@plant("kbernestich", "'plot' is written, the rules say choice 'claim'", type="setup")
def rule_told_wrong(events: Events, n: int) -> int:
    events[n]["rules"] = {**events[n]["rules"], "future_known": True}
    return where(events, "plot")[0]


@plant("start", "no seat")
def start_without_a_seat(events: Events, n: int) -> None:
    events[n]["seat"] = 4


@plant("start", "deal.start: . is written, not .")
def another_start(events: Events, n: int) -> int:
    events[n]["seat"] = another(events, n)
    return n + 1


@plant("deal", "round 2: deal.start: . is written, not .", round=2)
def round_started_by_another(events: Events, n: int) -> None:
    events[n]["start"] = another(events, n, "start")


@plant("deal", "more than the deck has")
def hand_with_a_card_of_another(events: Events, n: int) -> None:
    events[n]["hands"][0][0] = events[n]["hands"][1][0]


@plant("deal", "B13.* more than the deck has")
def hand_with_a_card_that_is_not_made(events: Events, n: int) -> None:
    events[n]["hands"][0][0] = "B13"


@plant("deal", "deal: cards of seat 2: 10 is written, the rules say 11")
def hand_too_small(events: Events, n: int) -> None:
    events[n]["hands"][2].pop()


@plant("deal", "a hand per seat")
def hand_missing(events: Events, n: int) -> None:
    events[n]["hands"].pop()


@plant("trump", "trump.legal lacks .'none'")
def trump_without_none(events: Events, n: int) -> None:
    events[n]["legal"].remove("none")


@plant("trump", "round 1: seat .: trump.chosen 'W' is none of the options")
def trump_of_no_colour(events: Events, n: int) -> None:
    events[n]["chosen"] = "W"


@plant("trump", "trump.seat")
def trump_by_another(events: Events, n: int) -> None:
    events[n]["seat"] = another(events, n)


# Plot phase.


def taken(events: Events, n: int, prefix: str, *, own: bool) -> list[str]:
    """Squares that bear a cube before an event of the same round, by area."""
    told = events[n]
    found = [
        event["chosen"]
        for event in events[:n]
        if event["name"] == "plot"
        and event["round"] == told["round"]
        and event["chosen"].startswith(prefix)
        and (event["seat"] == told["seat"]) == own
    ]
    need(bool(found))
    return found


def add(events: Events, n: int, option: str) -> None:
    need(option not in events[n]["legal"])
    events[n]["legal"].append(option)


@plant("plot", "round 1, trick 1: seat .: plot.legal lacks .'to-3'. and has", trick=1)
def square_missing(events: Events, n: int) -> None:
    need("to-3" in events[n]["legal"])
    events[n]["legal"].remove("to-3")


@plant("plot", "has .'pass'. too many or twice", trick=1)
def square_told_twice(events: Events, n: int) -> None:
    events[n]["legal"].append("pass")


@plant("plot", "plot.legal lacks .'pass'", trick=3)
def plot_without_pass(events: Events, n: int) -> None:
    events[n]["legal"].remove("pass")


@plant("plot", "has .'to-9'. too many")
def square_that_is_not_made(events: Events, n: int) -> None:
    add(events, n, "to-9")


@plant("plot", "has .'from-.-.'. too many", trick=3)
def colour_set_twice(events: Events, n: int) -> None:
    add(events, n, taken(events, n, "from-", own=False)[0])


@plant("plot", "has .'from-.-.'. too many", trick=3)
def colour_set_to_another_value(events: Events, n: int) -> None:
    square = taken(events, n, "from-", own=False)[0]
    add(events, n, square[:-1] + ("1" if square.endswith("2") else "2"))


@plant("plot", "has .'bust-..'. too many", trick=3)
def two_bust_values(events: Events, n: int) -> None:
    square = taken(events, n, "bust-", own=False)[0]
    add(events, n, "bust-20" if square == "bust-22" else "bust-22")


@plant("plot", "has .'grace'. too many", trick=3)
def two_graces_of_one_player(events: Events, n: int) -> None:
    add(events, n, taken(events, n, "grace", own=True)[0])


@plant("plot", "has .'grace'. too many", trick=3)
def three_graces(events: Events, n: int) -> None:
    need(len(taken(events, n, "grace", own=False)) == 2)
    add(events, n, "grace")


@plant("plot", "has .'hunch-..?'. too many", trick=3)
def bid_of_another(events: Events, n: int) -> None:
    add(events, n, taken(events, n, "hunch-", own=False)[0])


@plant("plot", "has .'hunch-..?'. too many", trick=3)
def two_bids(events: Events, n: int) -> None:
    mine = taken(events, n, "hunch-", own=True)[0]
    add(events, n, "hunch-0" if mine != "hunch-0" else "hunch-1")


@plant("plot", "has .'observation'. too many", trick=3)
def action_of_another(events: Events, n: int) -> None:
    add(events, n, taken(events, n, "observation", own=False)[0])


@plant("plot", "has .'optimism'. too many", trick=3)
def two_actions(events: Events, n: int) -> None:
    need(bool(taken(events, n, "pessimism", own=True)))
    add(events, n, "optimism")


@plant("plot", "has .'to-3'. too many", trick=3)
def letter_square_taken(events: Events, n: int) -> None:
    add(events, n, taken(events, n, "to-3", own=False)[0])


@plant("plot", "has .'to-3'. too many")
def two_cubes_on_one_square(events: Events, n: int) -> int:
    need(events[n]["chosen"] == "to-3" and events[n + 1]["seat"] == events[n]["seat"])
    need(events[n + 1]["name"] == "plot")
    add(events, n + 1, "to-3")
    return n + 1


@plant("plot", "plot.chosen 'to-9' is none of the options")
def cube_beside_the_sheet(events: Events, n: int) -> None:
    events[n]["chosen"] = "to-9"


@plant("plot", "plot.seat: . is written, the rules say .", trick=2)
def plot_out_of_turn(events: Events, n: int) -> None:
    events[n]["seat"] = another(events, n)


@plant("plot", "plot.trick: 3 is written, the rules say 2", trick=2)
def plot_of_another_trick(events: Events, n: int) -> None:
    events[n]["trick"] = 3


@plant("plot", "'plot' is written, the rules say choice 'play'|plot.seat", trick=1)
def third_cube(events: Events, n: int) -> int:
    """A cube from nowhere: one more than a turn, or a hand, allows."""
    need(events[n]["chosen"] != "pass" and events[n + 1]["chosen"] != "pass")
    need(events[n + 1]["name"] == "plot")
    need(events[n + 1]["seat"] == events[n]["seat"])
    extra = {**events[n + 1], "chosen": "pass"}
    extra["legal"] = [s for s in extra["legal"] if s != events[n + 1]["chosen"]]
    events.insert(n + 2, extra)
    events[:] = numbered(events)
    return n + 2


@plant("play", "choice 'plot' is written, the rules say choice 'play'", trick=5)
def plot_before_trick_5(events: Events, n: int) -> int:
    last = where(events, "plot", round=1)[-1]
    need(events[last]["chosen"] == "pass")
    extra = {**events[last], "trick": 5, "seat": events[n]["seat"]}
    need(events[n - 1]["name"] == "trick")
    events.insert(n, extra)
    events[:] = numbered(events)
    return n


@plant(
    "plot",
    "plot.seat: . is written, the rules say .|the rules say choice 'play'",
    trick=1,
)
def pass_and_another_cube(events: Events, n: int) -> int:
    """After a pass the next is asked."""
    need(events[n + 1]["name"] == "plot")
    need(events[n + 1]["seat"] == events[n]["seat"])
    events[n]["chosen"] = "pass"
    return n + 1


# Review.


@plant("review", "review.count: 5 is written, the rules say 4")
def wrong_count(events: Events, n: int) -> None:
    events[n]["count"] = 5


@plant("review", "review.taken")
def cards_taken_from_a_hand(events: Events, n: int) -> None:
    seat = another(events, n)
    events[n]["taken"][0] = min(held(events, n, seat))


@plant("review", "review: cards put back: 3 is written, the rules say 4")
def too_few_put_back(events: Events, n: int) -> None:
    events[n]["chosen"].pop()


@plant("review", r"seat .: review.chosen: \['...?'\] not in hand")
def card_of_another_put_back(events: Events, n: int) -> None:
    events[n]["chosen"][0] = min(held(events, n, another(events, n)))


@plant("review", "not in hand")
def card_put_back_twice(events: Events, n: int) -> None:
    events[n]["chosen"][0] = events[n]["chosen"][1]


@plant("review", "play.legal lacks|play.chosen")
def card_kept_and_put_back(events: Events, n: int) -> int:
    """What is put back cannot be played: it is missed in the first trick."""
    told = events[n]
    plays = where(events, "play", round=told["round"], seat=told["seat"])
    first = next(at for at in plays if at > n)
    cards = [card for card in events[first]["legal"] if card not in told["chosen"]]
    hand = held(events, n, told["seat"]) | {*told["taken"]}
    cards = [card for card in cards if card in hand and card in events[first]["legal"]]
    need(bool(cards))
    told["chosen"][0] = cards[0]
    return first


# Tricks.


@plant("play", "round 1, trick 2: seat .: play.legal lacks .'.+'. and has", trick=2)
def card_missing(events: Events, n: int) -> None:
    events[n]["legal"].remove(events[n]["legal"][0])


@plant("play", "has .'B13'. too many")
def card_from_nowhere(events: Events, n: int) -> None:
    add(events, n, "B13")


@plant("play", "too many or twice", trick=9)
def card_played_twice(events: Events, n: int) -> None:
    told = events[n]
    first = where(events, "play", round=told["round"], seat=told["seat"])[0]
    card = events[first]["chosen"].removeprefix("down-")
    need(card != "observe")
    add(events, n, card)
    told["chosen"] = card


@plant("play", "has .'.+'. too many", trick=1)
def suit_not_followed(events: Events, n: int) -> None:
    told = events[n]
    need(events[n - 1]["name"] == "play")
    need(not any(card.startswith("down") for card in told["legal"]))
    others = held(events, n, told["seat"]) - {*told["legal"]}
    need(not [e for e in events[:n] if e["name"] == "review"] and bool(others))
    add(events, n, min(others))


@plant("play", "has .'observe'. too many", trick=1)
def observer_without_a_cube(events: Events, n: int) -> None:
    add(events, n, "observe")


@plant("play", "has .'observe'. too many", chosen="observe")
def observed_twice_in_a_trick(events: Events, n: int) -> int:
    told = events[n]
    trick = {key: told[key] for key in ("round", "trick", "seat")}
    later = where(events, "play", **trick)[-1]
    add(events, later, "observe")
    return later


@plant("play", "has .'observe'. too many", chosen="observe")
def observed_three_times(events: Events, n: int) -> int:
    told = events[n]
    mine = where(events, "play", round=told["round"], seat=told["seat"])
    used = [at for at in mine if events[at]["chosen"] == "observe"]
    need(len(used) == 2 and used[1] + 6 < mine[-1])
    add(events, mine[-1], "observe")
    return mine[-1]


@plant("play", "play.seat: . is written, the rules say .", chosen="observe")
def observer_asked_too_early(events: Events, n: int) -> int:
    """He plays last, not right after he observed."""
    need(events[n + 1]["seat"] != events[n]["seat"])
    events[n + 1]["seat"] = events[n]["seat"]
    return n + 1


@plant("play", "play.legal lacks .'observe'")
def observation_missing(events: Events, n: int) -> None:
    need("observe" in events[n]["legal"] and events[n]["chosen"] != "observe")
    events[n]["legal"].remove("observe")


@plant("play", "play.legal lacks .'down-..?.?'. and has")
def face_down_option_missing(events: Events, n: int) -> None:
    down = [card for card in events[n]["legal"] if card.startswith("down")]
    need(bool(down))
    events[n]["legal"].remove(down[0])


@plant("play", "has .'down-..?.?'. too many")
def incubated_twice(events: Events, n: int) -> int:
    told = events[n]
    need(told["chosen"].startswith("down"))
    mine = where(events, "play", round=told["round"], seat=told["seat"])
    later = next((at for at in mine if at > n), 0)
    need(later > 0)
    add(events, later, "down-" + events[later]["legal"][0])
    return later


@plant("play", "has .'down-..?.?'. too many", trick=1)
def face_down_without_a_cube(events: Events, n: int) -> None:
    need(not any(card.startswith("down") for card in events[n]["legal"]))
    add(events, n, "down-" + events[n]["legal"][0])


@plant("play", "play.seat", trick=3)
def play_out_of_turn(events: Events, n: int) -> None:
    events[n]["seat"] = another(events, n)


@plant("trick", "round 1, trick 1: trick.winner: . is written, the rules say .")
def wrong_winner(events: Events, n: int) -> None:
    events[n]["winner"] = another(events, n, "winner")


@plant("trick", "trick.card")
def wrong_winning_card(events: Events, n: int) -> None:
    loser = events[n - 1]["chosen"]
    need(loser != events[n]["card"])
    events[n]["card"] = loser


@plant("trick", "trick.winner")
def face_down_card_wins(events: Events, n: int) -> None:
    down = [e for e in events[n - 4 : n] if e["chosen"].startswith("down")]
    need(bool(down))
    events[n] |= {"winner": down[0]["seat"], "card": down[0]["chosen"][5:]}


@plant("trick", "seat: . is written, the rules say .", trick=1)
def loser_leads(events: Events, n: int) -> int:
    events[n + 1]["seat"] = another(events, n + 1)
    return n + 1


# Scoring, cubes and the end.


@plant("score", "round 1, scoring of seat .: score.to: . is written, the rules say .")
def wrong_letter_points(events: Events, n: int) -> None:
    events[n]["to"] = (events[n]["to"] + 1) % 9


@plant("score", "score.hunch: 6 is written, the rules say 0", hunch=0)
def bid_not_kept(events: Events, n: int) -> None:
    events[n]["hunch"] = 6


@plant("score", "score.hunch: 0 is written, the rules say 6", hunch=6)
def bid_not_paid(events: Events, n: int) -> None:
    events[n]["hunch"] = 0


@plant("score", "score.misery: 1. is written, the rules say 0", hunch=6, misery=0)
def misery_not_earned(events: Events, n: int) -> None:
    events[n]["misery"] = 12


@plant("score", "score.misery: 0 is written, the rules say 1")
def misery_not_paid(events: Events, n: int) -> None:
    need(events[n]["misery"] > 0)
    events[n]["misery"] = 0


@plant("score", "score.base")
def wrong_base(events: Events, n: int) -> None:
    events[n]["base"] += 1


@plant("score", "score.from: .+ is written, the rules say 0")
def bust_that_scores(events: Events, n: int) -> None:
    need(events[n]["base"] > events[n]["from"] == 0)
    events[n]["from"] = events[n]["base"]


@plant("score", "score.from: 0 is written")
def grace_that_does_not_pay(events: Events, n: int) -> None:
    need(events[n]["base"] > events[n]["from"] > 0)
    events[n]["from"] = 0


@plant("score", "score.score")
def wrong_score(events: Events, n: int) -> None:
    events[n]["score"] += 1


@plant("score", "score.seat: . is written, the rules say .")
def scored_in_another_order(events: Events, n: int) -> None:
    need(events[n + 1]["name"] == "score")
    events[n], events[n + 1] = events[n + 1], events[n]
    events[:] = numbered(events)


@plant("score", "score.round: 2 is written, the rules say 1", round=1)
def score_of_another_round(events: Events, n: int) -> None:
    events[n]["round"] = 2


@plant("cubes", "round 1: cubes.cubes: .* is written, the rules say")
def cube_from_nowhere(events: Events, n: int) -> None:
    events[n]["cubes"][0] += 1


@plant("cubes", "cubes.cubes")
def cubes_that_were_not_kept(events: Events, n: int) -> None:
    events[n]["cubes"] = [4] * 4


@plant("kbernestich", "kbernestich.winner: . is written", type="result")
def wrong_champion(events: Events, n: int) -> None:
    events[n]["winner"] = another(events, n, "winner")


@plant("kbernestich", "kbernestich.winner: None is written", type="result")
def nobody_wins(events: Events, n: int) -> None:
    events[n]["winner"] = None


@plant("kbernestich", "kbernestich.by: 'stack' is written", type="result", by="points")
def wrong_reason(events: Events, n: int) -> None:
    events[n]["by"] = "stack"


@plant("kbernestich", "kbernestich.scores", type="result")
def wrong_final_scores(events: Events, n: int) -> None:
    events[n]["scores"][0] += 1


@plant("kbernestich", "nothing may follow the result", type="result")
def one_event_too_many(events: Events, n: int) -> int:
    events.append({**events[n], "n": n + 1})
    return n + 1


# The Future We Knew in Advance.


@plant("claim", "claim.legal lacks .'pass'", future=True)
def claim_without_pass(events: Events, n: int) -> None:
    events[n]["legal"].remove("pass")


@plant("claim", "claim.seat: . is written, the rules say .", future=True)
def claims_clockwise(events: Events, n: int) -> None:
    events[n]["seat"] = (events[n]["seat"] + 2) % 4


@plant("claim", "has .'.'. too many", future=True)
def colour_claimed_twice(events: Events, n: int) -> int:
    need(events[n]["chosen"] != "pass" and events[n + 1]["name"] == "claim")
    add(events, n + 1, events[n]["chosen"])
    return n + 1


@plant("plot", "has .'from-.-0'. too many", future=True)
def colour_of_another_claimant(events: Events, n: int) -> None:
    told = events[n]
    claims = [events[at] for at in where(events, "claim", round=told["round"])]
    seats = {e["chosen"]: e["seat"] for e in claims if e["chosen"] != "pass"}
    owned = [colour for colour, seat in seats.items() if seat != told["seat"]]
    need(bool(owned))
    add(events, n, f"from-{owned[0]}-0")


@plant("plot", "plot.legal lacks .'from-.-0'", future=True, trick=1)
def claimed_colour_missing(events: Events, n: int) -> None:
    told = events[n]
    owner = {"round": told["round"], "seat": told["seat"]}
    claimed = events[where(events, "claim", **owner)[0]]["chosen"]
    need(claimed != "pass")
    square = f"from-{claimed}-0"
    need(square in told["legal"])
    told["legal"].remove(square)


@plant("cubes", "cubes.cubes", future=True)
def claim_cube_kept(events: Events, n: int) -> None:
    events[n]["cubes"] = [cubes - 1 for cubes in events[n]["cubes"]]


@pytest.mark.parametrize(("name", "match", "future", "fields", "spoil"), PLANTED)
def test_planted_foul(
    name: str,
    match: str,
    future: bool,
    fields: dict[str, Any],
    spoil: Callable[[Events, int], int | None],
) -> None:
    planted = 0
    for game in games(future):
        told = json.dumps(game)
        for n in at_all(game, name, fields):
            events = json.loads(told)
            try:
                expected = spoil(events, n)
            except Unsuitable:
                continue
            fouls_at(events, n if expected is None else expected, match)
            planted += 1
            break
        if planted == 4:
            break
    assert planted


def at_all(events: Events, name: str, fields: dict[str, Any]) -> list[int]:
    """As `where`, with none where there is none."""
    try:
        return where(events, name, **fields)
    except Unsuitable:
        return []


# --- Every event counts -------------------------------------------------------------

SHORT: Rules = {"rounds": 2, "tricks": 5, "plot_before_tricks": 3}


def short_games() -> list[Events]:
    future = {**SHORT, "future_known": True}
    games = [hand_game(seed, 4, rules) for seed, rules in ((2, SHORT), (4, future))]
    return [*games, by_hand()]


def test_events_missing_or_told_twice() -> None:
    """Where a plot turn could as well have been so, it is called later."""
    for game in short_games():
        for n, told in enumerate(game):
            less = numbered(game[:n] + game[n + 1 :])
            more = numbered([*game[: n + 1], *game[n:]])
            for events, first in ((less, n), (more, n + 1)):
                with pytest.raises(Foul, match=r"^event \d+: ") as foul:
                    check(events)
                place = int(str(foul.value)[6:].partition(":")[0])
                plots = told["name"] == "plot" and place > first
                assert place == first or plots, f"{first}: {foul.value}"


def test_wrong_number_and_wrong_game() -> None:
    for key, n in (("n", 5), ("game", 5), ("n", 0)):
        events = by_hand()
        events[n][key] += 1
        fouls_at(events, n, key)


def test_field_missing_or_extra() -> None:
    for game in short_games():
        for n, told in enumerate(game):
            spoilt = [{k: v for k, v in told.items() if k != key} for key in told]
            added = [{**told, key: "x"} for key in ("comment", "type", "name")]
            for wrong in [*spoilt, *added]:
                fouls_at([*game[:n], wrong, *game[n + 1 :]], n)


def test_whole_numbers_only() -> None:
    """Nothing passes that only compares equal, as 1.0 does to 1."""
    for game in short_games():
        for n, told in enumerate(game):
            for key, value in told.items():
                if type(value) is int and key != "seed":
                    wrong = {**told, key: float(value)}
                    fouls_at([*game[:n], wrong, *game[n + 1 :]], n)


def test_every_number_is_checked() -> None:
    for game in short_games():
        for n, told in enumerate(game):
            for key, value in told.items():
                if type(value) is int and key not in ("seed", "game"):
                    wrong = {**told, key: value + 1}
                    seats = game[0]["players"]
                    start = (told["name"], key) == ("start", "seat")
                    place = n + 1 if start and value + 1 < seats else n
                    fouls_at([*game[:n], wrong, *game[n + 1 :]], place)


def test_every_option_is_checked() -> None:
    """One less, one from another choice more, one twice: each is called."""
    for game in short_games():
        choices = [event for event in game if "legal" in event]
        foreign = sorted({option for event in choices for option in event["legal"]})
        for n, told in enumerate(game):
            legal = told.get("legal", [])
            sets = [[o for o in legal if o != less] for less in legal]
            sets += [[*legal, more] for more in foreign[n % 9 :: 9] if legal]
            for wrong in sets:
                events = [*game[:n], {**told, "legal": wrong}, *game[n + 1 :]]
                fouls_at(events, n, f"seat {told['seat']}: {told['name']}.legal")
