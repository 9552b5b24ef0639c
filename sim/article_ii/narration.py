"""Narration of Article II: its games in sentences."""

from collections.abc import Sequence
from typing import ClassVar

from sim.narration import Event, Narrator
from sim.narration_words import title_case, with_sign

_ADHD = "voter-adhd"


def title(name: str) -> str:
    """A card as it is called."""
    return title_case(name, {"adhd": "ADHD", "the": "the", "ad": "Ad"})


class ArticleIINarrator(Narrator):
    """One line per turn: which card on whom, and where that puts them.

    Standings are those of the cards as they lie, before the effects of Styles:
    Electability plus Affiliation in the Primary, less Affiliation in the General.
    """

    says: ClassVar = dict.fromkeys(("target", "remove-from", "remove", "tie"), "")
    keeps = ("placed", "removed", "primary", "general")
    reads = (
        "seat",
        "phase",
        "totals",
        "candidates",
        "contenders",
        "electability",
        "affiliation",
    )
    ends: ClassVar = {
        "total": "with the highest total",
        "electability": "on Electability, equal on totals",
        "shared": "the highest total is shared",
        "spoiler": "as the Spoiler of most Electability, as no total is above 0",
        "spoiler-shared": "Spoilers share it",
        "none": "no total is above 0",
        "guard": "the game was broken off",
    }

    def begin(self) -> None:
        """Start with no cards on the table."""
        self.cards: list[tuple[float, float]] = [(0, 0)] * self.players
        self.phase = "primary"
        self.running = list(range(self.players))
        self.card, self.gone = "", ""

    def standing(self, event: Event) -> Sequence[float | None]:
        """Totals of the phase, by the cards; at its end the ones that count."""
        if event["name"] in ("primary", "general"):
            among = "candidates" if event["name"] == "primary" else "contenders"
            self.running = list(event[among])
            totals: Sequence[float | None] = event["totals"]
            return totals
        attributes = (event["electability"], event["affiliation"])
        self.cards[event["seat"]] = attributes
        sign = 1 if event["phase"] == "primary" else -1
        return [
            e + sign * a if seat in self.running else None
            for seat, (e, a) in enumerate(self.cards)
        ]

    def on_start(self, event: Event) -> None:
        """Open the chapter of a phase."""
        says = {
            "primary": "Electability plus Affiliation makes two Candidates",
            "general": "the highest Electability less Affiliation wins",
        }
        self.chapter(title(event["phase"]), says.get(event["phase"], ""))
        self.say(f"{self.name(event['seat'])} begins")

    def on_deal(self, event: Event) -> None:
        """Say nothing: hands are hidden."""
        self.beat("deal")

    def on_reshuffle(self, event: Event) -> None:
        """Tell of a reshuffle."""

    def on_play(self, event: Event) -> None:
        """Tell of a card played."""
        self.beat(f"turn {event['turn']}")
        self._plays(f"{self.name(event['seat'])} plays", event["chosen"])

    def on_second(self, event: Event) -> None:
        """Tell of a second card, if any."""
        if event["chosen"] != "none":
            self._plays("As an Insider also", event["chosen"])

    def on_teflon(self, event: Event) -> None:
        """Tell of a card that the Teflon Wonder removes."""
        self.beat(f"turn {event['turn']}")
        if event["chosen"] != "none":
            self._plays(f"{self.name(event['seat'])} is Teflon", "")

    def on_react(self, event: Event) -> None:
        """Tell of a Great Debater's answer, if any."""
        if event["chosen"] != "none":
            who = self.name(event["seat"])
            self._plays(f"{who}, a Great Debater, answers with", event["chosen"])

    def _plays(self, words: str, card: str) -> None:
        self.say(f"{words} {title(card)}".strip())
        self.card, self.gone = card, ""

    def on_placed(self, event: Event) -> None:
        """Tell of a card placed on a player, and what their cards add up to."""
        e, a = map(with_sign, self.cards[event["seat"]])
        place = f" in place of {self.gone}" if self.gone else ""
        self.then(f" on {self.name(event['seat'])}{place} (E {e}, A {a})")
        self.gone = ""

    def on_removed(self, event: Event) -> None:
        """Tell of a card removed, as a Style is when another replaces it."""
        if self.card in ("", _ADHD):
            who = self.name(event["seat"])
            self.then(f": {title(event['card'])} leaves {who}")
        else:
            self.gone = title(event["card"])

    def on_draw(self, event: Event) -> None:
        """Tell of a card drawn."""
        self.then(f", {self.name(event['seat'])} draws a card")

    def on_necromancer(self, event: Event) -> None:
        """Tell whose Affiliation counts."""
        self.say(f"{self.words(event)['seat']} counts another's Affiliation")

    def on_primary(self, event: Event) -> None:
        """Tell who the Candidates are."""
        self.beat("the vote")
        totals = self.by_name(event["totals"])
        self.say(f"With Styles {totals}: {self.names(self.running)} are Candidates")

    def on_general(self, event: Event) -> None:
        """Tell the totals that count."""
        self.beat("the vote")
        self.say(f"With Styles {self.by_name(event['totals'])}")
