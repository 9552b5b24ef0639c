"""What options are worth to the leading heuristics, and that they answer by it."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest

from experiments.learning import blocks
from sim import masks
from sim.games import REGISTRY, load
from sim.observation_reader import Reader
from strategies.base import Strategy, method_of
from strategies.by_worth import by_worth, worth_in_turn, worth_told
from strategies.devil.allround import Allround as DevilAllround
from strategies.registry import make
from tests.games.plays import Plays
from tests.games.watched import Watched

WORTH = {  # the kinds of decisions that are decided by worth
    "article_ii": "necromancer play react remove remove-from second target teflon",
    "devil": "declare play",
    "drake": "act play",
    "evilpact": "acquire cast contract counter element exclude flip sideways",
    "kbernestich": "play plot trump",
    "kunitame": "bonus claim play return",
    "socialism": "beside cell colour copy friend front invite invited inviter lost "
    "manage member network play sherman user victim viral",
}
OTHERS = {"kbernestich": ["claim"]}
"""Kinds of one option that are not: no right to set a colour is ever claimed."""
CLOSE = {"devil": 1e-9, "drake": 1e-9, "socialism": 2e-4}
"""How much less than the best an option may be worth that is as good."""
RULES = {"article_ii": {"necromancer_target": "chosen"}}
GAMES = {"article_ii": 60, "evilpact": 60, "socialism": 24}


@pytest.mark.parametrize("game", REGISTRY)
def test_which_kinds_are_decided_by_worth(game):
    known, cls = load(game), type(make(game, "allround"))
    told = [
        kind for kind in known.kinds if worth_told(getattr(cls, method_of(kind), None))
    ]
    assert sorted(told) == WORTH[game].split()
    single = [kind for kind, one in known.kinds.items() if one.form == "one"]
    assert sorted(single) == sorted(WORTH[game].split() + OTHERS.get(game, []))


@pytest.mark.parametrize("game", REGISTRY)
def test_an_option_of_most_worth_is_the_answer(game):
    plays, player = Plays(game), make(game, "allround")
    seen, differ = Counter(), Counter()

    def judge(view, answer):
        worth, kind = player.worth(view), view.kind.name
        if worth is None:
            return
        assert worth.shape[1:] == (len(view),)
        lone = masks.ONE << np.arange(len(worth), dtype=np.uint64)[:, None]
        known = np.isfinite(worth)
        assert not known[(view.legal & lone) == 0].any()  # nothing of other options
        found = worth[masks.index(answer), np.arange(len(view))]
        assert np.isfinite(found).all()
        others = np.where(known, worth, -np.inf)
        assert (found >= others.max(axis=0) - CLOSE.get(game, 0)).all()
        seen[kind] += len(view)
        differ[kind] += np.sum(found > np.where(known, worth, np.inf).min(axis=0))

    watched = Watched(player, judge)
    for players in plays.game.players:
        for rules in ({}, RULES.get(game, {})):
            state = plays.started(rules, players, GAMES.get(game, 40))
            plays.game.play(state, plays.table([watched]))
            if not RULES.get(game):
                break
    assert sorted(seen) == WORTH[game].split()
    assert all(differ[kind] for kind in seen), "all options are worth the same"


@pytest.mark.parametrize("game", REGISTRY)
def test_worth_changes_no_answer(game):
    """It draws no random numbers, and what it caches is what would be found anew."""

    class Asking:
        title = "asking"
        kept: list[bytes]

        def __init__(self, asks):
            self.asks, self.kept, self.player = asks, [], make(game, "allround")

        def decide(self, view):
            if self.asks:
                self.player.worth(view)
            answer = self.player.decide(view)
            self.kept.append(answer.tobytes())
            return answer

    plays, (plain, asking) = Plays(game), (Asking(False), Asking(True))
    players = min(plays.game.players, key=lambda number: abs(number - 4))
    for player in (plain, asking):
        plays.game.play(plays.started({}, players, 12), plays.table([player]))
    assert plain.kept == asking.kept


@pytest.mark.parametrize("game", REGISTRY)
def test_learned_policies_see_worth(game, monkeypatch):
    monkeypatch.setattr(blocks, "_SEEN_GAMES", GAMES.get(game, 40))
    known = load(game)
    sizes, rules = known.players[:2], known.rules.of(RULES.get(game, {}))
    task = blocks.LearningTask(game, rules, sizes, ("allround",), 5)
    observations = blocks.look_around(task).observations
    assert {*observations} & {*WORTH[game].split()}
    for kind, observation in observations.items():
        assert (observation.worth > 0) == (kind in WORTH[game].split()), kind

    def judge(view, answer):
        observation = observations.get(view.kind.name)
        if observation is None or not observation.worth:
            return
        reader = Reader(observation)
        seen = reader.read(view, [answer], player.worth(view))
        less = seen.values[..., 0]  # than the best option, of each option
        assert less.max() <= 0
        own = reader.flags_of(reader.own(view, answer)) == 1
        known = own.any(axis=1)  # as rare options are not seen in so few games
        assert (less[own] == 0).all()
        read.append(known.sum())

    player, read, plays = make(game, "allround"), [], Plays(game)
    state = plays.started(RULES.get(game, {}), sizes[0], 8)
    plays.game.play(state, plays.table([Watched(player, judge)]))
    assert sum(read) > 20


# --- The protocol


def test_who_decides_otherwise_tells_no_worth():
    """A subclass that answers by itself does not tell what its base would think."""

    @dataclass(frozen=True)
    class Other(DevilAllround):
        def play(self, view):
            return masks.lowest(view.legal)

    assert worth_told(DevilAllround.play)
    assert worth_told(Other.declare)
    assert worth_told(Other.play) is None


def test_a_method_that_finds_worth_answers_with_the_best():
    class Highest(Strategy):
        @by_worth
        def play(self, view):
            """The option of highest number."""
            return np.arange(64)[:, None] + np.zeros(len(view))

    player, seen = Highest(), []

    def judge(view, answer):
        if view.kind.name == "play":
            assert (answer == masks.highest(view.legal)).all()
            assert (np.nanmax(player.worth(view), axis=0) == masks.index(answer)).all()
            seen.append(len(view))
        elif view.kind.name == "declare":
            assert player.worth(view) is None

    plays = Plays("devil")
    table = plays.table([Watched(player, judge)])
    plays.game.play(plays.started({}, 3, 5), table)
    assert sum(seen) > 100


def test_worth_by_the_sets_that_have_an_option():
    first, second = np.array([[1, 4], [7, 6]], dtype=np.uint64)
    worth = worth_in_turn(first, second)
    assert np.nan_to_num(worth[:4]).T.tolist() == [[2, 1, 1, 0], [0, 1, 2, 0]]
    assert np.isnan(worth[3:]).all()
