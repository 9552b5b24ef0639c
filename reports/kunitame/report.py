"""The report of Kunitame: its sections, what it records, and what it tries."""

from reports.game_report import GameReport
from reports.kunitame import (
    cards,
    contracts,
    course,
    economy,
    gem_returns,
    pledges,
    seats,
    strategies,
)
from reports.kunitame.game_arrays import KunitameArrays
from reports.kunitame.labels import GROUPS

REPORT = GameReport(
    sections=(
        seats.SECTION,
        pledges.SECTION,
        contracts.SECTION,
        gem_returns.SECTION,
        cards.SECTION,
        economy.SECTION,
        course.SECTION,
        strategies.SECTION,
    ),
    records=("dealer", "result"),
    reads=KunitameArrays,
    groups=GROUPS,
    games=2_048,
    outcome_factor=2,
    search_games=768,
    luck_deals=512,
    option_replays=4_096,
    decisions_tried=4,
    lesson_seconds=4.5,
    strong_seconds=0.0007,
    search_seconds=0.0033,
    undecided=("draw", "none"),
)
