"""The parameters of The Virtues of the Drake, each with its range, default and source.

Sources: "text" is the rule text ("The Virtues of the Drake, update II"; for update I
"Updated Rules: Virtues of the Drake" below it); V1 to V10 are the readings of what the
texts leave open.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Literal, Self

import numpy as np
from pydantic import model_validator

from sim.drake.cards import DECKS, MOST, STATS, Special, Stat, printed_value, repeat_to
from sim.parameters import Rules, no_such, one_of, parameter

MOST_CARDS = 60  # of a deck: they are shuffled by six-bit numbers
_LOST = "the post with the cards' numbers is not to be found"
_SIZE = "plain {} in their deck (beyond the list, from its start again)"
_TABLE = "(to vary the table of cards, which is assumed)"
_LISTS = {
    "maiden_chastity": "maidens",
    "knight": "knights",
    "treasure_value": "treasures",
}
_PLAIN = re.compile(r"[MT]\d+|K\d+/\d+")


class Drake(Rules):
    """The rules of The Virtues of the Drake."""

    ruleset: Literal["update_II", "update_I"] = parameter(
        "update_II",
        "which rule text: update II (random start, clockwise, an absent Virtue's win "
        "ends the game), or I (order Pride, Greed, Wrath, Gluttony; an absent Virtue's "
        "first win shuffles all discards back instead)",
        source="text; V1",
    )
    goal: int = parameter(
        7,
        "cards in a pile with which its Virtue wins, the first one included",
        unit="cards",
        source="text; V7",
        ge=2,
        le=MOST_CARDS,
    )
    maiden_chastity: tuple[int, ...] = parameter(
        printed_value("maiden_chastity"),
        "Chastity of each plain Maiden",
        assumed=_LOST,
        items=("Maiden no. {}", "Chastity"),
    )
    knight: tuple[tuple[int, int], ...] = parameter(
        printed_value("knight"),
        "Strength and Wealth of each plain Knight",
        assumed=_LOST,
        items=("Knight no. {}", "Strength", "Wealth"),
    )
    treasure_value: tuple[int, ...] = parameter(
        printed_value("treasure_value"),
        "Value of each plain Treasure",
        assumed=_LOST,
        items=("Treasure no. {}", "Value"),
    )
    maidens: int | None = parameter(
        None, _SIZE.format("Maidens"), unit="cards", source=_TABLE, ge=0, le=MOST_CARDS
    )
    knights: int | None = parameter(
        None, _SIZE.format("Knights"), unit="cards", source=_TABLE, ge=0, le=MOST_CARDS
    )
    treasures: int | None = parameter(
        None,
        _SIZE.format("Treasures"),
        unit="cards",
        source=_TABLE,
        ge=0,
        le=MOST_CARDS,
    )
    stats: tuple[Stat, ...] = parameter(
        tuple(Stat(id=stat) for stats in STATS for stat in stats),
        "how numbers of plain cards lie: as listed, or in a shape from low to high, by "
        "default the least and the highest of the list",
        source=_TABLE,
    )
    special: tuple[Special, ...] = parameter(
        printed_value("special"),
        "cards with a name, and perhaps an action",
        source="text: Sangria All",
        assumed="of Sangria All only the text is known: deck and Value are lost",
    )
    treasure_needs_knight: bool = parameter(
        False, "a Treasure can be played only if a Knight lies in the Lair", source="V3"
    )
    fire_needs_maiden: bool = parameter(
        False, "fire can be breathed only with a Maiden in the Gullet", source="V4"
    )
    must_act: bool = parameter(
        True, "who can swallow or breathe fire must do that or use a card", source="V5"
    )
    exhaust_when: Literal["empty", "draw_from_empty"] = parameter(
        "empty",
        "a deck is exhausted when its last card is turned up, or when a player chooses "
        "it once it is empty",
        source="V6",
    )
    absent_second_win: Literal["wins", "ignored"] = parameter(
        "wins", "under update I, what a second win of an absent Virtue is", source="V2"
    )
    sangria_returns: bool = parameter(
        True,
        "a card that is discarded to shuffle all discards is shuffled back, too",
        source="V8",
    )
    guard: int = parameter(
        500,
        "turns after which a game is broken off",
        unit="turns",
        source="no rule: cards can be written with which a game need not end",
        ge=1,
        le=5_000,
    )

    @property
    def plain_cards(self) -> list[list[tuple[int, ...]]]:
        """The numbers of the plain cards of each deck."""
        stats = {stat.id: stat for stat in self.stats}
        decks = []
        for names, cards in zip(STATS, self.listed(), strict=True):
            columns = [
                stats[name].of([card[place] for card in cards])
                for place, name in enumerate(names)
            ]
            decks.append(list(zip(*columns, strict=True)))
        return decks

    def listed(self) -> list[list[tuple[int, ...]]]:
        """The numbers of the plain cards as listed, before any distribution."""
        return [
            repeat_to([(number,) for number in self.maiden_chastity], self.maidens),
            repeat_to(self.knight, self.knights),
            repeat_to([(number,) for number in self.treasure_value], self.treasures),
        ]

    def sizes(self) -> list[int]:
        """How many cards each deck has, including special ones."""
        plain = [len(cards) for cards in self.plain_cards]
        for card in self.special:
            plain[card.line] += card.copies
        return plain

    def unset(self) -> dict[str, int]:
        """A deck whose size is not set has the cards that are listed."""
        return {size: len(getattr(self, key)) for key, size in _LISTS.items()}

    def plain_with(self, players: int) -> dict[str, Any]:
        """Every rule value in force: the cards as they lie in the decks."""
        values = self.plain()
        for key in (*_LISTS.values(), "stats"):
            values.pop(key, None)
        maidens, knights, treasures = self.plain_cards
        return values | {
            "maiden_chastity": [chastity for (chastity,) in maidens],
            "knight": [list(numbers) for numbers in knights],
            "treasure_value": [value for (value,) in treasures],
            "special": [
                card.plain() for card in self.special for _ in range(card.copies)
            ],
        }

    @model_validator(mode="after")
    def _together(self) -> Self:
        """Refuse values that contradict each other."""
        for problem in _problems(self):
            raise ValueError(problem)
        return self


def _problems(rules: Drake) -> Iterator[str]:
    """Contradictions between values, in words."""
    problems = [*_of_rows(rules), *_of_lists(rules)]
    yield from problems
    if problems:
        return
    yield from _of_ranges(rules)
    yield from _of_names(rules)
    for deck, number in zip(DECKS, rules.sizes(), strict=True):
        if not 2 <= number <= MOST_CARDS:
            yield (
                f"{deck}: a deck has 2 to {MOST_CARDS} cards with the special ones, "
                f"not {number}."
            )


def _of_rows(rules: Drake) -> Iterator[str]:
    """Problems in the rows of stats."""
    stats, known = [stat.id for stat in rules.stats], [*chain(*STATS)]
    for name in stats:
        if name not in known:
            yield f"stats: {no_such('row', name, known, 'Rows')}"
    if stats != known:
        yield f"stats: the rows are {one_of(known)}, not {one_of(stats)}."


def _of_lists(rules: Drake) -> Iterator[str]:
    """Problems in the lists of plain cards."""
    for key, size in _LISTS.items():
        listed = np.array(getattr(rules, key), dtype=np.int64)
        if ((listed < 0) | (listed > MOST)).any():
            yield f"{key}: numbers from 0 to {MOST}."
        if not len(listed) and getattr(rules, size):
            yield f"{size}: {key} lists no card that could be repeated."


def _of_ranges(rules: Drake) -> Iterator[str]:
    """Problems in the ranges of stats, if rows and lists are valid."""
    stats = {stat.id: stat for stat in rules.stats}
    for cards, names in zip(rules.listed(), STATS, strict=True):
        for place, name in enumerate(names):
            low, high = stats[name].range([card[place] for card in cards])
            if low > high:
                yield f"stats.{name}: low ({low}) is above high ({high})."


def _of_names(rules: Drake) -> Iterator[str]:
    titles = [card.title for card in rules.special]
    for card in rules.special:
        if _PLAIN.fullmatch(card.title):
            yield f"special.{card.id}.name: {card.title!r} is the name of plain cards."
        if titles.count(card.title) > 1:
            yield f"special.{card.id}.name: there are two cards named {card.title!r}."
