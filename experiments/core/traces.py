"""Traces: transcripts of a few games, in the audit format or for people to read."""

import json
from collections.abc import Iterator, Sequence

import numpy as np
from rich.text import Text

import sim.games
from experiments.core.cells import Cell, UsageError, play
from experiments.core.trace_text import EventFormatter, TranscriptWithHands
from sim.transcript import Event, Transcript

_CHUNK = 256  # games played together: few, as transcripts are written row by row


def numbers(first: int, games: int) -> range:
    """Return the numbers of the games from ``first`` on; raises ``UsageError``."""
    if games < 1 or not 0 <= first < 1 << 63:
        raise UsageError("games: at least 1; number: 0 or more.")
    return range(first, first + games)


def events(cell: Cell, numbers: Sequence[int]) -> Iterator[Event]:
    """Yield the events of these games in order, in the transcript format."""
    yield from by_chunk(cell, numbers, Transcript)


def lines(cell: Cell, numbers: Sequence[int]) -> Iterator[str]:
    """Yield the events of these games, one JSON object a line."""
    for event in events(cell, numbers):
        yield json.dumps(event, ensure_ascii=False)


def texts(cell: Cell, numbers: Sequence[int]) -> Iterator[Text]:
    """Yield these games as a log: a rich ``Text`` an event, with options and hands."""
    changes = [
        f"{key} {here} instead of {base}"
        for key, (base, here) in cell.rules.differences().items()
    ]
    teller = EventFormatter(sim.games.load(cell.game), changes)
    for event in by_chunk(cell, numbers, TranscriptWithHands):
        yield teller.line(event)


def by_chunk(
    cell: Cell, numbers: Sequence[int], kind: type[Transcript]
) -> Iterator[Event]:
    """Yield events chunk by chunk; those before a failure come before it is raised."""
    game = sim.games.load(cell.game)
    for first in range(0, len(numbers), _CHUNK):
        chunk = np.array(numbers[first : first + _CHUNK], dtype=np.uint64)
        transcript = kind(game)
        try:
            play(cell, chunk, [transcript])
        except Exception:
            yield from transcript.events()
            raise
        yield from transcript.events()
