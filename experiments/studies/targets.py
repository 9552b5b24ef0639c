"""Targets: bounds that a designer sets for measures of a game.

    [targets.seats]
    about = "no position at the table wins 2 points more than another"
    measure = "won by position"
    gap = 0.02

    [targets.contracts]
    measure = "made in all"
    where = { strategy = "allround", stake = 1 }
    least = 0.30
    most = 0.70

``measure`` names a measure of a run or of the game's report; ``where`` selects groups,
or cells (variant, lineup, players). Each selected group must lie between ``least`` and
``most``. Instead, ``gap`` bounds the difference of any two groups; ``of_all`` takes
groups as shares of their total (no pledge below 5 % of claims); ``quantile`` reads
groups that are numbers as a histogram (median length).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import polars as pl
from pydantic import Field, ValidationError, field_validator, model_validator

from experiments.core.cells import Cell, UsageError
from experiments.core.measures import measures_of, missing_words, refuse_even
from experiments.studies.study_short_forms import StudyTable
from reports.measures import SUM_TYPES, Measure, Statistic
from sim.parameters import nearest, no_such, one_of

CELL_COLUMNS = ("variant", "lineup", "players")
"""Columns of cells that ``where`` may name besides a measure's groups."""


class Target(StudyTable):
    """Bounds for one measure."""

    name: str
    measure: str = Field(min_length=1)
    about: str = ""
    kind: Statistic | None = None  # by default that of the measure
    where: dict[str, tuple[Any, ...]] = Field(default_factory=dict)
    least: float | None = None
    most: float | None = None
    gap: float | None = Field(None, gt=0)
    of_all: bool = False
    quantile: float | None = Field(None, gt=0, lt=1)  # 0.5 is the median
    ignore_below: int = Field(0, ge=0)  # groups with fewer counts are left out

    @field_validator("where", mode="before")
    @classmethod
    def _values(cls, given: Any) -> Any:
        """Return column -> values; a dotted key, as ``rules.life``, is one column."""
        if not isinstance(given, Mapping):
            raise ValueError('a table, such as { strategy = "random" }')
        values: dict[str, tuple[Any, ...]] = {}
        for key, value in given.items():
            if isinstance(value, Mapping):
                inner = cls._values(value)
                values |= {f"{key}.{name}": items for name, items in inner.items()}
            else:
                values[str(key)] = tuple(value) if isinstance(value, list) else (value,)
        return values

    @model_validator(mode="after")
    def _bounds(self) -> Self:
        """Refuse bounds that no result, or every result, would meet."""
        bounds = [self.least, self.most]
        if self.gap is None and bounds == [None, None]:
            raise ValueError("give least, most or both, or a gap.")
        others = bounds != [None, None] or self.of_all or self.quantile is not None
        if self.gap is not None and others:
            raise ValueError("gap allows no other bounds beside it.")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError(f"least {self.least:g} lies above most {self.most:g}.")
        if self.of_all and self.quantile is not None:
            raise ValueError("give of_all or quantile, not both.")
        return self

    @property
    def form(self) -> str:
        """How it is tested: "gap", "of all", "quantile" or "each"."""
        if self.gap is not None:
            return "gap"
        if self.quantile is not None:
            return "quantile"
        return "of all" if self.of_all else "each"

    def wanted(self, share: bool) -> str:
        """Return the bounds in words; ``share``: as percentages."""
        if self.gap is not None:
            unit = f"{100 * self.gap:g} points" if share else f"{self.gap:g}"
            return f"at most {unit} apart"
        scale, unit = (100, " %") if share else (1, "")
        ends = [
            None if e is None else f"{scale * e:g}" for e in (self.least, self.most)
        ]
        if ends[0] is None:
            return f"at most {ends[1]}{unit}"
        if ends[1] is None:
            return f"at least {ends[0]}{unit}"
        return f"{ends[0]} to {ends[1]}{unit}"

    def keep(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows that ``where`` selects; raises ``UsageError``."""
        for column, values in self.where.items():
            fixed = {"cell", *SUM_TYPES}
            self._check_column(column, [n for n in rows.columns if n not in fixed])
            labels = rows[column].cast(pl.String)
            self._check_values(column, values, labels)
            rows = rows.filter(labels.is_in([_text(value) for value in values]))
        return rows

    def check(
        self,
        cell: Cell,
        detailed: bool = True,
        design_points: pl.DataFrame | None = None,
    ) -> Measure:
        """Return the measure; ``design_points`` is the table of cells, if known.

        Raises ``UsageError`` for unknown names, and for a measure that is always even.
        """
        measures = measures_of(cell.game, detailed)
        if self.measure not in measures:
            reason = missing_words(self.measure, cell.game, detailed)
            raise UsageError(f"targets.{self.name}: {reason}")
        refuse_even(cell, self.measure, f"targets.{self.name}")
        declared = measures[self.measure]
        groups = declared.by
        if self.quantile is not None and len(groups) != 1:
            raise UsageError(
                f"targets.{self.name}: quantile needs a measure that counts games by "
                f"one number; {self.measure!r} is by {one_of(groups) or 'nothing'}."
            )
        if design_points is not None:
            cells = [name for name in design_points.columns if name != "cell"]
            for column, values in self.where.items():
                self._check_column(column, [*declared.by, *cells])
                if column in cells and column not in declared.by:
                    self._check_values(
                        column, values, design_points[column].cast(pl.String)
                    )
        return declared

    def _check_column(self, column: str, columns: Sequence[str]) -> None:
        if column not in columns:
            raise UsageError(
                f"targets.{self.name}: where: " + no_such("column", column, columns)
            )

    def _check_values(
        self, column: str, values: Sequence[Any], there: pl.Series
    ) -> None:
        labels = there.unique().drop_nulls().sort().to_list()
        for value in map(_text, values):
            if value not in labels:
                raise UsageError(
                    f"targets.{self.name}: where: {column} is never {value!r} in "
                    f"these games{nearest(value, labels)} There are: {one_of(labels)}."
                )


def parse(table: Mapping[str, Any]) -> list[Target]:
    """Return the targets of a table ``[targets]``; raises ``UsageError``."""
    if not isinstance(table, Mapping):
        raise UsageError("targets: a table; write [targets.NAME] above each.")
    return [_target(str(name), values) for name, values in table.items()]


def _target(name: str, values: Any) -> Target:
    place = f"targets.{name}"
    if not isinstance(values, Mapping):
        raise UsageError(f"{place}: a table with at least measure and a bound.")
    try:
        return Target.model_validate({**values, "name": name})
    except ValidationError as error:
        raise UsageError(f"{place}: {_explain(error)}") from None


def _explain(error: ValidationError) -> str:
    """Return the first mistake in words."""
    first = error.errors()[0]
    message = str(first["msg"]).removeprefix("Value error, ")
    if not first["loc"]:
        return message
    key = str(first["loc"][0])
    if first["type"] == "extra_forbidden":
        known = [name for name in Target.model_fields if name != "name"]
        return no_such("key", key, known)
    given = "" if first["type"] == "missing" else f", not {first['input']!r}"
    return f"{key}: {message[0].lower()}{message[1:]}{given}."


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def check(
    targets: Sequence[Target], cell: Cell, design_points: pl.DataFrame | None = None
) -> None:
    """Raise ``UsageError`` for targets with unknown names, before any game."""
    for target in targets:
        target.check(cell, design_points=design_points)
