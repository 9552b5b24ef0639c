"""What a seat of Socialism may know.

Public are the board with all tokens, the Actions in play, the discard pile, how many
cards everybody holds, and which card is being played. Hidden are the other hands and
the draw pile, but for what everybody saw: who took Sloan, and that cards not discarded
before a reshuffle are in hands.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from sim import masks
from sim.masks import Counts, Masks
from sim.socialism.layout import BLOCK, FEATURE, IPO, Layout
from sim.socialism.rules import Socialism
from sim.socialism.state import Numbers, State
from sim.view import CachedField, View, clock_field, state_field


def _lies(kind: int, doc: str) -> Any:
    """Declare a field: before which seats an Action of a kind lies."""

    def flags(view: "SocialismView") -> Any:
        return (view.front & view.layout.kinds[kind]) != 0

    return property(flags, doc=doc)


class SocialismView(View):
    """A seat's view; fields by seat start with this seat, then clockwise.

    Sets of Users have one bit per User: ``layout.users`` says what each one's text
    does.
    """

    _state: State
    rules: Socialism
    layout: Layout
    vocabulary_of: ClassVar[Mapping[str, str]] = {  # what the bits of each set are
        **dict.fromkeys(("hand", "discards", "known", "unseen", "in_hands"), "card"),
        "card": "one card",
        **dict.fromkeys(("board", "mine", "members", "invited", "placed"), "user"),
    }
    names_of: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("inviter", "posts", "user"), "user"),
        **dict.fromkeys(("does", "lies", "lies_here"), ""),
        "active": "seat",
    }
    flag_fields = frozenset({"front", "mode"})
    relations: ClassVar[Mapping[str, str]] = {"friends": "user"}
    not_observed: ClassVar[Mapping[str, str]] = {"links": "friends tell them"}

    turn = clock_field("turn", "The turn, from 1.")

    # --- Cards ---

    hand = state_field("hands", "(rows,) the cards in this seat's hand.", "own")
    known = state_field("known", "(seats, rows) cards seen going to a hand.", "each")
    discards = state_field("discards", "(rows,) the discard pile.")
    card = state_field(
        "card", "(rows,) the card being played, until it lies somewhere."
    )
    does = state_field(
        "does", "(rows,) what it does (``DOES``); a Flattery what it copies."
    )

    @CachedField
    def sizes(self) -> Counts:
        """(seats, rows) how many cards everybody holds."""
        return self.each(masks.count(self._state.hands))

    @CachedField
    def left(self) -> Counts:
        """(rows,) how many cards are in the draw pile."""
        return self.common(masks.count(self._state.pile))

    @CachedField
    def unseen(self) -> Masks:
        """(rows,) cards in the other hands or in the draw pile."""
        hands = masks.join(list(self._state.hands))
        return self.common(hands | self._state.pile) & ~self.hand

    @CachedField
    def in_hands(self) -> Masks:
        """(rows,) the unseen cards that cannot be in the draw pile."""
        known = masks.join(list(self._state.known))
        return self.common(known | self._state.held) & ~self.hand

    # --- The board ---

    board = state_field("board", "(rows,) the Users on the board.")
    members = state_field(
        "tokens", "(seats, rows) the Members of each network.", "each"
    )
    mine = state_field("tokens", "(rows,) this seat's Members.", "own")
    front = state_field(
        "front", "(seats, rows) Actions before each seat, as bits.", "each"
    )
    posts = state_field(
        "post", "(Viral Posts, rows) the User on whom each lies, or lay."
    )

    @CachedField
    def across(self) -> Numbers:
        """(users, rows) the column of each User on the board, from the first one's."""
        return self._state.placed_at(self.common(self._state.lies))[0]

    @CachedField
    def down(self) -> Numbers:
        """(users, rows) the row of each User on the board, from the first one's."""
        return self._state.placed_at(self.common(self._state.lies))[1]

    @CachedField
    def friends(self) -> Masks:
        """(users, rows) the Friends of each User."""
        return self.links.astype(np.uint64)

    links = state_field("friends", "(users, rows) the same in as few bits as will do.")

    @CachedField
    def to_place(self) -> Counts:
        """(seats, rows) tokens that each seat has left."""
        left: Counts = np.uint8(self.rules.tokens) - masks.count(self.members)
        return left

    has_ipo = _lies(IPO, "(seats, rows) before whom an IPO lies.")
    has_feature = _lies(FEATURE, "(seats, rows) before whom a New feature lies.")
    is_blocked = _lies(BLOCK, "(seats, rows) before whom an SMTP Block List lies.")

    @CachedField
    def lies(self) -> Numbers:
        """(seats, rows) what lies before a seat: 1 is an IPO, plus 2 a New feature."""
        return self.has_ipo + 2 * self.has_feature.astype(np.int64)

    @CachedField
    def lies_here(self) -> Numbers:
        """(rows,) what lies before this seat; as ``lies``."""
        front, kinds = self.own(self._state.front), self.layout.kinds
        lies: Numbers = ((front & kinds[FEATURE]) != 0).astype(np.int64)
        lies += lies
        lies |= (front & kinds[IPO]) != 0
        return lies

    # --- This turn ---

    @CachedField
    def active(self) -> Counts:
        """(rows,) the active seat, in places to the left of this one."""
        seats = np.uint8(self.players)
        active = self.common(self._state.seat)
        return (active + seats - np.asarray(self.seat, dtype=np.uint8)) % seats

    @CachedField
    def spot(self) -> Numbers:
        """(2, rows) column and row of the cell to play a User beside."""
        return np.stack(self._state.placed_at(self.common(self._state.spot)))

    placed = state_field("placed", "(rows,) the Users put on the board this turn.")
    user = state_field(
        "user", "(rows,) the User chosen before, as a place or a target."
    )
    mode = state_field(
        "mode", "(rows,) how to invite: 1 auto, 2 spam, 4 personal, 8 block."
    )
    inviter = state_field("inviter", "(rows,) the Member who invites, or blocks.")
    invited = state_field("invited", "(rows,) who was named already.")
