"""The two elections of Article II, and their results."""

import numpy as np

from sim import masks
from sim.article_ii.layout import CANDIDATE, CONTENDS
from sim.article_ii.scoring import (
    EffectiveAttributes,
    Winners,
    ahead,
    effective_attributes,
    general_totals,
    seat_flags,
    seat_masks,
    winners,
)
from sim.article_ii.state import State, Step
from sim.chance import Purpose
from sim.masks import Counts, Flags, Masks
from sim.table import Table
from sim.view import Rows

OUT = -20_000  # the total of players who do not compete
GUARD = 6


def primary(state: State, table: Table) -> None:
    """Primary: "The two players with the highest total are [...] Candidates"."""
    rows = np.flatnonzero(~state.stopped)
    now = attributes_in(state, rows, None)
    totals = now.electability + now.affiliation
    tie_break = now.electability
    if state.rules.primary_tie == "random":
        tie_break = np.zeros_like(tie_break)
    more, same = ahead(totals, tie_break)
    sure = more + same <= 2
    tied = ~sure & (more < 2)
    chosen = _toss(state, table, rows, tied, sure)
    candidates = seat_masks(sure) | chosen
    state.candidates[rows] = candidates
    state.changes += 1
    elected = seat_flags(candidates, state.players)
    state.traits[:, rows] |= elected * np.int16(CANDIDATE)
    if table.hears("primary"):
        table.emit(
            state,
            "primary",
            rows=rows,
            electability=now.electability,
            affiliation=now.affiliation,
            totals=totals,
            candidates=state.candidates.take(rows),
        )
    _tell_attributes(state, table, rows, now)
    stops = state.stops == state.rules.hand - 1
    state.clock.step = Step.OVER if stops else Step.DEAL
    state.clock.phase = 1


def _toss(state: State, table: Table, rows: Rows, tied: Flags, sure: Flags) -> Masks:
    """(rows,) which of the tied players become Candidates, for the places left."""
    among, places = seat_masks(tied), 2 - sure.sum(axis=0)
    chosen = np.zeros_like(among)
    for place in range(int((places * tied.any(axis=0)).max(initial=0))):
        wanted = among & ~chosen & masks.from_flags(places > place)
        chance = state.chance.short_bits(Purpose.TIE, place).take(rows)
        chosen |= masks.pick(wanted, chance)
    values = np.flatnonzero(among)
    if len(values) and table.hears("tie"):
        table.emit(
            state,
            "tie",
            rows=rows.take(values),
            phase=state.clock.phase,
            seats=among.take(values),
            chosen=chosen.take(values),
        )
    return chosen


def attributes_in(
    state: State, rows: Rows, contenders: Flags | None
) -> EffectiveAttributes:
    """The attributes in force in these rows."""
    return effective_attributes(
        state.layout,
        state.traits.take(rows, axis=1),
        state.electability.take(rows, axis=1),
        state.affiliation.take(rows, axis=1),
        contenders,
    )


def _tell_attributes(
    state: State, table: Table, rows: Rows, now: EffectiveAttributes
) -> None:
    """Announce each player's cards and attributes at the end of a phase."""
    if not table.hears("standing"):
        return
    traits = state.traits.take(rows, axis=1)
    contenders = (traits & CONTENDS) != 0
    table.emit(
        state,
        "standing",
        rows=rows,
        phase=state.clock.phase,
        lying=state.lying.take(rows, axis=1),
        raw_electability=state.electability.take(rows, axis=1),
        raw_affiliation=state.affiliation.take(rows, axis=1),
        electability=now.electability,
        affiliation=now.affiliation,
        primary=now.electability + now.affiliation,
        general=general_totals(
            state.layout, traits, now, contenders, state.taken.take(rows, axis=1)
        ),
        candidates=state.candidates.take(rows),
        contenders=state.contenders.take(rows),
        start=state.start.take(rows),
    )


def necromancy(state: State, table: Table) -> None:
    """Necromancer: chooses one of several other contenders, if allowed (A12)."""
    clock, layout = state.clock, state.layout
    seat = clock.asked
    if state.rules.necromancer_target == "chosen" and seat < state.players:
        contenders = state.contenders
        others = contenders & ~masks.bit(seat)
        able = layout.effects["necromancy"] & ~layout.effects["independent"]
        asked = (state.lying[seat] & able) != masks.NOTHING
        asked &= (contenders & masks.bit(seat)) != masks.NOTHING
        asked &= masks.count(others) > 1
        asked &= ~state.stopped
        rows = np.flatnonzero(asked)
        if len(rows):
            chosen = table.ask(state, "necromancer", seat, others.take(rows), rows=rows)
            state.taken[seat, rows] = chosen
        clock.asked += 1
        return
    clock.step = Step.GENERAL


def general(state: State, table: Table) -> None:
    """General: "The Candidate with the highest positive total becomes President"."""
    rows = np.flatnonzero(~state.stopped)
    traits = state.traits.take(rows, axis=1)
    contenders, candidates = (traits & CONTENDS) != 0, (traits & CANDIDATE) != 0
    now = attributes_in(state, rows, contenders)
    totals = general_totals(
        state.layout, traits, now, contenders, state.taken.take(rows, axis=1)
    )
    if table.hears("general"):
        table.emit(
            state,
            "general",
            rows=rows,
            electability=now.electability,
            affiliation=now.affiliation,
            contenders=state.contenders.take(rows),
            totals=np.where(contenders, totals, OUT).astype(totals.dtype),
        )
    _tell_attributes(state, table, rows, now)
    raw = state.electability.take(rows, axis=1)
    won = winners(state.layout, traits, raw, now, totals, candidates, contenders)
    _result(state, table, rows, won)
    state.clock.step = Step.OVER


def _result(state: State, table: Table, rows: Rows, won: Winners) -> None:
    """Announce who won, in all rows; nobody where the guard broke the game off."""
    size = len(state.games)
    by = np.full(size, GUARD, dtype=np.uint8)
    by[rows] = won.by
    winning = np.zeros(size, dtype=np.uint64)
    winning[rows] = seat_masks(won.winners)
    winner = np.full(size, -1, dtype=np.int8)
    alone = np.flatnonzero(masks.count(winning) == 1)
    winner[alone] = masks.index(winning.take(alone))
    table.emit(
        state,
        "result",
        winner=winner,
        by=by,
        winners=winning,
        candidates=state.candidates,
        points=points(state, winning),
    )


def points(state: State, winning: Masks) -> Counts:
    """(seats, games) points of the variation: "Candidate" 1, "President" 2 more.

    With ``parties`` the President's partners gain one.
    """
    by_seat = []
    for seat in range(state.players):
        own = masks.bit(seat)
        got = ((state.candidates & own) != 0).astype(np.uint8)
        got += ((winning & own) != 0).view(np.uint8) * np.uint8(2)
        if state.rules.parties:
            partner = masks.bit((seat + 2) % state.players)
            alone = (winning & partner) != 0
            alone &= (winning & own) == 0
            got += alone.view(np.uint8)
        by_seat.append(got)
    return np.stack(by_seat)
