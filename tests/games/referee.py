"""What the referees of all games share: reading a transcript, and calling fouls.

A game's referee follows its rulebook, and demands event after event with `take` and
`choose`. This knows no game and, like every referee, not how the simulator works.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NoReturn, TypeGuard

Event = Mapping[str, Any]


class Foul(Exception):
    """The transcript tells something that the rules do not allow."""


def stream(lines: Iterable[str], check: Callable[[list[Event]], object]) -> int:
    """Check a jsonl stream of many games, told one after the other; count the games."""
    seen: set[object] = set()
    events = (json.loads(line) for line in lines if line.strip())
    for game, told in groupby(events, key=lambda event: event.get("game")):
        if game in seen:
            raise Foul(f"game {game}: told twice, or its events are not together")
        seen.add(game)
        try:
            check(list(told))
        except Foul as foul:
            raise Foul(f"game {game}: {foul}") from None
    return len(seen)


def are_strings(value: object) -> TypeGuard[list[str]]:
    """Tell whether a value is a list of strings."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def alike(value: object, default: object) -> bool:
    """Tell whether a rule value is made like its default; no number is negative."""
    if isinstance(default, Mapping):
        return (
            isinstance(value, Mapping)
            and value.keys() == default.keys()
            and all(alike(value[key], default[key]) for key in default)
        )
    if isinstance(default, list):
        return isinstance(value, list) and all(alike(v, default[0]) for v in value)
    if isinstance(default, int):
        return type(value) is int and value >= 0
    return type(value) is type(default)


class Referee:
    """One game as the transcript tells it so far.

    `place` says where in the game a foul is; `where` are the fields of all choices of
    this moment. A referee says what game it is of, and for how many players that is;
    its rule values with their defaults: `readings` with the values that they can take,
    the default first, `values`, which are made like their defaults, and `tables`.
    """

    game_id: str
    numbers_of_players: Collection[int]
    readings: Mapping[str, Sequence[object]] = {}
    values: Mapping[str, Any] = {}
    tables: Mapping[str, Any] = {}
    rules: dict[str, Any]

    @classmethod
    def check(cls, events: Sequence[Event]) -> None:
        """Replay the events of one game, in order; raise `Foul` at the first foul."""
        cls(events).replay()

    @classmethod
    def check_stream(cls, lines: Iterable[str]) -> int:
        """Check a jsonl stream of games, told one after the other; count the games."""
        return stream(lines, cls.check)

    @classmethod
    def in_force(cls, rules: Mapping[str, Any]) -> dict[str, Any]:
        """Every rule value: what is told, and the default of what is not."""
        readings = {option: values[0] for option, values in cls.readings.items()}
        return {**cls.values, **cls.tables, **readings, **rules}

    def replay(self) -> None:
        """Follow the course of a game."""
        raise NotImplementedError

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self.n = -1
        self.game = events[0].get("game") if events else 0
        self.place = ""
        self.where: dict[str, object] = {}

    def foul(self, message: str) -> NoReturn:
        raise Foul(f"event {self.n}: {self.place}{message}")

    # What every event has to be.

    def same(self, what: str, written: object, ruled: object) -> None:
        """Compare as written: `repr` tells 1 from 1.0 and from true."""
        if repr(written) != repr(ruled):
            self.foul(f"{what}: {written!r} is written, the rules say {ruled!r}")

    def take(
        self, kind: str, name: str, ruled: Mapping[str, object], *free: str
    ) -> Event:
        """Demand the next event: ruled fields as ruled, free ones there, no others."""
        self.n += 1
        if self.n >= len(self.events):
            self.foul(f"the transcript ends, the rules say {kind} {name!r} {ruled}")
        event = self.events[self.n]
        written = (event.get("type"), event.get("name"))
        if written != (kind, name):
            told = f"{written[0]} {written[1]!r} is written"
            self.foul(f"{told}, the rules say {kind} {name!r} {ruled}")
        fields = {"game", "n", "type", "name", *ruled, *free}
        if set(event) != fields:
            lacks, extra = sorted(fields - set(event)), sorted(set(event) - fields)
            self.foul(f"{name}: fields {lacks} are missing, {extra} do not belong")
        for field, value in {"game": self.game, "n": self.n, **ruled}.items():
            if repr(event[field]) != repr(value):  # as ``same``, which is slower
                self.same(f"{name}.{field}", event[field], value)
        return event

    def finish(self) -> None:
        """Demand that this was the last event."""
        if self.n + 1 < len(self.events):
            self.n += 1
            self.foul("nothing may follow the result")

    def choose(
        self,
        name: str,
        seat: int,
        options: Iterable[str],
        where: Mapping[str, object] | None = None,
    ) -> str:
        """Demand a choice of an id: `legal` is exactly the options, each listed once.

        `where` are the fields beside the seat, if not those of this moment.
        """
        event = self.asked(name, seat, where)
        who, chosen = f"seat {seat}: {name}", event["chosen"]
        legal = self.strings(f"{who}.legal", event["legal"])
        self.just(f"{who}.legal", Counter(legal), Counter(set(options)))
        if chosen not in legal:
            self.foul(f"{who}.chosen {chosen!r} is none of the options {legal}")
        return str(chosen)

    def choose_any(
        self,
        name: str,
        seat: int,
        options: Iterable[Any],
        where: Mapping[str, object] | None = None,
    ) -> Any:
        """Demand a choice as `choose` does, of ids or numbers as they are written."""
        event = self.asked(name, seat, where)
        who, legal, chosen = f"seat {seat}: {name}", event["legal"], event["chosen"]
        if not isinstance(legal, list):
            self.foul(f"{who}.legal {legal!r} is not a list")
        listed = Counter(map(repr, legal))
        self.just(f"{who}.legal", listed, Counter({repr(one) for one in options}))
        if repr(chosen) not in listed:
            self.foul(f"{who}.chosen {chosen!r} is none of the options {legal}")
        return chosen

    def asked(self, name: str, seat: int, where: Mapping[str, object] | None) -> Event:
        told = {**(self.where if where is None else where), "seat": seat}
        return self.take("choice", name, told, "legal", "chosen")

    def just(self, what: str, listed: Counter[str], allowed: Counter[str]) -> None:
        if listed != allowed:
            lacks, extra = sorted(allowed - listed), sorted(listed - allowed)
            self.foul(f"{what} lacks {lacks} and has {extra} too many or twice")

    def strings(self, what: str, value: object) -> list[str]:
        if not are_strings(value):
            self.foul(f"{what} {value!r} is not a list of strings")
        return value

    # Seats, and how every game begins.

    def clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.players for step in range(self.players)]

    def take_setup(self) -> Any:
        """Demand the setup of a game; returns the rules as written."""
        fields = ("players", "lineup", "rules", "seed")
        event = self.take("setup", self.game_id, {}, *fields)
        players, lineup, rules = (event[field] for field in fields[:3])
        if type(self.game) is not int or self.game < 0:
            self.foul(f"setup.game {self.game!r} is not an index from 0")
        allowed = self.numbers_of_players
        if type(players) is not int or players not in allowed:
            least, most = min(allowed), max(allowed)
            size = f"{least} {'or' if most == least + 1 else 'to'} {most} players"
            self.foul(f"setup.players {players!r}: the game is for {size}")
        if not are_strings(lineup) or len(lineup) != players:
            self.foul(f"setup.lineup {lineup} does not name a strategy per seat")
        self.players: int = players
        if not isinstance(rules, Mapping):
            self.foul(f"setup.rules {rules!r} is not an object")
        return rules

    def take_rules(self, *further: str) -> None:
        """Demand the setup, with known rule values and these further ones alone."""
        rules = self.take_setup()
        self.rules = self.in_force(rules)
        if extra := sorted(set(rules) - {*self.in_force({}), *further}):
            self.foul(f"setup.rules: {extra} are no rule values in force")
        self.check_options(self.readings)
        self.check_kinds(self.values)

    def take_seat(self, name: str, **told: object) -> int:
        """Demand that chance decides on a seat."""
        seat = self.take("chance", name, told, "seat")["seat"]
        if type(seat) is not int or seat not in range(self.players):
            self.foul(f"{name}.seat {seat!r} is no seat at this table")
        return seat

    def check_options(self, options: Mapping[str, Collection[object]]) -> None:
        """Demand of each option a value that it can take."""
        for key, values in options.items():
            if repr(self.rules[key]) not in map(repr, values):
                self.foul(f"setup.rules.{key} {self.rules[key]!r} is none of {values}")

    def check_kinds(self, defaults: Mapping[str, object]) -> None:
        """Demand rule values that are made like their defaults."""
        for key, default in defaults.items():
            if not alike(self.rules[key], default):
                self.foul(f"setup.rules.{key} {self.rules[key]!r}: not as {default}")

    # Hands.

    def read_hands(self, hands: object) -> list[list[str]]:
        """A list of cards for each seat, as a deal tells them."""
        if not isinstance(hands, list) or len(hands) != self.players:
            self.foul("deal.hands is not a list with a hand per seat")
        for hand in hands:
            if not are_strings(hand):
                self.foul(f"deal.hands: {hand!r} is not a list of cards")
        return [list(hand) for hand in hands]

    def deal_out(self, hands: object, deck: Counter[str], size: int) -> None:
        """Deal hands of so many cards each, out of a deck with so many of each card."""
        self.hands = self.read_hands(hands)
        dealt = sum((Counter(hand) for hand in self.hands), Counter[str]())
        if surplus := dealt - deck:
            self.foul(f"deal.hands: {dict(surplus)} more than the deck has")
        for seat, hand in enumerate(self.hands):
            self.same(f"deal: cards of seat {seat}", len(hand), size)
