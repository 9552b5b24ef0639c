"""The report of Socialism: its sections, what it records, and what it tries."""

from functools import partial

from reports import strategies
from reports.formatting import estimated
from reports.game_report import GameReport, ReportSection
from reports.page import Column
from reports.positions import drawn_order, in_words
from reports.socialism import course, economy, invitations, length, worth
from reports.socialism.played import PlayedGames

_STRATEGIES = partial(
    strategies.section,
    measure="supply by strategy",
    last=estimated("left", "tokens that a seat has left at the end", name="last"),
)
_FIRST = "who begins"
_SEATS = drawn_order(
    "Who begins is drawn, so seats themselves cannot differ.",
    "seats-place",
    "Games that are broken off count for nobody.",
    Column("where", "where", "position in the order of turns, or seat"),
    in_words(_FIRST),
    named=lambda where: where if where == _FIRST else f"the {where}",
)
REPORT = GameReport(
    sections=(
        length.SECTION,
        _SEATS,
        course.SECTION,
        invitations.SECTION,
        worth.SECTION,
        economy.SECTION,
        ReportSection(_STRATEGIES),
    ),
    records=("result",),
    reads=PlayedGames,
    groups=(
        Column("turns_played", "turns", "turns of a game", "count"),
        Column("round", "round", "a turn of each player", "count"),
        Column("via", "way", "how somebody comes to be a Member, or is blocked"),
        Column("user", "User", "who is invited"),
        Column("card", "card", "the User or Action"),
    ),
    what_ifs=worth.WHAT_IFS,
    ends=2,
    luck_deals=48,
    knocked_games=0,
    search="search:samples=4:kinds=play",  # the card, which is most of its strength
    search_games=128,
    undecided=("guard",),
    games=1_024,  # a step costs about the same for any number of games
    players=(2, 4),
)
