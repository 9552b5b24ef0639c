"""Every event of a game of Article II counts, and the referee calls every foul."""

from tests.article_ii.plays import PLAYS
from tests.article_ii.referee import check
from tests.games.event_lines import Events
from tests.games.spoilt import Plant, Spoilt


def card_of_another_dealt(events: Events, n: int) -> int | None:
    """More copies of a Style than there are."""
    hands, cards = events[n]["hands"], events[0]["rules"]["cards"]
    styles = [card for card, what in cards.items() if what["copies"] == 1]
    if not styles or not (hands[0] and hands[1]):
        return None
    hands[0][0] = hands[1][0] = styles[0]
    return n


def card_from_nowhere(events: Events, n: int) -> int | None:
    """A Style that lies on a player, or was dealt."""
    dealt = [told for told in events[:n] if told["name"] == "deal"][-1]["hands"]
    held = [card for hand in dealt for card in hand]
    cards = events[0]["rules"]["cards"]
    lone = [card for card in held if cards[card]["copies"] == 1]
    if not lone or any(told["name"] == "reshuffle" for told in events[:n]):
        return None
    events[n]["card"] = lone[0]
    return n


def tie_of_too_many(events: Events, n: int) -> int:
    events[n]["chosen"] = events[n]["seats"]
    return n


PLANTS: dict[str, Plant] = {
    "a card of another": ("deal", card_of_another_dealt, "more than the deck has"),
    "a card from nowhere": ("draw", card_from_nowhere, "is not in the deck"),
    "too many chosen": ("tie", tie_of_too_many, "tie.chosen"),
}


FREE = frozenset(
    {("start", "seat"), ("target", "chosen"), ("remove-from", "chosen")}
    | {("tie", "chosen"), ("setup", "players")}
)
LIED_ABOUT = {"hand": 5}
LIED_TABLES = {"no_positive_2p": 2}
LIES_UNDER = {"highlander_fallback": {"cards": {"highlander": {"copies": 6}}}}
LIES = [
    ("deck", "updated", "original"),
    ("deck", "original", "updated"),
    ("hand", 5, 4),
    ("guard", 500, 9),
    ("guard", 9, 500),
]


class TestSpoilt(Spoilt):
    plays = PLAYS
    free = FREE
    lied_about = LIED_ABOUT
    lies = LIES
    lied_tables, lies_under = LIED_TABLES, LIES_UNDER
    unseen = frozenset({"deck"})  # but for the printed ones, any name may be told
    plants = PLANTS

    def check(self, events: Events) -> None:
        check(events, further=True)

    def ruled_options(self) -> list[str]:
        return [key for key in super().ruled_options() if key != "deck"]

    def whole(self, events: Events, path: tuple[str | int, ...]) -> bool:
        """With exact halves whole numbers may be written as they are computed."""
        exact = events[0]["rules"]["halve"] == "exact"
        return not (exact and path[0] in ("electability", "totals"))
