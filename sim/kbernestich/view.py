"""What a seat of Kbernestich may know.

Public are the sheet, the scores, the cubes, the trick on the table and, without
Their Memories, the cards that everybody won. Hidden are the other hands, the cards
set aside (but for who put them back), and cards face down until the trick is over.
"""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sim import masks, tricks
from sim.kbernestich.layout import DOWN, OBSERVE, PASS, Layout
from sim.kbernestich.play import winning_card, winning_suit
from sim.kbernestich.rules import Kbernestich
from sim.kbernestich.state import State
from sim.kbernestich.values import Points
from sim.masks import Counts, Flags, Mask, Masks
from sim.trick_view import TrickView
from sim.view import CachedField


class KbernestichView(TrickView):
    """A seat's view; fields by seat start with this seat and go clockwise."""

    _state: State
    rules: Kbernestich
    layout: Layout
    vocabulary_of: ClassVar[Mapping[str, str]] = {  # what the bits of each set are
        "hand": "card",
        "lead": "card",
        "voids": "card",
        "trump": "card",
        "played": "card",
        "won": "card",
        "pile": "card",
        "put_back": "card",
        "best": "one card",
        "winning": "card",
        "cards": "one card",
        "face_up": "card",
        "placed": "square",
        "sheet": "square",
        "free": "square",
        "mine": "square",
        "by_digit": "card",
    }
    flag_fields = frozenset({"target"})

    @CachedField
    def _places(self) -> NDArray[np.int64]:
        """The flat indices of all seats' values; few calls, as rows are often few."""
        games = len(self._state.games)
        size = self.players * games
        place = (self._at + np.arange(0, size, games)[:, None]).view(np.uint64)
        # The remainder: below 0 wraps to large
        np.minimum(place, place - np.uint64(size), out=place)
        return place.view(np.int64)

    @property
    def round(self) -> int:
        """This round, from 1."""
        return self._state.clock.round + 1

    @property
    def last_round(self) -> bool:
        """Whether this is the last round."""
        return self.round == self.rules.rounds

    @property
    def trick(self) -> int:
        """This trick, or the one after this plot phase, from 1."""
        return self._state.clock.trick + 1

    @property
    def tricks_left(self) -> int:
        """The tricks of the round that are still to be won, this one included."""
        return self.rules.tricks - self._state.clock.trick

    @property
    def plots_left(self) -> int:
        """The plot phases of the round that follow this trick's."""
        return max(self.rules.plot_before_tricks - self.trick, 0)

    @property
    def turn(self) -> int:
        """How many players play before this seat."""
        return self._state.clock.turn

    @property
    def late(self) -> bool:
        """Whether this is a turn after an observation."""
        return self.kind.name == "play" and self._state.clock.phase.name == "LATE"

    @property
    def last_to_play(self) -> bool:
        """Whether nobody but observers plays after this seat."""
        return self.late or self.turn == self.players - 1

    # Cards

    @CachedField
    def face_up(self) -> Masks:
        """(rows,) the options that play a card face up."""
        return self.legal & self.layout.everything

    @CachedField
    def can_incubate(self) -> Flags:
        """(rows,) whether a card may be played face down."""
        return (self.legal & masks.span(DOWN, 12)) != masks.NOTHING

    @CachedField
    def can_observe(self) -> Flags:
        """(rows,) whether this seat may skip its turn and play last."""
        return (self.legal & OBSERVE) != masks.NOTHING

    @CachedField
    def trump(self) -> Masks:
        """(rows,) the trump suit, as a mask; nothing where there is no trump."""
        return self.common(self._state.trump)

    @CachedField
    def won(self) -> Masks:
        """(seats, rows) cards of tricks won; with Their Memories this seat's only."""
        won = self.each(self._state.won)
        if self.rules.memories:
            won[1:] = 0
        return won

    @CachedField
    def pile(self) -> Masks:
        """(rows,) the cards of the tricks that this seat won."""
        return self.own(self._state.won)

    @CachedField
    def put_back(self) -> Masks:
        """(rows,) the cards set aside, if this seat put them back by Review."""
        mine = (self.mine & self.layout.square("review")) != masks.NOTHING
        return masks.where(mine, self.common(self._state.rest))

    @CachedField
    def played(self) -> Masks:
        """(rows,) cards known to be played this round, this trick's included."""
        played: Masks = np.bitwise_or.reduce(self.won, axis=0)
        for card in self.cards:
            played |= card
        return played

    @CachedField
    def best(self) -> Masks:
        """(rows,) the card that wins the trick so far; nothing where none does."""
        if not self.cards:
            return np.zeros_like(self.legal)
        return winning_card(self.cards, self.trump, self.lead)

    @CachedField
    def winning(self) -> Masks:
        """(rows,) the cards to play face up that would win the trick as it lies.

        A leader wins with every card.
        """
        if not self.cards:
            return self.face_up
        suit = winning_suit(self.cards, self.trump, self.lead)
        best = tricks.strongest(self.cards, suit)
        winning = np.negative(best)
        winning ^= best
        winning &= suit  # the higher bits of that suit
        np.invert(suit, out=suit)
        suit &= self.trump  # all of it, if nobody played any
        winning |= suit
        if len(self._state.unled):
            winning |= masks.from_flags(self.lead == masks.NOTHING)
        winning &= self.face_up
        return winning

    # The sheet

    @CachedField
    def placed(self) -> Masks:
        """(seats, rows) squares with a cube of each seat."""
        return self.each(self._state.placed)

    @CachedField
    def mine(self) -> Masks:
        """(rows,) squares with a cube of this seat."""
        return self.own(self._state.placed)

    @CachedField
    def sheet(self) -> Masks:
        """(rows,) squares with a cube on them."""
        return self.common(self._state.sheet)

    @CachedField
    def free(self) -> Masks:
        """(rows,) squares that are not closed to everybody."""
        return self.common(self._state.free)

    @CachedField
    def cubes(self) -> Counts:
        """(rows,) cubes in this seat's hand."""
        return self.own(self._state.cubes)

    @CachedField
    def supply(self) -> Counts:
        """(rows,) cubes that this seat may still place, including that of a claim."""
        claimed = self.own(self._state.claims) != masks.NOTHING
        return self.cubes + claimed.view(np.uint8)

    @CachedField
    def cubes_of(self) -> Counts:
        """(seats, rows) cubes in hand."""
        return self.each(self._state.cubes)

    @CachedField
    def values(self) -> Counts:
        """(suits, rows) points per card of each colour, as the sheet stands."""
        return self._state.values_of(self.sheet, self.common(self._state.automatic))

    @CachedField
    def by_digit(self) -> list[Masks]:
        """For each binary digit of the points per card, the cards with it, (rows,)."""
        return [self.common(cards) for cards in self._state.by_digit]

    @CachedField
    def bust(self) -> Counts:
        """(rows,) the bust value, as the sheet stands."""
        return self.common(self._state.bust)

    @CachedField
    def worth(self) -> Points:
        """(rows,) points that all cards together are worth, as the sheet stands."""
        return self.common(self._state.worth)

    @CachedField
    def graced(self) -> Flags:
        """(rows,) whether this seat has a cube on Hannah's Grace."""
        return (self.mine & self.layout.grace) != masks.NOTHING

    @CachedField
    def target(self) -> NDArray[np.uint32]:
        """(rows,) the numbers of tricks this seat bid: bit t for t; 0 without a bid.

        Pessimism and Optimism of this seat are taken into account.
        """
        return self.own(self._state.targets)

    # What a trick is worth to this seat

    @CachedField
    def room(self) -> Points:
        """(rows,) points that the pile can gain without a bust; ``ANY`` with Grace."""
        return self.own(self._state.stakes[0])

    @CachedField
    def at_stake(self) -> Points:
        """(rows,) points of the pile that a bust would cost, if it has not busted."""
        return self.own(self._state.stakes[1])

    @CachedField
    def bid_gain(self) -> Points:
        """(rows,) points that one more trick adds to the bid; below 0 if it costs."""
        return self.own(self._state.stakes[2])

    # Scores and tricks

    @CachedField
    def scores(self) -> NDArray[np.uint16]:
        """(seats, rows) scores."""
        return self.each(self._state.score)

    @CachedField
    def rank(self) -> Counts:
        """(rows,) how many players are ahead of this seat."""
        return self.own(self._state.ranks)

    @CachedField
    def tricks(self) -> Counts:
        """(rows,) tricks this seat won this round."""
        return self.own(self._state.tricks)

    @CachedField
    def tricks_of(self) -> Counts:
        """(seats, rows) tricks won this round."""
        return self.each(self._state.tricks)

    # Answers

    def face_down(self, card: Masks) -> Masks:
        """(rows,) the option that plays this card of the hand face down."""
        lower = self.hand & (card - masks.ONE)
        place = masks.count(lower).astype(np.uint64) + np.uint64(DOWN)
        return masks.ONE << place

    def square(self, name: str) -> Mask:
        """The squares of an id, such as ``hunch-3``; ``pass`` is one too."""
        return PASS if name == "pass" else self.layout.square(name)
