"""Game 7 is game 7: alone, in any block, resumed from any moment, on any cores."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from experiments.conformance.check import check_game
from experiments.conformance.harness import Setting
from experiments.conformance.resuming import resumes
from experiments.execution.run import run
from sim.transcript import Event
from tests.games.plays import Changes
from tests.games.room import Room, each, first_few


def unnumbered(events: Sequence[Event]) -> list[Event]:
    """The events without the number of their game."""
    return [{k: v for k, v in event.items() if k != "game"} for event in events]


class Replay(Room):
    """A game is the same however it is played, and keeps to all that is checked.

    ``mixed`` are strategies for ``players``, and ``rules`` show all kinds of decisions.
    ``thefts`` are, for each thing that a state says is conserved, a stage and what
    takes or adds some of it after that.
    """

    rules: Changes
    mixed: Sequence[str]
    around: Sequence[tuple[int, int]] = ((0, 8), (0, 33), (5, 3), (6, 9), (7, 30))
    cells: Sequence[tuple[Changes, Sequence[str], bool]]
    players = 4
    few = 20  # games in which all is checked
    thefts: Mapping[str, tuple[Any, Callable[[Any], None]]]
    size: tuple[int, int] = (500, 200)  # games of a run, games of a block
    jobs: Sequence[int] = (2,)
    rows = 20  # that the tables of a run have, and more

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        """Players and rules, from all that a designer may change."""
        raise NotImplementedError

    # In any block.

    @pytest.mark.parametrize("mixed", [False, True])
    @pytest.mark.parametrize("rotate", [False, True])
    def test_game_7_is_game_7(self, *, mixed: bool, rotate: bool) -> None:
        """Whatever games are played around it."""
        lineup = self.mixed if mixed else ["random"] * self.players

        def game(first: int, games: int, seed: int = 3) -> list[Event]:
            told = self.plays.transcripts(
                self.rules,
                self.players,
                games,
                lineup=lineup,
                first=first,
                seed=seed,
                rotate=rotate,
            )
            return told[7 - first]

        alone = game(7, 1)
        assert alone[0]["game"] == 7
        for first, games in self.around:
            assert game(first, games) == alone
        other = game(0, 8, seed=4)
        assert unnumbered(other[1:]) != unnumbered(alone[1:]), "but for the setup"

    # What every game is held to.

    def checked(self) -> list[tuple[int, Changes]]:
        """Players and rules under which all is checked."""
        drawn = [self.any_game(random.Random(seed)) for seed in range(6)]
        soak = [pytest.param(*one, marks=pytest.mark.soak) for one in drawn[2:]]
        return [(self.players, self.rules), *first_few(drawn[:2], 0), *soak]

    @each("players, rules", "checked")
    def test_every_check_passes(self, players: int, rules: Changes) -> None:
        game = replace(self.plays.game, players=(players,))
        found = check_game(game, rules=self.plays.ruled(rules), games=self.few)
        assert [check for check in found if not check.ok] == []

    def test_copies_are_played_on_from_every_kind_of_decision(self) -> None:
        setting = Setting(self.plays.game, self.plays.ruled(self.rules), self.players)
        assert resumes(setting, self.few) == self.plays.game.kinds.keys()

    def taken(self) -> list[Any]:
        """What could be taken from a state, or added to it, as it is conserved."""
        return first_few(self.thefts)

    @each("thing", "taken")
    def test_a_theft_is_seen(self, thing: str, monkeypatch: pytest.MonkeyPatch) -> None:
        stage, steal = self.thefts[thing]
        step = self.plays.steps[stage]

        def thief(state: Any, table: Any) -> None:
            step(state, table)
            if len(state.games) > 3:
                steal(state)

        monkeypatch.setitem(self.plays.steps, stage, thief)
        game = replace(self.plays.game, players=(self.players,))
        rules = self.plays.ruled(self.rules)
        found = {one.name: one for one in check_game(game, rules=rules, games=12)}
        assert f"{thing} are not conserved" in found["conserves"].detail

    # On any cores.

    def sums(
        self, monkeypatch: pytest.MonkeyPatch, jobs: int = 1, block: int = 0
    ) -> pl.DataFrame:
        """What a run finds, in blocks of so many games."""
        games, usual = self.size
        monkeypatch.setattr("experiments.core.blocks.BLOCK", block or usual)
        cells = [
            self.plays.cell(rules, lineup, seed=2, rotate=rotate)
            for rules, lineup, rotate in self.cells
        ]
        return run(cells, games, jobs=jobs).sums

    def test_jobs_change_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        one = self.sums(monkeypatch)
        assert one.height > self.rows
        for jobs in self.jobs:
            assert self.sums(monkeypatch, jobs).equals(one)

    def test_size_of_blocks_changes_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        games, usual = self.size
        odd = self.sums(monkeypatch, block=usual * 2 // 3 + 4)
        assert odd.equals(self.sums(monkeypatch, block=games))

    def test_seed_changes_a_run(self) -> None:
        rules, lineup, _ = self.cells[-1]
        cells = [self.plays.cell(rules, lineup, seed=s, rotate=False) for s in (1, 2)]
        one, other = (run([cell], 50).sums for cell in cells)
        assert not one.equals(other)
