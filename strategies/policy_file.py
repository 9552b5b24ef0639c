"""Files of learned policies: weights and what they read, and nothing that is executed.

A file is an npz archive of whole numbers, with a header in JSON: the game, what each
network reads, and how the policy was learned.
"""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from sim.observation import Observation
from strategies.network import Layers, Network

SUFFIX = ".npz"
"""What the names of these files end in."""
FORMAT = 1
_MOST_BYTES = 64 << 20
_HEADER = "policy.json"


class PolicyError(ValueError):
    """A file is no policy that can be played here."""


@dataclass(frozen=True)
class _Header:
    """What a file says in words; see ``PolicyFile``."""

    format: int
    game: str
    advisers: tuple[str, ...]
    about: dict[str, Any]
    observations: dict[str, Observation]


_ADAPTER = TypeAdapter(_Header)


@dataclass(frozen=True)
class PolicyFile:
    """What a file of a policy holds.

    game: its id. advisers: the specs of the strategies whose answers are read, the
    teacher first. networks: by kind of decision. about: how it was learned.
    """

    game: str
    advisers: tuple[str, ...]
    networks: Mapping[str, Network]
    about: Mapping[str, Any] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """The file: the same bytes for the same policy."""
        networks = sorted(self.networks.items())
        observations = {kind: network.observation for kind, network in networks}
        header = _Header(
            FORMAT, self.game, self.advisers, dict(self.about), observations
        )
        arrays = {
            f"{kind}/{name}": _small(array)
            for kind, network in networks
            for name, array in network.layers.arrays().items()
        }
        arrays[_HEADER] = np.frombuffer(_ADAPTER.dump_json(header), dtype=np.uint8)
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)
        return file.getvalue()


def _small(array: Any) -> Any:
    """Whole numbers in as few bytes as they need."""
    most = np.abs(array).max(initial=0)
    return array.astype(np.int16 if most < 1 << 15 else np.int32)


def from_bytes(data: bytes) -> PolicyFile:
    """The policy in a file; raises ``PolicyError``."""
    return _from_bytes(hashlib.sha256(data).digest(), data)


@lru_cache(maxsize=16)
def _from_bytes(_: bytes, data: bytes) -> PolicyFile:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(one.file_size for one in archive.infolist()) > 4 * _MOST_BYTES:
                raise PolicyError("it is too large for a learned policy")
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            header = _ADAPTER.validate_json(arrays[_HEADER].tobytes())
            if header.format != FORMAT:
                raise PolicyError(
                    f"its format is {header.format}; this version reads {FORMAT}"
                )
            networks = {
                kind: _network(arrays, kind, observation)
                for kind, observation in header.observations.items()
            }
    except PolicyError:
        raise
    except (
        ValidationError,
        ValueError,
        KeyError,
        IndexError,
        TypeError,
        ArithmeticError,
        AttributeError,
        OSError,
        EOFError,
        MemoryError,
        NotImplementedError,
        RuntimeError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise PolicyError("it is damaged, or no learned policy") from error
    return PolicyFile(header.game, header.advisers, networks, header.about)


def _network(arrays: Any, kind: str, observation: Observation) -> Network:
    """A network of a file; raises ``ValueError`` where it does not fit."""
    named = (f"{kind}/{one.name}" for one in fields(Layers))
    layers = Layers(*(arrays[name].astype(np.float32) for name in named))
    network = Network(observation, layers)
    if not layers.fit(network.reader):
        raise ValueError(f"{kind}: the weights do not fit what is read")
    if not layers.are_exact(network.reader):
        raise ValueError(f"{kind}: the weights are no whole numbers, or too large")
    return network


def read(path: Path) -> PolicyFile:
    """The policy in the file at a path; raises ``PolicyError``, which names it."""
    data = read_bytes(path)
    try:
        return from_bytes(data)
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from error


def read_bytes(path: Path) -> bytes:
    """What is in a file of a policy; raises ``PolicyError``, which names it."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise PolicyError(f"{path}: {error.strerror or error}") from error
    if len(data) > _MOST_BYTES:
        raise PolicyError(f"{path}: it is too large for a learned policy")
    return data
