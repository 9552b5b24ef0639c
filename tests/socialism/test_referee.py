"""The referee of Socialism agrees with the engine, over rules of every kind."""

from typing import Any

from tests.games.plays import Changes
from tests.games.refereed import Refereed, any_rules_pass
from tests.socialism.plays import NAMES, PLAYS
from tests.socialism.referee import ACTIONS, OPTIONS, USERS

SHORT = {"tokens": 6, "guard": 120}
BRIEF = {"guard": 60}
VIRAL = {**SHORT, "actions.viral-post.copies": 4}

EDGES: dict[str, Changes] = {
    "one turn": {"guard": 1},
    "one token": {"tokens": 1},
    "one card each": {"hand": 1, "tokens": 5},
    "all Members there can be": {"tokens": 21, "guard": 150},
    "nothing left to draw": {"hand": 8, "tokens": 9},
    "only Users": {"actions": {name: {"copies": 0} for name in ACTIONS}},
    "all on two on a card": {f"users.{n}.trait": "two" for n in ("john-smith", "mary")},
    "a small deck": {
        "users": {name: {"remove": True} for name in [*USERS][3:]},
        "tokens": 3,
        "hand": 1,
    },
    "eight copies that stay": {
        "actions.viral-post.copies": 8,
        "actions.flattery.copies": 8,
        "actions.change-of-management.copies": 4,
    },
}

OFTEN: list[tuple[int, Changes]] = [  # in which rare things are frequent
    (2, {"actions": {"lost-password": {"copies": 8}}, "tokens": 5}),
    (3, {"actions": {"sherman-act": {"copies": 6}, "ipo": {"copies": 5}}, "tokens": 6}),
    (4, {"actions": {"flattery": {"copies": 6}, "viral-post": {"copies": 3}}}),
    (3, {"viral": "every_turn", "actions": {"viral-post": {"copies": 6}}, "tokens": 8}),
    (2, {"users": {"sloan": {"copies": 6}, "jimmy": {"copies": 5}}}),
    (3, {"users": {"alan-gerald": {"copies": 6}}, "actions.lost-password.copies": 6}),
    (5, {"actions": {"industrial-espionage": {"copies": 8}}, "tokens": 4}),
    (2, {"actions": {"omg-cat-pic": {"copies": 8}}, "tokens": 12}),
    (4, {"hand": 8, "actions": {"smtp-block-list": {"copies": 8}}}),
    (3, {"users": {"becca": {"copies": 6}}, "tokens": 6}),
    (5, {"must_play": False, "hand": 8, "invite_mode": "each_once"}),
    (2, {}),
]


class TestReferee(Refereed):
    plays = PLAYS
    printed_games = 3
    mixed = SHORT, 8
    options = ((SHORT, 3), (VIRAL, 2))
    edges, edge_rules, edge_games = EDGES, BRIEF, 3
    sweep, drawn = (16, 60), 12
    often = tuple((size, {"guard": 120, **rules}) for size, rules in OFTEN)
    named = ((BRIEF, 3, 3), (SHORT, 5, 4))

    def printed(self) -> list[tuple[str, int, Changes]]:
        return [(name, size, {"guard": 150}) for name in NAMES for size in (2, 5)]

    def values(self) -> list[tuple[str, Any, int]]:
        return [(key, OPTIONS[key], size) for key in OPTIONS for size in (2, 4)]

    def at_the_edge(self) -> list[tuple[str, str, int]]:
        return [(edge, "random", size) for edge in EDGES for size in (2, 5)]


test_any_rules = any_rules_pass(PLAYS, examples=40, games=4)
