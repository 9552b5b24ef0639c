"""The report of Devil: its sections, what it records, and what it tries."""

from reports.devil import (
    cards,
    course,
    dealer,
    declared,
    doubling,
    draws,
    economy,
    ends,
    length,
    pairs,
    strategies,
)
from reports.devil.formatting import GROUPS
from reports.devil.played import PlayedGames
from reports.game_report import GameReport

REPORT = GameReport(
    sections=(
        length.SECTION,
        ends.SECTION,
        cards.SECTION,
        dealer.SECTION,
        declared.SECTION,
        doubling.SECTION,
        draws.SECTION,
        economy.SECTION,
        course.SECTION,
        strategies.SECTION,
    ),
    records=("result",),
    reads=PlayedGames,
    groups=GROUPS,
    what_ifs=pairs.WHAT_IFS,
    search_games=128,
    luck_deals=128,
    knocked_games=512,
    undecided=("guard", "random"),
    games=4_096,  # rounds are long, and a step costs the same for any number of games
    players=(2, 4, 8),
)
