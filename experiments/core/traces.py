"""Traces: the transcripts of some games, in the audit format or for a person."""

import json
from collections.abc import Iterator, Sequence

import numpy as np
from rich.text import Text

from experiments.core.cells import Cell, UsageError, play
from experiments.core.trace_text import EventFormatter, TranscriptWithHands
from sim import games as registry
from sim.transcript import Event, Transcript

_AT_ONCE = 256  # games told together; few, for they are told by row


def numbers(first: int, games: int) -> range:
    """The indices of so many games from the first one on; raises ``UsageError``."""
    if games < 1 or not 0 <= first < 1 << 63:
        raise UsageError("games: at least 1; number: 0 or more.")
    return range(first, first + games)


def events(cell: Cell, numbers: Sequence[int]) -> Iterator[Event]:
    """The events of these games, in order, as the transcript format has them."""
    yield from by_chunk(cell, numbers, Transcript)


def lines(cell: Cell, numbers: Sequence[int]) -> Iterator[str]:
    """The events of these games, one JSON object a line."""
    for event in events(cell, numbers):
        yield json.dumps(event, ensure_ascii=False)


def texts(cell: Cell, numbers: Sequence[int]) -> Iterator[Text]:
    """These games as a log: a rich ``Text`` an event, with options and hands."""
    changes = [
        f"{key} {here} instead of {base}"
        for key, (base, here) in cell.rules.differences().items()
    ]
    teller = EventFormatter(registry.load(cell.game), changes)
    for event in by_chunk(cell, numbers, TranscriptWithHands):
        yield teller.line(event)


def by_chunk(
    cell: Cell, numbers: Sequence[int], kind: type[Transcript]
) -> Iterator[Event]:
    """Events chunk by chunk; those before a failure are told before it is raised."""
    game = registry.load(cell.game)
    for first in range(0, len(numbers), _AT_ONCE):
        chunk = np.array(numbers[first : first + _AT_ONCE], dtype=np.uint64)
        transcript = kind(game)
        try:
            play(cell, chunk, [transcript])
        except Exception:
            yield from transcript.events()
            raise
        yield from transcript.events()
