"""Golden transcripts: short games, to be read with the rulebook, that stay as they are.

A change in these files is a change of the game or of its chance. If it is meant:
``pytest tests/article_ii/test_golden.py --update-golden -n 0``, and read what changed.
That takes, for each, the first game in which happens what it is to show.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sim.transcript import Event
from tests.article_ii.plays import told
from tests.article_ii.rarities import RARE, rare
from tests.article_ii.referee import check

FOLDER = Path(__file__).parent / "golden"
SHORT = {"hand": 3}

# name: rules, players, and what has to happen in it
GOLDEN: dict[str, tuple[Mapping[str, Any], int, set[str]]] = {
    "debate": (SHORT, 3, {"a reaction", "a reaction declined"}),
    "insider": (
        SHORT,
        3,
        {"a second card", "a second card declined"},
    ),
    "teflon": (SHORT, 2, {"Teflon removes a mark"}),
    "outsider": (SHORT, 3, {"an Outsider bound to himself"}),
    "styles-replaced": (SHORT, 3, {"a Style replaced", "Voter ADHD removes a Style"}),
    "mudslinger": (
        SHORT,
        4,
        {"a Mudslinger who lowers", "President by total"},
    ),
    "highlander": (SHORT, 3, {"a Highlander becomes President"}),
    "necromancer": (SHORT, 2, {"a Necromancer who wins"}),
    "tie": ({"hand": 1}, 4, {"a tie for one place"}),
    "spoiler": (SHORT, 3, {"President by spoiler"}),
    "nobody": (SHORT, 2, {"President by none"}),
    "short-deck": (
        {},
        4,
        {"a deal that leaves seats short", "a deck reshuffled before a deal"},
    ),
    "original": ({"deck": "original"}, 4, {"President by total"}),
    "guard": ({"guard": 12, "hand": 4}, 2, {"a guard in the General"}),
    "all-options": (
        {
            "hand": 3,
            "carry_over": False,
            "general_deal": "reshuffle_all",
            "insider_draw": "always",
            "halve": "exact",
            "mudslinger_self": False,
            "no_positive_2p": "highest_total",
            "necromancer_target": "min",
            "teflon_style": False,
            "spoiler_value": "raw",
            "highlander_fallback": True,
        },
        2,
        {"President by a total not above zero", "a second card"},
    ),
}


def lines(events: Sequence[Event]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def chosen(name: str) -> str:
    """The first game in which happens what the golden transcript is to show."""
    rules, players, wanted = GOLDEN[name]
    for first in range(0, 4000, 50):
        for events in told(rules, players, 50, first=first):
            if wanted <= set(rare(events)):
                return lines(events)
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
    rules, players, wanted = GOLDEN["debate"]
    other = ({**rules, "spoiler_value": "raw"}, players, wanted)
    monkeypatch.setitem(GOLDEN, "debate", other)
    with pytest.raises(AssertionError, match="line 1"):
        test_golden_transcript("debate", update_golden=False)
