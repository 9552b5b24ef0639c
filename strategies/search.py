"""Search: one strategy for all games, which tries every answer by rollouts.

Flat Monte Carlo search over determinizations. Everything that the seat cannot know is
dealt anew for each sample, every answer is tried on the same deals with common random
numbers, and the games are played on by another strategy: to the end of the stage (a
week, a round), where the chance to win is estimated, or to the end of the game.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sim.candidates import candidate_answers
from sim.masks import Flags, Masks
from sim.rollouts import Determinizations, ValueFunction, game_of
from sim.view import Rows, View
from strategies import policy_store, registry, specs
from strategies.base import Strategy, parameter
from strategies.win_probability import win_probability

_GAMES_IN_BATCH = 32_768  # games played on together: 1,024 take twice as long
_ONE_OF = 4  # one in so many answers stays after a round
_SCALE = 1 << 20  # values are summed as whole numbers, so the order does not matter
Sums = NDArray[np.int64]


@registry.register
@dataclass(frozen=True)
class Search(Strategy):
    """Tries every answer on deals that are possible, and takes the one that wins most.

    It knows what its seat may know, and how ``inner`` decides, which plays on for all
    seats: ``allround``, or else the best heuristic that a game has. Several names
    joined by ``+`` are a mixture: the first plays on for its own seat, and each other
    seat is played by one drawn from them, or from ``others`` if it is known who may sit
    there. Each answer is played out on ``samples`` deals on average: again and again
    three of four answers are dropped, and those that are left share the deals that this
    saves (sequential halving, in fewer rounds). The answer of ``inner`` stays to the
    end, and is given up only for one that wins more by ``caution`` standard errors of
    the difference. ``horizon`` is ``stage`` or ``game``; ``kinds`` are the decisions
    that are searched, joined by ``+``, by default all.

    The value of an answer depends on what follows it: each is tried with ``inner`` and
    with each of ``plans`` to follow, and its value is that with the best of them.
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
        """Refuse an unknown horizon, and bad parameters; raises ValueError."""
        super().__post_init__()
        if self.horizon not in ("stage", "game"):
            raise ValueError(f"horizon is stage or game, not {self.horizon!r}")
        for name in specs.SETTINGS:
            named = policy_store.with_names(getattr(self, name))
            object.__setattr__(self, name, named)

    def ready(self, game: str) -> Self:
        """Have the strongest strategy play on where the usual one is not there."""
        known = [name for name in registry.builtin(game) if name != "random"]
        if self.inner != type(self).inner or self.inner in known:
            return self
        # "good" finds out by playing; where there is one strategy it need not
        inner = "good" if len(known) > 1 else next(iter(known), "random")
        return replace(self, inner=inner)

    def __reduce__(self) -> tuple[Callable[..., Strategy], tuple[Any, ...]]:
        """Travel with the policies that play on."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        data = policy_store.packed(self.policies)
        return policy_store.restored, (type(self), values, data)

    @property
    def policies(self) -> tuple[str, ...]:
        """The learned policies that play on."""
        return policy_store.names_in(
            " ".join(getattr(self, name) for name in specs.SETTINGS)
        )

    @property
    def cost(self) -> int:
        """How many games each answer is tried in."""
        return self.samples * (1 + len(specs.split(self.plans, "+")) * bool(self.plans))

    def decide(self, view: View) -> Masks:
        """(rows,) the answer that wins most."""
        game = game_of(view)
        policies = _policies(game.id, self.inner)
        plain = policies[0].decide(view)
        if self.kinds and view.kind.name not in self.kinds.split("+"):
            return plain
        of, answer = candidate_answers(view, plain)
        several = np.bincount(of, minlength=len(view)) > 1
        if not several.any():
            return plain
        searched = several.take(of)
        plans = [policies[0], *_policies(game.id, self.plans)]
        others = _policies(game.id, self.others) or policies
        worth: ValueFunction | None = None
        if self.horizon == "stage":
            # Fitting takes long, so that players without an option share it with all
            inner = getattr(policies[0], "shared_prefix_policy", policies[0])
            state = view._state
            worth = win_probability(game.id, state.rules, state.players, inner)
        contest = _SequentialHalving(
            of[searched],
            answer[searched],
            (answer == plain.take(of))[searched],
            self.samples,
            len(plans),
        )
        while contest.goes_on:
            games = Determinizations(view, plans, others, worth)
            for part in contest.parts():
                contest.count(part, games)
        best = plain.copy()
        row, won = contest.best(self.caution)
        best[row] = won
        return best


def _policies(game: str, names: str) -> list[Strategy]:
    """The strategies of a mixture; none for an empty text."""
    return [_policy(game, name) for name in specs.split(names, "+") if name]


@cache
def _policy(game: str, name: str) -> Strategy:
    return registry.make(game, name)


class _SequentialHalving:
    """Sequential halving: the answers of some rows, of which most drop out each round.

    ``of`` (answers,) is the row of each answer, in order. ``plain`` marks the answers
    without search: they stay, and the others are compared with them. Each answer
    competes once with each of the ``plans``; the plain one with the first.
    """

    def __init__(
        self, of: Rows, answer: Masks, plain: Flags, samples: int, plans: int
    ) -> None:
        self._of, self._answer = of.repeat(plans), answer.repeat(plans)
        self._plan = np.tile(np.arange(plans), len(of))
        self._plain = plain.repeat(plans) & (self._plan == 0)
        self._samples = samples
        size = int(of[-1]) + 1
        # How many answers each row starts with, and how many are left
        self._first = np.bincount(self._of, minlength=size)
        self._left = self._first.copy()
        self._done = np.zeros(size, dtype=np.int64)  # deals of each row so far
        # Sums of how much more an answer wins than the plain one, and of the squares
        self._more: Sums = np.zeros(len(self._of), dtype=np.int64)
        self._squares: Sums = np.zeros_like(self._more)

    @property
    def goes_on(self) -> bool:
        """Whether some row still has several answers."""
        return bool((self._left > 1).any())

    def _deals(self) -> NDArray[np.int64]:
        """(rows,) on how many more deals the answers left are tried this round."""
        rounds = np.ceil(np.log2(np.maximum(self._first, 2)) / np.log2(_ONE_OF))
        deals = self._samples * self._first / (rounds * np.maximum(self._left, 1))
        return np.where(self._left > 1, np.maximum(deals.astype(np.int64), 1), 0)

    def parts(self) -> Iterator[Rows]:
        """Yield rows whose games are played together; then end the round."""
        deals = self._deals()
        rows = np.flatnonzero(deals)
        games = np.cumsum((deals * self._left).take(rows))
        yield from np.split(rows, np.flatnonzero(np.diff(games // _GAMES_IN_BATCH)) + 1)
        self._done += deals
        self._drop()

    def count(self, rows: Rows, games: Determinizations) -> None:
        """Play out the answers left of these rows, all on the same new deals."""
        deals = self._deals().take(rows)
        deal = np.repeat(np.arange(len(rows)), deals)  # in which of ``rows``
        sample = np.arange(len(deal)) - np.repeat(np.cumsum(deals) - deals, deals)
        sample += self._done.take(rows).take(deal)
        left = self._left.take(rows).take(deal)
        begin = np.searchsorted(self._of, rows)
        of = np.repeat(np.arange(len(deal)), left)
        which = np.arange(len(of)) - np.repeat(np.cumsum(left) - left, left)
        which += begin.take(deal).take(of)
        won = games.values(
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

        The last two both stay, to be compared.
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
        """The rows where another answer beats the plain one, and that answer.

        It has to be better by ``caution`` standard errors, which one deal cannot tell.
        """
        deals = self._done.take(self._of)
        more = self._more / _SCALE / deals
        spread = np.maximum(self._squares / _SCALE / deals - more**2, 0)
        error = np.sqrt(spread / np.maximum(deals - 1, 1))
        better = (more > 0) & (more > caution * error) & ((deals > 1) | (caution == 0))
        return self._of[better], self._answer[better]
