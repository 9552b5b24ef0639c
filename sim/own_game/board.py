"""The board of one game: what lies where, and the ways to ask, to draw and to tell.

The author's code gets it as ``g``. Where it asks, the code waits until the answer is
there; the board of another game goes on meanwhile.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim.own_game.declarations import (
    CardGame,
    Declared,
    Event,
    Fact,
    Number,
    Pile,
    members,
)
from sim.own_game.memory import Memories, forgotten, passed_on, remembering
from sim.parameters import nearest, no_such
from sim.scores import GameError

MOST = 64
"""The most options that a question may have."""
ENOUGH = "enough"
"""The option that ends ``g.some``."""
_GAMMA, _WORD = 0x9E3779B97F4A7C15, (1 << 64) - 1
_generator = random.Random()


class Question(NamedTuple):
    """A question that waits for an answer: seats that are asked, with their options.

    ``single``: one seat is asked, and the answer is its option alone. ``most`` is how
    many such questions may still follow, this one included.
    """

    kind: str
    options: Mapping[int, Sequence[Any]]
    single: bool
    most: int = 1


class BoardPlan:
    """What is on the boards of a game, by its rules and number of players.

    ``players`` sit at the board, in so many ``sides``. ``hidden`` are the piles that
    some seat does not see: name, whether there are several, and how far apart the seats
    are that see them (0: nobody does). ``names`` are all attributes of a board.
    ``copies``: whether cards of the box may be alike. ``words`` are the numbers of the
    cards and words that an event tells, by event and field.
    """

    def __init__(self, game: CardGame, rules: Mapping[str, Any], players: int) -> None:
        self.game = game
        self.copies = False
        self.rules = SimpleNamespace(**rules)
        self.players = players
        self.sides = players // game.team
        self.declared: Mapping[str, Declared] = members(type(game), Declared)
        piles = members(type(game), Pile)
        self.piles = [
            (name, pile.each or bool(pile.many)) for name, pile in piles.items()
        ]
        self.piles_of_seats = [name for name, pile in piles.items() if pile.each]
        apart = {"owner": players, "partners": self.sides}
        self.hidden = [
            (name, pile.each or bool(pile.many), apart.get(pile.sees, 0))
            for name, pile in piles.items()
            if pile.sees != "all"
        ]
        self.nested = [name for name, several in self.piles if several]
        self.flat = [name for name, several in self.piles if not several]
        self.events = {
            name: list(event.numbers)
            for name, event in members(type(game), Event).items()
        }
        self.words: dict[tuple[str, str], Mapping[str, int]] = {}
        self.facts = list(members(type(game), Fact))
        numbers = members(type(game), Number)
        self.flat += [name for name, number in numbers.items() if number.each]
        self.names = [*vars(Board(self, 0, 0))]
        self.size = len(self.names)

    def told(self, event: str, name: str, value: Any) -> float:
        """What an event tells as a number; raises ``GameError``."""
        words = self.words.get((event, name))
        if words is None:
            if isinstance(value, int | float | np.number):
                return value  # type: ignore[return-value]
            raise GameError(
                f"{event!r} is told with {name}={value!r}, which is no number. To tell "
                f'a card or a word declare {{"{name}": ChoiceOf("which", "cards")}}, '
                'or a list of all words in place of "cards".'
            )
        if str(value) not in words:
            raise GameError(no_such(f"{name} of {event!r}", str(value), words, "Known"))
        return words[str(value)]

    def start_of(self, name: str) -> Any:
        """What stands there when a game begins."""
        declared = self.declared[name]
        if isinstance(declared, Number | Fact):
            start = declared.start
            return [start] * self.players if declared.each else start
        if declared.each:
            return [[] for _ in range(self.players)]
        many = getattr(declared, "many", "")
        return [[] for _ in range(getattr(self.rules, many))] if many else []


class Board:
    """One game as it stands; the attributes are what its author declares.

    ``seats`` are 0 to ``players`` - 1, ``rules`` the values in force for this number of
    players, ``turn`` how many turns are over; ``over`` is set by the author.
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    else:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            known = [one for one in vars(self) if one[0] != "_"]
            raise AttributeError(f"g has no {name!r}{nearest(name, known)}")

    def __init__(self, plan: BoardPlan, deal: int, dice: int) -> None:
        self.rules, self.players, self.seats = (
            plan.rules,
            plan.players,
            range(plan.players),
        )
        self.turn, self.over = 0, False
        self._plan = plan
        self._deal, self._deals = deal, 0  # key and count of shuffles
        self._dice, self._rolls = dice, 0
        self._hub: Any = None  # whoever answers questions
        self._notes: list[tuple[str, int, tuple[Any, ...]]] | None = None
        self._forced = 0
        self._remembered: Memories = {}
        self._copied = [False]  # whether anybody copied this game; shared by copies
        for name in plan.declared:
            setattr(self, name, plan.start_of(name))

    def _clone(self) -> "Board":
        """An independent copy, with which play can go on."""
        other = object.__new__(Board)
        known = vars(other)
        known.update(vars(self))
        plan = self._plan
        for name in plan.nested:
            known[name] = [pile[:] for pile in known[name]]
        for name in plan.flat:
            known[name] = known[name][:]
        for name in plan.facts:
            known[name] = copied_fact(known[name])
        return other

    def __eq__(self, other: object) -> bool:
        """Whether two games stand alike."""
        if not isinstance(other, Board):
            return NotImplemented
        names = (*self._plan.declared, "turn", "over", "_deals", "_rolls")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]

    # --- Asking

    def ask(self, seat: int, kind: str, options: Iterable[Any]) -> Any:
        """Have a seat choose one of these options; the answer is the option itself.

        Who has one option only, or copies of one card, is not asked.
        """
        listed = options if isinstance(options, list) else list(options)
        if self._forces(listed):
            self._forced += 1
            return listed[0]
        return self._hub.switch(Question(kind, {seat: listed}, True))

    def secretly(
        self, kind: str, options: Mapping[int, Iterable[Any]]
    ) -> dict[int, Any]:
        """Have several seats choose before any choice is seen: seat -> option.

        Who has one option only is not asked.
        """
        listed = {
            seat: some if isinstance(some, list) else list(some)
            for seat, some in options.items()
        }
        asked = {seat: some for seat, some in listed.items() if not self._forces(some)}
        self._forced += len(listed) - len(asked)
        if not asked:
            return {seat: some[0] for seat, some in listed.items()}
        answers = self._hub.switch(Question(kind, asked, False))
        if len(asked) == len(listed):
            return answers
        return {
            seat: answers[seat] if seat in asked else some[0]
            for seat, some in listed.items()
        }

    def some(
        self,
        seat: int,
        kind: str,
        options: Iterable[Any],
        least: int = 0,
        most: int | None = None,
    ) -> list[Any]:
        """Have a seat choose several of these options, one after the other.

        It may stop once it has ``least``; the kind is declared with ``several=True``.
        """
        left, chosen = list(options), list[Any]()
        most = len(left) if most is None else min(most, len(left))
        while len(chosen) < most:
            stop = [ENOUGH] if len(chosen) >= least else []
            one = left[0]
            if stop or not self._forces(left):
                asked = {seat: [*left, *stop]}
                question = Question(kind, asked, True, most - len(chosen))
                one = self._hub.switch(question)
            if one is ENOUGH:
                break
            left.remove(one)
            chosen.append(one)
        return chosen

    def _forces(self, options: Sequence[Any]) -> bool:
        """Whether these are one option: copies of a card are."""
        if len(options) == 1:
            return True
        return self._plan.copies and len(unlike(options)) == 1

    # --- Around the table

    def after(self, seat: int, places: int = 1) -> int:
        """The seat so many places to the left."""
        return (seat + places) % self.players

    def around(self, first: int) -> list[int]:
        """All seats clockwise, this one first."""
        return [(first + place) % self.players for place in self.seats]

    def pass_to(
        self, pile: str, places: int, cards: Mapping[int, Iterable[Any]] | None = None
    ) -> None:
        """Pass cards of each seat's pile on, so many places to the left, all at once.

        ``cards`` are those of each seat that passes some; without them all piles go on
        whole. Who passed cards on remembers them where they went, until they move: a
        player who searches does not deal them anew.
        """
        if pile not in self._plan.piles_of_seats:
            known = self._plan.piles_of_seats
            raise GameError(no_such("pile of each seat", pile, known, "piles"))
        piles = getattr(self, pile)
        if cards is None:
            cards = {seat: piles[seat] for seat in self.seats}
            following = partial(self.after, places=places)
            self._remembered = passed_on(self._remembered, pile, following)
        else:
            self._remembered = forgotten(self._remembered, pile, cards)
        passed = {seat: [*some] for seat, some in cards.items()}
        for seat, some in passed.items():
            for card in some:
                if card not in piles[seat]:
                    raise GameError(
                        f"seat {seat} passes {card!r}, which is not in its {pile!r}."
                    )
                piles[seat].remove(card)
        for seat, some in passed.items():
            piles[self.after(seat, places)] += some
        for seat, some in passed.items():
            to = self.after(seat, places)
            self._remembered = remembering(
                self._remembered, seat, (pile, to), some, piles[to]
            )

    # --- Chance

    def shuffled(self, cards: Iterable[Any]) -> list[Any]:
        """These cards in a random order, as a new list."""
        mixed = shuffled(list(cards), self._deal, self._deals)
        self._deals += 1
        return mixed

    def die(self, sides: int) -> int:
        """A number from 1 to ``sides``, all equally likely."""
        number = drawn(self._dice, self._rolls, sides)
        self._rolls += 1
        return number

    # --- Telling

    def tell(self, event: str, seat: int, **numbers: Any) -> None:
        """Tell what happened to a seat: tables, reports and told games have it."""
        if self._notes is not None:
            names = self._plan.events.get(event)
            if names is None:
                known = self._plan.events
                raise GameError(
                    f"{no_such('event', event, known, 'Events')} Declare it, as in "
                    f'{event} = Event("what happens", {{"number": "what it is"}}).'
                )
            if {*names} != numbers.keys():
                missing = [name for name in names if name not in numbers]
                odd = next(iter(numbers.keys() - {*names}), "")
                raise GameError(
                    f"{event!r} is told without {missing[0]!r}, which it declares."
                    if missing
                    else no_such(f"number of {event!r}", odd, names, "Numbers")
                )
            told = self._plan.told
            values = tuple(told(event, name, numbers[name]) for name in names)
            self._notes.append((event, self.turn + 1, (seat, *values)))


def shuffled(cards: Sequence[Any], key: int, count: int) -> list[Any]:
    """These cards in an order that is a function of a key and a count."""
    _generator.seed(_mix(key, count))
    draw = _generator.random
    keys = [draw() for _ in cards]
    return [cards[at] for at in sorted(range(len(cards)), key=keys.__getitem__)]


def drawn(key: int, count: int, sides: int) -> int:
    """A number from 1 to ``sides`` that is a function of a key and a count."""
    return (_mix(key, count) * sides >> 64) + 1


def unlike(options: Sequence[Any]) -> Sequence[Any]:
    """The options, of cards that are alike only the first."""
    kinds = [getattr(one, "_alike", -1) for one in options]
    if kinds and kinds[0] >= 0 and len({*kinds}) < len(kinds):
        first: dict[Any, Any] = {}
        for kind, one in zip(kinds, options, strict=True):
            first.setdefault(kind if kind >= 0 else one, one)
        return [*first.values()]
    return options


TURN = "turn"
"""The note at the end of each turn."""


def copied_fact(value: Any) -> Any:
    """A fact that can be changed without changing this one."""
    if isinstance(value, list):
        return [copied_fact(one) for one in value]
    return value.copy() if isinstance(value, set | dict) else value


def _mix(key: int, count: int) -> int:
    """Random bits: SplitMix64 of a key and a count, as in ``sim.chance``."""
    value = (key + (count + 1) * _GAMMA) & _WORD
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    value = (value ^ value >> 27) * 0x94D049BB133111EB & _WORD
    return value ^ value >> 31
