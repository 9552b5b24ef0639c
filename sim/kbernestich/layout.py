"""The layout of Kbernestich: its cards and squares as bits.

Cards, low bits to high: blue, red, yellow, green, 2 to the icon each. An option of a
play is a card (bits 0 to 47), ``down`` and the place of a card in the hand, lowest
first (from bit ``DOWN``), or ``observe``. Squares: Letter from Marie colour by colour,
Zabine's Aftermath, Hannah's Grace, Hunch of Growth, Action, Letter to Marie; bit 63
is ``pass``. Identical squares lie side by side, and the lowest is taken first.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kbernestich.rules import RANKS, SUITS, Kbernestich, suits_of
from sim.masks import Mask, Masks

PASS = masks.bit(63)
DOWN = 48  # the first option that plays a card face down
OBSERVE = masks.bit(62)
NO_TRUMP, NO_CLAIM = 4, 4  # the numbers of these options
_EXECUTED = ("incubation", "observation", "review")  # while the round lasts
_RANKS = [*range(2, 13), "I"]
FACE_DOWN = tuple(f"down-{place}" for place in range(1, RANKS + 1))
"""The options that play a card face down, by its place in the hand."""


class Layout:
    """The cards and squares of one rule set and number of players."""

    def __init__(self, rules: Kbernestich, players: int) -> None:
        rules.check(players)
        self.rules = rules
        self.players = players
        self._lay_cards(suits_of(players))
        self._lay_squares(rules)
        self._lay_values(rules)
        unused = ["?"] * (62 - DOWN - RANKS)
        self.vocabularies: dict[str, Sequence[str]] = {
            "card": self.card_ids,
            "play": [*_padded(self.card_ids, DOWN), *FACE_DOWN, *unused, "observe"],
            "square": [*_padded(self.square_ids, 63), "pass"],
            "trump": [*SUITS, "none"],
            "claim": [*SUITS, "pass"],
            "by": ("points", "stack"),
        }

    def _lay_cards(self, suits: str) -> None:
        self.card_ids = [f"{suit}{rank}" for suit in suits for rank in _RANKS]
        self.deck = range(len(self.card_ids))
        self.everything = masks.span(0, len(self.card_ids))
        self.suits = [masks.span(at * RANKS, RANKS) for at in range(len(suits))]
        self.each_suit: Masks = np.array(self.suits, dtype=np.uint64)[:, None]
        self.suit_of: Masks = np.zeros(64, dtype=np.uint64)  # by card number
        for suit in self.suits:
            self.suit_of[masks.members(suit)] = suit
        self.trumps = masks.union([*range(len(suits)), NO_TRUMP])
        self.claims = masks.union([*range(len(suits)), NO_CLAIM])
        self.trump_suit: Masks = np.array(  # by the number of the option
            [*self.suits, *[0] * (NO_TRUMP + 1 - len(suits))], dtype=np.uint64
        )

    def _lay_squares(self, rules: Kbernestich) -> None:
        """Number the squares area by area."""
        printed = rules.with_players(self.players)
        self.letters = sorted(printed.marie_to, reverse=True)
        self.square_ids: list[str] = []
        self.from_marie = [
            self._area(f"from-{suit}-{value}" for value in rules.marie_from)
            for suit in suits_of(self.players)
        ]
        self.zabine = self._area(f"bust-{value}" for value in rules.zabine)
        self.grace = self._area("grace" for _ in range(printed.hannah))
        self.hunch = self._area(f"hunch-{bid}" for bid in rules.hunch)
        self.actions = self._area(rules.actions)
        self.executed = masks.union(
            n for n in masks.members(self.actions) if self.square_ids[n] in _EXECUTED
        )
        self.to_marie = self._area(f"to-{value}" for value in self.letters)
        self.all_squares = masks.span(0, len(self.square_ids))
        ids = self.square_ids
        self._named = {
            name: masks.union(n for n, one in enumerate(ids) if one == name)
            for name in dict.fromkeys(ids)
        }
        # (suits, 1) the areas of Letter from Marie, and the first square of each
        self.areas: Masks = np.array(self.from_marie, dtype=np.uint64)[:, None]
        first = [area * len(rules.marie_from) for area in range(len(self.areas))]
        self.area_at: Masks = np.array(first, dtype=np.uint64)[:, None]
        # (squares, 1) the numbers of those of other areas
        self.places = {
            name: np.array(masks.members(area), dtype=np.int64)[:, None]
            for name, area in (
                ("zabine", self.zabine),
                ("grace", self.grace),
                ("hunch", self.hunch),
                ("to_marie", self.to_marie),
                ("review", self.square("review")),
            )
        }
        # Of an area, its first square, and how many there are as a set of the lowest
        self._cuts = {
            name: (masks.constant(area[0, 0]), masks.constant((1 << len(area)) - 1))
            for name, area in self.places.items()
            if len(area)
        }
        self.alike = masks.union(n for n in range(1, len(ids)) if ids[n] == ids[n - 1])

    def _area(self, ids: Iterable[str]) -> Mask:
        first = len(self.square_ids)
        self.square_ids += ids
        return masks.span(first, len(self.square_ids) - first)

    def square(self, name: str) -> Mask:
        """The squares of this id; nothing if the sheet has none."""
        return self._named.get(name, masks.NOTHING)

    def cut(self, squares: Masks, area: str) -> NDArray[np.int64]:
        """(...,) an area of the sheet as a small number, one bit per square."""
        if area not in self._cuts:
            return np.zeros(squares.shape, dtype=np.int64)
        first, every = self._cuts[area]
        part = squares >> first
        part &= every
        return part.view(np.int64)

    def _lay_values(self, rules: Kbernestich) -> None:
        """Tables of what each square closes, and what it is worth."""
        size = len(self.square_ids)
        self.closes: Masks = np.zeros(64, dtype=np.uint64)  # to everybody
        limited = [self.grace, self.hunch, self.actions]  # one cube a player
        self.uses: NDArray[np.uint8] = np.zeros(64, dtype=np.uint8)  # which of them
        self.barred: Masks = np.array(  # by those used, a bit each
            [
                sum(int(area) for n, area in enumerate(limited) if used >> n & 1)
                for used in range(8)
            ],
            dtype=np.uint64,
        )
        self.points: NDArray[np.uint8] = np.zeros(64, dtype=np.uint8)
        for number in range(size):
            square = masks.bit(number)
            area = next(a for a in self._areas() if a & square)
            one_cube = [*self.from_marie, self.zabine]
            self.closes[number] = area if any(area == a for a in one_cube) else square
            if area in limited:
                self.uses[number] = 1 << limited.index(area)
        if not rules.hunch_exclusive:
            self.closes[masks.members(self.hunch)] = masks.NOTHING
        if rules.marie_to_shared:
            self.closes[masks.members(self.to_marie)] = masks.NOTHING
        self.leaves_free: Masks = ~self.closes
        self.points[masks.members(self.to_marie)] = self.letters
        self.value_by: NDArray[np.uint8] = _by_subset(rules.marie_from, np.uint8)
        self.bust_by: NDArray[np.uint8] = _by_subset(rules.zabine, np.uint8)
        self.bust_by[0] = rules.bust_default
        self.target_by: NDArray[np.uint32] = _by_subset(
            [_met_by(bid) for bid in rules.hunch], np.uint32
        )
        self.refill: NDArray[np.uint8] = np.array(
            [rules.refilled(score) for score in range(1024)], dtype=np.uint8
        )

    def _areas(self) -> list[Mask]:
        rest = [self.zabine, self.grace, self.hunch, self.actions, self.to_marie]
        return [*self.from_marie, *rest]


def _padded(ids: list[str], size: int) -> list[str]:
    return ids + ["?"] * (size - len(ids))


def _by_subset(values: Sequence[int], dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """(subsets,) the value of the square with a cube; 0 where none has one."""
    table: NDArray[Any] = np.zeros(1 << len(values), dtype=dtype)
    for place, value in enumerate(values):
        table[1 << place] = value
    return table


def _met_by(bid: str) -> int:
    """The numbers of tricks that fulfil a bid: bit t for t tricks."""
    number = int(bid.removesuffix("+"))
    if bid.endswith("+"):
        return (1 << 17) - (1 << number)
    return 1 << number
