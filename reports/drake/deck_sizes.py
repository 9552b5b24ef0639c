"""The lost table of cards: how the four Virtues fare as deck sizes and numbers vary.

The published cards are lost, so the question is which tables of cards keep the Virtues
in balance, and what moves them. The leading strategy plays all of them in every seat,
other strategies play some; each table has games of its own.
"""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reports.drake.deck_balance import (
    PLAYED,
    judge_tables,
    region,
    sweep_rows,
    with_four,
)
from reports.drake.labels import EVEN, VIRTUE, VIRTUES
from reports.drake.rule_sweeps import (
    OF_REGION,
    REGION,
    other_tables,
    rule_sweeps,
)
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
    share,
)
from reports.game_report import ReportSection, SectionParts, WhatIfs
from reports.report_data import ReportData
from reports.report_document import Cause, Column, Exhibit, Finding
from reports.scorecard.line_estimate import per_hundred
from reports.scorecard.line_statistics import ROLE_WINS
from reports.verdicts import how_tested

_ID = "lost-table"
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
_WON = "share of games, %"
_DISTANCE = "furthest from an even share, %"


def section(data: ReportData) -> SectionParts:
    """Yield the region of balance, what moves the Virtues, and by which strategies."""
    sweeps = (_region, _levels, _grid, _sizes, _by_whom, _numbers_and_treasures)
    partial = f" Most tables are played only in a whole panel, with {PLAYED} players."
    yield (
        "The published numbers on the cards are lost, and so are the sizes of the "
        "decks; those in force are assumed. Here they vary, with "
        f"{data.lead} in every seat unless stated otherwise. An even share is "
        f"{percent(EVEN, 0)} of the games for each Virtue. A shape replaces the listed "
        "numbers, in their order, by others from the lowest to the highest of the list "
        "(low: mostly low ones; middle: mostly those between; ends: mostly the lowest "
        f"and the highest).{partial if region(data).is_empty() else ''}"
    )
    for sweep in sweeps:
        yield from sweep(data)
    yield _assumed()
    yield from _findings(data)


def _tables(
    name: str,
    title: str,
    note: str,
    rows: pl.DataFrame,
    columns: Sequence[Column],
    draw: Draw | None = None,
) -> list[Exhibit]:
    """Return a row per table: what differs, shares of Virtues, the furthest one."""
    if rows.is_empty():
        return []
    every = (*columns, *_SHARES, _FURTHEST, _VERDICT, N)
    return [exhibit(name, title, note, rows, every, draw)]


def _region(data: ReportData) -> list[Exhibit]:
    rows = region(data)
    if rows.is_empty():
        return []
    across = pl.format("{}, {}", "knights", "value")
    down = pl.format("Chastity {}, Strength {}", "chastity", "strength")
    rows = rows.with_columns(across.alias("Knights, Value"), down.alias("numbers"))

    def draw(table: pl.DataFrame, _: str) -> Any:
        near = table.filter(maidens=_middle(data)).sort("knights", "value", "numbers")
        near = near.filter(pl.col("knights") - _middle(data) < 2)  # of the region
        near = near.filter(pl.col("knights") >= _middle(data))
        title = f"Furthest Virtue from 25 %, with {_middle(data)} Maidens"
        return heat("Knights, Value", "numbers", _DISTANCE)(near, title)

    shapes = [
        Column(stat, stat.capitalize(), "shape of these numbers") for stat in OF_REGION
    ]
    return _tables(
        "lost-region",
        "Tables by how far their Virtues are from balance",
        f"{PLAYED} players, the nearest to balance first: the region is where the "
        "verdict is within. Of tables on the very edge, chance puts 1 in 20 within.",
        rows,
        (_MAIDENS, _KNIGHTS, *shapes),
        draw,
    )


def _middle(data: ReportData) -> int:
    """Return the number of Maidens of the tables in the region."""
    return int(
        next(t for t in rule_sweeps(data.rules) if t.sweep == "region").values[
            "maidens"
        ]
    )


def _levels(data: ReportData) -> list[Exhibit]:
    """Return shares of each Virtue over the region's tables, by what differs."""
    design = with_four(data, "region")
    if design.is_empty():
        return []
    raw = data.raw(ROLE_WINS).join(
        design.select("cell", *REGION).unique(), on="cell", maintain_order="left"
    )
    parts = [
        data.pool_rows(raw, (name, "virtue"), "share").select(
            level=pl.format("{} {}", pl.lit(name.capitalize()), name),
            virtue="virtue",
            estimate="estimate",
            low="low",
            high="high",
            n="n",
        )
        for name in REGION[1:]
    ]
    return [
        exhibit(
            "lost-levels",
            "What moves the Virtues: mean shares over the tables of the region",
            f"{PLAYED} players, {_middle(data)} Maidens: every number of Knights "
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
    ]


def _grid(data: ReportData) -> list[Exhibit]:
    rows = with_four(data, "sizes")
    return _tables(
        "lost-sizes",
        "Maidens by Knights: the furthest Virtue from 25 %",
        f"{PLAYED} players, numbers as listed.",
        judge_tables(rows, ("maidens", "knights")),
        (_MAIDENS, _KNIGHTS),
        heat("maidens", "knights", _DISTANCE),
    )


def _sizes(data: ReportData) -> list[Exhibit]:
    """Return tables with as many Maidens as Knights, by number of players."""
    rows = sweep_rows(data, "sizes")
    rows = rows.filter(pl.col("maidens") == pl.col("knights")) if rows.height else rows

    def draw(table: pl.DataFrame, title: str) -> Any:
        own = rows.filter(players=max(table["players"]))
        return lines("maidens", _WON, by="virtue", reference=EVEN)(own, title)

    return _tables(
        "lost-players",
        "As many Maidens as Knights, by players",
        "The figure shows the greatest number of players.",
        judge_tables(rows, ("maidens",)),
        (PLAYERS, Column("maidens", "of each", _SIZE, "count")),
        draw,
    )


def _by_whom(data: ReportData) -> list[Exhibit]:
    """Return tables with as many Maidens as Knights, by strategy."""
    rows = sweep_rows(data, "by whom")
    if rows.is_empty():
        return []
    own = sweep_rows(data, "sizes").filter(
        pl.col("maidens") == pl.col("knights"), players=PLAYED
    )
    rows = pl.concat([own, rows.select(own.columns)])

    def draw(_: pl.DataFrame, __: str) -> Any:
        pride = rows.filter(virtue="Pride")
        title = "Games that Pride wins, by strategy and size of decks"
        return lines("maidens", _WON, by="strategy", reference=EVEN)(pride, title)

    return _tables(
        "lost-whom",
        "As many Maidens as Knights, played by other strategies",
        f"{PLAYED} players, every seat the same strategy.",
        judge_tables(rows, ("maidens",)),
        (STRATEGY, Column("maidens", "of each", _SIZE, "count")),
        draw,
    )


def _numbers_and_treasures(data: ReportData) -> list[Exhibit]:
    """Return tables with as many Maidens as Knights; another thing differs in each."""
    sweeps = {
        "shapes": ("One number of another shape", pl.format("{} {}", "stat", "shape")),
        "ranges": ("All numbers from 1 to another", pl.format("1 to {}", "high")),
        "treasures": ("More and fewer Treasures", pl.format("{} plain", "treasures")),
    }
    exhibits = []
    for sweep, (title, words) in sweeps.items():
        rows = sweep_rows(data, sweep)
        if rows.is_empty():
            continue
        rows = rows.with_columns(table=words)
        note = f"{PLAYED} players, {rows['maidens'][0]} Maidens and as many Knights."
        table = judge_tables(rows, ("table",))
        column = Column("table", sweep, "what differs from the table in force")
        exhibits += _tables(f"lost-{sweep}", title, note, table, (column,), _bars(rows))
    return exhibits


def _bars(rows: pl.DataFrame) -> Draw:
    """Draw which Virtues win with each table."""
    return lambda _, title: bars("table", _WON, "virtue")(rows, title)


def _assumed() -> Finding:
    text = (
        "Assumed: how many Maidens, Knights and Treasures there are, all numbers on "
        "them, the deck and the Value of Sangria All, and that it is used as an "
        "action. What was published is lost. So every finding is about the tables of "
        "cards that were played here, not about the published game."
    )
    return Finding(text, "open", _ID)


def _findings(data: ReportData) -> tuple[Finding, ...]:
    rows = region(data)
    if rows.is_empty():
        return ()
    return (_balanced(data, rows), _decks(data), _numbers(data))


def _balanced(data: ReportData, rows: pl.DataFrame) -> Finding:
    """Say how many tables are in balance, and which are nearest to it."""
    count = {word: (rows["verdict"] == word).sum() for word in ("within", "undecided")}
    near = [_named(row) for row in rows.head(3).to_dicts()]
    text = (
        f"Balance, {PLAYED} players, {data.lead} in every seat: of {rows.height} "
        f"tables, {count['within']} hold every Virtue within 5 points of "
        f"{percent(EVEN, 0)}, and {count['undecided']} are undecided. Nearest are "
        f"{join_words(near)}."
    )
    tested = how_tested("5 points from even", "Virtues of a table", 4, data.games)
    return Finding(text, "sure" if count["within"] else "open", _ID, tested=tested)


def _named(row: Row) -> str:
    """Return a table in words, and how far it is from balance."""
    shapes = [f"{stat.capitalize()} {row[stat]}" for stat in OF_REGION]
    size = f"{row['maidens']} Maidens, {row['knights']} Knights"
    return f"{size}, {', '.join(shapes)} ({100 * row['estimate']:.1f} points)"


def _decks(data: ReportData) -> Finding:
    """Say how often Pride wins, by deck size."""
    same = sweep_rows(data, "sizes").filter(
        pl.col("maidens") == pl.col("knights"), players=PLAYED, virtue="Pride"
    )
    texts = [f"{share(row)} with {row['maidens']}" for row in same.to_dicts()]
    text = (
        f"Pride by size of decks, {PLAYED} players, {data.lead} in every seat: with "
        f"as many Maidens as Knights, Pride wins {join_words(texts)} of each."
    )
    sizes = [
        f"{per_hundred(row['estimate'])} with {row['maidens']}"
        for row in same.filter(pl.col("estimate").is_between(0.05, 0.95)).to_dicts()
    ]
    why = f"Of 100 games Pride wins {join_words(sizes)} Maidens and as many Knights."
    changes = tuple({"maidens": n, "knights": n} for n in same["maidens"])
    return Finding(text, "", _ID, why=Cause("roles", why, changes))


def _numbers(data: ReportData) -> Finding:
    """Say which shapes move a Virtue furthest."""
    rows = sweep_rows(data, "shapes")
    extremes = rows.group_by("stat", "virtue", maintain_order=True).agg(
        least=pl.col("estimate").min(), most=pl.col("estimate").max()
    )
    extremes = extremes.with_columns(apart=pl.col("most") - pl.col("least"))
    texts = [
        f"{row['stat']} moves {row['virtue']} from {percent(row['least'])} to "
        f"{percent(row['most'])}"
        for row in extremes.sort("apart", descending=True).head(3).to_dicts()
    ]
    text = (
        f"Numbers, {PLAYED} players, {data.lead} in every seat, "
        f"{rows['maidens'][0]} Maidens and as many Knights: of the shapes of one "
        f"number, {join_words(texts)} (the greatest of all changes observed)."
    )
    return Finding(text, "", _ID)


SECTION = ReportSection(
    section,
    id=_ID,
    title="The lost table: what sizes of decks and numbers on the cards do",
    question="Which tables of cards keep the four Virtues in balance?",
    what_ifs=(WhatIfs(other_rules=other_tables),),
)
