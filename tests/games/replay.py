"""Game 7 is game 7: alone, in any block, resumed from any moment, on any cores."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from experiments.conformance.check_game import check_game, conserves
from experiments.conformance.harness import Setting
from experiments.core.cells import play
from experiments.execution.run import run
from sim.games import Game
from sim.listener import Choice
from sim.masks import Flags
from sim.table import StrategyFailed
from sim.transcript import Event, Transcript
from tests.games.plays import Changes, Plays
from tests.games.room import Room, each, first_few


class OneGame(Transcript):
    """The transcript of one game among others."""

    def __init__(self, game: Game, number: int) -> None:
        super().__init__(game)
        self._number = number

    def choice(self, state: Any, choice: Choice) -> None:
        """Its choices."""
        own = choice.asked & (state.games == self._number)
        super().choice(state, choice._replace(asked=own))

    def event(
        self, state: Any, name: str, where: Flags | None, fields: Mapping[str, Any]
    ) -> None:
        """What became of it."""
        own = state.games == self._number
        super().event(state, name, own if where is None else where & own, fields)


def unnumbered(events: Sequence[Event]) -> list[Event]:
    """The events without the number of their game."""
    return [{k: v for k, v in event.items() if k != "game"} for event in events]


def agreeing(
    plays: Plays, rules: Changes, others: Sequence[Changes], players: int, first: int
) -> list[float]:
    """Of each of other rules, the share of games that begin with the same chance.

    That is with the same ``first`` events of chance as by ``rules``.
    """

    def begins(changes: Changes) -> list[str]:
        games = plays.transcripts({**rules, **changes}, players, 30)
        told = (
            [e for e in unnumbered(game) if e["type"] == "chance"] for game in games
        )
        return [str(events[:first]) for events in told]

    base = begins({})
    return [
        sum(one == other for one, other in zip(base, begins(changes), strict=True)) / 30
        for changes in others
    ]


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
    agreeing: Sequence[tuple[Changes, int]] = ()  # rules that deal the same, players
    jobs: Sequence[int] = (2,)
    rows = 20  # that the tables of a run have, and more

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        """Players and rules, from all that a designer may change."""
        players = dice.choice(self.plays.game.players)
        return players, self.plays.any_rules(dice, players)

    # In any block.

    @pytest.mark.parametrize("mixed", first_few([True, False]))
    @pytest.mark.parametrize("rotate", [False, True])
    def test_game_7_is_game_7(self, *, mixed: bool, rotate: bool) -> None:
        """Whatever games are played around it."""
        lineup = self.mixed if mixed else ["random"] * self.players

        def game(first: int, games: int, seed: int = 3) -> list[Event]:
            cell = self.plays.cell(self.rules, lineup, seed=seed, rotate=rotate)
            told = OneGame(self.plays.game, 7)
            play(cell, self.plays.numbers(games, first), [told])
            return [event for event in told.events() if event["game"] == 7]

        alone = game(7, 1)
        assert alone[0]["game"] == 7
        for first, games in self.around:
            assert game(first, games) == alone
        other = game(0, 8, seed=4)
        assert unnumbered(other[1:]) != unnumbered(alone[1:]), "but for the setup"

    def dealt(self, events: Sequence[Event]) -> Any:
        """What chance deals in a game, as it is told."""
        return [event for event in unnumbered(events) if event["type"] == "chance"]

    @each("changes, players", "agreeing")
    def test_rules_that_agree_see_the_same_cards(
        self, changes: Changes, players: int
    ) -> None:
        """Common random numbers: another option changes no card that is dealt."""
        one, other = (
            [self.dealt(game) for game in self.plays.transcripts(rules, size, 20)]
            for rules, size in (({}, self.players), (changes, players))
        )
        assert one == other

    # What every game is held to.

    def checked(self) -> list[tuple[int, Changes]]:
        """Players and rules under which all is checked."""
        drawn = [self.any_game(random.Random(seed)) for seed in range(6)]
        soak = [pytest.param(*one, marks=pytest.mark.soak) for one in drawn[2:]]
        return [(self.players, self.rules), *first_few(drawn[:2], 0), *soak]

    @pytest.mark.slow
    @each("players, rules", "checked")
    def test_every_check_passes(self, players: int, rules: Changes) -> None:
        game = replace(self.plays.game, players=(players,))
        found = check_game(game, rules=self.plays.ruled(rules), games=self.few)
        assert [check for check in found if not check.ok] == []
        assert {check.name for check in found} >= {"resumes", "hides", "conserves"}
        if rules == self.rules:
            said = next(check.detail for check in found if check.name == "resumes")
            kinds = {*said.partition(" at ")[2].split(", ")}
            assert kinds == {*self.plays.game.kinds}, "copies are played on from each"

    @each("thing", "thefts")
    def test_a_theft_is_seen(self, thing: str, monkeypatch: pytest.MonkeyPatch) -> None:
        stage, steal = self.thefts[thing]
        step = self.plays.steps[stage]

        def thief(state: Any, table: Any) -> None:
            step(state, table)
            if len(state.games) > 3:
                steal(state)

        monkeypatch.setitem(self.plays.steps, stage, thief)
        setting = Setting(self.plays.game, self.plays.ruled(self.rules), self.players)
        with pytest.raises(StrategyFailed, match=f"{thing} are not conserved"):
            conserves(setting, 12)

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

    @pytest.mark.slow
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
