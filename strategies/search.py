"""Trying every answer on deals that could be: one strategy for all games.

Flat Monte Carlo search. Everything that the seat cannot know is dealt anew for each
sample, every answer is tried on the same deals with the same chance to come, and the
games are played on by another strategy: to the end of the stage (a week, a round),
where the chance to win is estimated, or to the end of the game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sim.candidates import candidate_answers
from sim.masks import Flags, Masks
from sim.rollouts import Determinizations, ValueFunction, game_of
from sim.view import Rows, View
from strategies import registry, specs
from strategies.base import Strategy, parameter
from strategies.win_probability import win_probability

_GAMES_IN_BATCH = 32_768  # games played on together
_ONE_OF = 4  # answers that are tried together stays
_SCALE = 1 << 20  # values are summed as whole numbers: in any order the same
Sums = NDArray[np.int64]


@registry.register
@dataclass(frozen=True)
class Search(Strategy):
    """Tries every answer on deals that could be, and takes the one that wins most.

    It knows what its seat may know, and how ``inner`` decides, which plays on for
    everybody. Several names joined by ``+`` are a mixture: the first plays on for its
    own seat, and for each other seat one that is drawn; of ``others``, where they are
    named, who may be known to sit there. ``samples`` deals an answer are
    played on; three of four answers are dropped again and again, and those that are
    left share what is spared (sequential halving, in fewer rounds). What ``inner``
    would answer stays to the end, and is given up only for an answer that wins more by
    ``caution`` standard errors of the difference. ``horizon`` is ``stage`` or ``game``;
    ``kinds`` are the decisions that are searched, joined by ``+``, by default all.

    What an answer is worth hangs on what follows it: each is tried with ``inner`` to
    follow, and with each of ``plans``, and is worth what it is with the best of them.
    """

    name = "search"
    samples: int = parameter(16, 1, 65_536)
    caution: float = parameter(0.5, 0.0, 10.0)
    inner: str = "allround"
    horizon: str = "stage"
    kinds: str = ""
    others: str = ""
    plans: str = ""

    def __post_init__(self) -> None:
        """Refuse what there is not; raises ValueError."""
        super().__post_init__()
        if self.horizon not in ("stage", "game"):
            raise ValueError(f"horizon is stage or game, not {self.horizon!r}")

    @property
    def cost(self) -> int:
        """The games that an answer is tried in."""
        return self.samples * (1 + len(specs.split(self.plans, "+")) * bool(self.plans))

    def decide(self, view: View) -> Masks:
        """(rows,) the answer that wins most."""
        game = game_of(view)
        policies = _policies(game.id, self.inner)
        plain = policies[0].decide(view)
        if self.kinds and view.kind.name not in self.kinds.split("+"):
            return plain
        of, answer = candidate_answers(view, plain)
        tried = np.bincount(of, minlength=len(view)) > 1
        if not tried.any():
            return plain
        some = tried.take(of)
        plans = [policies[0], *_policies(game.id, self.plans)]
        others = _policies(game.id, self.others) or policies
        worth: ValueFunction | None = None
        if self.horizon == "stage":
            state = view._state
            worth = win_probability(game.id, state.rules, state.players, policies[0])
        contest = _SequentialHalving(
            of[some],
            answer[some],
            (answer == plain.take(of))[some],
            self.samples,
            len(plans),
        )
        while contest.goes_on:
            imagined = Determinizations(view, plans, others, worth)
            for part in contest.parts():
                contest.count(part, imagined)
        best = plain.copy()
        row, won = contest.best(self.caution)
        best[row] = won
        return best


def _policies(game: str, names: str) -> list[Strategy]:
    """The strategies of a mixture; none of no names."""
    return [_policy(game, name) for name in specs.split(names, "+") if name]


@cache
def _policy(game: str, name: str) -> Strategy:
    return registry.make(game, name)


class _SequentialHalving:
    """The answers of some rows, most of which are dropped again and again.

    ``of`` is the row that each answer is of, in order. ``plain`` marks what would be
    answered without search: it stays, and the others are compared with it. Each
    answer competes once with each of so many ``plans``; the plain one's is the first.
    """

    def __init__(
        self, of: Rows, answer: Masks, plain: Flags, samples: int, plans: int
    ) -> None:
        self._of, self._answer = of.repeat(plans), answer.repeat(plans)
        self._plan = np.tile(np.arange(plans), len(of))
        self._plain = plain.repeat(plans) & (self._plan == 0)
        self._samples = samples
        size = int(of[-1]) + 1
        # Answers of each row, at first
        self._first = np.bincount(self._of, minlength=size)
        self._left = self._first.copy()
        self._done = np.zeros(size, dtype=np.int64)  # deals of each row so far
        # What an answer wins more than the plain one, and the squares of that
        self._more: Sums = np.zeros(len(self._of), dtype=np.int64)
        self._squares: Sums = np.zeros_like(self._more)

    @property
    def goes_on(self) -> bool:
        """Whether a row has several answers that are still to be tried."""
        return bool((self._left > 1).any())

    def _deals(self) -> NDArray[np.int64]:
        """(rows,) on how many more deals the answers left are tried."""
        rounds = np.ceil(np.log2(np.maximum(self._first, 2)) / np.log2(_ONE_OF))
        deals = self._samples * self._first / (rounds * np.maximum(self._left, 1))
        return np.where(self._left > 1, np.maximum(deals.astype(np.int64), 1), 0)

    def parts(self) -> Iterator[Rows]:
        """Rows whose games are played on together; then most answers drop."""
        deals = self._deals()
        rows = np.flatnonzero(deals)
        games = np.cumsum((deals * self._left).take(rows))
        yield from np.split(rows, np.flatnonzero(np.diff(games // _GAMES_IN_BATCH)) + 1)
        self._done += deals
        self._drop()

    def count(self, rows: Rows, imagined: Determinizations) -> None:
        """Play the answers left of these rows, each on the same new deals."""
        deals = self._deals().take(rows)
        deal = np.repeat(np.arange(len(rows)), deals)  # in which of ``rows``
        sample = np.arange(len(deal)) - np.repeat(np.cumsum(deals) - deals, deals)
        sample += self._done.take(rows).take(deal)
        left = self._left.take(rows).take(deal)
        begin = np.searchsorted(self._of, rows)
        of = np.repeat(np.arange(len(deal)), left)
        which = np.arange(len(of)) - np.repeat(np.cumsum(left) - left, left)
        which += begin.take(deal).take(of)
        won = imagined.values(
            rows.take(deal),
            sample.astype(np.uint64),
            of,
            self._answer.take(which),
            self._plan.take(which),
        )
        plain = won[self._plain.take(which)]  # of each deal
        more = won - plain.take(of)
        for total, values in ((self._more, more), (self._squares, more * more)):
            np.add.at(total, which, np.rint(values * _SCALE).astype(np.int64))

    def _drop(self) -> None:
        """Keep the best quarter of the answers of each row, and the plain one.

        Of the last two both stay, to be compared.
        """
        order = np.lexsort((-self._more, ~self._plain, self._of))
        begin = np.searchsorted(self._of, np.arange(len(self._left)))
        rank = np.arange(len(order)) - begin.take(self._of)
        few = np.maximum(-(-self._left // _ONE_OF), 2)
        kept = order[rank < few.take(self._of)]
        self._of, self._answer = self._of.take(kept), self._answer.take(kept)
        self._plan = self._plan.take(kept)
        self._plain, self._more = self._plain.take(kept), self._more.take(kept)
        self._squares = self._squares.take(kept)
        self._left = -(-self._left // _ONE_OF)

    def best(self, caution: float) -> tuple[Rows, Masks]:
        """Rows where another answer wins more than the plain one, and that answer.

        By ``caution`` standard errors; of one deal none is known.
        """
        deals = self._done.take(self._of)
        more = self._more / _SCALE / deals
        spread = np.maximum(self._squares / _SCALE / deals - more**2, 0)
        error = np.sqrt(spread / np.maximum(deals - 1, 1))
        better = (more > 0) & (more > caution * error) & ((deals > 1) | (caution == 0))
        return self._of[better], self._answer[better]
