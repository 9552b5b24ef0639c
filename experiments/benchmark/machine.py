"""Describe the machine: its processor, caches, and the cost of numpy."""

import platform
import subprocess
import sys
import timeit
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_SIZE = 65_536  # numbers of 64 bits: half a MiB
_SLOW_PASS = 0.5  # ns an element, above which a machine counts as slow
_SLOW_SHARE = 0.75  # of a floor that a slow machine must reach


@dataclass(frozen=True)
class Machine:
    """A processor, its caches, and the cost of numpy in ns.

    A pass is ``a & b`` into a third array, of 65,536 numbers of 64 bits, as many as a
    block has games; a take reads as many by index. Both are per number. A call is a
    pass over a single number. Each is the least of several times.
    """

    processor: str
    caches: tuple[str, ...]  # of a core, the first level first; empty if unknown
    pass_ns: float
    take_ns: float
    call_ns: float

    def floor(self, floor: float | None) -> float | None:
        """Return the floor for this machine, given that of a fast one."""
        if floor is None or self.pass_ns <= _SLOW_PASS:
            return floor
        return floor * _SLOW_SHARE


def measure_machine() -> dict[str, Any]:
    """Measure the machine; return the arguments of ``Machine``."""
    return {
        "processor": _processor(),
        "caches": _caches(),
        "pass_ns": _pass(_SIZE),
        "take_ns": _take(),
        "call_ns": _pass(1),
    }


def _pass(size: int) -> float:
    rng = np.random.default_rng(1)
    a, b = rng.integers(1 << 62, size=(2, size), dtype=np.uint64)
    out = np.empty_like(a)
    return _ns(lambda: np.bitwise_and(a, b, out=out), size)


def _take() -> float:
    rng = np.random.default_rng(1)
    values = rng.integers(1 << 62, size=_SIZE, dtype=np.uint64)
    rows = rng.integers(_SIZE, size=_SIZE)
    return _ns(lambda: values.take(rows), _SIZE)


def _ns(call: Any, size: int) -> float:
    """Return the least time of many calls, in ns an element."""
    times = 4 if size > 1 else 1_000
    return min(timeit.repeat(call, number=times, repeat=50)) / times / size * 1e9


def _processor() -> str:
    if sys.platform == "darwin":
        return _output(["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"])
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return (named or [platform.processor() or platform.machine()])[0]


def _output(command: list[str]) -> str:
    done = subprocess.run(  # noqa: S603 - a command of the system, with no words of a user
        command, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or platform.machine()


def _caches() -> list[str]:
    """Return the sizes of data caches on Linux; [] elsewhere."""
    sizes = []
    for cache in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            if (cache / "type").read_text().strip() != "Instruction":
                sizes.append((cache / "size").read_text().strip())
        except OSError:
            continue
    return sizes
