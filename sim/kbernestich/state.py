"""The state of a batch of games of Kbernestich: arrays, one row per game.

Fields are ``(games,)`` or ``(seats, games)``. All rows share the clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Purpose, Seed
from sim.events import Decision
from sim.kbernestich.layout import DOWN, Layout
from sim.kbernestich.rules import Kbernestich
from sim.kbernestich.values import Points, Values, points, weigh
from sim.masks import Counts, Flags, Masks
from sim.trick_state import TrickState

NOBODY = np.uint8(255)
ANY = np.iinfo(np.int16).max  # more points than all cards together


class Phase(IntEnum):
    """The phases: what comes next."""

    DEAL = 0
    TRUMP = 1
    CLAIM = 2
    PLOT = 3
    REVIEW = 4
    PLAY = 5
    LATE = 6
    TRICK = 7
    SCORE = 8
    END = 9
    OVER = 10


@dataclass
class Clock:
    """Round, trick, turn and cube, all counted from 0, and the phase that comes next.

    ``turn`` is a place in playing order; ``late`` counts how often observers have been
    asked again in this trick.
    """

    phase: Phase = Phase.DEAL
    round: int = 0
    trick: int = 0
    turn: int = 0
    cube: int = 0
    late: int = 0
    cubes: int = 1  # of a plot turn, at most

    @property
    def tick(self) -> int:
        """A number unique to this moment, as the counter of random numbers."""
        moment = _TICKS[self.phase] + self.turn + self.late
        if self.phase is Phase.PLOT or self.phase is Phase.REVIEW:
            moment += self.turn * (self.cubes - 1) + self.cube
        return (self.round * 17 + self.trick) * 64 + moment

    def labels(self) -> dict[str, int]:
        """Round, and from its plot phase on the trick, counted from 1."""
        labels = {"round": self.round + 1}
        if Phase.PLOT <= self.phase <= Phase.TRICK:
            labels["trick"] = self.trick + 1
        return labels


# First moment of each phase in a trick; trump and claims use those of the first trick.
# Why so dense: three adjacent moments share one random draw.
_TICKS = dict.fromkeys(Phase, 0) | {
    Phase.CLAIM: 3,
    Phase.PLAY: 8,
    Phase.LATE: 12,
    Phase.PLOT: 21,
    Phase.REVIEW: 42,
}


class State(TrickState):
    """A batch of games of Kbernestich."""

    game_id = "kbernestich"
    row_numbers = (*TrickState.row_numbers, "plotting")

    def __init__(
        self, rules: Kbernestich, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        self.layout = Layout(rules, players)
        super().__init__(rules, players, seed, games)
        self.clock = Clock(cubes=rules.cubes_per_turn)
        size, both = len(games), (players, len(games))
        start = self.chance.below(players, Purpose.START, 0)
        self.start: Counts = start.astype(np.uint8)  # of the round
        self.lead_from(self.start)
        # What the seats have, (seats, games)
        self.score: NDArray[np.uint16] = np.zeros(both, dtype=np.uint16)
        self.arrived: NDArray[np.uint16] = np.zeros(both, dtype=np.uint16)
        self.cubes: Counts = np.full(both, rules.cubes, dtype=np.uint8)  # in hand
        self.supply: Counts = self.cubes.copy()  # when the round began
        self._set_discs()
        # This round's, (seats, games)
        self.placed: Masks = np.zeros(both, dtype=np.uint64)  # squares with a cube
        self.used: Counts = np.zeros(both, dtype=np.uint8)  # areas of one cube each
        self.letters: Counts = np.zeros(both, dtype=np.uint8)  # for second cubes there
        self.won: Masks = np.zeros(both, dtype=np.uint64)  # cards of the tricks won
        self.claims: Masks = np.zeros(both, dtype=np.uint64)  # colours still to set
        # This round's, (games,)
        self.trump: Masks = np.zeros(size, dtype=np.uint64)  # the suit; nothing of none
        self.free: Masks = np.zeros(size, dtype=np.uint64)  # squares not closed to all
        self.rest: Masks = np.zeros(size, dtype=np.uint64)  # cards set aside
        self.automatic: Masks = np.zeros(size, dtype=np.uint64)  # colours worth 1
        self.incubator: Counts = np.full(size, NOBODY)  # who may still incubate
        self.observer: Counts = np.full(size, NOBODY)  # who may still observe
        self.observations: Counts = np.zeros(size, dtype=np.uint8)  # how often still
        self._values = Values(self.layout)
        # Kept until a cube is placed or, of piles, a trick is won
        self._by_digit: list[Masks] = []
        self._bust: list[Counts] = []
        self._worth: list[Points] = []
        self._targets: list[NDArray[np.uint32]] = []
        self._stakes: list[Points] = []
        # This turn's and this trick's, (games,)
        self.plotting = np.arange(size)  # rows in which this turn goes on
        self.doubling: Masks = np.zeros(size, dtype=np.uint64)  # one cube this turn
        self.reviewing: Flags = np.zeros(size, dtype=np.bool_)
        self.down: Masks = np.zeros(size, dtype=np.uint64)  # cards played face down
        self.behind: Masks = np.zeros(size, dtype=np.uint64)  # places yet to play

    def concatenate(self, others: Sequence[Self]) -> Self:
        """These games followed by those of other states, as one state."""
        for one in (self, *others):
            one.sheet_changed()
        return super().concatenate(others)

    def _set_discs(self) -> None:
        """Setup 4: clockwise from the start player, each later one on top."""
        scores = self.rules.with_players(self.players).start_scores
        for place, score in enumerate(scores):
            at = self.at(self.seat_after(self.start, place))
            self.score.reshape(-1)[at] = score
            self.arrived.reshape(-1)[at] = place

    def ids(self, kind: Decision, seat: int, row: int) -> Sequence[str]:
        """The id of every option bit; cards face down are named by the hand."""
        ids = self.vocabularies[kind.vocabulary]
        if kind.vocabulary != "play":
            return ids
        place = (seat - int(self.leader[row])) % self.players
        hand = [
            self.layout.card_ids[n]
            for n in masks.members(self.hands_by_turn[place, row])
        ]
        down = [f"down-{card}" for card in hand]
        return [*ids[:DOWN], *down, *ids[DOWN + len(down) :]]

    @property
    def position(self) -> int | None:
        """The place whose turn it is; the start player has place 0."""
        if self.clock.phase is Phase.CLAIM or self.clock.phase is Phase.LATE:
            return None
        return self.clock.turn

    @property
    def taken(self) -> Masks:
        """(games,) the cards that the reviewing player takes into the hand."""
        return masks.where(self.reviewing, self.rest)

    def conserved(self) -> dict[str, Counts]:
        """(games,) cards or cubes that are missing or in two places.

        Cubes are counted where a square takes one only: those in hand, on the sheet and
        claiming a colour, less those at the start of the round.
        """
        seen = twice = np.zeros_like(self.rest)
        for part in (*self.hands_by_turn, *self.won, *self.cards, self.down, self.rest):
            twice = twice | seen & part
            seen = seen | part
        if self.clock.phase is not Phase.DEAL:
            twice = twice | self.layout.everything & ~seen
        wrong: dict[str, Counts] = {"cards astray": masks.count(twice)}
        if not (self.rules.two_on_one_square or self.rules.marie_to_shared):
            wrong["cubes"] = self._cubes() - self.supply.sum(axis=0, dtype=np.uint8)
        return wrong

    def _cubes(self) -> Counts:
        """(games,) cubes in hand, on the sheet, and claiming a colour."""
        held = self.cubes + masks.count(self.placed)
        cubes: Counts = held.sum(axis=0, dtype=np.uint8)
        claimed = masks.join([*self.claims, self.automatic])
        on_sheet = self.automatic & self.sheet
        for area in self.layout.from_marie:
            cubes += (claimed & area & ~masks.where((on_sheet & area) != 0, area)) != 0
        return cubes

    @property
    def sheet(self) -> Masks:
        """(games,) the squares with a cube on them."""
        return masks.join(list(self.placed))

    @property
    def by_digit(self) -> list[Masks]:
        """For each binary digit of the points per card, the cards with it, (games,)."""
        if not self._by_digit:
            self._by_digit = self._values.by_digit(self.sheet)
            if self.rules.future_known:
                for suit, area in zip(
                    self.layout.suits, self.layout.from_marie, strict=True
                ):
                    one = (self.automatic & area) != masks.NOTHING
                    self._by_digit[0] |= masks.where(one, suit)
        return self._by_digit

    def sheet_changed(self) -> None:
        """Discard cached values; to be called when the cubes on the sheet change."""
        self._by_digit, self._bust, self._worth, self._targets = [], [], [], []
        self.piles_changed()

    def with_rules_of(self, other: Self) -> Self:
        """These games as they stand, by the rules of another state."""
        games = super().with_rules_of(other)
        games._values = other._values
        games.sheet_changed()
        return games

    def piles_changed(self) -> None:
        """Discard cached stakes; to be called when cards or tricks are won."""
        self._stakes = []

    @property
    def stakes(self) -> list[Points]:
        """The stakes of a trick, (seats, games) each, as the sheet stands.

        The points that the pile can gain without a bust (``ANY`` with Grace), the
        points of the pile that a bust would cost, and what the trick itself adds to the
        bid.
        """
        if self._stakes:
            return self._stakes
        layout, rules, bust = self.layout, self.rules, self.bust.astype(np.int16)
        base = points(self.won, self.by_digit)
        room = bust - base
        base *= room >= 0
        np.putmask(room, (self.placed & layout.grace) != masks.NOTHING, ANY)
        target = self.targets >> self.tricks
        bid = (target > np.uint32(1)).astype(np.int16)
        bid -= (target & np.uint32(1)).astype(np.int16)
        bid *= np.int16(rules.hunch_points)
        none = (self.placed & layout.square("hunch-0")) != masks.NOTHING
        none &= self.tricks == 0
        bid -= none * (bust // np.int16(rules.misery_bonus_divisor))
        self._stakes = [room, base, bid]
        return self._stakes

    @property
    def worth(self) -> Points:
        """(games,) points that all cards together are worth, as the sheet stands."""
        if not self._worth:
            self._worth = [weigh(self.by_digit, self.games.shape)]
        return self._worth[0]

    @property
    def values(self) -> Counts:
        """(suits, games) points per card of each colour, as the sheet stands."""
        return self.values_of(self.sheet, self.automatic)

    def values_of(self, sheet: Masks, automatic: Masks) -> Counts:
        """(suits, rows) points per card, by squares with cubes and colours worth 1."""
        areas = self.layout.areas
        squares = (sheet & areas) >> self.layout.area_at
        values: Counts = self.layout.value_by.take(squares.view(np.int64), mode="clip")
        if self.rules.future_known:
            values |= ((automatic & areas) != masks.NOTHING).view(np.uint8)
        return values

    @property
    def bust(self) -> Counts:
        """(games,) the bust value, as the sheet stands."""
        if not self._bust:
            cubes = self.layout.cut(self.sheet, "zabine")
            self._bust = [self.layout.bust_by.take(cubes, mode="clip")]
        return self._bust[0]

    @property
    def targets(self) -> NDArray[np.uint32]:
        """(seats, games) the ``target`` of each seat's cubes."""
        if not self._targets:
            self._targets = [self.target(self.placed)]
        return self._targets[0]

    def target(self, placed: Masks) -> NDArray[np.uint32]:
        """The numbers of tricks that fulfil the bid in ``placed``: bit t for t tricks.

        Nothing without a bid. Pessimism and Optimism are taken into account.
        """
        layout = self.layout
        bids = layout.target_by.take(layout.cut(placed, "hunch"), mode="clip")
        less = (placed & layout.square("pessimism")) != masks.NOTHING
        more = (placed & layout.square("optimism")) != masks.NOTHING
        return bids | (bids >> np.uint32(1)) * less | (bids << np.uint32(1)) * more

    @property
    def ranks(self) -> Counts:
        """(seats, games) how many are ahead: by score, or lower in the stack."""
        key = self.score.astype(np.int32) * 4096 - self.arrived
        ahead = np.zeros(self.score.shape, dtype=np.uint8)
        for one in range(self.players):
            for other in range(one):
                before = key[one] > key[other]
                ahead[other] += before
                ahead[one] += ~before
        return ahead
