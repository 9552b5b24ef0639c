"""The page of a game's levers: the matrix, and the rule weights of each line."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import polars as pl

from experiments.analysis import page_files
from experiments.analysis.adaptation_verdicts import VERDICTS
from experiments.analysis.levers import Levers, usual_games_of
from experiments.analysis.levers import levers as play_levers
from experiments.analysis.report_notable_games import usual_cell
from experiments.core.cells import Cell, Pair
from experiments.execution.version import VERSION
from experiments.variants.rule_diff import sentences
from reports import lever_figures
from reports.column_format import Style
from reports.report_document import (
    Column,
    Exhibit,
    Finding,
    ReportDocument,
    Section,
    SectionLink,
)
from reports.scorecard.score_line import SORTS, ScoreLine
from reports.verdicts import FDR, how_tested
from sim import games
from sim.parameters import as_text

_TITLES = dict(
    zip(SORTS, ("Fairness", "Tension", "Skill", "Length", "Options"), strict=True)
)
_STYLES: dict[str, Style] = {"number": "number", "share": "points", "points": "points"}
_NOTE = (
    "Each change of one rule is played on the same deals as the base rules. Intervals "
    "are 95 %, by a jackknife over 64 batches of games. Marked differences are "
    "significant among all changes and lines: at most 5 % of them are expected to be "
    "wrong (Benjamini-Hochberg)."
)


LINK = SectionLink(
    "levers", "What each rule does", "What does one step of each rule change?"
)


def lever_section(
    cells: Sequence[Cell | Pair], games: int, out: Path
) -> Section | None:
    """Return the section of a report: what one step of each rule does.

    The first lineup plays it with the usual number of players, if one strategy has all
    of its seats and does not search; else None. ``games`` are those of the report, of
    which each rule set plays as many as ``levers`` does by default, or fewer.
    """
    cell = usual_cell(cells)
    if cell is None or cell.cost > 1 or len({*cell.lineup}) > 1:
        return None
    found = play_levers(
        cell.game,
        cell.strategies()[0],
        rules=cell.rules,
        players=cell.players,
        given=cell.given,
        games=min(games, usual_games_of(cell)),
        seed=cell.seed,
        out=out / LINK.id,
    )
    line, matrix = found.line(), _matrix(found)
    weights = _weights(found, line)
    return Section(
        LINK.id,
        LINK.title,
        f"Each change of one rule is played on the same deals as the rules of this "
        f"report, {found.games:,} games each, by {cell.strategies()[0].title} in every "
        f"seat. Ranked by {line.number}"
        + (", which these rules break." if line in found.broken else "."),
        (weights, *matrix.exhibits),
        (_finding(found, line, LINK.id),),
    )


def write(levers: Levers, folder: Path, *, jobs: int = 1) -> Path:
    """Write page, tables and figures with ``jobs`` processes; return the path."""
    return page_files.write_page(report(levers), folder, jobs)


def report(levers: Levers) -> ReportDocument:
    """Return the page."""
    game = games.load(levers.base.game)
    sections = [_matrix(levers), *_sections(levers)]
    lineup = f"{levers.base.players} players, {levers.base.strategies()[0].title}"
    return ReportDocument(
        title=f"{game.title}: what each rule does",
        subtitle=f"{len(levers.steps)} changes of one rule, {levers.games:,} games "
        f"each, fairdeal {VERSION}, seed {levers.base.seed}",
        simulated=(
            ("lineup", lineup),
            ("games", f"{levers.games:,} of each rule set and lineup, same deals"),
            ("seed", str(levers.base.seed)),
        ),
        findings=tuple(f for section in sections for f in section.findings),
        sections=tuple(sections),
        differences=tuple(
            ("", words) for words in sentences(game.rules(), levers.base.rules)
        ),
        rules=tuple(
            (rule.key, as_text(rule.value)) for rule in levers.base.rules.parameters()
        ),
        glossary=tuple(
            (line.number, line.doc, line.style, line.sort) for line in levers.lines
        ),
    )


def _matrix(levers: Levers) -> Section:
    """Return the section of which change moves which line."""
    moving = levers.rows.filter((pl.col("verdict") == "differs").any().over("label"))
    none = levers.rows["label"].n_unique() - moving["label"].n_unique()
    table = _worded(levers, levers.rows).select(
        "label",
        "setting",
        "sentence",
        "line",
        "option",
        "base",
        "value",
        "difference",
        "low",
        "high",
        "p_adjusted",
        "marked",
        "verdict",
        "games",
    )
    columns = (
        Column("label", "change", "the rule that is changed, from -> to"),
        Column("line", "line", "line of the scorecard"),
        Column("base", "base", "the number of the base", "number"),
        Column(
            "difference", "difference", "changed minus base", "number", "low", "high"
        ),
        Column("verdict", "verdict", "marked, and whether beyond the tolerance"),
    )
    exhibit = Exhibit(
        "matrix",
        "Every change, by line",
        f"{_NOTE} {none} changes move no line by more than its tolerance; the figure "
        "leaves them out.",
        table,
        columns,
        partial(lever_figures.matrix, moving, levers.lines) if moving.height else None,
    )
    idle = levers.idle
    words = f"{len(idle)} changes have no effect: {', '.join(idle)}." if idle else ""
    return Section("matrix-of-rules", "Every change at a glance", words, (exhibit,))


def _worded(levers: Levers, rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows with verdicts that allow for those who adapt."""
    words = [levers.told(row) for row in rows.iter_rows(named=True)]
    return rows.with_columns(verdict=pl.Series(words, dtype=pl.String))


def _sections(levers: Levers) -> Iterator[Section]:
    """Yield a section for each sort of lines, with the rule weights."""
    for sort in SORTS:
        lines = [line for line in levers.lines if line.sort == sort]
        if lines:
            yield Section(
                f"rules-{sort}",
                _TITLES[sort],
                "",
                tuple(_weights(levers, line) for line in lines),
                tuple(_finding(levers, line, f"rules-{sort}") for line in lines),
            )


def _weights(levers: Levers, line: ScoreLine) -> Exhibit:
    rows = levers.ranked(line.id)
    style = _STYLES[line.style]
    columns = (
        Column("label", "change", "the rule that is changed, from -> to"),
        Column("value", line.number, line.doc, line.style),
        Column("difference", "difference", "changed minus base", style, "low", "high"),
        Column("verdict", "verdict", "marked, and whether beyond the tolerance"),
        Column("sentence", "in words", "the change in words of the rules"),
    )
    shown = _worded(levers, rows.head(lever_figures.LINES_SHOWN))
    drawn = partial(lever_figures.weights, rows, line) if rows.height else None
    note = f"{line.doc[:1].upper()}{line.doc[1:]}."
    title = f"Rule weights: {line.number}"
    return Exhibit(f"weights-{line.id}", title, note, shown, columns, drawn)


def _finding(levers: Levers, line: ScoreLine, section: str) -> Finding:
    """Say what moves a line most in each direction."""
    rows = levers.ranked(line.id).filter(verdict="differs")
    parts = []
    for words, side in ((line.less, -1), (line.more, 1)):
        part = rows.filter(pl.col("difference") * side > 0)
        if part.height:
            row = part.row(0, named=True)
            size, change = lever_figures.amount(row, line), row["label"]
            if (change, line.id) in levers.depending:
                size = f"{size}; {VERDICTS['depends']}"
            change = change if change.startswith("without ") else f"with {change}"
            parts.append(f"{words}, most of all, {change} ({size})")
    if not parts:
        words = f"No change of one rule is shown to move: {line.number}."
        return Finding(words, "", section)
    text = "; ".join(parts)
    tests = levers.rows["p"].count()
    how = how_tested("from nothing", "differences", tests, levers.games, method=FDR)
    return Finding(f"{text[:1].upper()}{text[1:]}.", "sure", section, tested=how)
