"""Points first."""

from dataclasses import dataclass

from strategies.devil import features
from strategies.devil.heuristic import Heuristic


@dataclass(frozen=True)
class Dumper(Heuristic):
    """What costs most must go: it sheds its dearest card, Specials as their rank.

    It ends a round that adds less to its total than to the others' on average.
    """

    name = "dumper"
    ignores_public_history = True

    def value(self, options: features.Options) -> features.Numbers:
        """The points of the card."""
        return features.points_of(options)
