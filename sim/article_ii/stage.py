"""The stage of Article II: how seats stand two rounds later, as features.

Phases are long, so search plays on for two rounds of turns, or to the end of the phase
if that comes first. Strong cards kept have the last word, so hands are features, too.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii import scoring
from sim.article_ii.layout import CONTENDS, Layout
from sim.article_ii.scoring import Numbers, general_totals
from sim.article_ii.state import State, Step
from sim.games import Stage
from sim.masks import Flags, Mask, Masks

_TEN, _NEAR = 10, 0.5  # points; tens that a card moves
_LOW = -5  # tens, below every total that matters
AHEAD = 2  # rounds that search plays on


def rounds_later(state: State) -> int | None:
    """The round at whose end every other seat has had two turns.

    Rounds are counted through both phases. A phase has as many as a hand has cards, and
    ends with its last round.
    """
    clock, hand = state.clock, state.rules.hand
    rounds = -(-clock.turn // state.players) + AHEAD
    number = clock.phase * hand + min(rounds, hand) - 1
    last = number >= 2 * hand - 1 or clock.step is Step.NECROMANCY
    return None if last else number


def part(state: State) -> int:
    """0 in the Primary, 2 at its end, 1 in the General: each has its own features."""
    return state.clock.phase + (state.stops == state.rules.hand - 1)


def features(state: State) -> NDArray[np.float64]:
    """(features, seats, games) who would be elected, by how much, Styles and hands."""
    layout, general = state.layout, state.clock.phase == 1
    traits = state.traits
    contends = (traits & CONTENDS) != 0
    raw = state.electability, state.affiliation
    now = scoring.effective_attributes(
        layout, traits, *raw, contends if general else None
    )
    if not general:
        contends = np.ones_like(contends)
    total = general_totals(layout, traits, now, contends) / _TEN
    appeal, *each = (one / _TEN for one in (now.electability, *raw))
    styles = [(state.lying & cards) != 0 for cards in layout.effects.values()]
    held, worn = _held(state), _worn(state)
    removes = held[4]
    if general:
        table = _elected(total, appeal, contends) + [contends * one for one in each]
    else:
        primary = appeal + now.affiliation / _TEN
        table = [*_nominated(primary, total), *each, appeal]
    near = table[2]
    parts = [*table, *held, *worn, *styles]
    parts += [near * removes, near * (removes.sum(axis=0) - removes)]
    if general:
        left = 1 - (state.stops + 1) % state.rules.hand / state.rules.hand
        parts += [left * one for one in table]  # of the phase
        parts += [contends * one for one in held + worn]
        parts += [near * one for one in held[:4]]
    return np.stack([np.asarray(one, dtype=np.float64) for one in parts])


def _nominated(primary: Numbers, later: Numbers) -> list[Numbers]:
    """(features, seats, games) who would be Candidate, and General totals, in tens."""
    ahead = primary - _others(primary, min(2, len(primary) - 1))
    near = np.tanh(ahead / _NEAR)
    return [ahead > 0, ahead, near, later, later * near]


def _elected(total: Numbers, appeal: Numbers, contends: Flags) -> list[Numbers]:
    """(features, seats, games) contenders, and Spoilers, who need no positive total."""
    among = np.where(contends, total, _LOW)
    ahead = total - np.maximum(_others(among), 0)
    contending = [np.ones_like(total), ahead, np.tanh(ahead / _NEAR), total]
    best = among.max(axis=0) + np.zeros_like(total)
    above = np.tanh(best / _NEAR)
    spoils = appeal - _others(np.where(contends, _LOW, appeal))
    near = np.tanh(spoils / _NEAR)
    spoiling = [appeal, np.clip(spoils, -2, 2), near, best, above, near * above]
    return [contends * one for one in contending] + [
        ~contends * one for one in spoiling
    ]


def _others(value: Numbers, rank: int = 1) -> Numbers:
    """(seats, games) the highest value of the other seats, or a lower one."""
    seat = np.arange(len(value))
    others = value[(seat[:, None] + seat[1:]) % len(value)]
    if rank == 1:
        return others.max(axis=1)
    others.sort(axis=1)
    return others[:, -rank]


def _held(state: State) -> list[Numbers]:
    """What the marks in hand can do, how many removals and others, and who is last."""
    layout, (cards, moves, _) = state.layout, _marks(state.layout)
    number = masks.count(state.hands & cards)
    reach = [
        (number[kinds_moved] * points).sum(axis=0) for kinds_moved, points in moves
    ]
    kinds = layout.removes, layout.styles, layout.everything
    place = np.arange(state.players)[:, None] - state.start.astype(np.int64)
    last = place % state.players == state.players - 1
    return [*reach, *(masks.count(state.hands & kind) for kind in kinds), last]


def _worn(state: State) -> list[Numbers]:
    """The best and the worst mark that lies on each, which may be removed."""
    cards, _, gain = _marks(state.layout)
    moved = ((state.lying & cards) != masks.NOTHING) * gain
    return [moved.max(axis=0, initial=0), moved.min(axis=0, initial=0)]


_Moves = list[tuple[NDArray[np.int64], NDArray[np.float64]]]


@lru_cache(maxsize=16)
def _marks(layout: Layout) -> tuple[Masks, _Moves, NDArray[np.float64]]:
    """The marks that are alike (kinds, 1, 1), and what they move, in tens.

    For Electability, then Affiliation, raised and lowered: which kinds do so, and by
    how much (those kinds, 1, 1). Last, what each adds to a total of the General.
    """
    by_points: dict[tuple[float, float], Mask] = {}
    for number in masks.members(layout.marks):
        points = layout.electability[number] / _TEN, layout.affiliation[number] / _TEN
        by_points[points] = by_points.get(points, masks.NOTHING) | masks.bit(number)
    each = np.array([*by_points], dtype=np.float64).reshape(-1, 2).T[..., None, None]
    moves: _Moves = []
    for signed in (each[0], -each[0], each[1], -each[1]):
        which = np.flatnonzero(signed > 0)
        moves.append((which, signed[which]))
    cards = np.array([*by_points.values()], dtype=np.uint64)[:, None, None]
    return cards, moves, each[0] - each[1]


STAGE = Stage("rounds", rounds_later, features, part=part)
