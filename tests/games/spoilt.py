"""Whatever is changed in a right transcript is a foul: every event, field and option.

What is spoilt are the golden transcripts, which the engine played. A foul has to be
called where the change is; where chance or a player could as well have decided so,
it has to be called at what follows.
"""

import copy
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.games.event_lines import Events, numbered
from tests.games.lied import Lied
from tests.games.referee import Foul
from tests.games.room import each

Leaf = tuple[tuple[str | int, ...], Any]
"""Where in an event, as keys and places, and what is there."""

Plant = tuple[str, Callable[[Events, int], int | None], str]
"""The name of an event; what spoils the events around it and says where the foul is
called, or None where that cannot be planted; and a part of what is said then."""

UNREAD = {("lineup",), ("seed",), ("rules",)}  # of the setup: names, and what has tests


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[Leaf]:
    """Numbers and texts anywhere in an event, of lists the first and the last.

    What tells which event it is has tests of its own.
    """
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for place in sorted({0, len(value) - 1} if value else ()):
            yield from leaves(value[place], (*path, place))
    elif path[:1] not in UNREAD and path not in {("game",), ("type",), ("name",)}:
        yield path, value


def put(event: Mapping[str, Any], path: Sequence[str | int], value: Any) -> Any:
    """The event with another value there."""
    spoilt: Any = copy.deepcopy(event)
    part = spoilt
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return spoilt


def replaced(events: Events, n: int, wrong: Mapping[str, Any]) -> Events:
    """The transcript with another event there."""
    return [*events[:n], dict(wrong), *events[n + 1 :]]


def few(values: Sequence[Any], n: int) -> Sequence[Any]:
    """Three of the values, or all where they are less; others for another number."""
    first = n % max(len(values), 1)
    return [*values[first:], *values[:first]][:3]


@cache
def golden(game: str) -> dict[str, Events]:
    """All golden transcripts of a game, by name."""
    found = (Path(__file__).parents[1] / game / "golden").glob("*.jsonl")
    texts = {path.stem: path.read_text("utf-8") for path in sorted(found)}
    return {
        name: [json.loads(line) for line in text.splitlines()]
        for name, text in texts.items()
    }


class Spoilt(Lied):
    """The referee of a game calls every foul.

    What is ``free``, as (event, field), chance or a player decides: another value of
    the right kind may be lawful. ``plants`` are fouls of the game's own. Of choices
    that ``follows`` names, another option than the one chosen shows in what follows.
    """

    free: frozenset[tuple[str, str]]
    step = 3  # one in so many events of a name is spoilt, from the first on
    plants: Mapping[str, Plant] = {}
    follows: Sequence[str] = ()

    # --- What a game says of itself ---

    def lawful(self, events: Events, n: int, how: str) -> bool:
        """Whether a transcript without an event, or with it ``twice``, is right too."""
        return False

    def whole(self, events: Events, path: tuple[str | int, ...]) -> bool:
        """Whether a number there is told without a point, as 1 and not 1.0."""
        return True

    # --- What is spoilt ---

    def transcripts(self) -> list[Any]:
        """Golden transcripts that show every event there is; the others are soaked."""
        games, seen, few = golden(self.plays.id), set[str](), set[str]()
        kinds = {name: {event["name"] for event in games[name]} for name in games}
        while missing := set().union(*kinds.values()) - seen:
            best = max(
                games, key=lambda name: len(kinds[name] & missing) / len(games[name])
            )
            few.add(best)
            seen |= kinds[best]
        slow = pytest.mark.soak
        return [pytest.param(n, marks=() if n in few else slow) for n in games]

    def told(self, name: str) -> Events:
        """A golden transcript."""
        return golden(self.plays.id)[name]

    def some(self, events: Events) -> Iterator[tuple[int, dict[str, Any]]]:
        """The events that are spoilt, with their numbers."""
        told = Counter[str]()
        for n, event in enumerate(events):
            if told[event["name"]] % self.step == 0:
                yield n, event
            told[event["name"]] += 1

    def place(self, events: Events) -> int:
        """The number of the event at which the referee calls a foul."""
        with pytest.raises(Foul, match=r"^event \d+: ") as caught:
            self.check(events)
        return int(str(caught.value)[6:].partition(":")[0])

    def wrong(self, events: Events, n: int, event: Mapping[str, Any]) -> None:
        """This other event is a foul."""
        spoilt = replaced(events, n, event)
        assert self.place(spoilt) == n, f"{events[n]} as {event}"

    @each("name", "transcripts")
    def test_events_missing_or_told_twice(self, name: str) -> None:
        events = self.told(name)
        for n, _ in self.some(events):
            fewer, more = events[:n] + events[n + 1 :], events[: n + 1] + events[n:]
            for how, spoilt in (("missing", fewer), ("twice", more)):
                if not self.lawful(events, n, how):
                    assert self.place(numbered(spoilt)) >= n
            assert self.place(events[:n]) == n, "it ends here"

    @each("name", "transcripts")
    def test_events_in_another_order(self, name: str) -> None:
        """But for those of one name: cards drawn one after the other, say."""
        events = self.told(name)
        turns = islice(enumerate(pairwise(events)), 0, None, self.step)
        for n, (one, other) in turns:
            if one["name"] != other["name"]:
                turned = [*events[:n], other, one, *events[n + 2 :]]
                assert self.place(numbered(turned)) == n

    @each("name", "transcripts")
    def test_nothing_follows_the_result(self, name: str) -> None:
        events = self.told(name)
        for more in events[0], events[-1]:
            assert self.place(numbered([*events, more])) == len(events)

    @each("name", "transcripts")
    def test_fields_missing_or_too_many(self, name: str) -> None:
        events = self.told(name)
        for n, event in self.some(events):
            for key in event:
                self.wrong(events, n, {k: v for k, v in event.items() if k != key})
                if key in ("type", "name"):
                    self.wrong(events, n, {**event, key: "x"})
            self.wrong(events, n, {**event, "comment": ""})

    @each("name", "transcripts")
    def test_every_value_is_checked(self, name: str) -> None:
        """Nothing passes that is of another kind, or only equal as 1.0 is to 1."""
        events = self.told(name)
        for n, event in self.some(events):
            for path, value in leaves(event):
                odd = [[value], {"x": value}] + ["?"] * isinstance(value, str)
                if type(value) is int:
                    odd += [bool(value), str(value)]
                    odd += [float(value)] * self.whole(events, path)
                if type(value) is int and (event["name"], path[0]) not in self.free:
                    odd += [value + 1]
                for other in odd:
                    self.wrong(events, n, put(event, path, other))

    @each("name", "transcripts")
    def test_every_list_is_checked(self, name: str) -> None:
        """One value less, or one twice; cards put back and hands too."""
        events = self.told(name)
        for n, event in self.some(events):
            for key, value in event.items():
                if isinstance(value, list) and key not in ("legal", "rules"):
                    self.wrong(events, n, {**event, key: [*value, *value[-1:], "?"]})
                    if value:
                        self.wrong(events, n, {**event, key: value[1:]})

    @each("name", "transcripts")
    def test_every_option_is_checked(self, name: str) -> None:
        """One less, one of another choice more, one twice; none that is no option.

        A few of them at each event, others at the next.
        """
        events, foreign = self.told(name), self._options()
        for n, event in self.some(events):
            if "legal" in event:
                legal = event["legal"]
                others = [one for one in foreign[event["name"]] if one not in legal]
                legal, others = event["legal"], few(others, n)
                wrong = [
                    [one for one in legal if one != less] for less in few(legal, n)
                ]
                wrong += [[*legal, more] for more in (*few(legal, n)[:1], *others)]
                for options in wrong:
                    self.wrong(events, n, {**event, "legal": options})
                for other in others:
                    self.wrong(events, n, {**event, "chosen": other})

    def _options(self) -> dict[str, list[Any]]:
        """All options there are in golden transcripts, by the name of the choice."""
        found = defaultdict[str, dict[str, Any]](dict)
        for events in golden(self.plays.id).values():
            for event in events:
                found[event["name"]] |= {
                    repr(one): one for one in event.get("legal", ())
                }
        return {name: list(options.values()) for name, options in found.items()}

    @each("name", "plants")
    def test_planted_foul(self, name: str) -> None:
        kind, spoil, said = self.plants[name]
        planted = 0
        for events in golden(self.plays.id).values():
            for n in [n for n, told in enumerate(events) if told["name"] == kind]:
                spoilt = copy.deepcopy(events)
                place = spoil(spoilt, n)
                if place is not None:
                    with pytest.raises(Foul, match=rf"(?s)^event {place}: .*{said}"):
                        self.check(spoilt)
                    planted += 1
                    break
        assert planted

    @each("kind", "follows")
    def test_another_choice_than_the_one_made_is_called(self, kind: str) -> None:
        """It shows in what is legal then, or in how the game ends."""
        called, rules = 0, self.lied_about
        for told in self.plays.transcripts(rules, self.lied_tables.get(kind, 4), 30):
            for at, event in enumerate(told):
                others = [o for o in event.get("legal", ()) if o != event["chosen"]]
                if event["name"] == kind and others:
                    with pytest.raises(Foul):
                        self.check(
                            replaced([*told], at, {**event, "chosen": others[0]})
                        )
                    called += 1
        assert called > 10

    # --- The setup, and streams of games ---

    def test_setup(self) -> None:
        events = self.told(next(iter(golden(self.plays.id))))
        setup, sizes = events[0], self.plays.game.players
        for players in (min(sizes) - 1, max(sizes) + 1, True, "4", None):
            self.wrong(events, 0, {**setup, "players": players})
        for lineup in (setup["lineup"][1:], "random", [1] * setup["players"]):
            self.wrong(events, 0, {**setup, "lineup": lineup})
        for rules in ([], [1, 2], None, "rules"):
            self.wrong(events, 0, {**setup, "rules": rules})
        self.wrong(events, 0, {**setup, "game": -1})
        assert self.place([]) == 0

    def ruled_options(self) -> list[str]:
        """The options that the referee knows."""
        return list(self.plays.referee.OPTIONS)

    @each("key", "ruled_options")
    def test_options_take_their_values_only(self, key: str) -> None:
        events = self.told(next(iter(golden(self.plays.id))))
        for value in ("?", None, 7, [], 0, 1):
            rules = {**events[0]["rules"], key: value}
            self.wrong(events, 0, {**events[0], "rules": rules})

    def test_a_stream_of_games(self) -> None:
        """Each game once, its events together, and none is forgotten."""
        names = list(golden(self.plays.id))[:3]
        games = [numbered(self.told(name), number) for number, name in enumerate(names)]
        lines = [json.dumps(event) for events in games for event in events]
        check_stream, first = self.plays.referee.check_stream, len(games[0])
        assert check_stream([*lines, "\n"]) == 3
        with pytest.raises(Foul, match="game 0: told twice"):
            check_stream([*lines, *lines[:first]])
        end = len(games[1]) - 1
        with pytest.raises(Foul, match=f"game 1: event {end}: .*the transcript ends"):
            check_stream(lines[: first + end])
        with pytest.raises(Foul, match="game 0: event 0"):
            check_stream(lines[1:])
