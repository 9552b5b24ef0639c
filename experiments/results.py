"""Results of a run: sums on disk or in memory, and the tables made of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from experiments.blocks import add_up
from experiments.cells import Cell
from experiments.running import files
from experiments.running.prefix import Prefix
from reports import measures, sequential
from reports.measures import SUMS, Kind
from sim import games as registry
from sim.knobs import nearest, one_of

if TYPE_CHECKING:
    import pandas as pd


def nothing() -> pl.DataFrame:
    """The sums of no games."""
    numbers = dict.fromkeys(SUMS, pl.Float64)
    return pl.DataFrame(schema={"cell": pl.Int32, "measure": pl.String, **numbers})


@dataclass(frozen=True)
class Results:
    """What a run found.

    ``sums`` holds one row a cell, measure and group; ``games`` is the number of games
    of each cell that was asked for, ``played`` how many count: fewer where it was
    precise enough, none where the cell is in ``failures``, with the reason.
    ``manifest`` says what was run, where and how fast.
    """

    cells: Sequence[Cell]
    games: int
    sums: pl.DataFrame
    played: tuple[int, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    directory: Path | None = None
    failures: Mapping[int, str] = field(default_factory=dict)

    @property
    def measures(self) -> list[str]:
        """The names of what was measured."""
        return sorted(self.sums["measure"].unique())

    @property
    def looked(self) -> int | None:
        """Games at the first look of a run that could stop early; None for others.

        Intervals are then the wider ones of ``reports.sequential``, which stay valid
        however often one looks.
        """
        stop = self.manifest.get("stop")
        if not stop:
            return None
        return int(stop.get("first", self.manifest["block"]))

    def estimates(
        self, measure: str, kind: Kind = "mean", level: float = 0.95
    ) -> pl.DataFrame:
        """A measure with intervals: a row a cell and group.

        Columns: cell, lineup, players, the groups, the sums, estimate, low, high,
        se, n. Raises KeyError with the nearest name.
        """
        if measure not in self.measures:
            raise KeyError(
                f"no measure {measure!r}{nearest(measure, self.measures)} "
                f"Measures: {one_of(self.measures)}."
            )
        part = self.sums.filter(pl.col("measure") == measure).drop("measure")
        part = part.select(
            name for name in part.columns if part[name].null_count() < part.height
        )
        found = pl.concat(self._estimates(part, kind, level))
        names = pl.DataFrame(
            {
                "cell": pl.Series(range(len(self.cells)), dtype=pl.Int32),
                "lineup": [cell.title() for cell in self.cells],
                "players": [cell.players for cell in self.cells],
            }
        )
        groups = [n for n in part.columns if n not in {*SUMS, "cell"}]
        joined = names.join(found, on="cell", how="right")
        return joined.select(
            "cell", "lineup", "players", *groups, *SUMS,
            "estimate", "low", "high", "se", "n",
        ).sort("cell", *groups)  # fmt: skip

    def _estimates(
        self, part: pl.DataFrame, kind: Kind, level: float
    ) -> Iterator[pl.DataFrame]:
        """The same for the cells of which as many games count."""
        for games in dict.fromkeys(self.played):
            cells = [n for n, played in enumerate(self.played) if played == games]
            rows = part.filter(pl.col("cell").is_in(cells))
            if self.looked is None or games < self.looked:
                yield measures.estimates(rows, games, kind, level)
            else:
                yield sequential.estimates(rows, games, kind, level, first=self.looked)

    def to_polars(self, by: Literal["strategy", "seat"] = "strategy") -> pl.DataFrame:
        """Win share, and the mean of each final number, by strategy or by seat."""
        table = self._named(f"won by {by}", "rate", "won")
        for name in self.measures:
            number, _, group = name.partition(" by ")
            if group == by and number != "won":
                part = self._named(name, "mean", number)
                table = table.join(part, on=["cell", "lineup", "players", by])
        return table

    def _named(self, measure: str, kind: Kind, name: str) -> pl.DataFrame:
        found = self.estimates(measure, kind)
        groups = [n for n in found.columns if n not in {*SUMS, "se", "n"}]
        return found.select(groups).rename(
            {"estimate": name, "low": f"{name}_low", "high": f"{name}_high"}
        )

    def to_pandas(self, by: Literal["strategy", "seat"] = "strategy") -> "pd.DataFrame":
        """The same as a pandas frame."""
        return self.to_polars(by).to_pandas()

    def scan(self, table: str) -> pl.LazyFrame:
        """A raw table that was kept, with a column ``cell``, read as it is needed.

        Only games that count are in it. Words are text, for the lists of words of two
        cells may differ. Raises KeyError where the table was not kept.
        """
        folder = None if self.directory is None else self.directory / "tables" / table
        if folder is None or not folder.is_dir():
            raise KeyError(f"table {table!r} was not kept; run with tables=[{table!r}]")
        paths: dict[int, list[Path]] = {}
        for cell, path in files.counted(folder, self.played):
            paths.setdefault(cell, []).append(path)
        if not paths:
            raise KeyError(f"table {table!r} is empty: no game wrote it.")
        words = pl.selectors.enum()
        parts = [pl.scan_parquet(part) for part in paths.values()]
        return pl.concat(
            [part.with_columns(words.cast(pl.String)) for part in parts],
            how="diagonal_relaxed",
        )

    def raw(self, table: str) -> pl.DataFrame:
        """The same, read at once."""
        return self.scan(table).collect()

    def _repr_html_(self) -> str:
        return str(self.to_polars()._repr_html_())


def load(directory: Path) -> Results:
    """The results of a run from its directory; raises ``UsageError``, ``RunFailed``.

    Of a run that is not finished: those of the games that are finished without a gap,
    from the first on (``manifest`` then lacks "finished").
    """
    manifest = files.manifest_of(directory)
    cells = tuple(
        _cell(told, names["specs"], names["label"])
        for told, names in zip(manifest["cells"], manifest["names"], strict=True)
    )
    if manifest.get("finished"):
        sums = files.read(directory / "sums.parquet", manifest["fingerprint"])
        played, failures = tuple(manifest["played"]), manifest["failures"]
    else:
        sums, played = _so_far(directory, manifest)
        failures = {}
    return Results(
        cells,
        manifest["games"],
        sums,
        played,
        manifest,
        directory,
        {int(cell): why for cell, why in failures.items()},
    )


def _so_far(
    directory: Path, manifest: Mapping[str, Any]
) -> tuple[pl.DataFrame, tuple[int, ...]]:
    prefixes = [
        Prefix(cell, manifest["games"], manifest["block"], None)
        for cell in range(len(manifest["cells"]))
    ]
    for prefix in prefixes:
        for block in prefix.blocks():
            path = directory / "blocks" / files.name_of(block)
            if not path.exists():
                break
            prefix.add(block, partial(files.read, path, manifest["fingerprint"]))
    parts = [prefix.sums for prefix in prefixes if prefix.sums is not None]
    played = tuple(prefix.games for prefix in prefixes)
    return (add_up(parts) if parts else nothing()), played


def _cell(told: Mapping[str, Any], specs: Sequence[str], label: str) -> Cell:
    """A cell as a manifest tells it; its strategies by name."""
    beside = told.get("beside")
    return Cell(
        told["game"],
        registry.load(told["game"]).rules.of(told["rules"]),
        told["players"],
        tuple(specs),
        told["rotate"],
        told["seed"],
        label,
        tuple(one["strategy"] for one in told["against"]),
        beside=beside and _cell(beside, beside["lineup"], ""),
    )
