"""How far a run is, and what it found so far: a bar in a terminal, else some lines.

What is shown so far is of games without a gap from the first on; it has no intervals,
for those are for the end.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

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
        yield _Shown(_EVERY if every is None else every, _Lines(words))


class _Shown:
    """Passes on what a run tells, now and then."""

    def __init__(self, every: float, show: "_Bars | _Lines") -> None:
        self._every, self._show = every, show
        self._last: float | None = None
        self._latest: tuple[Cell, pl.DataFrame, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        """Games done, and games in all."""
        now = time.monotonic()
        if self._last is None or (now - self._last >= self._every and done < total):
            self._last = now
            self._show(done, total, so_far(*self._latest) if self._latest else "")

    def step(self, words: str) -> None:
        """A step begins, with games of its own; the time left is of this step."""
        self._last = self._latest = None
        self._show.begin(words)

    def tell(self, text: str) -> None:
        """Say a sentence, whatever is shown beside."""
        self._show.say(text)

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
    whole = won.group_by(by, maintain_order=True).agg(pl.col("y", "x").sum())
    shares = whole.select(by, share=pl.col("y") / pl.col("x"))
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
        shown = _Bars(bars, words)

        class Bar(_Shown):
            def __call__(self, done: int, total: int) -> None:
                bars.update(shown.task, completed=done, total=total)
                super().__call__(done, total)

        yield Bar(every, shown)


def _escaped(text: str) -> str:
    from rich.markup import escape  # slow to import

    return escape(text)


class _Bars:
    """A bar in a terminal."""

    def __init__(self, bars: Any, words: str) -> None:
        self._bars, self._words = bars, words
        self.task = bars.add_task(_escaped(plain(words)), total=None, so_far="")

    def __call__(self, done: int, total: int, text: str) -> None:
        self._bars.update(self.task, so_far=plain(text))

    def begin(self, words: str) -> None:
        """A bar anew, whose time left is of this step."""
        name = _escaped(plain(f"{self._words} {words}"))
        self._bars.reset(self.task, total=None, description=name, so_far="")

    def say(self, text: str) -> None:
        """A line above the bar."""
        self._bars.console.print(plain(text), markup=False, highlight=False)


class _Lines:
    """A line now and then, where there is no terminal."""

    def __init__(self, words: str) -> None:
        self._words, self._step = words, ""
        self._start, self._first = time.monotonic(), -1

    def __call__(self, done: int, total: int, text: str) -> None:
        if self._first < 0:  # the start: games of an earlier one tell no time
            self._first, self._start = done, time.monotonic()
            return
        spent = time.monotonic() - self._start
        values = f"{self._words}{self._step}: {done:,} of {total:,} games"
        if done > self._first:
            left = spent / (done - self._first) * (total - done)
            values += f", about {left:.0f} s left"
            values += " of this step" if self._step else ""
        self.say("; ".join(filter(None, (values, text))))

    def begin(self, words: str) -> None:
        """A step begins, whose time left is told by itself."""
        self._step = f" {words}"
        self._start, self._first = time.monotonic(), -1

    def say(self, text: str) -> None:
        """A line."""
        print(plain(text), file=sys.stderr, flush=True)
