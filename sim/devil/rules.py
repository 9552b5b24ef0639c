"""The parameters of Devil, each with its range, default and source.

Sources: "text" is the rule text of the wiki of Fuda games, with the paragraph; D1 to
D14 are readings of what the text leaves open.
"""

from collections.abc import Iterator
from typing import Any, Literal, Self

from pydantic import model_validator

from sim.devil.deck import RANKS, Deck, printed_value
from sim.parameters import RuleError, Rules, parameter

_MOST_CARDS = 63  # a set of cards, and the option to draw, fit in 64 bits
_MINIMUM = {"base": 180, "440": 440}


class Devil(Rules):
    """The rules of Devil and of its variant 440."""

    deck: Literal["base", "440"] = parameter(
        "base",
        "the deck in play: base_deck, or the ext_deck of variant 440",
        source="text, Extended Deck Variant",
    )
    target: int | None = parameter(
        None,
        "the total that ends the game; not given, the printed minimum: 180, or "
        "440 with deck 440",
        unit="points",
        source="text, Goal; D14",
        ge=1,
        le=100_000,
    )
    hand: int = parameter(
        4, "cards dealt to a player", unit="cards", source="text, The Deal", ge=1, le=20
    )
    points: tuple[int, ...] = parameter(
        printed_value("points"),
        "points in hand of ranks 1 to 10; a Special counts as its rank",
        unit="points",
        items=("Rank {} in hand", "points"),
        source="D1",
        assumed="face value: the text says 'points of the cards' and no more",
    )
    blank_points: int = parameter(
        printed_value("blank_points"),
        "points of a blank in hand",
        unit="points",
        source="text, Extended Deck Variant",
        ge=0,
        le=99,
    )
    onifuda_points: int = parameter(
        printed_value("onifuda_points"),
        "points of an Onifuda in hand",
        unit="points",
        source="D10",
        assumed="as many as a blank: the text does not say",
        ge=0,
        le=99,
    )
    sums_ok: tuple[int, ...] = parameter(
        (5, 9),
        "ones digits of the sum with the top card that allow a card",
        items=("Digit no. {} that allows a card",),
        source="text, Gameplay",
    )
    base_deck: Deck = parameter(
        printed_value("base_deck"),
        "copies of each card of the kabufuda deck",
        source="Kabufuda deck: three normal and one Special of ranks 1 and 4",
    )
    ext_deck: Deck = parameter(
        printed_value("ext_deck"),
        "copies of each card of deck 440",
        source="text, Extended Deck Variant",
    )
    guard: int = parameter(
        20_000,
        "turns after which a round, and the game with it, is broken off",
        unit="turns",
        source="(rounds that end do so within about 1,000; a few never would)",
        ge=1,
        le=60_000,
    )
    out_special_stacks: bool = parameter(
        False,
        "whoever goes out with a Special doubles as by declaring, too",
        source="D2",
    )
    first_card_effect: bool = parameter(
        False,
        "the first card of the discard pile takes effect on the first player",
        source="D3",
    )
    voluntary_draw: bool = parameter(
        False,
        "who can play may draw instead (and must play the card if it fits)",
        source="D4",
    )
    tie: Literal["shared", "most_rounds_won", "random"] = parameter(
        "shared", "who wins of equal least totals", source="D5"
    )
    s4_end: Literal["self_only", "all"] = parameter(
        "self_only", "whose points declaring with a Special 4 doubles", source="D6"
    )
    dealer_tie: Literal["redraw", "special_lower"] = parameter(
        "redraw",
        "equal cards at the draw for the first dealer; either way each seat "
        "is equally likely",
        source="D9",
    )
    first_oni: Literal["reflip", "end_round"] = parameter(
        "reflip",
        "an Onifuda as the first card of the discard pile goes back, or ends the round",
        source="D11",
    )

    @property
    def cards(self) -> Deck:
        """The deck in force."""
        return self.base_deck if self.deck == "base" else self.ext_deck

    @property
    def goal(self) -> int:
        """The total that ends the game."""
        return self.unset()["target"] if self.target is None else self.target

    def unset(self) -> dict[str, int]:
        """The printed minimum of the deck in play."""
        return {"target": _MINIMUM[self.deck]}

    def plain_with(self, players: int) -> dict[str, Any]:
        """Every rule value in force, with the deck in play only."""
        values = self.plain() | {"target": self.goal}
        del values["ext_deck" if self.deck == "base" else "base_deck"]
        return values

    @model_validator(mode="after")
    def _together(self) -> Self:
        """Refuse values that contradict each other."""
        for problem in _problems(self):
            raise ValueError(problem)
        return self

    def check(self, players: int) -> None:
        """Refuse a number of players that is not allowed; raises ``RuleError``."""
        deck, dealt = self.cards, self.hand * players
        back = deck.onifuda if self.first_oni == "reflip" else 0
        if dealt + back + 1 > deck.size:
            most = (deck.size - back - 1) // players
            raise RuleError(
                f"hand: of {deck.size} cards {players} players can be dealt at most "
                f"{most} each, so that a first card is left to flip, not {self.hand}."
            )


def _problems(rules: Devil) -> Iterator[str]:
    if len(rules.points) != RANKS or any(not 0 <= p <= 99 for p in rules.points):
        yield f"points: {RANKS} numbers, 0 to 99 each."
        return
    if any(not 0 <= digit <= 9 for digit in rules.sums_ok):
        yield "sums_ok: ones digits, 0 to 9 each."
    if len(set(rules.sums_ok)) < len(rules.sums_ok):
        yield "sums_ok: each digit once."
    for key in ("base_deck", "ext_deck"):
        deck: Deck = getattr(rules, key)
        if len(deck.normal) != RANKS or any(not 0 <= n <= 40 for n in deck.normal):
            yield f"{key}.normal: {RANKS} numbers of copies, 0 to 40 each."
            return
        if deck is rules.cards and not _cost(rules, deck):
            yield "points: at least one card of the deck must cost points."
        if not 1 <= deck.size <= _MOST_CARDS:
            yield f"{key}: 1 to {_MOST_CARDS} cards in all, not {deck.size}."


def _cost(rules: Devil, deck: Deck) -> int:
    """The points of all cards of a deck together."""
    copies = list(deck.normal)
    copies[0] += deck.special1
    copies[3] += deck.special4
    ranks = sum(n * points for n, points in zip(copies, rules.points, strict=True))
    return ranks + deck.blank * rules.blank_points + deck.onifuda * rules.onifuda_points
