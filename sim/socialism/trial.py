"""An experiment on the deal: what a card is worth in the opening hand.

A random card of each hand is picked, and a coin tossed for each player: with heads they
keep it, with tails it is discarded. In the second game of a pair every coin is turned
over, and all else is the same, so each player once has and once lacks the same card of
the same deal.
"""

from dataclasses import dataclass, field

from sim import masks
from sim.chance import Purpose
from sim.masks import Flags
from sim.socialism.state import State
from sim.table import Table


@dataclass(frozen=True)
class Trial:
    """A coin toss for a card of each hand; ``part`` tells equal experiments apart."""

    part: int = field(compare=False)
    turned: bool | Flags = False  # the second game of a pair; or which games are

    @property
    def title(self) -> str:
        """The experiment in words."""
        return f"a card of the opening hand, {self.part}"

    def __call__(self, state: State, table: Table) -> None:
        """Carry it out on hands that were just dealt."""
        for seat, dealt in enumerate(state.hands):
            draw, toss = (
                state.chance.short_bits(Purpose.TRIAL, 2 * seat + n) for n in (0, 1)
            )
            card = masks.pick(state.layout.each_once(dealt), draw)
            has = ((toss & masks.ONE) != masks.NOTHING) != self.turned
            gone = masks.where(~has, card)
            state.hands[seat] = dealt ^ gone
            state.discards |= gone
            table.emit(state, "trial", seat=seat, card=card, has=has)
