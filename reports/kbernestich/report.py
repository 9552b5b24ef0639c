"""The report of Kbernestich: what was simulated, the findings, and the sections."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from reports import building
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
    """Make the report of a run, as ``reports.building`` does."""
    spelt = {**about, "assumed": _spelt(about["assumed"], about["rules"])}
    return building.build("Kbernestich", SECTIONS, sums, cells, spelt)


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
