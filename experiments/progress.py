"""How far a run is: a bar in a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], None]  # games done, games in all
_EVERY = 10.0  # seconds between lines where there is no terminal


@contextmanager
def watch(words: str) -> Iterator[Progress]:
    """What to call with games done and games in all; shows the time left."""
    if sys.stderr.isatty():
        with _bar(words) as progress:
            yield progress
    else:
        yield _lines(words)


@contextmanager
def _bar(words: str) -> Iterator[Progress]:
    from rich import progress as rich

    from experiments.show import console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TextColumn("games, left"),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=console(stderr=True), transient=True) as bars:
        task = bars.add_task(words, total=None)

        def progress(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total)

        yield progress


def _lines(words: str) -> Progress:
    start = last = time.monotonic()
    first: int | None = None

    def progress(done: int, total: int) -> None:
        nonlocal last, first
        first = done if first is None else first
        now = time.monotonic()
        if now - last < _EVERY or done == total:
            return
        last = now
        left = (now - start) / max(done - first, 1) * (total - done)
        print(
            f"{words}: {done:,} of {total:,} games, about {left:.0f} s left",
            file=sys.stderr,
            flush=True,
        )

    return progress
