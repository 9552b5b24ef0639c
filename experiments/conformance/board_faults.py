"""What can be wrong with the board of a game in one file, as tests of a board.

Each is true of a board that is wrong, so that the line can be found after which it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from sim.own_game.board import Board
from sim.own_game.declarations import Declared, Number, Pile
from sim.own_game.hidden import hidden_cards
from sim.own_game.moments import scores_of


def piles_of(value: Any, declared: Declared) -> Sequence[list[Any]]:
    """The piles that stand under a name; none where it declares something else."""
    if not isinstance(declared, Pile):
        return []
    return value if declared.each or declared.many else [value]


def shape_problem(name: str, value: Any, declared: Declared, board: Board) -> str:
    """What is wrong with what stands under a name; "" if nothing."""
    what = type(declared).__name__
    whole = isinstance(value, list) and len(value) == board.players
    problem = ""
    if declared.each and not whole:
        problem = (
            f"g.{name} is declared {what}(each=True), one for each seat, and is "
            f"{value!r:.60}. Write g.{name}[seat] = ..., or a list of one for each."
        )
    elif isinstance(declared, Pile):
        piles = [value, *piles_of(value, declared)] if isinstance(value, list) else [0]
        if not all(isinstance(pile, list) for pile in piles):
            problem = (
                f"g.{name} is declared Pile, a list of cards, and is {value!r:.60}. "
                f"Put cards on it with append or +=, or write list(...)."
            )
    elif isinstance(declared, Number):
        numbers = value if declared.each else [value]
        if not all(isinstance(one, int | float | np.number) for one in numbers):
            problem = (
                f"g.{name} is declared Number, and is {value!r:.60}. For anything else "
                f"write {name} = Fact()."
            )
    return problem


def is_number(score: Any) -> bool:
    """Whether it is a number that seats can be ranked by."""
    return isinstance(score, int | float | np.number) and isfinite(score)


def has_no_score(board: Board) -> bool:
    """Whether the score of some seat is no number."""
    return not all(map(is_number, scores_of(board)))


@dataclass(frozen=True)
class Misshapen:
    """Whether something declared has another form than declared."""

    name: str
    declared: Declared

    def __call__(self, board: Board) -> bool:
        """Whether it is so on this board."""
        value = getattr(board, self.name)
        return bool(shape_problem(self.name, value, self.declared, board))


@dataclass(frozen=True)
class SharedList:
    """Whether a pile is the same list as another."""

    name: str
    declared: Declared

    def __call__(self, board: Board) -> bool:
        """Whether it is so on this board."""
        places = [
            id(pile)
            for name, declared in board._plan.declared.items()
            for pile in piles_of(getattr(board, name), declared)
        ]
        own = map(id, piles_of(getattr(board, self.name), self.declared))
        return any(places.count(one) > 1 for one in own)


@dataclass(frozen=True)
class Astray:
    """Whether cards are where the same cards were found astray."""

    twice: list[Any]
    lost: list[Any]
    strange: list[Any]
    box: set[Any]

    def __call__(self, board: Board) -> bool:
        """Whether it is so on this board."""
        twice, lost, strange = astray(board, self.box)
        return (
            {*self.twice} <= {*twice}
            and {*self.lost} <= {*lost}
            and {*self.strange} <= {*strange}
        )


@dataclass(frozen=True)
class TellsHidden:
    """Whether a fact has a card in it that a seat does not see."""

    name: str
    seat: int

    def __call__(self, board: Board) -> bool:
        """Whether it is so on this board."""
        unseen = {id(card) for card in hidden_cards(board, self.seat)}
        return any(id(one) in unseen for one in deep(getattr(board, self.name)))


def astray(board: Board, box: set[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """The cards that are in two piles, in none, and those that are not of the box."""
    count: dict[Any, int] = {}
    for name, several in board._plan.piles:
        piles = getattr(board, name)
        for pile in piles if several else [piles]:
            for card in pile:
                count[card] = count.get(card, 0) + 1
    twice = [card for card, times in count.items() if times > 1]
    return twice, [*(box - count.keys())], [*(count.keys() - box)]


def deep(value: Any) -> Iterator[Any]:
    """Yield what is in a value, and in what is in it."""
    if isinstance(value, dict):
        yield from deep([*value.keys(), *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from deep(one)
    else:
        yield value


def few(cards: Sequence[Any]) -> str:
    """The first of some cards in words."""
    words = sorted(map(str, cards))
    more = f" (and {len(words) - 1} more)" if len(words) > 1 else ""
    return f"{words[0]}{more}"
