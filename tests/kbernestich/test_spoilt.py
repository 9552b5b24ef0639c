"""Every event of a game of Kbernestich counts, and the referee calls every foul."""

from tests.games.event_lines import Events, numbered
from tests.games.spoilt import Plant, Spoilt
from tests.kbernestich.plays import PLAYS


def others(events: Events, n: int) -> int:
    """A seat that is not the one written."""
    return int((events[n]["seat"] + 1) % events[0]["players"])


def dealt(events: Events, n: int, seat: int) -> list[str]:
    """The cards that a seat was dealt in the round of an event."""
    deals = [told for told in events[:n] if told["name"] == "deal"]
    return list(deals[-1]["hands"][seat])


def card_of_another_dealt(events: Events, n: int) -> int:
    hands = events[n]["hands"]
    hands[0][0] = hands[1][0]
    return n


def third_cube(events: Events, n: int) -> int | None:
    """A cube from nowhere: one more than a turn, or a hand, allows."""
    one, other = events[n : n + 2]
    same = other["name"] == "plot" and other["seat"] == one["seat"]
    if not same or "pass" in (one["chosen"], other["chosen"]):
        return None
    extra = {**other, "chosen": "pass"}
    extra["legal"] = [place for place in extra["legal"] if place != other["chosen"]]
    events[:] = numbered([*events[: n + 2], extra, *events[n + 2 :]])
    return n + 2


def cube_after_a_pass(events: Events, n: int) -> int | None:
    one, other = events[n : n + 2]
    if other["name"] != "plot" or other["seat"] != one["seat"]:
        return None
    events[n]["chosen"] = "pass"
    return n + 1 if "pass" in one["legal"] else None


def plot_before_trick_5(events: Events, n: int) -> int | None:
    if events[n]["trick"] != 5 or events[n - 1]["name"] != "trick":
        return None
    last = [told for told in events[:n] if told["name"] == "plot"][-1]
    extra = {**last, "trick": 5, "seat": events[n]["seat"]}
    events[:] = numbered([*events[:n], extra, *events[n:]])
    return n


def card_of_another_put_back(events: Events, n: int) -> int:
    events[n]["chosen"][0] = dealt(events, n, others(events, n))[0]
    return n


def card_put_back_twice(events: Events, n: int) -> int:
    events[n]["chosen"][0] = events[n]["chosen"][1]
    return n


def cards_taken_from_a_hand(events: Events, n: int) -> int:
    events[n]["taken"][0] = dealt(events, n, others(events, n))[0]
    return n


def observer_asked_too_early(events: Events, n: int) -> int | None:
    """He plays last, not right after he observed."""
    one, other = events[n : n + 2]
    if one["chosen"] != "observe" or other["seat"] == one["seat"]:
        return None
    events[n + 1]["seat"] = one["seat"]
    return n + 1


def face_down_card_wins(events: Events, n: int) -> int | None:
    cards = [told for told in events[max(n - 4, 0) : n] if told["name"] == "play"]
    down = [told for told in cards if told["chosen"].startswith("down")]
    if not down:
        return None
    events[n] |= {"winner": down[0]["seat"], "card": down[0]["chosen"][5:]}
    return n


def loser_leads(events: Events, n: int) -> int | None:
    if events[n + 1]["name"] not in ("play", "plot"):
        return None
    events[n + 1]["seat"] = others(events, n + 1)
    return n + 1


def scored_in_another_order(events: Events, n: int) -> int | None:
    if events[n + 1]["name"] != "score":
        return None
    events[n], events[n + 1] = events[n + 1], events[n]
    events[:] = numbered(events)
    return n


PLANTS: dict[str, Plant] = {
    "a card of another": ("deal", card_of_another_dealt, "more than the deck has"),
    "a third cube": ("plot", third_cube, "the rules say"),
    "a cube after a pass": ("plot", cube_after_a_pass, "the rules say"),
    "a plot phase too many": ("play", plot_before_trick_5, "say choice 'play'"),
    "put back from nowhere": ("review", card_of_another_put_back, "not in hand"),
    "put back twice": ("review", card_put_back_twice, "not in hand"),
    "taken from a hand": ("review", cards_taken_from_a_hand, "review.taken"),
    "asked too early": ("play", observer_asked_too_early, "play.seat"),
    "won face down": ("trick", face_down_card_wins, "trick.winner"),
    "the loser leads": ("trick", loser_leads, "seat: . is written, the rules say ."),
    "scored in another order": ("score", scored_in_another_order, "score.seat"),
}


LIED_ABOUT = {"rounds": 2}
LIES = [
    ("rounds", 2, 3),
    ("rounds", 3, 2),
    ("tricks", 11, 10),
    ("plot_before_tricks", 4, 5),
    ("cubes", 5, 4),
    ("cubes_per_turn", 2, 1),
    ("bust_default", 24, 26),
    ("hunch_points", 6, 5),
    ("misery_bonus_divisor", 2, 3),
    ("marie_from", [0, 1, 2, 3], [0, 1, 2]),
    ("zabine", [20, 22], [20, 24]),
    ("hunch", ["0", "1"], ["0", "2"]),
    ("actions", ["review", "optimism"], ["review", "pessimism"]),
]
LIES_UNDER = {"final_tie": {"rounds": 1, "tricks": 2, "plot_before_tricks": 1}}


class TestSpoilt(Spoilt):
    plays = PLAYS
    free = frozenset({("start", "seat"), ("deal", "start"), ("setup", "players")})
    lied_about = LIED_ABOUT
    lies = LIES
    lies_under = LIES_UNDER
    unseen = frozenset({"memories", ("low_tie", "random")})
    plants = PLANTS
