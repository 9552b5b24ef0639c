"""The report of Article II: its sections, what it records, and what it tries."""

from reports.article_ii import (
    cards,
    course,
    decks,
    economy,
    ends,
    parties,
    paths,
    seats,
    strategies,
    takethat,
    tension,
    trials,
    use,
)
from reports.article_ii.formatting import GROUPS
from reports.article_ii.played import PlayedGames
from reports.game_report import GameReport

REPORT = GameReport(
    sections=(
        seats.SECTION,
        paths.SECTION,
        ends.SECTION,
        cards.SECTION,
        use.SECTION,
        tension.SECTION,
        takethat.SECTION,
        course.SECTION,
        decks.SECTION,
        economy.SECTION,
        parties.SECTION,
        strategies.SECTION,
    ),
    records=("result",),
    reads=PlayedGames,
    groups=GROUPS,
    what_ifs=trials.WHAT_IFS,
    games=4_096,
    search_games=64,
    luck_deals=256,
    knocked_games=512,
)
