"""The parameters of Article II, each with its range, default and source.

Sources: "text" is the rule text ("Article II, updated"; the original deck is that of
the post before it); A1 to A19 are readings of what the text leaves open.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import model_validator

from sim.article_ii.cards import PRINTED, Card, Style, printed_cards, styles
from sim.parameters import RuleError, parameter
from sim.parameters.decks import DeckRules

MOST_CARDS = 63  # bit 63 is the option to do nothing
PARTY_PLAYERS = 4


class ArticleII(DeckRules):
    """The rules of Article II."""

    deck: Literal["updated", "original", "custom"] = parameter(
        "updated",
        "the deck: a printed one, or the cards as they were changed",
        source="text: Article II, updated; Article II",
    )
    cards: tuple[Card, ...] = parameter(
        printed_cards("updated"), "the cards of the deck", source="text, Cards"
    )
    styles: tuple[Style, ...] = parameter(
        styles(),
        "what each Style does; a Style without a row does nothing",
        source="text, Candidate Styles and Cards",
    )
    hand: int = parameter(
        7,
        "cards dealt to a player in each phase",
        unit="cards",
        source="text, Play order",
        ge=1,
        le=15,
    )
    guard: int = parameter(
        500,
        "cards played after which a game is broken off",
        unit="cards",
        source="no rule: with many cards that draw a game need not end",
        ge=1,
        le=5000,
    )
    carry_over: bool = parameter(
        True, "cards lying on players stay there for the General", source="A1"
    )
    general_deal: Literal["continue", "reshuffle_all"] = parameter(
        "continue",
        "the General is dealt from what is left, discards only if short; "
        "or from deck and discards shuffled together",
        source="A2, A3",
    )
    primary_tie: Literal["electability_then_random", "random"] = parameter(
        "electability_then_random",
        "of equal Primary totals, who is Candidate: higher "
        "Electability, then chance; or chance",
        source="A4",
    )
    general_tie: Literal["electability_then_shared", "shared"] = parameter(
        "electability_then_shared",
        "of equal General totals, who is President: higher "
        "Electability, then nobody alone; or nobody alone",
        source="A5",
    )
    insider_draw: Literal["if_two", "always"] = parameter(
        "if_two",
        "the Insider draws after playing two cards, or every turn",
        source="A6",
    )
    halve: Literal["floor", "toward_zero", "exact"] = parameter(
        "floor", "half of an odd Electability", source="A7"
    )
    mudslinger_self: bool = parameter(
        True,
        "the Mudslinger's Affiliation counts against its own player too",
        source="A8",
    )
    unaffiliated_draws: Literal["player", "target"] = parameter(
        "player",
        "who draws for Unaffiliated Activity: who plays it, or whom they choose",
        source="A9",
    )
    no_positive_2p: Literal["draw", "highest_total"] = parameter(
        "draw",
        "without a Spoiler and without a positive total nobody wins, or the "
        "highest total",
        source="A10",
    )
    necromancer_target: Literal["max", "min", "chosen"] = parameter(
        "max",
        "of several other contenders, whose Affiliation the Necromancer takes: "
        "the largest, the smallest, or as they choose",
        source="A12",
    )
    teflon_style: bool = parameter(
        True, "the Teflon Wonder may remove the Style itself", source="A14"
    )
    greater_evil: Literal["all", "candidates"] = parameter(
        "all",
        "whose Affiliation the Greater Evil makes zero: all others', or in the "
        "General that of the other contenders only",
        source="A15",
    )
    highlander_fallback: bool = parameter(
        False,
        "a Highlander who lost as contender still counts as Spoiler",
        source="A11",
    )
    spoiler_value: Literal["eff", "raw"] = parameter(
        "eff",
        "by which Electability a Spoiler wins: after the Styles, or before",
        source="A19",
    )
    parties: bool = parameter(
        False,
        "the variation: seats 1 and 3 against 2 and 4, four games a match, and "
        "points for Candidates, the President and the President's party",
        source="text, Variation",
        assumed="the text does not say who sits where: partners sit opposite",
    )

    @model_validator(mode="before")
    @classmethod
    def _of_the_deck(cls, values: Any) -> Any:
        """The cards of a printed deck, where none are given."""
        if isinstance(values, dict) and "cards" not in values:
            deck = values.get("deck", "updated")
            return {
                **values,
                "cards": printed_cards(deck if deck in PRINTED else "updated"),
            }
        return values

    @staticmethod
    def printed_tables(deck: str) -> Mapping[str, Any]:
        """The cards of a printed deck."""
        return {"cards": printed_cards(deck)} if deck in PRINTED else {}

    def problems(self) -> Iterator[str]:
        """Contradictions between values, in words."""
        yield from super().problems()
        yield from _problems(self)

    def plain_with(self, players: int) -> dict[str, Any]:
        """Every rule value in force; the cards by id."""
        values = super().plain_with(players)
        values["cards"] = {row.pop("id"): row for row in values["cards"]}
        return values

    def check(self, players: int) -> None:
        """Refuse a number of players that is not allowed; raises ``RuleError``."""
        if self.parties and players != PARTY_PLAYERS:
            raise RuleError(f"parties: two parties need 4 players, not {players}.")

    def shortages(self, players: int) -> list[str]:
        """Where the deck does not last."""
        size, need = sum(card.copies for card in self.cards), self.hand * players
        if size < need:
            return [f"the Primary needs {need} cards, and the deck has {size}."]
        if self.general_deal == "continue" and size < 2 * need:
            return [
                f"both phases need {2 * need} cards, and the deck has {size}: the "
                "General is dealt with discards, and hands may be short."
            ]
        return []


def _problems(rules: ArticleII) -> Iterator[str]:
    """Contradictions between values, in words."""
    size = sum(card.copies for card in rules.cards)
    if not 1 <= size <= MOST_CARDS:
        yield f"cards: a deck has 1 to {MOST_CARDS} cards, not {size}."
    ids = {card.id for card in rules.cards if card.kind == "style"}
    others = {card.id for card in rules.cards} - ids
    for style in rules.styles:
        if style.id in others:
            yield f"styles.{style.id}: that card is no Style; give it kind 'style'."
