"""Games of Kbernestich that are played as a script says, from hands that it names."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from sim.view import View
from tests.games.event_lines import Events, Rules
from tests.games.plays import Changes
from tests.games.referee import Foul
from tests.games.scripted import Scripted, Stacked, played, starting
from tests.kbernestich.plays import PLAYS
from tests.kbernestich.referee import check

BARE: Rules = {
    "rounds": 1,
    "tricks": 1,
    "plot_before_tricks": 1,
    "marie_from": [],
    "zabine": [],
    "hannah": 0,
    "hunch": [],
    "actions": [],
    "marie_to": [],
}
"""A sheet without a square and a single trick."""


class _Player(Scripted):
    """With ``rest`` it puts the cards back that Review took."""

    def answer(self, view: View, word: str) -> int:
        if word == "rest":
            return int(view._state.rest[0])
        return super().answer(view, word)


def scripted(
    script: str, deals: Sequence[Sequence[str]], start: int = 0, **rules: Any
) -> Events:
    """A game with these hands, by seat, in its first rounds; the referee passes it.

    The script tells choice after choice; ``|`` is a pause. ``start`` starts round 1.
    """
    players = len(deals[0])
    changes = _changes({**BARE, **rules}, players)
    state = starting(PLAYS, changes, players, lambda state: state.start[0] == start)
    hands = iter([[hand.split() for hand in deal] for deal in deals])

    def order(_: Sequence[int]) -> Iterator[int]:
        deal = next(hands, [])
        first = int(state.start[0])
        for hand in [*deal[first:], *deal[:first]]:
            yield from (state.layout.card_ids.index(card) for card in hand)

    words = [word for word in script.split() if word != "|"]
    events = played(PLAYS, state, _Player(words), Stacked(state.chance, order))
    check(events)
    return events


def _changes(rules: Rules, players: int) -> Changes:
    """Rules as a designer changes them: scores are for one number of players."""
    scores = rules.pop("start_scores", None)
    return rules | ({f"by_players.{players}.start_scores": scores} if scores else {})


def told_under(events: Events, **rules: Any) -> Events:
    """The same game, told under other rules."""
    return [{**events[0], "rules": {**events[0]["rules"], **rules}}, *events[1:]]


def asked(events: Events, name: str) -> list[tuple[int, str, str]]:
    """Who was asked, the options in order of the alphabet, and the choice."""
    told = [event for event in events if event["name"] == name]
    return [(e["seat"], " ".join(sorted(e["legal"])), e["chosen"]) for e in told]


def at(events: Events, name: str, number: int) -> int:
    """The place of an event, numbered among those of its name."""
    return [n for n, event in enumerate(events) if event["name"] == name][number]


def scores(events: Events) -> list[int]:
    """All scores, in the order in which they were told."""
    return [event["score"] for event in events if event["name"] == "score"]


def fouls_at(events: Events, n: int, match: str = "") -> None:
    """The referee calls a foul there, in words that match."""
    with pytest.raises(Foul, match=rf"(?s)^event {n}: .*{match}"):
        check(events)


def in_force(players: int, **rules: Any) -> Rules:
    """Every rule value, as a transcript tells it."""
    told: Rules = PLAYS.ruled(rules).plain_with(players)
    return told
