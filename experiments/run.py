"""Running cells: blocks over the cores, progress, results on disk.

A run directory holds ``manifest.json`` and one file a finished block. The same
run started again in the same directory skips the blocks that are there.
"""

import hashlib
import inspect
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from experiments.blocks import (
    BLOCK,
    DETAILED,
    Block,
    Outcome,
    add_up,
    blocks,
    play_block,
)
from experiments.cells import Cell, UsageError
from experiments.results import Results
from sim import games as registry
from sim.knobs import nearest, one_of
from strategies.base import Strategy

Progress = Callable[[int, int], None]  # games done, games in all


PlayBlock = Callable[[Cell, Block, bool, tuple[str, ...]], Outcome]


class Stop(Protocol):
    """When a cell has been played often enough."""

    def enough(self, sums: pl.DataFrame, games: int) -> bool:
        """Whether the sums of the first ``games`` games say enough."""


class RunFailed(RuntimeError):
    """A run that stopped; says why and what to do next."""


def run(  # noqa: PLR0913 - the options of a run, all but two by name
    cells: Sequence[Cell],
    games: int,
    *,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
    detailed: bool = False,
    tables: Sequence[str] = (),
    out: Path | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
    fail_fast: bool = True,
    play: PlayBlock = play_block,
) -> Results:
    """Play ``games`` games of each cell on ``jobs`` processes (-1: all cores).

    ``detailed`` takes the report's measures; ``tables`` names raw tables to keep
    in ``out`` as parquet. Results are the same for any number of jobs. Raises
    ``UsageError`` before, and the strategy's error or ``RunFailed`` during the run.
    """
    if games < 1:
        raise UsageError(f"games: at least 1, not {games}.")
    _check_tables(cells, tables, out)
    manifest = describe(cells, games, detailed, tables)
    folder = _claim(out, manifest) if out is not None else None
    wanted = blocks(len(cells), games, manifest["block"])
    ready = _saved(folder, wanted)
    rest = [block for block in wanted if block not in ready]
    done, total = sum(block.count for block in ready), len(cells) * games
    parts, decisions, start = dict(ready), 0, time.perf_counter()
    if progress:
        progress(done, total)
    for outcome in _outcomes(cells, rest, jobs, detailed, tuple(tables)):
        if folder is not None:
            _save(folder, outcome)
        parts[outcome.block] = outcome.sums
        decisions += outcome.decisions
        done += outcome.block.count
        if progress:
            progress(done, total)
    manifest |= {
        "seconds": time.perf_counter() - start,
        "decisions": decisions,
        "jobs": jobs,
    }
    if folder is not None:
        _write(folder / "manifest.json", json.dumps(manifest, indent=2).encode())
    sums = add_up([parts[block] for block in wanted])
    return Results(
        tuple(cells), games, sums, (games,) * len(cells), manifest, folder
    )


def describe(
    cells: Sequence[Cell], games: int, detailed: bool, tables: Sequence[str]
) -> dict[str, Any]:
    """What a run is: enough to run it again, and to tell two runs apart."""
    told = {
        "fairdeal": version("fairdeal"),
        "games": games,
        "block": DETAILED if detailed or tables else BLOCK,
        "detailed": detailed,
        "tables": list(tables),
        "cells": [
            {
                "game": cell.game,
                "players": cell.players,
                "lineup": [one.title for one in cell.strategies()],
                "code": sorted({_code(one) for one in cell.strategies()}),
                "rotate": cell.rotate,
                "seed": cell.seed,
                "against": [str(one) for one in cell.against],
                "rules": cell.rules.plain(),
                "assumed": [k.assumed for k in cell.rules.knobs() if k.assumed],
            }
            for cell in cells
        ],
    }
    text = json.dumps(told, sort_keys=True).encode()
    return told | {"fingerprint": hashlib.sha256(text).hexdigest()[:16]}


def _code(strategy: Strategy) -> str:
    """A hash of the file that a strategy is written in: edited, it is another run."""
    try:
        path = inspect.getsourcefile(type(strategy))
        text = Path(path or "").read_bytes()
    except (TypeError, OSError):
        return type(strategy).__qualname__  # written in a notebook, say
    return hashlib.sha256(text).hexdigest()[:16]


def _check_tables(
    cells: Sequence[Cell], tables: Sequence[str], out: Path | None
) -> None:
    if tables and out is None:
        raise UsageError("tables: raw tables are kept on disk; give a directory (out).")
    for cell in cells:
        game = registry.load(cell.game)
        known = [*game.notes, *(kind for kind in game.kinds if kind not in game.notes)]
        for table in tables:
            if table not in known:
                raise UsageError(
                    f"tables: no table {table!r}{nearest(table, known)} "
                    f"Tables of {cell.game}: {one_of(known)}."
                )


def _outcomes(
    cells: Sequence[Cell],
    rest: Sequence[Block],
    jobs: int,
    detailed: bool,
    keep: tuple[str, ...],
) -> Iterator[Outcome]:
    """Blocks as they are finished, in any order."""
    if jobs == 1 or len(rest) < 2:
        for block in rest:
            yield play_block(cells[block.cell], block, detailed, keep)
        return
    from joblib import Parallel, delayed, parallel_config

    os.environ["POLARS_MAX_THREADS"] = "1"  # read by each worker as it starts
    with parallel_config(backend="loky", inner_max_num_threads=1):
        pool = Parallel(n_jobs=jobs, return_as="generator_unordered")
        yield from pool(
            delayed(play_block)(cells[block.cell], block, detailed, keep)
            for block in rest
        )


def _claim(out: Path, manifest: dict[str, Any]) -> Path:
    """The run directory, made if needed; refuses one of another run."""
    about = out / "manifest.json"
    if about.exists():
        try:
            there = json.loads(about.read_text("utf-8")).get("fingerprint")
        except (ValueError, AttributeError):
            there = None
        if there != manifest["fingerprint"]:
            raise UsageError(
                f"out: {out} holds another run. Name a new directory, or repeat the "
                "command of that run to go on with it."
            )
    elif out.exists() and any(out.iterdir()):
        raise UsageError(f"out: {out} is not empty and holds no run of fairdeal.")
    try:
        (out / "blocks").mkdir(parents=True, exist_ok=True)
        _write(about, json.dumps(manifest, indent=2).encode())
    except OSError as error:
        raise RunFailed(f"cannot write to {out}: {error.strerror}.") from error
    return out


def _name(block: Block) -> str:
    return f"{block.cell:04d}-{block.first:012d}-{block.count}.parquet"


def _saved(folder: Path | None, wanted: Sequence[Block]) -> dict[Block, pl.DataFrame]:
    """Finished blocks of an earlier start, whole ones only."""
    if folder is None:
        return {}
    found = {}
    for block in wanted:
        path = folder / "blocks" / _name(block)
        if path.exists():
            found[block] = pl.read_parquet(path)
    return found


def _save(folder: Path, outcome: Outcome) -> None:
    """Raw tables first, the block's sums last: they say that it is finished."""
    name = _name(outcome.block)
    try:
        for table, frame in outcome.tables.items():
            _write_parquet(folder / "tables" / table / name, frame)
        _write_parquet(folder / "blocks" / name, outcome.sums)
    except OSError as error:
        raise RunFailed(
            f"cannot write to {folder}: {error.strerror}. Finished blocks are kept; "
            "make room and repeat the command."
        ) from error


def _write_parquet(path: Path, frame: pl.DataFrame) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    frame.write_parquet(part)
    part.rename(path)


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.rename(path)
