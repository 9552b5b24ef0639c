"""The state of a batch of games of Evilpact: arrays, one row per game.

Fields are ``(games,)`` or ``(places, games)``. Place 0 starts the first round.
Why places: it is then the turn of the same place in all rows, which share the clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.batch_state import BatchState
from sim.chance import Purpose, Seed
from sim.events import Decision
from sim.evilpact.layout import (
    ALL_SPELLS,
    CONTRACT,
    HASTUR_CARD,
    LOWER,
    NO_SPELL,
    Layout,
)
from sim.evilpact.rules import Evilpact
from sim.masks import Counts, Flags, Masks
from sim.packed_bytes import greater
from sim.table import Table
from sim.view import Rows

TURNS = 4  # of a round
FLIPS = (2, 4)  # cards that Nyarlathotep flips, by level
MOMENTS = 24  # of a turn, as counters of random numbers
_SEALS = 1_000  # a counter of deals beyond those of the deck


Phase = IntEnum(
    "Phase",
    "START REFILL CAST COUNTER EXCLUDE LOSE FLIP SIDEWAYS CAST_OVER ACQUIRE ELEMENT "
    "END_ROUND CONTRACT END OVER",
    start=0,
)
"""The phases: what comes next."""


@dataclass
class Clock:
    """Round and turn, counted from 0, and the phase that comes next.

    ``late`` is a cast after acquiring, or the additional card of turn 4. ``count`` is
    how many cards a spell has excluded or flipped, or whose contract is asked.
    ``starter`` is the place that starts the round.
    """

    phase: Phase = Phase.START
    round: int = 0
    turn: int = 0
    late: bool = False
    count: int = 0
    starter: int = 0

    @property
    def place(self) -> int:
        """Whose turn it is."""
        return (self.starter + self.turn) % 2

    @property
    def tick(self) -> int:
        """A number unique to this moment, as the counter of random numbers."""
        first, later = _TICKS[self.phase]
        turn = self.round * TURNS + self.turn
        return turn * MOMENTS + first + self.late * later + self.count

    def labels(self) -> dict[str, int]:
        """Round and turn, from 1, and whether a cast is before or after acquiring."""
        return {"round": self.round + 1, "turn": self.turn + 1, "when": int(self.late)}


# Moments of each phase in a turn: the first, and the step if ``late``. A spell has
# nine: a counter, two cards to exclude, four to flip, one to turn, and cards lost.
# Contracts use a turn after the last one of their round. Why so dense: three adjacent
# moments share one random draw.
_TICKS = dict.fromkeys(Phase, (0, 0)) | {
    Phase.CAST: (0, 2),
    Phase.ACQUIRE: (1, 3),
    Phase.ELEMENT: (3, 2),
    Phase.COUNTER: (6, 9),
    Phase.EXCLUDE: (7, 9),
    Phase.FLIP: (9, 9),
    Phase.SIDEWAYS: (13, 9),
    Phase.LOSE: (14, 9),
    Phase.CONTRACT: (100_000, 0),
}


class State(BatchState):
    """A batch of games of Evilpact."""

    game_id = "evilpact"

    def __init__(
        self, rules: Evilpact, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        self.layout = Layout(rules, players)
        super().__init__(rules, players, seed, games)
        self.clock = Clock()
        size, both = len(games), (players, len(games))
        first = self.chance.below(players, Purpose.START, 0).astype(np.uint8)
        self.seats: Counts = np.stack([first, 1 - first])  # (places, games) who sits
        # The deck in order, (cards, games); those seen so far
        self.deck: Counts = np.zeros((self.layout.size, size), dtype=np.uint8)
        self.seen: Masks = np.zeros(size, dtype=np.uint64)
        self.explore: Masks = np.zeros(size, dtype=np.uint64)
        # Libraries, (places, games): cards, and the power of each element, a byte each
        self.libraries: Masks = np.zeros(both, dtype=np.uint64)
        self.power: Masks = np.zeros(both, dtype=np.uint64)
        self.turned: Masks = np.zeros(size, dtype=np.uint64)  # of both libraries
        # Spells, (places, games): in hand, sealed, under contract until revealed, then
        self.spells: Masks = np.full(both, ALL_SPELLS)
        self.sealed: Masks = np.zeros(both, dtype=np.uint64)
        self.secret: Masks = np.zeros(both, dtype=np.uint64)
        self.revealed: Masks = np.zeros(both, dtype=np.uint64)
        # This turn's, (games,)
        self.free: Masks = np.full(size, masks.ANYTHING)  # nothing once a spell is cast
        self.card: Masks = np.zeros(size, dtype=np.uint64)  # just acquired
        # The spell being cast, (games,); nothing to process where it is countered
        self.announced: Counts = np.full(size, NO_SPELL)
        self.spell: Counts = np.full(size, NO_SPELL)  # to be processed
        self.upper: Flags = np.zeros(size, dtype=np.bool_)  # its level
        self.by_contract: Flags = np.zeros(size, dtype=np.bool_)
        self.flipped: Masks = np.zeros(size, dtype=np.uint64)  # cards, by this spell
        self.targets: Counts = np.zeros(size, dtype=np.uint8)  # what it did, so far

    @property
    def insight(self) -> int:
        """The number with which X of an Insight card acquired now is compared."""
        clock = self.clock
        pick = clock.turn + 1 + clock.late
        basis = {"turn": clock.turn + 1, "pick_order": pick, "round": clock.round + 1}
        return basis[self.rules.insight_basis]

    @property
    def hands(self) -> Masks:
        """(seats, games) spells in hand, by seat."""
        return self.by_seat(self.spells)

    def ids(self, kind: Decision, seat: int, row: int) -> Sequence[str]:
        """The id of every option bit; library cards are named as they lie."""
        ids, layout = super().ids(kind, seat, row), self.layout
        if kind.vocabulary != "lying":
            return ids
        named, turned = list(ids), int(self.turned[row])
        for card in masks.members(self.libraries[0, row] | self.libraries[1, row]):
            name = (layout.turned_ids if turned >> card & 1 else layout.lying_ids)[card]
            place = int(self.libraries[1, row]) >> card & 1
            whose = f"{self.seats[place, row]}:" if kind.name == "flip" else ""
            named[card] = whose + name
        return named

    def tell(self, table: Table, name: str, rows: Rows, place: int, **of: Any) -> None:
        """Announce an event in these rows, with the seat at a place, and the time."""
        seat, when = self.seats[place].take(rows), self.clock.labels()
        table.emit(self, name, rows=rows, seat=seat, **when, **of)

    def by_seat(self, field: NDArray[Any]) -> NDArray[Any]:
        """(seats, games) of a field by place."""
        return np.where(self.seats[0] == 0, field, field[::-1])

    def conserved(self) -> dict[str, NDArray[Any]]:
        """(games,) cards in two places, or counted wrongly; 0 unless there is a bug."""
        one, other = self.libraries
        twice = one & other | (one | other) & self.explore
        twice |= (one | other | self.explore) & ~self.seen
        places = self.spells, self.sealed, self.secret, self.revealed
        spells = [*zip(*places, strict=True)]
        held = [masks.count(np.stack(places)).sum(axis=0) for places in spells]
        lone = [masks.count(masks.join(places)) for places in spells]
        chosen = self.clock.phase is not Phase.ELEMENT
        counted = ~(self.card & self.layout.turbidity) | chosen * masks.ANYTHING
        power = np.zeros_like(self.power)
        for card in map(masks.bit, range(self.layout.size)):
            lies = self.libraries & counted & card
            power += self.power_lying(lies, self.turned & lies)
        return {
            "cards in two places": masks.count(twice),
            "spells in two places": np.stack(held) - np.stack(lone),
            "miscounted power": power - self.power,
        }

    def shuffle(self) -> None:
        """Shuffle the deck, and seal a random spell of each seat."""
        order = self.chance.shuffle(range(self.layout.size), Purpose.DEAL, 0)
        self.deck[:] = order
        number = [self.chance.below(5, Purpose.DEAL, _SEALS + seat) for seat in (0, 1)]
        self.sealed[:] = self.by_seat(masks.ONE << np.stack(number))  # its own inverse
        self.spells ^= self.sealed

    def castable(self, place: int) -> Masks:
        """(games,) spells that may be cast from the hand, and the contract."""
        power = self.power[place]
        legal: Masks = self.layout.castable.take(self.layout.reached(power, LOWER))
        legal &= self.spells[place]
        if self.clock.round >= self.rules.contract_after_round:
            ready = (self.secret[place] & ~HASTUR_CARD) != masks.NOTHING
            legal |= masks.where(ready, CONTRACT)
        return legal

    def power_of(self, place: int, rows: Rows, spell: Counts) -> Counts:
        """(rows,) a library's power in the element of a spell."""
        power = self.power[place].take(rows) >> self.layout.byte_of.take(spell)
        return power.astype(np.uint8)

    def led(self, place: int) -> Counts:
        """(games,) the number of elements in which a library has more power."""
        return masks.count(greater(self.power[place], self.power[1 - place]))

    def lead(self, place: int) -> NDArray[np.int8]:
        """(games,) the number of elements led, less those that the other leads."""
        return self.led(place).view(np.int8) - self.led(1 - place).view(np.int8)

    def casting(self, spell: Counts | np.uint8) -> Rows:
        """Rows in which this spell is to be processed."""
        return np.flatnonzero(self.spell == spell)

    def turn(self, rows: Rows, card: Masks) -> None:
        """Turn a card of either library, one or none in each row."""
        before = self.turned.take(rows)
        after = before ^ card
        gain = self.power_lying(card, after) - self.power_lying(card, before)
        for library, power in zip(self.libraries, self.power, strict=True):
            here = (library.take(rows) & card) != masks.NOTHING
            power[rows] += masks.where(here, gain)
        self.turned[rows] = after

    def power_lying(self, card: Masks, turned: Masks) -> Masks:
        """(rows,) the power of a lone card, given which cards are turned; of none 0."""
        number = masks.index(card)
        number += np.int64(64) * ((card & turned) != masks.NOTHING)
        power: Masks = self.layout.power.take(number, mode="clip")
        power &= masks.from_flags(card != masks.NOTHING)
        return power
