"""``trace``: the audit format to the letter, and one line an event (``--log``)."""

import json
import subprocess
import sys

import numpy as np
import pytest

from experiments.core import traces
from experiments.core.cells import Cell
from experiments.core.trace_text import EventFormatter
from experiments.core.traces import texts
from sim.games import load

FIELDS = {
    "setup": {"players", "lineup", "rules", "seed"},
    "dealer": {"seat"},
    "deal": {"week", "dealer", "hands"},
    "contract": {"week", "seat", "max_gems", "chosen"},
    "devil": {"week", "seat", "card"},
    "cancel": {"week", "seat", "excess", "chosen"},
    "play": {"week", "round", "seat", "legal", "chosen"},
    "trick": {"week", "round", "winner", "card"},
    "claim": {"week", "round", "seat", "legal", "chosen"},
    "bonus": {"week", "seat", "legal", "chosen"},
    "return": {"week", "seat", "legal", "chosen"},
    "gem": {"week", "seat", "square", "value"},
    "contracts": {"week", "tricks", "lost", "lives"},
    "week": {"week", "points", "lives"},
    "tie": {"cards"},
    "result": {"winner", "by", "points", "lives"},
}


@pytest.fixture(scope="module")
def events():
    rules = load("kunitame").rules.of({"devil_ranks": 8})  # so that it runs out
    cell = Cell("kunitame", rules, 5, ("gambler",) * 5, seed=4)
    return list(traces.events(cell, range(300)))


def test_every_event_has_exactly_its_fields(events):
    seen = set()
    for event in events:
        kind = event["type"] if event["type"] in ("setup", "result") else event["name"]
        seen.add(kind)
        assert set(event) - {"game", "n", "type", "name"} == FIELDS[kind]
    assert seen == set(FIELDS)


def test_events_are_numbered_and_framed(events):
    games = {}
    for event in events:
        games.setdefault(event["game"], []).append(event)
    assert list(games) == list(range(300))
    for game in games.values():
        assert [event["n"] for event in game] == list(range(len(game)))
        assert (game[0]["type"], game[-1]["type"]) == ("setup", "result")
        assert game[0]["name"] == game[-1]["name"] == "kunitame"


def test_what_is_chosen_is_legal_and_told_as_json_knows_it(events):
    for event in events:
        assert json.loads(json.dumps(event)) == event
        if "legal" in event:
            assert event["chosen"] in event["legal"]
            assert len(set(event["legal"])) == len(event["legal"])
        if event["name"] == "contract":
            assert sum(event["chosen"].values()) <= event["max_gems"]
        if event["name"] == "cancel":
            assert sum(event["chosen"].values()) == event["excess"]


def test_jsonl_is_one_object_a_line(fairdeal):
    result = fairdeal("trace", "kunitame", "--format", "jsonl", "--seed", "1")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert events[0]["seed"] == 1
    assert events[-1]["type"] == "result"


def test_text_is_one_line_an_event_with_hands(fairdeal):
    words = ("trace", "kunitame", "--seed", "1", "--number", "3", "--set", "life=4")
    events = fairdeal(*words, "--format", "jsonl").stdout.splitlines()
    lines = fairdeal(*words, "--log").stdout.splitlines()
    assert len(lines) == len(events)
    assert lines[0].startswith("Kunitame, game 3 of seed 1: 1 random")
    assert "life 4 instead of 3" in lines[0]
    for line, event in zip(lines, map(json.loads, events), strict=True):
        if event["name"] == "play":
            hand = line.partition("  hand ")[2].split()
            assert event["chosen"] in hand
            assert set(event["legal"]) <= set(hand)
            assert f"week {event['week']}, round {event['round']}" in line
    assert "winner" in lines[-1]


def test_text_has_colours_where_they_can_be_seen():
    cell = Cell("kunitame", load("kunitame").rules(), 3, ("random",) * 3)
    lines = list(texts(cell, [0]))
    assert any(span.style for line in lines for span in line.spans)


def test_a_game_never_seen_before_is_told():
    game = load("kunitame")
    teller = EventFormatter(game)
    setup = {
        "game": 0,
        "type": "setup",
        "name": "x",
        "players": 1,
        "lineup": ["a"],
        "seed": 1,
    }
    assert "1 a" in teller.line(setup).plain
    result = {"type": "result", "name": "x", "winner": None, "by": "none"}
    assert "nobody" in teller.line(result).plain


def test_events_before_a_failure_are_told(fairdeal):
    result = fairdeal(
        "trace", "kunitame", "--seed", "1", "--add-strategy", "my.py:Raises"
    )
    assert result.exit_code == 1
    assert "strategy 'raises' raised" in result.stderr
    assert "trick" in result.stdout


def test_a_pipe_that_closes_is_no_error():
    command = f"{sys.executable} -m experiments.commands.cli trace kunitame --games 200"
    done = subprocess.run(
        ["bash", "-c", f"{command} | head -1; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_hands_in_text_are_those_of_the_moment():
    cell = Cell("kunitame", load("kunitame").rules(), 4, ("random",) * 4)
    lines = [line.plain for line in texts(cell, [0])]
    first = [line for line in lines if "week 1, round 1 " in line and " play " in line]
    sizes = np.array([len(line.partition("  hand ")[2].split()) for line in first])
    assert (sizes >= 7).all()
    last = [line for line in lines if "week 1, round 7 " in line and " play " in line]
    assert all(len(line.partition("  hand ")[2].split()) >= 1 for line in last)
