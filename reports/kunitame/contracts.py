"""Contracts: how often each is taken and kept, and what each is worth.

For the worth, one decision of a game is tried with every contract that the seat could
have made, and with none (``reports.counterfactuals``).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.counterfactuals import Counterfactual, counterfactual_parts
from reports.counts import Array
from reports.figure_specs import dots, lines
from reports.formatting import estimated, join, renamed, share
from reports.game_report import ReportSection, SectionParts, Tables
from reports.kunitame import what_ifs
from reports.kunitame.game_arrays import KunitameArrays
from reports.kunitame.tidy_tables import contracts, weeks
from reports.measure_tables import MeasureTable, Number, side_by_side
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding


def options(rules: Mapping[str, Any]) -> list[str]:
    """Return the contracts that the rules have, in words."""
    stakes = range(1, min(rules["contract_limit"], rules["life"]) + 1)
    squares = rules["contract_squares"]
    return [_in_words_of(target, gems) for target in squares for gems in stakes]


def _in_words_of(target: int, gems: int) -> str:
    return f"exactly {target}, stake {gems}"


TRIED = Counterfactual(
    "contract",
    "contracts",
    "week",
    "none",
    per_hand=8,
    eliminates=True,
    options=options,
)
_MIN_CONTRACTS = 10  # rows of a table with fewer are left out
_KEPT = "share of the contracts that are kept"
_OUT = "share of the contracts whose seat is eliminated that week"
_EACH = MeasuresOf("made contracts", by="strategy week target stake")
_WEEKS = MeasuresOf("weeks", by="strategy week")
MEASURES = (
    _EACH.per_game("contracts", "contracts of this sort that are taken"),
    _EACH.share("made", _KEPT, "made"),
    _EACH.share("made in all", _KEPT, "made", by="strategy target stake"),
    _EACH.share("made by strategy", _KEPT, "made", by="strategy"),
    _EACH.mean("lost", "Life gems lost on it", "lost", unit="Life gems"),
    _EACH.share("out", _OUT, "out"),
    _WEEKS.share(
        "staking", "share of the seats that stake a gem", pl.col("staked") > 0
    ),
    _WEEKS.mean("staked", "mean gems that a seat stakes", "staked", unit="Life gems"),
    *TRIED.measures,
)


def contract_rows(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per contract tried; points count 0 where the seat is eliminated."""
    squares = played.rules["contract_squares"]

    def columns(raw: pl.DataFrame, at: Array) -> dict[str, Any]:
        names = ("seat", "week", "option", "tricks", "lives")
        seat, week, option, tricks, lives = (raw[name].to_numpy() for name in names)
        stake, square = np.bitwise_count(option), np.full(len(option), -1)
        for number in range(len(squares)):
            bits = sum(1 << bit for bit in range(number, 64, len(squares)))
            square[(option != 0) & (option & ~np.uint64(bits) == 0)] = number
        target = np.array([*squares, -1])[square]
        dealer = played.dealer[week - 1, at].astype(np.int64)
        made = pl.when(pl.Series(target >= 0)).then(pl.Series(tricks == target))
        words = [
            _in_words_of(goal, gems) if goal >= 0 else "several" if gems else "none"
            for goal, gems in zip(target, stake, strict=True)
        ]
        return {
            "position": (seat - dealer) % played.players + 1,
            "option": np.array(words),
            "made": made,
            "points": raw["end_points"].to_numpy() * (raw["end_lives"].to_numpy() > 0),
            "out": lives == 0,
            "came": tricks,
        }

    return played.counterfactual_rows("branching", TRIED.schema, columns)


def _tables(played: KunitameArrays) -> Tables:
    """Return a row per contract, per week, and per contract tried."""
    return {
        "made contracts": contracts(played),
        "weeks": weeks(played),
        "contracts": TRIED.rows(contract_rows(played)),
    }


def section(data: ReportData) -> SectionParts:
    """Yield how often contracts are taken, kept and lost, and what they are worth."""
    yield (
        "A contract stakes Life gems on winning an exact number of tricks; every gem "
        "brings a Devil card. Each strategy at a table of its own kind, "
        f"{data.players} players; a player who searches sits among {data.lead}."
    )
    ever = pl.col("estimate").max().over("cell", "strategy") > 0
    yield MeasureTable(
        "contracts-staking",
        "How often a seat takes a contract, by week",
        "Strategies that never do are left out.",
        (
            "strategy",
            "week",
            Number("staking", "with one"),
            Number("staked", "gems", name="gems"),
        ),
        only=data.uniform,
        rows=lambda rows: rows.filter(ever),
        draw=lines("week", "share of seats, %", by="strategy"),
    )
    yield MeasureTable(
        "contracts-made",
        "How often contracts are kept, all weeks together",
        "Wilson's interval, widened for dependent contracts of one game. The figure "
        "leaves out those taken fewer than 100 times.",
        ("strategy", "target", "stake", Number("made in all", "made")),
        only=data.uniform,
        rows=lambda rows: _in_words(rows).sort("target", "stake", "strategy"),
        draw=dots("contract", "share kept, %", by="strategy", only=pl.col("n") >= 100),
    )
    yield _taken(data)
    yield from _findings(data)
    yield from counterfactual_parts(TRIED, data)


def _in_words(rows: pl.DataFrame) -> pl.DataFrame:
    words = pl.format("exactly {}, stake {}", "target", "stake")
    return rows.with_columns(contract=words)


def _taken(data: ReportData) -> MeasureTable:
    """Return the table by week, target and stake; taken: as a share of the seats."""
    taken = Number("contracts", "taken", name="contracts")
    made = Number("made", "made")
    lost = Number("lost", "lost", name="lost")
    out = Number("out", "eliminated", name="out")
    keys = ("cell", "strategy")
    seats = renamed(data.of("seats of strategy"), keys, "seats")
    rows = join(side_by_side(data, (made, lost, out, taken), data.uniform), seats, keys)
    each = pl.col("contracts", "contracts_low", "contracts_high") / pl.col("seats")
    doc = "share of the seats that take it"
    of_seats = estimated("taken", doc, "share", "contracts")
    return MeasureTable(
        "contracts-weeks",
        "Every contract by week",
        "Taken: of the seats in that week. Eliminated: the seat has no Life gem left. "
        f"Those made fewer than {_MIN_CONTRACTS} times are left out.",
        ("strategy", "week", "target", "stake", of_seats, made, lost, out),
        rows=rows.with_columns(each.clip(0, 1)).filter(pl.col("n") >= _MIN_CONTRACTS),
    )


def _findings(data: ReportData) -> SectionParts:
    rows = data.of("made by strategy", only=data.uniform)
    if rows.is_empty():
        yield Finding("Contracts: no data, nobody made one.", "open")
        return
    texts = [
        f"{row['strategy']} {share(row)}"
        for row in rows.sort("estimate", descending=True).to_dicts()
    ]
    text = (
        f"Contracts kept, of those taken, with {data.players} players, each strategy "
        f"among its own kind: by {', by '.join(texts)}."
    )
    yield Finding(text, "")


SECTION = ReportSection(
    section,
    MEASURES,
    _tables,
    records=("contracts", "deal", "week"),
    id="contracts",
    title="Contracts",
    question="How often are contracts kept, and what is each worth?",
    what_ifs=(what_ifs.CONTRACTS,),
)
