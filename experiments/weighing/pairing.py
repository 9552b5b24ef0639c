"""Two cells on the same games: sums of both sides, and of their products.

A difference is estimated far better where both sides play the same games (common
random numbers), if what belongs together stays together: the numbers of game 4711 on
one side and of game 4711 on the other are joined where they are made, in the worker,
and only sums leave it. So memory does not grow with the number of games.

The sums of a measure and group are rows with a ``side``:

    one          those of ``reports.measures`` on the first side
    other        the same on the second
    one x other  sums over games of products: yy = y of one * y of the other, xx = x *
                 x, xy = x of one * y of the other; games = games with it on both sides
    other x one  the same with the sides changed: xy = x of the other * y of one;
                 games = games that came out differently

By strategy means by role: the place in the lineup, ``planner -> greedy`` where the two
sides have different strategies there (of the game's end; a report goes by names).

A game's report may sum things up densely (``grids``), without a number for each game.
There, runs of ``SLICE`` games stand in for single games: they are as independent.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import polars as pl

from experiments.blocks import Block, about, record
from experiments.cells import Cell, Played
from experiments.weighing import endings
from reports.measures import SUMS, Measure, per_game
from sim import games as registry

SLICE = 128
"""Games in a run of them, where a report has no numbers for single games."""
SIDES = ("one", "other", "one x other", "other x one")

Raw = Mapping[str, pl.DataFrame]


@dataclass(frozen=True)
class _Side:
    """What one side of a block has to be paired."""

    tables: Raw  # by name, for measures
    slices: pl.DataFrame  # measure, slice, groups, y, x


def side_by_side(
    one: Cell, other: Cell, block: Block, detailed: bool
) -> tuple[Played, pl.DataFrame]:
    """Play the block's games on both sides; return who played, and the sums.

    ``detailed`` takes the measures of the game's report too, where it has one.
    """
    study = report(one.game) if detailed else None
    roles = endings.roles(one, other)
    played, first = _side(one, block, study, roles)
    _, second = _side(other, block, study, roles)
    parts = [
        products(
            _cells(measure, first.tables), _cells(measure, second.tables), measure.by
        ).with_columns(measure=pl.lit(measure.name))
        for measure in measures(one, study)
    ]
    parts += _dense(first.slices, second.slices)
    return played, pl.concat(parts, how="diagonal")


def report(game: str) -> ModuleType | None:
    """What the report of a game measures; none where the game has no report."""
    name = f"reports.{game}"
    if find_spec(name) is None or find_spec(f"{name}.measures") is None:
        return None
    return import_module(f"{name}.measures")


def measures(cell: Cell, study: ModuleType | None) -> list[Measure]:
    """The measures of a cell: of the end of its games, then those of the report."""
    end = endings.measures(registry.load(cell.game))
    names = {measure.name for measure in end}
    more = [] if study is None else study.MEASURES
    return [*end, *(measure for measure in more if measure.name not in names)]


def products(
    one: pl.DataFrame, other: pl.DataFrame, by: Iterable[str] = (), key: str = "game"
) -> pl.DataFrame:
    """Sums of both sides and of their products, a row a side and group.

    one, other: a row a ``key`` and group, with y and x. A group that a game lacks on
    one side counts as 0 there.
    """
    groups = list(by)
    both = one.join(
        other, on=[key, *groups], how="full", coalesce=True, nulls_equal=True,
        suffix="_other",
    ).sort(key)  # fmt: skip
    y, x = pl.col("y").fill_null(0), pl.col("x").fill_null(0)
    v, u = pl.col("y_other").fill_null(0), pl.col("x_other").fill_null(0)
    none, common = pl.lit(0.0), (x != 0) & (u != 0)
    differ = (x != u) | (y != v)
    sides = {
        "one": (y, x, y * y, x * x, x * y, x != 0),
        "other": (v, u, v * v, u * u, u * v, u != 0),
        "one x other": (none, none, y * v, x * u, x * v, common),
        "other x one": (none, none, y * v, x * u, u * y, differ),
    }
    totals = [
        value.sum().cast(pl.Float64).alias(f"{side}/{name}")
        for side, values in sides.items()
        for name, value in zip(SUMS, values, strict=True)
    ]
    ordered = both["y"].dtype.is_float()  # fractions: always added in the same order
    by_group = both.group_by(groups, maintain_order=ordered)
    wide = by_group.agg(totals) if groups else both.select(totals)
    return pl.concat(
        wide.select(
            *groups,
            *(pl.col(f"{side}/{name}").alias(name) for name in SUMS),
            side=pl.lit(side),
        )
        for side in sides
    )


def _side(
    cell: Cell, block: Block, study: ModuleType | None, roles: list[str]
) -> tuple[Played, _Side]:
    names = () if study is None else study.RAW
    played, raw = record(cell, block, tuple(dict.fromkeys([*names, "result"])), [])
    result = endings.results(raw["result"], cell, roles)
    if study is None:
        return played, _Side({"result": result}, pl.DataFrame())
    told = about(cell, played)
    tables = {**study.tidy(raw, told), "result": result}
    parts = [
        frame.with_columns(slice=pl.lit(number, dtype=pl.Int64))
        for number, part in _sliced(raw)
        for frame in study.grids(part, told)
    ]
    slices = pl.concat(parts, how="diagonal") if parts else pl.DataFrame()
    return played, _Side(tables, slices)


def _sliced(raw: Raw) -> Iterator[tuple[int, Raw]]:
    """The raw tables of each run of ``SLICE`` games."""
    number = (pl.col("game") // SLICE).cast(pl.Int64).alias("slice")
    parts = {
        name: frame.with_columns(number).partition_by(
            "slice", maintain_order=True, as_dict=True, include_key=False
        )
        for name, frame in raw.items()
    }
    for key in sorted(parts["result"]):
        part = {name: tables[key] for name, tables in parts.items() if key in tables}
        yield int(str(key[0])), part


def _cells(measure: Measure, tables: Raw) -> pl.DataFrame:
    """Numbers by game and group, the groups as both sides know them."""
    return _known(per_game(measure, tables[measure.table]))


def _known(frame: pl.DataFrame) -> pl.DataFrame:
    """Groups as text or whole numbers: the sides may have vocabularies of their own."""
    groups = [name for name in frame.columns if name not in {*SUMS, "game"}]
    schema = frame.schema
    texts = [n for n in groups if isinstance(schema[n], pl.Enum | pl.Categorical)]
    numbers = [name for name in groups if schema[name].is_integer()]
    return frame.with_columns(
        pl.col(texts).cast(pl.String), pl.col(numbers).cast(pl.Int64)
    )


def _dense(one: pl.DataFrame, other: pl.DataFrame) -> list[pl.DataFrame]:
    """The products of what is known by runs of games only."""
    if one.is_empty() or other.is_empty():
        return []
    sides = [
        frame.select(pl.exclude(*(set(SUMS) - {"y", "x"}))).pipe(_known)
        for frame in (one, other)
    ]
    together = pl.concat([side.clear() for side in sides], how="diagonal")
    keys = [name for name in together.columns if name not in {"slice", "y", "x"}]
    first, second = (pl.concat([together, side], how="diagonal") for side in sides)
    return [products(first, second, by=keys, key="slice")]
