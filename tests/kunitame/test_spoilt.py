"""Every event of a game of Kunitame counts, and the referee calls every foul."""

from tests.games.event_lines import Events, event, numbered
from tests.games.spoilt import Plant, Spoilt
from tests.kunitame.plays import PLAYS


def hand_with_a_card_of_another(events: Events, n: int) -> int:
    hands = events[n]["hands"]
    hands[0][0] = next(card for card in hands[1] if card != "P")
    return n


def hand_with_a_devil(events: Events, n: int) -> int:
    events[n]["hands"][0][0] = "D1"
    return n


def card_played_twice(events: Events, n: int) -> int | None:
    told = events[n]
    same = {"name": "play", "week": told["week"], "seat": told["seat"]}
    before = [one["chosen"] for one in events[:n] if same.items() <= one.items()]
    if not before or before[0] == "P":
        return None
    told["legal"], told["chosen"] = [*told["legal"], before[0]], before[0]
    return n


def stake_without_devil(events: Events, n: int) -> int | None:
    seat, drawn = events[n]["seat"], [t for t in events[n:] if t["name"] == "devil"]
    if not events[n]["chosen"] or not drawn or drawn[0]["seat"] != seat:
        return None
    events[n]["chosen"] = {}
    return int(drawn[0]["n"])


def stake_of_the_last_life(events: Events, n: int) -> int:
    events[n]["chosen"] = {"1": events[n]["max_gems"] + 1}
    return n


def devil_drawn_twice(events: Events, n: int) -> int | None:
    if events[n + 1]["name"] != "devil":
        return None
    events[n + 1]["card"] = events[n]["card"]
    return n + 1


def more_cancelled_than_placed(events: Events, n: int) -> int:
    square = next(iter(events[n]["chosen"]))
    events[n]["chosen"][square] += 3
    return n


def gem_from_nowhere(events: Events, n: int) -> int:
    extra = event("outcome", "gem", week=1, seat=0, square="white", value=1)
    events[:] = numbered([*events[: n + 1], extra, *events[n + 1 :]], events[0]["game"])
    return n + 1


def tie_of_equal_cards(events: Events, n: int) -> int:
    events[n]["cards"] = dict.fromkeys(events[n]["cards"], 5)
    return n


def tie_with_a_seat_too_many(events: Events, n: int) -> int | None:
    seats = map(str, range(events[0]["players"]))
    spare = [seat for seat in seats if seat not in events[n]["cards"]]
    events[n]["cards"] |= dict.fromkeys(spare[:1], 1)
    return n if spare else None


def tie_won_by_the_lower_card(events: Events, n: int) -> int:
    cards = events[n]["cards"]
    events[n]["cards"] = {seat: 14 - card for seat, card in cards.items()}
    return n + 1


PLANTS: dict[str, Plant] = {
    "a card of another": ("deal", hand_with_a_card_of_another, "than the deck has"),
    "a Devil dealt": ("deal", hand_with_a_devil, "than the deck has"),
    "a card played twice": ("play", card_played_twice, "too many or twice"),
    "a stake without a Devil": ("contract", stake_without_devil, "devil"),
    "the last life staked": ("contract", stake_of_the_last_life, "is more than"),
    "a Devil drawn twice": ("devil", devil_drawn_twice, "not in the Devil deck"),
    "too many cancelled": ("cancel", more_cancelled_than_placed, "cancel"),
    "a gem from nowhere": ("trick", gem_from_nowhere, "the rules say"),
    "equal cards drawn": ("tie", tie_of_equal_cards, "tie.cards"),
    "a seat too many draws": ("tie", tie_with_a_seat_too_many, "tie.cards"),
    "the lower card wins": ("tie", tie_won_by_the_lower_card, "winner"),
}


LIED_ABOUT = {
    "weeks": 2,
    "rounds": 6,
    "life": 3,
    "removed_pledge": "none",
    "devil_ranks": 5,
    "priests_per_player": 2,
}
LIES_UNDER = {"all_eliminated": {"weeks": 1, "life": 1}}
LIES = [
    ("weeks", 2, 3),
    ("weeks", 3, 2),
    ("hand", 7, 8),
    ("hand", 8, 7),
    ("rounds", 5, 6),
    ("rounds", 6, 5),
    ("life", 3, 2),
    ("life", 2, 3),
    ("ranks", 13, 12),
    ("devil_ranks", 5, 4),
    ("devil_ranks", 5, 6),
    ("priests_per_player", 3, 2),
    ("contract_limit", 1, 2),
    ("contract_limit", 2, 1),
    ("contract_returns", [1, 1, 1, 1, 1], [1, 2, 1, 1, 1]),
    ("contract_points", [0, 0, 0, 0, 0], [0, 1, 0, 0, 0]),
    ("contract_squares", [1, 2, 3, 4, 5], [0, 1, 2, 3, 4]),
    *(("removed_pledge", "none", f"P{n}") for n in range(1, 8)),
    *(("removed_pledge", f"P{n}", "none") for n in range(1, 8)),
]


class TestSpoilt(Spoilt):
    plays = PLAYS
    free = frozenset(
        {("dealer", "seat"), ("tie", "cards"), ("contract", "chosen")}
        | {("setup", "players")}
    )
    lied_about = LIED_ABOUT
    lies_under = LIES_UNDER
    plants = PLANTS
    lies = LIES
