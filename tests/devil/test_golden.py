"""Golden transcripts: short games, to be read with the rulebook, that stay as they are.

A change in these files is a change of the game or of its chance. If it is meant:
``pytest tests/devil/test_golden.py --update-golden``, and read what changed.
That takes, for each, the shortest of the first games that show what is to be shown.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sim.transcript import Event
from tests.devil.plays import told
from tests.devil.rarities import RARE, rare
from tests.devil.referee import check
from tests.devil.scripts import deck

FOLDER = Path(__file__).parent / "golden"
SHORT = {"hand": 2, "target": 1}
EXTENDED = {**SHORT, "deck": "440"}

# name: rules, players, and what has to happen in it
GOLDEN: dict[str, tuple[Mapping[str, Any], int, set[str]]] = {
    "one-round": (SHORT, 3, {"the round goes on after a Special", "out with a 10"}),
    "declared": ({**SHORT, "target": 40}, 4, {"the ender has a Special left"}),
    "two-players": (SHORT, 2, {"a turn again after a skip", "out with 1S"}),
    "reshuffles": (
        {**SHORT, "hand": 4, "base_deck": deck(r1=3, r4=3, r8=2, r10=2, s1=1, s4=1)},
        2,
        {"a reshuffle before a draw", "a reshuffle before a penalty"},
    ),
    "nothing-left": (
        {**SHORT, "base_deck": deck(r1=2, r2=1, r4=1, r6=1, s4=2)},
        3,
        {"fewer penalties than due", "a turn that writes nothing"},
    ),
    "broken-off": ({**SHORT, "guard": 6}, 3, {"broken off"}),
    "onifuda": (EXTENDED, 3, {"an Onifuda flipped", "Onifuda ends the round"}),
    "onifuda-last": (EXTENDED, 3, {"Onifuda as the last card"}),
    "blanks": (
        EXTENDED,
        4,
        {
            "a blank held while a Special is on top",
            "a Special held while a blank is on top",
        },
    ),
    "all-options": (
        {
            **EXTENDED,
            "target": 30,
            "out_special_stacks": True,
            "first_card_effect": True,
            "voluntary_draw": True,
            "s4_end": "all",
            "first_oni": "end_round",
            "tie": "most_rounds_won",
        },
        3,
        {"a round ended by the first card", "a penalty by the first card"},
    ),
    "shared": ({**SHORT, "target": 12}, 3, {"a shared victory"}),
    "rounds-won": (
        {**SHORT, "hand": 1, "target": 12, "tie": "most_rounds_won"},
        3,
        {"a tie decided by rounds"},
    ),
    "eight-players": ({"target": 60}, 8, {"a Special ends the round"}),
}


def lines(events: Sequence[Event]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def chosen(name: str) -> str:
    """The shortest of the first games in which happens what is to be shown."""
    rules, players, wanted = GOLDEN[name]
    for first in range(0, 4000, 400):
        games = told(rules, players, 400, first=first)
        if found := [events for events in games if wanted <= set(rare(events))]:
            return lines(min(found, key=len))
    raise AssertionError(f"{name}: no game of 4000 shows {sorted(wanted)}")


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_transcript(name: str, *, update_golden: bool) -> None:
    rules, players, wanted = GOLDEN[name]
    path = FOLDER / f"{name}.jsonl"
    if update_golden:
        FOLDER.mkdir(exist_ok=True)
        path.write_text(chosen(name), "utf-8")
    assert path.exists(), f"{path.name} is missing. Run pytest --update-golden"
    golden = path.read_text("utf-8").splitlines()
    events = [json.loads(line) for line in golden]
    now = lines(told(rules, players, 1, first=events[0]["game"])[0]).splitlines()
    for number, (one, other) in enumerate(zip(golden, now, strict=False)):
        assert one == other, (
            f"{path.name}, line {number + 1}\n  golden: {one}\n  now:    {other}\n"
            "If that is meant, run pytest --update-golden and read the difference."
        )
    assert len(golden) == len(now)
    check(events)
    assert wanted <= set(rare(events)) & RARE


def test_no_golden_transcript_is_forgotten() -> None:
    files = {path.stem for path in FOLDER.glob("*.jsonl")}
    assert files == set(GOLDEN), "remove files that no test tells, or tell them again"


def test_a_changed_game_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under other rules, the golden transcript does not fit."""
    rules, players, wanted = GOLDEN["one-round"]
    other = ({**rules, "blank_points": 19}, players, wanted)
    monkeypatch.setitem(GOLDEN, "one-round", other)
    with pytest.raises(AssertionError, match="line 1"):
        test_golden_transcript("one-round", update_golden=False)
