"""The JSON files of a run directory: which kind they are, and whether they are whole.

Each says its format and carries a checksum of its values. A file that was edited, cut
short, mixed up or written by another version is told before anything in it is used.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from experiments.core.cells import UsageError
from experiments.execution.paths import content

FORMAT = 3
"""Of run directories. 1 had no checksums, 2 no sums of cubes; they are not read."""

Kind = Literal["manifest", "study", "command", "stages", "tried"]


class Damaged(UsageError):
    """A file of a run directory that is not as fairdeal wrote it."""


class Outdated(UsageError):
    """A file of a run directory of another format."""


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
        ours = str(shown).startswith(f"fairdeal {kind} ") or "fingerprint" in values
        if kind == "manifest" and ours:
            raise Outdated(
                f"{path} is of a fairdeal that writes another format than this one "
                f"({shown or 'format 1'}, not {_format(kind)}). Read it with that "
                "fairdeal, or start a new run."
            )
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


def _format(kind: Kind) -> str:
    return f"fairdeal {kind} {FORMAT}"


def _checksum(values: Mapping[str, Any]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
