"""A comparison as a page: what is said of it, scorecard, who gained, what differs."""

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import polars as pl

from experiments.analysis import compare_words
from experiments.analysis.compare import Comparison
from experiments.analysis.sides import Side, seats_of
from experiments.variants.rule_diff import sentences
from reports import figures, writing
from reports.page import Column, Exhibit, Finding, Report, Section
from sim import games as registry
from sim.parameters import as_text

_SUREST = 40  # numbers of the report that are shown


def write(found: Comparison, one: Side, other: Side, folder: Path) -> Path:
    """Write page, tables and figures; the page's path."""
    return writing.write(report(found, one, other), folder)


def report(found: Comparison, one: Side, other: Side) -> Report:
    """The page."""
    game = registry.load(found.ones[0].game)
    told = compare_words.told(found, other.name)
    findings = tuple(Finding(words, "", "scorecard") for part in told for words in part)
    sections = (_scorecard(found, findings), *_gained(found))
    return Report(
        title=f"{game.title}: {other.name} against {one.name}",
        subtitle=f"{max(found.games):,} games on each side, fairdeal "
        f"{version('fairdeal')}, seed {found.ones[0].seed}",
        simulated=tuple(
            (f"{cell.players} players", seats_of(cell)) for cell in found.ones
        ),
        findings=findings if found.scores else (),
        sections=tuple(s for s in sections if s.exhibits or s.findings),
        differences=tuple(("", words) for words in sentences(one.rules, other.rules)),
        rules=tuple((p.key, as_text(p.value)) for p in other.rules.parameters()),
    )


def _scorecard(found: Comparison, findings: tuple[Finding, ...]) -> Section:
    """Each line on both sides, and the paired difference."""
    parts = [
        one.effects()
        .drop("change")
        .with_columns(
            players=pl.lit(cell.players),
            title=pl.col("line").replace_strict(
                {line.id: line.title for line in one.lines}
            ),
            sizes=pl.col("difference") / pl.col("tolerance"),
            sizes_low=pl.col("low") / pl.col("tolerance"),
            sizes_high=pl.col("high") / pl.col("tolerance"),
        )
        for cell, one in zip(found.ones, found.scores, strict=False)
    ]
    if not parts:
        return Section("scorecard", "Scorecard", "")
    table = pl.concat(parts)
    if table.is_empty():  # games failed: the findings say why
        return Section("scorecard", "Scorecard", "", (), findings)
    columns = (
        Column("players", "players", "at the table", "count"),
        Column("title", "line", "line of the scorecard"),
        Column("base", "before", "the number of the first side", "number"),
        Column("value", "after", "the number of the second side", "number"),
        Column("difference", "difference", "paired", "number", "low", "high"),
        Column("verdict", "verdict", "sure among all lines, against the tolerance"),
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
    note = (
        "Shares go from 0 to 1. The same deals on both sides; 95 % intervals by the "
        "jackknife over 32 parts of the games."
    )
    exhibit = Exhibit("lines", "Scorecard, side by side", note, table, columns, drawn)
    return Section("scorecard", "Scorecard", "", (exhibit,), findings)


def _gained(found: Comparison) -> Iterator[Section]:
    """Who gained and who lost; then the surest numbers of the report."""
    rows = compare_words.told_apart(found)
    columns = (
        Column("players", "players", "at the table", "count"),
        Column("label", "what", "the number"),
        Column("one", "before", "of the first side", "number"),
        Column("other", "after", "of the second side", "number"),
        Column("difference", "difference", "paired", "number", "low", "high"),
        Column("verdict", "verdict", "against the tolerance; outside: it differs"),
    )
    label = pl.format("{}, {}", "measure", "group")
    rows = rows.with_columns(label=label)
    won = rows.filter(pl.col("measure").is_in(["won by position", "won by strategy"]))
    note = f"Share of games won. Tolerance: {found.tolerance}."
    yield _section("who", "Who gained, who lost", note, won, columns)
    surest = compare_words.surest(rows).head(_SUREST)
    note = "Of each sort of number the one that differs most surely."
    yield _section("surest", "The surest of each sort", note, surest, columns)


def _section(
    name: str, title: str, note: str, rows: pl.DataFrame, columns: tuple[Column, ...]
) -> Section:
    if rows.is_empty():
        return Section(name, title, "")
    return Section(
        name, title, "", (Exhibit(f"{name}-table", title, note, rows, columns),)
    )
