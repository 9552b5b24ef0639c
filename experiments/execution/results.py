"""Results of a run: sums on disk or in memory, and the tables made of them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from experiments.core.blocks import add_up
from experiments.core.cells import Cell, Pair
from experiments.core.measures import described, kind_of, known, missing
from experiments.execution import manifests, shape, stored
from experiments.execution.disk import Unfit
from experiments.execution.prefix import Prefix
from reports.measures import ESTIMATES, SUMS, Statistic
from reports.statistics import extremes, sequential
from reports.statistics.estimates import estimates
from reports.statistics.extremes import Gap
from sim import games as registry

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


By = Literal["strategy", "position", "seat"]
POSITION = "position"
_WHO = ("cell", "lineup", "players")


def nothing() -> pl.DataFrame:
    """The sums of no games."""
    numbers = dict.fromkeys(SUMS, pl.Float64)
    return pl.DataFrame(schema={"cell": pl.Int32, "measure": pl.String, **numbers})


@dataclass(frozen=True)
class Results:
    """What a run found.

    ``sums`` holds one row a cell, measure and group; ``games`` is the number of games
    of each cell that was asked for, or the most of them, ``played`` how many count:
    fewer where it was precise enough, none where the cell is in ``failures``, with the
    reason.
    ``manifest`` says what was run, where and how fast.
    """

    cells: Sequence[Cell | Pair]
    games: int
    sums: pl.DataFrame
    played: tuple[int, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    directory: Path | None = None
    failures: Mapping[int, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of what was measured."""
        return sorted(self.sums["measure"].unique())

    @property
    def measures(self) -> pl.DataFrame:
        """What was measured: name, meaning, kind, unit, groups (in words)."""
        every = known(self.cells[0].game)
        return described(every[name] for name in self.names if name in every)

    def __getitem__(self, measure: str) -> pl.DataFrame:
        """A measure with its intervals: who played, groups, estimate, low, high, n.

        Positions are in words. Raises KeyError, which says how to get what is missing.
        """
        found = self.estimates(measure)
        several = [name for name in ("lineup", "players") if found[name].n_unique() > 1]
        groups = [n for n in found.columns if n not in {*_WHO, *SUMS, *ESTIMATES}]
        return found.select(
            *several,
            *(self._positions(found) if n == POSITION else pl.col(n) for n in groups),
            "estimate",
            "low",
            "high",
            "n",
        )

    def _positions(self, found: pl.DataFrame) -> pl.Series:
        """The position of each row in the rulebook's words."""
        game = registry.load(self.cells[0].game)
        pairs = found.select(POSITION, "players").rows()
        words = [registry.positions(game, players)[at - 1] for at, players in pairs]
        return pl.Series(POSITION, words, dtype=pl.String)

    def plot(self, measure: str) -> "Figure":
        """Draw a measure: a dot a group, with its interval; raises KeyError."""
        from reports import figures

        table, what = self[measure], known(self.cells[0].game)[measure]
        values = [name for name in table.columns if name not in ESTIMATES]
        label = (
            pl.concat_str(pl.col(values), separator=", ") if values else pl.lit("all")
        )
        return figures.dots(
            table.with_columns(label=label),
            "label",
            "estimate",
            "low",
            "high",
            title=measure,
            xlabel=f"{what.doc}, 95 % interval by game",
        )

    def __repr__(self) -> str:
        """Three lines: what was played, who won, and what more there is."""
        cell, games = self.cells[0], sum(self.played)
        players = ", ".join(map(str, sorted({one.players for one in self.cells})))
        who = {one.title for one in cell.strategies()}
        said = f"{who.pop()} in every seat" if len(who) == 1 else cell.title()
        said = said if len(self.cells) == 1 else f"{len(self.cells)} cells"
        differ = cell.rules.differences().items()
        changed = ", ".join(f"{key}={value}" for key, (_, value) in differ)
        if any(one.rules != cell.rules for one in self.cells):
            changed = "rules that differ"
        return "\n".join(
            [
                f"{cell.game}, {players} players, {said}: {games:,} games, "
                f"seed {cell.seed}, {changed or 'base rules'}",
                self._leading(),
                f"{len(self.names)} measures: see .measures, [name], .plot(name)",
            ]
        )

    def _leading(self) -> str:
        """Who won, by strategy; by position where one strategy has every seat."""
        alone = len(set(self.cells[0].strategies())) == 1
        name = f"won by {'position' if alone else 'strategy'}"
        if name not in self.names:
            return "nothing was won"
        many = self.estimates(name)["cell"].to_list().count(0)
        rows = self[name].rows(named=True)[:many]
        label = name.removeprefix("won by ")
        shares = (
            f"{row[label]} {100 * row['estimate']:.1f} % "
            f"[{100 * row['low']:.1f}, {100 * row['high']:.1f}]"
            for row in rows
        )
        first = "" if len(self.cells) == 1 else "in the first cell, "
        return f"{first}{name}: {', '.join(shares)}"

    @property
    def looked(self) -> int | None:
        """Games at the first look of a run that could stop early; None for others.

        Intervals are then the wider ones of ``statistics.sequential``, which stay valid
        however often one looks.
        """
        stop = self.manifest.get("stop")
        if not stop:
            return None
        first = stop.get("first") if isinstance(stop, Mapping) else None
        return int(first or self.manifest["block"])

    def estimates(
        self, measure: str, kind: Statistic | None = None, level: float = 0.95
    ) -> pl.DataFrame:
        """A measure with intervals, of its own kind: a row a cell and group.

        Columns: cell, lineup, players, the groups, the sums, estimate, low, high,
        se, n. Raises KeyError with the nearest name.
        """
        if measure not in self.names:
            game, detailed = self.cells[0].game, self.manifest.get("detailed", True)
            raise KeyError(missing(measure, game, bool(detailed)))
        kind = kind or kind_of(self.cells[0].game, measure)
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
            "cell",
            "lineup",
            "players",
            *groups,
            *SUMS,
            "estimate",
            "low",
            "high",
            "se",
            "n",
        ).sort("cell", *groups)

    def _estimates(
        self, part: pl.DataFrame, kind: Statistic, level: float
    ) -> Iterator[pl.DataFrame]:
        """Estimates of a measure, in parts: of cells of which as many games count."""
        for games in dict.fromkeys(self.played):
            cells = [n for n, played in enumerate(self.played) if played == games]
            rows = part.filter(pl.col("cell").is_in(cells))
            if self.looked is None or games < self.looked:
                yield estimates(rows, kind, games, level)
            else:
                yield sequential.estimates(rows, games, kind, level, first=self.looked)

    def gap(self, cell: int = 0, level: float = 0.95) -> Gap:
        """How much more the best position wins than the worst, in shares of the games.

        Of one cell; corrected for being the largest and the smallest of several
        (``reports.statistics.extremes``). Raises KeyError where nobody won.
        """
        rows = self.estimates("won by position").filter(cell=cell)
        games = self.played[cell]
        wide = 1.0
        if self.looked is not None and games >= self.looked:
            wide = float(sequential.multiplier(games / self.looked))
            wide /= NormalDist().inv_cdf((1 + level) / 2)
        return extremes.of_shares(rows["estimate"].to_numpy(), games, level, wide)

    def to_polars(self, by: By = "strategy") -> pl.DataFrame:
        """Win share, and the mean of each final number, by seat or what else."""
        table = self._named(f"won by {by}", "won")
        for name in self.names:
            number, _, group = name.partition(" by ")
            if group == by and number != "won":
                part = self._named(name, number)
                table = table.join(part, on=["cell", "lineup", "players", by])
        return table

    def _named(self, measure: str, name: str) -> pl.DataFrame:
        found = self.estimates(measure)
        groups = [n for n in found.columns if n not in {*SUMS, "se", "n"}]
        return found.select(groups).rename(
            {"estimate": name, "low": f"{name}_low", "high": f"{name}_high"}
        )

    def to_pandas(self, by: By = "strategy") -> "pd.DataFrame":
        """What ``to_polars`` has, as a pandas frame."""
        return self.to_polars(by).to_pandas()

    def scan(self, table: str) -> pl.LazyFrame:
        """A raw table that was kept, with a column ``cell``, read as it is needed.

        Only games that count are in it. Words are text, for the lists of words of two
        cells may differ. Raises KeyError where the table was not kept, ``RunFailed``
        where a file of it is missing or not as it was written.
        """
        if self.directory is None or table not in self.manifest["tables"]:
            raise KeyError(f"table {table!r} was not kept; run with tables=[{table!r}]")
        paths: dict[int, list[Path]] = {}
        there = stored.raw_files(self.directory, self.manifest, table, self.played)
        for cell, path in there:
            paths.setdefault(cell, []).append(path)
        if not paths:
            raise KeyError(f"table {table!r} is empty: no game wrote it.")
        parts = [_as_text(pl.scan_parquet(part)) for part in paths.values()]
        return pl.concat(parts, how="diagonal_relaxed")

    def raw(self, table: str) -> pl.DataFrame:
        """A raw table that was kept, read at once; raises as ``scan``."""
        return self.scan(table).collect()

    def _repr_html_(self) -> str:
        return str(self.to_polars()._repr_html_())


def _as_text(frame: pl.LazyFrame) -> pl.LazyFrame:
    """The frame with texts for words of a list."""
    words = [name for name, kind in frame.collect_schema().items() if kind == pl.Enum]
    return frame.with_columns(pl.col(words).cast(pl.String))


def load(directory: Path, playable: bool = False) -> Results:
    """The results of a run from its directory; raises ``UsageError``, ``RunFailed``.

    Of a run that is not finished: those of the games that are finished without a gap,
    from the first on (``manifest`` then lacks "finished"). Nothing that the directory
    names is loaded: strategies of cells are there by name only, unless ``playable``.
    """
    manifest = shape.manifest_of(directory)
    cells = manifests.cells_of(manifest, playable)
    if manifest.get("finished"):
        sums = stored.sums_of(directory, manifest)
        played, failures = tuple(manifest["played"]), manifest.get("failures", {})
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
        Prefix(cell, games, manifest["block"], None)
        for cell, games in enumerate(manifest["wanted"])
    ]
    for prefix in prefixes:
        with suppress(Unfit):
            for block in prefix.blocks():
                prefix.add(block, partial(stored.load, directory, manifest, block))
    parts = [prefix.sums for prefix in prefixes if prefix.sums is not None]
    played = tuple(prefix.games for prefix in prefixes)
    return (add_up(parts) if parts else nothing()), played
