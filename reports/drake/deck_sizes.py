"""The lost table of cards: how the four Virtues fare as deck sizes and numbers vary.

The published cards are lost, so the question is which tables of cards keep the Virtues
in balance, and what moves them. The leading strategy plays all of them in every seat,
other strategies play some; each table has games of its own.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from reports.drake.deck_balance import PLAYED, judge_tables, region, sweep, sweep_rows
from reports.drake.labels import EVEN, VIRTUE, VIRTUES
from reports.drake.rule_sweeps import OF_REGION, REGION, other_tables
from reports.figure_specs import Draw, bars, dots, heat, lines
from reports.formatting import (
    PLAYERS,
    STRATEGY,
    N,
    Row,
    estimated,
    exhibit,
    join_words,
    percent,
)
from reports.game_report import ReportSection, WhatIfs
from reports.measure_tables import MeasureTable, Source
from reports.report_data import ReportData
from reports.report_document import Cause, Column, Exhibit, Finding
from reports.scorecard.line_estimate import per_hundred
from reports.scorecard.line_statistics import ROLE_WINS
from reports.verdicts import ALONE, how_tested

_SHARES = tuple(estimated(v, f"games that {v} wins", "share", v) for v in VIRTUES)
_FURTHEST = Column(
    "estimate",
    "furthest",
    "points between 25 % and the share of the Virtue furthest from it",
    "points",
)
_VERDICT = Column(
    "verdict",
    "5 points",
    "whether all four Virtues are within 5 points of 25 % (two one-sided tests at "
    "5 %), or one is outside (Holm over the four); each table is judged by itself",
)
_SIZE = "plain cards in their deck"
_MAIDENS = Column("maidens", "Maidens", _SIZE, "count")
_KNIGHTS = Column("knights", "Knights", _SIZE, "count")
_OF_EACH = Column("maidens", "of each", _SIZE, "count")
_NEAREST = 12  # tables that are printed; the files have all
_WON = "share of games, %"
_DISTANCE = "furthest from an even share, %"
_ALIKE = pl.col("maidens") == pl.col("knights")


def _by_virtue(draw: Draw, only: pl.Expr | None = None) -> Draw:
    """Draw the shares of all Virtues, or some, of tables that have a column of each."""

    def drawn(table: pl.DataFrame, title: str) -> Any:
        ends = {"estimate": "", "low": "_low", "high": "_high"}
        parts = [
            table.with_columns(
                virtue=pl.lit(v),
                **{name: pl.col(v + end) for name, end in ends.items()},
            )
            for v in VIRTUES
        ]
        rows = pl.concat(parts)
        return draw(rows if only is None else rows.filter(only), title)

    return drawn


def _draw_region(table: pl.DataFrame, _: str) -> Any:
    """Draw the tables that differ in shapes, which have the same number of Maidens."""
    middle = table["maidens"].mode()[0]
    across = pl.format("{}, {}", "knights", "value")
    down = pl.format("Chastity {}, Strength {}", "chastity", "strength")
    near = table.with_columns(across.alias("Knights, Value"), numbers=down)
    near = near.filter(maidens=middle).sort("knights", "value", "numbers")
    near = near.filter(pl.col("knights").is_between(middle, middle + 1))
    title = f"Furthest Virtue from 25 %, with {middle} Maidens"
    return heat("Knights, Value", "numbers", _DISTANCE)(near, title)


def _largest(table: pl.DataFrame, title: str) -> Any:
    """Draw the greatest number of players."""
    own = table.filter(pl.col("players") == pl.col("players").max())
    return _by_virtue(lines("maidens", _WON, by="virtue", reference=EVEN))(own, title)


def _sweep(
    name: str,
    title: str,
    note: str,
    columns: tuple[Column, ...],
    source: Source,
    draw: Draw,
) -> MeasureTable:
    """Declare a row per table: what differs, shares of Virtues, the furthest one."""
    every = (*columns, *_SHARES, _FURTHEST, _VERDICT)
    return MeasureTable(name, title, note, every, source=source, draw=draw)


def _by_whom(data: ReportData) -> pl.DataFrame:
    """Return the tables with as many Maidens as Knights, by strategy."""
    rows = sweep_rows(data, "by whom")
    if rows.is_empty():
        return rows
    own = sweep_rows(data, "sizes").filter(_ALIKE, players=PLAYED)
    rows = pl.concat([own, rows.select(own.columns)])
    return judge_tables(rows, ("maidens",))


_REGION = replace(
    _sweep(
        "lost-region",
        "Tables by how far their Virtues are from balance",
        f"{PLAYED} players, the {_NEAREST} nearest to balance: the region is where the "
        "verdict is within. Of tables on the very edge, chance puts 1 in 20 within.",
        (
            _MAIDENS,
            _KNIGHTS,
            *(Column(s, s.capitalize(), "shape of these numbers") for s in OF_REGION),
        ),
        region,
        _draw_region,
    ),
    nearest=_NEAREST,
)
_OTHERS = (
    _sweep(
        "lost-players",
        "As many Maidens as Knights, by players",
        "The figure shows the greatest number of players.",
        (PLAYERS, _OF_EACH),
        sweep("sizes", "maidens", where=_ALIKE),
        _largest,
    ),
    _sweep(
        "lost-whom",
        "As many Maidens as Knights, played by other strategies",
        f"{PLAYED} players, every seat the same strategy. The figure shows Pride.",
        (STRATEGY, _OF_EACH),
        _by_whom,
        _by_virtue(
            lines("maidens", _WON, by="strategy", reference=EVEN),
            pl.col("virtue") == "Pride",
        ),
    ),
    _sweep(
        "lost-treasures",
        "More and fewer Treasures",
        f"{PLAYED} players, as many Maidens as Knights.",
        (Column("treasures", "Treasures", _SIZE, "count"),),
        sweep("treasures", "treasures"),
        _by_virtue(bars("treasures", _WON, "virtue")),
    ),
)


def tables(data: ReportData) -> Iterator[MeasureTable | Exhibit]:
    """Yield the tables that were played; most are only in a whole panel."""
    for table in (_REGION, *_OTHERS):
        rows = table.source(data) if table.source is not None else pl.DataFrame()
        if rows.height:
            yield replace(table, rows=rows, source=None)
            if table is _REGION:
                yield _levels(data)


def _levels(data: ReportData) -> Exhibit:
    """Return shares of each Virtue over the region's tables, by what differs."""
    design = sweep_rows(data, "region").filter(players=PLAYED)
    raw = data.raw(ROLE_WINS).join(
        design.select("cell", *REGION).unique(), on="cell", maintain_order="left"
    )
    parts = [
        data.pool_rows(raw, (name, "virtue"), "share").select(
            "virtue",
            "estimate",
            "low",
            "high",
            "n",
            level=pl.format("{} {}", pl.lit(name.capitalize()), name),
        )
        for name in REGION[1:]
    ]
    return exhibit(
        "lost-levels",
        "What moves the Virtues: mean shares over the tables of the region",
        f"{PLAYED} players, {design['maidens'][0]} Maidens: every number of Knights "
        "with every shape of Chastity, Strength and Value, all else equal.",
        pl.concat(parts),
        (
            Column("level", "tables with", "what these tables have in common"),
            VIRTUE,
            estimated("games", "games that the Virtue wins", "share"),
            N,
        ),
        dots("level", _WON, by="virtue", reference=EVEN),
    )


def balance(data: ReportData) -> Iterator[Finding]:
    """Say how many tables are in balance, which are nearest, and what size does."""
    rows = region(data)
    if rows.is_empty():
        return
    count = {word: (rows["verdict"] == word).sum() for word in ("within", "undecided")}
    open_ = f"; {count['undecided']} are undecided" if count["undecided"] else ""
    near = [_named(row) for row in rows.head(3).to_dicts()]
    same = sweep_rows(data, "sizes").filter(_ALIKE, players=PLAYED, virtue="Pride")
    sizes = [
        f"{per_hundred(row['estimate'])} with {row['maidens']}"
        for row in same.filter(pl.col("estimate").is_between(0.05, 0.95)).to_dicts()
    ]
    why = f"Of 100 games Pride wins {join_words(sizes)} Maidens and as many Knights."
    changes = tuple({"maidens": n, "knights": n} for n in same["maidens"])
    yield Finding(
        f"Balance, {PLAYED} players, {data.lead} in every seat: of {rows.height} "
        f"tables {count['within'] or 'none'} surely "
        f"hold{'' if count['within'] > 1 else 's'} every Virtue within 5 points of "
        f"{percent(EVEN, 0)}{open_}. Nearest are {join_words(near)}.",
        "open" if count["undecided"] == rows.height else "likely",
        tested=how_tested(
            "5 points from even",
            "tables, Holm over the Virtues of each",
            rows.height,
            data.games,
            method=ALONE,
        ),
        why=Cause("roles", why, changes) if sizes else None,
    )


def _named(row: Row) -> str:
    """Return a table in words, and how far it is from balance."""
    words = [f"{row['maidens']} Maidens and {row['knights']} Knights"]
    words += [f"{s.capitalize()} {row[s]}" for s in OF_REGION if row[s] != "listed"]
    return f"{', '.join(words)} ({100 * row['estimate']:.1f} points)"


SECTION = ReportSection(
    id="lost-table",
    title="The lost table: what sizes of decks and numbers on the cards do",
    question="Which tables of cards keep the four Virtues in balance?",
    intro="The published numbers on the cards are lost, and so are the sizes of the "
    "decks, and the deck and the Value of Sangria All; those in force are assumed. All "
    "findings are about the tables of cards that were played here, with {lead} in "
    "every seat unless stated otherwise; most of them are played only in a whole "
    f"panel, with {PLAYED} players. An even share is {percent(EVEN, 0)} of the games "
    "for each Virtue. A shape replaces the listed numbers, in their order, by others "
    "from the lowest to the highest of the list (low: mostly low ones; ends: mostly "
    "the lowest and the highest).",
    tables=(tables,),
    claims=(balance,),
    what_ifs=(WhatIfs(other_rules=other_tables),),
)
