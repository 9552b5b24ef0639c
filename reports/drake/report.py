"""The report of the Drake: what it is made of, its sections, and its what-ifs."""

from collections.abc import Mapping
from typing import Any

from reports.drake import (
    actions,
    design,
    ends,
    lost,
    readings,
    seats,
    strategies,
    virtues,
)
from reports.drake.formatting import GROUPS
from reports.drake.played import PlayedGames
from reports.game_report import GameReport, WhatIfs


def _special(rules: Mapping[str, Any]) -> str:
    """The cards with a name, in words."""
    names = ("chastity", "strength", "wealth", "value")
    return "; ".join(
        f"{card['copies']} {card.get('name') or card['id']}, a {card['deck']}, "
        + ", ".join(f"{name} {card[name]}" for name in names if name in card)
        for card in rules["special"]
    )


REPORT = GameReport(
    sections=(
        lost.SECTION,
        virtues.SECTION,
        readings.SECTION,
        ends.SECTION,
        ends.COURSE,
        actions.SECTION,
        seats.SECTION,
        strategies.SECTION,
    ),
    records=("result", "shuffle", "turn"),
    reads=PlayedGames,
    groups=GROUPS,
    what_ifs=WhatIfs(beside=design.beside, otherwise=actions.branching),
    games=4_096,
    search_games=512,
    tried=32,
    first="lost-table",
    assumed={"special": _special},
)
