"""Game 7 is game 7: alone, in any block, resumed from any moment, on any cores."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
import pytest

from experiments.run import run
from sim.transcript import Event
from tests.games.plays import Changes, changed, contents
from tests.games.room import Room, each


@dataclass(frozen=True)
class Resumed:
    """Games that are copied while they are played, and played on from the copies.

    They are copied where a stage comes for the first time, and before a share ``kept``
    of all other steps; every ``step``-th copy is played on. All stages come but those
    ``unseen``, and ``perhaps`` these. A strategy for each seat, or one for all.
    """

    players: int
    lineup: Sequence[str]
    rules: Changes = field(default_factory=dict)
    kept: float = 1.0
    step: int = 1
    unseen: frozenset[Any] = frozenset()
    perhaps: frozenset[Any] = frozenset()


def unnumbered(events: Sequence[Event]) -> list[Event]:
    """The events without the number of their game."""
    return [{k: v for k, v in event.items() if k != "game"} for event in events]


class Replay(Room):
    """A game is the same however it is played.

    ``mixed`` are strategies for four seats, ``rules`` shows all kinds of decisions,
    under ``brief`` a game is soon over and no two of 30 are the same. ``array`` of the
    state changes in the games of the first of ``resumed``.
    """

    rules: Changes
    brief: Changes
    mixed: Sequence[str]
    around: Sequence[tuple[int, int]] = ((0, 8), (0, 33), (5, 3), (6, 9), (7, 30))
    resumed: Mapping[str, Resumed]
    drops = False  # whether games that are over leave the state before the others
    array: str
    kept = 0.2  # of the steps under any rules: so many are copied
    cells: Sequence[tuple[Changes, Sequence[str], bool]]
    size: tuple[int, int] = (500, 200)  # games of a run, games of a block
    jobs: Sequence[int] = (2,)
    rows = 20  # that the tables of a run have, and more

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        """Players and rules, from all that a designer may change."""
        raise NotImplementedError

    def far_apart(self) -> list[tuple[Changes, Sequence[str]]]:
        """Rules and lineups of which games are played that are far apart."""
        return [(self.rules, self.mixed)]

    # In any block.

    @pytest.mark.parametrize("mixed", [False, True])
    @pytest.mark.parametrize("rotate", [False, True])
    def test_game_7_is_game_7(self, *, mixed: bool, rotate: bool) -> None:
        """Whatever games are played around it."""
        lineup = self.mixed if mixed else ["random"] * 4

        def game(first: int, games: int, seed: int = 3) -> list[Event]:
            told = self.plays.told(
                self.rules,
                4,
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

    def test_games_differ(self) -> None:
        games = self.plays.told(self.brief, 4, 30)
        assert len({str(unnumbered(events)) for events in games}) == 30

    @each("rules, lineup", "far_apart")
    def test_games_in_any_order_and_far_apart(
        self, rules: Changes, lineup: Sequence[str]
    ) -> None:
        """Rows need not be neighbours: what decides is the index."""
        wanted = [2**40 + 5, 3, 99, 4, 2**63 + 1]
        cell = self.plays.cell(rules, lineup, seed=9, rotate=False)
        together = self.plays.events(cell, np.array(wanted, dtype=np.uint64))
        for game in wanted:
            told = self.plays.told(
                rules, len(lineup), 1, lineup=lineup, first=game, seed=9
            )
            assert [event for event in together if event["game"] == game] == told[0]

    # Resumed.

    @each("name", "resumed")
    def test_a_copy_played_on_ends_the_same(self, name: str) -> None:
        """Copied before many a step: each copy, played on, ends as the game did."""
        case, plays = self.resumed[name], self.plays
        lineup = list(case.lineup) * (case.players // len(case.lineup))
        state = plays.started(case.rules, case.players, 12, seed=6)
        desk, dice = plays.seated(lineup, 12), random.Random(case.players)
        copies: list[tuple[Any, dict[str, Any]]] = []
        seen = set()
        for stage in plays.stages(state, desk):
            if stage not in seen or dice.random() < case.kept:
                copies.append((state.copy(), contents(state)))
            seen.add(stage)
        wanted = contents(state)
        assert seen | case.perhaps == set(plays.steps) - case.unseen
        sizes = {len(copy.games) for copy, _ in copies}
        assert (len(sizes) > 1) == self.drops, "copies before and after games ended"
        for copy, before in copies:
            assert not changed(contents(copy), before), "playing on changed a copy"
        for copy, _ in copies[:: case.step]:
            plays.game.play(copy, desk)
            assert not changed(contents(copy), wanted)
        assert not changed(contents(state), wanted), "playing a copy changed the game"

    @pytest.mark.parametrize("seed", range(4))
    def test_copies_under_any_rules(self, seed: int) -> None:
        dice, desk = random.Random(seed), self.plays.table()
        players, rules = self.any_game(dice)
        state = self.plays.started(rules, players, 8, seed=seed)
        stages = self.plays.stages(state, desk)
        copies = [state.copy() for _ in stages if dice.random() < self.kept]
        assert copies
        for copy in copies:
            self.plays.game.play(copy, desk)
            assert not changed(contents(copy), contents(state))

    def test_a_copy_forgets_nothing_that_counts(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The test of the copies could fail: one that shares an array is seen."""
        name = next(iter(self.resumed))
        state = type(self.plays.started(None, self.resumed[name].players, 1))
        copy = state.copy

        def shared(own: Any) -> Any:
            other = copy(own)
            setattr(other, self.array, getattr(own, self.array))
            return other

        monkeypatch.setattr(state, "copy", shared)
        with pytest.raises(AssertionError, match="changed a copy"):
            self.test_a_copy_played_on_ends_the_same(name)

    # On any cores.

    def sums(
        self, monkeypatch: pytest.MonkeyPatch, jobs: int = 1, block: int = 0
    ) -> pl.DataFrame:
        """What a run finds, in blocks of so many games."""
        games, usual = self.size
        monkeypatch.setattr("experiments.blocks.BLOCK", block or usual)
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
