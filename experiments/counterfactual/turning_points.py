"""How much single decisions matter: try every option on deals that are possible.

    sample_decisions(cell, 128, turning_points(cell, moments=24))

Decisions with several options are sampled: half of them with equal probability, half
with equal probability for each kind, so that rare kinds are covered; weights correct
for it. For each deal, everything that the seat cannot know is dealt anew. All options
are tried on the same deals with the same later chance, and the game is played on by the
same strategies, in any game that search can play. If one player, such as a searcher,
sits among others, only that player's decisions are tried, and rollouts play as the
others do.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, distinct, play
from experiments.counterfactual.asked_decisions import Asked, AskedDecisions
from experiments.counterfactual.intervention import (
    EveryOption,
    Intervention,
    When,
    Whose,
)
from sim import games
from sim.branches import joined
from sim.candidates import candidate_answers
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


def turning_points(
    cell: Cell, moments: int, each: int = 8, deals: int = DEALS
) -> Intervention[EveryOption]:
    """Return the intervention that tries ``each`` decisions of drawn ``moments``.

    Of several strategies, it is the first's decisions.
    """
    whose: Whose = "first" if len(distinct(cell.strategies())) > 1 else "all"
    when = When(tuple(games.load(cell.game).kinds), sample=(moments, each))
    return Intervention(when, whose, EveryOption(deals=deals))


def sample_decisions(
    cell: Cell, count: int, tried: Intervention[EveryOption]
) -> SampledDecisions | None:
    """Try sampled decisions of ``count`` games; the lineup's last strategy plays on.

    Return None if no decision has several options.
    """
    asked = AskedDecisions(tried, cell, slice(0, count), 0)
    play(cell, np.arange(count, dtype=np.uint64), [asked])
    if not asked.kept:
        return None
    names, kind = np.unique([each.kind for each in asked.kept], return_inverse=True)
    sizes = np.array([len(each) for each in asked.kept])
    counts = np.bincount(kind, sizes)
    # How often a decision of each kind is drawn, relative to equal probability.
    often = 0.5 + 0.5 * counts.sum() / len(counts) / counts
    calls = _drawn(asked.kept, sizes * often[kind], tried.when, cell.seed)
    table = options_on_deals(cell, calls, tried.do.deals)
    rows = pl.DataFrame(map(_stakes, table.partition_by("decision")))
    weight = (1 / often)[np.searchsorted(names, rows["kind"])]
    kinds = dict(zip(names.tolist(), counts.astype(int).tolist(), strict=True))
    rows = rows.with_columns(weight=weight / weight.mean())
    return SampledDecisions(rows, asked.total, asked.several, kinds)


def _drawn(
    calls: Sequence[Asked], weights: NDArray[np.float64], when: When, seed: int
) -> list[Asked]:
    """Return decisions of moments that are drawn in proportion to their weights."""
    moments, each = when.sample
    rng, total = np.random.default_rng(seed), np.cumsum(weights)
    places = (rng.random() + np.arange(moments)) * total[-1] / moments
    numbers = np.searchsorted(total, places, "right")
    sampled = []
    for number, times in zip(*np.unique(numbers, return_counts=True), strict=True):
        call, size = calls[number], len(calls[number])
        rows = rng.choice(size, min(each * times, size), replace=False)
        sampled.append(call.take(np.sort(rows)))
    return sampled


def options_on_deals(
    cell: Cell,
    calls: Sequence[Asked],
    deals: int,
    first: int = 0,
    answers: "Answers | None" = None,
) -> pl.DataFrame:
    """Return a row per option: decision, game, kind, seat, option (a mask), and shares.

    ``shares`` (seats, deals) are those of the win. Decisions are in order. ``first``:
    number of the first deal. ``answers``: what is tried at these decisions, by default
    every option.
    """
    known, player, calls = games.load(cell.game), cell.strategies()[-1], joined(calls)
    views = [call.view() for call in calls]
    tried = [
        answers(view, call)
        if answers is not None
        else candidate_answers(view, player.decide(view))
        for view, call in zip(views, calls, strict=True)
    ]
    numbers = range(first, first + deals)
    branches = (
        branch
        for view, options in zip(views, tried, strict=True)
        for branch in _on_deals(view, *options, player, numbers)
    )
    align = known.align if player.cost == 1 else None
    end = play_on(known, [player], branches, _MERGED, align)
    shares = shares_of(end, cell.players).reshape(cell.players, -1, deals)
    tables = [
        pl.DataFrame(
            {
                "decision": call.decision.take(of),
                "game": call.game.take(of),
                "kind": pl.Series([call.kind]).new_from_index(0, len(of)),
                "seat": call.seat.take(of),
                "option": answer,
            }
        )
        for call, (of, answer) in zip(calls, tried, strict=True)
    ]
    table = pl.concat(tables).with_columns(shares=pl.Series(shares.swapaxes(0, 1)))
    return table.sort("decision", maintain_order=True)


Answers = Callable[[View, Asked], tuple[Rows, Masks]]
"""Returns what is tried at decisions: the row of each answer, in order, and answers."""


def _on_deals(
    view: View, of: Rows, answer: Masks, player: Strategy, numbers: range
) -> Iterator[BranchPoint]:
    """Yield games with every answer, of these rows of a view, on the same deals."""
    imagined, deals = Determinizations(view, [player], [player]), len(numbers)
    row = np.repeat(np.arange(len(view)), deals)
    sample = np.tile(np.array(numbers, dtype=np.uint64), len(view))
    deal = of[:, None] * deals + np.arange(deals)  # (answers, deals)
    at_once = max(_ROLLOUTS // deals, 1)
    for first in range(0, len(of), at_once):
        part = slice(first, first + at_once)
        answers = np.repeat(answer[part], deals)
        yield imagined.branch_point(row, sample, deal[part].reshape(-1), answers)


def _stakes(options: pl.DataFrame) -> dict[str, Any]:
    """Return the row of a decision, from those of its options."""
    game, kind, seat = options.select("game", "kind", "seat").row(0)
    shares = options["shares"].to_numpy().swapaxes(0, 1)
    about = {"game": game, "kind": kind, "options": options.height}
    return about | decision_stakes(shares, seat)


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
