"""Every planted foul is called: a transcript that is spoilt does not pass the referee.

What is spoilt are the engine's own transcripts, at every event; or they claim rules
other than those by which they were played.
"""

import copy
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from sim.transcript import Event
from tests.drake.plays import transcripts
from tests.drake.referee import OPTIONS, check, check_stream, in_force
from tests.drake.test_golden import GOLDEN, TestGolden
from tests.games.referee import Foul

Events = list[dict[str, Any]]


def golden(name: str) -> Events:
    """A game as it was written."""
    text = TestGolden().path(name).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def renumbered(events: Events) -> Events:
    """The same with numbers that are right again, so these give nothing away."""
    return [{**event, "n": n} for n, event in enumerate(events)]


# --- Spoilt events --------------------------------------------------------------------

FREE = {"lineup", "seed", "rules"}  # of the setup: what may be otherwise, or is below


def wrong(value: Any) -> Iterator[Any]:
    """What a value is not, nor can be."""
    if isinstance(value, list):
        yield value[:-1]
        yield [*value, *value[:1]]
        for n, one in enumerate(value):
            for other in wrong(one):
                yield [*value[:n], other, *value[n + 1 :]]
    elif isinstance(value, str):
        yield value + "?"
        yield ""
    elif isinstance(value, int):
        yield value + 1
        yield float(value)
    yield None if value is not None else 0


def spoilt(events: Events, n: int) -> Iterator[tuple[str, Events]]:
    """The game with something wrong at an event, and what it is."""
    event, before, rest = events[n], events[:n], events[n + 1 :]
    yield "dropped", renumbered([*before, *rest])
    yield "dropped, with its number", [*before, *rest]
    yield "told twice", renumbered([*before, event, event, *rest])
    if rest and event != {**rest[0], "n": n}:
        yield "too late", renumbered([*before, rest[0], event, *rest[1:]])
    yield "another field", [*before, {**event, "more": 1}, *rest]
    for field, value in event.items():
        left = {key: one for key, one in event.items() if key != field}
        yield f"without {field}", [*before, left, *rest]
        for other in wrong(value) if field not in FREE else ():
            yield f"{field}: {other}", [*before, {**event, field: other}, *rest]
    for other in event.get("legal", []):
        legal = [option for option in event["legal"] if option != other]
        yield f"not legal: {other}", [*before, {**event, "legal": legal}, *rest]
        if other != event["chosen"]:
            yield f"chosen: {other}", [*before, {**event, "chosen": other}, *rest]
    if event["type"] == "result":
        for seat in range(events[0]["players"]):
            if seat != event["winner"]:
                yield f"{seat} wins", [*before, {**event, "winner": seat}, *rest]


@pytest.mark.parametrize("name", GOLDEN)
def test_each_spoilt_event_is_called(name: str) -> None:
    events = golden(name)
    check(events)
    missed, plants = [], 0
    for n, event in enumerate(events):
        for what, game in spoilt(events, n):
            plants += 1
            try:
                check(game)
            except Foul:
                continue
            missed.append(f"{n} {event['name']}: {what}")
    assert plants > 20 * len(events)
    assert not missed


@pytest.mark.parametrize("cut", [0, 1, 5, -1])
def test_a_game_that_breaks_off_is_called(cut: int) -> None:
    with pytest.raises(Foul):
        check(golden("four-players")[:cut])


def test_a_stream_with_a_game_told_twice_is_called() -> None:
    lines = [json.dumps(event) for event in golden("four-players")]
    assert check_stream(lines) == 1
    other = [json.dumps({**json.loads(line), "game": -5}) for line in lines]
    with pytest.raises(Foul, match="index"):
        check_stream([*lines, *other])
    middle = [json.dumps({**json.loads(line), "game": 10**6}) for line in lines]
    with pytest.raises(Foul, match="told twice"):
        check_stream([*lines, *middle, *lines])


# --- Other rules than are told --------------------------------------------------------

Rules = Mapping[str, Any]
LOOSE = {"must_act": False}
EMPTY = {"stats.value": {"shape": "uniform", "low": 9, "high": 9}, "must_act": False}
BURNT = {"stats.strength": {"shape": "uniform", "low": 9, "high": 9}, "must_act": False}
WHERE: dict[str, Rules] = {
    "absent_second_win": {"ruleset": "update_I", "goal": 3},
    "treasure_needs_knight": EMPTY,
    "fire_needs_maiden": BURNT,
}
"""Rules under which an option is felt."""


def claimed(changes: Rules, players: int, rules: Rules) -> list[list[Event]]:
    """Games played by changed rules that claim others."""
    games = transcripts(changes, players, 40)
    for events in games:
        check(events)
        events[0]["rules"] = {**copy.deepcopy(events[0]["rules"]), **rules}
    return games


def called(games: list[list[Event]]) -> int:
    """In how many of them the referee calls a foul."""
    fouls = 0
    for events in games:
        try:
            check(events)
        except Foul:
            fouls += 1
    return fouls


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("key", OPTIONS)
def test_the_referee_reads_each_option(key: str, players: int) -> None:
    one, other = OPTIONS[key]
    for value, claim in ((one, other), (other, one)):
        changes = {**WHERE.get(key, {}), key: value}
        assert called(claimed(changes, players, {})) == 0
        assert called(claimed(changes, players, {key: claim})) > 0


def with_special(**fields: Any) -> dict[str, Any]:
    """Sangria All with other fields."""
    return {"special": [{**in_force({})["special"][0], **fields}]}


def shifted(numbers: list[Any]) -> list[Any]:
    """The same numbers, each one higher."""
    return [shifted(one) if isinstance(one, list) else one + 1 for one in numbers]


TOLD: dict[str, Rules] = {
    "goal": {"goal": 8},
    "guard": {"guard": 3},
    "an empty goal": {"goal": 0},
    "Chastity": {"maiden_chastity": shifted(in_force({})["maiden_chastity"])},
    "Knights": {"knight": shifted(in_force({})["knight"])},
    "Knights without Wealth": {"knight": [[1], [2], [3]]},
    "Value": {"treasure_value": shifted(in_force({})["treasure_value"])},
    "no list": {"treasure_value": 4},
    "a smaller deck": {"maiden_chastity": [1, 2, 3, 4, 1, 2, 3]},
    "hardly a deck": {"maiden_chastity": [1]},
    "no Sangria All": {"special": []},
    "another name": with_special(name="Sangria Some"),
    "another deck": with_special(deck="maiden"),
    "another use": with_special(effect="discard_rightmost(bed)"),
    "no such use": with_special(effect="discard_rightmost(deck)"),
    "from elsewhere": with_special(use_from="in_play"),
    "for free": with_special(cost="none"),
    "an unknown rule": {"gaol": 7},
    "an unknown reading": {"ruleset": "update_III"},
}


@pytest.mark.parametrize("what", TOLD)
def test_the_referee_reads_each_rule_value(what: str) -> None:
    assert called(claimed(LOOSE, 3, TOLD[what])) > 0


def test_what_is_not_told_has_its_default() -> None:
    for events in transcripts({}, 4, 20):
        rules = events[0]["rules"]
        events[0]["rules"] = {"guard": rules["guard"], "knight": rules["knight"]}
        check(events)
