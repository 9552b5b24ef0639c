"""The report of Devil: its sections, what it records, and what it tries."""

from reports import strategy_section
from reports.devil import (
    cards,
    course,
    dealer,
    draws,
    early_end_section,
    economy,
    endings,
    length,
    multipliers,
)
from reports.devil.game_arrays import DevilArrays
from reports.devil.labels import GROUPS
from reports.game_report import GameReport
from reports.measure_tables import Number

REPORT = GameReport(
    sections=(
        length.SECTION,
        endings.SECTION,
        cards.SECTION,
        dealer.SECTION,
        early_end_section.SECTION,
        multipliers.SECTION,
        draws.SECTION,
        economy.SECTION,
        course.SECTION,
        strategy_section.section(
            Number(
                "scores by strategy", "total", "points at the end; fewer are better"
            ),
            "less its part of the games that are shared",
        ),
    ),
    records=("result",),
    reads=DevilArrays,
    groups=GROUPS,
    search_games=128,
    luck_deals=128,
    option_replays=4_096,
    lesson_seconds=6.0,
    strong_seconds=0.0005,
    search_seconds=0.003,
    undecided={
        "shared": "equal lowest totals are shared",
        "random": "equal lowest totals are settled by lot",
        "guard": "they are broken off",
    },
    lasts=("rounds", "rounds"),
    games=4_096,  # rounds are long, and a step costs the same for any number of games
    players=(2, 4, 8),
)
