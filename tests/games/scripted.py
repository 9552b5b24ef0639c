"""Games worked out with pen and paper, played by the engine as a script says.

A `Scripted` player says what the script says, choice by choice; a `Stacked` chance
gives the cards that the script names. So what was worked out is held against the
engine, and the engine's transcript against the referee.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.answers import ids_of
from sim.chance import Chance, Purpose
from sim.masks import Masks
from sim.table import Player
from sim.transcript import Transcript
from sim.view import View
from strategies.random import Random
from tests.games.event_lines import Events
from tests.games.plays import Changes, Plays


class Scripted:
    """Says the words of a script in turn, for all seats; then it plays at random."""

    title = "scripted"

    def __init__(self, words: Iterable[str]) -> None:
        self._words = iter(words)
        self._random = Random()

    def decide(self, view: View) -> Masks:
        word = next(self._words, None)
        if word is None:
            return self._random.decide(view)
        return np.array([self.answer(view, word)], dtype=np.uint64)

    def answer(self, view: View, word: str) -> int:
        """The lowest of the options with this id, as a bit."""
        ids, legal = ids_of(view, 0), masks.members(view.legal[0])
        assert word in {ids[n] for n in legal}, f"{view.kind.name}: {word} is no option"
        return 1 << next(n for n in legal if ids[n] == word)


class Stacked(Chance):
    """Chance of one game, in which decks lie as ``order`` says.

    ``order`` is given the cards to be shuffled, and returns those that come first.
    """

    def __init__(
        self, real: Chance, order: Callable[[Sequence[int]], Sequence[int]]
    ) -> None:
        self._keys, self._last, self._again = real._keys, {}, real._again
        self._order = order

    def shuffle(
        self,
        cards: Sequence[int],
        purpose: Purpose,
        counter: int,
        piles: tuple[int, ...] = (),
    ) -> NDArray[np.uint16]:
        shuffled = super().shuffle(cards, purpose, counter)
        if purpose is not Purpose.DEAL:
            return shuffled
        first = list(self._order(cards))
        rest = [card for card in shuffled[:, 0].tolist() if card not in first]
        return np.array([first + rest], dtype=np.uint16).T


def played(plays: Plays, state: Any, player: Player, chance: Chance) -> Events:
    """Play the one game of a state that is set up, and tell it."""
    state.chance = chance
    writer = Transcript(plays.game)
    writer.open(state, [[player.title] * state.players])
    plays.game.play(state, plays.table([player], writer))
    return writer.events()


def starting(
    plays: Plays, changes: Changes, players: int, wanted: Callable[[Any], bool]
) -> Any:
    """A game that is set up as wanted: the first of which this is true."""
    for first in range(1000):
        state = plays.started(changes, players, 1, first=first)
        if wanted(state):
            return state
    raise AssertionError("no game is set up so")
