"""Runs at once: each is the run that it would be alone, and calls are made beside."""

from contextlib import ExitStack
from functools import partial

import pytest
from polars.testing import assert_frame_equal

from experiments.core.cells import Cell
from experiments.execution.run import RunFailed, open_run, run
from experiments.execution.run_many import run_many
from sim.games import load

GREEDY, RANDOM = (
    Cell("kunitame", load("kunitame").rules(), 4, lineup, rotate=True, seed=7)
    for lineup in [("greedy", "random", "random", "random"), ("random",) * 4]
)
RUNS = [([GREEDY, RANDOM], [300, 150]), ([RANDOM], [100])]


def opened(stack, runs=RUNS, **how):
    """These runs, in folders by their numbers where there is an ``out``."""
    out = how.pop("out", None)
    return [
        stack.enter_context(
            open_run(
                cells, games, block=50, out=out / str(number) if out else None, **how
            )
        )
        for number, (cells, games) in enumerate(runs)
    ]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_each_is_the_run_that_it_would_be_alone(tmp_path, jobs):
    calls = [partial(pow, 2, number) for number in range(3)]
    with ExitStack() as stack:
        runs = opened(stack, out=tmp_path, jobs=jobs)
        assert run_many([*runs, *calls], jobs) == [1, 2, 4]
        together = [one.results() for one in runs]
    for (cells, games), found in zip(RUNS, together, strict=True):
        alone = run(cells, games, block=50)
        assert_frame_equal(found.sums, alone.sums)
        assert found.manifest["decisions"] == alone.manifest["decisions"]


def test_they_begin_in_their_order_and_what_is_first_before_all():
    order = []

    def told(number):
        return lambda done, total: order.append((number, done, total))

    with ExitStack() as stack:
        first, second = (
            stack.enter_context(
                open_run(cells, games, block=50, progress=told(number), first=[0])
            )
            for number, (cells, games) in enumerate(RUNS)
        )
        run_many([first, lambda: order.append("called"), second], 1)
    assert order[:2] == [(0, 0, 450), (1, 0, 100)]
    assert order[-3:] == ["called", (1, 50, 100), (1, 100, 100)]
    played = [done for number, done, _ in order[2:-3] if number == 0]
    assert played == sorted(played)
    assert played[-1] == 450


def test_what_was_played_before_an_error_is_kept(tmp_path):
    def broken():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ExitStack() as stack:
        run_many([*opened(stack, out=tmp_path), broken], 1)
    seen = []
    with ExitStack() as stack:
        runs = opened(
            stack, out=tmp_path, progress=lambda *numbers: seen.append(numbers)
        )
        assert run_many(runs, 1) == []
        assert runs[0].results().sums.height
    assert seen == [(450, 450), (100, 100)]


def test_a_run_that_was_not_played_has_no_results():
    with ExitStack() as stack:
        first, second = opened(stack)
        run_many([first], 1)
        assert first.results().sums.height
        with pytest.raises(RunFailed, match="blocks were lost"):
            second.results()
