"""Every event of a game of the Drake counts, and the referee calls every foul."""

from typing import Any

import pytest

from tests.drake.plays import PLAYS
from tests.drake.referee import VALUES, check
from tests.games.referee import Foul
from tests.games.spoilt import Spoilt

[SPECIAL] = VALUES["special"]
PLAYED = [{"id": "sangria-all", **SPECIAL}]


def with_special(**fields: Any) -> tuple[str, Any, Any]:
    """Sangria All with other fields."""
    return ("special", PLAYED, [{**SPECIAL, **fields}])


def shifted(key: str) -> tuple[str, Any, Any]:
    """The same numbers, each one higher."""
    more = [
        [n + 1 for n in one] if isinstance(one, list) else one + 1
        for one in VALUES[key]
    ]
    return (key, VALUES[key], more)


LIES = [
    ("goal", 7, 8),
    ("goal", 7, 0),
    ("guard", 500, 3),
    shifted("maiden_chastity"),
    shifted("knight"),
    shifted("treasure_value"),
    ("knight", VALUES["knight"], [[1], [2], [3]]),
    ("treasure_value", VALUES["treasure_value"], 4),
    ("maiden_chastity", VALUES["maiden_chastity"], [1, 2, 3, 4, 1, 2, 3]),
    ("maiden_chastity", VALUES["maiden_chastity"], [1]),
    ("special", PLAYED, []),
    ("ruleset", "update_II", "update_III"),
    with_special(name="Sangria Some"),
    with_special(deck="maiden"),
    with_special(effect="discard_rightmost(bed)"),
    with_special(effect="discard_rightmost(deck)"),
    with_special(use_from="in_play"),
    with_special(cost="none"),
]
HIGH = {"shape": "uniform", "low": 9, "high": 9}
LIED_ABOUT = {"must_act": False}
LIES_UNDER = {
    "absent_second_win": {"ruleset": "update_I", "goal": 3},
    "treasure_needs_knight": {"stats.value": HIGH},
    "fire_needs_maiden": {"stats.strength": HIGH},
}
TABLES = {"absent_second_win": 3}


class TestSpoilt(Spoilt):
    plays = PLAYS
    free = frozenset({("setup", "players"), ("start", "seat")})
    lied_about, lies_under = LIED_ABOUT, LIES_UNDER
    lied_tables = TABLES
    lies = LIES


def test_what_is_not_told_has_its_default() -> None:
    for events in PLAYS.transcripts({}, 4, 20):
        rules = events[0]["rules"]
        events[0]["rules"] = {"guard": rules["guard"], "knight": rules["knight"]}
        check(events)
        events[0]["rules"]["gaol"] = 7
        with pytest.raises(Foul):
            check(events)
