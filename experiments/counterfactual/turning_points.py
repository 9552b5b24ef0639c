"""How much single decisions matter: try every option on deals that are possible.

Decisions with several options are sampled: half of them with equal probability, half
with equal probability for each kind, so that rare kinds are covered; weights correct
for it. For each deal, everything that the seat cannot know is dealt anew. All options
are tried on the same deals with the same later chance, and the game is played on by the
same strategies, in any game that search can play. If one player, such as a searcher,
sits among others, only that player's decisions are tried, and rollouts play as the
others do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, distinct, play
from experiments.counterfactual.action_counts import first_seat
from sim import games, masks
from sim.branches import Branch, joined
from sim.candidates import candidate_answers
from sim.games import Game
from sim.listener import Choice, Listener
from sim.masks import Masks
from sim.rollouts import BranchPoint, Determinizations, play_on, shares_of
from sim.view import Rows, View
from strategies.base import Strategy

DEALS = 32
"""Deals on which every option of a decision is tried."""
POINT = 0.01
"""A decision matters if its best option wins over a point more than the next."""
_Z = 1.645  # one-sided, 95 %
_ROLLOUTS = 16_384  # games of a branch point, which bounds its memory
_MERGED = 65_536  # games of merged branch points


@dataclass(frozen=True)
class SampledDecisions:
    """Decisions that were tried, one row each, and how many there are in all.

    ``options``: game, kind, weight, options, gap (best minus next in win share, chosen
    on one half of the deals and measured on the other), matters (shown: by more than a
    point), dead (the player's win is the same with every option in every deal),
    kingmaker (the player never wins, but the option decides which of the others does).
    ``decisions`` counts all, ``choices`` those with several options, ``kinds`` these by
    kind.
    """

    options: pl.DataFrame
    decisions: int
    choices: int
    kinds: dict[str, int]


@dataclass(frozen=True)
class _Asked(Branch):
    """Decisions of one call, (games,) each: the ``number`` of the call, and its choice.

    Calls of games that are out of step may be joined.
    """

    number: Rows
    seat: NDArray[np.uint8]
    legal: Masks
    most: Any


class _Calls(Listener):
    """Listens to all decisions: keeps the games of each call that have a choice."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        self._first_only = len(distinct(cell.strategies())) > 1
        self.asked: list[tuple[int, int]] = []  # of each call: all, with options
        self.kept: list[_Asked] = []  # of each call: those with several options

    def hears(self, name: str) -> bool:
        """Hear all decisions; notes come to ``event``."""
        return bool(name)

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the states of a call."""
        kind, seat, legal, most, _, asked = choice
        asked = asked & (legal != masks.NOTHING)
        if self._first_only:
            asked &= seat == first_seat(self._cell, state.games)
        several = np.flatnonzero(asked & ((legal & (legal - masks.ONE)) != 0))
        self.asked.append((int(np.count_nonzero(asked)), len(several)))
        seats = np.broadcast_to(np.asarray(seat, np.uint8), legal.shape)
        number = np.full(len(legal), len(self.kept))
        call = _Asked(state, kind.name, number, seats, legal, most)
        self.kept.append(call.take(several))


def sample_decisions(
    cell: Cell, count: int, calls: int, each: int = 8, deals: int = DEALS
) -> SampledDecisions | None:
    """Try sampled decisions of ``count`` games; of several strategies, the first's.

    ``calls`` moments are drawn, and ``each`` decisions of each moment; the last
    strategy of the lineup plays on. Return None if no decision has several options.
    """
    numbers = np.arange(count, dtype=np.uint64)
    rng = np.random.default_rng(cell.seed)
    heard = _Calls(cell)
    play(cell, numbers, [heard])
    asked = np.array(heard.asked, dtype=np.int64).reshape(-1, 2)
    if not asked[:, 1].any():
        return None
    kinds = [call.kind for call in heard.kept]
    names, kind = np.unique(kinds, return_inverse=True)
    counts = np.bincount(kind, asked[:, 1], len(names))
    known = np.count_nonzero(counts)
    # How often a decision of each kind is drawn, relative to equal probability.
    often = 0.5 + 0.5 * counts.sum() / known / np.maximum(counts, 1)
    total = np.cumsum(asked[:, 1] * often[kind])
    places = (rng.random() + np.arange(calls)) * total[-1] / calls
    numbers_drawn = np.searchsorted(total, places, "right")
    drawn, times = np.unique(numbers_drawn, return_counts=True)
    sampled = []
    for number, size in zip(drawn, each * times, strict=True):
        choices = asked[number, 1]
        drawn_rows = np.sort(rng.choice(choices, min(size, choices), replace=False))
        sampled.append(heard.kept[number].take(drawn_rows))
    numbered = _rows(cell, joined(sampled), deals)
    rows = [row for _, row in sorted(numbered, key=itemgetter(0))]
    decisions, choices = asked.sum(axis=0).tolist()
    weights = dict(zip(names.tolist(), 1 / often, strict=True))
    weight = np.array([weights[row["kind"]] for row in rows])
    tried = pl.DataFrame(rows).with_columns(weight=weight / weight.mean())
    by_kind = zip(names.tolist(), counts.astype(int).tolist(), strict=True)
    return SampledDecisions(
        tried, decisions, choices, {name: n for name, n in by_kind if n}
    )


def _rows(
    cell: Cell, calls: Sequence[_Asked], deals: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield one row per decision, with the number of its call."""
    known, player = games.load(cell.game), cell.strategies()[-1]
    tried = [_Tried.of_call(call, known, player) for call in calls]
    branches = (branch for each in tried for branch in each.branches(player, deals))
    align = known.align if player.cost == 1 else None
    end = play_on(known, [player], branches, _MERGED, align)
    shares = shares_of(end, cell.players).reshape(cell.players, -1, deals)
    ends = np.cumsum([len(each.of) for each in tried])
    parts = np.split(shares, ends[:-1], axis=1)
    for call, each, won in zip(calls, tried, parts, strict=True):
        seats, numbers = call.seat.tolist(), call.state.games.tolist()
        for row, of_call in enumerate(call.number.tolist()):
            own = each.of == row
            stakes = decision_stakes(won[:, own], seats[row])
            options = int(np.count_nonzero(own))
            decision = {"game": numbers[row], "kind": call.kind, "options": options}
            yield of_call, decision | stakes


class _Tried(NamedTuple):
    """The decisions of a call, and all answers with the row of each (``of``)."""

    view: View
    of: Rows
    answer: Masks

    @classmethod
    def of_call(cls, call: _Asked, known: Game, player: Strategy) -> "_Tried":
        """Return the answers to try, that of the player among them."""
        kind = known.kinds[call.kind]
        view = known.view(call.state, kind, call.seat, None, call.legal, call.most)
        return cls(view, *candidate_answers(view, player.decide(view)))

    def branches(self, player: Strategy, deals: int) -> Iterator[BranchPoint]:
        """Yield games with every answer, on the same deals."""
        imagined = Determinizations(self.view, [player], [player])
        row = np.repeat(np.arange(len(self.view)), deals)
        sample = np.tile(np.arange(deals, dtype=np.uint64), len(self.view))
        deal = self.of[:, None] * deals + np.arange(deals)  # (answers, deals)
        at_once = max(_ROLLOUTS // deals, 1)
        for first in range(0, len(self.of), at_once):
            part = slice(first, first + at_once)
            answers = np.repeat(self.answer[part], deals)
            yield imagined.branch_point(row, sample, deal[part].reshape(-1), answers)


def decision_stakes(shares: NDArray[np.float64], seat: int) -> dict[str, Any]:
    """Judge how much a decision matters, by (seats, options, deals) win shares.

    >>> shares = np.array([[[1.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]]])
    >>> decision_stakes(shares, 0)["gap"], decision_stakes(shares, 0)["dead"]
    (1.0, False)
    """
    own, others = shares[seat], np.delete(shares, seat, axis=0)
    gaps, errors = [], []
    for half in (0, 1):
        chosen, measured = own[:, half::2], own[:, 1 - half :: 2]
        order = np.argsort(-chosen.mean(axis=1), kind="stable")
        if len(order) < 2 or not measured.size:
            continue
        apart = measured[order[0]] - measured[order[1]]
        gaps.append(apart.mean())
        errors.append(apart.std(ddof=1) / np.sqrt(len(apart)) if len(apart) > 1 else 0)
    gap = float(np.mean(gaps)) if gaps else 0.0
    error = float(np.linalg.norm(errors)) / max(len(errors), 1)
    varies = (others != others[:, :1]).any(axis=1)  # (others, deals) by option
    return {
        "gap": gap,
        "matters": gap - _Z * error > POINT,
        "dead": bool((own == own[:1]).all()),
        "kingmaker": bool(not own.any() and (varies.sum(axis=0) >= 2).any()),
    }
