"""What a seat of Evilpact may know.

Public are the Explore Area, both libraries, and every spell that was shown. Hidden are
the opponent's spells, in hand, sealed and under contract, and the deck to come.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.evilpact.layout import ALL_SPELLS, NO_SPELL, Layout
from sim.evilpact.rules import Evilpact
from sim.evilpact.state import State
from sim.masks import Counts, Flags, Mask, Masks
from sim.view import CachedField, View, clock_field, state_field


class EvilpactView(View):
    """A seat's view; fields by seat start with this seat."""

    _state: State
    rules: Evilpact
    layout: Layout
    vocabulary_of: ClassVar[Mapping[str, str]] = {  # what the bits of each set are
        "explore": "card",
        "library": "lying",
        "unseen": "card",
        "turned": "lying",
        "hand": "spell",
        "sealed": "one spell",
        "contract": "one spell",
        "gone": "spell",
        "revealed": "one spell",
        "card": "one card",
        "triggered": "card",
    }
    names_of: ClassVar[Mapping[str, str]] = {"spell": "spell"}
    not_observed: ClassVar[Mapping[str, str]] = {"icons": "power tells them"}

    round = clock_field("round", "This round, from 1.")
    turn = clock_field("turn", "This turn of the round, from 1.")

    @property
    def late(self) -> bool:
        """Whether a card has already been acquired in this turn."""
        return self._state.clock.late

    @property
    def contracts_made(self) -> bool:
        """Whether the phase of the contracts is over."""
        return self._state.clock.round >= self.rules.contract_after_round

    def _place(self, ahead: int | NDArray[np.int64]) -> NDArray[np.int64]:
        """The index of a seat's value in a flat (places * games) field."""
        games = len(self._state.games)
        rows = np.arange(games) if self._rows is None else self._rows
        place = self.seat ^ self._state.seats[0].take(rows) ^ np.uint8(ahead)
        return place.astype(np.int64) * games + rows

    @CachedField
    def _turn(self) -> int | None:
        """The place of this seat, which is the same in all rows."""
        place = self.seat ^ self.common(self._state.seats[0])
        alike = len(place) and (place == place[0]).all()
        return int(place[0]) if alike else None

    def own(self, field: NDArray[Any]) -> NDArray[Any]:
        """(rows,) this seat's value of a (places, games) field."""
        if self._turn is None:
            return field.reshape(-1).take(self._at)
        return self.common(field[self._turn])

    def each(self, field: NDArray[Any]) -> NDArray[Any]:
        """(seats, rows) a field by seat: this seat first."""
        if self._turn is None:
            return super().each(field)
        return self.common(field)[:: -1 if self._turn else 1]

    # Grimoires

    explore = state_field("explore", "(rows,) the cards in the Explore Area.")
    library = state_field(
        "libraries", "(seats, rows) the cards in the libraries.", "each"
    )
    turned = state_field("turned", "(rows,) sideways, or of the later of two elements.")
    icons = state_field("power", "(seats, rows) the power of all, a byte each.", "each")

    @CachedField
    def starts(self) -> Flags:
        """(rows,) whether this seat starts this round; at a contract, the next."""
        starter = self._state.clock.starter
        place = self.seat ^ self.common(self._state.seats[0])
        starts: Flags = place == starter
        return starts

    @property
    def triggered(self) -> Mask:
        """The Insight cards that lie sideways if acquired now."""
        return self.layout.triggered[self._state.insight]

    @CachedField
    def power(self) -> Counts:
        """(elements, seats, rows) the power of each element."""
        return self.layout.powers(self.icons)

    @CachedField
    def unseen(self) -> Masks:
        """(rows,) the cards in the deck."""
        return self.layout.everything & ~self.common(self._state.seen)

    # Spells

    hand = state_field("spells", "(rows,) the spells in this seat's hand.", "own")
    revealed = state_field(
        "revealed", "(seats, rows) those cast under contract.", "each"
    )

    @CachedField
    def sizes(self) -> Counts:
        """(seats, rows) how many spells everybody holds."""
        return self.each(masks.count(self._state.spells))

    @CachedField
    def sealed(self) -> Masks:
        """(rows,) this seat's sealed spell; nothing where the rules hide it."""
        if not self.rules.sealed_known_to_owner:
            return np.zeros_like(self.legal)
        return self.own(self._state.sealed)

    @CachedField
    def contract(self) -> Masks:
        """(rows,) the spell that this seat has under contract, cast or not."""
        return self.own(self._state.secret) | self.own(self._state.revealed)

    @CachedField
    def face_down(self) -> Flags:
        """(seats, rows) whether each seat has a contract that was not cast."""
        return self.each(self._state.secret != masks.NOTHING)

    @CachedField
    def gone(self) -> Masks:
        """(seats, rows) the spells that are out of the game, or were revealed."""
        state = self._state
        return self.each(ALL_SPELLS & ~(state.spells | state.sealed | state.secret))

    # The spell being cast

    spell = state_field("announced", "(rows,) that spell; NO_SPELL where none is.")

    @CachedField
    def upper(self) -> Flags:
        """(rows,) whether it is at the upper level."""
        return self.common(self._state.upper) & (self.spell != NO_SPELL)

    @CachedField
    def card(self) -> Masks:
        """(rows,) the Turbidity card whose element is to be chosen."""
        if self.kind.name != "element":
            return np.zeros_like(self.legal)
        return self.common(self._state.card)
