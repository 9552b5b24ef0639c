"""How games are won; and contracts: made, kept, and what breaking one costs."""

import polars as pl

from reports import course
from reports.counterfactuals import counterfactual_parts
from reports.evilpact import contract_counterfactuals, spell_counterfactuals
from reports.evilpact.game_arrays import EvilpactArrays, tables
from reports.evilpact.labels import PLACE, SPELL, WAYS
from reports.figure_specs import bars, dots
from reports.formatting import join_words, share
from reports.game_report import ReportSection, SectionParts, Tables
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.simultaneous_intervals import simultaneous_intervals

_ENDS = MeasuresOf("ends")
_CHANGED = "games that would have ended differently if contracts did not count"
_OTHERWISE = pl.col("without").cast(pl.Int64) != pl.col("winner").cast(pl.Int64)
MEASURES = (
    _ENDS.share(
        "changed by contracts", _CHANGED, _OTHERWISE, where=pl.col("seat") == 0
    ),
    MeasuresOf("ends", where=pl.col("won")).share_of_games(
        "won by place and way", "games won in this way by this place", by="position by"
    ),
)
_WAY = WordColumn("how", "by", "how the game was decided", WAYS.__getitem__, "by")


def section(data: ReportData) -> SectionParts:
    """Yield the ways of winning, by lineup and by place."""
    yield f"With {data.who}."
    note = "The first of these in which the two players differ decides."
    yield course.decided_by(data, "ends-decided", note, WAYS)
    yield MeasureTable(
        "ends-places",
        "Ways of winning by place",
        "Of all games.",
        (PLACE, _WAY, Number("won by place and way", "games")),
        draw=bars("who", "share of all games, %", "how"),
    )
    rows = data.leading("decided").sort("estimate", descending=True)
    texts = [f"{WAYS[row['by']]} {share(row)}" for row in rows.to_dicts()]
    changed = data.leading("changed by contracts").row(0, named=True)
    yield Finding(
        f"Ways of winning, {data.who}: {join_words(texts)} of the games. Contracts "
        f"change how the game ends in {share(changed)} of the games as they were "
        "played: the same libraries and hands would have ended differently without "
        "them.",
        "",
    )


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    id="ends",
    title="Ways of winning",
    question="How are games won?",
)

# --- Contracts ---

_ALONE = (pl.col("kept") == 0) & (pl.col("other_kept") == 1)  # this seat loses
_BROKEN = MeasuresOf("ends", where=_ALONE)
_MADE = "contracts that are fulfilled"
_COST = "of seats that alone break theirs, those that would win without contracts"
_CHOSEN = "seats that put this spell under contract"
_WINS = "games won by seats with this contract: a correlation, as they choose it"
_MARGIN = "power in its element less the opponent's, at the end"
_LONE = "seats that alone break theirs: they lose"
_MADE_MEASURES = (
    MeasuresOf("choices").share("contracts chosen", _CHOSEN, "chosen", by="spell"),
    _ENDS.share("fulfilled", _MADE, "kept"),
    _ENDS.share("fulfilled by spell", _MADE, "kept", by="spell"),
    _ENDS.share("contracts cast", "that are cast", "used", by="spell"),
    _ENDS.share("won with contract", _WINS, "won", by="spell"),
    _ENDS.mean("contract margin", _MARGIN, "margin", by="spell"),
    _ENDS.share("broken alone", _LONE, _ALONE),
    _BROKEN.share("cost of breaking", _COST, "unbound"),
    _BROKEN.share("cost of breaking by spell", _COST, "unbound", by="spell"),
)


def contracts(data: ReportData) -> SectionParts:
    """Yield contracts by spell; how many each strategy fulfils is in its section."""
    yield (
        f"With {data.who}. A contract is broken if the opponent has more power in its "
        "element at the end. If only one player breaks theirs, they lose."
    )
    yield MeasureTable(
        "contracts-spells",
        "Contracts by spell",
        "Win shares of seats with the contract: a correlation, as they choose it.",
        (
            SPELL,
            Number("contracts chosen", "chosen"),
            Number("fulfilled by spell", "fulfilled", name="kept"),
            Number("contracts cast", "cast", name="used"),
            Number("contract margin", "margin", name="margin"),
            Number("won with contract", "win share", name="won"),
        ),
        draw=dots("the spell", "seats that choose it, %"),
    )
    yield MeasureTable(
        "contracts-broken",
        "What breaking the contract costs",
        "Of seats that alone break theirs, and so lose: how many would have won if "
        "contracts did not count, with the same libraries and hands.",
        (SPELL, Number("cost of breaking by spell", "would have won")),
        draw=dots("the spell", "would have won without contracts, %"),
    )
    yield from _of_contracts(data)
    yield from counterfactual_parts(contract_counterfactuals.TRIED, data)


def _of_contracts(data: ReportData) -> SectionParts:
    chosen = data.leading("contracts chosen").filter(pl.col("spell") != "none")
    if not chosen["estimate"].sum():
        yield Finding("Contracts: none are made.", "")
        return
    several = simultaneous_intervals(chosen, share=True).sort(
        "estimate", descending=True
    )
    most, *_, least = several.to_dicts()
    kept, alone, cost = (
        share(data.leading(name).row(0, named=True))
        for name in ("fulfilled", "broken alone", "cost of breaking")
    )
    yield Finding(
        f"Contracts, {data.who}: {kept} are fulfilled. Most often chosen is "
        f"{most['spell'].capitalize()} ({share(most)} of the seats), least often "
        f"{least['spell'].capitalize()} ({share(least)}).",
        "",
    )
    yield Finding(
        f"Breaking the contract, {data.who}: {alone} of the seats break theirs alone, "
        f"and lose; {cost} of these would have won if contracts did not count (same "
        "libraries and hands), the others lose or draw anyway.",
        "",
    )


def _tables(played: EvilpactArrays) -> Tables:
    """Return the tables of all sections, and a row per contract tried."""
    tried = contract_counterfactuals.contract_rows(played)
    rows = contract_counterfactuals.TRIED.rows(tried)
    return {**tables(played), contract_counterfactuals.TRIED.plural: rows}


CONTRACTS = ReportSection(
    contracts,
    (*_MADE_MEASURES, *contract_counterfactuals.TRIED.measures),
    _tables,
    id="contracts",
    title="Contracts with the demon",
    question="What is each contract with the demon worth?",
    what_ifs=(spell_counterfactuals.CHOICES,),
)
