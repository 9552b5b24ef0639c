"""The columns that group the measures of the Drake, and terms its sections share."""

from reports.report_document import Column
from reports.scorecard.lines import ROLES

VIRTUES = ("Gluttony", "Greed", "Pride", "Wrath")
VIRTUE = Column(
    "virtue",
    "Virtue",
    "Gluttony (Maidens), Greed (Treasures), Wrath (Knights) or Pride (an empty deck)",
)
ROLE = Column("role", "role", "played: somebody was dealt this Virtue; absent: nobody")
DECK = Column("deck", "deck", "Maidens, Knights or Treasures")
GROUPS = (
    VIRTUE,
    ROLE,
    DECK,
    Column("turns", "cards", "cards played in a game", "count"),
    Column("option", "option", "the deck whose card is played, or the action"),
)
DECKS = {"maiden": "Maidens", "knight": "Knights", "treasure": "Treasures"}
EVEN = 1 / len(VIRTUES)
"""The share of the games that each Virtue would win if all four were equal."""
TOLERANCE = ROLES
"""A Virtue that wins this much more or less than ``EVEN`` is out of balance."""
