"""What each other reading of the rule texts does to the Virtues."""

import polars as pl

from reports.bounded_claims import RowsClaim
from reports.drake.labels import VIRTUE
from reports.drake.rule_sweeps import READINGS, other_readings, rule_sweeps
from reports.figure_specs import dots
from reports.formatting import (
    PLAYERS,
    STRATEGY,
    estimated,
    join,
    renamed,
    subtract,
)
from reports.game_report import ReportSection, WhatIfs
from reports.measure_tables import MeasureTable, VerdictColumn
from reports.report_data import SINGLE, ReportData
from reports.report_document import Column
from reports.scorecard.line_statistics import ROLE_WINS

_KEYS = ("strategy", "players", "virtue")


def changes(data: ReportData) -> pl.DataFrame:
    """Return a row per reading, strategy, players and Virtue: shares, the change.

    ``main``: whether it is of the leading strategy and the main number of players.
    """
    words = {
        sweep.key: sweep.values["reading"]
        for sweep in rule_sweeps(data.rules)
        if sweep.sweep == READINGS
    }
    design = pl.DataFrame({"changes": [*words], "reading": [*words.values()]})
    every = data.of(ROLE_WINS).with_columns(
        strategy=pl.col("lineup").str.split(" (").list.first()
    )
    base = renamed(every.filter(pl.col("kind").is_in(SINGLE)), _KEYS, "base")
    rows = design.join(
        every.filter(kind="beside"), on="changes", maintain_order="left_right"
    )
    rows = subtract(join(rows, base, _KEYS), "estimate", "base", "more")
    main = (pl.col("strategy") == data.lead) & (pl.col("players") == data.players)
    return rows.with_columns(main=main, move=pl.format("{}: {}", "reading", "virtue"))


CHANGES = MeasureTable(
    "readings-change",
    "What each reading does to the Virtues",
    "The figure shows {players} players, {who}. n: games under the reading.",
    (
        Column("reading", "reading", "what is read otherwise, all else equal"),
        STRATEGY,
        PLAYERS,
        VIRTUE,
        estimated("wins", "games that it wins under the reading", "share"),
        estimated("in force", "under the rules in force", "share", "base"),
        estimated("change", "share under it less that in force", "points", "more"),
        VerdictColumn(0.05, "5 points", {}, "more", ("strategy", "players")),
    ),
    source=changes,
    draw=dots(
        "reading",
        "change of its share, %",
        "more",
        by="virtue",
        reference=0,
        only=pl.col("main"),
    ),
)
SECTION = ReportSection(
    id="readings",
    title="Readings of the rules",
    question="Which open readings of the rules move the Virtues, and how far?",
    intro="What the rule texts leave open is read in one way (V1 to V10 in the "
    "sources). Each other reading is played alone, with the same strategy in every "
    "seat and games of its own. V7, V9 and V10 have no other reading. Where an action "
    "may be passed (V5), a Maiden and a Knight can be left in play, and then only "
    "Treasures can be played.",
    tables=(CHANGES,),
    claims=(
        RowsClaim(
            "Readings, {players} players, {who}, what each does to a Virtue's share",
            CHANGES,
            "move",
            {"above": "over 5 points up", "below": "over 5 points down"},
            where=pl.col("main"),
            many=6,
        ),
    ),
    what_ifs=(WhatIfs(other_rules=other_readings),),
)
