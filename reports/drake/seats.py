"""Seats: whether it matters who begins."""

from reports.positions import drawn_order, with_position_words
from reports.report_document import Column

SECTION = drawn_order(
    "Update II draws who begins; update I has the order Pride, Greed, Wrath, Gluttony, "
    "so there a position is a Virtue.",
    "seats-position",
    "Games that nobody at the table wins count for no seat.",
    Column("where", "position", "in the order of turns"),
    with_position_words("first"),
)
