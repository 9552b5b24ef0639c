"""A player that is asked again with everything that it cannot know dealt anew."""

from collections import Counter
from collections.abc import Container

import numpy as np

from experiments.conformance.redeal import redeal_view
from sim.answers import check_answer, place_of
from sim.games import Game
from sim.masks import Masks
from sim.table import Player
from sim.view import View

_REDEALS = 2  # for each decision


class PeekingCheck:
    """Decides as ``inner`` does, and asks it again with only hidden things changed.

    ``asked`` counts the decisions by kind; ``saw`` says where an answer first differed,
    or is empty. With ``kinds`` it is asked again only at these.
    """

    def __init__(
        self, inner: Player, game: Game, kinds: Container[str] | None = None
    ) -> None:
        self._inner = inner
        self._game = game
        self._kinds = game.kinds if kinds is None else kinds
        self._salt = 0
        self.asked = Counter[str]()
        self.saw = ""

    @property
    def title(self) -> str:
        """The name of the player."""
        return self._inner.title

    def decide(self, view: View) -> Masks:
        """Return the player's answer, and check that it does not peek."""
        answer = np.array(self._inner.decide(view))
        check_answer(self._inner, view, answer)
        for _ in range(_REDEALS if view.kind.name in self._kinds else 0):
            self._salt += 1  # other cards each time
            again = self._inner.decide(redeal_view(self._game, view, self._salt))
            different = np.flatnonzero(np.asarray(again) != answer)
            if len(different) and not self.saw:
                self.saw = f"{view.kind.name!r} {place_of(view, int(different[0]))}"
        self.asked[view.kind.name] += len(view)
        return answer
