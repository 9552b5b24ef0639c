"""Reading tables to be drawn: their groups, their rows in order, their numbers."""

from collections.abc import Mapping
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray


def groups_of(table: pl.DataFrame, by: str | None) -> dict[Any, pl.DataFrame]:
    """Split the rows by group, groups in the order of the table."""
    if by is None:
        return {"all": table}
    split = table.partition_by(by, maintain_order=True, as_dict=True)
    return {name: part for (name,), part in split.items()}


def places_of(table: pl.DataFrame, column: str, order: list[Any]) -> NDArray[np.int64]:
    """Tell where each row's value stands in `order`."""
    return np.array([order.index(value) for value in table[column]], dtype=np.int64)


def values_of(table: pl.DataFrame, column: str) -> list[Any]:
    """The different values of a column, in the order of the table."""
    return table[column].unique(maintain_order=True).to_list()


def rows_of(
    table: pl.DataFrame, label: str, groups: Mapping[Any, pl.DataFrame]
) -> list[Any]:
    """The labels, as each group has them one after the other.

    The last of three players comes so after the fourth of five. In the order of the
    table, where that leaves a choice, or where groups contradict one another.
    """
    rows = values_of(table, label)
    after = TopologicalSorter(dict.fromkeys(rows, ()))
    for part in groups.values():
        for before, row in pairwise(values_of(part, label)):
            after.add(row, before)
    with suppress(CycleError):
        after.prepare()
        found, ready = [], set[Any]()
        while after.is_active():
            ready.update(after.get_ready())
            found.append(min(ready, key=rows.index))
            ready.remove(found[-1])
            after.done(found[-1])
        return found
    return rows


def numbers_of(table: pl.DataFrame, column: str) -> NDArray[np.float64]:
    """Read a column as floats, null as nan."""
    return table[column].cast(pl.Float64).to_numpy()
