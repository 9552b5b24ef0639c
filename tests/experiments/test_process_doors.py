"""Processes begin at one door, where what they may find in a folder is kept out."""

import ast

from tests.experiments.clusters import ROOT

DOORS = {
    "experiments/execution/process_launch.py",
    "experiments/execution/worker_process.py",  # its end of a pipe
    "experiments/execution/worker_pool.py",  # pipes
    "experiments/benchmark/machine.py",  # asks the system, not Python
    "experiments/execution/version.py",  # asks the system's git for the commit
}
STARTERS = ("subprocess", "multiprocessing", "ProcessPool", "futures.process", "loky")


def test_processes_begin_at_one_door():
    """What could start one is imported in these modules only."""
    found = set()
    for room in ("sim", "strategies", "experiments", "reports"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if not isinstance(node, ast.Import | ast.ImportFrom):
                    continue
                names = [one.name for one in node.names]
                names.append(str(getattr(node, "module", "")))
                if any(start in name for name in names for start in STARTERS):
                    found.add(path.relative_to(ROOT).as_posix())
    assert found <= DOORS, found - DOORS
