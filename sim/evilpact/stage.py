"""The stage of Evilpact: how seats stand at the end of a round, as features."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.evilpact.layout import NO_SPELL
from sim.evilpact.scoring import contracts
from sim.evilpact.state import State
from sim.games import Stage

_WIDE = np.array([1.0, 3.0])[:, None, None]  # leads in power that are clear


def round_of(state: State) -> int | None:
    """The number of the round, from 0; None for the last one."""
    number = state.clock.round
    return None if number + 1 == state.rules.rounds else number


def features(state: State) -> NDArray[np.float64]:
    """(features, seats, games) elements led, contracts, and each spell left.

    Elements and contracts count by how clearly the seat is ahead.
    """
    power = state.layout.powers(state.power).astype(np.float64)
    lead = power[:, 0] - power[:, 1]  # (elements, games)
    hands = masks.count(state.spells).astype(np.int8)
    both = [*np.tanh(lead / _WIDE).sum(axis=1), np.sign(hands[0] - hands[1])]
    parts = [np.stack([one, -one]) for one in both]
    spell = np.stack([contracts(state, place) for place in range(state.players)])
    ahead = np.take_along_axis(lead, state.layout.element_of.take(spell).astype(int), 0)
    ahead[1] *= -1
    made = spell != NO_SPELL
    parts += [*(made * np.tanh((ahead + 0.5) / _WIDE)), made & (ahead < 0)]
    held = state.spells, state.secret
    parts += [spells & masks.bit(n) != 0 for spells in held for n in range(NO_SPELL)]
    return np.stack([state.by_seat(one) for one in parts])


STAGE = Stage("round", round_of, features)
