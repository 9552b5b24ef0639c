"""The report of Article II: its sections, what it records, and what it tries."""

from reports import strategy_section
from reports.article_ii import (
    cards,
    course,
    decks,
    economy,
    endings,
    parties,
    paths_to_office,
    seats,
    take_that,
    tension,
)
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.article_ii.labels import GROUPS
from reports.game_report import GameReport
from reports.measure_tables import Number

REPORT = GameReport(
    sections=(
        seats.SECTION,
        paths_to_office.SECTION,
        endings.SECTION,
        cards.SECTION,
        tension.SECTION,
        take_that.SECTION,
        course.SECTION,
        decks.SECTION,
        economy.SECTION,
        parties.SECTION,
        strategy_section.section(
            Number("candidates by strategy", "Candidate", "games as a Candidate"),
            "less what nobody wins alone (with parties, a partner's Presidency counts "
            "for the partner only)",
        ),
    ),
    records=("result",),
    reads=ArticleIIArrays,
    groups=GROUPS,
    games=1_024,
    outcome_factor=2,
    search_games=64,
    luck_deals=128,
    option_replays=256,
    option_player="allround",  # the learned policy is slow here
    decisions_tried=4,
    lesson_seconds=12.0,
    strong_seconds=0.0005,
    search_seconds=0.012,
    undecided={
        "shared": "equal totals share the win",
        "spoiler-shared": "Spoilers share the win",
        "none": "no total is positive and nobody wins",
        "guard": "they are broken off",
    },
)
