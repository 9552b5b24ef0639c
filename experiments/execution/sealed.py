"""The JSON files of a run directory: which kind they are, and whether they are whole.

Each says its format and carries a checksum of its values. A file that was edited, cut
short, mixed up or written by another version is told before anything in it is used.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from experiments.core.cells import UsageError
from experiments.execution.paths import content
from experiments.execution.version import Version, here

FORMAT = 3
"""Of run directories. 1 had no checksums, 2 no sums of cubes; they are not read."""

Kind = Literal["manifest", "study", "command", "stages", "tried"]


class Damaged(UsageError):
    """A file of a run directory that is not as fairdeal wrote it."""


class Outdated(UsageError):
    """A file of a run directory of another format; ``version`` is who reads it."""

    def __init__(self, path: Path, number: int, values: Mapping[str, Any]) -> None:
        first = {"fairdeal": "0.1.0"} if number < FORMAT else {}  # all earlier ones
        self.version = Version.of(first | dict(values))
        super().__init__(
            f"{path} is of format {number}; {here()} reads format {FORMAT}. Read it "
            f"with {self.version}: {self.version.how}. Or start a new run."
        )


def seal(kind: Kind, values: Mapping[str, Any]) -> bytes:
    """These values as a file that ``unseal`` reads."""
    plain = json.loads(json.dumps(values))
    head = {"format": _format(kind), "checksum": _checksum(plain)}
    return _lines(head | plain).encode()


def unseal(path: Path, kind: Kind) -> dict[str, Any]:
    """The values in a file; raises ``FileNotFoundError``, ``Damaged``, ``Outdated``."""
    try:
        values = json.loads(content(path).decode())
    except FileNotFoundError:
        raise
    except (OSError, ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise Damaged(f"{path} is damaged, or not of fairdeal.")
    shown, checksum = values.pop("format", None), values.pop("checksum", None)
    if shown != _format(kind):
        number = _number(kind, shown, values)
        if number is not None:
            raise Outdated(path, number, values)
        raise Damaged(f"{path} is damaged, or not of fairdeal.")
    if checksum != _checksum(values):
        raise Damaged(
            f"{path} is damaged: it was changed after fairdeal had written it."
        )
    return values


def _lines(values: Mapping[str, Any]) -> str:
    """JSON with a line for each value, and for each item of a list of objects."""
    lines = (f" {json.dumps(name)}: {_value(value)}" for name, value in values.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def _value(value: Any) -> str:
    if not (isinstance(value, list) and any(isinstance(one, dict) for one in value)):
        return json.dumps(value)
    return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"


def _number(kind: Kind, shown: Any, values: Mapping[str, Any]) -> int | None:
    """The number of another format of ours; None where it is none."""
    match = re.fullmatch(rf"fairdeal {kind} (\d{{1,4}})", str(shown))
    if match:
        return int(match[1])
    first = kind == "manifest" and shown is None and "fingerprint" in values
    return 1 if first else None


def _format(kind: Kind) -> str:
    return f"fairdeal {kind} {FORMAT}"


def _checksum(values: Mapping[str, Any]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
