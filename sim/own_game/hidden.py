"""Hidden cards, dealt anew: what a seat does not see lies elsewhere.

Cards that the seat does not see change places, and nothing else does: all piles keep
their sizes, and hands hold only what they may by what everybody has seen
(``CardGame.may_hold``). Cards with a column ``back`` change places with those of the
same back only.
"""

import random
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from sim.own_game.board import Board, Question
from sim.own_game.memory import certain

_TRIES = 8  # swaps tried for each card, before all are dealt by matching
_NO_COLUMNS: dict[str, Any] = {}
_MIXES = 4  # swaps of each card afterwards


class Deal:
    """The hidden cards of a board as they could lie, by what ``seat`` knows.

    It is drawn on the board as it stands and is a function of ``key`` alone.
    """

    def __init__(self, board: Board, seat: int, key: int) -> None:
        self.seat = seat
        known = remembered_cards(board, seat)
        owners, cards = [], []
        for owner, pile in _hidden_piles(board, seat):
            moved = [card for card in pile if card not in known] if known else pile
            cards += moved
            owners += [owner] * len(moved)
        dealt = _dealt(board, owners, cards, random.Random(key))
        self.places = dict(zip(cards, dealt, strict=True))

    def apply(self, board: Board) -> None:
        """Lay the cards so, in place."""
        for _, pile in _hidden_piles(board, self.seat):
            pile[:] = [self.places.get(card, card) for card in pile]
        own = board._remembered.get(self.seat)
        board._remembered = {self.seat: own} if own else {}


def _hidden_piles(board: Board, seat: int) -> Iterator[tuple[int, list[Any]]]:
    """Yield the piles that a seat does not see, with their owner; -1: nobody."""
    for name, several, apart in board._plan.hidden:
        piles = getattr(board, name)
        if not several:
            yield -1, piles
            continue
        for owner, pile in enumerate(piles):
            if not (apart and (owner - seat) % apart == 0):
                yield (owner if apart else -1), pile


def remembered_cards(board: Board, seat: int) -> set[Any]:
    """The hidden cards of which a seat knows where they lie, as it passed them on."""
    known = board._remembered.get(seat)
    if not known:
        return set()
    return certain(
        known,
        lambda place: getattr(board, place[0])[place[1]],
        hidden_cards(board, seat),
    )


def hidden_cards(board: Board, seat: int) -> list[Any]:
    """The cards that a seat does not see, in the order of their places."""
    return [card for _, pile in _hidden_piles(board, seat) for card in pile]


def renamed_options(question: Question, deal: Deal, board: Board) -> Question:
    """The question with the options of other seats as their cards are now.

    A pile of the board that was passed as options has changed by itself.
    """
    place = deal.places.get
    piles = {id(pile) for _, pile in _hidden_piles(board, deal.seat)}
    options = {
        seat: some if seat == deal.seat or id(some) in piles else _renamed(some, place)
        for seat, some in question.options.items()
    }
    return question._replace(options=options)


def _renamed(options: Any, place: Callable[[Any, Any], Any]) -> list[Any]:
    return [place(one, one) if isinstance(one, Hashable) else one for one in options]


def _dealt(
    board: Board, owners: list[int], cards: list[Any], chance: random.Random
) -> list[Any]:
    """The cards in a random order that fits; ``owners`` of their places."""
    groups: dict[Any, list[int]] = {}
    for at, card in enumerate(cards):
        columns = getattr(card, "__dict__", _NO_COLUMNS)
        groups.setdefault(columns.get("back"), []).append(at)
    new = cards[:]
    for group in groups.values():
        mixed = [cards[at] for at in group]
        chance.shuffle(mixed)
        for at, card in zip(group, mixed, strict=True):
            new[at] = card
    may = board._plan.game.may_hold
    if may is None:
        return new
    known: dict[tuple[int, Any], bool] = {}

    def fits(at: int, card: Any) -> bool:
        owner = owners[at]
        if owner < 0:
            return True
        key = owner, card
        if key not in known:
            known[key] = bool(may(board, owner, card))
        return known[key]

    for group in groups.values():
        if not _repair(new, group, fits, chance):
            _match(new, group, fits, chance)
        _mix(new, group, fits, chance)
    return new


Fits = Callable[[int, Any], bool]


def _swap(cards: list[Any], one: int, other: int, fits: Fits) -> bool:
    """Let two cards change places if both fit there."""
    if not (fits(one, cards[other]) and fits(other, cards[one])):
        return False
    cards[one], cards[other] = cards[other], cards[one]
    return True


def _repair(
    cards: list[Any], group: list[int], fits: Fits, chance: random.Random
) -> bool:
    """Swap cards that do not fit with others; whether all fit then."""
    for at in group:
        if fits(at, cards[at]):
            continue
        for _ in range(_TRIES * len(group)):
            if _swap(cards, at, chance.choice(group), fits):
                break
        else:
            return False
    return True


def _mix(cards: list[Any], group: list[int], fits: Fits, chance: random.Random) -> None:
    """Swap random cards that may change places, so that all deals are as likely."""
    for at in group * _MIXES:
        _swap(cards, at, chance.choice(group), fits)


def _match(
    cards: list[Any], group: list[int], fits: Fits, chance: random.Random
) -> None:
    """Find places for all cards: a matching by augmenting paths (Kuhn 1955).

    Where the author's ``may_hold`` leaves none, cards that fit nowhere stay.
    """
    left = [cards[at] for at in group]
    taken: dict[int, int] = {}  # place -> number of its card
    order = group[:]
    chance.shuffle(order)

    def place(number: int, seen: set[int]) -> bool:
        for at in order:
            if at in seen or not fits(at, left[number]):
                continue
            seen.add(at)
            if at not in taken or place(taken[at], seen):
                taken[at] = number
                return True
        return False

    lost = [number for number in range(len(left)) if not place(number, set())]
    free = [at for at in group if at not in taken]
    taken |= dict(zip(free, lost, strict=True))
    for at, number in taken.items():
        cards[at] = left[number]
