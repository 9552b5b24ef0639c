"""What a finding claims about numbers, so that other ways to play can be tested."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TOLERANCE = 0.02
"""A share may be this much above or below even: 2 points."""


@dataclass(frozen=True, eq=False)
class Claim:
    """Shares of a measure with a number of players, compared with even shares.

    ``subject`` says whose shares: "wins of the sole leader after a third". The shares
    of all values of the group ``by``, which ``words`` names, are a family. ``where``:
    the values of the measure's other groups. ``even`` is what they are compared with
    (default: their mean), and ``reference`` its name if it is no share.
    """

    subject: str
    measure: str
    players: int
    by: str = ""
    words: Mapping[Any, str] = field(default_factory=dict)
    where: Mapping[str, Any] = field(default_factory=dict)
    even: float | None = None
    reference: str = ""
    tolerance: float = TOLERANCE
