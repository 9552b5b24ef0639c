"""Building the report of any game from what a run found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import polars as pl

from reports.game_report import GameReport
from reports.measures import Measure
from reports.page import Report
from reports.report_data import CELL, ReportData
from reports.robust import Robustness


@dataclass(frozen=True)
class Searched:
    """What was found of tables with searchers, and the games of each cell."""

    sums: pl.DataFrame
    cells: pl.DataFrame
    games: int


def build(
    report: GameReport,
    ends: Mapping[str, Measure],
    sums: pl.DataFrame,
    cells: pl.DataFrame,
    about: Mapping[str, Any],
    searched: Sequence[Searched] = (),
) -> Report:
    """Make the report of a run.

    ends: the measures that every run of the game has. sums: a row a cell, measure and
    group, as ``reports.measures`` adds them up. cells: a row a cell with the columns of
    ``found.CELL``. about: title (of the game), games (of each cell), lead (the lineup
    that findings are about), rules, seed, version, and texts to print: simulated,
    differences, assumed and all_rules, as rows of words. searched: of the cells in
    which somebody searches.
    """

    def data(sums: pl.DataFrame, cells: pl.DataFrame, games: int) -> ReportData:
        return ReportData(
            sums,
            cells.select(pl.col(name).cast(type_) for name, type_ in CELL.items()),
            games,
            about["rules"],
            about["lead"],
            {**ends, **report.measures},
            report.columns,
        )

    search = [data(one.sums, one.cells, one.games) for one in searched]
    found = replace(data(sums, cells, about["games"]), searched=search)
    sections = tuple(section.of(found) for section in report.sections)
    games = cells.height * about["games"]
    if not cells.filter(kind="self").is_empty():  # ways to play, not one lineup
        games += sum(one.cells.height * one.games for one in searched)
        sections = Robustness(found, search, report.undecided).told(sections)
    in_words = {name: put(about["rules"]) for name, put in report.assumed.items()}
    return Report(
        title=f"{about['title']}: balance report",
        subtitle=f"{games:,} games of fairdeal "
        f"{about['version']}, seed {about['seed']}",
        simulated=about["simulated"],
        findings=tuple(chain.from_iterable(section.findings for section in sections)),
        sections=sections,
        differences=about["differences"],
        assumed=tuple(
            (name, in_words.get(name, value), why)
            for name, value, why in about["assumed"]
        ),
        rules=about["all_rules"],
        glossary=(
            *(
                (m.name, m.doc, m.kind, ", ".join(m.by))
                for m in found.measures.values()
            ),
            *((c.name, c.doc, "group", "") for c in found.columns.values()),
        ),
    )
