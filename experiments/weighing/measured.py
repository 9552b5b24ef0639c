"""What there is to measure of a cell: each measure's name, groups and kind.

A measure says what it sums, not whether the ratio is a share, a mean or a count; the
tables of a few games tell: a share counts rows where something is true, a count counts
rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import polars as pl

from experiments.blocks import Block, about, record
from experiments.cells import Cell
from experiments.weighing.pairing import measures, report
from reports.measures import SUMS, Kind, Measure

_FEW = 64  # games that are played to see what the tables hold
_ONE = pl.lit(1)
DECIDED = "decided"


@dataclass(frozen=True)
class Known:
    """A measure as a user may name it."""

    name: str
    by: tuple[str, ...]
    kind: Kind
    report: bool = True  # of the game's report, not of every run's summary
    dense: bool = (
        False  # known by runs of games only (``experiments.weighing.pairing``)
    )
    times: int = 1  # a dense mean times this is the number a game

    @property
    def share(self) -> bool:
        """Whether it is a share: of rows, or of games (each is decided once)."""
        return self.kind == "rate" or self.name == DECIDED


def known(cell: Cell, detailed: bool = True) -> Mapping[str, Known]:
    """Every measure of a cell by name; ``detailed`` with those of the game's report."""
    return _known(replace(cell, beside=None, against=(), label="", seed=0), detailed)


def words(frame: pl.DataFrame, by: Sequence[str]) -> pl.Series:
    """The groups of each row in words: ``week 1, target 3``."""
    rows = frame.select(by).rows() if by else [()] * frame.height
    texts = [
        ", ".join(f"{name} {value}" for name, value in zip(by, row, strict=True))
        for row in rows
    ]
    return pl.Series("group", texts, dtype=pl.String)


@lru_cache(maxsize=32)
def _known(cell: Cell, detailed: bool) -> Mapping[str, Known]:
    study = report(cell.game) if detailed else None
    names = () if study is None else study.RAW
    few = Block(0, 0, _FEW)
    played, raw = record(cell, few, tuple(dict.fromkeys([*names, "result"])), [])
    tables = {"result": raw["result"]}
    found: dict[str, Known] = {}
    if study is not None:
        told = about(cell, played)
        tables = {**study.tidy(raw, told), **tables}
        for frame in study.grids(raw, told):
            by = tuple(n for n in frame.columns if n not in {*SUMS, "measure"})
            for [name], part in frame.group_by("measure", maintain_order=True):
                found[str(name)] = Known(
                    str(name), by, "mean", True, True, _times(part)
                )
    ends = {measure.name for measure in measures(cell, None)}
    for measure in measures(cell, study):
        kind = _kind(measure, tables[measure.table])
        found[measure.name] = Known(
            measure.name, measure.by, kind, measure.name not in ends
        )
    return found


def _times(part: pl.DataFrame) -> int:
    """How often a game is counted, where that is the same for every group."""
    least, most = part.select(least=pl.col("x").min(), most=pl.col("x").max()).row(0)
    times = least / _FEW
    return int(times) if least == most and times == int(times) and times > 1 else 1


def _kind(measure: Measure, table: pl.DataFrame) -> Kind:
    """A count, a share, or a mean."""
    if not measure.per.meta.eq(_ONE):
        return "mean"
    if measure.value.meta.eq(_ONE):
        return "per_game"
    lazy = table.lazy().with_columns(measure.derive)
    values = lazy.select(value=measure.value).collect_schema()["value"]
    return "rate" if values == pl.Boolean else "mean"
