"""Print a comparison: what differs, by how much, and how certain that is."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import polars as pl

from experiments.analysis import compare_words
from experiments.analysis.cell_names import CellNames
from experiments.analysis.compare import FAMILIES, Comparison
from experiments.analysis.compare_numbers import (
    difference,
    estimate,
    games,
    label,
    said,
)
from experiments.analysis.settled import Settled
from experiments.analysis.sides import Side, seats_of
from experiments.commands import show, show_sides
from experiments.core.cells import Cell
from experiments.execution.paths import near
from experiments.variants.rule_diff import sentences
from reports.statistics.multiple_comparisons import METHODS

_DECIDED = {
    "within": "nothing differs by more than the tolerance",
    "outside": "a difference is larger than the tolerance",
    "open": "open whether a difference is larger than the tolerance",
}


def as_dict(found: Comparison, one: Side, other: Side) -> dict[str, Any]:
    """Return a comparison as one JSON object."""
    return {
        "sides": [one.name, other.name],
        "lineups": [one.lineup, other.lineup],
        "rules": sentences(one.rules, other.rules),
        "cells": [
            {
                "players": a.players,
                "lineups": [seats_of(a), seats_of(b)],
                "rules": sentences(a.rules, b.rules),
            }
            for a, b in zip(found.ones, found.others, strict=True)
        ],
        "games": list(found.games),
        "seed": found.ones[0].seed,
        "same_games": found.same_games,
        "wider": found.wider,
        "decided": list(found.decided),
        "tolerance": {
            "share": found.tolerance.share,
            "relative": found.tolerance.relative,
        },
        "families": {
            name: METHODS[method] for name, method in compare_words.families(found)
        },
        "share_of_5_percent": 1 / found.told,
        "told": compare_words.told(found, other.name),
        "scorecard": [
            found.scorecard.filter(cell=cell).drop("cell").to_dicts()
            for cell, _ in enumerate(found.scores)
        ],
        "rows": compare_words.told_apart(found).to_dicts(),
        "out": None if found.directory is None else str(near(found.directory)),
    }


def foreseen(rule: Settled, cell: Cell, most: int) -> None:
    """Print how many games a decision will take, before any is played."""
    forecast = "; ".join(
        f"{words} about {games(number)} games" for words, number in rule.foreseen(cell)
    )
    show.line(f"decides  {rule.measure}: {forecast}; at most {most:,}")


def as_tables(found: Comparison, one: Side, other: Side, *, every: bool) -> None:
    """Print a comparison: the sides, then the tables."""
    for words in show_sides.about(one, other):
        show.line(words)
    show.line()
    cells = CellNames.of(found.ones)
    for number, sentences_ in enumerate(compare_words.told(found, other.name)):
        named = cells.words(number)
        for words in sentences_:
            show.line(f"{named}: {words}" if named else words, wrap=True)
        show.line()
    end = found.family("end")
    show.table(
        f"How games end: {other.name} against {one.name}",
        [
            *cells.columns,
            "what",
            one.name,
            other.name,
            "difference",
            "",
            "pairing",
            "games to decide",
        ],
        [
            [*cells.rows[row["cell"]], *_row(row)]
            for row in compare_words.without_the_obvious(found, end).rows(named=True)
        ],
    )
    apart = compare_words.told_apart(found)
    report = apart.filter(pl.col("family") == FAMILIES["report"][0])
    if report.height:
        _report(report, one, other, cells, every)
        for words in compare_words.only_there(report, one.name, other.name):
            show.line(words, wrap=True)
    for number, word in enumerate(found.decided):
        named = cells.words(number)
        show.line(
            f"decided  {f'{named}: ' if named else ''}{_DECIDED[word]}, after "
            f"{found.games[number]:,} games (sequential test, 5 % each way)"
        )
    for words in show_sides.notes(found, one, other):
        show.line(words)


def _row(row: Mapping[str, Any]) -> list[str]:
    ratio = row["variance_ratio"]
    return [
        label(row["measure"], row["group"]),
        estimate(row, "one"),
        estimate(row, "other"),
        difference(row),
        said(row),
        "" if ratio is None else f"{ratio:.1f} x",
        games(row["needed"]) or " ",
    ]


def _report(
    rows: pl.DataFrame, one: Side, other: Side, cells: CellNames, every: bool
) -> None:
    """Print all numbers of the report, or each measure's most certain difference."""
    known = rows.filter(pl.col("different") & ~pl.col("one_side"))
    shown = rows if every else compare_words.surest(rows)
    title = "Numbers of the report" if every else "Numbers of the report that differ"
    show.table(
        title if every else f"{title}: the most certain of each kind",
        [
            *cells.columns,
            "what",
            one.name,
            other.name,
            "difference",
            "" if every else "others that differ",
        ],
        [
            [
                *cells.rows[row["cell"]],
                *_row(row)[:4],
                _row(row)[4] if every else str(row["many"] - 1),
            ]
            for row in shown.rows(named=True)
        ],
    )
    counts = Counter(rows["verdict"])
    show.line(
        f"Of {rows.height:,} numbers of the report {known.height:,} differ; "
        f"{counts['outside']:,} by more than the tolerance. "
        f"{counts['within']:,} are within the tolerance, "
        f"{counts['undecided']:,} are undecided, {counts['too rare']:,} too rare to "
        "compare. The report says what each means."
        + ("" if every else " --all shows them all.")
    )
    show.line()
