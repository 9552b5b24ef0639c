"""The layout of Evilpact: grimoires as bits, powers as bytes, spells.

Grimoires, low bits to high: each element's normal and Insight cards, then the Turbidity
cards; identical ones lie side by side. A card in a library is *turned* if it is an
Insight card lying sideways, or a Turbidity card that counts for the later one of its
two elements. The powers of all elements are one number, a byte each (``packed_bytes``).
Bit 63 is the option to pass.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim import masks, packed_bytes
from sim.evilpact.rules import Evilpact
from sim.evilpact.tables import SPELLS
from sim.masks import Counts, Mask, Masks

CTHUGHA, CTHULHU, HASTUR, NYARLATHOTEP, EIHORT, NO_SPELL = (
    np.uint8(number) for number in range(len(SPELLS) + 1)
)
ALL_SPELLS = masks.span(0, len(SPELLS))
CONTRACT, PASS = masks.bit(len(SPELLS)), masks.bit(63)
HASTUR_CARD = masks.bit(int(HASTUR))
LOWER, UPPER = range(2)  # levels of a spell
WON_BY = ("contract", "elements", "hand", "draw")
_EIGHT = masks.constant(8)
_EIHORT_X = 5  # Eihort turns Insight 5 cards only


class Layout:
    """The cards of one rule set."""

    def __init__(self, rules: Evilpact, players: int) -> None:
        rules.check(players)
        self.rules = rules
        self.elements = rules.elements
        self._lay_cards(rules)
        self._lay_powers(rules)
        self._lay_spells(rules)
        self.vocabularies: dict[str, Sequence[str]] = {
            "card": masks.padded_ids(self.card_ids, "pass"),
            "lying": masks.padded_ids(self.lying_ids, "pass"),
            "spell": masks.padded_ids([*SPELLS, "contract"], "pass"),
            "contract": [*SPELLS, "none"],
            "element": self.elements,
            "when": ["before", "after"],
            "source": ["hand", "contract"],
            "seat": [str(seat) for seat in range(players)],
            "by": WON_BY,
        }

    def _lay_cards(self, rules: Evilpact) -> None:
        """Tables by card: ids, elements (upright and turned) and icons; and by X."""
        laid: list[tuple[tuple[str, ...], tuple[int, int], tuple[int, int]]] = []
        self.of_insight: dict[int, Mask] = {}
        for number, name in enumerate(rules.elements):
            both, icons = (number, number), (rules.power_normal, rules.power_normal)
            laid += [((name,) * 3, both, icons)] * rules.normal_per_element
            icons = rules.power_insight_upright, rules.sideways
            for x in sorted(rules.insight_per_element):
                card = masks.bit(len(laid))
                self.of_insight[x] = self.of_insight.get(x, masks.NOTHING) | card
                insight = f"{name}-i{x}"
                laid.append(((insight, insight, f"{insight}+"), both, icons))
        first = len(laid)
        cards, of = [], rules.elements.index  # of the same elements side by side
        for pair, power in zip(rules.turbidity, rules.turbidity_icons, strict=True):
            cards.append((sorted(map(of, pair)), pair, power))
        for (low, high), pair, power in sorted(cards):
            one, other = rules.elements[low], rules.elements[high]
            ids = "/".join(pair), f"{one}/{other}", f"{other}/{one}"
            laid.append((ids, (low, high), (power, power)))
        ids_of, self.elements_of, self.icons_of = zip(*laid, strict=True)
        # Their names in the Explore Area, in a library, and turned
        self.card_ids, self.lying_ids, self.turned_ids = zip(*ids_of, strict=True)
        self.size = len(laid)
        self.everything = masks.span(0, self.size)
        self.turbidity = masks.span(first, self.size - first)
        self.eihort_turns = self.of_insight.get(_EIHORT_X, masks.NOTHING)
        self.market_parts = masks.run_ends(self.card_ids)
        self.library_parts = masks.run_ends(self.lying_ids)

    def _lay_powers(self, rules: Evilpact) -> None:
        """(2 * 64,) the power of each card by number, upright, then turned."""
        self.power: Masks = np.zeros(2 * 64, dtype=np.uint64)
        self.pair_of: Masks = np.zeros(64, dtype=np.uint64)  # elements, of Turbidity
        for card, (elements, icons) in enumerate(
            zip(self.elements_of, self.icons_of, strict=True)
        ):
            for turned in range(2):
                byte = icons[turned] << 8 * elements[turned]
                self.power[turned * 64 + card] = byte
            self.pair_of[card] = masks.union(elements)
        most = max(rules.rounds, rules.market)
        self.triggered: list[Mask] = []  # by turn, pick or round: Insight cards
        self.taken: list[Masks] = []  # the same: (64,) power of a card that is taken
        for moment in range(most + 1):
            cards = masks.union(
                n
                for x in range(moment + 1)
                for n in masks.members(self.of_insight.get(x, masks.NOTHING))
            )
            power = self.power[:64].copy()
            power[masks.members(cards)] = self.power[64:][masks.members(cards)]
            power[masks.members(self.turbidity)] = 0
            self.triggered.append(cards)
            self.taken.append(power)

    def _lay_spells(self, rules: Evilpact) -> None:
        """Tables of the elements of spells, and of the spells of elements."""
        of = [rules.elements.index(name) for _, name in rules.spell_element]
        self.element_of: Counts = np.array([*of, 0], dtype=np.uint8)
        self.byte_of: Masks = np.array([*of, 0], dtype=np.uint64) * _EIGHT
        self.top_bit_of: Masks = np.array([*(0x80 << 8 * n for n in of), 0], np.uint64)
        numbers = np.arange(1 << 8)
        self.spells_of: Masks = np.zeros(1 << 8, dtype=np.uint64)  # by elements
        for spell, element in enumerate(of):
            has = (numbers >> element & 1).astype(np.uint64)
            self.spells_of |= has << np.uint64(spell)
        self.castable = self.spells_of & ~HASTUR_CARD
        self.countered: Masks = np.array(  # (levels,) the spells
            [
                masks.union(n for n, at in enumerate(of) if rules.elements[at] in names)
                for names in rules.countered
            ]
        )
        self.short = [packed_bytes.threshold(needed) for needed in rules.thresholds]

    def each_once(self, cards: Masks) -> Masks:
        """(...,) cards of the Explore Area, the lowest only of identical ones."""
        return masks.first_of_each(cards, *self.market_parts)

    def lying_once(self, cards: Masks, turned: Masks) -> Masks:
        """(...,) cards of a library, the lowest only of identical ones."""
        upright = masks.first_of_each(cards & ~turned, *self.library_parts)
        upright |= masks.first_of_each(cards & turned, *self.library_parts)
        return upright

    def reached(self, power: Masks, level: int) -> NDArray[np.int64]:
        """(...,) the elements with enough power for a level, one bit each."""
        return packed_bytes.at_least(power, self.short[level])

    def powers(self, power: Masks) -> Counts:
        """(elements, ...) the power of each element."""
        return packed_bytes.unpack(power, len(self.elements))
