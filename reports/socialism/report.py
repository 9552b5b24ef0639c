"""The report of Socialism: its sections, what it records, and what it tries."""

from reports import positions, strategy_section
from reports.game_report import GameReport
from reports.measure_tables import Number
from reports.report_document import Column
from reports.socialism import card_worth, course, economy, invitations, length
from reports.socialism.game_arrays import SocialismArrays

REPORT = GameReport(
    sections=(
        length.SECTION,
        positions.section(
            "Who begins is drawn, so seats themselves cannot differ.",
            "seats-place",
            "Games that are broken off count for nobody.",
        ),
        course.SECTION,
        invitations.SECTION,
        card_worth.SECTION,
        economy.SECTION,
        strategy_section.section(
            Number(
                "supply by strategy", "left", "tokens that a seat has left at the end"
            ),
        ),
    ),
    records=("result",),
    reads=SocialismArrays,
    groups=(
        Column("turns_played", "turns", "turns of a game", "count"),
        Column("round", "round", "a turn of each player", "count"),
        Column("via", "way", "how somebody comes to be a Member, or is blocked"),
        Column("user", "User", "who is invited"),
        Column("card", "card", "the User or Action"),
    ),
    luck_deals=32,
    decisions_tried=2,
    option_replays=128,
    option_player="allround",  # the learned policy is slow here
    lesson_seconds=31.0,
    strong_seconds=0.015,
    search_seconds=0.004,
    search="search:samples=4:kinds=play",  # the card, which is most of its strength
    search_games=128,
    strong_games=512,  # the learned policy is slow here
    undecided={"guard": "they are broken off"},
    lasts=("turns", "turns"),
    games=512,  # a step costs about the same for any number of games
    players=(2, 4),
)
