"""Every event of a game of Devil counts, and the referee calls every foul."""

from tests.devil.plays import PLAYS
from tests.games.event_lines import Events
from tests.games.spoilt import Plant, Spoilt


def more_onifuda_than_made(events: Events, n: int) -> int | None:
    rules, hands = events[0]["rules"], events[n]["hands"]
    table = rules["base_deck" if rules["deck"] == "base" else "ext_deck"]
    if table["onifuda"] > 1:
        return None
    hands[0][0] = hands[1][0] = "oni"
    return n


def card_from_nowhere(events: Events, n: int) -> int | None:
    """One that is in no pile: a Special that the hands were dealt, or none at all."""
    deals = [told for told in events[:n] if told["name"] == "deal"]
    held = {card for hand in deals[-1]["hands"] for card in hand}
    singles = [card for card in ("1S", "4S") if card in held]
    if not singles or events[0]["rules"]["deck"] != "base":
        return None
    if any(told["name"] == "reshuffle" for told in events[:n]):
        return None
    events[n]["card"] = singles[0]
    return n


def penalty_after_the_end(events: Events, n: int) -> int | None:
    if events[n]["chosen"] != "end":
        return None
    events[n]["chosen"] = "continue"
    return n + 1


def drawn_though_able(events: Events, n: int) -> int | None:
    """Another card of the options: what follows cannot be."""
    if events[n]["chosen"] == "draw" or "draw" not in events[n]["legal"]:
        return None
    events[n]["chosen"] = "draw"
    return n + 1


PLANTS: dict[str, Plant] = {
    "Onifuda from nowhere": ("deal", more_onifuda_than_made, "than the deck has"),
    "a card from nowhere": ("draw", card_from_nowhere, "in the draw pile"),
    "a penalty from nowhere": ("penalty", card_from_nowhere, "in the draw pile"),
    "an end that is none": ("declare", penalty_after_the_end, "the rules say"),
    "a draw that was none": ("play", drawn_though_able, "the rules say"),
}

LIED_ABOUT = {"deck": "440", "target": 60}
LIES_UNDER = {
    "first_oni": {"hand": 1, "target": 1},
    "tie": {"hand": 1, "target": 20, "points": [5] * 10},
}
LIES = [
    ("target", 60, 1),
    ("target", 1, 60),
    ("hand", 4, 3),
    ("sums_ok", [5, 9], [5]),
    ("sums_ok", [5], [5, 9]),
    ("guard", 20000, 3),
    ("blank_points", 20, 10),
    ("onifuda_points", 20, 10),
    ("points", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 11]),
]


class TestSpoilt(Spoilt):
    plays = PLAYS
    free = frozenset({("dealer", "seat"), ("setup", "players")})
    lied_about = LIED_ABOUT
    lies_under = LIES_UNDER
    lies = LIES
    unseen = frozenset({"dealer_tie"})
    plants = PLANTS

    def lawful(self, events: Events, n: int, how: str) -> bool:
        """An Onifuda may be flipped again, or not; of two penalties either may miss."""
        told, after = events[n], [*events, {}][n + 1]
        return told["name"] == "flip" and (
            told["card"] == "oni" or (how == "missing" and after.get("name") == "flip")
        )
