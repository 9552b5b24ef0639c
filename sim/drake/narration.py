"""Narration of The Virtues of the Drake: its games in sentences."""

from collections.abc import Sequence
from typing import ClassVar

from sim.narration import TURNS, Event, Narrator

PILES = {"gluttony": ("Gullet", 0), "wrath": ("Lair", 1), "greed": ("Bed", 2)}
DECKS = ("Maidens", "Knights", "Treasures")


class DrakeNarrator(Narrator):
    """One line per turn: the card, what the Dragon does, and who is how near."""

    says: ClassVar = {"start": "{seat} begins.", "piles": ""}
    keeps = ("virtues", "turn")
    reads = ("virtues", "decks", "piles")
    ends: ClassVar = {
        **{pile.lower(): f"with a full {pile}" for pile, _ in PILES.values()},
        "deck": "as a deck is empty",
        "stalemate": "as nobody can do anything",
        "guard": "the game was broken off",
    }

    def begin(self) -> None:
        """Start with no Virtues known."""
        self.virtues: list[str] = []

    def standing(self, event: Event) -> Sequence[float] | None:
        """How many cards each seat's Virtue still needs to win."""
        if event["name"] == "virtues":
            self.virtues = event["virtues"]
            return None
        full, smallest = self.rules["goal"], min(event["decks"])
        return [
            full - event["piles"][PILES[virtue][1]] if virtue in PILES else smallest
            for virtue in self.virtues
        ]

    def final(self, event: Event) -> Sequence[float] | None:
        """The result has the standings of the last turn."""
        return self.standing(event)

    def on_virtues(self, event: Event) -> None:
        """Tell of the Virtues, and what each needs."""
        self.chapter("Virtues")
        for seat, virtue in enumerate(self.virtues):
            wants = "an empty deck"
            if virtue in PILES:
                wants = f"{self.rules['goal']} cards in the {PILES[virtue][0]}"
            self.also(f"{self.name(seat)} {virtue.capitalize()} ({wants})")

    def on_play(self, event: Event) -> None:
        """Tell whose turn it is; the card follows when it is turned up."""
        self.active = event["seat"]

    def on_card(self, event: Event) -> None:
        """Tell of the card turned up."""
        self.chapter(TURNS)
        self.beat(f"turn {event['turn']}")
        card = event["card"]
        if card[1:2].isdigit():
            kinds = {"M": "the Maiden", "K": "the Knight", "T": "the Treasure"}
            card = f"{kinds[card[0]]} {card}"
        self.say(f"{self.name(self.active)} turns up {card}")

    def on_act(self, event: Event) -> None:
        """Tell what the Dragon does."""
        acts = {"swallow": "swallows", "fire": "breathes fire", "pass": "does nothing"}
        self.then(f" and {acts.get(event['chosen'], 'uses ' + event['chosen'])}")

    def on_discard(self, event: Event) -> None:
        """Tell of a discard."""
        self.then(f"; {event['card']} leaves the {event['from'].capitalize()}")

    def on_shuffle(self, event: Event) -> None:
        """Tell of discards shuffled back."""
        self.say(f"All discards are shuffled back, by {event['by']}")

    def on_turn(self, event: Event) -> None:
        """Tell who needs the fewest cards."""
        piles, decks = event["piles"], event["decks"]
        self.say(
            f"Gullet {piles[0]}, Lair {piles[1]}, Bed {piles[2]}; "
            f"smallest deck: {DECKS[decks.index(min(decks))]} {min(decks)}"
        )

    def result(self, event: Event) -> None:
        """Tell which Virtue won."""
        if event["virtue"]:
            piles, decks = event["piles"], event["decks"]
            self.say(
                f"{event['virtue'].capitalize()} has won after {event['turns']} turns: "
                f"Gullet {piles[0]}, Lair {piles[1]}, Bed {piles[2]}, "
                f"decks {decks[0]}, {decks[1]} and {decks[2]}"
            )
