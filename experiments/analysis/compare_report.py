"""The page of a comparison: findings, scorecard, who gained, what differs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from experiments.analysis import compare_sentences
from experiments.analysis.cell_names import CellNames
from experiments.analysis.compare import Comparison
from experiments.analysis.compare_formatting import (
    format_difference,
    format_estimate,
    measure_label,
    verdict_words,
)
from experiments.analysis.comparison_arms import Arm, seats_of
from experiments.analysis.scorecard_effects import Scores
from experiments.execution.atomic_files import folder_writer
from experiments.execution.version import VERSION
from experiments.variants.rule_diff import sentences
from reports import figures, report_files
from reports.report_document import Column, Exhibit, Finding, ReportDocument, Section
from reports.statistics.intervals import wilson
from sim import games
from sim.parameters import as_text

_PLACES = ("won by position", "won by role")
_SUREST = 40  # numbers of the report that are shown, at most
_PLAYERS = Column("players", "players", "at the table", "count")
_VERDICTS = (
    "significant among all numbers: differs by more than the tolerance, by less (a "
    "little), or by an open amount; or is shown to lie within it (the same)"
)
_PRINTED = (
    Column("before", "before", "the number of the first side"),
    Column("after", "after", "the number of the second side"),
    Column(
        "apart", "difference", "paired, and its 95 % interval", low="low", high="high"
    ),
)


def write(comparison: Comparison, one: Arm, other: Arm, folder: Path) -> Path:
    """Write page, tables and figures; return the page's path."""
    return report_files.write_report(
        report(comparison, one, other), folder, folder_writer(folder)
    )


def report(comparison: Comparison, one: Arm, other: Arm) -> ReportDocument:
    """Return the page."""
    game = games.load(comparison.ones[0].game)
    both = compare_sentences.adaptation_sentences(comparison, other.name)
    findings = [
        replace(one, section="scorecard-alone")
        for one in _findings(comparison, both, "")
    ]
    sections: list[Section] = []
    for title, answer in compare_sentences.answers(comparison, one):
        told = compare_sentences.comparison_sentences(answer, other.name)
        its = (*_findings(answer, told, title),)
        findings += its
        sections += _sections(answer, its, title)
    return ReportDocument(
        title=f"{game.title}: {other.name} against {one.name}",
        subtitle=f"{comparison.games_text}, fairdeal "
        f"{VERSION}, seed {comparison.ones[0].seed}",
        simulated=tuple(
            (f"{cell.players} players", seats_of(cell)) for cell in comparison.ones
        ),
        findings=tuple(findings) if comparison.scores else (),
        sections=tuple(s for s in sections if s.exhibits or s.findings),
        differences=tuple(("", words) for words in sentences(one.rules, other.rules)),
        rules=tuple((p.key, as_text(p.value)) for p in other.rules.parameters()),
    )


def _findings(
    comparison: Comparison, told: Sequence[Sequence[str]], title: str
) -> Iterator[Finding]:
    """Yield sentences, cell by cell, as findings; title: of which answer."""
    names, section = (
        CellNames.of(comparison.ones),
        f"scorecard{_mark(comparison, title)}",
    )
    for cell, sentences_of_cell in enumerate(told):
        named = ", ".join(filter(None, (title, names.words(cell))))
        for words in sentences_of_cell:
            yield Finding(f"{named}: {words}" if named else words, "", section)


def _sections(
    comparison: Comparison, findings: tuple[Finding, ...], title: str
) -> Iterator[Section]:
    """Yield the sections of an answer; title: which one it is, if there are two."""
    mark = _mark(comparison, title)
    for section in (_scorecard(comparison, findings), *_gains(comparison)):
        yield replace(
            section,
            id=f"{section.id}{mark}",
            title=f"{section.title}: {title}" if title else section.title,
            exhibits=tuple(
                replace(one, id=f"{one.id}{mark}") for one in section.exhibits
            ),
        )


def _mark(comparison: Comparison, title: str) -> str:
    """Return what tells the ids of an answer from those of the other."""
    return ("-adapted" if comparison.told else "-alone") if title else ""


def _scorecard(comparison: Comparison, findings: tuple[Finding, ...]) -> Section:
    """Return the section of all lines on both sides, with paired differences."""
    parts = [
        _lines(scores, comparison.scorecard.filter(cell=n)).with_columns(
            players=pl.lit(cell.players)
        )
        for n, (cell, scores) in enumerate(
            zip(comparison.ones, comparison.scores, strict=False)
        )
    ]
    if not parts:
        return Section("scorecard", "Scorecard", "")
    table = pl.concat(parts)
    if table.is_empty():  # games failed: the findings say why
        return Section("scorecard", "Scorecard", "", (), findings)
    columns = (
        _PLAYERS,
        Column("title", "line", "line of the scorecard"),
        *_PRINTED,
        Column("verdict", "verdict", "significant among all lines, against tolerance"),
    )
    drawn = figures.dots(
        table.filter(pl.col("sizes").is_finite()),
        "title",
        "sizes",
        "sizes_low",
        "sizes_high",
        title="What the change does to each line",
        xlabel="difference, in tolerances of the line",
        reference=0.0,
        by="players" if table["players"].n_unique() > 1 else None,
    )
    deals = "The same deals" if comparison.same_games else "Different games"
    note = f"{deals} on both sides; 95 % intervals by a jackknife over 64 batches."
    exhibit = Exhibit("lines", "Scorecard, side by side", note, table, columns, drawn)
    return Section("scorecard", "Scorecard", "", (exhibit,), findings)


def _lines(scores: Scores, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the lines of a scorecard, as printed and as drawn."""
    rows = rows.drop("cell")
    sizes = {
        "sizes": pl.col("difference") / pl.col("tolerance"),
        "sizes_low": pl.col("low") / pl.col("tolerance"),
        "sizes_high": pl.col("high") / pl.col("tolerance"),
    }
    words = []
    for row in rows.iter_rows(named=True):
        line = scores.line(row["line"])
        number = line.style == "number"
        sides = {**row, "one": row["base"], "other": row["value"], "share": not number}
        unit = line.number_unit
        words.append((line.name(row["option"]), *_words(sides, unit)))
    names = ("title", "before", "after", "apart")
    printed = pl.DataFrame(words, dict.fromkeys(names, pl.String), orient="row")
    return rows.with_columns(**sizes).hstack(printed)


def _words(row: Mapping[str, Any], unit: str | None = None) -> tuple[str, str, str]:
    """Return before, after and the difference, as they are printed."""
    before, after = (format_estimate(row, side, unit) for side in ("one", "other"))
    words = before, after, format_difference(row, unit or "")
    before, after, apart = (text.replace("-", "\N{MINUS SIGN}") for text in words)
    return before, after, apart


def _gains(comparison: Comparison) -> Iterator[Section]:
    """Yield the sections of who gained and lost, and of the surest numbers."""
    rows = compare_sentences.with_one_side(comparison)
    won = rows.filter(pl.col("measure").is_in([*_PLACES, "won by strategy"]))
    won = compare_sentences.without_the_obvious(comparison, won)
    note = f"Share of games won. Tolerance: {comparison.tolerance}."
    places = won.filter(pl.col("measure").is_in(_PLACES)).drop_nulls(["one", "other"])
    drawn = _who_wins(comparison, places) if places.height else None
    yield _section("who", "Who gained, who lost", note, won, drawn)
    surest = compare_sentences.surest_of_each_kind(rows).head(_SUREST)
    note = "The most significant difference of each sort of number."
    yield _section("surest", "The surest of each sort", note, surest)


def _who_wins(comparison: Comparison, rows: pl.DataFrame) -> Figure:
    """Draw the win shares by position and role before and after."""
    parts = []
    sides = ("one", comparison.games), ("other", comparison.other_games)
    for (side, counts), word in zip(sides, ("before", "after"), strict=True):
        shares = rows[side].to_numpy()
        n = np.array([counts[cell] for cell in rows["cell"]], float)
        n /= comparison.widening**2  # of a run that was looked at before its end
        low, high = wilson(shares * n, n)
        labels = pl.format("{}, {} players", "group", "players")
        ends = pl.Series("low", low), pl.Series("high", high)
        part = rows.select(labels.alias("who"), share=side)
        parts.append(part.with_columns(*ends, side=pl.lit(word)))
    return figures.dots(
        pl.concat(parts),
        "who",
        "share",
        "low",
        "high",
        title="Who wins, before and after",
        xlabel="share of games won, %",
        by="side",
    )


def _section(
    name: str,
    title: str,
    note: str,
    rows: pl.DataFrame,
    drawn: Figure | None = None,
) -> Section:
    if rows.is_empty():
        return Section(name, title, "")
    words = [
        (measure_label(row["measure"], row["group"]), *_words(row), verdict_words(row))
        for row in rows.iter_rows(named=True)
    ]
    names = ("label", "before", "after", "apart", "said")
    printed = pl.DataFrame(words, dict.fromkeys(names, pl.String), orient="row")
    columns = (
        _PLAYERS,
        Column("label", "what", "the number"),
        *_PRINTED,
        Column("said", "verdict", _VERDICTS),
    )
    table = rows.hstack(printed)
    return Section(
        name, title, "", (Exhibit(f"{name}-table", title, note, table, columns, drawn),)
    )
