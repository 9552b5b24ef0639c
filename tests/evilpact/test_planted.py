"""Every foul is called: a game told wrongly, in any event and any field of it.

The engine's own transcripts are spoilt, one event at a time: left out, told twice, or
with a field that is left out or says something else.
"""

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.evilpact.plays import transcripts
from tests.evilpact.referee import check
from tests.games.referee import Foul

Events = list[dict[str, Any]]
RULES = {"thresholds": [1, 3], "contract_after_round": 3}
FREE = {  # fields that nothing else has to agree with, event by event
    ("setup", "seed"),
    ("setup", "lineup"),
}


def other(value: Any, dice: random.Random) -> Any:
    """A value of the same kind, but not the same."""
    if isinstance(value, bool):
        return not value
    if value is None:
        return 0
    if isinstance(value, int):
        return value + dice.choice((-1, 1))
    if isinstance(value, str):
        return value[:-1] + ("x" if value[-1:] != "x" else "y")
    if isinstance(value, list):
        place = dice.randrange(len(value))
        return [*value[:place], other(value[place], dice), *value[place + 1 :]]
    return {}


def renumbered(events: Events) -> Events:
    """The events with their numbers in order."""
    return [{**event, "n": n} for n, event in enumerate(events)]


def dropped(events: Events, at: int, dice: random.Random) -> Iterator[Events]:
    """Without an event."""
    yield renumbered(events[:at] + events[at + 1 :])


def doubled(events: Events, at: int, dice: random.Random) -> Iterator[Events]:
    """With an event twice."""
    yield renumbered(events[: at + 1] + events[at:])


def changed(events: Events, at: int, dice: random.Random) -> Iterator[Events]:
    """With another value in a field, for each field."""
    for field in events[at]:
        if (events[at]["type"], field) not in FREE:
            yield with_field(events, at, field, other(events[at][field], dice))


def other_fields(events: Events, at: int, dice: random.Random) -> Iterator[Events]:
    """With a field that does not belong; without a field, for each field."""
    yield with_field(events, at, "more", 0)
    for field in events[at]:
        spoilt = copy.copy(events)
        spoilt[at] = {key: v for key, v in events[at].items() if key != field}
        yield spoilt


def options(events: Events, at: int, dice: random.Random) -> Iterator[Events]:
    """With an option too few, too many, or twice."""
    legal = events[at].get("legal")
    if legal:
        unused = [one for one in legal if one != events[at]["chosen"]]
        if unused:
            yield with_field(events, at, "legal", [o for o in legal if o != unused[0]])
        yield with_field(events, at, "legal", [*legal, "hastur of another"])
        yield with_field(events, at, "legal", [*legal, legal[0]])


def elements(events: Events, at: int, dice: random.Random) -> Iterator[Events]:
    """With the cards or spells of chance left out or told twice."""
    for field in ("cards", "spells"):
        if field in events[at]:
            told = events[at][field]
            yield with_field(events, at, field, told[1:])
            yield with_field(events, at, field, [*told, told[0]])


def with_field(events: Events, at: int, field: str, value: Any) -> Events:
    spoilt = copy.copy(events)
    spoilt[at] = {**events[at], field: value}
    return spoilt


WAYS: list[Callable[[Events, int, random.Random], Iterator[Events]]] = [
    dropped,
    doubled,
    changed,
    other_fields,
    options,
    elements,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_spoilt_event_is_called(way: Any) -> None:
    dice, called = random.Random(1), Counter[str]()
    for game in transcripts(RULES, 6):
        seen = Counter[str]()
        for at, event in enumerate(game):
            name = event["name"] + event.get("when", "")
            seen[name] += 1
            if event["name"] == "acquire" and seen[name] > 2:
                continue  # there are forty
            for spoilt in way([*game], at, dice):
                with pytest.raises(Foul):
                    check(spoilt)
                called[event["name"]] += 1
    names = {"cast", "counter", "exclude", "flip", "sideways", "acquire", "element"}
    if way is options:
        assert names | {"contract"} <= called.keys()
    elif way is elements:
        assert called.keys() == {"seal", "market", "lose", "sideways"}
    else:
        names |= {"contract", "spell", "lose", "round", "market", "seal", "start"}
        assert names <= called.keys()


@pytest.mark.parametrize("kind", ["acquire", "element", "contract", "flip"])
def test_another_choice_than_the_one_made_is_called(kind: str) -> None:
    """It shows in what follows: in what is legal, or in the power at the end."""
    called = 0
    for game in transcripts(RULES, 30):
        for at, event in enumerate(game):
            others = [o for o in event.get("legal", ()) if o != event["chosen"]]
            if event["name"] == kind and others:
                with pytest.raises(Foul):
                    check(with_field([*game], at, "chosen", others[0]))
                called += 1
    assert called > 10
