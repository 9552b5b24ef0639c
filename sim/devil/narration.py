"""Narration of Devil: its games in sentences."""

from collections.abc import Sequence
from typing import ClassVar

from sim.narration import Event, Narrator


class DevilNarrator(Narrator):
    """One line for each time around the table, and what a round costs."""

    says: ClassVar = {
        "dealer": "",
        "tie": "{seats} are equal, and chance takes {chosen}.",
    }
    keeps = ("round",)
    reads = ("scores",)
    ends: ClassVar = {
        "points": "with the lowest total",
        "shared": "the lowest total is shared",
        "guard": "the game was broken off",
        "rounds": "on rounds won, equal on points",
        "random": "by chance, equal on points",
    }

    def standing(self, event: Event) -> Sequence[float]:
        """Totals, of which the lowest wins."""
        return list(event["scores"])

    def on_deal(self, event: Event) -> None:
        """Open the chapter of a round."""
        self.chapter(f"round {event['round']}", f"{self.name(event['dealer'])} deals")
        self.cards = [len(hand) for hand in event["hands"]]
        self._drew = -1

    def on_flip(self, event: Event) -> None:
        """Tell of the first card of the pile."""
        self.beat("flip")
        self.say(f"{event['card']} is turned up")

    def on_draw(self, event: Event) -> None:
        """Tell of a card drawn because none fits."""
        self._turn(event)
        self.also(f"{self.name(event['seat'])} draws")
        self.cards[event["seat"]] += 1
        self._drew = event["turn"]

    def on_play(self, event: Event) -> None:
        """Tell of a card played, and how few are left."""
        self._turn(event)
        seat, card = event["seat"], event["chosen"]
        self.cards[seat] -= 1
        if self._drew == event["turn"]:
            self.then(f" {card} and plays it")
        else:
            self.also(f"{self.name(seat)} {card}")
        if self.cards[seat] == 1:
            self.then(" (one card left)")

    def on_declare(self, event: Event) -> None:
        """Tell of a decision after a Special."""
        ends = event["chosen"] == "end"
        self.then(" and ends the round" if ends else " and lets the round go on")

    def on_penalty(self, event: Event) -> None:
        """Tell of cards drawn because of a Special."""
        self.also(f"{self.name(event['seat'])} must draw")
        self.cards[event["seat"]] += 1

    def on_skip(self, event: Event) -> None:
        """Tell of a turn lost."""
        self.then(f" ({self.name(event['seat'])} is skipped)")

    def on_reshuffle(self, event: Event) -> None:
        """Tell of a reshuffle."""
        self._turn(event)
        self.also("the pile is shuffled anew")

    def on_round(self, event: Event) -> None:
        """Tell how the round ended, and what it cost."""
        self.beat("the round")
        how = {
            "out": "is out of cards",
            "end": "ends the round with a Special",
            "oni": "ends the round with the Onifuda",
        }[event["by"]]
        self.say(f"{self.name(event['winner'])} {how}")
        self.say(f"It costs {self.by_name(event['added'])}")
        goal, most = self.rules["target"], max(event["scores"])
        if goal and most < goal:
            self.say(f"The game ends at {goal}, {goal - most} from here")

    def _turn(self, event: Event) -> None:
        """Open a line for each time around the table."""
        lap = (event["turn"] - 1) // self.players * self.players
        self.beat(f"turns {lap + 1}-{lap + self.players}")
