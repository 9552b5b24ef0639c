"""Games can be branched at any question: rows dropped, repeated, in another order."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.chance import Chance
from sim.games import REGISTRY
from sim.listener import Listener
from sim.masks import Masks
from sim.table import Player, Table
from sim.view import View
from strategies.random import Random
from strategies.registry import make
from tests.games.plays import Changes, Plays

RULES: Mapping[str, Changes] = {  # under which many kinds of decisions are frequent
    "article_ii": {"hand": 4, "necromancer_target": "chosen"},
    "devil": {"target": 40, "deck": "440"},
    "evilpact": {"thresholds": [1, 3], "contract_after_round": 2},
    "kbernestich": {"rounds": 2, "tricks": 5, "future_known": True},
    "kunitame": {"weeks": 2, "removed_pledge": "none", "devil_ranks": 4},
    "socialism": {"tokens": 8, "guard": 12},
}
TABLES = [
    (game, players)
    for game in REGISTRY
    for players in sorted(
        {*Plays(game).game.players[:1], *Plays(game).game.players[-1:]}
    )
]
IN_STEP = ("article_ii", "drake", "evilpact", "kbernestich", "kunitame")
GAMES, LATER = 25, 1.5  # games, and how much later they are branched again
Ends = Mapping[str, NDArray[Any]]


class Heard(Listener):
    """Listens to the result alone."""

    def __init__(self) -> None:
        self.result: dict[str, NDArray[Any]] = {}

    def hears(self, name: str) -> bool:
        return name == "result"

    def event(self, state: Any, name: str, where: Any, fields: Any) -> None:
        self.result = {key: np.array(value) for key, value in fields.items()}


class Keeper:
    """Plays as another does, and keeps the games at many a question."""

    title = "keeper"

    def __init__(self, inner: Player) -> None:
        self.inner = inner
        self.kept: list[tuple[str, Any]] = []
        self.asked = self.next = 0

    def decide(self, view: View) -> Masks:
        self.asked += 1
        kind = view.kind.name
        if kind not in dict(self.kept) or self.asked >= self.next:
            self.next = int(self.asked * LATER) + 1
            self.kept.append((kind, view._state.copy()))
        return self.inner.decide(view)


def end(plays: Plays, state: Any, player: Player) -> Ends:
    """The result of games, played on."""
    heard, game = Heard(), plays.game
    game.play(state, Table([player], None, game.view, game.kinds, [heard]))
    return heard.result


def kept(
    plays: Plays, players: int, changes: Changes, player: Player
) -> tuple[list[tuple[str, Any]], Ends]:
    """Games as they stood at many a question, and their result."""
    keeper = Keeper(player)
    ends = end(plays, plays.started(changes, players, GAMES, seed=7), keeper)
    return keeper.kept, ends


def differ(one: Ends, other: Ends, places: NDArray[np.int64]) -> list[str]:
    """What of the result is not that of the games in these places."""
    taken = {name: value.take(places, axis=-1) for name, value in other.items()}
    return [name for name in taken if not np.array_equal(one[name], taken[name])]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_branches_end_as_the_game_does(game: str, players: int) -> None:
    plays, dice = Plays(game), np.random.default_rng(1)
    states, ends = kept(plays, players, RULES.get(game, {}), Random())
    for kind, state in states:
        size = len(state.games)
        mixed = np.concatenate([dice.permutation(size), dice.integers(0, size, 9)])
        for rows in (np.arange(size), mixed, mixed[: max(size // 3, 1)]):
            found = end(plays, state.branch(rows), Random())
            assert not differ(found, ends, state.start_rows.take(rows)), kind


@pytest.mark.soak
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_branches_of_strong_play(game: str, players: int) -> None:
    plays, player = Plays(game), make(game, "allround")
    states, ends = kept(plays, players, {}, player)
    for kind, state in states:
        rows = np.repeat(np.arange(len(state.games)), 2)[::-1].copy()
        found = end(plays, state.branch(rows), player)
        assert not differ(found, ends, state.start_rows.take(rows)), kind


@pytest.mark.parametrize("game", REGISTRY)
def test_a_branch_leaves_the_games_as_they_are(game: str) -> None:
    plays = Plays(game)
    players = plays.game.players[0]
    states, ends = kept(plays, players, RULES.get(game, {}), Random())
    for kind, state in states[:12]:
        rows = np.arange(len(state.games))
        end(plays, state.branch(np.repeat(rows, 2)), Random())
        end(plays, state.branch(rows, Chance(9, state.games)), Random())
        assert not differ(end(plays, state, Random()), ends, np.arange(GAMES)), kind


@pytest.mark.parametrize("game", IN_STEP)
def test_branches_of_a_question_are_played_on_together(game: str) -> None:
    plays = Plays(game)
    states, ends = kept(plays, plays.game.players[0], RULES.get(game, {}), Random())
    for kind, state in states:
        rows = np.arange(len(state.games))
        parts = [rows[::-3].copy(), rows[1::2], rows[:1]]
        one, *others = (state.branch(part) for part in parts)
        found = end(plays, one.concatenate(others), Random())
        places = state.start_rows.take(np.concatenate(parts))
        assert not differ(found, ends, places), kind


@pytest.mark.parametrize("game", REGISTRY)
def test_with_other_chance_a_branch_is_another_game(game: str) -> None:
    plays = Plays(game)
    states, _ = kept(plays, plays.game.players[0], RULES.get(game, {}), Random())
    first = states[0][1]
    rows = np.arange(len(first.games))
    one, same, other = (
        end(plays, first.branch(rows, Chance(seed, first.games)), Random())
        for seed in (9, 9, 10)
    )
    assert not differ(one, same, rows)
    assert differ(one, other, rows)
