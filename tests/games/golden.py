"""Golden transcripts: short games, to be read with the rulebook, that stay as they are.

Each is told twice: NAME.jsonl exactly, and NAME.txt as ``trace`` tells it to a person.
A change in these files is a change of the game or of its chance. If it is meant:
``pytest tests/GAME/test_golden.py --update-golden -n 0``, and read what changed.
That takes, for each, the first game in which happens what it is to show.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from experiments.core.traces import texts
from sim.transcript import Event
from tests.games.room import Room, each

Shown = tuple[Mapping[str, Any], int, set[str]]
"""Rules, players, and what has to happen in the game."""


def lines(events: Sequence[Event]) -> list[str]:
    """The transcript as it is written."""
    return [json.dumps(event) for event in events]


class Golden(Room):
    """Golden transcripts of a game.

    ``golden`` says what each is to show, in the words of the game's ``rarities``;
    ``altered`` is one of them, and a change of the rules under which it is another
    game. Taken is the first game, or the ``shortest`` of those played ``together``.
    """

    golden: Mapping[str, Shown]
    altered: tuple[str, Mapping[str, Any]]
    most = 4000
    together = 50
    shortest = False

    def path(self, name: str, end: str = "jsonl") -> Path:
        """The file of a golden transcript; ``txt`` is for a person."""
        return Path(__file__).parents[1] / self.plays.id / "golden" / f"{name}.{end}"

    def readable(self, name: str, rules: Mapping[str, Any], game: int) -> str:
        """The game as a person reads it."""
        lineup = ["random"] * self.golden[name][1]
        cell = self.plays.cell(rules, lineup, seed=1, rotate=False)
        return "".join(f"{line}\n" for line in texts(cell, [game]))

    def chosen(self, name: str) -> Sequence[Event]:
        """A game in which happens what the golden transcript is to show."""
        rules, players, wanted = self.golden[name]
        for first in range(0, self.most, self.together):
            games = self.plays.transcripts(rules, players, self.together, first=first)
            if found := [game for game in games if wanted <= self.plays.rare(game)]:
                return min(found, key=len) if self.shortest else found[0]
        raise AssertionError(f"{name}: no game of {self.most} shows {sorted(wanted)}")

    def compare(self, name: str, rules: Mapping[str, Any]) -> None:
        """The game is today, under these rules, what the golden transcript tells."""
        path = self.path(name)
        assert path.exists(), f"{path.name} is missing. Run pytest --update-golden"
        golden = path.read_text("utf-8").splitlines()
        first = json.loads(golden[0])
        players, number = self.golden[name][1], first["game"]
        now = lines(self.plays.transcripts(rules, players, 1, first=number)[0])
        for line, (one, other) in enumerate(zip(golden, now, strict=False)):
            assert one == other, (
                f"{path.name}, line {line + 1}\n  golden: {one}\n  now:    {other}\n"
                "If that is meant, run pytest --update-golden and read the difference."
            )
        assert len(golden) == len(now)

    @each("name", "golden")
    def test_golden_transcript(self, name: str, *, update_golden: bool) -> None:
        rules, _, wanted = self.golden[name]
        path = self.path(name)
        if update_golden:
            path.parent.mkdir(exist_ok=True)
            game = self.chosen(name)
            path.write_text("".join(f"{line}\n" for line in lines(game)), "utf-8")
            text = self.readable(name, rules, game[0]["game"])
            self.path(name, "txt").write_text(text, "utf-8")
        self.compare(name, rules)
        events = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        text = self.path(name, "txt").read_text("utf-8")
        assert text == self.readable(name, rules, events[0]["game"])
        self.plays.referee.check(events)
        assert wanted <= self.plays.rare(events) & self.plays.rarities.RARE

    def test_no_golden_transcript_is_forgotten(self) -> None:
        for end in ("jsonl", "txt"):
            files = {path.stem for path in self.path("any").parent.glob(f"*.{end}")}
            wanted = set(self.golden)
            assert files == wanted, "remove files that no test tells, or tell them anew"

    def test_a_changed_game_is_seen(self) -> None:
        """Under other rules, the golden transcript does not fit."""
        name, changes = self.altered
        with pytest.raises(AssertionError, match="line 1"):
            self.compare(name, {**self.golden[name][0], **changes})
