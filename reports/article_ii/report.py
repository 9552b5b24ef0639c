"""The report of Article II: what was simulated, the findings, and the sections."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import polars as pl

from reports.article_ii import (
    cards,
    decks,
    ends,
    parties,
    paths,
    schools,
    seats,
    takethat,
    tension,
    use,
)
from reports.found import CELL, Found
from reports.page import Report

SECTIONS = (
    seats, paths, ends, cards, use, tension, takethat, decks, parties, schools,
)  # fmt: skip


def build(sums: pl.DataFrame, cells: pl.DataFrame, about: Mapping[str, Any]) -> Report:
    """Make the report of a run.

    sums: a row a cell, measure and group, as ``reports.measures`` adds them up. cells:
    a row a cell with the columns of ``found.CELL``. about: games (of each cell), lead
    (the lineup that findings are about), rules, seed, version, and texts to print:
    simulated, differences, assumed and all_rules, as rows of words.
    """
    found = Found(
        sums, cells.select(pl.col(n).cast(t) for n, t in CELL.items()),
        about["games"], about["rules"], about["lead"],
    )  # fmt: skip
    sections = tuple(section.section(found) for section in SECTIONS)
    return Report(
        title="Article II: balance report",
        subtitle=f"{cells.height * about['games']:,} games of fairdeal "
        f"{about['version']}, seed {about['seed']}",
        simulated=about["simulated"],
        findings=tuple(chain.from_iterable(section.findings for section in sections)),
        sections=sections,
        differences=about["differences"],
        assumed=about["assumed"],
        rules=about["all_rules"],
    )
