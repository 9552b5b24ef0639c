"""What a finding says of numbers, so that it can be tried with other ways to play."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TOLERANCE = 0.02
"""A share may be this much more or less than what is even: 2 points."""


@dataclass(frozen=True, eq=False)
class Claim:
    """Shares of a measure, with so many players, against what is even.

    ``subject`` says whose shares: "wins of the sole leader after a third". Those of all
    values of the group ``by``, which ``words`` puts into words, are a family. ``where``
    are the values of the measure's other groups. ``even`` is what they are compared
    with, and ``called`` so where it is no share; without it, their mean.
    """

    subject: str
    measure: str
    players: int
    by: str = ""
    words: Mapping[Any, str] = field(default_factory=dict)
    where: Mapping[str, Any] = field(default_factory=dict)
    even: float | None = None
    called: str = ""
    tolerance: float = TOLERANCE
