"""Scoring: what the cards on the table amount to, in attributes, totals and winners.

Pure functions of arrays by seat, so that strategies can evaluate hypotheticals. The
order of evaluation: Affiliation with its Styles, Electability halved, then the
Mudslinger.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii.layout import TIMES, TRAITS, Layout, Traits
from sim.masks import Counts, Flags, Masks

Numbers = NDArray[Any]  # (seats, rows) whole; with exact halving also halves
_LOW = -20_000  # below every total


def _trait(number: int) -> Traits:
    """Traits as an array without axes, to compare with; why: see ``masks.constant``."""
    return np.array(number, dtype=np.int16)


_TIMES = _trait(TIMES)
_HALVED, _SLINGS, _ZEROES = (TRAITS[name] for name in ("halved", "slings", "zeroes"))
_NECROMANCY, _INDEPENDENT = TRAITS["necromancy"], TRAITS["independent"]
_RAISING = _NECROMANCY | _INDEPENDENT


class EffectiveAttributes(NamedTuple):
    """(seats, rows) the attributes with all effects of Styles applied.

    ``times`` is how often raw Affiliation counts: once, twice, or not at all; ``some``
    are the traits that anybody has, so that effects nobody has are skipped.
    """

    electability: Numbers
    affiliation: Numbers
    times: NDArray[np.int16]
    some: int


def effective_attributes(
    layout: Layout,
    traits: Traits,
    electability: Numbers,
    affiliation: Numbers,
    contenders: Flags | None = None,
) -> EffectiveAttributes:
    """The attributes in force, from the traits and raw sums of each player.

    ``contenders`` (seats, rows) are those of the General, None in the Primary.
    """
    rules, present = layout.rules, int(np.bitwise_or.reduce(traits, axis=None))
    times = traits & _TIMES
    if present & _ZEROES:
        times *= ~_zeroed(layout, (traits & _ZEROES) != 0, contenders)
    own = affiliation * times
    appeal = electability
    if present & _HALVED or rules.halve == "exact":
        appeal = _halved(rules.halve, electability, traits)
    if present & _SLINGS:
        mud = own * ((traits & _SLINGS) != 0)
        hit = (traits & _INDEPENDENT) == 0
        all_mud = np.add.reduce(mud, axis=0, dtype=own.dtype)
        mud = all_mud if rules.mudslinger_self else all_mud - mud
        appeal = appeal - mud * hit
    return EffectiveAttributes(appeal, own, times, present)


def _zeroed(layout: Layout, evil: Flags, contenders: Flags | None) -> Flags:
    """(seats, rows) whose Affiliation another player's Greater Evil makes zero."""
    others: Flags = evil.sum(axis=0, dtype=np.uint8) > evil
    if layout.rules.greater_evil == "candidates":
        others &= np.zeros_like(evil) if contenders is None else contenders
    return others


def _halved(how: str, electability: Numbers, traits: Traits) -> Numbers:
    """(seats, rows) Electability, halved where a Style says so."""
    halved = (traits & _HALVED) != 0
    if how == "exact":
        return np.where(halved, electability * np.float32(0.5), electability)
    if how == "floor":
        return electability >> halved.view(np.uint8)
    rounded: Numbers = np.where(halved & (electability < 0), 1, 0).astype(np.int16)
    return electability + rounded >> halved.view(np.uint8)


def general_totals(
    layout: Layout,
    traits: Traits,
    now: EffectiveAttributes,
    contenders: Flags,
    taken: Masks | None = None,
) -> Numbers:
    """(seats, rows) Electability less Affiliation; less another's for a Necromancer.

    The totals of players who are no contenders are as if they were. ``taken`` are the
    seats that Necromancers chose, where they may.
    """
    used = now.affiliation
    if now.some & _NECROMANCY:
        seats, rows = ((traits & _RAISING) == _NECROMANCY).nonzero()
        used = used.copy()
        used[seats, rows] = _others(layout, now, contenders, taken, seats, rows)
    return now.electability - used


def _others(
    layout: Layout,
    now: EffectiveAttributes,
    contenders: Flags,
    taken: Masks | None,
    seats: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> Numbers:
    """(rows,) the Affiliation that these Necromancers take from another contender."""
    others = contenders.take(rows, axis=1)
    others[seats, np.arange(len(rows))] = False
    if layout.rules.necromancer_target == "chosen" and taken is not None:
        chosen = taken[seats, rows]
        bits = masks.ONE << np.arange(len(others), dtype=np.uint64)[:, None]
        named = (chosen & bits) != masks.NOTHING
        others = np.where(chosen != masks.NOTHING, named, others)
    theirs = now.affiliation.take(rows, axis=1)
    if layout.rules.necromancer_target == "min":
        return np.where(others, theirs, -_LOW).min(axis=0)
    return np.where(others, theirs, _LOW).max(axis=0)


def ahead(key: Numbers, then: Numbers) -> tuple[Counts, Counts]:
    """(seats, rows) how many have more, and how many as much (oneself included).

    Equal ``key`` is ranked by ``then``.
    """
    more = np.zeros(key.shape, dtype=np.uint8)
    same = np.ones(key.shape, dtype=np.uint8)
    for one in range(len(key)):
        for other in range(one):
            equal = key[one] == key[other]
            less = (key[one] < key[other]) | (equal & (then[one] < then[other]))
            equal &= then[one] == then[other]
            more[one] += less
            same[one] += equal
            same[other] += equal
            more[other] += ~(less | equal)
    return more, same


def leaders(value: Numbers, among: Flags) -> Flags:
    """(seats, rows) who has the highest value among those flagged."""
    low = np.where(among, value, _LOW)
    best: Flags = low == low.max(axis=0)
    best &= among
    return best


class Winners(NamedTuple):
    """(seats, rows) the winners, and (rows,) how: numbers of ``layout.ENDS``."""

    winners: Flags
    by: Counts


def winners(
    layout: Layout,
    traits: Traits,
    raw: Numbers,
    now: EffectiveAttributes,
    totals: Numbers,
    candidates: Flags,
    contenders: Flags,
) -> Winners:
    """Who becomes President: "the highest positive total", or else a Spoiler."""
    best, first, positive = _elected(layout, now, totals, contenders)
    tied = best.sum(axis=0) > 1
    shared = first.sum(axis=0) > 1
    by = np.where(tied, np.where(shared, 2, 1), 0).astype(np.uint8)
    spoiling = _spoiling(layout, traits, raw, now, candidates)
    many = spoiling.sum(axis=0)
    fallback = np.where(many == 1, 3, np.where(many > 1, 4, 5)).astype(np.uint8)
    return Winners(
        np.where(positive, first, spoiling), np.where(positive, by, fallback)
    )


def winner_flags(
    layout: Layout,
    traits: Traits,
    raw: Numbers,
    now: EffectiveAttributes,
    totals: Numbers,
    candidates: Flags,
    contenders: Flags,
) -> Flags:
    """(seats, rows) the ``winners`` alone."""
    _, first, positive = _elected(layout, now, totals, contenders)
    return np.where(positive, first, _spoiling(layout, traits, raw, now, candidates))


def _elected(
    layout: Layout, now: EffectiveAttributes, totals: Numbers, contenders: Flags
) -> tuple[Flags, Flags, Flags]:
    """(seats, rows) who leads by total, and (rows,) whether the leader wins."""
    rules = layout.rules
    best = leaders(totals, contenders)
    positive: Flags = np.logical_or.reduce(best & (totals > 0), axis=0)
    if layout.players == 2 and rules.no_positive_2p == "highest_total":
        positive = np.ones_like(positive)
    if rules.general_tie == "electability_then_shared":
        return best, leaders(now.electability, best), positive
    return best, best, positive


def _spoiling(
    layout: Layout,
    traits: Traits,
    raw: Numbers,
    now: EffectiveAttributes,
    candidates: Flags,
) -> Flags:
    """(seats, rows) the Spoilers who win where no contender does."""
    rules, spoilers = layout.rules, ~candidates
    if not rules.highlander_fallback:
        spoilers &= (traits & TRAITS["stays"]) == 0
    value = raw if rules.spoiler_value == "raw" else now.electability
    return leaders(value, spoilers)


def seat_flags(seats: Masks, players: int) -> Flags:
    """(seats, rows) flags of sets of seats."""
    bits = masks.ONE << np.arange(players, dtype=np.uint64)[:, None]
    flags: Flags = (seats & bits) != masks.NOTHING
    return flags


def seat_masks(flags: Flags) -> Masks:
    """(rows,) sets of seats of flags by seat."""
    return masks.join(
        [masks.where(flag, masks.bit(seat)) for seat, flag in enumerate(flags)]
    )
