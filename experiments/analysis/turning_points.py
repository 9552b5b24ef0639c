"""What hangs on one decision: some are tried with every option, on deals that could be.

A decision is drawn among all that have several options: half of them each as likely as
another, half each kind as likely as another, so that rare kinds are told too; a weight
makes up for it. All that its seat cannot know is dealt anew for each deal, each option
is taken on the same deals with the same chance to come, and the game is played on by
the same strategies, in any game that search can play. Of a table at which one sits
among others, such as a searcher, his decisions are tried, and played on as the others
play.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, distinct, play
from experiments.core.following import Keeping, Repeating
from experiments.core.uses import first_seat
from sim import games, masks
from sim.candidates import candidate_answers
from sim.games import Game
from sim.listener import Choice, Listener
from sim.masks import Masks
from sim.rollouts import BranchPoint, Determinizations, RolloutTable, play_out
from sim.view import Rows, View
from strategies.base import Strategy

DEALS = 32
"""Deals on which every option of a decision is tried."""
POINT = 0.01
"""A decision matters if its best option wins more than a point more than the next."""
_Z = 1.645  # one-sided, 95 %
_AT_ONCE = 16_384  # games of a call
_JOINED = 65_536  # of many calls
_Kept = tuple[Any, ...]  # games, the kind of their decision, seat, options, most


@dataclass(frozen=True)
class Sampled:
    """Decisions that were tried, a row each, and how many there are of all.

    ``tried``: game, kind, weight, options, gap (best less next in win share, the two
    chosen on one half of the deals and measured on the other), matters (surely by more
    than a point), dead (his win is the same with every option in every deal), kingmaker
    (he wins with none in no deal, but which of the others does hangs on the option).
    ``decisions`` and ``choices``: of all, and those with several options; of these so
    many of each kind in ``kinds``.
    """

    tried: pl.DataFrame
    decisions: int
    choices: int
    kinds: dict[str, int]


class _Calls(Listener):
    """Listens to all decisions: counts them, or keeps the games before some of them."""

    def __init__(
        self, cell: Cell, wanted: dict[int, int], rng: np.random.Generator
    ) -> None:
        self._wanted, self._rng = wanted, rng
        self._cell = cell
        self._one = len(distinct(cell.strategies())) > 1  # whose decisions are tried
        self._number = -1
        self.asked: list[tuple[int, int]] = []  # of each call: all, with options
        self.kinds: list[str] = []  # of each call
        self.kept: list[_Kept] = []

    def hears(self, name: str) -> bool:
        """Whatever is asked; notes come to ``event``."""
        return bool(name)

    def choice(self, state: Any, choice: Choice) -> None:
        """Count a call, or keep some of its games."""
        legal, most = choice.legal, choice.most
        self._number += 1
        asked = choice.asked & (legal != masks.NOTHING)
        if self._one:
            asked &= choice.seat == first_seat(self._cell, state.games)
        several = np.flatnonzero(asked & ((legal & (legal - masks.ONE)) != 0))
        self.asked.append((int(np.count_nonzero(asked)), len(several)))
        self.kinds.append(choice.kind.name)
        many = self._wanted.get(self._number, 0)
        if many:
            rows = np.sort(self._rng.choice(several, min(many, len(several)), False))
            seat = np.asarray(choice.seat, np.uint8)
            seats = np.broadcast_to(seat, legal.shape).take(rows)
            most = None if most is None else most.take(rows)
            part = state.branch(rows)
            self.kept.append((part, choice.kind, seats.copy(), legal.take(rows), most))


def sampled(
    cell: Cell, count: int, calls: int, each: int = 8, deals: int = DEALS
) -> Sampled | None:
    """Try decisions of ``count`` games of a cell; of the first of several strategies.

    The last one of the lineup plays on. ``calls`` moments are drawn, and of each so
    many decisions. None where there is no decision with several options.
    """
    numbers = np.arange(count, dtype=np.uint64)
    rng = np.random.default_rng(cell.seed)
    every, taken = _Calls(cell, {}, rng), list[Masks | None]()
    play(cell, numbers, [every], partial(Keeping, taken))
    asked = np.array(every.asked, dtype=np.int64).reshape(-1, 2)
    if not asked[:, 1].any():
        return None
    names, kind = np.unique(every.kinds, return_inverse=True)
    many = np.bincount(kind, asked[:, 1], len(names))
    known = np.count_nonzero(many)
    often = 0.5 + 0.5 * many.sum() / known / np.maximum(many, 1)  # than at random
    total = np.cumsum(asked[:, 1] * often[kind])
    places = (rng.random() + np.arange(calls)) * total[-1] / calls
    at, times = np.unique(np.searchsorted(total, places, "right"), return_counts=True)
    wanted = {int(n): int(each * t) for n, t in zip(at, times, strict=True)}
    kept = _Calls(cell, wanted, rng)
    play(cell, numbers, [kept], partial(Repeating, taken))
    every_moment = [*_together(kept.kept)]
    tried_ = _tried(cell, [one for _, one in every_moment], deals)
    found: dict[int, list[dict[str, Any]]] = {}
    for (moments, _), its in zip(every_moment, tried_, strict=True):
        for moment, row in zip(moments, its, strict=True):
            found.setdefault(moment, []).append(row)
    rows = [row for moment in sorted(found) for row in found[moment]]
    every_, choices = asked.sum(axis=0).tolist()
    weights = dict(zip(names.tolist(), 1 / often, strict=True))
    weight = np.array([weights[row["kind"]] for row in rows])
    tried = pl.DataFrame(rows).with_columns(weight=weight / weight.mean())
    kinds = zip(names.tolist(), many.astype(int).tolist(), strict=True)
    return Sampled(tried, every_, choices, {name: n for name, n in kinds if n})


def _together(kept: Sequence[_Kept]) -> Iterator[tuple[list[int], _Kept]]:
    """The decisions kept of calls, and the number of the call that each is of.

    Where games are out of step, all calls of a kind are one, which is much quicker.
    """
    alike: dict[Any, list[int]] = {}
    for number, (state, kind, *_) in enumerate(kept):
        key = (kind.name, state.clock.phase) if state.out_of_step else number
        alike.setdefault(key, []).append(number)
    for numbers in alike.values():
        states, kinds, *arrays = zip(*(kept[one] for one in numbers), strict=True)
        state = states[0].concatenate(states[1:]) if len(states) > 1 else states[0]
        seat, legal, most = (
            None if parts[0] is None else np.concatenate(parts) for parts in arrays
        )
        sizes = [len(part) for part in arrays[0]]
        yield np.repeat(numbers, sizes).tolist(), (state, kinds[0], seat, legal, most)


def _tried(
    cell: Cell, kept: Sequence[_Kept], deals: int
) -> Iterator[list[dict[str, Any]]]:
    """Of each call a row a decision."""
    known, player = games.load(cell.game), cell.strategies()[-1]
    asked = []
    for state, kind, seat, legal, most in kept:
        view: View = known.view(state, kind, seat, None, legal, most)
        asked.append(_Asked(view, *candidate_answers(view, player.decide(view))))
    shares = _shares(asked, known, player, deals)
    for (view, of, _), found in zip(asked, shares, strict=True):
        seats, numbers = np.asarray(view.seat).tolist(), view._state.games.tolist()
        yield [
            {
                "game": number,
                "kind": view.kind.name,
                "options": int(np.count_nonzero(of == row)),
                **judged(found[:, of == row], seat),
            }
            for row, (number, seat) in enumerate(zip(numbers, seats, strict=True))
        ]


class _Asked(NamedTuple):
    """The decisions of a call, and their answers: of which row each is."""

    view: View
    of: Rows
    answer: Masks


def _parts(asked: _Asked, player: Strategy, deals: int) -> Iterator[BranchPoint]:
    """The games of a call: those of an answer in a row, each on the same deals."""
    view, of, answer = asked
    imagined = Determinizations(view, [player], [player])
    row = np.repeat(np.arange(len(view)), deals)
    sample = np.tile(np.arange(deals, dtype=np.uint64), len(view))
    deal = of[:, None] * deals + np.arange(deals)  # (answers, deals)
    at_once = max(_AT_ONCE // deals, 1)
    for first in range(0, len(of), at_once):
        part = slice(first, first + at_once)
        told = np.repeat(answer[part], deals)
        yield imagined.branch_point(row, sample, deal[part].reshape(-1), told)[0]


def _shares(
    asked: Sequence[_Asked], known: Game, player: Strategy, deals: int
) -> Iterator[NDArray[np.float64]]:
    """(seats, answers, deals) the share of the win that each seat has, by call.

    Many calls are played on together, from where they can be.
    """
    parts, align = chain(*(_parts(one, player, deals) for one in asked)), known.align
    if align is None or player.cost > 1:
        found = [*RolloutTable(known, [player]).play_merged(parts, _JOINED)]
        shares = np.concatenate(found, axis=1)
    else:
        desk, every = RolloutTable(known, [player], until=align.stop_at), [*parts]
        shares = np.concatenate([desk.play_from(*one) for one in every], axis=1)
        play_out(known, player, align, [one.state for one in every], shares)
    ends = np.cumsum([len(one.of) * deals for one in asked])
    for its in np.split(shares, ends[:-1], axis=1):
        yield its.reshape(len(its), -1, deals)


def judged(shares: NDArray[np.float64], seat: int) -> dict[str, Any]:
    """What hangs on a decision, of (seats, options, deals) shares of the win.

    >>> one = np.array([[[1.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]]])
    >>> judged(one, 0)["gap"], judged(one, 0)["dead"]
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
