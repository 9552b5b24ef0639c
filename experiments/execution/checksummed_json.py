"""JSON files of a run directory, sealed with their format and a checksum.

A file that was edited, cut short, mixed up or written by another version is refused
before anything in it is used.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from experiments.core.cells import UsageError
from experiments.execution.user_paths import read_bytes, short_path
from experiments.execution.version import Version, this_version

FORMAT = 4
"""The format of run directories. 1 had no checksums, 2 no sums of cubes."""

_READERS = {
    1: Version("0.1.0", "790a629733aa0faa17f359fb7336e2fa2402f8a9"),
    2: Version("0.1.0", "688e8e58cedf8722107fda1dc564b170a372761d"),
    3: Version("0.2.0", "5e173e6240cb1af813184d9d24f5b218d187b4d7"),
}
"""The last version that reads each earlier format."""
SUMMARY = "summary.json"
"""The file with what a run found, which no format changes."""

FileKind = Literal["manifest", "study", "command", "stages", "tried", "leader"]


class DamagedFile(UsageError):
    """A file of a run directory that is not as fairdeal wrote it."""


class OutdatedFile(UsageError):
    """A file of another format.

    ``version`` is the fairdeal that wrote it, ``reader`` one that reads it, and
    ``number`` that of its format; ``newer``: whether that is later than ours.
    """

    def __init__(self, path: Path, number: int, values: Mapping[str, Any]) -> None:
        default = {"fairdeal": "0.1.0"} if number < FORMAT else {}  # all before 0.2.0
        self.number, self.newer = number, number > FORMAT
        self.version = Version.of(default | dict(values))
        known = self.version.commit
        self.reader = self.version if known else _READERS.get(number, self.version)
        made = "" if self.reader == self.version else f", of {self.version},"
        has = "was made by a newer fairdeal: it has" if self.newer else "has"
        made = "" if self.newer else made
        found = path.with_name(SUMMARY).is_file()
        show = (
            f"See what it found: fairdeal runs show {short_path(path.parent)}. " * found
        )
        super().__init__(
            f"{path}{made} {has} format {number}, but {this_version()} reads format "
            f"{FORMAT}. {show}Read all of it with {self.reader}: {self.reader.how}. Or "
            "start a new run."
        )


def seal(kind: FileKind, values: Mapping[str, Any]) -> bytes:
    """Return values as the bytes of a file that ``unseal`` reads."""
    plain = json.loads(json.dumps(values))
    head = {"format": _format(kind), "checksum": _checksum(plain)}
    return _lines(head | plain).encode()


def unseal(path: Path, kind: FileKind) -> dict[str, Any]:
    """Return a file's values.

    Raises ``FileNotFoundError``, ``DamagedFile`` or ``OutdatedFile``.
    """
    try:
        values = json.loads(read_bytes(path).decode())
    except FileNotFoundError:
        raise
    except (OSError, ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise DamagedFile(f"{path} is damaged, or not a file of fairdeal.")
    form, checksum = values.pop("format", None), values.pop("checksum", None)
    if form != _format(kind):
        number = _number(kind, form, values)
        if number is not None:
            raise OutdatedFile(path, number, values)
        raise DamagedFile(f"{path} is damaged, or not a file of fairdeal.")
    if checksum != _checksum(values):
        raise DamagedFile(f"{path} is damaged: it was changed after fairdeal wrote it.")
    return values


def _lines(values: Mapping[str, Any]) -> str:
    """Return JSON with a line for each value, and for each item of object lists."""
    lines = (f" {json.dumps(name)}: {_value(value)}" for name, value in values.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def _value(value: Any) -> str:
    if not (isinstance(value, list) and any(isinstance(item, dict) for item in value)):
        return json.dumps(value)
    return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"


def _number(kind: FileKind, form: Any, values: Mapping[str, Any]) -> int | None:
    """Return the number of another format of fairdeal; None if it is none."""
    match = re.fullmatch(rf"fairdeal {kind} (\d{{1,4}})", str(form))
    if match:
        return int(match[1])
    first = kind == "manifest" and form is None and "fingerprint" in values
    return 1 if first else None


def _format(kind: FileKind) -> str:
    return f"fairdeal {kind} {FORMAT}"


def _checksum(values: Mapping[str, Any]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
