"""The columns that group the measures of Evilpact, and their values in words."""

from reports import counterfactuals
from reports.measure_tables import WordColumn
from reports.report_document import Column

ANSWER = "Hastur in answer"
WAYS = {
    "contract": "one contract is broken",
    "elements": "more elements led",
    "hand": "more spells in hand",
    "draw": "nobody: a draw",
}
"""How games are won."""


def card_words(card: str) -> str:
    """Return a kind of grimoire in words."""
    return f"Insight ({card[1:]})" if card.startswith("i") else card


def what_words(what: str) -> str:
    """Return what is kept, in words."""
    return {"contract": "the contract", ANSWER: ANSWER}.get(what, what.capitalize())


SPELL = WordColumn("the spell", "spell", "the spell", str.capitalize, "spell")
CARD = WordColumn(
    "kind", "card", "kind of grimoire; i3 is an Insight (3)", card_words, "card"
)
KEPT = WordColumn(
    "kept", "what is kept", "a spell, contract, or Hastur", what_words, "what"
)
GROUPS = (
    *counterfactuals.COUNTERFACTUAL_GROUPS,
    *(Column(words.of, words.title, words.doc) for words in (SPELL, CARD, KEPT)),
    Column("round", "round", "round of the game", "count"),
    Column("source", "from", "from the hand, or under contract"),
    Column("element", "element", "the element"),
)
"""The columns that group the measures of Evilpact."""
