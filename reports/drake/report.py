"""The report of the Drake: its sections, what it records, and what it tries."""

from collections.abc import Mapping
from typing import Any

from reports import positions, strategy_section
from reports.drake import (
    actions,
    deck_sizes,
    endings,
    readings,
    virtues,
)
from reports.drake.game_arrays import DrakeArrays, tables
from reports.drake.labels import GROUPS
from reports.game_report import GameReport, ReportSection
from reports.measures import MeasuresOf


def _special(rules: Mapping[str, Any]) -> str:
    """Return the named cards in words."""
    names = ("chastity", "strength", "wealth", "value")
    return "; ".join(
        f"{card['copies']} {card.get('name') or card['id']}, a {card['deck']}, "
        + ", ".join(f"{name} {card[name]}" for name in names if name in card)
        for card in rules["special"]
    )


_WON = MeasuresOf("wins", by="strategy").share(
    "won at the table by strategy",
    "games won, of those that somebody at the table wins",
    "won",
)
REPORT = GameReport(
    sections=(
        deck_sizes.SECTION,
        virtues.SECTION,
        readings.SECTION,
        endings.SECTION,
        endings.COURSE,
        actions.SECTION,
        positions.section(
            "Update II draws who begins; update I has the order Pride, Greed, Wrath, "
            "Gluttony, so there a position is a Virtue.",
            "seats-position",
            "Games that nobody at the table wins count for no seat.",
        ),
        strategy_section.section(
            less="of the games that no absent Virtue wins",
            won=_WON.name,
            own=ReportSection(measures=(_WON,), tidy=tables),
        ),
    ),
    records=("result",),
    reads=DrakeArrays,
    groups=GROUPS,
    games=4_096,
    outcome_factor=4,
    search_games=256,
    luck_deals=256,
    option_replays=8_192,
    decisions_tried=32,
    lesson_seconds=1.5,
    strong_seconds=0.0002,
    search_seconds=0.0015,
    ends=endings.WAYS,
    lasts=("turns", "cards"),
    undecided={"guard": "they are broken off"},
    first="lost-table",
    assumed={"special": _special},
)
