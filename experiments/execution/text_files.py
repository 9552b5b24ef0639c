"""Write texts whole or not at all, and JSON."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.execution import atomic_files


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all; raises ``RunFailed``."""
    atomic_files.write_file(path, f"{text}\n".encode())


def to_json(value: Any) -> str:
    """Return a value as JSON; infinities and NaN become null."""
    return json.dumps(_finite(value), ensure_ascii=False, indent=2)


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON; raises ``RunFailed``."""
    write_text(path, to_json(value))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
