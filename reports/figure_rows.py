"""Reading tables for figures: their groups, the order of their rows, their numbers."""

from collections.abc import Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray


def groups_of(table: pl.DataFrame, by: str | None) -> dict[Any, pl.DataFrame]:
    """Split the rows by group, with groups in the order of the table."""
    if by is None:
        return {"all": table}
    split = table.partition_by(by, maintain_order=True, as_dict=True)
    return {name: part for (name,), part in split.items()}


def places_of(table: pl.DataFrame, column: str, order: list[Any]) -> NDArray[np.int64]:
    """Return the index of each row's value in ``order``."""
    return np.array([order.index(value) for value in table[column]], dtype=np.int64)


def values_of(table: pl.DataFrame, column: str) -> list[Any]:
    """Return the distinct values of a column, in the order of the table."""
    return table[column].unique(maintain_order=True).to_list()


def rows_of(
    table: pl.DataFrame, label: str, groups: Mapping[Any, pl.DataFrame]
) -> list[Any]:
    """Return the labels in an order that agrees with the order within each group.

    So the last of three players comes after the fourth of five. If that leaves a
    choice, or if groups contradict one another, the order of the table decides.
    """
    rows = values_of(table, label)
    after = TopologicalSorter(dict.fromkeys(rows, ()))
    for part in groups.values():
        for before, row in pairwise(values_of(part, label)):
            after.add(row, before)
    with suppress(CycleError):
        after.prepare()
        ordered, ready = [], set[Any]()
        while after.is_active():
            ready.update(after.get_ready())
            ordered.append(min(ready, key=rows.index))
            ready.remove(ordered[-1])
            after.done(ordered[-1])
        return ordered
    return rows


def numbers_of(table: pl.DataFrame, column: str) -> NDArray[np.float64]:
    """Read a column as floats, null as nan."""
    return table[column].cast(pl.Float64).to_numpy()
