"""What a seat of Article II may know.

Public is all that lies on the table, the discard pile, and how many cards the hands
and the deck hold. Hidden are the other hands and the deck.
"""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii.layout import CANDIDATE, CONTENDS, NONE, Layout, Traits
from sim.article_ii.rules import ArticleII
from sim.article_ii.scoring import (
    EffectiveAttributes,
    Numbers,
    effective_attributes,
    general_totals,
)
from sim.article_ii.state import State
from sim.masks import Counts, Flags, Masks
from sim.view import CachedField, Rows, View, seats_around

Fields = tuple[NDArray[np.int16], ...]  # (seats, rows) each


class ArticleIIView(View):
    """A seat's view; fields by seat start with this seat and go clockwise."""

    _state: State
    rules: ArticleII
    layout: Layout
    vocabulary_of: ClassVar[Mapping[str, str]] = {  # what the bits of each set are
        "hand": "card",
        "lying": "card",
        "discard": "card",
        "card": "one card",
        "style": "one card",
        "unseen": "card",
    }
    names_of: ClassVar[Mapping[str, str]] = {"actor": "seat", "victim": "seat"}
    flag_fields = frozenset({"traits"})
    not_observed: ClassVar[Mapping[str, str]] = {
        "attributes": "totals tell them",
        "none": "it is an option",
        "seats": "they are options",
    }

    @property
    def general(self) -> bool:
        """Whether this is the General Election."""
        return self._state.clock.phase == 1

    @property
    def partner(self) -> int | None:
        """With parties, how many places clockwise the partner sits."""
        return self.players // 2 if self.rules.parties else None

    @property
    def turn(self) -> int:
        """The turn of the phase, from 1."""
        return self._state.clock.turn + 1

    @property
    def second(self) -> bool:
        """Whether this is about the second card of a turn."""
        return self._state.clock.second

    # Cards

    @CachedField
    def hand(self) -> Masks:
        """(rows,) the cards in hand."""
        return self.own(self._state.hands)

    @CachedField
    def held(self) -> Counts:
        """(seats, rows) how many cards each hand holds."""
        return masks.count(self.each(self._state.hands))

    @CachedField
    def deck(self) -> Counts:
        """(rows,) how many cards the deck holds."""
        return self.common(self._state.left)

    @CachedField
    def discard(self) -> Masks:
        """(rows,) the discard pile."""
        return self.common(self._state.discard)

    @CachedField
    def lying(self) -> Masks:
        """(seats, rows) the cards that lie on each player."""
        return self.each(self._state.lying)

    @CachedField
    def traits(self) -> Traits:
        """(seats, rows) the traits by Styles and candidacy: see ``Layout``."""
        return self.each(self._state.traits)

    @CachedField
    def style(self) -> Masks:
        """(seats, rows) the Style of each player; nothing where they have none."""
        return self.lying & self.layout.styles

    @CachedField
    def unseen(self) -> Masks:
        """(rows,) the cards in other hands or in the deck."""
        seen = masks.join([self.hand, *self.lying, self.discard, self.card])
        return self.layout.everything & ~seen

    @CachedField
    def card(self) -> Masks:
        """(rows,) the card played that is being resolved; nothing where none is."""
        return self.common(self._state.card)

    # The table

    @CachedField
    def electability(self) -> Numbers:
        """(seats, rows) raw Electability, the sum of the cards."""
        return self.each(self._state.electability)

    @CachedField
    def affiliation(self) -> Numbers:
        """(seats, rows) raw Affiliation, the sum of the cards."""
        return self.each(self._state.affiliation)

    @CachedField
    def candidates(self) -> Flags:
        """(seats, rows) who is a Candidate; nobody in the Primary."""
        flags: Flags = (self.traits & CANDIDATE) != 0
        return flags

    @CachedField
    def contenders(self) -> Flags:
        """(seats, rows) who competes in the General as things stand."""
        flags: Flags = (self.traits & CONTENDS) != 0
        return flags

    @CachedField
    def attributes(self) -> EffectiveAttributes:
        """The attributes with all effects of Styles applied."""
        electability, affiliation = self.electability, self.affiliation
        contends = self._competing(None)
        return effective_attributes(
            self.layout, self.traits, electability, affiliation, contends
        )

    @CachedField
    def primary_totals(self) -> Numbers:
        """(seats, rows) Electability plus Affiliation."""
        return self.attributes.electability + self.attributes.affiliation

    @CachedField
    def general_totals(self) -> Numbers:
        """(seats, rows) Electability less Affiliation, contender or not."""
        return general_totals(
            self.layout, self.traits, self.attributes, self.contenders
        )

    @CachedField
    def totals(self) -> Numbers:
        """(seats, rows) the totals that count in this phase."""
        return self.general_totals if self.general else self.primary_totals

    @CachedField
    def actor(self) -> Counts:
        """(rows,) the player whose turn it is, in places clockwise."""
        seat = self.common(self._state.seat).astype(np.int16) - self.seat
        return (seat % self.players).astype(np.uint8)

    @CachedField
    def victim(self) -> Counts:
        """(rows,) the player whose card is removed, in places clockwise."""
        seat = self.common(self._state.victim).astype(np.int16) - self.seat
        return (seat % self.players).astype(np.uint8)

    @CachedField
    def times(self) -> NDArray[np.int16]:
        """(seats, rows) how often raw Affiliation counts: once, twice, not at all."""
        return self.attributes.times

    def styled(self, traits: Traits, rows: Rows) -> EffectiveAttributes:
        """The attributes in force in these rows if the players had these traits.

        traits, and the result: (seats, hypotheticals, rows), seats as in a view.
        """
        electability = self.electability.take(rows, axis=1)[:, None]
        affiliation = self.affiliation.take(rows, axis=1)[:, None]
        contends = self._competing(rows)
        return effective_attributes(
            self.layout, traits, electability, affiliation, contends
        )

    def _competing(self, rows: Rows | None) -> Flags | None:
        """(seats, rows) the contenders of the General; None where it does not matter.

        With ``rows`` (seats, 1, rows), these only.
        """
        if not self.general or self.rules.greater_evil != "candidates":
            return None
        contends = self.contenders
        return contends if rows is None else contends.take(rows, axis=1)[:, None]

    # A cache of what was computed at the decision before

    def keep(self, by: object, fields: Fields) -> None:
        """Cache what depends on the table alone, (seats, rows) fields, for ``kept``."""
        rows = self._state._rows if self._rows is None else self._rows
        self._state.kept_by()[id(by)] = by, rows, self._at, fields

    def kept(self, by: object) -> Fields | None:
        """What the strategy ``by`` cached when it was asked last; None if outdated.

        It is outdated if the table has changed or other seats are asked.
        """
        entry = self._state.kept_by().get(id(by))
        if entry is None:
            return None
        _, before, at, fields = entry
        rows = self._state._rows if self._rows is None else self._rows
        if len(rows) == len(before) and (at == self._at).all():
            return fields
        here = before.searchsorted(rows)
        if (at.take(here, mode="clip") != self._at).any():
            return None
        return tuple(field.take(here, axis=1) for field in fields)

    # Options

    @property
    def none(self) -> Masks:
        """(rows,) the option to do nothing, where there is one."""
        return self.legal & NONE

    @CachedField
    def seats(self) -> Masks:
        """(seats, rows) all seats as options, this one first."""
        around = seats_around(self.players)
        lone = masks.ONE << around.astype(np.uint64)
        if isinstance(self.seat, int):
            return lone[:, self.seat, None].repeat(len(self), axis=1)
        return lone.take(self.seat, axis=1)

    def player(self, ahead: int) -> Masks:
        """(rows,) the seat that many places clockwise, as an option."""
        return self.seats[ahead]
