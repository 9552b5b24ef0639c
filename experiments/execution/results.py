"""Results of a run: its sums, on disk or in memory, and tables made from them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

import sim.games
from experiments.core import control_variates
from experiments.core.cells import Cell, Pair, UsageError
from experiments.core.measures import kind_of, measure_table, measures_of, missing_words
from experiments.execution import (
    block_files,
    kept_policies,
    manifest_schema,
    manifests,
    source_trust,
)
from experiments.execution.atomic_files import UnfitFile
from experiments.execution.counted_blocks import CellPrefix
from reports.measures import ESTIMATES, SUM_TYPES, SUMS, Statistic, merge
from reports.statistics import extremes, sequential
from reports.statistics.estimates import estimates
from reports.statistics.extremes import Gap

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


By = Literal["strategy", "position", "seat"]
POSITION = "position"
_WHO = ("cell", "lineup", "players")


def no_sums() -> pl.DataFrame:
    """Return the sums of no games."""
    return pl.DataFrame(schema={"cell": pl.Int32, "measure": pl.String, **SUM_TYPES})


@dataclass(frozen=True)
class Results:
    """The results of a run.

    ``sums`` has a row for each cell, measure and group. ``games`` is the requested
    number of games of a cell, the largest if they differ; ``played`` has the number
    that counts for each: fewer if the cell was precise enough, none if it is in
    ``failures``, with the reason. ``manifest`` says what was run, where and how fast.
    """

    cells: Sequence[Cell | Pair]
    games: int
    sums: pl.DataFrame
    played: tuple[int, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    directory: Path | None = None
    failures: Mapping[int, str] = field(default_factory=dict)

    def of_cells(self, numbers: Sequence[int]) -> "Results":
        """Return the results of some cells, numbered from 0 in this order."""
        place = {number: at for at, number in enumerate(numbers)}
        sums = self.sums.filter(pl.col("cell").is_in(list(place)))
        cell = pl.col("cell").replace_strict(place, return_dtype=pl.Int32)
        return replace(
            self,
            cells=tuple(self.cells[number] for number in numbers),
            sums=sums.with_columns(cell),
            played=tuple(self.played[number] for number in numbers),
            failures={
                at: self.failures[number]
                for number, at in place.items()
                if number in self.failures
            },
        )

    @property
    def names(self) -> list[str]:
        """The names of the measures."""
        return sorted(self.sums["measure"].unique())

    @property
    def measures(self) -> pl.DataFrame:
        """The measures: name, meaning, kind, unit, groups (in words)."""
        every = measures_of(self.cells[0].game)
        return measure_table(every[name] for name in self.names if name in every)

    def __getitem__(self, measure: str) -> pl.DataFrame:
        """Return a measure with its intervals: lineup, groups, estimate, low, high, n.

        Positions are in words. Raises KeyError, which says how to get a missing one.
        """
        rows = self.estimates(measure)
        several = [name for name in ("lineup", "players") if rows[name].n_unique() > 1]
        groups = [n for n in rows.columns if n not in {*_WHO, *SUMS, *ESTIMATES}]
        return rows.select(
            *several,
            *(self._positions(rows) if n == POSITION else pl.col(n) for n in groups),
            "estimate",
            "low",
            "high",
            "n",
        )

    def _positions(self, rows: pl.DataFrame) -> pl.Series:
        """Return the position of each row in the rulebook's words."""
        game = sim.games.load(self.cells[0].game)
        pairs = rows.select(POSITION, "players").rows()
        words = [sim.games.positions(game, players)[at - 1] for at, players in pairs]
        return pl.Series(POSITION, words, dtype=pl.String)

    def plot(self, measure: str) -> "Figure":
        """Draw a measure, with a dot and interval for each group; raises KeyError."""
        from reports import figures

        table, declared = self[measure], measures_of(self.cells[0].game)[measure]
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
            xlabel=f"{declared.doc}, 95 % interval by game",
        )

    def __repr__(self) -> str:
        """Return what was played, on which deals, who won, and what else there is."""
        first, games = self.cells[0], sum(self.played)
        players = ", ".join(map(str, sorted({cell.players for cell in self.cells})))
        titles = {strategy.title for strategy in first.strategies()}
        alike = len(titles) == 1
        lineup = f"{titles.pop()} in every seat" if alike else first.title()
        lineup = lineup if len(self.cells) == 1 else f"{len(self.cells)} cells"
        differ = first.rules.differences().items()
        changed = ", ".join(f"{key}={value}" for key, (_, value) in differ)
        if any(cell.rules != first.rules for cell in self.cells):
            changed = "different rules"
        given = [f"given {self.given}"] if self.given else []
        return "\n".join(
            [
                f"{first.game}, {players} players, {lineup}: {games:,} games, "
                f"seed {first.seed}, {changed or 'base rules'}",
                *given,
                self._leading(),
                f"{len(self.names)} measures: see .measures, [name], .plot(name)",
            ]
        )

    @property
    def given(self) -> str:
        """What all deals have in common, and how likely that is; "" if nothing is."""
        cell = self.cells[0]
        return (cell.one if isinstance(cell, Pair) else cell).deals

    def _leading(self) -> str:
        """Return who won, by strategy, or by position if all seats play the same."""
        alone = len(set(self.cells[0].strategies())) == 1
        name = f"won by {'position' if alone else 'strategy'}"
        if name not in self.names:
            return "no game was won"
        count = self.estimates(name)["cell"].to_list().count(0)
        rows = self[name].to_dicts()[:count]
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
        """The games at the first look of a run that may stop early; None for others.

        Its intervals are the wider ones of ``statistics.sequential``, which stay valid
        under repeated looks.
        """
        stop = self.manifest.get("stop")
        if not stop:
            return None
        first = stop.get("first") if isinstance(stop, Mapping) else None
        return int(first or self.manifest["block"])

    def estimates(
        self, measure: str, kind: Statistic | None = None, level: float = 0.95
    ) -> pl.DataFrame:
        """Return a measure with intervals: a row for each cell and group.

        Columns: cell, lineup, players, groups, sums, estimate, low, high, se, n. By
        default ``kind`` is the measure's own. Raises KeyError with the nearest name.
        """
        if measure not in self.names:
            game, detailed = self.cells[0].game, self.manifest.get("detailed", True)
            raise KeyError(missing_words(measure, game, bool(detailed)))
        kind = kind or kind_of(self.cells[0].game, measure)
        part = self.sums.filter(pl.col("measure") == measure).drop("measure")
        part = part.select(
            name for name in part.columns if part[name].null_count() < part.height
        )
        rows = pl.concat(self._estimates(part, kind, level))
        names = pl.DataFrame(
            {
                "cell": pl.Series(range(len(self.cells)), dtype=pl.Int32),
                "lineup": [cell.title() for cell in self.cells],
                "players": [cell.players for cell in self.cells],
            }
        )
        groups = [n for n in part.columns if n not in {*SUM_TYPES, "cell"}]
        joined = names.join(rows, on="cell", how="right")
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
        """Yield estimates of a measure, for cells with the same number of games."""
        for games in dict.fromkeys(self.played):
            cells = [n for n, played in enumerate(self.played) if played == games]
            rows = part.filter(pl.col("cell").is_in(cells))
            if self.looked is None or games < self.looked:
                yield estimates(rows, kind, games, level)
            else:
                yield sequential.sequential_estimates(
                    rows, games, kind, level, first=self.looked
                )

    def gap(self, cell: int = 0, level: float = 0.95) -> Gap:
        """Return how much more the best position of a cell wins than the worst.

        In shares of the games, corrected for the selection of the largest and smallest
        (``reports.statistics.extremes``). Raises KeyError if nobody won.
        """
        rows = self.estimates("won by position").filter(cell=cell)
        games = self.played[cell]
        wide = 1.0
        if self.looked is not None and games >= self.looked:
            wide = float(sequential.multiplier(games / self.looked))
            wide /= NormalDist().inv_cdf((1 + level) / 2)
        return extremes.of_shares(rows["estimate"].to_numpy(), games, level, wide)

    def control_variates(self) -> pl.DataFrame:
        """Return win shares by position without the luck of the role dealt.

        Columns: cell, lineup, players, position, estimate, low, high, and the factor
        by which it is as good as more games. Raises ``UsageError`` for a game that
        deals no roles or a run that stopped by precision, and as ``scan``.
        """
        if self.looked is not None:
            raise UsageError(
                "control variates: their intervals hold for a number of games chosen "
                "before, not for a run that stops once it is precise."
            )
        result, tables = self.scan(control_variates.TABLE), []
        for number, cell in enumerate(self.cells):
            if isinstance(cell, Cell) and self.played[number]:
                rows = result.filter(pl.col("cell") == number)
                shares = control_variates.win_shares(cell, rows)
                who = number, cell.title(), cell.players
                named = (pl.lit(w).alias(n) for n, w in zip(_WHO, who, strict=True))
                tables.append(shares.select(*named, pl.all()))
        return pl.concat(tables)

    def to_polars(self, by: By = "strategy") -> pl.DataFrame:
        """Return the win share and the mean of each final number, by a group."""
        table = self._named(f"won by {by}", "won")
        for name in self.names:
            number, _, group = name.partition(" by ")
            if group == by and number != "won":
                part = self._named(name, number)
                table = table.join(part, on=["cell", "lineup", "players", by])
        return table

    def _named(self, measure: str, name: str) -> pl.DataFrame:
        rows = self.estimates(measure)
        groups = [n for n in rows.columns if n not in {*SUMS, "se", "n"}]
        return rows.select(groups).rename(
            {"estimate": name, "low": f"{name}_low", "high": f"{name}_high"}
        )

    def to_pandas(self, by: By = "strategy") -> "pd.DataFrame":
        """Return the table of ``to_polars`` as a pandas frame."""
        return self.to_polars(by).to_pandas()

    def scan(self, table: str) -> pl.LazyFrame:
        """Return a raw table that was kept, as a lazy frame with a column ``cell``.

        It has only games that count; ids are text, as those of two cells may differ.
        Raises KeyError if it was not kept, ``RunFailed`` for missing or damaged files.
        """
        if self.directory is None or table not in self.manifest["tables"]:
            raise KeyError(f"table {table!r} was not kept; run with tables=[{table!r}]")
        paths: dict[int, list[Path]] = {}
        there = block_files.raw_files(self.directory, self.manifest, table, self.played)
        for cell, path in there:
            paths.setdefault(cell, []).append(path)
        if not paths:
            raise KeyError(f"table {table!r} is empty: no game wrote it.")
        parts = [_as_text(pl.scan_parquet(part)) for part in paths.values()]
        return pl.concat(parts, how="diagonal_relaxed")

    def raw(self, table: str) -> pl.DataFrame:
        """Return a raw table that was kept, read into memory; raises as ``scan``."""
        return self.scan(table).collect()

    def _repr_html_(self) -> str:
        return str(self.to_polars()._repr_html_())


def _as_text(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Return the frame with text in place of categories."""
    words = [name for name, kind in frame.collect_schema().items() if kind == pl.Enum]
    return frame.with_columns(pl.col(words).cast(pl.String))


def load(directory: Path, playable: bool = False) -> Results:
    """Load the results of a run from its directory.

    An unfinished run has the results of its finished games up to the first gap; its
    ``manifest`` lacks "finished". No code that the directory names is loaded: unless
    ``playable``, strategies are only names. Raises ``UsageError`` and ``RunFailed``.
    """
    manifest = manifest_schema.manifest_of_run(directory)
    if playable:
        kept_policies.make_known(directory, manifest)
    with source_trust.loading_recorded(directory, manifest):
        cells = manifests.cells_of(manifest, playable)
    if manifest.get("finished"):
        sums = block_files.load_run_sums(directory, manifest)
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
        CellPrefix([cell], games, manifest["block"], None)
        for cell, games in enumerate(manifest["wanted"])
    ]
    for prefix in prefixes:
        with suppress(UnfitFile):
            for block in prefix.blocks():
                prefix.add(
                    block, partial(block_files.load_block, directory, manifest, block)
                )
    parts = [prefix.sums for prefix in prefixes if prefix.sums is not None]
    played = tuple(prefix.games for prefix in prefixes)
    return (merge(parts) if parts else no_sums()), played
