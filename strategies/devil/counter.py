"""Being able to follow."""

from dataclasses import dataclass

from strategies.devil import features
from strategies.devil.heuristic import Heuristic


@dataclass(frozen=True)
class Counter(Heuristic):
    """Who can always follow is out first: it keeps both neighbours of tops to come.

    It plays the card after which the rest of its hand fits most tops that may come,
    and among equals the one that the fewest unseen cards can follow.
    """

    name = "counter"
    ignores_public_history = True

    def value(self, options: features.Options) -> features.Numbers:
        """Whether the rest can follow, then whether others cannot."""
        return features.cover(options) - 0.01 * features.answers(options)
