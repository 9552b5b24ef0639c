"""The referee of Article II agrees with the engine, over rules of every kind."""

import random
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from tests.article_ii.plays import (
    NAMES,
    PLAYERS,
    PLAYS,
    any_lineup,
    any_rules,
    transcripts,
)
from tests.article_ii.referee import OPTIONS, check, check_stream
from tests.games.plays import Changes
from tests.games.refereed import Drawn, Refereed, any_rules_pass
from tests.games.room import each

EDGES = {"a single card": {"hand": 1}, "fifteen cards": {"hand": 15}}

further = partial(check_stream, further=True)


def more(*cards: str, copies: int = 5) -> dict[str, dict[str, int]]:
    """The printed deck with more copies of these cards."""
    return {card: {"copies": copies} for card in cards}


# Rules under which what is rare happens often.
OFTEN: list[dict[str, Any]] = [
    {},
    {"hand": 2},
    {"guard": 24, "hand": 5},
    {"hand": 15, "cards": more("great-debater", "insider-candidate")},
    {"hand": 4, "cards": more("great-debater", "insider-candidate", copies=6)},
    {"hand": 5, "cards": more("highlander", "necromancer", "greater-evil", copies=4)},
    {"cards": more("mudslinger", "third-party-candidate"), "halve": "exact"},
    {"no_positive_2p": "highest_total", "hand": 1},
]


class TestReferee(Refereed):
    plays = PLAYS
    mixed, mixed_seeds = ({}, 12), (1,)
    options = (({}, 6),)
    edges, edge_rules = EDGES, {}
    parts, sweep = (1,), (36, 36)
    named = (({}, 4, 60),)

    def check_stream(self, lines: Iterable[str]) -> int:
        return further(lines)

    def printed(self) -> list[tuple[str, int, Changes]]:
        decks = ({"deck": "updated"}, {"deck": "original"})
        return [(n, size, deck) for n in NAMES for size in PLAYERS for deck in decks]

    @each("name, players, rules", "printed_in_turn")
    def test_printed_rules(self, name: str, players: int, rules: Changes) -> None:
        """Also without the readings that the transcript format leaves unrefereed."""
        for events in transcripts(rules, players, 4, lineup=[name] * players):
            check(events)

    def values(self) -> list[tuple[str, Sequence[Any], int]]:
        known = {key: values[1:] for key, values in OPTIONS.items() if key != "deck"}
        return [(key, known[key], size) for key in known for size in PLAYERS]

    def draw(self, dice: random.Random, number: int) -> Drawn:
        players, rules = PLAYERS[number % 3], any_rules(dice)
        lineup = any_lineup(dice, players)
        if number < 3 * len(OFTEN):
            rules, lineup = OFTEN[number // 3], ["random"] * players
        return players, rules, lineup, 20


test_any_rules = any_rules_pass(PLAYS, check_stream=further, examples=80, games=5)
