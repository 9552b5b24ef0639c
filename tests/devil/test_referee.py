"""The referee of Devil agrees with the engine, over rules of every kind."""

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tests.devil.plays import NAMES, PLAYS, any_lineup, any_rules
from tests.devil.referee import OPTIONS, PLAYERS, check_stream
from tests.devil.scripts import deck
from tests.games.plays import Changes
from tests.games.refereed import Drawn, Refereed, any_rules_pass

DECKS = ("base", "440")
TABLES = ((2, "440"), (4, "base"), (8, "440"))

EDGES: dict[str, dict[str, Any]] = {
    "one turn": {"guard": 1},
    "a single round": {"target": 1},
    "one card each": {"hand": 1, "target": 40},
    "no card left to draw": {
        "hand": 2,
        "target": 20,
        "guard": 50,
        "base_deck": deck(r2=4, r3=3, r7=3, s4=1),
    },
    "two cards that cover each other": {
        "hand": 1,
        "guard": 60,
        "target": 9,
        "base_deck": deck(r2=3, r3=3),
    },
    "nothing fits": {"sums_ok": [], "guard": 60},
    "everything fits": {"sums_ok": list(range(10)), "target": 60},
    "Specials only": {"hand": 2, "base_deck": deck(s1=6, s4=6), "target": 500},
    "blanks only": {"hand": 2, "base_deck": deck(blank=12)},
    "many Onifuda": {"base_deck": deck(r1=12, r5=12, oni=9), "target": 90},
    "as many cards as there can be": {
        "base_deck": deck(r1=7, r8=8, r7=8, r2=8, r3=8, r6=8, r9=8, s1=4, s4=4),
        "hand": 9,
    },
    "a 10 worth nothing": {"points": [*range(1, 10), 0]},
}

# Rules under which what is rare happens often; the sweep sees it elsewhere too.
OFTEN: list[tuple[int, dict[str, Any]]] = [
    (3, {"base_deck": deck(r1=8, r4=5, r8=5, r10=4, oni=9), "hand": 2, "target": 30}),
    (4, {"base_deck": deck(r1=9, r2=6, s1=4, s4=4), "hand": 2, "target": 30}),
    (2, {"base_deck": deck(r1=5, r4=5, r8=5, blank=5, s1=4, s4=4), "target": 1}),
    (
        8,
        {"base_deck": deck(r1=5, r4=5), "hand": 1, "target": 5, "voluntary_draw": True},
    ),
    *(
        (3, {"tie": tie, "hand": 1, "target": 8, "points": [2] * 10})
        for tie in OPTIONS["tie"]
    ),
]


class TestReferee(Refereed):
    plays = PLAYS
    printed_games = 6
    mixed, mixed_seeds = ({"target": 60}, 16), (1,)
    options = (({"deck": "base", "target": 60}, 6), ({"deck": "440", "target": 60}, 6))
    edges, edge_rules = EDGES, {}
    parts, sweep, looked_at = (1,), (50, 50), 10
    named = tuple(({"deck": kind, "target": 40}, 4, 20) for kind in DECKS)

    def tables(self) -> tuple[int, ...]:
        return 2, 3, 5, 8

    def printed(self) -> list[tuple[str, int, Changes]]:
        short = [(size, {"deck": kind, "target": 80}) for size, kind in TABLES]
        return [
            *(("random", size, {"deck": kind}) for kind in DECKS for size in PLAYERS),
            *((name, *table) for name in NAMES for table in short),
        ]

    def values(self) -> list[tuple[str, Sequence[Any], int]]:
        return [(key, OPTIONS[key], size) for key in OPTIONS for size in (2, 4, 7)]

    def at_the_edge(self) -> list[tuple[str, str, int]]:
        return [(edge, "random", size) for edge in EDGES for size in (2, 5)]

    def draw(self, dice: random.Random, number: int) -> Drawn:
        players = dice.choice(PLAYERS)
        rules, lineup = any_rules(dice, players, target=40), any_lineup(dice, players)
        if number < len(OFTEN):
            players, rules = OFTEN[number]
            rules, lineup = {"guard": 200, **rules}, ["random"] * players
        return players, rules, lineup, 40


test_any_rules = any_rules_pass(
    PLAYS,
    lambda dice, players: any_rules(dice, players, target=40),
    check_stream,
    examples=50,
    games=8,
    dice=st.integers(0, 2**32).map(random.Random),
)
