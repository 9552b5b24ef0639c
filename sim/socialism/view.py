"""What a seat of Socialism may know.

Public are the board with all tokens, the Actions in play, the discard pile, how many
cards everybody holds, and which card is being played. Hidden are the other hands and
the draw pile, but for what everybody saw: who took Sloan, and that cards not discarded
before a reshuffle are in hands.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Counts, Flags, Masks
from sim.socialism.layout import BLOCK, FEATURE, IPO, Layout
from sim.socialism.rules import Socialism
from sim.socialism.state import State
from sim.view import View


class SocialismView(View):
    """A seat's view; fields by seat start with this seat, then clockwise.

    Sets of Users have a bit a User: ``box.users`` says what each one's text does.
    """

    _state: State
    vocabulary_of: ClassVar[Mapping[str, str]] = {  # what the bits of each set are
        "hand": "card",
        "discards": "card",
        "known": "card",
        "unseen": "card",
        "in_hands": "card",
        "card": "one card",
        "board": "user",
        "mine": "user",
        "members": "user",
        "invited": "user",
        "placed": "user",
    }

    @property
    def rules(self) -> Socialism:
        """The rules in force."""
        return self._state.rules

    @property
    def layout(self) -> Layout:
        """The cards and Users as bits."""
        return self._state.layout

    @property
    def turn(self) -> int:
        """The turn, from 1."""
        return self._state.clock.turn

    # --- Cards ---

    @cached_property
    def hand(self) -> Masks:
        """(rows,) the cards in this seat's hand."""
        return self.own(self._state.hands)

    @cached_property
    def sizes(self) -> Counts:
        """(seats, rows) how many cards everybody holds."""
        return self.each(masks.count(self._state.hands))

    @cached_property
    def left(self) -> Counts:
        """(rows,) how many cards are in the draw pile."""
        return self.common(masks.count(self._state.pile))

    @cached_property
    def discards(self) -> Masks:
        """(rows,) the discard pile."""
        return self.common(self._state.discards)

    @cached_property
    def known(self) -> Masks:
        """(seats, rows) cards that everybody saw going to a hand."""
        return self.each(self._state.known)

    @cached_property
    def unseen(self) -> Masks:
        """(rows,) cards in the other hands or in the draw pile."""
        hands = masks.join(list(self._state.hands))
        return self.common(hands | self._state.pile) & ~self.hand

    @cached_property
    def in_hands(self) -> Masks:
        """(rows,) of those, the ones that cannot be in the draw pile."""
        known = masks.join(list(self._state.known))
        return self.common(known | self._state.held) & ~self.hand

    @cached_property
    def card(self) -> Masks:
        """(rows,) the card being played, until it lies somewhere."""
        return self.common(self._state.card)

    @cached_property
    def does(self) -> Counts:
        """(rows,) what it does, as ``DOES`` has it: a Flattery what it copies."""
        return self.common(self._state.does)

    # --- The board ---

    @cached_property
    def board(self) -> Masks:
        """(rows,) the Users on the board."""
        return self.common(self._state.board)

    @cached_property
    def friends(self) -> Masks:
        """(users, rows) the Friends of each User."""
        return self.common(self._state.friends).astype(np.uint64)

    @cached_property
    def across(self) -> NDArray[np.int16]:
        """(users, rows) the column of each User on the board."""
        return self.common(self._state.x)

    @cached_property
    def down(self) -> NDArray[np.int16]:
        """(users, rows) the row of each User on the board."""
        return self.common(self._state.y)

    @cached_property
    def members(self) -> Masks:
        """(seats, rows) the Members of each network."""
        return self.each(self._state.tokens)

    @cached_property
    def mine(self) -> Masks:
        """(rows,) this seat's Members."""
        return self.own(self._state.tokens)

    @cached_property
    def to_place(self) -> Counts:
        """(seats, rows) tokens that everybody has left."""
        left: Counts = np.uint8(self.rules.tokens) - masks.count(self.members)
        return left

    @cached_property
    def front(self) -> Masks:
        """(seats, rows) the Actions before each seat, as bits of the box."""
        return self.each(self._state.front)

    @cached_property
    def posts(self) -> Counts:
        """(Viral Posts, rows) the User on whom each token lies, or lay."""
        return self.common(self._state.post)

    @property
    def has_ipo(self) -> Flags:
        """(seats, rows) before whom an IPO lies."""
        return self._lies(IPO)

    @property
    def has_feature(self) -> Flags:
        """(seats, rows) before whom a New feature lies."""
        return self._lies(FEATURE)

    @property
    def is_blocked(self) -> Flags:
        """(seats, rows) before whom an SMTP Block List lies."""
        return self._lies(BLOCK)

    def _lies(self, kind: int) -> Flags:
        flags: Flags = (self.front & self.layout.kinds[kind]) != 0
        return flags

    # --- This turn ---

    @cached_property
    def active(self) -> Counts:
        """(rows,) whose turn it is, in places to the left of this seat."""
        seats = np.uint8(self.players)
        active = self.common(self._state.seat)
        return (active + seats - np.asarray(self.seat, dtype=np.uint8)) % seats

    @cached_property
    def spot(self) -> NDArray[np.int16]:
        """(2, rows) column and row of the cell beside which a User is played."""
        return self.common(self._state.spot)

    @cached_property
    def placed(self) -> Masks:
        """(rows,) the Users put on the board this turn."""
        return self.common(self._state.placed)

    @cached_property
    def user(self) -> Counts:
        """(rows,) the User chosen before: for A/S/L?, or by Jimmy."""
        return self.common(self._state.user)

    @cached_property
    def mode(self) -> Counts:
        """(rows,) the way to invite: 1 auto, 2 spam, 4 personal, 8 block."""
        return self.common(self._state.mode)

    @cached_property
    def inviter(self) -> Counts:
        """(rows,) the Member who invites, or blocks."""
        return self.common(self._state.inviter)

    @cached_property
    def invited(self) -> Masks:
        """(rows,) who was named already."""
        return self.common(self._state.invited)

    @cached_property
    def lies(self) -> NDArray[np.int64]:
        """(seats, rows) what lies before a seat: 1 an IPO, plus 2 a New feature."""
        return self.has_ipo + 2 * self.has_feature.astype(np.int64)
