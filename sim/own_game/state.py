"""A batch of games in one file: a moment of each, and what they share."""

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sim.batch_state import BatchState
from sim.chance import Chance, Purpose, Seed
from sim.events import SEATS, Decision
from sim.masks import Counts, Masks
from sim.own_game.batch_turns import LazyMoments
from sim.own_game.board import ENOUGH, MOST, Board, BoardPlan
from sim.own_game.cards import CardList
from sim.own_game.declarations import CardGame, ChoiceOf, Event, members
from sim.own_game.hidden import Deal
from sim.own_game.moments import Fork, Moment, set_up
from sim.own_game.rules import OwnRules
from sim.parameters import RuleError, one_of
from sim.scores import GameError

SHARED = "shared"
"""How a game was decided in which several win."""


@dataclass
class Clock:
    """Of each game, how many questions were answered, and the turn of the last."""

    count: Masks
    turn: NDArray[np.int64]
    phase: str = "turn"

    @property
    def tick(self) -> Masks:
        """(games,) a number unique to this moment, as the counter of random numbers."""
        return self.count

    def labels(self) -> dict[str, Any]:
        """The turn, counted from 1."""
        return {"turn": self.turn}

    def take(self, rows: NDArray[np.int64]) -> "Clock":
        """The clock of these rows only."""
        return Clock(self.count.take(rows), self.turn.take(rows))


class OptionBits:
    """The bits of the options of a kind of decision.

    OptionBits that the game lists have a bit each; of others each question numbers its
    own.
    """

    def __init__(self, kind: str, listed: Sequence[Any], several: bool) -> None:
        self.kind = kind
        self._bits: dict[Any, int] = {}
        names: list[str] = []
        for option in listed:
            name = str(option)
            if name not in names:
                names.append(name)
            self._bits[option] = names.index(name)
        if several and listed:
            names.append(ENOUGH)
            self._bits[ENOUGH] = len(names) - 1
        if len(names) > MOST:
            names, self._bits = [], {}
        if not names:
            names = ["?"] * MOST
            if several:
                names[-1] = ENOUGH
        self.words = tuple(names)

    def numbers(self, listed: Sequence[Any]) -> NDArray[np.int64] | None:
        """The bit of each option that a game lists; None where a question numbers."""
        if not self._bits:
            return None
        return np.array([self._bits[option] for option in listed], dtype=np.int64)

    def codes(self, options: Sequence[Any]) -> Sequence[int]:
        """The bit of each option; raises ``GameError``."""
        size = len(options)
        if not self._bits and 0 < size <= MOST:
            if options[-1] is ENOUGH:
                return [*range(size - 1), MOST - 1]
            return _FIRST[size]
        if not size:
            raise GameError(f"{self.kind!r} is asked without any option.")
        if not self._bits:
            raise GameError(
                f"{self.kind!r} is asked with {size} options. Allowed: {MOST}. "
                "Ask in two steps, such as the suit and then the card."
            )
        try:
            return [self._bits[one] for one in options]
        except (KeyError, TypeError):
            wrong = [one for one in options if one not in self._bits]
            raise GameError(
                f"{self.kind!r} is asked with the option {wrong[0]!r}, which is not "
                f"among those declared: {one_of(self.words)}."
            ) from None


_FIRST = [range(size) for size in range(MOST + 1)]


class Layout:
    """What all games of a state share: its plan, and the words of its options.

    ``players`` are its sides: teams, or players where there are none.
    """

    def __init__(self, game: CardGame, rules: OwnRules, players: int) -> None:
        seen = rules.seen_with(players)
        self.plan = BoardPlan(game, seen, players * game.team)
        board = Board(self.plan, 0, 0)
        self.box = box_of(game, board)
        _refuse_printed_cards(game, seen, self.box)
        kinds = [getattr(card, "_alike", -1) for card in self.box]
        self.plan.copies = len({*kinds} - {-1}) < len(kinds) - kinds.count(-1)
        self.options = {
            name: _options(name, kind, self.box, board)
            for name, kind in game.decisions.items()
        }
        listed = {
            (name, key): [*map(str, _listed(choice.options, self.box, board))]
            for name, event in members(type(game), Event).items()
            for key, choice in event.words.items()
        }
        told = {place: [*dict.fromkeys(words)] for place, words in listed.items()}
        self.codes = {
            name: self.options[name].numbers(
                _listed(getattr(kind, "options", None), self.box, board)
            )
            for name, kind in game.decisions.items()
        }
        self.word_codes = {
            place: np.array([told[place].index(word) for word in words])
            for place, words in listed.items()
        }
        self.plan.words = {
            place: {word: code for code, word in enumerate(words)}
            for place, words in told.items()
        }
        ties = [tie.removeprefix("-").replace("_", " ") for tie in game.ties]
        self.vocabularies: Mapping[str, Sequence[str]] = {
            **{name: one.words for name, one in self.options.items()},
            **{told_words(*place): words for place, words in told.items()},
            SEATS: tuple(map(str, range(players))),
            "by": (score_name(game), *ties, SHARED),
        }


def told_words(event: str, key: str) -> str:
    """The vocabulary of the cards or words that an event tells."""
    return f"{key} of {event}"


def score_name(game: CardGame) -> str:
    """The name of the number by which seats are ranked."""
    return game.score if isinstance(game.score, str) else "score"


def _options(
    name: str, kind: str | ChoiceOf, box: Sequence[Any], board: Board
) -> OptionBits:
    choice = ChoiceOf(kind) if isinstance(kind, str) else kind
    return OptionBits(name, _listed(choice.options, box, board), choice.several)


def _listed(options: Any, box: Sequence[Any], board: Board) -> list[Any]:
    """All options, of those that a game declares."""
    if options == "cards":
        return [*box]
    if callable(options):
        options = options(board.rules, board.players)
    return [*(options or ())]


def box_of(game: CardGame, board: Board) -> Sequence[Any]:
    """The cards of the box; raises ``RuleError`` where two cannot be told apart."""
    cards = game.cards(board)
    if not isinstance(cards, Iterable):
        raise RuleError(
            f"{type(game).__name__}.cards gives {cards!r}: write return, and a list of "
            "the cards in the box."
        )
    box = list(cards)
    try:
        different = len({*box})
    except TypeError:
        raise RuleError(
            f"{type(game).__name__}.cards: a card is no {type(box[0]).__name__}; read "
            "a table with cards_of."
        ) from None
    if different < len(box):
        raise RuleError(
            f"{type(game).__name__}.cards: {len(box) - different} cards are equal to "
            "others, so they cannot be told apart; read a table with cards_of, in "
            "which each copy is a card of its own."
        )
    return box


def _refuse_printed_cards(
    game: CardGame, rules: Mapping[str, Any], box: Sequence[Any]
) -> None:
    """Refuse a box with cards of a table that the rules in force have changed."""
    for name, printed in members(type(game), CardList).items():
        if rules[name] is not printed and {*printed} & {*box}:
            raise RuleError(
                f"{type(game).__name__}.cards gives cards of {name} as they are "
                f"printed. Write g.rules.{name}: the cards by the rules in force."
            )


@lru_cache(maxsize=64)
def _layout(game: CardGame, rules: OwnRules, players: int) -> Layout:
    return Layout(game, rules, players)


class OwnState(BatchState):
    """A batch of games in one file. Subclasses, one for each, name the ``game``."""

    game: ClassVar[CardGame]
    out_of_step = True

    def __init__(
        self, rules: OwnRules, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        self.layout = _layout(self.game, rules, players)
        super().__init__(rules, players, seed, games)
        size = len(games)
        self.clock = Clock(np.zeros(size, np.uint64), np.ones(size, np.int64))
        self.keys = self._drawn_keys()  # (2, games) of deals, and of dice
        # Board before the first turn; a vectorised turn has LazyMoments
        self.moments: Any = np.empty(size, dtype=object)
        for row, (deal, dice) in enumerate(self.keys.T.tolist()):
            self.moments[row] = set_up(Board(self.layout.plan, deal, dice))

    def copy(self) -> Self:
        """An independent copy that can be played on."""
        return super(OwnState, self._in_python(self._rows)).copy()

    def branch(self, rows: NDArray[np.int64], chance: Chance | None = None) -> Self:
        """Copy these rows into a new state; a row may be given several times."""
        return super(OwnState, self._in_python(rows)).branch(rows, chance)

    def _in_python(self, rows: NDArray[np.int64]) -> Self:
        """This state with a moment of each of these rows, whatever turn plays them."""
        if not isinstance(self.moments, LazyMoments):
            return self
        other = copy.copy(self)
        other.moments = self.moments.made(rows)
        return other

    @property
    def score_name(self) -> str:
        """The name of the number by which seats are ranked."""
        return score_name(self.game)

    @property
    def match(self) -> int:
        """How many consecutive games make a match."""
        return self.game.match

    def first(self) -> Counts:
        """(games,) the seat that begins, at the start; seat 0 where all are alike."""
        if not self.game.starts:
            return np.zeros(len(self.games), dtype=np.uint8)
        begins = [getattr(board, self.game.starts) for board in self.moments]
        return np.array(begins, dtype=np.uint8) % np.uint8(self.players)

    def at_board(self, row: int, side: int) -> int:
        """The seat at the board that a side has: who is asked now, else its first.

        ``side`` and the number of sides is the next partner of that one, and so on.
        """
        if self.game.team == 1:
            return side
        moment = self.moments[row]
        asked = isinstance(moment, Moment) and not moment.over
        if asked and (side - moment.seat) % self.players == 0:
            side += moment.seat - side % self.players
        return side % self.layout.plan.players

    def _drawn_keys(self) -> Masks:
        deal = self.chance.bits(Purpose.DEAL, 0)
        return np.stack([deal, self.chance.bits(Purpose.DICE, 0)])

    def follow_chance(self) -> None:
        """Draw from the state's chance from now on, where it has been replaced."""
        keys = self._drawn_keys()
        differ = np.flatnonzero((keys != self.keys).any(axis=0))
        self.keys = keys
        for row, new in zip(differ.tolist(), keys[:, differ].T.tolist(), strict=True):
            moment = self.moments[row]
            if isinstance(moment, Moment):
                self.moments[row] = moment.changed(Fork(keys=tuple(new)))
            else:
                moment = self.moments[row] = moment._clone()
                moment._deal, moment._dice = new

    def ids(self, kind: Decision, seat: int, row: int) -> Sequence[Any]:
        """The name of every option bit, for this seat in this row."""
        options = self.layout.options[kind.name]
        if "?" not in options.words:
            return options.words
        words, asked = ["?"] * MOST, self.moments[row].options
        for code, one in zip(options.codes(asked), asked, strict=True):
            words[code] = str(one)
        return words

    def conserved(self) -> dict[str, NDArray[np.int64]]:
        """(games,) cards that are in two piles, or in none, where one is asked."""
        box = {*self.layout.box}
        wrong = np.zeros(len(self.games), dtype=np.int64)
        if box:
            wrong[:] = [_lost(_board(one), box) for one in self.moments]
        return {"cards in two piles or in none": wrong}

    def redeal(self, seat: Any, salt: int = 0) -> Self:
        """A copy in which what the seats (games,) do not see is dealt anew."""
        other = self.copy()
        keys = self.chance.bits(Purpose.HIDDEN, salt).tolist()
        seats = np.broadcast_to(np.asarray(seat), len(keys)).tolist()
        for row, (key, side) in enumerate(zip(keys, seats, strict=True)):
            moment = self.moments[row]
            if not isinstance(moment, Moment) or moment.over:
                continue
            one = self.at_board(row, side)
            deal = Deal(moment.board, one, key)
            given = tuple(
                answer if who == one else deal.places.get(answer, answer)
                for who, answer in zip(moment.order, moment.given, strict=False)
            )
            other.moments[row] = moment.changed(Fork(deal), given)
        return other

    def rewind_simultaneous(self) -> None:
        """Go back, in place, to before the first answer to a secret question."""
        for row, moment in enumerate(self.moments):
            if isinstance(moment, Moment) and moment.given:
                self.moments[row] = moment.asked_anew()


def _board(moment: Moment | Board) -> Board:
    return moment.board if isinstance(moment, Moment) else moment


def _lost(board: Board, box: set[Any]) -> int:
    """How many cards of the box are in two piles or in none."""
    found: list[Any] = []
    for name, several in board._plan.piles:
        piles = getattr(board, name)
        for pile in piles if several else [piles]:
            found += pile
    return len(found) - len({*found}) + len(box ^ {*found})
