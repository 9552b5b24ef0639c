"""Golden transcripts: short games, to be read with the rulebook, that stay as they are.

A change in these files is a change of the game or of its chance. If it is meant:
``pytest tests/kunitame/test_golden.py --update-golden``, and read what changed. That
takes, for each, the first game in which happens what it is to show.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sim.transcript import Event
from tests.kunitame.plays import RARE, rare, told
from tests.kunitame.referee import check

FOLDER = Path(__file__).parent / "golden"
SHORT = {"weeks": 1, "hand": 3, "rounds": 3}

# name: rules, players, and what has to happen in it
GOLDEN: dict[str, tuple[Mapping[str, Any], int, set[str]]] = {
    "three-tricks": (SHORT, 3, {"a Priest beats a Devil"}),
    "contract-cancelled": ({**SHORT, "devil_ranks": 3}, 3, {"a contract cancelled"}),
    "tie-by-lives": (SHORT, 3, {"a tie by points, decided by lives"}),
    "tie-by-draw": (SHORT, 3, {"a tie decided by draw"}),
    "all-eliminated": ({**SHORT, "life": 1}, 3, {"all eliminated, nobody wins"}),
    "gems-returned": (
        {"weeks": 2, "hand": 3, "rounds": 3},
        4,
        {"three points returned", "a zero-trick player returns"},
    ),
    "all-options": (
        {
            **SHORT,
            "weeks": 2,
            "removed_pledge": "none",
            "no_tricks_squares": "claimable_at_liquidation",
            "zero_trick_liquidation": "vacuous_true",
            "trick_take": "may",
            "refill_weekly": True,
            "p7_rank": "players",
        },
        3,
        {"a claim declined", "a zero-trick player has a bonus", "a rank square won"},
    ),
    "week-of-four": ({"weeks": 1}, 4, {"a Priest beats a Devil", "a bonus declined"}),
    "week-of-five": ({"weeks": 1}, 5, {"somebody eliminated"}),
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
    other = ({**rules, "refill_weekly": True}, players, wanted)
    monkeypatch.setitem(GOLDEN, "three-tricks", other)
    with pytest.raises(AssertionError, match="line 1"):
        test_golden_transcript("three-tricks", update_golden=False)
