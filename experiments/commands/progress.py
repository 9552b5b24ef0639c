"""The progress of a run and its results so far: a bar in a terminal, else some lines.

Results so far come from the first games without a gap; intervals are shown at the end
only.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

from experiments.core.cells import Cell
from reports.safe_text import plain
from sim.games import load, positions

Progress = Callable[[int, int], None]  # games done, games in all
_EVERY = 10.0  # seconds between lines without a terminal
_OFTEN = 0.5  # seconds between estimates in a terminal
_MOST_SHOWN = 4  # strategies or seats shown


@contextmanager
def watch(words: str, every: float | None = None) -> Iterator[Progress]:
    """Yield what to call with games done and games in all; it shows the time left.

    ``every``: seconds between lines, or between estimates in a terminal.
    """
    if sys.stderr.isatty():
        with _bar(words, _OFTEN if every is None else every) as progress:
            yield progress
    else:
        yield _Shown(_EVERY if every is None else every, _Lines(words))


class _Shown:
    """Shows what a run reports every few seconds."""

    def __init__(self, every: float, show: "_Bars | _Lines") -> None:
        self._every, self._show = every, show
        self._last: float | None = None
        self._latest: tuple[Cell, pl.DataFrame, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        """Report games done and games in all."""
        now = time.monotonic()
        if self._last is None or (now - self._last >= self._every and done < total):
            self._last = now
            self._show(done, total, so_far(*self._latest) if self._latest else "")

    def step(self, words: str) -> None:
        """Begin a step with games of its own; the time left is for this step."""
        self._last = self._latest = None
        self._show.begin(words)

    def tell(self, text: str) -> None:
        """Print a sentence."""
        self._show.say(text)

    def found(self, cell: Cell, sums: pl.DataFrame, games: int) -> None:
        """Take the sums of the first games of a cell; they are formatted when shown."""
        self._latest = cell, sums, games


def so_far(cell: Cell, sums: pl.DataFrame, games: int) -> str:
    """Win shares in words: by strategy, or by position if all play the same strategy.

    The cells of a study are named.
    """
    lineup = {strategy.title for strategy in cell.strategies()}
    by = "strategy" if len(lineup) > 1 else "position"
    won = sums.filter(pl.col("measure") == f"won by {by}")
    game = load(cell.game)
    if won.is_empty() or (by == "position" and not game.first_position):
        return ""
    whole = won.group_by(by, maintain_order=True).agg(pl.col("y", "x").sum())
    shares = whole.select(by, share=pl.col("y") / pl.col("x"))
    rows = shares.sort("share", descending=True) if by == "strategy" else shares
    words = positions(game, cell.players)
    values = [
        f"{words[name - 1] if by == 'position' else name} {100 * share:.1f} %"
        for name, share in rows.head(_MOST_SHOWN).iter_rows()
    ]
    more = "" if rows.height <= _MOST_SHOWN else ", ..."
    named = f"{cell.label}: " if cell.label else ""
    return f"so far {named}{', '.join(values)}{more} ({games:,} games)"


@contextmanager
def _bar(words: str, every: float) -> Iterator[Progress]:
    from rich import progress as rich

    from experiments.commands.output import console

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
        """Restart the bar for a step."""
        name = _escaped(plain(f"{self._words} {words}"))
        self._bars.reset(self.task, total=None, description=name, so_far="")

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self._bars.console.print(plain(text), markup=False, highlight=False)


class _Lines:
    """Progress without a terminal: a line now and then."""

    def __init__(self, words: str) -> None:
        self._words, self._step = words, ""
        self._start, self._first = time.monotonic(), -1

    def __call__(self, done: int, total: int, text: str) -> None:
        if self._first < 0:  # games of an earlier start say nothing about time
            self._first, self._start = done, time.monotonic()
            return
        spent = time.monotonic() - self._start
        values = f"{self._words}{self._step}: {done:,} of {total:,} games"
        if done > self._first:
            left = spent / (done - self._first) * (total - done)
            values += f", about {left:.0f} s left"
            values += " in this step" if self._step else ""
        self.say("; ".join(filter(None, (values, text))))

    def begin(self, words: str) -> None:
        """Begin a step, which has its own time left."""
        self._step = f" {words}"
        self._start, self._first = time.monotonic(), -1

    def say(self, text: str) -> None:
        """Print a line."""
        print(plain(text), file=sys.stderr, flush=True)
