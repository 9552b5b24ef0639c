"""Learning in rounds: lessons, fitting, and a gate.

Expert iteration (Anthony, Tian & Barber 2017, Thinking fast and slow with deep learning
and tree search), with rollouts of every answer as the expert. In the first round the
teacher, a heuristic, plays and plays on; in the second the policy plays; from then on
it also plays on. Lessons of all rounds are kept, or few new ones would wipe out many
old ones. A network is taken over only if it does no harm in real games.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from math import ceil

import numpy as np
from numpy.typing import NDArray

from experiments.execution.backends import completed_calls
from experiments.learning.blocks import (
    GAMES,
    Decisions,
    JudgedGames,
    LearningTask,
    LessonBlock,
)
from experiments.learning.fit_network import FitPlan, Pupil, fit
from experiments.learning.lessons import Lessons, joined
from strategies.network import Network
from strategies.policy_file import PolicyFile

PLANS = (
    FitPlan(),
    FitPlan(epochs=4.0, rate=2e-3, regression=0.3),
    FitPlan(epochs=2.0, rate=5e-4, regression=0.0, least=500, most=1_500),
)
"""How networks are fitted after the first round, the second, and all later ones."""
ALONE_AT_FIRST = 2
"""Rounds in which the teacher plays on."""
_FEWEST = 1_000  # lessons from which a network is fitted
_MOST = 600_000  # lessons of a kind that are kept: the latest
_GATE_GAMES = 2_048  # at tables of each sort, whatever their size
_MINOR = 0.02  # of all answers: kinds with fewer are judged together
Shares = NDArray[np.float64]


@dataclass(frozen=True)
class StrengthGain:
    """How much more one policy wins than another, in points of 100, with its error."""

    points: float
    error: float

    @classmethod
    def between(cls, new: Shares, old: Shares) -> "StrengthGain":
        """Of the first over the second, in games on the same deals."""
        difference = 100 * (new - old)
        error = difference.std(ddof=1) / np.sqrt(len(difference))
        return cls(float(difference.mean()), float(error))

    @property
    def harms(self) -> bool:
        """Whether it wins less, by more than one standard error."""
        return self.points < -self.error


@dataclass(frozen=True)
class Strength:
    """What a policy wins among teachers in %, and its gain over one in its seat."""

    share: StrengthGain
    gain: StrengthGain


@dataclass(frozen=True)
class LearningRound:
    """What a round brought.

    blocks: of games. itself: whether the policy played on. lessons: in all, by kind.
    gains: of the new networks over the old, by kind. kept: the kinds taken over.
    """

    blocks: int
    itself: bool
    lessons: Mapping[str, int]
    gains: Mapping[str, StrengthGain]
    kept: tuple[str, ...]


@dataclass
class Training:
    """A policy that learns, and what it has learned from.

    pupils: what it has learned, by kind of decision. lessons: those of all rounds,
    the latest of each kind, and new_lessons those of the last one. rounds: those done
    here; first_round: the number of the first of them, where it goes on.
    """

    task: LearningTask
    decisions: Decisions
    jobs: int
    pupils: dict[str, Pupil] = field(default_factory=dict)
    rounds: list[LearningRound] = field(default_factory=list)
    first_round: int = 0
    lessons: dict[str, Lessons] = field(default_factory=dict)
    new_lessons: dict[str, Lessons] = field(default_factory=dict)

    @property
    def networks(self) -> dict[str, Network]:
        """The networks as they play now."""
        return {kind: pupil.network() for kind, pupil in self.pupils.items()}

    def file(self, networks: Mapping[str, Network] | None = None) -> bytes | None:
        """The file of a policy with these networks, or of all; None without any."""
        kept = self.networks if networks is None else networks
        if not kept:
            return None
        return PolicyFile(self.task.game, self.task.advisers, kept).to_bytes()

    def round(self, more: Callable[[int], bool]) -> LearningRound:
        """Play a round: blocks of lessons as long as ``more(blocks)``, and the gate."""
        number = self.first_round + len(self.rounds)
        itself = number >= ALONE_AT_FIRST
        blocks = self._learn(number, itself, more)
        fitted = self._fitted(number)
        gains, kept = self._judged(fitted)
        self.pupils |= {kind: fitted[kind] for kind in kept}
        lessons = {kind: len(one) for kind, one in sorted(self.lessons.items())}
        done = LearningRound(blocks, itself, lessons, gains, tuple(sorted(kept)))
        self.rounds.append(done)
        return done

    def _learn(self, number: int, itself: bool, more: Callable[[int], bool]) -> int:
        """Collect lessons; returns the number of blocks."""
        policy = self.file()

        def blocks() -> Iterator[tuple[int, LessonBlock]]:
            at = 0
            while at == 0 or more(at):
                yield (
                    at,
                    LessonBlock(self.task, self.decisions, policy, number, at, itself),
                )
                at += 1

        with closing(completed_calls(blocks(), self.jobs)) as done:
            found = dict(done)
        parts: dict[str, list[Lessons]] = {}
        for at in sorted(found):
            for kind, lessons in found[at].items():
                parts.setdefault(kind, []).append(lessons)
        self.new_lessons = {kind: joined(some) for kind, some in parts.items()}
        self.remember(self.new_lessons)
        return len(found)

    def remember(self, lessons: Mapping[str, Lessons]) -> None:
        """Add the lessons of a round."""
        for kind, new in lessons.items():
            old = [self.lessons[kind]] if kind in self.lessons else []
            self.lessons[kind] = joined([*old, new]).latest(_MOST)

    def _fitted(self, number: int) -> dict[str, Pupil]:
        """The pupils of all kinds of which there are lessons enough, fitted to them."""
        plan, lessons = PLANS[min(number, len(PLANS) - 1)], self.lessons
        size = {kind: len(one) for kind, one in lessons.items()}
        kinds = sorted((k for k in size if size[k] >= _FEWEST), key=lambda k: -size[k])
        calls = (
            (kind, partial(_fitted, self.pupil(kind), lessons[kind], plan, number))
            for kind in kinds
        )
        with closing(completed_calls(calls, self.jobs)) as done:
            return dict(sorted(done))  # they end in any order

    def pupil(self, kind: str) -> Pupil:
        """What it has learned of a kind of decision; nothing, at first."""
        observation = self.decisions.observations[kind]
        return self.pupils.get(kind) or Pupil(observation, self.task.seed)

    def _judged(
        self, fitted: Mapping[str, Pupil]
    ) -> tuple[dict[str, StrengthGain], set[str]]:
        """The gain of each new network, and the kinds whose network is taken over.

        The new policy sits among teachers, and among the old policy, with one network
        or with all of them replaced.
        """
        old, new = self.networks, {k: one.network() for k, one in fitted.items()}
        answers = self.decisions.answers
        minor = {k for k in new if answers[k] < _MINOR * sum(answers.values())}
        groups = {kind: {kind} for kind in new if kind not in minor}
        if minor:
            groups[", ".join(sorted(minor))] = minor
        sides = {
            "": {},
            **{name: {k: new[k] for k in kinds} for name, kinds in groups.items()},
            "all": new,
        }
        files = {name: self.file({**old, **changed}) for name, changed in sides.items()}
        tables = [None, self.file()]
        shares = self.shares(files, tables, _GATE_GAMES, 0, self.task.players)
        gains = {
            name: StrengthGain.between(shares[name], shares[""])
            for name in sides
            if name
        }
        kept = {
            k for name, kinds in groups.items() if not gains[name].harms for k in kinds
        }
        if gains["all"].harms and kept == {*new}:  # no one network, but all together
            kept = {
                k
                for name, kinds in groups.items()
                if gains[name].points > 0
                for k in kinds
            }
        return gains, kept

    def strength(self, data: bytes, games: int, first: int) -> dict[int, Strength]:
        """By number of players, how strong a policy is among teachers."""
        sides: dict[str, bytes | None] = {"policy": data, "teacher": None}
        strengths = {}
        for size in self.task.players:
            won = self.shares(sides, [None], games, first, (size,))
            share = StrengthGain.between(won["policy"], np.zeros(len(won["policy"])))
            gain = StrengthGain.between(won["policy"], won["teacher"])
            strengths[size] = Strength(share, gain)
        return strengths

    def shares(
        self,
        files: Mapping[str, bytes | None],
        others: Sequence[bytes | None],
        games: int,
        first: int,
        players: Sequence[int],
    ) -> dict[str, Shares]:
        """(games,) the share of each policy, of the win, on the same deals.

        It has one seat at tables of these sizes, the others' policy all other seats.
        games: at tables of each of the others; first: the number of the first block.
        """
        blocks = ceil(games / GAMES / len(players))
        calls = (
            (
                (name, other, size, number),
                JudgedGames(self.task, file, other, size, number),
            )
            for name, file in files.items()
            for other in dict.fromkeys(others)
            for size in players
            for number in range(first, first + blocks)
        )
        with closing(completed_calls(calls, self.jobs)) as done:
            found = dict(done)
        tables = [
            (other, size, number)
            for other in dict.fromkeys(others)
            for size in players
            for number in range(first, first + blocks)
        ]
        return {
            name: np.concatenate([found[name, *table] for table in tables])
            for name in files
        }


def _fitted(pupil: Pupil, lessons: Lessons, plan: FitPlan, seed: int) -> Pupil:
    """Return what a pupil becomes by these lessons; called by a worker, or here."""
    taught = deepcopy(pupil)
    fit(taught, lessons, plan, seed)
    return taught
