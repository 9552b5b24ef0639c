"""Narration of Kbernestich: its games in sentences."""

import re
from collections.abc import Sequence
from typing import ClassVar

from sim.narration import Event, Narrator

SUITS = {"B": "blue", "R": "red", "Y": "yellow", "G": "green", "none": "no suit"}


def square(name: str) -> str:
    """What a cube on a square of the sheet does, in words."""
    area, *rest = name.split("-")
    if area == "from":
        return f"{SUITS[rest[0]]} at {rest[1]}"
    words = {"bust": "bust above {}", "hunch": "bid {}", "to": "{} to Marie"}
    if area in words:
        return words[area].format("-".join(rest))
    return {"grace": "Hannah's Grace"}.get(name, name.capitalize())


class KbernestichNarrator(Narrator):
    """One line for the plots before a trick, one per trick, and how a round scores."""

    says: ClassVar = {"start": "", "claim": "{seat} claims {chosen}.", "cubes": ""}
    keeps = ("score",)
    reads = ("seat", "score")
    ends: ClassVar = {
        "points": "on points",
        "stack": "equal on points, but first to have them",
    }

    def begin(self) -> None:
        """Start with no scores."""
        self.scores: list[float] = [0] * self.players
        self.scored = 0

    def standing(self, event: Event) -> Sequence[float] | None:
        """Scores, once all seats have scored in a round."""
        self.scores[event["seat"]] = event["score"]
        self.scored += 1
        return list(self.scores) if self.scored % self.players == 0 else None

    def on_deal(self, event: Event) -> None:
        """Open the chapter of a round."""
        self.chapter(f"round {event['round']}", f"{self.name(event['start'])} starts")
        self.tricks = [0] * self.players
        self.bids = [""] * self.players

    def on_trump(self, event: Event) -> None:
        """Tell of the trump suit."""
        self.beat("trump")
        self.say(f"{self.name(event['seat'])} makes {SUITS[event['chosen']]} trump")

    def on_plot(self, event: Event) -> None:
        """Tell of a cube placed; passing is not told."""
        if event["chosen"] == "pass":
            return
        self.beat(f"plot {event['trick']}")
        self.also_of(event["seat"], square(event["chosen"]))
        if event["chosen"].startswith("hunch-"):
            self.bids[event["seat"]] = event["chosen"].removeprefix("hunch-")

    def on_review(self, event: Event) -> None:
        """Tell of cards put back."""
        self.then(f" (puts {' '.join(event['chosen'])} back)")

    def on_play(self, event: Event) -> None:
        """Tell of a card played to a trick."""
        self.beat(f"trick {event['trick']}")
        self.also(f"{self.name(event['seat'])} {event['chosen']}")

    def on_trick(self, event: Event) -> None:
        """Tell who wins a trick, and what that means for a bid."""
        who = event["winner"]
        self.tricks[who] += 1
        won, bid = self.tricks[who], self.bids[who]
        means = ""
        if bid:
            number = int(re.sub(r"\D", "", bid))
            if won == number:
                means = f" (trick {won}, as bid)"
            elif won == number + 1 and not bid.endswith("+"):
                means = f" (trick {won}, one more than bid)"
        self.then(f": {self.name(who)} wins with {event['card']}{means}")

    def on_score(self, event: Event) -> None:
        """Tell what a seat scores, and for what."""
        self.beat("scores")
        seat = event["seat"]
        parts = [
            f"{event[key]} {words}"
            for key, words in (
                ("to", "to Marie"),
                ("hunch", f"for the bid of {self.bids[seat]}"),
                ("misery", "for misery"),
                ("from", "from Marie"),
            )
            if event[key]
        ]
        if event["base"] and not event["from"]:
            parts.append(f"bust at {event['base']} from Marie")
        if self.bids[seat] and not event["hunch"]:
            parts.append(f"bid {self.bids[seat]} missed with {self.tricks[seat]}")
        self.say(f"{self.name(seat)}: {', '.join(parts) or 'nothing'}")
