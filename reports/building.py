"""Building the report of any game from what a run found."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Protocol

import polars as pl

from reports.found import CELL, Found
from reports.page import Report, Section


class Part(Protocol):
    """A module that writes one section."""

    def section(self, found: Found) -> Section:
        """The section: tables with figures, and findings."""


def build(
    title: str,
    parts: Sequence[Part],
    sums: pl.DataFrame,
    cells: pl.DataFrame,
    about: Mapping[str, Any],
) -> Report:
    """Make the report of a run.

    sums: a row a cell, measure and group, as ``reports.measures`` adds them up. cells:
    a row a cell with the columns of ``found.CELL``. about: games (of each cell), lead
    (the lineup that findings are about), rules, seed, version, and texts to print:
    simulated, differences, assumed and all_rules, as rows of words.
    """
    found = Found(
        sums,
        cells.select(pl.col(name).cast(type_) for name, type_ in CELL.items()),
        about["games"],
        about["rules"],
        about["lead"],
    )
    sections = tuple(part.section(found) for part in parts)
    return Report(
        title=f"{title}: balance report",
        subtitle=f"{cells.height * about['games']:,} games of fairdeal "
        f"{about['version']}, seed {about['seed']}",
        simulated=about["simulated"],
        findings=tuple(chain.from_iterable(section.findings for section in sections)),
        sections=sections,
        differences=about["differences"],
        assumed=about["assumed"],
        rules=about["all_rules"],
    )
