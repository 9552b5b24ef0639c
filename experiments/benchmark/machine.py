"""The machine that is measured, and what a numpy pass costs there."""

import platform
import subprocess
import sys
import timeit
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_MANY = 65_536  # numbers of 64 bits: half a MiB
_SLOW = 0.5  # ns an element of a pass: above it a machine is of the slower kind
_SHARE = 0.75  # of a floor that the slower kind has to reach


@dataclass(frozen=True)
class Machine:
    """A processor, its caches, and what numpy costs there, in ns.

    A pass is ``a & b`` into a third array, of 65,536 numbers of 64 bits as a block of
    games has them, and a take takes as many of them by row: both for each number.
    A call is the same on a single number. The least of several times each.
    """

    processor: str
    caches: tuple[str, ...]  # of a core, the first one first; empty where unknown
    pass_ns: float
    take_ns: float
    call_ns: float

    def floor(self, floor: float | None) -> float | None:
        """What is to be reached here of a floor that holds where passes are quick."""
        if floor is None or self.pass_ns <= _SLOW:
            return floor
        return floor * _SHARE


def measured() -> dict[str, Any]:
    """The machine, as arguments of ``Machine``."""
    return {
        "processor": _processor(),
        "caches": _caches(),
        "pass_ns": _pass(_MANY),
        "take_ns": _take(),
        "call_ns": _pass(1),
    }


def _pass(size: int) -> float:
    rng = np.random.default_rng(1)
    one, other = rng.integers(1 << 62, size=(2, size), dtype=np.uint64)
    into = np.empty_like(one)
    return _ns(lambda: np.bitwise_and(one, other, out=into), size)


def _take() -> float:
    rng = np.random.default_rng(1)
    values = rng.integers(1 << 62, size=_MANY, dtype=np.uint64)
    rows = rng.integers(_MANY, size=_MANY)
    return _ns(lambda: values.take(rows), _MANY)


def _ns(call: Any, size: int) -> float:
    """The least time of many calls, ns an element."""
    times = 4 if size > 1 else 1_000
    return min(timeit.repeat(call, number=times, repeat=50)) / times / size * 1e9


def _processor() -> str:
    if sys.platform == "darwin":
        return _told(["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"])
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return (named or [platform.processor() or platform.machine()])[0]


def _told(command: list[str]) -> str:
    done = subprocess.run(  # noqa: S603 - a command of the system, with no words of a user
        command, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or platform.machine()


def _caches() -> list[str]:
    """What Linux tells of the caches for data; nothing elsewhere."""
    found = []
    for cache in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            if (cache / "type").read_text().strip() != "Instruction":
                found.append((cache / "size").read_text().strip())
        except OSError:
            continue
    return found
