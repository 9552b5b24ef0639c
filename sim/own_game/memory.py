"""What seats remember of cards that they passed on: where they went.

A memory is certain or it is none. It lasts as long as no card of that pile can have
gone where the seat does not see it: then nobody could know which card that was.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

Place = tuple[str, int]
"""A pile, by its name and owner."""


class Memory(NamedTuple):
    """Cards that a seat ``knows`` to lie in a pile, and ``all`` that lay there then."""

    knows: frozenset[Any]
    all: frozenset[Any]


Memories = Mapping[int, Mapping[Place, Memory]]
"""By seat, what it remembers of each pile. They are replaced, and never changed."""


def passed_on(memories: Memories, pile: str, to: Callable[[int], int]) -> Memories:
    """The memories after all piles of this name went on whole."""
    return {
        seat: {
            (name, to(owner) if name == pile else owner): memory
            for (name, owner), memory in known.items()
            if name != pile or to(owner) != seat
        }
        for seat, known in memories.items()
    }


def forgotten(memories: Memories, pile: str, owners: Iterable[int]) -> Memories:
    """The memories without those of the piles of these owners."""
    gone = {(pile, owner) for owner in owners}
    return {
        seat: {place: memory for place, memory in known.items() if place not in gone}
        for seat, known in memories.items()
    }


def remembering(
    memories: Memories,
    seat: int,
    place: Place,
    cards: Iterable[Any],
    contents: Iterable[Any],
) -> Memories:
    """The memories once a seat knows that these cards are among the contents."""
    known = memories.get(seat, {})
    before = known[place].knows if place in known else frozenset()
    memory = Memory(before | {*cards}, frozenset(contents))
    return {**memories, seat: {**known, place: memory}}


def certain(
    known: Mapping[Place, Memory],
    contents: Callable[[Place], Iterable[Any]],
    hidden: Iterable[Any],
) -> set[Any]:
    """The cards of which a seat knows where they lie, among those ``hidden`` from it.

    ``contents`` are what lies in a pile now.
    """
    unseen, cards = {*hidden}, set[Any]()
    for place, memory in known.items():
        there = {*contents(place)}
        if not (memory.all - there) & unseen:
            cards |= memory.knows & there & unseen
    return cards
