"""Lessons: decisions, and what each answer to them is worth.

A policy plays. At some of its decisions every answer is tried, on the real deal and
with the real chance to come, and the games are played on. As a network sees only what
its seat sees, what it learns from many deals is what an answer is worth on average,
given that: no cards have to be dealt anew, and what others' play says of their cards is
taken into account.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.candidates import candidate_answers
from sim.games import Game
from sim.masks import Counts, Masks
from sim.observation_reader import Observed, Reader
from sim.observation_reader import joined as observed_in
from sim.rollouts import RolloutTable, ValueFunction
from sim.view import Rows, View
from strategies.base import Strategy
from strategies.network import NetworkPolicy

GAMES_TOGETHER = 32_768
"""Games that are played on together."""


@dataclass(frozen=True)
class Lessons:
    """Decisions of one kind, and what their answers are worth.

    of: (answers,) the decision of each, in order; answer: (answers,) with bits in the
    order of the network's vocabulary; worth: (answers,) the share of the win, less the
    mean of the decision's answers.
    """

    seen: Observed
    of: Rows
    answer: Masks
    worth: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.seen.legal)

    def latest(self, most: int) -> "Lessons":
        """The last decisions, at most so many."""
        first = len(self) - most
        if first <= 0:
            return self
        begin = int(np.searchsorted(self.of, first))
        return Lessons(
            self.seen.take(np.arange(first, len(self))),
            self.of[begin:] - first,
            self.answer[begin:],
            self.worth[begin:],
        )


def joined(parts: Sequence[Lessons]) -> Lessons:
    """The lessons of all parts, one after the other."""
    first = np.cumsum([0, *(len(part) for part in parts)])
    return Lessons(
        observed_in([part.seen for part in parts]),
        np.concatenate([part.of + at for part, at in zip(parts, first, strict=False)]),
        np.concatenate([part.answer for part in parts]),
        np.concatenate([part.worth for part in parts]),
    )


class Learner:
    """Plays as a policy does, and notes what answers would have been worth.

    plays: whose answers are played, the policy's but where an option is forced.
    readers: how each kind is seen; rates: the share of the decisions of a kind at which
    answers are tried, all of them at this share of the moments. playing_on: the
    strategies that play on, with who sits where (None: the first everywhere), and what
    positions at the end of a stage are worth.
    """

    title = "learner"

    def __init__(
        self,
        game: Game,
        policy: NetworkPolicy,
        plays: Strategy,
        readers: Mapping[str, Reader],
        rates: Mapping[str, float],
        moments: float,
        playing_on: tuple[Sequence[Any], Counts | None, ValueFunction | None],
        chance: np.random.Generator,
    ) -> None:
        self._game, self._policy, self._plays = game, policy, plays
        self._readers, self._rates, self._moments = readers, rates, moments
        self._playing_on, self._chance = playing_on, chance
        self.notes: dict[str, list[Lessons]] = {}

    def decide(self, view: View) -> Masks:
        """What is played."""
        answers: Masks = self._plays.decide(view)
        kind = view.kind.name
        now = self._moments == 1 or self._chance.random() < self._moments
        if now and kind in self._readers:
            tried = self._chance.random(len(view)) < self._rates[kind] / self._moments
            if view.kind.form == "one":
                tried &= (view.legal & (view.legal - masks.ONE)) != masks.NOTHING
            rows = np.flatnonzero(tried)
            if len(rows):
                self._note(view.take(rows), answers.take(rows))
        return answers

    def _note(self, view: View, plain: Masks) -> None:
        reader = self._readers[view.kind.name]
        teacher = self._policy.advisers[0].decide(view)
        seen = self._policy.see(view, teacher, reader)
        of, answer = candidate_answers(view, plain)
        own = reader.own(view.take(of), answer)
        if view.kind.form == "one":  # others teach a network nothing
            tried = (own & reader.known) != masks.NOTHING
            tried &= (np.bincount(of, tried, minlength=len(view)) > 1).take(of)
            of, answer, own = of[tried], answer[tried], own[tried]
        if len(of) == 0:
            return
        worth = self._worth(view, of, answer)
        rows, decision, size = np.unique(of, return_inverse=True, return_counts=True)
        worth -= (np.bincount(decision, worth) / size).take(decision)
        lessons = Lessons(seen.take(rows), decision, own, worth.astype(np.float32))
        self.notes.setdefault(view.kind.name, []).append(lessons)

    def _worth(self, view: View, of: Rows, answer: Masks) -> NDArray[np.float64]:
        """(answers,) the seat's share of the win where each is given."""
        policies, sitting, value = self._playing_on
        state, worth = view._state, np.empty(len(of))
        rows = np.arange(len(state.games)) if view._rows is None else view._rows
        seat = np.broadcast_to(np.asarray(view.seat, dtype=np.uint8), len(view))
        for begin in range(0, len(of), GAMES_TOGETHER):
            part = slice(begin, begin + GAMES_TOGETHER)
            at, who = rows.take(of[part]), seat.take(of[part])
            games = state.branch(at)
            games.trial = None
            sits = None if sitting is None else sitting[:, state.start_rows.take(at)]
            table = RolloutTable(self._game, policies, sits, value)
            shares = table.play_from(games, view.kind.name, who, answer[part])
            worth[part] = shares[who, np.arange(len(who))]
        return worth
