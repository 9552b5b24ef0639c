"""A table for Article II where a person tells a game, event by event.

Made for trying the referee before and beside the engine, and apart from both. What is
plain bookkeeping (who holds what, what lies where, the sums told with it) is kept here;
what the rules decide (who is asked, what may be chosen, what comes next, who wins) is
for the test to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tests.games.telling import Events, event, numbered

NUMBERS = {
    "tack-center": (4, -3),
    "toe-the-line": (-3, 5),
    "steal-their-position": (6, -5),
    "slam-your-fellows": (3, -3),
    "negative-ad": (-3, 0),
    "sister-soulja-moment": (7, -7),
    "gaffe": (-3, -3),
    "true-blue": (0, 5),
    "civil-debate": (0, 3),
    "uncivil-debate": (-3, 0),
    "strange-pronouncement": (0, 2),
    "party-endorsement": (0, 5),
    "newspaper-endorsement": (3, 0),
    "policy-proposal": (0, 3),
}
"""Marks: Electability and Affiliation. What else is no one-shot is a Style."""

ONE_SHOTS = {"unaffiliated-activity": ("draw", 2), "voter-adhd": ("remove", 0)}


def about(card: str, copies: int) -> dict[str, Any]:
    """A card as a table of cards tells it, without the numbers that are 0."""
    if card in NUMBERS:
        told = dict(zip(("electability", "affiliation"), NUMBERS[card], strict=True))
        return {"kind": "mark", "copies": copies, **told}
    kind, draw = ONE_SHOTS.get(card, ("style", 0))
    return {"kind": kind, "copies": copies, "draw": draw}


class Told:
    """A game as it is told so far: hands are ``"a b | c d"``, one part a seat."""

    def __init__(
        self, hands: str, deck: str = "", *, start: int = 0, **rules: Any
    ) -> None:
        """Deal the Primary out of a deck of these cards; ``deck`` is what is left."""
        self.players = hands.count("|") + 1
        copies = Counter(hands.replace("|", "").split() + deck.split())
        cards = {card: about(card, number) for card, number in copies.items()}
        size = max(len(hand.split()) for hand in hands.split("|"))
        own = {"deck": "custom", "cards": cards, "hand": size}
        self.events: Events = []
        self.tell(
            "setup",
            "article_ii",
            players=self.players,
            lineup=["by hand"] * self.players,
            rules={**own, **rules},
            seed=1,
        )
        self.lying: list[list[str]] = [[] for _ in range(self.players)]
        self.phase = "primary"
        self.start(start).deal(hands)

    def tell(self, kind: str, name: str, **fields: Any) -> Told:
        self.events += numbered([event(kind, name, **fields)])
        self.events[-1]["n"] = len(self.events) - 1
        return self

    def within(self, seat: int) -> dict[str, Any]:
        return {"phase": self.phase, "turn": self.turn, "seat": seat}

    def ask(self, name: str, seat: int, legal: Iterable[Any], chosen: Any) -> Told:
        options = sorted(set(legal), key=str)
        return self.tell(
            "choice", name, **self.within(seat), legal=options, chosen=chosen
        )

    # Phases.

    def start(self, seat: int) -> Told:
        self.turn, self.opened = 0, False
        return self.tell("chance", "start", phase=self.phase, seat=seat)

    def deal(self, hands: str) -> Told:
        self.hands = [hand.split() for hand in hands.split("|")]
        copied = [list(hand) for hand in self.hands]
        return self.tell("chance", "deal", phase=self.phase, hands=copied)

    def general(self, start: int, hands: str) -> Told:
        """Begin the General, dealt out of the deck alone."""
        self.phase = "general"
        return self.start(start).deal(hands)

    def reshuffle(self, cards: int) -> Told:
        """Say that the discard pile gives so many cards."""
        return self.tell("chance", "reshuffle", phase=self.phase, cards=cards)

    # Turns.

    def turns(self) -> None:
        """Begin a turn, if Teflon has not."""
        self.turn += not self.opened
        self.opened = False

    def teflon(self, seat: int, card: str, legal: Sequence[str] | None = None) -> Told:
        self.turns()
        self.opened = True
        options = self.lying[seat] if legal is None else legal
        self.ask("teflon", seat, [*options, "none"], card)
        return self if card == "none" else self.removed(seat, card)

    def play(
        self,
        seat: int,
        card: str,
        target: int | None = None,
        targets: Sequence[int] | None = None,
    ) -> Told:
        """Play a card on somebody, or a one-shot on nobody."""
        self.turns()
        self.ask("play", seat, self.hands[seat], card)
        return self.lay(seat, card, target, targets)

    def second(self, seat: int, card: str, target: int | None = None) -> Told:
        self.ask("second", seat, [*self.hands[seat], "none"], card)
        return self if card == "none" else self.lay(seat, card, target)

    def lay(
        self,
        seat: int,
        card: str,
        target: int | None = None,
        targets: Sequence[int] | None = None,
    ) -> Told:
        self.hands[seat].remove(card)
        if target is None:
            return self
        seats = range(self.players) if targets is None else targets
        return self.ask("target", seat, seats, target).placed(target, card)

    def react(self, seat: int, card: str, actor: int) -> Told:
        """Let the Great Debater play a card, or none, on who played on him."""
        marks = [card for card in self.hands[seat] if card not in ONE_SHOTS]
        self.ask("react", seat, [*marks, "none"], card)
        if card == "none":
            return self
        self.hands[seat].remove(card)
        return self.placed(actor, card)

    def remove(self, seat: int, target: int, card: str) -> Told:
        """Let Voter ADHD, just played, remove this."""
        seats = [other for other in range(self.players) if self.lying[other]]
        self.ask("remove-from", seat, seats, target)
        return self.ask("remove", seat, self.lying[target], card).removed(target, card)

    def draw(self, seat: int, card: str) -> Told:
        self.hands[seat].append(card)
        return self.tell("chance", "draw", **self.within(seat), card=card)

    def placed(self, target: int, card: str) -> Told:
        old = [c for c in self.lying[target] if about(c, 1)["kind"] == "style"]
        if old and about(card, 1)["kind"] == "style":
            self.removed(target, old[0])
        self.lying[target].append(card)
        return self.moved("placed", target, card)

    def removed(self, target: int, card: str) -> Told:
        self.lying[target].remove(card)
        return self.moved("removed", target, card)

    def moved(self, name: str, seat: int, card: str) -> Told:
        pairs = [NUMBERS.get(c, (0, 0)) for c in self.lying[seat]]
        sums = [sum(pair[n] for pair in pairs) for n in (0, 1)]
        told = {"card": card, "electability": sums[0], "affiliation": sums[1]}
        return self.tell("outcome", name, **self.within(seat), **told)

    # Ends.

    def tie(self, seats: list[int], chosen: list[int]) -> Told:
        return self.tell("chance", "tie", phase="primary", seats=seats, chosen=chosen)

    def primary(
        self, electability: list[Any], affiliation: list[int], candidates: list[int]
    ) -> Told:
        pairs = zip(electability, affiliation, strict=True)
        return self.tell(
            "outcome",
            "primary",
            electability=electability,
            affiliation=affiliation,
            totals=[one + two for one, two in pairs],
            candidates=candidates,
        )

    def totals(
        self, electability: list[Any], affiliation: list[int], totals: list[Any]
    ) -> Told:
        """End the General; who has no total is no contender."""
        contenders = [seat for seat, total in enumerate(totals) if total is not None]
        return self.tell(
            "outcome",
            "general",
            electability=electability,
            affiliation=affiliation,
            contenders=contenders,
            totals=totals,
        )

    def result(self, by: str, winners: list[int], candidates: list[int]) -> Events:
        winner = winners[0] if len(winners) == 1 else None
        told = {"winner": winner, "by": by, "winners": winners}
        self.tell("result", "article_ii", **told, candidates=candidates)
        return self.events
