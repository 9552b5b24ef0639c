"""Narration of Evilpact: its games in sentences."""

from collections.abc import Sequence
from typing import ClassVar

from sim.narration import Event, Narrator
from sim.narration_words import join_words


class EvilpactNarrator(Narrator):
    """One line per turn: the card, the spell, its effect; elements led by round."""

    says: ClassVar = {"start": "", "sideways": "", "cast": ""}
    keeps = ("round",)
    reads = ("power",)
    ends: ClassVar = {
        "contract": "as only the other breaks the contract",
        "elements": "with more elements",
        "hand": "with more cards in hand, equal on elements",
        "draw": "equal on elements and hands",
    }

    def standing(self, event: Event) -> Sequence[float]:
        """The number of elements that each seat leads."""
        pairs = [*zip(*event["power"], strict=True)]
        return [sum(a > b for a, b in pairs), sum(b > a for a, b in pairs)]

    def on_seal(self, event: Event) -> None:
        """Tell of the sealed spells."""
        self.chapter("start", f"{self.name(self.first)} starts")
        self.beat("sealed")
        for seat, spell in enumerate(event["spells"]):
            self.also(f"{self.name(seat)}'s {spell.title()}")

    def on_market(self, event: Event) -> None:
        """Open the chapter of a round."""
        self.chapter(f"round {event['round']}", ", ".join(event["cards"]))

    def on_acquire(self, event: Event) -> None:
        """Tell of a card acquired."""
        self.beat(f"turn {event['turn']}")
        if self._open and self._line().text.startswith(self.name(event["seat"])):
            self.then(f" and {event['chosen']}")
        else:
            self.say(f"{self.name(event['seat'])} takes {event['chosen']}")

    def on_element(self, event: Event) -> None:
        """Tell what a Turbidity card counts for."""
        self.then(f" (as {event['chosen']})")

    def on_spell(self, event: Event) -> None:
        """Tell of a spell announced."""
        if "turn" in event:
            self.beat(f"turn {event['turn']}")
        source = "the contract" if event["from"] == "contract" else "the hand"
        self.say(
            f"{self.name(event['seat'])} casts {event['spell'].title()} from {source}, "
            f"at level {event['level']}"
        )

    def on_counter(self, event: Event) -> None:
        """Tell of Hastur countering a spell, if so."""
        if event["chosen"] != "pass":
            self.then(f"; {self.name(event['seat'])} counters it")

    def on_exclude(self, event: Event) -> None:
        """Tell of a card excluded from the opponent's library."""
        whose = self.name(1 - event["seat"])
        self.then(f"; {event['chosen']} leaves {whose}'s library")

    def on_flip(self, event: Event) -> None:
        """Tell of a Turbidity card flipped to its other element."""
        if event["chosen"] != "pass":
            seat, _, card = event["chosen"].partition(":")
            was, _, now = card.partition("/")
            self.then(f"; {self.name(int(seat))}'s {was} becomes {now}")

    def on_lose(self, event: Event) -> None:
        """Tell of spells lost to Cthulhu."""
        lost = [name.title() for name in event["spells"]]
        words = f"loses {join_words(lost)}" if lost else "has none to lose"
        self.then(f"; {self.name(event['seat'])} {words}")

    def on_contract(self, event: Event) -> None:
        """Tell of a contract, whose element must not fall behind."""
        self.chapter("contracts", "whose element falls behind has lost")
        self.also(f"{self.name(event['seat'])} {event['chosen'].title()}")

    def on_round(self, event: Event) -> None:
        """Tell the power of each element."""
        self.beat("power")
        elements = self.rules["elements"]
        pairs = zip(elements, *event["power"], strict=True)
        self.say(", ".join(f"{name} {a}:{b}" for name, a, b in pairs))

    def result(self, event: Event) -> None:
        """Tell of contracts, elements and hands."""
        for seat, kept in enumerate(event["fulfilled"]):
            self.say(f"{self.name(seat)}'s contract is {'kept' if kept else 'broken'}")
        self.say(f"Elements {self.by_name(event['elements'])}")
        self.say(f"Cards in hand {self.by_name(event['hands'])}")
