"""The report of Socialism: what it is made of, its sections, and its what-ifs."""

from functools import partial

from reports import strategies
from reports.formatting import estimated
from reports.game_report import GameReport, ReportSection
from reports.page import Column
from reports.socialism import course, economy, invitations, length, seats, worth

_STRATEGIES = partial(
    strategies.section,
    measure="supply by strategy",
    last=estimated("left", "tokens that a seat has left at the end", name="last"),
)
REPORT = GameReport(
    sections=(
        length.SECTION,
        seats.SECTION,
        course.SECTION,
        invitations.SECTION,
        worth.SECTION,
        economy.SECTION,
        ReportSection(_STRATEGIES),
    ),
    records=("result", "turn", "invitation", "joins", "leaves"),
    groups=(
        Column("turns_played", "turns", "turns of a game", "count"),
        Column("round", "round", "a turn of each player", "count"),
        Column("via", "way", "how somebody comes to be a Member, or is blocked"),
        Column("user", "User", "who is invited"),
        Column("card", "card", "the User or Action"),
    ),
    what_ifs=worth.WHAT_IFS,
    luck_deals=64,
    knocked_games=0,
    search_games=0,  # a game of four who search takes some ten seconds
    undecided=("guard",),
    games=640,  # steps cost much the same for any number of games
    players=(2, 4),
)
