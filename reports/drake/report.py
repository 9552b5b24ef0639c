"""The report of the Drake: what it is made of, its sections, and its what-ifs."""

from collections.abc import Mapping
from typing import Any

from reports import strategies
from reports.drake import actions, design, ends, lost, readings, seats, virtues
from reports.drake.formatting import GROUPS
from reports.drake.played import PlayedGames
from reports.game_report import GameReport, ReportSection, WhatIfs
from reports.page import Section
from reports.report_data import ReportData


def _strategies(data: ReportData) -> Section:
    less = "less the games that an absent Virtue wins, with two or three players"
    return strategies.section(data, less=less)


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
        actions.SECTION,
        seats.SECTION,
        ReportSection(_strategies),
    ),
    records=("result", "shuffle"),
    reads=PlayedGames,
    groups=GROUPS,
    what_ifs=WhatIfs(beside=design.beside, otherwise=actions.branching),
    games=4_096,
    assumed={"special": _special},
)
