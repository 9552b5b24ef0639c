"""Sessions of a play log that repeat earlier ones under other names.

A block of sessions pasted again, with new session numbers or dates, counts twice.
Single sessions may well be equal by chance, so a repeat is judged by how often chance
would give one as long in this log.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from experiments.analysis.play_log_columns import Columns
from experiments.analysis.play_log_vocabulary import DATES, key
from experiments.core.spreadsheets import Sheet

_SURE = 0.01  # expected repeats as long by chance, below which it is none
_ODD = 1.0  # and below which it is worth a remark


class Repeat(NamedTuple):
    """Sessions ``again`` to ``again + length - 1`` repeat those from ``first`` on."""

    first: int
    again: int
    length: int
    chance: float  # the expected number of repeats as long, if sessions are independent


def repeat_remark(sheet: Sheet, columns: Columns) -> str:
    """Return a remark on sessions that repeat earlier ones, if any.

    Raises ``UsageError`` if that is no coincidence. Sessions are equal if all cells
    are, except for names and dates.
    """
    session = columns.roles["session"]
    other = [
        at
        for at, name in enumerate(sheet.heading)
        if name != session and (key(name) not in DATES or name in columns.persons)
    ]
    rows = defaultdict(list)
    for row, name in zip(sheet.rows, sheet.column(session), strict=True):
        rows[name].append(row)
    names, every = [*rows], [*rows.values()]
    contents = [tuple(row.cells[at] for row in rows for at in other) for rows in every]
    repeat = longest(contents)
    if repeat is None or repeat.chance >= _ODD:
        return ""

    def block(start: int) -> str:
        last = start + repeat.length - 1
        lines = f"lines {every[start][0].line} to {every[last][-1].line}"
        if repeat.length == 1:
            return f"session {names[start]} ({lines})"
        return f"sessions {names[start]} to {names[last]} ({lines})"

    words = f"{block(repeat.again)} repeat {block(repeat.first)}"
    if repeat.chance < _SURE:
        words += (
            ". Was the sheet pasted twice? Then take them out. If all were played, "
        )
        words += "add a column, such as notes, in which they differ."
        sheet.wrong(every[repeat.again][0].line, "", words)
    return f"{words}, which may be chance"


def longest(sessions: Sequence[Hashable]) -> Repeat | None:
    """Return the longest run of sessions that repeats an earlier one, in its order.

    Its chance is the probability that two sessions are equal, estimated from the pairs
    of all others (Laplace's rule), to the power of its length, times the number of
    places where it may stand.

    >>> longest("abcdefbcd")[:3]
    (1, 6, 3)
    """
    numbers: dict[Hashable, int] = {}
    codes = np.array([numbers.setdefault(s, len(numbers)) for s in sessions])
    size, best = len(codes), (0, 0, 0)
    for lag in range(1, size):
        if min(lag, size - lag) <= best[0]:
            continue
        breaks = np.flatnonzero(codes[lag:] != codes[:-lag])
        edges = np.concatenate(([-1], breaks, [size - lag]))
        at = int(np.diff(edges).argmax())
        count = min(int(edges[at + 1] - edges[at]) - 1, lag)
        best = max(best, (count, -int(edges[at]) - 1, -lag))
    count, start, lag = best[0], -best[1], -best[2]
    if not count:
        return None
    rest = np.delete(codes, slice(start + lag, start + lag + count)).tolist()
    equal = sum(n * (n - 1) // 2 for n in Counter(rest).values())
    rate = (equal + 1) / (len(rest) * (len(rest) - 1) // 2 + 2)
    return Repeat(start, start + lag, count, size * (size - 1) / 2 * rate**count)
