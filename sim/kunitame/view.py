"""What a seat of Kunitame may know.

Public are the table, the gems, how many Devils each player drew, and, once revealed,
the contracts. Hidden are the other hands, the cards set aside, and contracts until
everybody has made theirs.
"""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sim import masks, tricks
from sim.kunitame.layout import Layout
from sim.kunitame.rules import Kunitame
from sim.kunitame.state import Phase, State
from sim.masks import Counts, Mask, Masks
from sim.trick_view import TrickView
from sim.view import CachedField


class KunitameView(TrickView):
    """A seat's view; fields by seat start with this seat and go clockwise."""

    _state: State
    rules: Kunitame
    layout: Layout
    vocabulary_of: ClassVar[Mapping[str, str]] = {  # what the bits of each set are
        "hand": "card",
        "lead": "card",
        "voids": "card",
        "played": "card",
        "winning": "card",
        "cards": "one card",
        "best": "one card",
        "streak": "square",
        "gems_1": "square",
        "gems_3": "square",
        "gems": "square",
        "met_in_round": "square",
    }
    names_of: ClassVar[Mapping[str, str]] = {"place": ""}
    flag_fields = frozenset({"targets"})
    not_observed: ClassVar[Mapping[str, str]] = {"stakes": "contract tells them"}

    @property
    def week(self) -> int:
        """This week, from 1."""
        return self._state.clock.week + 1

    @property
    def round(self) -> int:
        """This round, from 1."""
        return self._state.clock.round + 1

    @property
    def last_week(self) -> bool:
        """Whether this is the last week."""
        return self._state.last_week

    @property
    def at_liquidation(self) -> bool:
        """Whether the tricks of this week are over."""
        return self._state.clock.phase >= Phase.CONTRACTS

    @property
    def turn(self) -> int:
        """The number of cards in this trick, or of players asked before this seat."""
        return self._state.clock.turn

    @CachedField
    def place(self) -> Counts:
        """(rows,) how many places after this week's dealer this seat sits."""
        place = np.asarray(self.seat, dtype=np.uint8) + np.uint8(self.players)
        place = place - self.common(self._state.dealer)
        return place % np.uint8(self.players)

    # Cards

    @CachedField
    def played(self) -> Masks:
        """(rows,) the cards played this week, this trick's included."""
        played = self.common(self._state.played).copy()
        for card in self.cards:
            played |= card
        return played

    @CachedField
    def best(self) -> Masks:
        """(rows,) the card that wins the trick so far; nothing for the leader."""
        if self.turn == 0 or not self.cards:
            return np.zeros_like(self.legal)
        best = tricks.strongest(self.cards, self.lead | self.layout.devils)
        priest = tricks.first(self.cards, self.layout.priests)
        beats = (priest != 0) & ((best == 0) | ((best & self.layout.devils) != 0))
        return masks.blend(beats, priest, best)

    @CachedField
    def winning(self) -> Masks:
        """(rows,) the options that would win the trick as it lies.

        A leader wins with every card. While no suit is led, an Ability card leads.
        """
        if self.turn == 0 or not self.cards:
            return self.legal
        layout, cards, devils = self.layout, self.cards, self.layout.devils
        table = cards[0]
        for card in cards[1:]:
            table = table | card
        # Free cards: no Devil beats a Priest, and the first Priest needs a Devil.
        winning = layout.priests & masks.from_flags((table & devils) != 0)
        winning |= devils
        winning &= masks.from_flags((table & layout.priests) == 0)
        winning |= masks.where(self.lead == 0, layout.ability)
        winning |= self.lead
        # Among those the higher bit wins; any of them where nothing has won so far.
        best = tricks.strongest(cards, self.lead | devils)
        np.maximum(best, masks.ONE, out=best)
        winning &= np.negative(best, out=best)
        winning &= self.legal
        return winning

    # Contracts

    @CachedField
    def stakes(self) -> Masks:
        """(rows,) this seat's contract gems; ``layout.columns`` are those by square."""
        return self.own(self._state.stakes)

    @CachedField
    def contract(self) -> Counts:
        """(contract squares, rows) this seat's Life gems on each square."""
        return np.stack(
            [masks.count(self.stakes & column) for column in self.layout.columns]
        )

    @CachedField
    def targets(self) -> NDArray[np.uint32]:
        """(rows,) bit t is set where a gem lies on "exactly t tricks"."""
        wanted = np.zeros(len(self), dtype=np.uint32)
        for gems, exactly in zip(
            self.contract, self.rules.contract_squares, strict=True
        ):
            wanted |= (gems > 0).astype(np.uint32) << np.uint32(exactly)
        return wanted

    @CachedField
    def contracts(self) -> Counts:
        """(seats, contract squares, rows) everybody's gems, once revealed.

        Before that, only this seat's own.
        """
        stakes = self.each(self._state.stakes)
        if self._state.clock.phase is Phase.CONTRACT:
            stakes[1:] = 0
        return np.stack(
            [masks.count(stakes & column) for column in self.layout.columns], axis=1
        )

    @CachedField
    def devils_drawn(self) -> Counts:
        """(seats, rows) Devil cards drawn this week."""
        if self._state.clock.phase is Phase.CONTRACT:
            return np.zeros((self.players, len(self)), dtype=np.uint8)
        return self.each(self._state.staked)

    # Tricks, gems and lives

    @CachedField
    def tricks(self) -> Counts:
        """(rows,) tricks this seat won this week."""
        return self.own(self._state.tricks)

    @CachedField
    def tricks_of(self) -> Counts:
        """(seats, rows) tricks won this week."""
        return self.each(self._state.tricks)

    @CachedField
    def streak(self) -> Masks:
        """(rows,) squares whose condition all tricks of this seat have met so far."""
        return self.own(self._state.streak)

    @CachedField
    def life(self) -> Counts:
        """(rows,) this seat's Life gems, those on contracts included."""
        return self.own(self._state.life)

    @CachedField
    def lives(self) -> Counts:
        """(seats, rows) Life gems, those on contracts included."""
        return self.each(self._state.life)

    @CachedField
    def points(self) -> Counts:
        """(seats, rows) points in gems."""
        return self.each(self._state.points)

    @CachedField
    def threes(self) -> Counts:
        """(rows,) this seat's 3-point gems."""
        return self.own(self._state.threes)

    @CachedField
    def ones(self) -> Counts:
        """(rows,) this seat's 1-point gems."""
        return self.own(self._state.ones)

    @CachedField
    def gems_1(self) -> Masks:
        """(rows,) squares that hold a 1-point gem."""
        return self.common(self._state.gems_1)

    @CachedField
    def gems_3(self) -> Masks:
        """(rows,) squares that hold a 3-point gem."""
        return self.common(self._state.gems_3)

    @property
    def gems(self) -> Masks:
        """(rows,) squares that hold a gem."""
        return self.gems_1 | self.gems_3

    @property
    def met_in_round(self) -> Mask:
        """The squares whose round condition this round meets."""
        return self.layout.met_in_round[self._state.clock.round]

    # Answers

    def stake(self, square: NDArray[np.int64], gems: NDArray[np.integer]) -> Masks:
        """(rows,) a contract of ``gems`` on one square (its number in the table).

        Capped at the number that may be placed; none where ``gems`` is 0 or less.
        """
        column = np.array(self.layout.columns, dtype=np.uint64)[square]
        size = np.clip(gems, 0, self.most)
        return column & self.layout.fields[size]
