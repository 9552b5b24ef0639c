"""Piles of cards in many games at once, as arrays of card numbers."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.scores import GameError

Numbers = NDArray[np.signedinteger[Any]]
NOBODY = -1
"""Where no card lies."""


class Piles:
    """The piles of one name in many games.

    ``cards`` (piles, places, games) are the numbers of cards, which are their places in
    the box, the last of a pile on top; -1: none. ``count`` (piles, games) says how many
    lie there. A pile that there is once has the number 0. ``rows`` (n,) are the games
    that something happens in (default: all), and ``pile`` the pile in each, or one for
    all.
    """

    def __init__(self, cards: Numbers, count: Numbers) -> None:
        self.cards, self.count = cards, count

    @classmethod
    def of(
        cls, games: Sequence[Sequence[Sequence[Any]]], number: Mapping[Any, int]
    ) -> "Piles":
        """The piles of some games, each with its piles, each with its cards.

        ``number`` is that of each card.

        >>> Piles.of([[["king", "ace"]], [["king"]]], {"ace": 0, "king": 1}).top
        array([[0, 1]], dtype=int16)
        """
        sizes = [[len(pile) for pile in piles] for piles in games]
        count = np.array(sizes, dtype=np.int64).reshape(len(games), -1)
        places = np.arange(max(int(count.max(initial=0)), 1))
        cards = np.full((*count.shape, len(places)), NOBODY, dtype=np.int16)
        every = chain.from_iterable(chain.from_iterable(games))
        cards[places < count[..., None]] = [number[card] for card in every]
        return cls(cards.transpose(1, 2, 0).copy(), count.T.copy())

    def lists(self, game: int) -> list[list[int]]:
        """The piles of a game."""
        return [
            cards[:size].tolist()
            for cards, size in zip(
                self.cards[:, :, game], self.count[:, game].tolist(), strict=True
            )
        ]

    def take_games(self, rows: Numbers) -> "Piles":
        """A copy of some games."""
        return Piles(self.cards.take(rows, axis=-1), self.count.take(rows, axis=-1))

    @property
    def top(self) -> Numbers:
        """(piles, games) the card on top."""
        last = np.maximum(self.count - 1, 0)[:, None]
        return np.take_along_axis(self.cards, last, axis=1)[:, 0]

    def total(self, values: NDArray[Any]) -> NDArray[Any]:
        """(piles, games) the sum of these values of all cards; they are by card."""
        total: NDArray[Any] = np.append(values, 0)[self.cards].sum(axis=1)
        return total

    def push(self, card: Any, pile: Any = 0, rows: Numbers | None = None) -> None:
        """Put a card (n,) on top."""
        at = self._games(rows)
        place = self.count[pile, at]
        if place.max(initial=0) >= self.cards.shape[1]:
            more = np.full_like(self.cards, NOBODY)
            self.cards = np.concatenate([self.cards, more], axis=1)
        self.cards[pile, place, at] = card
        self.count[pile, at] += 1

    def remove(self, card: Any, pile: Any = 0, rows: Numbers | None = None) -> None:
        """Take a card (n,) out; the others keep their order."""
        at = self._games(rows)
        here = self.cards[pile, :, at]  # (n, places)
        found = here == np.asarray(card)[..., None]
        if not found.any(axis=1).all():
            raise GameError("a card is taken from a pile in which it does not lie.")
        above = np.arange(here.shape[1]) >= found.argmax(axis=1)[:, None]
        moved = np.append(here[:, 1:], np.full((len(here), 1), NOBODY), axis=1)
        self.cards[pile, :, at] = np.where(above, moved, here)
        self.count[pile, at] -= 1

    def pop(self, pile: Any = 0, rows: Numbers | None = None) -> Numbers:
        """Take the card on top: (n,) which."""
        at = self._games(rows)
        place = self.count[pile, at] - 1
        if place.min(initial=0) < 0:
            raise GameError("a card is taken from an empty pile.")
        card: Numbers = self.cards[pile, place, at]
        self.cards[pile, place, at] = NOBODY
        self.count[pile, at] = place
        return card

    def clear(self, pile: Any = 0, rows: Numbers | None = None) -> Numbers:
        """Take all cards: (places, n) which."""
        at = self._games(rows)
        cards: Numbers = self.cards[pile, :, at].T.copy()
        self.cards[pile, :, at] = NOBODY
        self.count[pile, at] = 0
        return cards

    def extend(
        self, cards: Numbers, pile: Any = 0, rows: Numbers | None = None
    ) -> None:
        """Put several cards (places, n) on top, the first of them first."""
        at = self._games(rows)
        pile = np.broadcast_to(pile, len(at))
        for each in cards:
            some = np.flatnonzero(each >= 0)
            if len(some):
                self.push(each[some], pile[some], at[some])

    def _games(self, rows: Numbers | None) -> Numbers:
        return np.arange(self.count.shape[1]) if rows is None else np.asarray(rows)
