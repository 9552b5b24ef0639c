"""How strong the strategies of a game are; and each plays whatever rules there may be.

Who meets whom takes all seats in turn. Margins are in standard errors of the games.
"""

import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from strategies.registry import make
from tests.games.plays import Plays
from tests.games.room import Room, each
from tests.games.rotated import Rotated

Won = NDArray[np.float64]


def error(values: NDArray[Any]) -> float:
    """The standard error of a mean."""
    return float(np.asarray(values).std() / np.sqrt(len(values)))


def apart(more: Any, less: Any) -> float:
    """By how many standard errors of both one mean exceeds another."""
    one, other = (np.asarray(values, dtype=float) for values in (more, less))
    return float((one.mean() - other.mean()) / np.hypot(error(one), error(other)))


@lru_cache
def won(plays: Plays, one: str, others: str, players: int, games: int) -> Won:
    """(games,) which games the only one of its kind wins; 0.5 where nobody does."""
    lineup = [make(plays.id, name) for name in (one, *[others] * (players - 1))]
    run = Rotated.play(plays.game, lineup, games, ())
    winner = run.book.kept["result"][0]["winner"].astype(int)
    mine = run.place[winner, np.arange(games)] == 0
    return np.where(winner < 0, 0.5, mine)


class Skilled(Room):
    """The strategies of a game by their strength.

    ``best`` beats a table of each other one, and none of them gains at a table of it:
    in ``games`` games, or as many as ``close`` says of one. Games that nobody wins are
    lost, but where they are left out (``decided``). ``usual`` says which meetings are
    not soaked; of these the smallest tables are played by default, the others are slow.
    All but random beat it by ``margin``.
    """

    best = "allround"
    games = 2000
    close: Mapping[str, int] = {}
    errors = 5.0
    decided = False
    margin = 0.1
    odd = 3, 10  # how many rules, and games of each

    def usual(self, other: str, players: int) -> bool:
        """Whether these meet at all but in a soak."""
        return True

    def often(self, other: str, players: int) -> int:
        """How many games they meet in."""
        return self.close.get(other, self.games)

    def meetings(self) -> list[Any]:
        """Who meets the best one, and how many play."""
        sizes = self.plays.game.players
        return [
            pytest.param(other, size, marks=self._marks(other, size, size == sizes[0]))
            for other in self.plays.names
            if other != self.best
            for size in sizes
        ]

    def _marks(self, other: str, players: int, first: bool) -> Any:
        if not self.usual(other, players):
            return pytest.mark.soak
        return () if first else pytest.mark.slow

    def share(self, one: str, others: str, players: int, games: int) -> Won:
        """(games,) which games the only one of its kind wins."""
        found = won(self.plays, one, others, players, games)
        return found[found != 0.5] if self.decided else np.floor(found)

    @each("other, players", "meetings")
    def test_the_best_beats_a_table_of_each_other_one(
        self, other: str, players: int
    ) -> None:
        found = self.share(self.best, other, players, self.often(other, players))
        assert found.mean() - self.errors * error(found) > 1 / players

    @each("other, players", "meetings")
    def test_no_other_one_gains_at_a_table_of_the_best(
        self, other: str, players: int
    ) -> None:
        games = self.often(other, players)
        if players == 2:  # the same games
            found = 1 - won(self.plays, self.best, other, 2, games)
            found = found[found != 0.5] if self.decided else np.floor(found)
        else:
            found = self.share(other, self.best, players, games)
        assert found.mean() + self.errors * error(found) < 1 / players

    def thinking(self) -> list[Any]:
        """All strategies that think, and numbers of players."""
        names = [name for name in self.plays.names if name != "random"]
        sizes = self.plays.game.players
        return [
            pytest.param(name, size, marks=() if size == sizes[0] else pytest.mark.slow)
            for name in names
            for size in sizes
        ]

    @each("name, players", "thinking")
    def test_each_beats_random(self, name: str, players: int) -> None:
        found = self.share(name, "random", players, self.games)
        assert found.mean() - 3 * error(found) > 1 / players + self.margin

    @pytest.mark.parametrize("seed", range(3))
    def test_every_strategy_plays_odd_variants(self, seed: int) -> None:
        dice = random.Random(seed)
        players = dice.choice(self.plays.game.players)
        rules = self.plays.any_rules(dice, players)
        for name in self.plays.names:
            state = self.plays.started(rules, players, 20, seed=seed)
            player = make(self.plays.id, name)
            self.plays.game.play(state, self.plays.table([player]))
            assert state.clock.phase.name == "OVER"
