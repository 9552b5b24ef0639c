"""What happens rarely in The Virtues of the Drake, and must be seen by the tests."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from sim.transcript import Event

DECKS = ("maiden", "knight", "treasure")
VIRTUES = ("gluttony", "wrath", "greed", "pride")
TAKES = (
    "discard_rightmost(gullet)",
    "discard_rightmost(lair)",
    "discard_rightmost(bed)",
    "discard_in_play(maiden)",
    "discard_in_play(knight)",
)


@dataclass(frozen=True)
class Turn:
    """The events of a turn, and what lay there before it."""

    rules: dict[str, Any]
    virtues: list[str]
    events: list[Event]
    piles: list[int]
    decks: list[int]
    in_play: frozenset[str]  # decks

    def of(self, name: str) -> list[Event]:
        """The events of this name."""
        return [event for event in self.events if event["name"] == name]

    @property
    def play(self) -> Event:
        return self.of("play")[0]

    @property
    def act(self) -> Event:
        """The action; one that nobody was asked for chooses nothing."""
        return next(iter(self.of("act")), {"chosen": "", "legal": []})

    @property
    def card(self) -> str:
        """The card turned up, if one was."""
        return str(next(iter(self.of("card")), {"card": ""})["card"])

    @property
    def used(self) -> dict[str, Any]:
        """The special card that is used, if one is."""
        name = self.act["chosen"].removeprefix("use ")
        cards = self.rules["special"] if name != self.act["chosen"] else []
        return next((card for card in cards if card["name"] == name), {})

    @property
    def discards(self) -> list[str]:
        """Where cards are discarded from."""
        return [event["from"] for event in self.of("discard")]

    @property
    def shufflers(self) -> list[str]:
        return [event["by"] for event in self.of("shuffle")]

    @property
    def now_in_play(self) -> set[str]:
        """What is in play when the action is chosen."""
        new = {self.play["chosen"]} - {"treasure"} if self.card else set[str]()
        return new | self.in_play

    def left(self) -> frozenset[str]:
        """What is in play after the turn."""
        gone = {"swallow": {"maiden"}, "fire": {"knight"}}.get(
            self.act["chosen"], set()
        )
        for event in self.of("discard"):
            if event["from"] == "in_play":
                gone = gone | {self.deck_of(event["card"])}
        return frozenset(self.now_in_play - gone)

    def deck_of(self, card: str) -> str:
        special = {one["name"]: one["deck"] for one in self.rules["special"]}
        return str(special.get(card) or dict(zip("MKT", DECKS, strict=True))[card[0]])


LOOKS: dict[str, Callable[[Turn], bool]] = {
    "two absent Virtues shuffle in a turn": lambda t: (
        len(set(t.shufflers) & set(VIRTUES)) > 1
    ),
    "a shuffle by a card in play": lambda t: (
        bool(t.shufflers) and t.used.get("use_from") == "in_play"
    ),
    "a shuffle with a card in play": lambda t: bool(t.shufflers) and bool(t.left()),
    "an empty deck is chosen": lambda t: not t.card,
    "a deck stays empty": lambda t: 0 in t.decks,
    "a Knight is robbed": lambda t: (
        "lair" in t.discards and t.play["chosen"] == "treasure"
    ),
    "the last Knight is robbed": lambda t: (
        t.piles[1] == 1 and t.play["chosen"] == "treasure" and "lair" in t.discards
    ),
    "a Treasure on an empty Lair": lambda t: (
        t.piles[1] == 0 and t.play["chosen"] == "treasure"
    ),
    "no Treasure, for the Lair is empty": lambda t: (
        "treasure" not in t.play["legal"] and t.decks[2] > 0
    ),
    "a Maiden is burnt": lambda t: t.act["chosen"] == "fire" and "gullet" in t.discards,
    "a Maiden stays": lambda t: (
        t.act["chosen"] == "fire" and t.piles[0] > 0 and "gullet" not in t.discards
    ),
    "fire with an empty Gullet": lambda t: (
        t.act["chosen"] == "fire" and t.piles[0] == 0
    ),
    "no fire, for the Gullet is empty": lambda t: (
        "knight" in t.now_in_play and bool(t.of("act")) and "fire" not in t.act["legal"]
    ),
    "both in play": lambda t: len(t.in_play) == 2,
    "a Maiden waits behind a Knight": lambda t: (
        len(t.now_in_play) == 2 and t.act["chosen"] == "fire"
    ),
    "only Treasures can be played": lambda t: t.play["legal"] == ["treasure"],
    "a card is used instead of fire": lambda t: (
        bool(t.used) and "fire" in t.act["legal"]
    ),
    "a card is used instead of swallowing": lambda t: (
        bool(t.used) and "swallow" in t.act["legal"]
    ),
    "passes though able to act": lambda t: (
        t.act["chosen"] == "pass" and bool({"swallow", "fire"} & set(t.act["legal"]))
    ),
    "passes with nothing but a card": lambda t: (
        t.act["chosen"] == "pass" and not {"swallow", "fire"} & set(t.act["legal"])
    ),
    "several cards can be used": lambda t: (
        sum(option.startswith("use") for option in t.act["legal"]) > 1
    ),
    "a card is used that lies not rightmost": lambda t: (
        t.used.get("use_from") == "bed"
        and t.used["cost"] == "discard_self"
        and t.play["chosen"] == "treasure"
        and t.card not in ("", t.used["name"])
    ),
    "an effect on nothing": lambda t: (
        t.used.get("effect") in TAKES
        and len(t.discards) < 1 + (t.used["cost"] == "discard_self")
    ),
    "a card in play discards itself, and then finds nothing": lambda t: (
        t.used.get("use_from") == "in_play"
        and t.used["cost"] == "discard_self"
        and t.used["effect"] == f"discard_in_play({t.used['deck']})"
    ),
    "a free action": lambda t: t.used.get("cost") == "none",
    "a shuffle for free": lambda t: bool(t.shufflers) and t.used.get("cost") == "none",
    **{
        f"{effect} takes a card": lambda t, effect=effect: (
            t.used.get("effect") == effect and len(t.discards) == 2
        )
        for effect in TAKES
    },
    **{
        f"swap_rightmost({pile})": lambda t, pile=pile, at=at: (
            t.used.get("effect") == f"swap_rightmost({pile})" and t.piles[at] > 2
        )
        for at, pile in enumerate(("gullet", "lair", "bed"))
    },
}
"""What may be rare in a turn."""

RARE = {
    *LOOKS,
    *(f"{virtue} wins" for virtue in VIRTUES),
    *(f"absent {virtue} wins" for virtue in VIRTUES),
    *(f"absent {virtue} shuffles" for virtue in VIRTUES),
    *(f"absent {virtue} wins after its shuffle" for virtue in VIRTUES),
    "Pride wins by stalemate",
    "absent Pride wins by stalemate",
    "stalemate though a deck has cards",
    "broken off",
    "a pile larger than the goal",
    "two shuffles by cards",
    "a card that paid stays discarded",
    "a Virtue is ignored",
}
"""What the games of the tests must show, each at least once."""


def rare(events: Sequence[Event]) -> Iterator[str]:
    """Which of the rare things happened in one game."""
    shuffles = [event["by"] for event in events if event["name"] == "shuffle"]
    yield from _end(events[-1], events[1]["virtues"], shuffles)
    yield from (f"absent {by} shuffles" for by in shuffles if by in VIRTUES)
    if sum(by not in VIRTUES for by in shuffles) > 1:
        yield "two shuffles by cards"
    rules = events[0]["rules"]
    ends = [event for event in events if "piles" in event]
    for before, after in pairwise(ends):
        if after["type"] == "outcome":
            yield from _grown(rules, before["piles"], after["piles"])
    for turn in turns(events):
        yield from (name for name, look in LOOKS.items() if look(turn))
        paid = turn.used.get("cost") == "discard_self" and not rules["sangria_returns"]
        if paid and turn.shufflers and any(turn.events[-1].get("discards", [])):
            yield "a card that paid stays discarded"


def turns(events: Sequence[Event]) -> Iterator[Turn]:
    """The turns of a game; one without a play is none."""
    rules, virtues = events[0]["rules"], events[1]["virtues"]
    sizes = [len(rules[key]) for key in ("maiden_chastity", "knight", "treasure_value")]
    for card in rules["special"]:
        sizes[DECKS.index(card["deck"])] += 1
    piles, decks = [1, 1, 1], [size - 1 for size in sizes]
    in_play: frozenset[str] = frozenset()
    told = [event for event in events if "turn" in event]
    for _, group in groupby(told, key=lambda event: event["turn"]):
        turn = Turn(rules, virtues, list(group), piles, decks, in_play)
        yield turn
        in_play = turn.left()
        last = turn.events[-1]
        if last["name"] == "turn":
            piles, decks = last["piles"], last["decks"]


def _end(result: Event, virtues: list[str], shuffles: list[str]) -> Iterator[str]:
    virtue, by = result["virtue"], result["by"]
    if by == "guard":
        yield "broken off"
    elif by == "stalemate":
        yield f"{'' if 'pride' in virtues else 'absent '}Pride wins by stalemate"
        if any(result["decks"]):
            yield "stalemate though a deck has cards"
    elif virtue in virtues:
        yield f"{virtue} wins"
    else:
        yield f"absent {virtue} wins"
        if virtue in shuffles:
            yield f"absent {virtue} wins after its shuffle"


def _grown(rules: dict[str, Any], before: list[int], after: list[int]) -> Iterator[str]:
    """Piles that are full and go on."""
    for one, other in zip(before, after, strict=True):
        if other > max(one, rules["goal"]):
            yield "a pile larger than the goal"
            if rules["absent_second_win"] == "ignored":
                yield "a Virtue is ignored"
