"""Every event of a game of Socialism counts, and the referee calls every foul."""

import json
from typing import Any

import pytest

from sim.socialism.game import KINDS
from tests.games.referee import Foul
from tests.games.spoilt import Spoilt
from tests.socialism.plays import PLAYS, transcripts
from tests.socialism.referee import check

MANY = ("viral-post", "ipo", "new-feature", "industrial-espionage", "sherman-act")
RULES = {
    "tokens": 9,
    "guard": 90,
    "actions": {name: {"copies": 3} for name in (*MANY, "smtp-block-list")},
}


class TestSpoilt(Spoilt):
    plays = PLAYS
    free = frozenset(
        {
            ("setup", "players"),
            ("start", "seat"),
            ("roll", "die"),
            *((name, "chosen") for name in KINDS),
        }
    )
    step = 17
    lied_about, lied_games = RULES, 6
    lies = (("tokens", 9, 8), ("guard", 90, 6), ("hand", 3, 2))


def test_other_cards_than_printed_are_called() -> None:
    game: Any = json.loads(json.dumps(transcripts({"tokens": 4}, 2, 1)[0]))
    game[0]["rules"]["users"]["mary"]["friends"] = 3
    with pytest.raises(Foul, match="users"):
        check(game)
