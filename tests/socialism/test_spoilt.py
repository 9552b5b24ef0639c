"""Every event of a game of Socialism counts, and the referee calls every foul."""

from sim.socialism.game import KINDS
from tests.games.spoilt import Spoilt
from tests.socialism.plays import PLAYS

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
    step = 40
    lied_about, lied_games = RULES, 6
    lies = (("tokens", 9, 8), ("guard", 90, 6), ("hand", 3, 2))

    def test_other_cards_than_printed_are_called(self) -> None:
        events = self.told("two-players")
        rules = events[0]["rules"]
        users = rules["users"] | {"mary": {"copies": 1, "friends": 3}}
        self.wrong(events, 0, {**events[0], "rules": {**rules, "users": users}})
