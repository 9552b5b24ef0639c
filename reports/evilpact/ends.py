"""How games are won, and contracts: made, kept, and what breaking one costs."""

import polars as pl

from reports import course
from reports.drawing import bars, dots
from reports.evilpact import pacts
from reports.evilpact.formatting import WAYS, share, shown
from reports.evilpact.played import PlayedGames, tables
from reports.formatting import listed
from reports.formatting import share as told
from reports.game_report import ReportSection, Shown
from reports.measures import Measure
from reports.page import Finding, Section
from reports.report_data import ReportData
from reports.selected import at_once
from reports.tabled import Number
from reports.tried import shown as tried

MEASURES = (
    share("changed by contracts", "games that would have ended otherwise if contracts "
          "did not count", "seats",
          pl.col("without").cast(pl.Int64) != pl.col("winner").cast(pl.Int64),
          where=pl.col("seat") == 0),
    Measure("won by place and way", "games won in this way by this place",
            "share of games", "seats", by=("position", "by"), where=pl.col("won")),
)  # fmt: skip


def section(data: ReportData) -> Section:
    """Ways of winning, by lineup and by place."""
    rows = data.leading("decided").sort("estimate", descending=True)
    texts = [f"{WAYS[row['by']]} {told(row)}" for row in rows.rows(named=True)]
    changed = data.leading("changed by contracts").row(0, named=True)
    text = (
        f"Ways of winning, {data.who}: {listed(texts)} of the games. Contracts change "
        f"how the game ends in {told(changed)} of the games as they were played: the "
        "same libraries and hands would have ended otherwise without them."
    )
    title, note = "Ways of winning", "The first in which both differ decides."
    return Section(
        "ends", title, f"With {data.who}.",
        (
            course.decided(data, "ends-decided", note, WAYS),
            shown(
                data, "ends-places", "Ways of winning by place", "Of all games.",
                "position", "by", Number("won by place and way", "games"),
                draw=bars("who", "share of all games, %", "how"),
            ),
        ),
        (Finding(text, "", "ends"),),
    )  # fmt: skip


SECTION = ReportSection(section, MEASURES, tables)

# --- Contracts ---

_KEPT, _WON = pl.col("kept"), pl.col("won").cast(pl.Int64)
_LONE = (_KEPT == 0) & (pl.col("other_kept") == 1)  # broken, and that decides
_MADE, _COST = (
    "contracts that are fulfilled",
    "of seats that alone break it, those that would win without contracts",
)
_CHOSEN = "seats that put this spell under contract"
_WINS = "games won by who has this contract: a correlation, the choice is free"
_MARGIN = "power in its element less the opponent's, at the end"

_MADE_MEASURES = (
    share("contracts chosen", _CHOSEN, "choices", pl.col("chosen"), "spell"),
    share("fulfilled", _MADE, "seats", _KEPT),
    share("fulfilled by spell", _MADE, "seats", _KEPT, "spell"),
    share("contracts cast", "that are cast", "seats", pl.col("used"), "spell"),
    share("won with contract", _WINS, "seats", _WON, "spell"),
    Measure("contract margin", _MARGIN, "mean", "seats",
            pl.col("margin").cast(pl.Int64), by=("spell",)),
    share("broken alone", "seats that alone break theirs: they lose", "seats", _LONE),
    share("cost of breaking", _COST, "seats", pl.col("unbound"), where=_LONE),
    share("cost of breaking by spell", _COST, "seats", pl.col("unbound"), "spell",
          where=_LONE),
)  # fmt: skip


def contracts(data: ReportData) -> Shown:
    """Contracts by spell; who fulfils more is told with the strategies."""
    yield Section(
        "contracts",
        "Contracts with the demon",
        "A contract is broken where the opponent has more power in its element at "
        "the end. Who alone breaks it loses.",
    )
    yield shown(
        data, "contracts-spells", "Contracts by spell",
        "Win shares are of who has the contract: a correlation, for he chooses it.",
        "spell", Number("contracts chosen", "chosen"),
        Number("fulfilled by spell", "fulfilled", name="kept"),
        Number("contracts cast", "cast", name="used"),
        Number("contract margin", "margin", name="margin"),
        Number("won with contract", "win share", name="won"),
        draw=dots("the spell", "seats that choose it, %"),
    )  # fmt: skip
    yield shown(
        data, "contracts-broken", "What breaking the contract costs",
        "Of seats that alone break it, and so lose: how many would have won if "
        "contracts did not count, with the same libraries and hands.", "spell",
        Number("cost of breaking by spell", "would have won"),
        draw=dots("the spell", "would have won without contracts, %"),
    )  # fmt: skip
    yield from _of_contracts(data)
    yield from tried(pacts.TRIED, data)


def _of_contracts(data: ReportData) -> tuple[Finding, ...]:
    chosen = data.leading("contracts chosen").filter(pl.col("spell") != "none")
    if not chosen["estimate"].sum():
        return (Finding("Contracts: none are made.", "", "contracts"),)
    several = at_once(chosen, share=True).sort("estimate", descending=True)
    rows = several.rows(named=True)
    kept, alone, cost = (
        told(data.leading(name).row(0, named=True))
        for name in ("fulfilled", "broken alone", "cost of breaking")
    )
    text = (
        f"Contracts, {data.who}: {kept} are fulfilled. Most often chosen is "
        f"{rows[0]['spell'].capitalize()} ({told(rows[0])} of the seats), least often "
        f"{rows[-1]['spell'].capitalize()} ({told(rows[-1])})."
    )
    more = (
        f"Breaking the contract, {data.who}: {alone} of the seats break theirs alone, "
        f"and lose; {cost} of these would have won if contracts did not count (same "
        "libraries and hands), the others lose or draw anyway."
    )
    return tuple(Finding(one, "", "contracts") for one in (text, more))


def _tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    rows = pacts.TRIED.rows(pacts.tried(played))
    return {**tables(played), pacts.TRIED.plural: rows}


CONTRACTS = ReportSection(contracts, (*_MADE_MEASURES, *pacts.TRIED.measures), _tables)
