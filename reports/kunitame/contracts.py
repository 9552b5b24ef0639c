"""Contracts: how often each is taken and kept, and what each is worth.

For the worth, one decision of a game is tried with every contract that the seat could
have made, and with none (``reports.counterfactuals``).
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.counterfactuals import Counterfactual, counterfactual_parts
from reports.figure_specs import dots, lines
from reports.game_report import ReportSection, Tables, WhatIfs
from reports.kunitame import claim_counterfactuals
from reports.kunitame.game_arrays import KunitameArrays
from reports.kunitame.tidy_tables import contracts, weeks
from reports.measure_tables import MeasureTable, Number, uniform
from reports.measures import MeasuresOf


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


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which contracts are tried: on average one a game, with 4 players.

    A search player's own decisions are all tried. Except in full reports the game is
    then played on without search, which would take longer than all else.
    """
    if not rules["contract_limit"] or not rules["contract_squares"]:
        return ()
    return (
        {
            "decisions": ("contract",),
            "one_in": (4 * rules["weeks"],),
            "keeps": ("contracts", "tricks", "lives"),
            "hand": "promise",
            "players": (4,),
            "strategies": ("planner", "gambler"),
            "search": {"one_in": (1,)},
            "full": {"plays_on": ""},
        },
    )


def _counterfactuals(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    return (*branching(rules), *claim_counterfactuals.branching(rules))


WHAT_IFS = WhatIfs(
    counterfactuals=_counterfactuals, forbidden=claim_counterfactuals.forbidden
)
"""Contracts and claims that are tried, and squares that are forbidden."""
_KEPT = "share of the contracts that are kept"
_EACH = MeasuresOf("made contracts")
_WEEKS = MeasuresOf("weeks", by="strategy week")
MEASURES = (
    _EACH.share("made in all", _KEPT, "made", by="strategy target stake"),
    _EACH.share("made by strategy", _KEPT, "made", by="strategy"),
    _WEEKS.share(
        "staking", "share of the seats that stake a gem", pl.col("staked") > 0
    ),
    _WEEKS.mean("staked", "mean gems that a seat stakes", "staked", unit="Life gems"),
    *TRIED.measures,
)


def contract_rows(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per contract tried; points count 0 where the seat is eliminated."""
    squares = played.rules["contract_squares"]

    def columns(raw: pl.DataFrame) -> dict[str, Any]:
        option, tricks, lives = (
            raw[name].to_numpy() for name in ("option", "tricks", "lives")
        )
        stake, square = np.bitwise_count(option), np.full(len(option), -1)
        for number in range(len(squares)):
            bits = sum(1 << bit for bit in range(number, 64, len(squares)))
            square[(option != 0) & (option & ~np.uint64(bits) == 0)] = number
        target = np.array([*squares, -1])[square]
        made = pl.when(pl.Series(target >= 0)).then(pl.Series(tricks == target))
        words = [
            _in_words_of(goal, gems) if goal >= 0 else "several" if gems else "none"
            for goal, gems in zip(target, stake, strict=True)
        ]
        return {
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


def _in_words(rows: pl.DataFrame) -> pl.DataFrame:
    words = pl.format("exactly {}, stake {}", "target", "stake")
    rows = rows.sort("target", "stake", "strategy")
    return rows.with_columns(contract=words)


SECTION = ReportSection(
    id="contracts",
    title="Contracts",
    question="How often are contracts kept, and what is each worth?",
    intro="A contract stakes Life gems on winning an exact number of tricks; every gem "
    "brings a Devil card. Each strategy at a table of its own kind, {players} players; "
    "a player who searches sits among {lead}.",
    measures=MEASURES,
    tidy=_tables,
    records=("contracts", "deal", "week"),
    what_ifs=(WHAT_IFS,),
    tables=(
        MeasureTable(
            "contracts-staking",
            "How often a seat takes a contract, by week",
            "Strategies that never do are left out.",
            (
                "strategy",
                "week",
                Number("staking", "with one"),
                Number("staked", "gems", name="gems"),
            ),
            only=uniform,
            where=pl.col("estimate").max().over("cell", "strategy") > 0,
            draw=lines("week", "share of seats, %", by="strategy"),
        ),
        MeasureTable(
            "contracts-made",
            "How often contracts are kept, all weeks together",
            "Wilson's interval, widened for dependent contracts of one game. The "
            "figure leaves out those taken fewer than 100 times.",
            ("strategy", "target", "stake", Number("made in all", "made")),
            only=uniform,
            rows=_in_words,
            draw=dots(
                "contract", "share kept, %", by="strategy", only=pl.col("n") >= 100
            ),
        ),
        partial(counterfactual_parts, TRIED),
    ),
)
