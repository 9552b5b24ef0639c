"""The layout of Article II: its cards as bits.

Identical copies lie side by side and share an id; bit 63 is ``none``, the option
to do nothing. Sets of cards by what they do are masks.

The traits of a player, by Style or as a Candidate, are one small number: how often raw
Affiliation counts (0, 1 or 2), and above that a bit for every other effect.
"""

from collections.abc import Iterable, Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii.cards import Effect
from sim.article_ii.rules import ArticleII
from sim.masks import Mask, Masks

NONE = masks.bit(63)
CHANGES = ("placed", "removed")
PHASES = ("primary", "general")
ENDS = (
    "total",
    "electability",
    "shared",
    "spoiler",
    "spoiler-shared",
    "none",
    "guard",
)
ONCE, TIMES = 1, 3  # the traits without a Style; the bits for how often
TRAITS = {
    "halved": 1 << 2,
    "scrupulous": 1 << 3,
    "two-cards": 1 << 4,
    "reacts": 1 << 5,
    "slings": 1 << 6,
    "necromancy": 1 << 7,
    "zeroes": 1 << 8,
    "stays": 1 << 9,
    "independent": 1 << 10,
    "sheds": 1 << 11,
}
CANDIDATE = 1 << 12
CONTENDS = CANDIDATE | TRAITS["stays"]
Traits = NDArray[np.int16]


class Layout:
    """The cards of one rule set and number of players."""

    def __init__(self, rules: ArticleII, players: int) -> None:
        rules.check(players)
        self.rules = rules
        self.players = players
        self.cards = [card for card in rules.cards for _ in range(card.copies)]
        self.size = len(self.cards)
        self.everything = masks.span(0, self.size)
        self.marks = self._where("mark")
        self.styles = self._where("style")
        self.lies = self.marks | self.styles
        self.draws = self._where("draw")
        self.removes = self._where("remove")
        ids = [card.id for card in self.cards]
        self.first = masks.union(
            [63, *(n for n in range(self.size) if ids[n] not in ids[:n])]
        )
        self.last = masks.union(
            [63, *(n for n in range(self.size) if ids[n] not in ids[n + 1 :])]
        )
        self.electability = self._numbers(card.electability for card in self.cards)
        self.affiliation = self._numbers(card.affiliation for card in self.cards)
        self.drawn = self._numbers(card.draw for card in self.cards)
        self.lowers = masks.union(  # Affiliation
            n for n, card in enumerate(self.cards) if card.affiliation < 0
        )
        self.lowers &= self.marks
        self.effects = {name: self._style(name) for name in get_args(Effect)}
        self.traits = self._traits()
        seats = [str(seat) for seat in range(players)]
        self.seats = masks.span(0, players)
        self.vocabularies: dict[str, Sequence[str]] = {
            "phase": PHASES,
            "card": ids,
            "option": [*ids, *["?"] * (63 - self.size), "none"],
            "seat": seats,
            "by": ENDS,
            "change": CHANGES,
        }

    def _where(self, kind: str) -> Mask:
        return masks.union(n for n, card in enumerate(self.cards) if card.kind == kind)

    def _numbers(self, values: Iterable[int]) -> NDArray[np.int16]:
        """(64,) a value of each card, by card number."""
        table = np.zeros(64, dtype=np.int16)
        table[: self.size] = list(values)
        return table

    def _style(self, effect: Effect) -> Mask:
        having = {style.id for style in self.rules.styles if effect in style.effects}
        return self.styles & masks.union(
            n for n, card in enumerate(self.cards) if card.id in having
        )

    def _traits(self) -> Traits:
        """(64,) the traits that each Style gives, by card number."""

        def has(effect: Effect) -> bool:
            return bool(self.effects[effect] & masks.bit(number))

        table = np.full(64, ONCE, dtype=np.int16)
        for number in masks.members(self.styles):
            often = 0 if has("zero") else 1 + has("doubled")
            names = (name for name in get_args(Effect) if name in TRAITS and has(name))
            table[number] = often + sum(TRAITS[name] for name in names)
        return table

    def each_once(self, cards: Masks) -> Masks:
        """(rows,) the cards with one only of each id."""
        return masks.first_of_each(cards, self.first, self.last)

    def card(self, name: str) -> Mask:
        """All cards of this id; nothing if the deck has none."""
        return masks.union(n for n, one in enumerate(self.cards) if one.id == name)
