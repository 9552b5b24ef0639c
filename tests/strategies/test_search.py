"""Search is honest, a function of the game alone, and wins."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from experiments.conformance.redeal import redeal_view
from experiments.conformance.state_contents import changes, contents
from experiments.core.blocks import block_size
from experiments.core.cells import Cell, play
from experiments.execution.run import run
from sim import masks
from sim.answers import check_answer
from sim.candidates import candidate_answers
from sim.chance import Chance
from sim.games import REGISTRY, load
from sim.kunitame.state import Phase
from sim.listener import Listener
from sim.masks import Masks
from sim.rollouts import RolloutTable
from sim.table import Table
from sim.view import View
from strategies.random import Random
from strategies.registry import UnknownStrategy, make
from strategies.search import Search
from strategies.win_probability import win_probability
from tests.games.plays import Plays
from tests.games.room import first_few

RULES = {  # short games in which many kinds of decisions are asked
    "article_ii": {"hand": 4},
    "devil": {"target": 40},
    "kbernestich": {"rounds": 2, "tricks": 4},
    "kunitame": {"weeks": 2, "devil_ranks": 4},
    "socialism": {"guard": 8},
}
GAMES, LATER = 4, 2.5  # games, and how much later search is watched again


class Watched:
    """Plays at random, and looks at what search would answer now and then."""

    title = "watched"

    def __init__(self, look: Callable[[View], None]) -> None:
        self.look = look
        self.asked = self.next = 0
        self.kinds: set[str] = set()

    def decide(self, view: View) -> Masks:
        self.asked += 1
        if view.kind.name not in self.kinds or self.asked >= self.next:
            self.next = int(self.asked * LATER) + 1
            self.kinds.add(view.kind.name)
            self.look(view)
        return Random().decide(view)


def watched(game: str, look: Callable[[View], None], players: int = 0) -> Watched:
    """Games in which search is watched."""
    plays = Plays(game)
    watch = Watched(look)
    state = plays.started(
        RULES.get(game, {}), players or plays.game.players[0], GAMES, seed=3
    )
    plays.game.play(state, plays.table([watch]))
    return watch


@pytest.mark.parametrize("game", first_few(REGISTRY, 3))
def test_search_is_honest(game: str) -> None:
    """Legal, hands off, blind to what is hidden, and the same alone."""
    search, known = Search(samples=2, inner="random", horizon="game"), load(game)

    def look(view: View) -> None:
        before = contents(view._state)
        answer = search.decide(view)
        check_answer(search, view, answer)
        assert not changes(contents(view._state), before)
        for salt in (1, 2):
            again = search.decide(redeal_view(known, view, salt))
            assert (again == answer).all(), f"{view.kind.name}: sees hidden things"
        rows = np.flatnonzero(np.arange(len(view)) % 2 == 0)
        assert (search.decide(view.take(rows)) == answer.take(rows)).all()

    assert len(watched(game, look).kinds) > 1


def test_policies_of_a_mixture_are_no_secret_either() -> None:
    search, known = (
        Search(samples=2, inner="allround+greedy+timid", plans="planner"),
        load("kunitame"),
    )
    alone = Search(samples=2)
    differ = 0

    def look(view: View) -> None:
        nonlocal differ
        answer = search.decide(view)
        assert (search.decide(redeal_view(known, view, 1)) == answer).all()
        differ += int((alone.decide(redeal_view(known, view, 1)) != answer).sum())

    watched("kunitame", look, 4)
    assert differ


# --- What is tried ---------------------------------------------------------------


def test_answers_of_a_bag_are_none_and_tokens_on_one_option() -> None:
    seen: list[tuple[View, Any, Any]] = []

    def look(view: View) -> None:
        if view.kind.name == "contract":
            seen.append((view, *candidate_answers(view, np.zeros_like(view.legal))))

    watched("kunitame", look)
    for view, of, answer in seen:
        width = view.options_per_token
        for row in range(len(view)):
            tried = answer[of == row]
            assert len(set(tried.tolist())) == len(tried) == 1 + width * view.most[row]
            assert (masks.count(tried) <= view.most[row]).all()
            assert not (tried & ~view.legal[row]).any()


def test_answers_of_a_sample_are_single_exchanges() -> None:
    state = Plays("kunitame").started({}, 3, 2)
    kind = load("kunitame").kinds["cancel"]
    legal = np.array([0b1101, 0b11], dtype=np.uint64)
    most = np.array([2, 1], dtype=np.uint8)
    view = load("kunitame").view(state, kind, 0, None, legal, most)
    of, answer = candidate_answers(view, np.array([0b101, 0b10], dtype=np.uint64))
    found = [sorted(answer[of == row].tolist()) for row in (0, 1)]
    assert found == [[0b101, 0b1001, 0b1100], [0b01, 0b10]]


# --- What it is worth ------------------------------------------------------------


def shares(
    state: Any, row: int, kind: str, seat: int, answer: int, games: int
) -> NDArray[np.float64]:
    """Shares of the win with an answer, in many continuations of the real game."""
    numbers = np.arange(games, dtype=np.uint64)
    many = state.branch(np.full(games, row), Chance(77, numbers))
    desk = RolloutTable(load("kunitame"), [make("kunitame", "allround")])
    told = np.full(games, answer, dtype=np.uint64)
    return desk.play_from(many, kind, np.full(games, seat), told)[seat]


def test_the_best_card_of_a_last_trick_is_found() -> None:
    """Nothing that matters is hidden from who plays last."""
    plays, search = Plays("kunitame"), Search(samples=64)
    state = plays.started({"weeks": 1}, 3, 40, seed=5)
    table = plays.table([make("kunitame", "allround")])
    for stage in plays.stages(state, table):
        clock = state.clock
        if stage is Phase.PLAY and (clock.round, clock.turn) == (6, 2):
            break
    tried = 0

    class Last:
        title = "last"

        def decide(self, view: View) -> Masks:
            nonlocal tried
            answer = search.decide(view)
            here = state.copy()
            for row in np.flatnonzero(masks.count(view.legal) > 1).tolist():
                worth = {
                    1 << bit: shares(
                        here, row, "play", int(view.seat[row]), 1 << bit, 400
                    ).mean()
                    for bit in masks.members(view.legal[row])
                }
                # 400 and 64 games: a standard error of at most 0.07
                assert worth[int(answer[row])] >= max(worth.values()) - 0.2
                tried += max(worth.values()) - min(worth.values()) > 0.2
            return answer

    plays.steps[Phase.PLAY](state, plays.table([Last()]))
    assert tried > 3, "it mattered"


@pytest.mark.parametrize(
    ("name", "changes", "players", "number", "parts"),
    [
        ("kunitame", {"weeks": 2}, 3, 0, 1),
        ("evilpact", {"rounds": 6}, 2, 4, 5),
        ("article_ii", {"hand": 3}, 3, 1, 3),
        pytest.param("article_ii", {}, 4, 6, 3, marks=pytest.mark.soak),
        pytest.param("article_ii", {}, 4, 9, 3, marks=pytest.mark.soak),
        pytest.param("devil", {}, 3, 2, 1, marks=pytest.mark.soak),
        pytest.param("socialism", {}, 2, 2, 1, marks=pytest.mark.soak),
        pytest.param("kbernestich", {"rounds": 2}, 4, 0, 1, marks=pytest.mark.soak),
    ],
)
def test_chances_to_win_are_those_of_other_games(
    name: str, changes: Any, players: int, number: int, parts: int
) -> None:
    """Fitted to some games, they hold in others."""
    game, policy = load(name), make(name, "allround")
    rules, stage = game.rules.of(changes), game.stage
    chances = win_probability(name, rules, players, policy)
    assert chances is not None
    assert stage is not None
    assert sorted(chances.weights) == list(range(parts))
    won = RolloutTable(game, [policy]).play(
        game.start(rules, players, 1, Plays.numbers(6_000))
    )
    state = game.start(rules, players, 1, Plays.numbers(6_000))
    state.stops = number if stage.over is None else np.full(6_000, number)
    game.play(state, RolloutTable(game, [policy]))
    left = np.ones(6_000, dtype=np.bool_) if stage.over is None else ~stage.over(state)
    part = stage.part_of(state)
    won, said = won[:, left], chances(part, stage.features(state))[:, left]
    assert (said.sum(axis=0) < 1 + 1e-9).all()
    assert abs(said.sum(axis=0).mean() - won.sum(axis=0).mean()) < 0.02  # or nobody
    assert (said.max(axis=0) > 0.5).any()
    for low in np.arange(0, 0.9, 0.1):
        some = (said >= low) & (said < low + 0.1)
        if some.sum() > 200:
            sure = 4 * np.sqrt(0.25 / some.sum())
            assert abs(won[some].mean() - said[some].mean()) < sure + 0.03


@pytest.mark.slow
def test_it_wins() -> None:
    """At least 10 points over even, with a wide margin."""
    lineup = ("search", *["allround"] * 3)
    cell = Cell("kunitame", load("kunitame").rules(), 4, lineup, True, 3)
    wins, games = 0, 120

    class Winners(Listener):
        def hears(self, name: str) -> bool:
            return name == "result"

        def event(self, state: Any, name: str, where: Any, fields: Any) -> None:
            nonlocal wins
            seats = (-np.arange(games)) % 4
            wins += int((fields["winner"] == seats).sum())

    play(cell, Plays.numbers(games), [Winners()])
    assert wins / games > 0.45  # 0.62 in the long run; even is 0.25


def test_what_is_no_search_is_refused() -> None:
    for spec in ("search:samples=0", "search:horizon=year"):
        with pytest.raises(UnknownStrategy):
            make("kunitame", spec)
    assert make("kunitame", "search:samples=4").title == "search:samples=4"


def test_a_script_of_what_is_no_option_is_an_error() -> None:
    plays = Plays("kunitame")
    state = plays.until(Phase.PLAY, plays.started({}, 3, 2), plays.table())
    desk = RolloutTable(plays.game, [Random()])
    none = np.zeros(2, dtype=np.uint64)
    seat = state.leader.copy()
    with pytest.raises(RuntimeError, match="no option"):
        desk.play_from(state, "play", seat, none | masks.bit(63))
    assert isinstance(desk, Table)


def test_a_costly_strategy_makes_blocks_smaller() -> None:
    rules = load("kunitame").rules()

    def size(name: str, games: int, detailed: bool) -> int:
        cell = Cell("kunitame", rules, 3, (name, "random", "random"))
        return block_size([cell], games, detailed, False)

    sizes = [
        size(name, 100_000, detailed)
        for name in ("random", "search:samples=8", "search:samples=4096")
        for detailed in (False, True)
    ]
    assert sizes == [50_000, 16_384, 2_048, 2_048, 1_024, 1_024]
    assert size("random", 6_000, True) == 16_384
    few = (10_000, 6_000, 2_000, 1_000, 500, 300)
    shorter = [size("search:samples=8", games, False) for games in few]
    assert shorter == [1_250, 750, 250, 250, 250, 300]  # parts for some cores


@pytest.mark.soak
@pytest.mark.parametrize("game", ["kunitame", "devil"])
def test_jobs_and_blocks_change_nothing(game: str) -> None:
    known = load(game)
    rules = known.rules.of(RULES[game])
    lineup = ("search:samples=1", "random", "random")
    cell = Cell(game, rules, 3, lineup, True, 2)
    one = run([cell], 60, jobs=1, block=60).sums
    assert run([cell], 60, jobs=2, block=17).sums.equals(one)
