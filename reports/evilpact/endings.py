"""How games are won; and contracts: made, kept, and what breaking one costs."""

import polars as pl

from reports import course
from reports.counterfactuals import counterfactual_parts
from reports.evilpact import contract_counterfactuals, spell_counterfactuals
from reports.evilpact.game_arrays import EvilpactArrays, tables
from reports.evilpact.labels import WAYS
from reports.formatting import estimated
from reports.game_report import ReportSection, SectionParts, Tables
from reports.measure_tables import WHAT, MeasureTable, stacked
from reports.measures import MeasuresOf
from reports.report_data import ReportData

SECTION = ReportSection(
    id="ends",
    title="Ways of winning",
    question="How are games won?",
    tables=(
        course.ways_decided(
            "ends-decided",
            "The first of these in which the two players differ decides.",
            WAYS,
        ),
    ),
)

_ENDS = MeasuresOf("ends")
_ALONE = (pl.col("kept") == 0) & (pl.col("other_kept") == 1)  # this seat loses
_OTHERWISE = pl.col("without").cast(pl.Int64) != pl.col("winner").cast(pl.Int64)
_MADE = "contracts that are fulfilled"
_LONE = "seats that alone break theirs: they lose"
_COST = "of seats that alone break theirs, those that would win without contracts"
_CHANGED = "games that would have ended differently if contracts did not count"
MEASURES = (
    _ENDS.share("fulfilled", _MADE, "kept"),
    _ENDS.share("broken alone", _LONE, _ALONE),
    _ENDS.share("cost of breaking", _COST, "unbound", where=_ALONE),
    _ENDS.share(
        "changed by contracts", _CHANGED, _OTHERWISE, where=pl.col("seat") == 0
    ),
)
EFFECT = MeasureTable(
    "contracts-effect",
    "What contracts do to games",
    "If contracts did not count: with the same libraries and hands.",
    (WHAT, estimated("share", "of contracts, seats or games", "share")),
    source=stacked(
        {
            "contracts that are fulfilled": "fulfilled",
            "seats that alone break theirs, and lose": "broken alone",
            "of these, those that would have won if contracts did not count": (
                "cost of breaking"
            ),
            "games that would have ended differently": "changed by contracts",
        }
    ),
)


def tried(data: ReportData) -> SectionParts:
    """Yield what each contract is worth against the others in hand."""
    return counterfactual_parts(contract_counterfactuals.TRIED, data)


def _tidy(played: EvilpactArrays) -> Tables:
    """Return the tables of all sections, and a row per contract tried."""
    rows = contract_counterfactuals.contract_rows(played)
    own = contract_counterfactuals.TRIED
    return {**tables(played), own.plural: own.rows(rows)}


CONTRACTS = ReportSection(
    id="contracts",
    title="Contracts with the demon",
    question="What is each contract with the demon worth?",
    intro="With {who}. A contract is broken if the opponent has more power in its "
    "element at the end. If only one player breaks theirs, they lose.",
    measures=(*MEASURES, *contract_counterfactuals.TRIED.measures),
    tidy=_tidy,
    tables=(EFFECT, tried),
    what_ifs=(spell_counterfactuals.CHOICES,),
)
