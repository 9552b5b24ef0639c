"""The report of Kbernestich: what was simulated, the findings, and the sections."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import polars as pl

from reports.found import CELL, Found
from reports.kbernestich import (
    bids,
    busts,
    colours,
    course,
    economy,
    schools,
    seats,
    squares,
    trumps,
)
from reports.page import Report

SECTIONS = (
    seats, trumps, economy, squares, bids, colours, busts, course, schools,
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
        title="Kbernestich: balance report",
        subtitle=f"{cells.height * about['games']:,} games of fairdeal "
        f"{about['version']}, seed {about['seed']}",
        simulated=about["simulated"],
        findings=tuple(chain.from_iterable(section.findings for section in sections)),
        sections=sections,
        differences=about["differences"],
        assumed=_spelt(about["assumed"], about["rules"]),
        rules=about["all_rules"],
    )


def _spelt(
    assumed: Sequence[tuple[str, ...]], rules: Mapping[str, Any]
) -> tuple[tuple[str, ...], ...]:
    """The assumed values, with those that differ by the number of players in full."""
    letters = "; ".join(
        f"{row['id']} players: to Marie {', '.join(map(str, row['marie_to']))}"
        for row in rules["by_players"]
    )
    return tuple(
        (name, letters if name == "by_players" else value, why)
        for name, value, why in assumed
    )
