"""Games of Article II as a person tells them, played by the engine on that deck.

A `Told` game is told choice by choice and card by card, as in the rulebook's examples;
the engine plays it with a deck that lies so. What it tells has to be what was told.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pytest

from sim import masks
from sim.answers import ids_of
from sim.article_ii.rules import ArticleII
from sim.chance import Counter as Count
from sim.chance import Purpose, Rows
from sim.masks import Masks
from sim.table import StrategyFailed
from sim.transcript import Transcript
from sim.view import View
from tests.article_ii.plays import PLAYS
from tests.article_ii.referee import FURTHER, check
from tests.games.event_lines import Events, Rules
from tests.games.referee import Foul
from tests.games.scripted import Scripted, Stacked, starting

PRINTED = [card.id for card in ArticleII().cards]
FOLLOWS = ("placed", "removed")  # what the rules make of it, told by the engine


class Pause(Exception):
    """The script has come to its end, at a question."""


class _Player(Scripted):
    """Stops at the first question after the script."""

    asked: dict[str, Any]

    def decide(self, view: View) -> Masks:
        word = next(self._words, None)
        if word is None:
            ids, seat = ids_of(view, 0), view.seat
            who = seat if isinstance(seat, int) else int(seat[0])
            legal = [ids[n] for n in masks.members(view.legal[0])]
            self.asked = {"type": "choice", "name": view.kind.name, "seat": who}
            self.asked["legal"] = list(dict.fromkeys(legal))
            raise Pause
        return np.array([self.answer(view, word)], dtype=np.uint64)


class _Decks(Stacked):
    """Decks that lie as the cards come in a story, also when they are shuffled anew."""

    def __init__(
        self, state: Any, coming: Sequence[str], tossed: Sequence[int]
    ) -> None:
        super().__init__(state.chance, self._first)
        self._state = state
        self._coming, self._tossed = list(coming), list(tossed)

    def _take(self, cards: Sequence[int]) -> list[int]:
        """These cards in the order in which they come; then the others."""
        ids, left, first = self._state.vocabularies["card"], list(cards), list[int]()
        while self._coming and len(first) < len(cards):
            found = [card for card in left if ids[card] == self._coming[0]]
            if not found:
                break
            first.append(found[0])
            left.remove(found[0])
            del self._coming[0]
        return [*first, *left]

    def _first(self, cards: Sequence[int]) -> Sequence[int]:
        return self._take(cards)

    def bits(self, purpose: Purpose, counter: Count, rows: Rows | None = None) -> Masks:
        if purpose is not Purpose.DEAL or isinstance(counter, int):
            return super().bits(purpose, counter, rows)
        if not counter.size:
            return np.zeros_like(counter)
        state = self._state
        deck = (state.stack[(state.top[0] + n) % 64, 0] for n in range(state.left[0]))
        away = (*state.hands, *state.lying, state.card)
        away_or_left = int(masks.join(list(away))[0]) | sum(1 << int(n) for n in deck)
        cards = masks.members(int(state.layout.everything) & ~away_or_left)
        places = {card: place for place, card in enumerate(self._take(cards))}
        keys = [places[card] << 8 for card in cards]
        spare = [0] * (counter.shape[0] - len(keys))
        return np.array([*keys, *spare], dtype=np.uint64)[:, None]

    def short_bits(
        self, purpose: Purpose, counter: Count, draw: int = 0, rows: Rows | None = None
    ) -> Masks:
        if purpose is not Purpose.TIE or not self._tossed:
            return super().short_bits(purpose, counter, draw, rows)
        rank, size = self._tossed.pop(0), self._tossed.pop(0)
        return np.array([-(-(rank << masks.CHANCE_BITS) // size)], dtype=np.uint64)


class Transcribed:
    """A game as it is told so far: hands are ``"a b | c d"``, one part a seat."""

    def __init__(
        self, hands: str, deck: str = "", *, start: int = 0, **rules: Any
    ) -> None:
        """Deal the Primary out of a deck of these cards; ``deck`` is what is left.

        ``more`` are cards that are not printed.
        """
        self.players = hands.count("|") + 1
        copies = Counter(hands.replace("|", "").split() + deck.split())
        size = max(1, *(len(hand.split()) for hand in hands.split("|")))
        gone = {card: {"remove": True} for card in PRINTED if card not in copies}
        cards = gone | {card: {"copies": count} for card, count in copies.items()}
        cards |= rules.pop("more", {})
        own = {"deck": "custom", "cards": cards, "hand": size}
        self.rules: Rules = {**own, **rules}
        self.vocabularies: list[str] = []
        self.coming: list[str] = []
        self.tossed: list[int] = []
        self.starts: list[int] = []
        self.story: Events = []
        self.phase = "primary"
        self.start(start).deal(hands)

    def tell(self, kind: str, name: str, **fields: Any) -> Self:
        """What has to come next."""
        self.story.append({"type": kind, "name": name, **fields})
        return self

    def ask(self, name: str, seat: int, chosen: Any, **more: Any) -> Self:
        self.vocabularies.append(str(chosen))
        return self.tell("choice", name, seat=seat, chosen=chosen, **more)

    # Phases.

    def start(self, seat: int) -> Self:
        self.starts.append(seat)
        return self.tell("chance", "start", phase=self.phase, seat=seat)

    def deal(self, hands: str) -> Self:
        """Deal these hands, a card each in turn from who starts."""
        dealt = [hand.split() for hand in hands.split("|")]
        for place in range(max(map(len, dealt))):
            for step in range(self.players):
                hand = dealt[(self.starts[-1] + step) % self.players]
                self.coming += hand[place : place + 1]
        return self.tell("chance", "deal", hands=dealt)

    def general(self, start: int, hands: str) -> Self:
        """Begin the General."""
        self.phase = "general"
        return self.start(start).deal(hands)

    def reshuffle(self, cards: int) -> Self:
        return self.tell("chance", "reshuffle", phase=self.phase, cards=cards)

    # Turns.

    def teflon(self, seat: int, card: str, legal: Sequence[str] = ()) -> Self:
        """Let the Teflon Wonder remove a card, or none; ``legal`` are those he may."""
        more = {"legal": [*legal, "none"]} if legal else {}
        return self.ask("teflon", seat, card, **more)

    def play(
        self,
        seat: int,
        card: str,
        target: int | None = None,
        targets: Sequence[int] | None = None,
    ) -> Self:
        """Play a card on somebody, or a one-shot on nobody."""
        self.ask("play", seat, card)
        return self.lay(seat, target, targets)

    def second(self, seat: int, card: str, target: int | None = None) -> Self:
        self.ask("second", seat, card)
        return self.lay(seat, target)

    def lay(
        self, seat: int, target: int | None, targets: Sequence[int] | None = None
    ) -> Self:
        if target is None:
            return self
        more = {} if targets is None else {"legal": list(targets)}
        return self.ask("target", seat, target, **more)

    def react(self, seat: int, card: str, actor: int) -> Self:
        """Let the Great Debater play a card, or none, on who played on him."""
        return self.ask("react", seat, card)

    def remove(self, seat: int, target: int, card: str) -> Self:
        """Let Voter ADHD, just played, remove this."""
        return self.ask("remove-from", seat, target).ask("remove", seat, card)

    def draw(self, seat: int, card: str) -> Self:
        self.coming.append(card)
        return self.tell("chance", "draw", seat=seat, card=card)

    # Ends.

    def tie(self, seats: list[int], chosen: list[int]) -> Self:
        among = list(seats)
        for seat in chosen:
            self.tossed += [among.index(seat), len(among)]
            among.remove(seat)
        return self.tell("chance", "tie", seats=seats, chosen=chosen)

    def primary(
        self, electability: list[Any], affiliation: list[int], candidates: list[int]
    ) -> Self:
        told = {"electability": electability, "affiliation": affiliation}
        return self.tell("outcome", "primary", **told, candidates=candidates)

    def totals(
        self, electability: list[Any], affiliation: list[int], totals: list[Any]
    ) -> Self:
        """End the General; who has no total is no contender."""
        told = {"electability": electability, "affiliation": affiliation}
        return self.tell("outcome", "general", **told, totals=totals)

    def result(self, by: str, winners: list[int], candidates: list[int]) -> Events:
        """End the game: the engine's transcript, which has to be without a foul."""
        winner = winners[0] if len(winners) == 1 else None
        told = {"winner": winner, "by": by, "winners": winners}
        self.tell("result", "article_ii", **told, candidates=candidates)
        events, later = self.played()
        assert not later
        check(events, further=self.further)
        return events

    # What the engine makes of it.

    @property
    def further(self) -> bool:
        """Whether a rule is one that the transcript format leaves unrefereed."""
        return bool({*FURTHER, "styles"} & self.rules.keys())

    def played(self) -> tuple[Events, Events]:
        """The events as far as they were told, and what comes after them."""
        state = starting(PLAYS, self.rules, self.players, self._starts)
        player, writer = _Player(self.vocabularies), Transcript(PLAYS.game)
        writer.open(state, [["by hand"] * self.players])
        state.chance = _Decks(state, self.coming, self.tossed)
        try:
            PLAYS.game.play(state, PLAYS.table([player], writer))
        except StrategyFailed as failed:
            if not isinstance(failed.__cause__, Pause):
                raise
        events = writer.events()
        end = self._compare(events)
        asked = getattr(player, "asked", None)
        return events[:end], [*events[end:], *([asked] if asked else [])]

    def _starts(self, state: Any) -> bool:
        """Whether the phases of this game are begun by those who were told."""
        found = [
            int(state.chance.below(self.players, Purpose.START, phase)[0])
            for phase in range(len(self.starts))
        ]
        return found == self.starts

    def _compare(self, events: Events) -> int:
        """How many events were told; each is as it was told."""
        places = [n for n, event in enumerate(events[1:], 1)]
        told = [n for n in places if events[n]["name"] not in FOLLOWS]
        for n, wanted in zip(told, self.story, strict=False):
            for key, value in wanted.items():
                assert _alike(events[n][key]) == _alike(value), f"{events[n]}, {wanted}"
        assert len(told) >= len(self.story), f"the game ends before {self.story[-1]}"
        end = told[len(self.story) - 1] + 1
        while end < len(events) and events[end]["name"] in FOLLOWS:
            end += 1
        return end


def _alike(value: Any) -> Any:
    """Hands and options in order, for they have none."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        return [sorted(part) for part in value]
    return value


def wants(told: Transcribed, what: str, seat: int | None = None) -> None:
    """All told is right, and this comes next, to the engine and to the referee."""
    events, later = told.played()
    # type: ignore[union-attr]
    kind, name = re.match(r"(\w+)(?: '(\w+)')?", what).groups()
    assert later[0]["type"] == kind, later[0]
    assert name in (None, later[0]["name"]), later[0]
    assert seat in (None, later[0].get("seat")), later[0]
    of = "" if seat is None else f".*'seat': {seat}}}"
    match = (
        rf"(?s)^event {len(events)}: .*the transcript ends, the rules say {what}.*{of}"
    )
    with pytest.raises(Foul, match=match):
        check(events, further=told.further)
