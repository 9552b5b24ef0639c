"""Invitations by kind, and who accepts and wins them."""

import polars as pl

from reports.drawing import dots
from reports.formatting import listed, number, share
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Finding, Section
from reports.report_data import ReportData
from reports.selected import at_once
from reports.socialism.played import tables
from reports.tabled import Number, tabled

_PER_TURN = pl.col("turns")
MEASURES = (
    Measure("tokens by way", "tokens placed in a turn", "mean", "ways",
            pl.col("tokens"), _PER_TURN, by=("via",)),
    Measure("tried by way", "invitations of this kind in a turn", "mean", "ways",
            pl.col("tried"), _PER_TURN, by=("via",)),
    Measure("accepted by way", "invitations that are accepted", "share", "ways",
            pl.col("accepted"), pl.col("tried"), by=("via",)),
    Measure("personal by User", "personal invitations that he accepts", "share",
            "invitations", pl.col("accepted"), by=("user",), where=pl.col("personal")),
    Measure("spam by User", "spam that he accepts, the IPO's too", "share",
            "invitations", pl.col("accepted"), by=("user",), where=~pl.col("personal")),
    Measure("invited by User", "invitations to him", "per game", "invitations",
            by=("user",)),
)  # fmt: skip


def section(data: ReportData) -> Section:
    """What each way brings, and whom."""
    ways = (
        "players",
        "via",
        Number("tokens by way", "tokens a turn"),
        Number("tried by way", "tried a turn", name="tried"),
        Number("accepted by way", "accepted", name="accepted"),
    )
    users = (
        "user",
        Number("invited by User", "invitations a game"),
        Number("personal by User", "personal accepted", name="personal"),
        Number("spam by User", "spam accepted", name="spam"),
    )
    return Section(
        "invitations", "Invitations and tokens",
        f"With {data.who}. Stellar Status, a Viral Post and auto bring tokens without "
        "an invitation; block takes one away.",
        (
            tabled(
                data, "invitations-ways", "Tokens and invitations, by way",
                "A turn is one player's; all turns count, those without the way too.",
                ways, draw=dots("via", "tokens a turn", by="players"),
            ),
            tabled(
                data, "invitations-users", "Who accepts",
                f"{data.players} players. What the strategies try, so not all kinds of "
                "invitation reach each User alike: a share says how he answers those "
                "that he was sent.", users, only=data.leads(data.players),
                draw=dots("user", "personal invitations accepted, %", "personal"),
            ),
        ),
        _findings(data),
    )  # fmt: skip


def _findings(data: ReportData) -> tuple[Finding, ...]:
    found = []
    for players in data.counts:
        ways = data.leading("tokens by way", players=players)
        ways = at_once(ways).sort("estimate", descending=True)
        best = ways.head(3).rows(named=True)
        texts = [f"{row['via']} {number(row)}" for row in best if row["estimate"]]
        accepted = {
            row["via"]: share(row)
            for row in data.leading("accepted by way", players=players)
            .drop_nulls("estimate")
            .rows(named=True)
        }
        text = (
            f"Invitations, {players} players, {data.who}: most tokens a turn come by "
            f"{listed(texts) or 'none'}; of personal invitations "
            f"{accepted.get('personal', 'no data')} are accepted, of spam "
            f"{accepted.get('spam', 'no data')}."
        )
        found.append(Finding(text, "" if texts else "open", "invitations"))
    return tuple(found)


SECTION = ReportSection(section, MEASURES, tables)
