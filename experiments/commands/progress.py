"""How far a run is, and what it found so far: a bar in a terminal, else some lines.

What is shown so far is of games without a gap from the first on; it has no intervals,
for those are for the end.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import polars as pl

from experiments.core.cells import Cell
from reports.texts import plain
from sim.games import load, positions

Progress = Callable[[int, int], None]  # games done, games in all
_EVERY = 10.0  # seconds between lines where there is no terminal
_OFTEN = 0.5  # seconds between estimates where there is one
_MOST = 4  # strategies or seats told


@contextmanager
def watch(words: str, every: float | None = None) -> Iterator[Progress]:
    """What to call with games done and games in all; shows the time left.

    ``every`` are the seconds between lines, or between estimates in a terminal.
    """
    if sys.stderr.isatty():
        with _bar(words, _OFTEN if every is None else every) as progress:
            yield progress
    else:
        yield _Shown(_EVERY if every is None else every, _line(words))


class _Shown:
    """Passes on what a run tells, now and then."""

    def __init__(self, every: float, show: Callable[[int, int, str], None]) -> None:
        self._every, self._show = every, show
        self._last: float | None = None
        self._latest: tuple[Cell, pl.DataFrame, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        """Games done, and games in all."""
        now = time.monotonic()
        if self._last is None or (now - self._last >= self._every and done < total):
            self._last = now
            self._show(done, total, so_far(*self._latest) if self._latest else "")

    def found(self, cell: Cell, sums: pl.DataFrame, games: int) -> None:
        """The sums of the first games of a cell; what is shown is made later."""
        self._latest = cell, sums, games


def so_far(cell: Cell, sums: pl.DataFrame, games: int) -> str:
    """Win shares in words: by strategy, or by seat where all play the same.

    A cell that has a name, as in a study, is named.
    """
    if "side" in sums.columns:  # two sides that are compared
        return ""
    lineup = {one.title for one in cell.strategies()}
    by = "strategy" if len(lineup) > 1 else "position"
    won = sums.filter(pl.col("measure") == f"won by {by}")
    if won.is_empty():
        return ""
    shares = won.select(by, share=pl.col("y") / pl.col("x"))
    rows = shares.sort("share", descending=True) if by == "strategy" else shares
    words = positions(load(cell.game), cell.players)
    values = [
        f"{words[name - 1] if by == 'position' else name} {100 * share:.1f} %"
        for name, share in rows.head(_MOST).iter_rows()
    ]
    more = "" if rows.height <= _MOST else ", ..."
    named = f"{cell.label}: " if cell.label else ""
    return f"so far {named}{', '.join(values)}{more} ({games:,} games)"


@contextmanager
def _bar(words: str, every: float) -> Iterator[Progress]:
    from rich import progress as rich
    from rich.markup import escape

    from experiments.commands.show import console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TextColumn("games, left"),
        rich.TimeRemainingColumn(),
        rich.TextColumn("{task.fields[so_far]}", markup=False),
    )
    with rich.Progress(*columns, console=console(stderr=True), transient=True) as bars:
        task = bars.add_task(escape(plain(words)), total=None, so_far="")

        def show(done: int, total: int, text: str) -> None:
            bars.update(task, so_far=plain(text))

        class Bar(_Shown):
            def __call__(self, done: int, total: int) -> None:
                bars.update(task, completed=done, total=total)
                super().__call__(done, total)

        yield Bar(every, show)


def _line(words: str) -> Callable[[int, int, str], None]:
    start, first = time.monotonic(), -1

    def show(done: int, total: int, text: str) -> None:
        nonlocal first
        if first < 0:  # the start: games of an earlier one say nothing about time
            first = done
            return
        spent = time.monotonic() - start
        values = f"{words}: {done:,} of {total:,} games"
        if done > first:
            left = spent / (done - first) * (total - done)
            values += f", about {left:.0f} s left"
        line = plain("; ".join(filter(None, (values, text))))
        print(line, file=sys.stderr, flush=True)

    return show
