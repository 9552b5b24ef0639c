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
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, distinct, play
from experiments.counterfactual.action_counts import first_seat
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
"""A decision matters if its best option wins over a point more than the next."""
_Z = 1.645  # one-sided, 95 %
_ROLLOUTS = 16_384  # games of a branch point, which bounds its memory
_MERGED = 65_536  # games of merged branch points
_Kept = tuple[Any, ...]  # games, the kind of their decision, seat, options, most


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


class _Calls(Listener):
    """Listens to all decisions: keeps the games of each call that have a choice."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        self._first_only = len(distinct(cell.strategies())) > 1
        self.asked: list[tuple[int, int]] = []  # of each call: all, with options
        self.kept: list[_Kept] = []  # of each call: those with several options

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
        self.kept.append(_taken((state, kind, seats, legal, most), several))


def _taken(kept: _Kept, rows: Rows) -> _Kept:
    """Return these rows of the games that were kept."""
    state, kind, *parts = kept
    taken = (None if part is None else part.take(rows) for part in parts)
    return state.branch(rows), kind, *taken


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
    kinds = [kind.name for _, kind, *_ in heard.kept]
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
        of_call, choices = heard.kept[number], asked[number, 1]
        drawn_rows = np.sort(rng.choice(choices, min(size, choices), replace=False))
        sampled.append(_taken(of_call, drawn_rows))
    merged = [*_merged(sampled)]
    tables = _tables_of(cell, [kept for _, kept in merged], deals)
    paired = zip(merged, tables, strict=True)
    numbered = chain(
        *(zip(moments, rows, strict=True) for (moments, _), rows in paired)
    )
    rows = [row for _, row in sorted(numbered, key=itemgetter(0))]
    decisions, choices = asked.sum(axis=0).tolist()
    weights = dict(zip(names.tolist(), 1 / often, strict=True))
    weight = np.array([weights[row["kind"]] for row in rows])
    tried = pl.DataFrame(rows).with_columns(weight=weight / weight.mean())
    by_kind = zip(names.tolist(), counts.astype(int).tolist(), strict=True)
    return SampledDecisions(
        tried, decisions, choices, {name: n for name, n in by_kind if n}
    )


def _merged(kept: Sequence[_Kept]) -> Iterator[tuple[list[int], _Kept]]:
    """Yield decisions that were kept, and the number of the call of each.

    If games are out of step, all calls of a kind are merged, which is much quicker.
    """
    groups: dict[Any, list[int]] = {}
    for number, (state, kind, *_) in enumerate(kept):
        key = (kind.name, state.clock.phase) if state.out_of_step else number
        groups.setdefault(key, []).append(number)
    for numbers in groups.values():
        states, kinds, *arrays = zip(*(kept[call] for call in numbers), strict=True)
        state = states[0].concatenate(states[1:]) if len(states) > 1 else states[0]
        seat, legal, most = (
            None if parts[0] is None else np.concatenate(parts) for parts in arrays
        )
        sizes = [len(part) for part in arrays[0]]
        yield np.repeat(numbers, sizes).tolist(), (state, kinds[0], seat, legal, most)


def _tables_of(
    cell: Cell, kept: Sequence[_Kept], deals: int
) -> Iterator[list[dict[str, Any]]]:
    """Yield for each call one row per decision."""
    known, player = games.load(cell.game), cell.strategies()[-1]
    asked = []
    for state, kind, seat, legal, most in kept:
        view: View = known.view(state, kind, seat, None, legal, most)
        asked.append(_Asked(view, *candidate_answers(view, player.decide(view))))
    shares = _shares(asked, known, player, deals)
    for (view, of, _), shares_of_call in zip(asked, shares, strict=True):
        seats, numbers = np.asarray(view.seat).tolist(), view._state.games.tolist()
        yield [
            {
                "game": number,
                "kind": view.kind.name,
                "options": int(np.count_nonzero(of == row)),
                **decision_stakes(shares_of_call[:, of == row], seat),
            }
            for row, (number, seat) in enumerate(zip(numbers, seats, strict=True))
        ]


class _Asked(NamedTuple):
    """The decisions of a call, and all answers with the row of each (``of``)."""

    view: View
    of: Rows
    answer: Masks


def _parts(asked: _Asked, player: Strategy, deals: int) -> Iterator[BranchPoint]:
    """Yield the branch points of a call: every answer on the same deals."""
    view, of, answer = asked
    imagined = Determinizations(view, [player], [player])
    row = np.repeat(np.arange(len(view)), deals)
    sample = np.tile(np.arange(deals, dtype=np.uint64), len(view))
    deal = of[:, None] * deals + np.arange(deals)  # (answers, deals)
    at_once = max(_ROLLOUTS // deals, 1)
    for first in range(0, len(of), at_once):
        part = slice(first, first + at_once)
        answers = np.repeat(answer[part], deals)
        yield imagined.branch_point(row, sample, deal[part].reshape(-1), answers)[0]


def _shares(
    asked: Sequence[_Asked], known: Game, player: Strategy, deals: int
) -> Iterator[NDArray[np.float64]]:
    """Yield for each call (seats, answers, deals): the win share of each seat.

    Calls are merged as soon as their states can be, since a step costs little more for
    more games.
    """
    parts, align = chain(*(_parts(call, player, deals) for call in asked)), known.align
    if align is None or player.cost > 1:
        outcomes = [*RolloutTable(known, [player]).play_merged(parts, _MERGED)]
        shares = np.concatenate(outcomes, axis=1)
    else:
        table, points = RolloutTable(known, [player], until=align.stop_at), [*parts]
        shares = np.concatenate([table.play_from(*part) for part in points], axis=1)
        play_out(known, player, align, [part.state for part in points], shares)
    ends = np.cumsum([len(call.of) * deals for call in asked])
    for shares_of_call in np.split(shares, ends[:-1], axis=1):
        yield shares_of_call.reshape(len(shares_of_call), -1, deals)


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
