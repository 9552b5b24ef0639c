"""A cluster: a real scheduler and real workers, as processes on this machine."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import polars as pl
import pytest

from experiments.core.block_records import Block
from experiments.core.blocks import Outcome, play_block
from experiments.core.cells import Cell
from experiments.execution import backends
from experiments.execution.block_tasks import BlockResult, PlayBlock, Task
from experiments.execution.run import run
from sim.games import load
from tests.experiments.clusters import CELL, ROOT, RULES, Cluster, on, scheduler
from tests.strategies.test_network import policy

pytest.importorskip("distributed")

BLAS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@pytest.mark.slow
def test_the_same_results_and_a_worker_is_killed(cluster, tmp_path):
    def kills(done: int, total: int) -> None:
        if done == 1_000:
            cluster.workers[0].send_signal(signal.SIGKILL)

    rules = load("kbernestich").rules()
    cells = [CELL, Cell("kbernestich", rules, 3, ("allround",) * 3, seed=4)]
    how = {"tables": ["result"], "detailed": True}
    found = on(cluster, cells, 3_000, out=tmp_path / "o", progress=kills, **how)
    assert cluster.workers[0].wait(10) == -signal.SIGKILL
    here = run(cells, 3_000, block=500, out=tmp_path / "p", **how)
    assert found.sums.equals(here.sums)
    assert found.raw("result").equals(here.raw("result"))
    for part in ("blocks", "tables/result"):
        for path in (tmp_path / "p" / part).iterdir():
            assert path.read_bytes() == (tmp_path / "o" / part / path.name).read_bytes()
    assert found.manifest["fingerprint"] == here.manifest["fingerprint"]


@pytest.fixture(scope="module")
def steady(tmp_path_factory) -> Iterator[Cluster]:
    """A scheduler and two workers that no test kills."""
    with scheduler(tmp_path_factory.mktemp("steady")) as one:
        one.add()
        one.add()
        one.ready(2)
        yield one


@pytest.mark.slow
def test_own_strategies_travel_along(steady, here):
    (here / "helper.py").write_text("def last(cards):\n    return cards[-1]\n")
    text = (here / "my.py").read_text().replace("view.legal[-1]", "last(view.legal)")
    own = here / "own.py"
    own.write_text(f"from helper import last\n{text}")
    cell = Cell("kunitame", RULES, 4, ("own.py:Bold", *["random"] * 3), seed=3)
    assert on(steady, [cell], 2_000).sums.equals(run([cell], 2_000).sums)
    # the same workers, another helper, in a new session of the user
    (here / "helper.py").write_text("def last(cards):\n    return cards[0]\n")
    (here / "again.py").write_text(SESSION)
    done = subprocess.run(
        [sys.executable, "again.py", steady.address],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "the same", done.stderr


@pytest.mark.slow
def test_learned_policies_travel(steady, here):
    """The one that a game comes with, and one that only this machine has."""
    (here / "own.npz").write_bytes(policy("drake").to_bytes())
    rules, seats = load("drake").rules(), ("learned", "own.npz")
    cell = Cell("drake", rules, 2, seats, rotate=True, seed=3)
    assert on(steady, [cell], 2_000).sums.equals(run([cell], 2_000).sums)


SESSION = """
import sys
from experiments.core.cells import Cell
from experiments.execution.run import run
from sim.games import load
rules = load("kunitame").rules()
cell = Cell("kunitame", rules, 4, ("own.py:Bold", *["random"] * 3), seed=3)
there = run([cell], 2_000, block=500, backend="dask", scheduler=sys.argv[1])
print("the same" if there.sums.equals(run([cell], 2_000).sums) else "another")
"""


@pytest.mark.slow
def test_a_strategy_that_fails_there(steady, here):
    late = Cell("kunitame", RULES, 4, ("my.py:Late",) * 4, seed=3)
    found = on(steady, [late, CELL], fail_fast=False)
    assert found.played == (0, 6_000)
    assert "raised RuntimeError" in found.failures[0]
    with pytest.raises(Exception, match="raised RuntimeError") as raised:
        on(steady, [late])
    assert type(raised.value).__name__ == "StrategyFailed"


def tells() -> PlayBlock:
    """An outcome that says who worked, and with how many threads."""

    def play(cell: Cell, block: Block, *rest: object) -> Outcome:
        play_block(cell, block)
        held = [os.environ.get(name) for name in BLAS]
        told = {"by": [os.getpid()], "threads": [pl.thread_pool_size()]}
        return Outcome(block, pl.DataFrame(told | {"held": [held.count("1")]}), {}, 0)

    return play


@pytest.mark.slow
def test_one_worker_does_the_work_with_one_thread(lone):
    lone.add(None, "--nanny")
    lone.ready(1)
    tasks = [Task(CELL, Block(0, first, 9), False, (), tells()) for first in range(3)]
    done = list(backends.run_tasks(tasks, 1, "dask", lone.address))
    told = pl.concat(one.sums for one in done if isinstance(one, BlockResult))
    assert told.height == 3
    assert os.getpid() not in told["by"]
    assert told["threads"].to_list() == [1] * 3
    assert told["held"].to_list() == [len(BLAS)] * 3
