"""The layout of The Virtues of the Drake: card codes, their numbers and words.

The cards of a deck have a line of positions, ``lines[deck]``. The position before it is
the ground: it reads as no card, with numbers by which nothing is ever discarded.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.drake.cards import DECKS, PILES, STATS, Special
from sim.drake.rules import Drake
from sim.masks import Counts, Mask

MAIDEN, KNIGHT, TREASURE = range(3)  # decks, and the piles of their cards
VIRTUES = ("gluttony", "greed", "wrath", "pride")
GLUTTONY, GREED, WRATH, PRIDE = range(4)
OF_PILE = (GLUTTONY, WRATH, GREED)  # the Virtue that wins by each pile
NO_VIRTUE = 4
NO_DECK = 3
CAUSES = ("robbed", "burnt", "cost", "effect")  # of a discard
ENDS = (*PILES, "deck", "stalemate", "guard")
DECK, STALEMATE, GUARD = range(3, 6)  # how a game ends, if not by a pile
GOES_ON = 255  # no end
NO_CARD = 0  # the code of the ground
IN_PLAY = 3  # the place beside the piles
SWALLOW, FIRE, PASS = masks.bit(0), masks.bit(1), masks.bit(2)
_USE = 3  # the bit of the first card action
_BOUNDLESS = 255  # Chastity and Wealth of the ground


@dataclass(frozen=True)
class CardAction:
    """The action of a special card."""

    card: int  # its code
    deck: int
    place: int  # a pile, or IN_PLAY
    option: Mask
    pays: bool  # discards itself first
    effect: str
    where: int  # the pile or deck that the effect is on


class Layout:
    """The cards of one rule set."""

    def __init__(self, rules: Drake, players: int) -> None:
        rules.check(players)
        self.rules = rules
        self.ids: list[str] = [""]  # the word for each code
        self.deck_of: list[int] = [-1]  # the deck of each code
        self.lines: list[slice] = []  # positions of each deck's cards
        self.codes: list[Counts] = []  # of each deck's cards, in the order of the table
        self.kinds: list[Counts] = []  # the different codes of each deck
        self.numbers: dict[str, Counts] = {}  # (codes,) by stat
        self.actions: list[CardAction] = []
        self._lay_lines()
        self.size = self.lines[-1].stop
        ends = [(line.start, line.stop) for line in self.lines]
        bounds = np.array(ends, dtype=np.uint8)  # where lines start and stop
        self.bounds: Counts = bounds.T[:, :, None]  # (2, decks, 1)
        sizes = [1 + len(codes) for codes in self.codes]  # with the ground
        self.deck_at = np.repeat(np.arange(len(sizes)), sizes)  # by position
        self.goals = [line.start + rules.goal for line in self.lines]  # ends of piles
        self.vocabularies: dict[str, Sequence[str]] = {
            "card": self.ids,
            "play": DECKS,
            "act": ["swallow", "fire", "pass", *self._uses()],
            "virtue": [*VIRTUES, "none"],
            "from": [*PILES, "in_play"],
            "cause": CAUSES,
            "shuffler": [*self.ids, *VIRTUES],
            "deck": [*DECKS, "none"],
            "by": ENDS,
            "place": ["first", "second", "third", "fourth"][:players],
            "seat": [str(seat) for seat in range(players)],
        }

    def _lay_lines(self) -> None:
        """Give each deck its positions, and each word of its cards a code."""
        numbers: list[list[tuple[int, ...]]] = [[], [], []]
        start = 0
        for deck, plain in enumerate(self.rules.plain_cards):
            titled = [(_word(deck, one), one) for one in plain]
            for card in self.rules.special:
                if card.line == deck and card.copies:
                    self._add_action(card, len(self.ids) + len(dict(titled)))
                    titled += [(card.title, card.numbers)] * card.copies
            kinds = dict(titled)
            first = {word: len(self.ids) + n for n, word in enumerate(kinds)}
            self.ids += kinds
            self.deck_of += [deck] * len(kinds)
            numbers[deck] = list(kinds.values())
            codes = [first[word] for word, _ in titled]
            self.codes.append(np.array(codes, dtype=np.uint8))
            self.kinds.append(np.unique(self.codes[-1]))
            self.lines.append(slice(start + 1, start + 1 + len(codes)))
            start = self.lines[-1].stop
        self._lay_numbers(numbers)

    def _add_action(self, card: Special, code: int) -> None:
        """Add the action of the card with this code, if it has one."""
        if card.effect is None:
            return
        effect, _, where = card.effect.rstrip(")").partition("(")
        place = IN_PLAY if card.place == "in_play" else card.line
        on = (*DECKS, *PILES).index(where) % len(DECKS) if where else 0
        option = masks.bit(_USE + len(self.actions))
        pays = card.cost == "discard_self"
        self.actions.append(
            CardAction(code, card.line, place, option, pays, effect, on)
        )

    def _lay_numbers(self, numbers: list[list[tuple[int, ...]]]) -> None:
        """Make a table of each stat by code, 0 for cards of other decks."""
        first = 1
        for deck, names in enumerate(STATS):
            for place, name in enumerate(names):
                table = np.zeros(len(self.ids), dtype=np.uint8)
                own = [card[place] for card in numbers[deck]]
                table[first : first + len(own)] = own
                table[NO_CARD] = _BOUNDLESS if name in ("chastity", "wealth") else 0
                self.numbers[name] = table
            first += len(numbers[deck])

    def _uses(self) -> list[str]:
        return [f"use {self.ids[action.card]}" for action in self.actions]

    def number(self, stat: str, cards: NDArray[np.uint8]) -> Counts:
        """(...) a number of these cards (...), given by codes."""
        return self.numbers[stat].take(cards)


def _word(deck: int, numbers: tuple[int, ...]) -> str:
    """The name of a plain card."""
    return "MKT"[deck] + "/".join(map(str, numbers))
