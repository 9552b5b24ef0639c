"""The state that trick-taking games share: hands, who leads, the trick."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.batch_state import BatchState
from sim.chance import Purpose, Rows, Seed
from sim.masks import Counts, Mask, Masks


class TrickState(BatchState):
    """A batch of games of a trick-taking game.

    ``hands_by_turn`` (places, games) are the hands in playing order: place 0 is the
    leader. Why: whoever leads, all rows then play from the same place at the same time.
    ``cards`` are those of this trick, by place, (games,) each; ``lead`` is the suit
    led, as a mask, nothing where none is. ``voids`` (seats, games) are the suits that a
    seat has shown to lack, tracked while ``shows``. The ``layout`` has ``suit_of``
    (64,): the suit that each card, by number, leads.
    """

    row_numbers: ClassVar[tuple[str, ...]] = ("unled",)
    flat_places: ClassVar[Mapping[str, str]] = {"leader_at": "leader"}
    shows = True  # whether voids are tracked

    def __init__(
        self, rules: Any, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        super().__init__(rules, players, seed, games)
        size = len(games)
        self.hands_by_turn: Masks = np.zeros((players, size), dtype=np.uint64)
        self.tricks: Counts = np.zeros((players, size), dtype=np.uint8)  # won, by seat
        self.voids: Masks = np.zeros((players, size), dtype=np.uint64)
        self.lead: Masks = np.zeros(size, dtype=np.uint64)
        self.unled = np.arange(size)  # rows in which no suit is led yet
        self.cards: list[Masks] = []
        self.lead_from(np.zeros(size, dtype=np.uint8))

    @property
    def position(self) -> int | None:
        """The place whose turn it is, if all rows share it; else None."""
        return None

    @property
    def hands(self) -> Masks:
        """(seats, games) the cards in hand, by seat."""
        seats = np.arange(self.players, dtype=np.uint8)[:, None]
        position = (seats + np.uint8(self.players) - self.leader) % np.uint8(
            self.players
        )
        hands: Masks = np.take_along_axis(
            self.hands_by_turn, position.astype(np.int64), axis=0
        )
        return hands

    def lead_from(self, leader: Counts) -> None:
        """Have these seats lead; the hands are dealt, or rotated, separately."""
        self.leader: Counts = leader
        self.leader_at = self.at(leader)  # where the leader's values lie

    def deal(self, deck: Sequence[int], hand: int, counter: int) -> None:
        """Shuffle the deck, and deal ``hand`` cards to each player."""
        piles = (hand,) * self.players
        order = self.chance.shuffle(deck, Purpose.DEAL, counter, piles)
        self.hands_by_turn[:] = 0
        for position in range(self.players):
            for number in order[position * hand : (position + 1) * hand]:
                self.hands_by_turn[position] |= masks.ONE << number.astype(np.uint64)
        self.tricks[:] = 0
        if self.shows:
            self.voids[:] = 0

    def drop_public_history(self) -> None:
        """Stop tracking voids; reading them is an error from now on."""
        if self.shows:
            self.shows = False
            del self.voids

    def concatenate(self, others: Sequence[Self]) -> Self:
        """These games followed by others; voids that some do not track, none does."""
        every = (self, *others)
        if not all(one.shows for one in every):
            for one in every:
                one.drop_public_history()
        return super().concatenate(others)

    def set_lead(self, card: Masks) -> None:
        """Set the suit led, where none is yet and this card has one to lead.

        ``card`` are lone bits, or nothing where no card is seen.
        """
        if len(self.unled) == len(self.lead):
            self.lead = self._suit_of(card)
            self.unled = masks.rows_where(self.lead == masks.NOTHING)
        elif len(self.unled):
            led = self._suit_of(card.take(self.unled))
            self.lead[self.unled] = led
            self.unled = self.unled[led == masks.NOTHING]

    def show_voids(
        self, seat: Counts, card: Masks, free: Mask, rows: Rows | None = None
    ) -> None:
        """Note that players of neither the suit led nor a ``free`` card are void in it.

        seat, card: (games,), or (rows,) of these rows; nothing where no card is seen.
        """
        if not self.shows:
            return
        lead = self.lead if rows is None else self.lead.take(rows)
        shows = (card & (lead | free)) == masks.NOTHING
        shows &= card != masks.NOTHING
        void = shows.nonzero()[0]
        if len(void):
            at = seat.take(void).astype(np.int64) * len(self.games)
            at += void if rows is None else rows.take(void)
            voids = self.voids.reshape(-1)
            voids[at] |= lead.take(void)

    def _suit_of(self, card: Masks) -> Masks:
        """(cards,) the suit that each leads, as a mask; nothing of nothing."""
        led: Masks = self.layout.suit_of.take(masks.index(card), mode="clip")
        led &= masks.from_flags(card != masks.NOTHING)
        return led

    def clear_trick(self) -> None:
        """Clear the cards of the trick off the table."""
        self.lead[:] = 0
        self.unled = self._rows
        self.cards = []

    def lead_next(self, position: Counts) -> None:
        """Have the player at this place lead the next trick, and rotate the hands."""
        self.lead_from(self.seat_after(self.leader, position))
        hands, size = self.hands_by_turn.reshape(-1), np.uint64(self.hands_by_turn.size)
        at = self.at(position).view(np.uint64)
        moved = np.empty_like(self.hands_by_turn)
        for first in range(self.players):
            # "clip" writes to out without a buffer
            hands.take(at.view(np.int64), out=moved[first], mode="clip")
            at += np.uint64(len(self.games))
            np.minimum(at, at - size, out=at)  # the remainder: below 0 wraps to large
        self.hands_by_turn = moved
