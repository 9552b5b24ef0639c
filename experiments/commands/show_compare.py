"""Print a comparison: what differs, by how much, and how certain that is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from experiments.analysis import compare_sentences
from experiments.analysis.cell_names import CellNames
from experiments.analysis.compare import FAMILIES, Comparison
from experiments.analysis.compare_formatting import (
    format_difference,
    format_estimate,
    format_games,
    measure_label,
    verdict_words,
)
from experiments.analysis.comparison_arms import Arm, seats_of
from experiments.analysis.sequential_comparison import SequentialComparison
from experiments.commands import output, show_arms
from experiments.core.cells import Cell
from experiments.execution.user_paths import short_path
from experiments.variants.rule_diff import sentences
from reports.statistics.multiple_comparisons import METHODS

_DECIDED = {
    "within": "nothing differs by more than the tolerance",
    "outside": "a difference is larger than the tolerance",
    "open": "open whether a difference is larger than the tolerance",
}


def as_dict(comparison: Comparison, one: Arm, other: Arm) -> dict[str, Any]:
    """Return a comparison as one JSON object.

    ``adapted`` has the cells and numbers of those who learned the rules of their side;
    None if nobody was asked to.
    """
    adapted = comparison.adapted
    return {
        "sides": [one.name, other.name],
        "lineups": [one.lineup, other.lineup],
        "rules": sentences(one.rules, other.rules),
        "games": list(comparison.games),
        "other_games": list(comparison.other_games),
        "seed": comparison.ones[0].seed,
        "same_games": comparison.same_games,
        **({"given": deals} if (deals := comparison.deals) else {}),
        "wider": comparison.widening,
        "decided": list(comparison.decided_measures),
        "tolerance": {
            "share": comparison.tolerance.share,
            "relative": comparison.tolerance.relative,
        },
        "families": {
            name: METHODS[method]
            for name, method in compare_sentences.family_words(comparison)
        },
        "share_of_5_percent": 1 / comparison.family_count,
        "unread": comparison.unread_rules.unread,
        "verdicts": comparison.verdicts.to_dicts(),
        "told_of_both": compare_sentences.adaptation_sentences(comparison, other.name),
        **_answer(comparison, other),
        "adapted": adapted and {"players": adapted.told, **_answer(adapted, other)},
        "out": None
        if comparison.directory is None
        else str(short_path(comparison.directory)),
    }


def _answer(comparison: Comparison, other: Arm) -> dict[str, Any]:
    """Return what some players make of both sides."""
    return {
        "cells": [
            {
                "players": a.players,
                "lineups": [seats_of(a), seats_of(b)],
                "rules": sentences(a.rules, b.rules),
            }
            for a, b in zip(comparison.ones, comparison.others, strict=True)
        ],
        "told": compare_sentences.comparison_sentences(comparison, other.name),
        "scorecard": [
            comparison.scorecard.filter(cell=cell).drop("cell").to_dicts()
            for cell, _ in enumerate(comparison.scores)
        ],
        "rows": compare_sentences.with_one_side(comparison).to_dicts(),
        "cards": comparison.cards.to_dicts(),
        "row_effects": comparison.row_effects.to_dicts(),
    }


def expected_games(rule: SequentialComparison, cell: Cell, most: int) -> None:
    """Print how many games a decision will take, before any is played."""
    forecast = "; ".join(
        f"{words} about {format_games(number)} games"
        for words, number in rule.expected_games(cell)
    )
    output.print_line(f"decides  {rule.measure}: {forecast}; at most {most:,}")


def as_tables(comparison: Comparison, one: Arm, other: Arm, *, every: bool) -> None:
    """Print a comparison: the sides, what holds for all players, and each answer."""
    for words in show_arms.arm_words(one, other):
        output.print_line(words)
    for words in comparison.deals:
        output.print_line(f"given    {words}")
    if unread := comparison.unread_rules.sentence:
        output.print_line(f"players  {unread}", wrap=True)
    if comparison.adapted is not None:
        for arm, who in zip((one, other), comparison.adapted.told, strict=True):
            output.print_line(f"adapted  {arm.name}: {who}")
    output.print_line()
    cells, answers = (
        CellNames.of(comparison.ones),
        compare_sentences.answers(comparison, one),
    )
    both = compare_sentences.adaptation_sentences(comparison, other.name)
    _print_told(cells, both, "")
    for title, answer in answers:
        told = compare_sentences.comparison_sentences(answer, other.name)
        _print_told(cells, told, title)
    _details(answers, one, other, every)
    for number, word in enumerate(comparison.decided_measures):
        named = cells.words(number)
        output.print_line(
            f"decided  {f'{named}: ' if named else ''}{_DECIDED[word]}, after "
            f"{comparison.games[number]:,} games (sequential test, 5 % each way)"
        )
    for words in show_arms.notes(comparison, one, other):
        output.print_line(words)


def _details(
    answers: Sequence[tuple[str, Comparison]], one: Arm, other: Arm, every: bool
) -> None:
    """Print the tables of every answer, or how many of their numbers differ."""
    if not every:
        differing = sum(int(answer.rows["different"].sum()) for _, answer in answers)
        many = sum(answer.rows.height for _, answer in answers)
        output.print_line(f"numbers  {differing} of {many:,} differ; --all shows them")
        return
    for title, answer in answers:
        _tables(answer, one, other, f" ({title})" if title else "")
    for words in show_arms.methods(answers[0][1]):
        output.print_line(words)


def _print_told(cells: CellNames, told: Sequence[Sequence[str]], title: str) -> None:
    """Print sentences, cell by cell; title: of which answer."""
    if title and told:
        output.print_line(f"{title[0].upper()}{title[1:]}:")
    for number, sentences_ in enumerate(told):
        named = cells.words(number)
        for words in sentences_:
            output.print_line(f"{named}: {words}" if named else words, wrap=True)
        output.print_line()


def _tables(comparison: Comparison, one: Arm, other: Arm, title: str) -> None:
    """Print the tables of an answer; title: which one it is."""
    cells = CellNames.of(comparison.ones)
    end = comparison.family("end")
    output.table(
        f"How games end{title}: {other.name} against {one.name}",
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
            for row in compare_sentences.without_the_obvious(comparison, end).rows(
                named=True
            )
        ],
    )
    apart = compare_sentences.with_one_side(comparison)
    report = apart.filter(pl.col("family") == FAMILIES["report"][0])
    if report.height:
        _report(report, one, other, cells, title)
        for words in compare_sentences.one_sided_sentences(
            report, one.name, other.name
        ):
            output.print_line(words, wrap=True)


def _row(row: Mapping[str, Any]) -> list[str]:
    ratio = row["variance_ratio"]
    return [
        measure_label(row["measure"], row["group"]),
        format_estimate(row, "one"),
        format_estimate(row, "other"),
        format_difference(row),
        verdict_words(row),
        "" if ratio is None else f"{ratio:.1f} x",
        format_games(row["needed"]) or " ",
    ]


def _report(
    rows: pl.DataFrame, one: Arm, other: Arm, cells: CellNames, about: str
) -> None:
    """Print all numbers of the report."""
    known = rows.filter(pl.col("different") & ~pl.col("one_side"))
    output.table(
        f"Numbers of the report{about}",
        [*cells.columns, "what", one.name, other.name, "difference", ""],
        [[*cells.rows[row["cell"]], *_row(row)[:5]] for row in rows.to_dicts()],
    )
    counts = Counter(rows["verdict"])
    output.print_line(
        f"Of {rows.height:,} numbers of the report {known.height:,} differ; "
        f"{counts['outside']:,} by more than the tolerance. {counts['within']:,} are "
        f"within the tolerance, {counts['undecided']:,} are undecided, "
        f"{counts['too rare']:,} too rare to compare. The report says what each means."
    )
    output.print_line()
