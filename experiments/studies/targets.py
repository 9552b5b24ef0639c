"""Targets: what a designer wants of a game, and whether the results keep to it.

    [targets.seats]
    about = "no position at the table wins 2 points more than another"
    measure = "won by position"
    gap = 0.02

    [targets.contracts]
    measure = "made in all"
    where = { strategy = "allround", stake = 1 }
    least = 0.30
    most = 0.70

``measure`` names a measure of a run or of the game's report; ``where`` keeps some of
its groups, cells too (variant, lineup, players). Each of the groups that are left has
to lie from ``least`` to ``most``. Instead, ``gap`` bounds the difference between any
two of them; ``of_all`` makes each a share of their total (no pledge below 5 % of
claims); ``quantile`` reads groups that are numbers as a histogram (median length).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from experiments.core.cells import Cell, UsageError
from experiments.core.measures import known, missing, refuse_even
from reports.measures import KINDS, SUMS, Measure, Statistic
from sim.parameters import nearest, one_of

CELL_COLUMNS = ("variant", "lineup", "players")
"""Columns of cells that ``where`` may name beside a measure's groups."""
_KEYS = (
    "about",
    "measure",
    "kind",
    "where",
    "least",
    "most",
    "gap",
    "of_all",
    "quantile",
    "ignore_below",
)


@dataclass(frozen=True)
class Target:
    """What is wanted of one measure."""

    name: str
    measure: str
    about: str = ""
    kind: Statistic | None = None  # as the measure is, where nothing is said
    where: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    least: float | None = None
    most: float | None = None
    gap: float | None = None
    of_all: bool = False
    quantile: float | None = None
    ignore_below: int = 0  # counts behind a group

    @property
    def form(self) -> str:
        """How it is judged: gap, of all, quantile or each."""
        if self.gap is not None:
            return "gap"
        if self.quantile is not None:
            return "quantile"
        return "of all" if self.of_all else "each"

    def wanted(self, share: bool) -> str:
        """What is wanted, in words."""
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
        """The rows that are meant; raises ``UsageError`` where ``where`` names none."""
        for column, values in self.where.items():
            taken = {"cell", *SUMS}
            self._check_column(column, [n for n in rows.columns if n not in taken])
            there = rows[column].cast(pl.String)
            self._check_values(column, values, there)
            rows = rows.filter(there.is_in([_text(value) for value in values]))
        return rows

    def check(
        self,
        cell: Cell,
        detailed: bool = True,
        design_points: pl.DataFrame | None = None,
    ) -> Measure:
        """The measure; raises ``UsageError`` where there is nothing of these names.

        And where it is even under any rules. ``design_points`` says what cells stand
        for, before they are played.
        """
        measures = known(cell.game, detailed)
        if self.measure not in measures:
            text = missing(self.measure, cell.game, detailed)
            raise UsageError(f"targets.{self.name}: {text}")
        refuse_even(cell, self.measure, f"targets.{self.name}")
        what = measures[self.measure]
        if self.quantile is not None and len(what.by) != 1:
            raise UsageError(
                f"targets.{self.name}: quantile needs a measure that counts games by "
                f"one number; {self.measure!r} is by {one_of(what.by) or 'nothing'}."
            )
        if design_points is not None:
            cells = [name for name in design_points.columns if name != "cell"]
            for column, values in self.where.items():
                self._check_column(column, [*what.by, *cells])
                if column in cells and column not in what.by:
                    self._check_values(
                        column, values, design_points[column].cast(pl.String)
                    )
        return what

    def _check_column(self, column: str, columns: Sequence[str]) -> None:
        if column not in columns:
            raise UsageError(
                f"targets.{self.name}: where: no column {column!r}"
                f"{nearest(column, columns)} Allowed: {one_of(columns)}."
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
    """The targets of a table ``[targets]``; raises ``UsageError``."""
    if not isinstance(table, Mapping):
        raise UsageError("targets: a table; write [targets.NAME] above each.")
    return [_target(str(name), values) for name, values in table.items()]


def _target(name: str, values: Any) -> Target:
    place = f"targets.{name}"
    if not isinstance(values, Mapping):
        raise UsageError(f"{place}: a table with at least measure and a bound.")
    for key in values:
        if key not in _KEYS:
            raise UsageError(
                f"{place}: no key {key!r}{nearest(key, _KEYS)} "
                f"Allowed: {one_of(_KEYS)}."
            )
    measure = values.get("measure")
    if not isinstance(measure, str) or not measure:
        raise UsageError(f'{place}: name a measure, as in measure = "won by position".')
    found = Target(
        name,
        measure,
        _typed(place, values, "about", str, ""),
        _kind(place, values.get("kind")),
        _where(place, values.get("where", {})),
        _number(place, values, "least"),
        _number(place, values, "most"),
        _number(place, values, "gap"),
        _typed(place, values, "of_all", bool, False),
        _number(place, values, "quantile"),
        _typed(place, values, "ignore_below", int, 0),
    )
    _check_bounds(place, found)
    return found


def _check_bounds(place: str, target: Target) -> None:
    """Refuse targets that no result, or every result, would keep to."""
    bounds = [target.least, target.most]
    if target.gap is None and bounds == [None, None]:
        raise UsageError(f"{place}: give least, most or both, or a gap.")
    if target.gap is not None:
        if bounds != [None, None] or target.of_all or target.quantile is not None:
            raise UsageError(f"{place}: gap stands alone, without other bounds.")
        if target.gap <= 0:
            raise UsageError(f"{place}: gap: above 0, not {target.gap:g}.")
    least, most = bounds
    if least is not None and most is not None and least > most:
        raise UsageError(f"{place}: least {least:g} lies above most {most:g}.")
    if target.quantile is not None and not 0 < target.quantile < 1:
        raise UsageError(f"{place}: quantile: between 0 and 1; 0.5 is the median.")
    if target.of_all and target.quantile is not None:
        raise UsageError(f"{place}: of_all or quantile, not both.")
    if target.ignore_below < 0:
        raise UsageError(f"{place}: ignore_below: 0 or more.")


def _kind(place: str, given: Any) -> Statistic | None:
    if given is None:
        return None
    if given not in KINDS:
        raise UsageError(f"{place}: no kind {given!r}. Allowed: {one_of(KINDS)}.")
    kind: Statistic = given
    return kind


def _where(place: str, given: Any) -> dict[str, tuple[Any, ...]]:
    """Column -> values; a key with dots, as ``rules.life``, is one column."""
    if not isinstance(given, Mapping):
        raise UsageError(f'{place}: where is a table, as in {{ strategy = "random" }}.')
    found: dict[str, tuple[Any, ...]] = {}
    for key, value in given.items():
        if isinstance(value, Mapping):
            inner = _where(place, value)
            found |= {f"{key}.{name}": values for name, values in inner.items()}
        else:
            found[str(key)] = tuple(value) if isinstance(value, list) else (value,)
    return found


def _number(place: str, values: Mapping[str, Any], key: str) -> float | None:
    value = values.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{place}: {key} is a number, not {value!r}.")
    return float(value)


def _typed(
    place: str, values: Mapping[str, Any], key: str, kind: type, default: Any
) -> Any:
    value = values.get(key, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        words = {str: "a text", bool: "true or false", int: "a whole number"}[kind]
        raise UsageError(f"{place}: {key} is {words}, not {value!r}.")
    return value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def check(
    targets: Sequence[Target], cell: Cell, design_points: pl.DataFrame | None = None
) -> None:
    """Refuse targets that name what there is not, before anything is played."""
    for target in targets:
        target.check(cell, design_points=design_points)
