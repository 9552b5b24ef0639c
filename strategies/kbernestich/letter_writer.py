"""Points that nobody can take away."""

from dataclasses import dataclass

from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.kbernestich import features
from strategies.kbernestich.heuristic import Heuristic, place


@dataclass(frozen=True)
class LetterWriter(Heuristic):
    """A point in Letter to Marie is certain: dear squares first, then cheap ones.

    It places cubes nowhere else, saves the rest, and wins tricks that do not bust it.
    """

    name = "letter-writer"
    ignores_public_history = True

    def plot(self, view: KbernestichView) -> Masks:
        """The dearest free square of Letter to Marie."""
        letters = features.tables(view.layout).letters
        return place(view, letters[3], letters[2], letters[1])
