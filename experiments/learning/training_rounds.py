"""Learning in rounds: lessons, fitting, and a gate.

Expert iteration (Anthony, Tian & Barber 2017, Thinking fast and slow with deep learning
and tree search), with rollouts of every answer as the expert. In the first round the
teacher, a heuristic, plays and plays on; in the second the policy plays; from then on
it also plays on. Lessons of earlier rounds are kept, or few new ones would wipe out
many old ones; but those in which the teacher played on are dropped when the policy
does, as what is best before weak play is not before strong play. A network is taken
over only if it does no harm in real games, and all that are taken over together are
measured once more, on games that did not choose them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from math import ceil

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import hadamard

from experiments.execution.backends import completed_calls
from experiments.learning.blocks import (
    GAMES,
    Decisions,
    Judged,
    JudgedGames,
    LearningTask,
    LessonBlock,
)
from experiments.learning.fit_network import FitPlan, Pupil, fit, units_for
from experiments.learning.lessons import Lessons, joined
from strategies.network import Network
from strategies.policy_file import PolicyFile

PLANS = (
    FitPlan(),
    FitPlan(epochs=4.0, rate=2e-3, regression=0.3),
    FitPlan(epochs=2.0, rate=5e-4, regression=0.0, least=500, most=1_500),
)
"""How networks are fitted after the first round, the second, and all later ones.

A network that is new is fitted by the first plan whenever it comes.
"""
ALONE_AT_FIRST = 2
"""Rounds in which the teacher plays on."""
_FEWEST = 1_000  # lessons from which a network is fitted
_MOST = 600_000  # lessons of a kind that are kept: the latest
_SMALLEST = 256  # games that are played together
_MINOR = 0.02  # of all answers: kinds with fewer are judged together
_CHOSEN = 500  # the number of the first block that measures what was chosen
_BLOCKS = 8  # between those of two rounds
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
    def clear(self) -> bool:
        """Whether it wins more, by more than three standard errors."""
        return self.points > 3 * self.error

    def reaches(self, least: float) -> bool:
        """Whether it wins so many standard errors more; -1: at most one less."""
        return self.points >= least * self.error


@dataclass(frozen=True)
class Strength:
    """What a policy wins among teachers in %, and its gain over one in its seat."""

    share: StrengthGain
    gain: StrengthGain


@dataclass(frozen=True)
class LearningRound:
    """What a round brought.

    blocks: of games. itself: whether the policy played on. lessons: in all, by kind.
    gains: of the new networks over the old, by kind. whole: of the policy with those
    chosen by their gains, on games that did not choose them; None if none was chosen.
    kept: the kinds taken over: all those chosen, or none.
    """

    blocks: int
    itself: bool
    lessons: Mapping[str, int]
    gains: Mapping[str, StrengthGain]
    whole: StrengthGain | None
    kept: tuple[str, ...]


@dataclass
class Training:
    """A policy that learns, and what it has learned from.

    pupils: what it has learned, by kind of decision. lessons: those it learns from,
    the latest of each kind, and new_lessons those of the last round. rounds: those done
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
        gains, whole, kept = self._judged(fitted, number)
        self.pupils |= {kind: fitted[kind] for kind in kept}
        lessons = {kind: len(one) for kind, one in sorted(self.lessons.items())}
        done = LearningRound(blocks, itself, lessons, gains, whole, tuple(sorted(kept)))
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
        """Add the lessons of this round."""
        if self.first_round + len(self.rounds) == ALONE_AT_FIRST:
            self.lessons = {}  # in which the teacher played on
        for kind, new in lessons.items():
            old = [self.lessons[kind]] if kind in self.lessons else []
            self.lessons[kind] = joined([*old, new]).latest(_MOST)

    def _fitted(self, number: int) -> dict[str, Pupil]:
        """The pupils of all kinds of which there are lessons enough, fitted to them."""
        lessons, latest = self.lessons, min(number, len(PLANS) - 1)
        plans = {kind: PLANS[latest if kind in self.pupils else 0] for kind in lessons}
        size = {kind: len(one) for kind, one in lessons.items()}
        kinds = sorted((k for k in size if size[k] >= _FEWEST), key=lambda k: -size[k])
        calls = (
            (
                kind,
                partial(_fitted, self.pupil(kind), lessons[kind], plans[kind], number),
            )
            for kind in kinds
        )
        with closing(completed_calls(calls, self.jobs)) as done:
            return dict(sorted(done))  # they end in any order

    def pupil(self, kind: str) -> Pupil:
        """What it has learned of a kind of decision; nothing, at first."""
        if kind in self.pupils:
            return self.pupils[kind]
        known = self.decisions.observations
        return Pupil(known[kind], self.task.seed, units_for(known.values()))

    def _judged(
        self, fitted: Mapping[str, Pupil], number: int
    ) -> tuple[dict[str, StrengthGain], StrengthGain | None, set[str]]:
        """The gain of each new network, of those chosen, and the kinds taken over.

        The policy sits among teachers, and among the old policy; if it learns against
        others, among those alone. The best of many noisy gains look better than they
        are, and networks that gain apart can harm together: so other games have the
        last word.
        """
        old, new = self.networks, {k: one.network() for k, one in fitted.items()}
        answers, effort = self.decisions.answers, self.task.effort
        minor = {k for k in new if answers[k] < _MINOR * sum(answers.values())}
        groups = {kind: {kind: new[kind]} for kind in new if kind not in minor}
        if minor:
            groups[", ".join(sorted(minor))] = {kind: new[kind] for kind in minor}
        tables = [None] if self.task.against else [None, self.file()]
        gains = self.effects(old, groups, tables, 0)
        chosen: dict[str, Network] = {}
        for name, networks in groups.items():
            chosen |= networks if gains[name].reaches(effort.least) else {}
        if not chosen:
            return gains, None, set()
        sides = {"old": self.file(), "new": self.file({**old, **chosen})}
        first = _CHOSEN + _BLOCKS * number
        won = self.shares(sides, tables, effort.gate, first, self.task.players)
        whole = StrengthGain.between(won["new"], won["old"])
        return gains, whole, {*chosen} if whole.reaches(effort.least) else set()

    def effects(
        self,
        old: Mapping[str, Network],
        groups: Mapping[str, Mapping[str, Network]],
        others: Sequence[bytes | None],
        first: int,
    ) -> dict[str, StrengthGain]:
        """What each group of networks gains over old ones, on the same deals.

        On average over whether the other groups are new: main effects in a two-level
        factorial design of as few policies as can tell them apart (Plackett & Burman
        1946, The design of optimum multifactorial experiments).
        others: the policies in the other seats; first: the number of the first block.
        """
        order = 1 << len(groups).bit_length()
        signs = hadamard(order)[:, 1 : len(groups) + 1]
        files = {}
        for row, sign in enumerate(signs):
            networks = dict(old)
            for new, side in zip(groups.values(), sign, strict=True):
                networks |= new if side > 0 else {}
            files[str(row)] = self.file(networks)
        least = _SMALLEST * len(self.task.players)
        games = max(self.task.effort.design // order, least)
        won = self.shares(files, others, games, first, self.task.players)
        shares = np.stack([won[name] for name in files])
        effects = signs.T @ shares / (order / 2)
        zero = np.zeros(shares.shape[1])
        return {
            name: StrengthGain.between(effect, zero)
            for name, effect in zip(groups, effects, strict=True)
        }

    def strength(self, data: bytes, games: int, first: int) -> dict[int, Strength]:
        """By number of players, how strong a policy is among teachers."""
        sides: dict[str, Judged] = {"policy": data, "teacher": None}
        strengths = {}
        for size in self.task.players:
            won = self.shares(sides, [None], games, first, (size,))
            share = StrengthGain.between(won["policy"], np.zeros(len(won["policy"])))
            gain = StrengthGain.between(won["policy"], won["teacher"])
            strengths[size] = Strength(share, gain)
        return strengths

    def gain(
        self,
        one: Judged,
        other: Judged,
        tables: Sequence[Judged],
        games: int,
        first: int,
    ) -> StrengthGain:
        """What one player wins more than another in the same seat, at these tables.

        games: at tables of each of them and each size; first: their first block.
        """
        sizes = self.task.players
        sides = {"one": one, "other": other}
        won = self.shares(sides, tables, games * len(sizes), first, sizes)
        return StrengthGain.between(won["one"], won["other"])

    def shares(
        self,
        files: Mapping[str, Judged],
        others: Sequence[Judged],
        games: int,
        first: int,
        players: Sequence[int],
    ) -> dict[str, Shares]:
        """(games,) the share of each player, of the win, on the same deals.

        It has one seat at tables of these sizes, one of the others all other seats.
        games: at tables of each of the others; first: the number of the first block.
        """
        begin, end = first * GAMES, first * GAMES + ceil(games / len(players))
        parts = [range(at, min(at + GAMES, end)) for at in range(begin, end, GAMES)]
        tables = [*product(dict.fromkeys(others), players, parts)]
        calls = (
            ((name, *table), JudgedGames(self.task, file, *table))
            for name, file in files.items()
            for table in tables
        )
        with closing(completed_calls(calls, self.jobs)) as done:
            found = dict(done)
        return {
            name: np.concatenate([found[name, *table] for table in tables])
            for name in files
        }


def _fitted(pupil: Pupil, lessons: Lessons, plan: FitPlan, seed: int) -> Pupil:
    """Return what a pupil becomes by these lessons; called by a worker, or here."""
    taught = deepcopy(pupil)
    fit(taught, lessons, plan, seed)
    return taught
