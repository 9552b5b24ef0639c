"""A game of Kunitame written by hand, and where it breaks other rules."""

from typing import Any

import pytest

from tests.games.event_lines import Events, Rules, event, numbered, pick
from tests.games.referee import Foul
from tests.kunitame.referee import SQUARES, check


def stake(seat: int, most: int, chosen: dict[str, int], **where: int) -> dict[str, Any]:
    return event("choice", "contract", **where, seat=seat, max_gems=most, chosen=chosen)


def by_hand(**more: object) -> Events:
    """Two weeks of one trick among three, worked out at the table with pen and paper.

    Week 1: a Devil and a Priest meet, so the Priest wins. Week 2: the Devil deck of
    four runs out, a Devil wins, and a player without tricks returns 3 points.
    """
    rules = {"weeks": 2, "hand": 1, "rounds": 1, "devil_ranks": 4, **more}
    one, two = {"week": 1}, {"week": 2}
    first, second = {"week": 1, "round": 1}, {"week": 2, "round": 1}
    return numbered(
        [
            event(
                "setup", "kunitame", players=3, lineup=["a"] * 3, rules=rules, seed=7
            ),
            event("chance", "dealer", seat=1),
            event("chance", "deal", **one, dealer=1, hands=[["R9"], ["P"], ["B4"]]),
            stake(0, 2, {"1": 1}, **one),
            stake(1, 2, {}, **one),
            stake(2, 2, {"2": 1}, **one),
            event("chance", "devil", **one, seat=2, card="D3"),
            event("chance", "devil", **one, seat=0, card="D2"),
            pick("play", "P", "P", **first, seat=1),
            pick("play", "B4 D3", "B4", **first, seat=2),
            pick("play", "R9 D2", "D2", **first, seat=0),
            event("outcome", "trick", **first, winner=1, card="P"),
            pick("claim", "round-1 white", "white", **first, seat=1),
            event("outcome", "gem", **one, seat=1, square="white", value=1),
            event(
                "outcome",
                "contracts",
                **one,
                tricks=[0, 1, 0],
                lost=[1, 0, 1],
                lives=[2, 3, 2],
            ),
            pick("bonus", "only-white pass", "only-white", **one, seat=1),
            event("outcome", "gem", **one, seat=1, square="only-white", value=3),
            event("outcome", "week", **one, points=[0, 4, 0], lives=[2, 3, 2]),
            event("chance", "deal", **two, dealer=2, hands=[["R9"], ["R12"], ["B13"]]),
            stake(0, 2, {"1": 2}, **two),
            stake(1, 3, {"1": 1, "5": 2}, **two),
            stake(2, 2, {}, **two),
            event("chance", "devil", **two, seat=0, card="D1"),
            event("chance", "devil", **two, seat=1, card="D2"),
            event("chance", "devil", **two, seat=0, card="D3"),
            event("chance", "devil", **two, seat=1, card="D4"),
            event("choice", "cancel", **two, seat=1, excess=1, chosen={"5": 1}),
            pick("play", "B13", "B13", **second, seat=2),
            pick("play", "R9 D1 D3", "D3", **second, seat=0),
            pick("play", "R12 D2 D4", "D2", **second, seat=1),
            event("outcome", "trick", **second, winner=0, card="D3"),
            pick("claim", "card-1-5 round-1 black", "black", **second, seat=0),
            event("outcome", "gem", **two, seat=0, square="black", value=1),
            event(
                "outcome",
                "contracts",
                **two,
                tricks=[1, 0, 0],
                lost=[0, 2, 0],
                lives=[2, 1, 2],
            ),
            pick("bonus", "only-1-10 only-odd only-black pass", "pass", **two, seat=0),
            pick("return", "black", "black", **two, seat=1),
            event("outcome", "gem", **two, seat=1, square="black", value=-3),
            event("outcome", "week", **two, points=[1, 1, 0], lives=[2, 1, 2]),
            event(
                "result",
                "kunitame",
                winner=0,
                by="lives",
                points=[1, 1, 0],
                lives=[2, 1, 2],
            ),
        ]
    )


def fouls_at(events: Events, n: int, match: str = "") -> None:
    with pytest.raises(Foul, match=rf"(?s)^event {n}: .*{match}"):
        check(events)


def test_cancel_takes_back_what_was_placed() -> None:
    """With three Devils seat 1 is two short, having placed one on 1 and two on 5."""
    for chosen, foul in (({"5": 2}, 32), ({"1": 2}, 25), ({"1": 1, "5": 1}, 32)):
        events = by_hand(devil_ranks=3)
        del events[25]
        events[25] |= {"excess": 2, "chosen": chosen}
        events[28] |= {"legal": ["R12", "D2"]}
        fouls_at(numbered(events), foul)  # at 32 one gem less is lost than told


def test_game_by_hand_passes() -> None:
    check(by_hand())
    check(by_hand(squares=[dict(square) for square in SQUARES]))


@pytest.mark.parametrize(
    ("rules", "n"),
    [
        ({"no_tricks_squares": "return_target"}, None),  # black goes first
        ({"refill_weekly": True}, None),
        ({"return_choice": "black-first"}, None),
        ({"p7_rank": "players"}, None),
        ({"all_eliminated": "points"}, None),
        ({"trick_take": "may"}, 12),  # pass is missing
        ({"removed_pledge": "P3"}, 12),  # no white square
        ({"contract_limit": 1}, 3),
        ({"contract_points": [1, 0, 0, 0, 0]}, 37),  # two points more for seat 0
        ({"contract_returns": [2, 1, 1, 1, 1]}, 33),
        ({"contract_squares": [1, 2, 3, 4, 0]}, 20),  # no square 5
        ({"liquidation_take": "must"}, 15),  # pass is one too many
        ({"removed_pledge": "none"}, 15),  # most and fewest are missing
        ({"zero_trick_liquidation": "exempt"}, 35),
        ({"zero_trick_liquidation": "vacuous_true"}, 17),  # seat 2 has bonus options
        ({"return_trigger": "board_empty"}, 35),
        ({"life": 4}, 3),
        ({"weeks": 3}, 19),
        ({"devil_ranks": 5}, 26),  # one more Devil to draw
        ({"suits": ["blue", "green"]}, 2),
        ({"ranks": 8}, 2),
        ({"return_trigger": "never"}, 0),
        ({"contract_points": [1]}, 0),
        ({"rounds": 2}, 0),
    ],
)
def test_game_by_hand_under_other_rules(rules: Rules, n: int | None) -> None:
    if n is None:
        check(by_hand(**rules))
    else:
        fouls_at(by_hand(**rules), n)
