"""The golden transcripts of Kunitame, and what each is to show."""

from tests.games.golden import Golden, Shown
from tests.kunitame.plays import PLAYS

SHORT = {"weeks": 1, "hand": 3, "rounds": 3}

# name: rules, players, and what has to happen in it
GOLDEN: dict[str, Shown] = {
    "three-tricks": (SHORT, 3, {"a Priest beats a Devil"}),
    "contract-cancelled": ({**SHORT, "devil_ranks": 3}, 3, {"a contract cancelled"}),
    "tie-by-lives": (SHORT, 3, {"a tie by points, decided by lives"}),
    "tie-by-draw": (SHORT, 3, {"a tie decided by draw"}),
    "all-eliminated": ({**SHORT, "life": 1}, 3, {"all eliminated, nobody wins"}),
    "gems-returned": (
        {"weeks": 2, "hand": 3, "rounds": 3},
        4,
        {"three points returned", "a zero-trick player returns"},
    ),
    "all-options": (
        {
            **SHORT,
            "weeks": 2,
            "removed_pledge": "none",
            "no_tricks_squares": "claimable_at_liquidation",
            "zero_trick_liquidation": "vacuous_true",
            "trick_take": "may",
            "refill_weekly": True,
            "p7_rank": "players",
        },
        3,
        {"a claim declined", "a zero-trick player has a bonus", "a rank square won"},
    ),
    "week-of-four": ({"weeks": 1}, 4, {"a Priest beats a Devil", "a bonus declined"}),
    "week-of-five": ({"weeks": 1}, 5, {"somebody eliminated"}),
}


class TestGolden(Golden):
    plays = PLAYS
    golden = GOLDEN
    altered = ("three-tricks", {"refill_weekly": True})
    most = 2000
