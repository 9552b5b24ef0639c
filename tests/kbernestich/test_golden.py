"""Golden transcripts: short games, to be read with the rulebook, that stay as they are.

A change in these files is a change of the game or of its chance. If it is meant:
``pytest tests/kbernestich/test_golden.py --update-golden``, and read what changed.
That takes, for each, the first game in which happens what it is to show.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sim.transcript import Event
from tests.kbernestich.plays import told
from tests.kbernestich.rarities import RARE, rare
from tests.kbernestich.referee import check

FOLDER = Path(__file__).parent / "golden"
SHORT = {"rounds": 1, "tricks": 3, "plot_before_tricks": 2}
LOW = {**SHORT, "bust_default": 4, "zabine": [2, 6]}

# name: rules, players, and what has to happen in it
GOLDEN: dict[str, tuple[Mapping[str, Any], int, set[str]]] = {
    "three-tricks": (SHORT, 3, {"a misery bonus"}),
    "review": ({**SHORT, "tricks": 11}, 4, {"a review that keeps a card"}),
    "incubation": (
        SHORT,
        4,
        {"a card face down as the lead"},
    ),
    "off-suit": (SHORT, 4, {"a card face down while the suit is held"}),
    "observation": (SHORT, 4, {"the leader observes"}),
    "bust-and-grace": (LOW, 4, {"a bust", "Grace pays"}),
    "saved-bids": (SHORT, 4, {"Pessimism saves a bid", "Optimism saves a bid"}),
    "tie-by-stack": (SHORT, 3, {"a tie decided by the stack"}),
    "two-rounds": (
        {**SHORT, "rounds": 2, "refill": [[0, 6, 3], [7, 9999, 1]]},
        3,
        {"a tie for lowest", "fewer cubes than before"},
    ),
    "future-known": (
        {**SHORT, "future_known": True},
        4,
        {"a claimed colour is set", "a claimed colour is never set"},
    ),
    "all-options": (
        {
            **SHORT,
            "two_on_one_square": True,
            "hunch_exclusive": False,
            "observe_twice_same_trick": True,
            "final_tie": "shared",
            "score_order": "area",
            "plot_pass": False,
        },
        3,
        {"a square of letters used twice", "the same bid by two players"},
    ),
    "whole-round": ({"rounds": 1}, 4, {"observed twice in a round", "Grace pays"}),
}


def lines(events: Sequence[Event]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def chosen(name: str) -> str:
    """The first game in which happens what the golden transcript is to show."""
    rules, players, wanted = GOLDEN[name]
    for first in range(0, 2000, 50):
        for events in told(rules, players, 50, first=first):
            if wanted <= set(rare(events)):
                return lines(events)
    raise AssertionError(f"{name}: no game of 2000 shows {sorted(wanted)}")


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
    rules, players, wanted = GOLDEN["three-tricks"]
    other = ({**rules, "low_tie": "bottom"}, players, wanted)
    monkeypatch.setitem(GOLDEN, "three-tricks", other)
    with pytest.raises(AssertionError, match="line 1"):
        test_golden_transcript("three-tricks", update_golden=False)
