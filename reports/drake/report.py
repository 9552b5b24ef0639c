"""The report of the Drake: its sections, what it records, and what it tries."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from reports import strategies
from reports.drake import actions, design, ends, lost, readings, seats, virtues
from reports.drake.formatting import GROUPS
from reports.drake.played import PlayedGames, tables
from reports.game_report import GameReport, ReportSection, WhatIfs, elsewhere
from reports.measures import MeasuresOf


def _special(rules: Mapping[str, Any]) -> str:
    """Return the named cards in words."""
    names = ("chastity", "strength", "wealth", "value")
    return "; ".join(
        f"{card['copies']} {card.get('name') or card['id']}, a {card['deck']}, "
        + ", ".join(f"{name} {card[name]}" for name in names if name in card)
        for card in rules["special"]
    )


_WON = MeasuresOf("seats", by="strategy").share(
    "won at the table by strategy",
    "games won, of those that somebody at the table wins",
    "won",
)
_STRATEGIES = partial(
    strategies.section, less="of the games that no absent Virtue wins", won=_WON.name
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
        ReportSection(_STRATEGIES, (_WON,), tables, elsewhere=elsewhere([_WON.name])),
    ),
    records=("result",),
    reads=PlayedGames,
    groups=GROUPS,
    what_ifs=WhatIfs(beside=design.beside, otherwise=actions.branching),
    games=4_096,
    ends=4,
    search_games=256,
    luck_deals=256,
    knocked_games=1_024,
    tried=32,
    first="lost-table",
    assumed={"special": _special},
)
