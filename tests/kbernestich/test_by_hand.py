"""A game of Kbernestich written by hand, and where it breaks other rules."""

from typing import Any

import pytest

from tests.games.event_lines import Events, Rules, event, numbered, pick
from tests.kbernestich.referee import check, deck
from tests.kbernestich.scripts import fouls_at, in_force

SMALL: Rules = {
    "rounds": 2,
    "tricks": 2,
    "plot_before_tricks": 1,
    "cubes": 2,
    "refill": [[0, 20, 2], [21, 9999, 0]],
    "marie_from": [2],
    "zabine": [3],
    "hunch": ["0", "1+"],
    "marie_to": [3, 1],
    "actions": ["incubation", "observation", "review"],
}


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
    check(by_hand(**{**in_force(3), **SMALL}))


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
