"""Invitations by kind, and which Users accept them."""

import polars as pl

from reports.figure_specs import dots
from reports.formatting import join_words, number, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.simultaneous_intervals import simultaneous_intervals
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


def section(data: ReportData) -> SectionParts:
    """Yield the tokens that each way brings, and which Users accept."""
    yield (
        f"With {data.who}. Stellar Status, a Viral Post and auto bring tokens without "
        "an invitation; block takes one away."
    )
    yield MeasureTable(
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
    )
    yield MeasureTable(
        "invitations-users",
        "Who accepts",
        f"{data.players} players. Strategies choose whom to invite, so not all kinds "
        "of invitation reach each User alike: a share says how they answer those that "
        "they were sent.",
        (
            "user",
            Number("invited by User", "invitations a game"),
            Number("personal by User", "personal accepted", name="personal"),
            Number("spam by User", "spam accepted", name="spam"),
        ),
        only=data.leads(data.players),
        draw=dots("user", "personal invitations accepted, %", "personal"),
    )
    for players in data.counts:
        yield from _finding(data, players)


def _finding(data: ReportData, players: int) -> SectionParts:
    ways = simultaneous_intervals(data.leading("tokens by way", players=players))
    best = ways.sort("estimate", descending=True).head(3).to_dicts()
    texts = [f"{row['via']} {number(row)}" for row in best if row["estimate"]]
    accepted = data.leading("accepted by way", players=players).drop_nulls("estimate")
    shares = {row["via"]: share(row) for row in accepted.to_dicts()}
    personal, spam = (shares.get(way, "no data") for way in ("personal", "spam"))
    yield Finding(
        f"Invitations, {players} players, {data.who}: most tokens a turn come from "
        f"{join_words(texts) or 'none'}; of personal invitations {personal} are "
        f"accepted, of spam {spam}.",
        "" if texts else "open",
    )


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=NOTES,
    id="invitations",
    title="Invitations and tokens",
    question="What brings tokens, and which Users accept invitations?",
)
