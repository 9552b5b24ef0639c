"""Seats: whether it matters who begins."""

from reports.page import Column
from reports.positions import drawn_order, in_words

SECTION = drawn_order(
    "Update II draws who begins; update I has the order Pride, Greed, Wrath, Gluttony, "
    "so there a position is a Virtue.",
    "seats-position",
    "Games that nobody at the table wins count for no seat.",
    Column("where", "position", "in the order of turns"),
    in_words("first"),
)
