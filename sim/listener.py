"""Who is told of what is decided and what becomes of it: tables, transcripts, counts.

A listener overrides what it hears; the rest is silence.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.events import Decision
from sim.masks import Flags, Masks
from sim.view import Rows, Seat


class Choice(NamedTuple):
    """A decision of all rows, (games,) each, and its answer."""

    kind: Decision
    seat: Seat
    legal: Masks
    most: NDArray[np.uint8] | None  # tokens or cards that an answer takes; None: one
    answer: Masks
    asked: Flags  # the rows that had it


class Listener:
    """Who is told of choices and events, by name."""

    def hears(self, name: str) -> bool:
        """Whether choices or events of this name are wanted."""
        raise NotImplementedError

    def choice(self, state: Any, choice: Choice) -> None:
        """A choice of all rows."""

    def event(
        self, state: Any, name: str, where: Flags | None, fields: Mapping[str, Any]
    ) -> None:
        """What became of all rows, or of those flagged in ``where``."""

    def settled(self, state: Any, rows: Rows) -> None:
        """These rows are over, or are dealt to anew, before the result is told."""
