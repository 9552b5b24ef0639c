"""Runs that another fairdeal kept in another format: what they found is read.

Their sums are not, as they lack what today's errors are made of. But every format wrote
what it found to ``summary.json``, with the intervals of its time, and these are shown
as they were saved. The files have no checksum here, so nothing else is made of them.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from experiments.core.cells import UsageError
from experiments.execution.checksummed_json import SUMMARY, OutdatedFile
from experiments.execution.manifest_schema import read_manifest
from experiments.execution.user_paths import read_bytes
from experiments.execution.version import Version

_MOST_BYTES = 10_000_000


class _Summary(BaseModel):
    """The parts of a summary that are read."""

    model_config = ConfigDict(extra="ignore")

    game: str
    seed: int
    games: int
    lineups: list[list[str]]
    differences: dict[str, tuple[Any, Any]]
    tables: dict[str, list[dict[str, Any]]]


class _Estimate(BaseModel):
    """A number of a summary."""

    model_config = ConfigDict(extra="ignore")

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class EarlierRun:
    """What a run of another format says of itself.

    ``format`` is its number, ``reader`` a version that reads all of it. ``changes`` are
    the rules that differ from the base rules, in words. ``tables`` have the rows of its
    summary: labels, and numbers as dictionaries with estimate, low and high.
    """

    format: int
    reader: Version
    game: str
    lineups: tuple[str, ...]
    games: int
    seed: int
    changes: tuple[str, ...]
    tables: Mapping[str, list[dict[str, Any]]]
    command: tuple[str, ...]

    @property
    def again(self) -> tuple[str, ...]:
        """The words of its command, without the directory; () if it is not known."""
        words = iter(self.command)
        kept: list[str] = []
        for word in words:
            if word == "--out":
                next(words, None)
            elif not word.startswith("--out="):
                kept.append(word)
        return tuple(kept)

    def rows(self, table: str) -> Iterator[dict[str, str]]:
        """Yield the numbers of a table in words, with the labels of their rows.

        What is damaged is left out.
        """
        for row in self.tables[table]:
            labels = {k: str(v) for k, v in row.items() if isinstance(v, str | int)}
            for name, value in row.items():
                try:
                    told = _Estimate.model_validate(value)
                except ValidationError:
                    continue
                words = f"{told.estimate:.4g} ({told.low:.4g} to {told.high:.4g})"
                yield labels | {"number": name, "value": words}


def earlier_run(path: Path) -> EarlierRun | None:
    """Return what a directory of another format says; None if it says nothing.

    >>> earlier_run(Path("nowhere"))
    """
    try:
        read_manifest(path / "manifest.json")
    except OutdatedFile as error:
        outdated = error
    except (FileNotFoundError, UsageError):
        return None
    else:
        return None
    try:
        told = _Summary.model_validate(_json(path / SUMMARY))
    except (ValidationError, ValueError):
        return None
    command = _json(path / "command.json").get("command")
    words = command if isinstance(command, list) else []
    return EarlierRun(
        outdated.number,
        outdated.reader,
        told.game,
        tuple(dict.fromkeys(map(",".join, told.lineups))),
        told.games,
        told.seed,
        tuple(
            f"{key} {json.dumps(after)} instead of {json.dumps(before)}"
            for key, (before, after) in told.differences.items()
        ),
        told.tables,
        tuple(map(str, words)),
    )


def _json(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file; {} if it cannot be read."""
    try:
        values = json.loads(read_bytes(path, _MOST_BYTES).decode())
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
