"""The report of Kunitame: its sections, what it records, and what it tries."""

from reports import counterfactuals, strategy_section
from reports.game_report import GameReport
from reports.kunitame import (
    cards,
    contracts,
    course,
    economy,
    gem_returns,
    pledges,
    seats,
)
from reports.kunitame.game_arrays import KunitameArrays
from reports.measure_tables import Number
from reports.pledges import PLEDGE_GROUPS
from reports.report_document import Column

REPORT = GameReport(
    sections=(
        seats.SECTION,
        pledges.SECTION,
        contracts.SECTION,
        gem_returns.SECTION,
        cards.SECTION,
        economy.SECTION,
        course.SECTION,
        strategy_section.section(
            Number("points by strategy", "points", "points of a seat at the end"),
        ),
    ),
    records=("result",),
    reads=KunitameArrays,
    groups=(
        *counterfactuals.COUNTERFACTUAL_GROUPS,
        *PLEDGE_GROUPS,
        course.WEEK,
        Column("square", "square", "square of a pledge card"),
        Column("target", "target", "tricks to win, exactly", "count"),
        Column("stake", "stake", "Life gems on it", "count"),
        Column("card", "card", "suit's initial and rank; D Devil, P Priest"),
        Column("rank", "rank", "1 + seats with more points", "count"),
    ),
    games=2_048,
    outcome_factor=2,
    search_games=768,
    luck_deals=512,
    option_replays=4_096,
    decisions_tried=4,
    lesson_seconds=4.5,
    strong_seconds=0.0007,
    search_seconds=0.0033,
    undecided={
        "draw": "equal points and Life gems are settled by a card drawn",
        "none": "everybody is eliminated",
    },
)
