"""The cards as tables that a designer edits, read from ``cards.toml``.

Plain cards are lists of numbers. A deck of another size repeats its list. Numbers of
another distribution are assigned in the order of those listed: the card with the least
keeps the least, so that Strength and Wealth of the Knights stay paired as they were.
"""

from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from sim.parameters import TableRow, tables_of

DECKS = ("maiden", "knight", "treasure")
PILES = ("gullet", "lair", "bed")  # where the cards of each deck come to lie
STATS = (("chastity",), ("strength", "wealth"), ("value",))  # of the cards of each deck
MOST = 99  # of a number on a card

Shape = Literal["listed", "uniform", "low", "high", "middle", "ends"]
Effect = Literal[
    "shuffle_all_discards",
    "discard_rightmost(gullet)",
    "discard_rightmost(lair)",
    "discard_rightmost(bed)",
    "discard_in_play(maiden)",
    "discard_in_play(knight)",
    "swap_rightmost(gullet)",
    "swap_rightmost(lair)",
    "swap_rightmost(bed)",
]


class Stat(TableRow):
    """The distribution of a number over the plain cards, if not as listed."""

    shape: Shape = "listed"
    low: int | None = Field(None, ge=0, le=MOST)
    high: int | None = Field(None, ge=0, le=MOST)

    @model_validator(mode="after")
    def _has_an_effect(self) -> Self:
        """Refuse a range that would have no effect."""
        if self.shape == "listed" and (self.low, self.high) != (None, None):
            raise ValueError(
                "low and high need a shape: uniform, low, high, middle or ends."
            )
        return self

    def of(self, listed: Sequence[int]) -> list[int]:
        """The numbers of these cards, by this distribution."""
        if self.shape == "listed" or not listed:
            return list(listed)
        numbers = _spread(self.shape, *self.range(listed), len(listed))
        order = sorted(range(len(listed)), key=lambda card: (listed[card], card))
        given = dict(zip(order, numbers, strict=True))
        return [given[card] for card in range(len(listed))]

    def range(self, listed: Sequence[int]) -> tuple[int, int]:
        """The least and the highest number that these cards may have."""
        low, high = min(listed, default=0), max(listed, default=0)
        return (
            low if self.low is None else self.low,
            high if self.high is None else self.high,
        )


def _spread(shape: Shape, low: int, high: int, size: int) -> list[int]:
    """Numbers of a shape, in order: its evenly spaced quantiles."""
    steps = high - low + 1
    rising = range(1, steps + 1)
    falling = rising[::-1]
    middle = [min(pair) for pair in zip(rising, falling, strict=True)]
    weights = {
        "uniform": [1] * steps,
        "low": list(falling),
        "high": list(rising),
        "middle": middle,
        "ends": [max(middle) + 1 - weight for weight in middle],
    }[shape]
    total, values = sum(weights), []
    number, below = 0, weights[0]
    for place in range(size):
        while below * 2 * size <= total * (2 * place + 1):
            number += 1
            below += weights[number]
        values.append(low + number)
    return values


class Special(TableRow):
    """A card with a name, and perhaps an action; see ``cards.toml``."""

    name: str = ""  # the id, if not given
    deck: Literal["maiden", "knight", "treasure"]
    copies: int = Field(1, ge=0, le=60)
    chastity: int | None = Field(None, ge=0, le=MOST)
    strength: int | None = Field(None, ge=0, le=MOST)
    wealth: int | None = Field(None, ge=0, le=MOST)
    value: int | None = Field(None, ge=0, le=MOST)
    timing: Literal["action"] = "action"
    use_from: Literal["gullet", "lair", "bed", "in_play"] | None = None  # its own pile
    cost: Literal["discard_self", "none"] = "discard_self"
    effect: Effect | None = None

    @property
    def title(self) -> str:
        """Its name in transcripts."""
        return self.name or self.id

    @property
    def line(self) -> int:
        """The number of its deck."""
        return DECKS.index(self.deck)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Its numbers, as many as the cards of its deck have."""
        return tuple(int(getattr(self, stat)) for stat in STATS[self.line])

    @property
    def place(self) -> str:
        """Where it can be used."""
        return self.use_from or PILES[self.line]

    @model_validator(mode="after")
    def _fits_its_deck(self) -> Self:
        """Refuse numbers that its deck does not have, and places it cannot be in."""
        own = STATS[self.line]
        for stat in (stat for stats in STATS for stat in stats):
            if (getattr(self, stat) is None) == (stat in own):
                wrong = "needs a" if stat in own else "has no"
                raise ValueError(
                    f"a {self.deck} {wrong} {stat}; its numbers: {', '.join(own)}."
                )
        places = [PILES[self.line], *["in_play"] * (self.deck != "treasure")]
        if self.place not in places:
            raise ValueError(
                f"use_from: a {self.deck} is never in {self.place!r}. "
                f"Allowed: {', '.join(places)}."
            )
        if self.effect is None and self.use_from is not None:
            raise ValueError("use_from: there is no effect for which it could be used.")
        return self

    def plain(self) -> dict[str, Any]:
        """Its fields as a transcript writes them."""
        numbers = dict(zip(STATS[self.line], self.numbers, strict=True))
        values: dict[str, Any] = {"name": self.title, "deck": self.deck, **numbers}
        if self.effect is not None:
            values |= {"timing": self.timing, "use_from": self.place}
            values |= {"cost": self.cost, "effect": self.effect}
        return values


def repeat_to(listed: Sequence[Any], size: int | None) -> list[Any]:
    """Repeat a list of cards until there are ``size`` of them."""
    return list(listed) if size is None else list(islice(cycle(listed), size))


def printed_value(key: str) -> Any:
    """A table as ``cards.toml`` has it, lists as tuples."""
    table = tables_of("drake")[key]
    if key == "special":
        return tuple(Special(**row) for row in table)
    return tuple(tuple(one) if isinstance(one, list) else one for one in table)
