"""Policies that a run played with, kept in its directory.

    policies/HASH.npz    the data of each that was learned, by a hash of it
    policies/HASH.toml   the data of each that is a text

A run that is resumed, or played again, plays these, even if the file is gone or changed
that the run was started with; so a directory can be played on anywhere. Nothing in them
is ever executed (``strategies.policy_store``).
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution import atomic_files
from experiments.execution.output_paths import MANIFEST
from experiments.execution.user_paths import short_path
from strategies import policy_store
from strategies.policy_file import PolicyError
from strategies.policy_store import SUFFIXES

POLICIES = "policies"
"""The folder of the policies in that of a run, and their key in its manifest."""
_DEPTH = 3  # folders below a command's, in which runs of it may lie


def described(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the file and hash of each policy, for the manifest."""
    return {
        name: {
            "file": str(policy_store.file_of(name) or ""),
            "sha256": _hash(policy_store.data_of(name)),
        }
        for name in sorted({*names})
    }


def keep(out: Path, manifest: Mapping[str, Any]) -> None:
    """Write the policies of a new or resumed run to its directory."""
    for name, about in _policies(manifest).items():
        data = policy_store.data_of(name)
        suffix = policy_store.suffix_of(data)
        file = atomic_files.path_inside(out, _file_name(about["sha256"], suffix))
        file.parent.mkdir(exist_ok=True)
        if not file.is_file() or _hash(file.read_bytes()) != about["sha256"]:
            atomic_files.write_file(file, data)


def make_known(out: Path, manifest: Mapping[str, Any]) -> dict[Path, Path]:
    """Make the policies of a run known, by their names, as it played them.

    Return where each was read, and where it is kept. Raises ``UsageError`` for one that
    is missing or damaged.
    """
    copies = {}
    for name, about in _policies(manifest).items():
        files = [out / _file_name(about["sha256"], end) for end in SUFFIXES]
        file = next((one for one in files if one.is_file()), files[0])
        try:
            data = policy_store.read_data(file)
            if _hash(data) != about["sha256"]:
                raise PolicyError(f"{file}: it is not the policy that was played")
            policy_store.add(name, data)
        except PolicyError as error:
            raise UsageError(
                f"{short_path(out)} was played with {name}, but does not hold it: "
                f"{error}."
            ) from error
        if about["file"]:
            copies[Path(about["file"])] = file.absolute()
    return copies


@contextmanager
def played_with(folder: Path) -> Iterator[dict[Path, Path]]:
    """Meanwhile, read the policies of all runs in a folder as they were played.

    Yield where each was read, and where it is kept.
    """
    from experiments.execution.manifest_schema import read_manifest

    copies: dict[Path, Path] = {}
    for depth in range(_DEPTH):
        for file in sorted(folder.glob("*/" * depth + MANIFEST)):
            if (file.parent / POLICIES).is_dir():
                copies |= make_known(file.parent, read_manifest(file))
    with policy_store.read_from_copies(copies):
        yield copies


def by_names(
    words: Sequence[str], place: Path, copies: Mapping[Path, Path]
) -> list[str]:
    """Return a command's words, with names of kept policies in place of their files.

    place: the folder in which the command was given, which may not be of this machine.
    """

    def named(path: str) -> str:
        file = (place / path).resolve()
        return policy_store.name_of(file) if file in copies else path

    return [policy_store.map_files(word, named) for word in words]


def _policies(manifest: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    kept: dict[str, dict[str, str]] = manifest.get(POLICIES, {})
    return kept


def _file_name(sha256: str, suffix: str) -> str:
    return f"{POLICIES}/{sha256[:16]}{suffix}"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
