"""The report of Kunitame: its sections, what it records, and what it tries."""

from reports.game_report import GameReport
from reports.kunitame import (
    cards,
    contracts,
    course,
    economy,
    pairs,
    pledges,
    returns,
    seats,
    strategies,
)
from reports.kunitame.formatting import GROUPS
from reports.kunitame.played import PlayedGames

REPORT = GameReport(
    sections=(
        seats.SECTION,
        pledges.SECTION,
        contracts.SECTION,
        returns.SECTION,
        cards.SECTION,
        economy.SECTION,
        course.SECTION,
        strategies.SECTION,
    ),
    records=("dealer", "result"),
    reads=PlayedGames,
    groups=GROUPS,
    what_ifs=pairs.WHAT_IFS,
    games=8_192,
    ends=4,
    search_games=768,
    luck_deals=2_048,
    knocked_games=8_192,
    tried=64,
    undecided=("draw", "none"),
)
