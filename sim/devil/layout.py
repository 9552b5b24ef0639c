"""The layout of Devil: its cards as bits, and which fits on which.

Identical copies lie side by side: ranks 1 to 10, the Specials, blank, Onifuda.
Every copy has a bit of its own, so that a card is in one place only. Options are kinds
of card: the lowest copy stands for all identical ones. Bit 63 is the option to draw.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.devil.deck import RANKS
from sim.devil.rules import Devil
from sim.masks import Counts, Mask, Masks

SPECIAL1, SPECIAL4, BLANK, ONI = range(RANKS, RANKS + 4)  # numbers of kinds
KINDS = [*map(str, range(1, RANKS + 1)), "1S", "4S", "blank", "oni"]
DRAW = masks.bit(63)
CONTINUE, END = masks.bit(0), masks.bit(1)
OUT, ENDED, BY_ONI = range(3)  # how a round ends
GOES_ON = np.uint8(255)  # the round goes on
SKIPS = np.uint8(254)  # the round goes on, but the next player loses a turn
ASKED = np.uint8(253)  # a Special was played: its player may declare an end
# How a game is over: by its rules, or by the guard
OVER, BROKEN = np.uint8(252), np.uint8(251)
POINTS, SHARED, GUARD, ROUNDS, TOSSED = range(5)  # how a game is decided


class Layout:
    """The cards of one rule set."""

    def __init__(self, rules: Devil, players: int) -> None:
        rules.check(players)
        self.rules = rules
        deck = rules.cards
        copies = [*deck.normal, deck.special1, deck.special4, deck.blank, deck.onifuda]
        self.kinds: list[Mask] = []  # the copies of each
        first = 0
        for number in copies:
            self.kinds.append(masks.span(first, number))
            first += number
        self.size = first
        self.each_kind: Masks = np.array(self.kinds)[:, None]
        self.deck = range(first)
        self.everything = masks.span(0, first)
        self.kind_of: NDArray[np.int64] = np.zeros(64, dtype=np.int64)
        for kind, cards in enumerate(self.kinds):
            self.kind_of[masks.members(cards)] = kind
        self.specials = self.kinds[SPECIAL1] | self.kinds[SPECIAL4]
        self.first = masks.union(min(masks.members(k)) for k in self.kinds if k)
        self.last = masks.union(max(masks.members(k)) for k in self.kinds if k)
        self.tens, self.oni = self.kinds[RANKS - 1], self.kinds[ONI]
        self.ending: Counts = np.full(64, GOES_ON)  # what follows, by card played
        self.ending[masks.members(self.tens)] = SKIPS
        self.ending[masks.members(self.specials)] = ASKED
        self.ending[masks.members(self.oni)] = BY_ONI
        self.out: Counts = np.where(self.ending == BY_ONI, self.ending, np.uint8(OUT))
        self._lay_fits()
        self._lay_costs()
        self._lay_factors()
        self.ids = [KINDS[self.kind_of[card]] for card in self.deck]
        draws = "draw" if rules.voluntary_draw else "?"
        self.vocabularies: dict[str, Sequence[str]] = {
            "card": self.ids,
            "play": [*self.ids, *["?"] * (63 - first), draws],
            "declare": ["continue", "end"],
            "seat": [str(seat) for seat in range(players)],
            "ending": ["out", "end", "oni"],
            "by": ["points", "shared", "guard", "rounds", "random"],
        }

    def _lay_fits(self) -> None:
        """The cards that may be played on each card, by its number, (64,)."""
        ranks = [*range(1, RANKS + 1), 1, 4]
        self.fits: Masks = np.zeros(64, dtype=np.uint64)
        for card in self.deck:
            top = int(self.kind_of[card])
            fitting = [
                kind
                for kind in range(len(KINDS))
                if _allowed(self.rules.sums_ok, ranks, top, kind)
            ]
            self.fits[card] = sum(int(self.kinds[kind]) for kind in fitting)

    def _lay_costs(self) -> None:
        """Points by card, (64,), and the cards of each binary digit of points."""
        rules = self.rules
        of_kind = [*rules.points, rules.points[0], rules.points[3]]
        of_kind += [rules.blank_points, rules.onifuda_points]
        self.points: NDArray[np.int64] = np.zeros(64, dtype=np.int64)
        for card in self.deck:
            self.points[card] = of_kind[self.kind_of[card]]
        digits = range(int(self.points.max()).bit_length())
        self._digits = [
            masks.union(card for card in self.deck if self.points[card] >> digit & 1)
            for digit in reversed(digits)
        ]

    def _lay_factors(self) -> None:
        """Factors of the hands' costs by end of round and last card, (ends * 64,)."""
        rules = self.rules
        declared4 = 2 if rules.s4_end == "all" else 1
        own = np.full((3, 64), 2, dtype=np.int32)
        others = np.ones((3, 64), dtype=np.int32)
        others[BY_ONI] = 2
        one, four = (masks.members(self.kinds[k]) for k in (SPECIAL1, SPECIAL4))
        others[ENDED, one] = 2
        others[ENDED, four] = declared4
        others[OUT, one] = 4 * (2 if rules.out_special_stacks else 1)
        others[OUT, four] = 2 * (declared4 if rules.out_special_stacks else 1)
        self.own_factor: NDArray[np.int32] = own.reshape(-1)  # of who ends it
        self.others_factor: NDArray[np.int32] = others.reshape(-1)

    def one_of_each(self, cards: Masks) -> Masks:
        """(...,) one copy, the lowest, of each kind of card in a set."""
        return masks.first_of_each(cards, self.first, self.last)

    def count(self, cards: Masks) -> NDArray[np.uint8]:
        """(kinds, rows) how many of each kind are in a set."""
        return masks.count(self.each_kind & cards)

    def points_of(self, hands: Masks) -> NDArray[np.int32]:
        """(...,) the points of the cards of each hand, nothing doubled."""
        points = np.zeros(hands.shape, dtype=np.int32)
        for cards in self._digits:  # the highest digit first
            points += points
            points += masks.count(hands & cards)
        return points

    def cost(self, hands: Masks) -> NDArray[np.int32]:
        """(...,) the cost of each hand: "For every Special card ... doubled"."""
        specials = masks.count(hands & self.specials).astype(np.int32)
        return self.points_of(hands) << specials


def _allowed(sums_ok: Sequence[int], ranks: Sequence[int], top: int, kind: int) -> bool:
    """Whether a card of this kind may be played on one of the other."""
    if kind == ONI:
        return True  # "may follow any card"
    special = {SPECIAL1, SPECIAL4}
    if kind == BLANK or top in {BLANK, ONI}:  # "any card, except for Special cards"
        return not special & {kind, top}
    return (ranks[top] + ranks[kind]) % 10 in sums_ok
