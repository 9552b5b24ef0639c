"""The games from which a policy learns, and those by which it is judged: work to share.

All of it is counted in blocks of games, whose chance is told by their numbers, so that
the same blocks teach the same, whoever plays them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.learning.lessons import Learner, Lessons, joined
from sim import masks
from sim.games import load
from sim.masks import Counts, Masks
from sim.observation import Observation, Observer
from sim.observation_reader import Reader
from sim.parameters import Rules
from sim.rollouts import RolloutTable
from sim.table import Player
from sim.view import View
from strategies import registry
from strategies.base import Strategy
from strategies.changed_play import TakesOption
from strategies.learned import playable
from strategies.network import NetworkPolicy
from strategies.policy_file import PolicyFile, from_bytes
from strategies.win_probability import win_probability

GAMES = 1_024
"""Games of a block."""
_SEEN_GAMES = 256  # in which it is seen what there is to read
_HIGHEST_RATE = 0.5  # of the decisions of a kind at which answers are tried
_ALONE = 0.5  # of the tables at which a policy learns are its own
_PURPOSES = {"see": 1, "learn": 2, "judge": 3}


@dataclass(frozen=True)
class Effort:
    """How much is played in a round of lessons, and to judge it.

    games: of a block. answers: tried in a block where the teacher plays on, and
    own_answers where the policy does, which is slower. moments: the share of a game's
    moments at which answers are tried; fewer moments with more games at each are
    quicker, as what begins together is played on together. own_value: whether
    positions are valued as the policy would go on, and not as the teacher would.
    design: games of all policies of a design, at tables of each sort; gate: games there
    of all networks that are chosen by it, together; least: what a new network, and all
    those chosen, have to gain to be taken over, in standard errors.
    """

    games: int = GAMES
    answers: int = 196_608
    own_answers: int = 24_576
    moments: float = 1.0
    own_value: bool = True
    gate: int = 2_048
    design: int = 8_192
    least: float = -1.0


@dataclass(frozen=True)
class LearningTask:
    """What is to be learned: a game under some rules, at tables of these sizes.

    advisers: the specs of the strategies whose answers are read, the teacher first.
    against: who has all other seats, if the policy is to be the best response to them;
    None: the teacher, and at half of the tables the policy itself. kinds: of decisions
    that it learns, all others being the teacher's; none: all. forced: options, each
    with its kinds of decisions (joined by ``+``), that the policy takes whenever it can
    in every second block of lessons: so it learns to use what it would never try.
    """

    game: str
    rules: Rules
    players: tuple[int, ...]
    advisers: tuple[str, ...]
    seed: int
    effort: Effort = Effort()
    against: Strategy | None = None
    kinds: tuple[str, ...] = ()
    forced: tuple[tuple[str, str], ...] = ()

    @property
    def others(self) -> Strategy:
        """Who has the other seats, and plays on at first."""
        if self.against is not None:
            return self.against
        return registry.make(self.game, self.advisers[0])

    def start(
        self, purpose: str, number: int, players: int, games: NDArray[np.uint64]
    ) -> Any:
        """The start of games that no other purpose or number has."""
        words = [self.seed, _PURPOSES[purpose], number, players]
        seed = np.random.SeedSequence(words).generate_state(1, np.uint64)
        return load(self.game).start(self.rules, players, int(seed[0]), games)

    def policy(self, data: bytes | None) -> NetworkPolicy:
        """The policy in a file; for None, the teacher as a policy without networks."""
        if data is None:
            return playable(PolicyFile(self.game, self.advisers, {}))
        return _policy(data)

    def player(self, who: "Judged") -> Strategy:
        """The policy in a file, the strategy of a spec; for None, the teacher."""
        if isinstance(who, str):
            return registry.make(self.game, who)
        return self.policy(who)


Judged = bytes | str | None
"""Who is judged: the file of a policy, the spec of a strategy, or None: the teacher."""


@lru_cache(maxsize=4)
def _policy(data: bytes) -> NetworkPolicy:
    return playable(from_bytes(data))


# --- What there is to read


@dataclass(frozen=True)
class Decisions:
    """How each kind of decision is seen, and how many answers it has in a game.

    answers: at decisions that have several.
    """

    observations: Mapping[str, Observation]
    answers: Mapping[str, float]

    def rates(self, answers: int, games: int) -> dict[str, float]:
        """The share of each kind's decisions at which to try answers, for so many.

        Rare kinds get more than their part, by the square root.
        """
        roots = {kind: number**0.5 for kind, number in self.answers.items()}
        each = answers / sum(roots.values()) / games
        return {
            kind: min(_HIGHEST_RATE, each * roots[kind] / number)
            for kind, number in self.answers.items()
        }


def look_around(task: LearningTask) -> Decisions:
    """Look at some games of the teacher at tables of all sizes, the largest first."""
    game, teacher = load(task.game), registry.make(task.game, task.advisers[0])
    looking = _Looking(Observer(game.view), teacher)
    index = np.arange(_SEEN_GAMES, dtype=np.uint64)
    for players in sorted(task.players, reverse=True):
        state = task.start("see", 0, players, index)
        RolloutTable(game, [looking]).play(state)
    games = _SEEN_GAMES * len(task.players)
    answers = {
        kind: many / games
        for kind, many in looking.answers.items()
        if many and (not task.kinds or kind in task.kinds)
    }
    observations = {
        kind: looking.observer.observation(kind, task.advisers) for kind in answers
    }
    return Decisions(observations, answers)


class _Looking:
    """Plays as the teacher does, and shows all views to an observer."""

    title = "looking"

    def __init__(self, observer: Observer, teacher: Any) -> None:
        self.observer, self._teacher = observer, teacher
        self.answers: dict[str, int] = {}

    def decide(self, view: View) -> Masks:
        answers: Masks = self._teacher.decide(view)
        self.observer.look(view, self._teacher.worth(view))
        size = masks.count(view.legal).astype(np.int64)
        if view.kind.form == "sample":  # as many as are tried: see candidate_answers
            size = view.most * (size - view.most)
        before = self.answers.get(view.kind.name, 0)
        self.answers[view.kind.name] = before + int(size[size > 1].sum())
        return answers


# --- Lessons


@dataclass(frozen=True)
class LessonBlock:
    """A block of games in which a policy learns; called by a worker.

    policy: the file of the policy that plays; None if the teacher does. itself: whether
    the policy plays on as well, and not the teacher.
    """

    task: LearningTask
    decisions: Decisions
    policy: bytes | None
    round: int
    number: int
    itself: bool

    def __call__(self) -> dict[str, Lessons]:
        """The lessons of these games, by kind of decision."""
        task, game = self.task, load(self.task.game)
        effort, players = task.effort, task.players[self.number % len(task.players)]
        policy, others = task.policy(self.policy), task.others
        chance = np.random.default_rng([task.seed, self.round, self.number])
        sitting = self._sitting(chance, players)
        own = self.itself and effort.own_value and task.against is None
        leader = policy if own else others
        value = win_probability(task.game, task.rules, players, leader)
        goes_on = (
            ([policy, others], sitting, value)
            if self.itself
            else ([others], None, value)
        )
        alone = sitting is not None and task.against is not None
        answers = effort.own_answers if self.itself else effort.answers
        rates = self.decisions.rates(answers * (players if alone else 1), effort.games)
        learner = Learner(
            game,
            policy,
            self.plays(policy),
            {kind: Reader(self.decisions.observations[kind]) for kind in rates},
            rates,
            effort.moments,
            goes_on,
            chance,
        )
        index = np.arange(effort.games, dtype=np.uint64)
        index += np.uint64(self.number * effort.games)
        lineup: list[Player] = [learner]
        if sitting is not None:
            lineup += [others]
        state = task.start("learn", self.round, players, index)
        RolloutTable(game, lineup, sitting).play(state)
        return {kind: joined(parts) for kind, parts in learner.notes.items()}

    def plays(self, policy: NetworkPolicy) -> Strategy:
        """Who plays: the policy, which in every second block takes what is forced."""
        player: Strategy = policy
        if (self.round + self.number) % 2:
            for kinds, option in self.task.forced:
                player = TakesOption(player, kinds, option)
        return player

    def _sitting(self, chance: np.random.Generator, players: int) -> Counts | None:
        """(seats, games) where the policy sits (0), and where others (1).

        None: everywhere, as it plays like them, so all seats teach what one would.
        """
        teacher = self.task.policy(None).advisers[0]
        if self.policy is None and self.task.others == teacher:
            return None
        if self.task.against is None:
            return _mixed(chance, players, self.task.effort.games)
        return _one_of(np.arange(self.task.effort.games), players)


def _mixed(chance: np.random.Generator, players: int, games: int) -> Counts:
    """(seats, games) where the policy sits (0), and where the teacher (1).

    Half of the tables are the policy's alone; elsewhere it has one seat at least.
    """
    sitting = chance.integers(0, 2, (players, games)).astype(np.uint8)
    sitting[:, chance.random(games) < _ALONE] = 0
    sitting[chance.integers(0, players, games), np.arange(games)] = 0
    return sitting


def _one_of(games: NDArray[np.int64], players: int) -> Counts:
    """(seats, games) the policy (0) in one seat, which moves from game to game."""
    return (np.arange(players)[:, None] != games % players).astype(np.uint8)


# --- How strong a policy is


@dataclass(frozen=True)
class JudgedGames:
    """Games in which one player has one seat, which rotates; for a worker.

    games: their numbers, by which they have the same deals. others: None is the
    teacher, or against whom it learns.
    """

    task: LearningTask
    policy: Judged
    others: Judged
    players: int
    games: range

    def __call__(self) -> NDArray[np.float64]:
        """(games,) that player's share of each win."""
        task, players = self.task, self.players
        index = np.array(self.games)
        others = task.against if self.others is None else None
        lineup = [task.player(self.policy), others or task.player(self.others)]
        state = task.start("judge", 0, players, index.astype(np.uint64))
        table = RolloutTable(load(task.game), lineup, _one_of(index, players))
        shares = table.play(state)
        won: NDArray[np.float64] = shares[index % players, np.arange(len(index))]
        return won
