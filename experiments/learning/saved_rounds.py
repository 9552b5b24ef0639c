"""The rounds of learning that a directory keeps, so that it goes on where it stopped.

    round-1/KIND.npz       the lessons of a kind of decision
    round-1/networks.npz   the weights of all networks as floats, the time, and the
                           format of all these files; last

They are arrays of numbers, from which nothing is executed.
"""

import io
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import UsageError
from experiments.execution import atomic_files, user_paths
from experiments.learning.fit_network import Parameters
from experiments.learning.lessons import Lessons
from sim.observation_reader import Observed

_NETWORKS = "networks"
_SECONDS = "seconds"
_FORMAT = "format"
_NUMBER = 2  # of the format: what is seen is kept by option (1: by value)
_LEVEL = 1  # of compression: higher ones take longer than the lessons took to play
_ANEW = "Choose another directory, and begin with --start and the policy."
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class SavedRound:
    """A round that is kept: its lessons, the weights after it, the time it took."""

    lessons: Mapping[str, Lessons]
    parameters: Mapping[str, Parameters]
    seconds: float


def save_round(folder: Path, number: int, done: SavedRound) -> None:
    """Write a round to a folder; raises ``RunFailed`` where that is impossible."""
    place = _place(folder, number)
    with atomic_files.write_errors(folder):
        place.mkdir(exist_ok=True)
    for kind, lessons in done.lessons.items():
        _write(place / f"{kind}.npz", _arrays_of(lessons))
    weights = {
        f"{kind}/{name}": array
        for kind, parameters in done.parameters.items()
        for name, array in parameters.items()
    }
    about = {_SECONDS: np.array(done.seconds), _FORMAT: np.array(_NUMBER)}
    _write(place / f"{_NETWORKS}.npz", {**weights, **about})


def load_round(folder: Path, number: int) -> SavedRound:
    """Read a round of a folder.

    Raises ``UsageError`` if it is missing, damaged, or of another format.
    """
    place = _place(folder, number)
    weights = _read(place / f"{_NETWORKS}.npz")
    if not np.array_equal(weights.pop(_FORMAT, 1), _NUMBER):
        raise UsageError(
            f"{user_paths.short_path(place)} was kept by another version of fairdeal, "
            f"so learning cannot go on there. {_ANEW}"
        )
    seconds = float(weights.pop(_SECONDS, np.array(0.0)))
    parameters: dict[str, Parameters] = {}
    for name, array in weights.items():
        kind, _, parameter = name.rpartition("/")
        parameters.setdefault(kind, {})[parameter] = array
    files = sorted(file for file in place.glob("*.npz") if file.stem != _NETWORKS)
    lessons = {file.stem: _lessons(_read(file), file) for file in files}
    return SavedRound(lessons, parameters, seconds)


def _place(folder: Path, number: int) -> Path:
    return folder / f"round-{number}"


def _arrays_of(lessons: Lessons) -> Arrays:
    about = {"of": lessons.of, "answer": lessons.answer, "worth": lessons.worth}
    return {**lessons.seen._asdict(), **about}


def _lessons(arrays: Arrays, file: Path) -> Lessons:
    try:
        seen = Observed(*(arrays[name] for name in Observed._fields))
        return Lessons(seen, arrays["of"], arrays["answer"], arrays["worth"])
    except KeyError as error:
        raise _damaged(file) from error


def _write(file: Path, arrays: Arrays) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as kept:
        for name, array in arrays.items():
            with kept.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    atomic_files.write_file(file, data.getvalue())


def _read(file: Path) -> dict[str, NDArray[Any]]:
    try:
        with np.load(
            io.BytesIO(user_paths.read_bytes(file)), allow_pickle=False
        ) as one:
            return dict(one)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise _damaged(file) from error


def damaged_weights(folder: Path, number: int) -> UsageError:
    """The error for weights of a round that fit no network of the game."""
    return _damaged(_place(folder, number) / f"{_NETWORKS}.npz")


def _damaged(file: Path) -> UsageError:
    return UsageError(
        f"{user_paths.short_path(file)} is missing or damaged, so learning cannot go "
        f"on there. {_ANEW}"
    )
