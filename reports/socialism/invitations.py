"""Invitations by kind, and which Users accept them."""

import polars as pl

from reports.figure_specs import dots
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number, here
from reports.measures import MeasuresOf
from reports.socialism.game_arrays import NOTES, tables

_WAYS = MeasuresOf("ways", by="via")
_USERS, _PERSONAL = MeasuresOf("invitations", by="user"), pl.col("personal")
_SPAMMED = "spam that the User accepts, the IPO's too"
_INVITED, _YES = "personal invitations that the User accepts", "accepted"
MEASURES = (
    _WAYS.mean("tokens by way", "tokens placed in a turn", "tokens", "turns"),
    _WAYS.mean("tried by way", "invitations of this kind in a turn", "tried", "turns"),
    _WAYS.share("accepted by way", "invitations that are accepted", _YES, "tried"),
    _USERS.share("personal by User", _INVITED, _YES, where=_PERSONAL),
    _USERS.share("spam by User", _SPAMMED, _YES, where=~_PERSONAL),
    _USERS.per_game("invited by User", "invitations to the User"),
)
SECTION = ReportSection(
    id="invitations",
    title="Invitations and tokens",
    question="What brings tokens, and which Users accept invitations?",
    intro="With {who}. Stellar Status, a Viral Post and auto bring tokens without an "
    "invitation; block takes one away.",
    measures=MEASURES,
    tidy=tables,
    records=NOTES,
    tables=(
        MeasureTable(
            "invitations-ways",
            "Tokens and invitations, by way",
            "A turn is one player's; all turns count, also those without the way.",
            (
                "players",
                "via",
                Number("tokens by way", "tokens a turn"),
                Number("tried by way", "tried a turn", name="tried"),
                Number("accepted by way", "accepted", name="accepted"),
            ),
            draw=dots("via", "tokens a turn", by="players"),
        ),
        MeasureTable(
            "invitations-users",
            "Who accepts",
            "{players} players. Strategies choose whom to invite, so not all kinds of "
            "invitation reach each User alike: a share says how they answer those that "
            "they were sent.",
            (
                "user",
                Number("invited by User", "invitations a game"),
                Number("personal by User", "personal accepted", name="personal"),
                Number("spam by User", "spam accepted", name="spam"),
            ),
            only=here,
            draw=dots("user", "personal invitations accepted, %", "personal"),
        ),
    ),
)
