"""Which number of a game says who is ahead, and whether most or fewest of it wins.

A game declares it, and all that speaks of leads, comebacks and margins goes by it:

    GAME = Game(
        ...,
        score=Score("heads", wins="fewest"),
        standing=Score("heads", wins="fewest", note="round"),
    )
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sim.events import EventType
from sim.parameters import no_such, one_of

RESULT = "result"
"""The note that ends every game."""
WAYS = ("most", "fewest")
"""What a seat may need of a number to be ahead."""


class GameError(ValueError):
    """A game declares what cannot be."""


@dataclass(frozen=True)
class Score:
    """A number that every seat has, and which end of it is ahead.

    It is the ``field`` of a ``note``: told by seat, or of one ``seat`` after the other.
    Who has ``wins`` of it, "most" or "fewest", is ahead. ``unit`` is what people call
    it. Raises ``GameError`` where ``wins`` is anything else.

    >>> Score("points", wins="most").sign, Score("heads", wins="fewest").sign
    (1, -1)
    """

    field: str
    wins: Literal["most", "fewest"]
    note: str = RESULT
    unit: str = ""

    def __post_init__(self) -> None:
        """Refuse a direction that is none."""
        if self.wins not in WAYS:
            raise GameError(
                f"{self.field}: wins={self.wins!r} does not say who is ahead. "
                f"Allowed: {one_of(WAYS)}."
            )

    @property
    def fewest(self) -> bool:
        """Whether who has least is ahead."""
        return self.wins == "fewest"

    @property
    def sign(self) -> int:
        """What to multiply the number by, so that more is better: 1 or -1."""
        return -1 if self.fewest else 1

    @property
    def words(self) -> str:
        """What people call the number."""
        return self.unit or self.field.replace("_", " ")

    def problem(self, events: Mapping[str, EventType]) -> str:
        """Why none of these notes tells it; empty where one does."""
        if self.note not in events:
            return no_such("note", self.note, events, "Notes")
        fields = events[self.note].fields
        if self.field not in fields:
            what = f"field of the note {self.note!r}"
            return no_such(what, self.field, fields, "Fields")
        declared = fields[self.field]
        if declared.form != "number" or declared.once:
            where = f"{self.field!r} of the note {self.note!r}"
            return f"{where} is no number of each seat."
        if declared.null is not None:
            return (
                f"{self.field!r} of the note {self.note!r} may be no number (null); "
                "who stands where is told of every seat."
            )
        return ""
