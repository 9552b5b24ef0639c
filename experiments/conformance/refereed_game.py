"""One game in one file, played by hand: the board is looked at wherever it stops."""

import random
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from experiments.conformance.author_lines import declaration, line_after_which
from experiments.conformance.board_faults import (
    Astray,
    Misshapen,
    SharedList,
    TellsHidden,
    astray,
    deep,
    few,
    has_no_score,
    is_number,
    piles_of,
    shape_problem,
)
from experiments.conformance.outside_of_board import OutsideOfBoard
from sim.errors import place_text
from sim.own_game.author_errors import (
    author_error,
    author_files,
    place_of_frame,
    undeclared,
)
from sim.own_game.board import Board, Question, unlike
from sim.own_game.cards import Card
from sim.own_game.declarations import CardGame, Fact, members
from sim.own_game.hidden import hidden_cards, remembered_cards
from sim.own_game.moments import end_turn, scores_of
from sim.own_game.state import Layout
from sim.parameters import no_such
from sim.scores import GameError

_MOST_QUESTIONS = 20_000  # of a game that ends
Wrong = Callable[[Board], bool]


@dataclass(frozen=True)
class Fault:
    """What is wrong with a game, and the line that made it."""

    check: str
    what: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" if self.place else self.what


class Faults:
    """What is wrong with a game: the first fault of each kind, ``by_kind``."""

    def __init__(self) -> None:
        self.by_kind: dict[str, Fault] = {}

    def add(self, check: str, key: str, what: str, place: str = "") -> None:
        """Add a fault, unless there is one of this check and key."""
        self.by_kind.setdefault(f"{check} {key}", Fault(check, what, place))


@dataclass(frozen=True)
class _Changed:
    """Whether something outside of the board is not as it was."""

    changed: Callable[[], list[str]]
    name: str

    def __call__(self, _: Board) -> bool:
        return self.name in self.changed()


@dataclass(frozen=True)
class _Undeclared:
    """Whether this name was set on the board."""

    name: str

    def __call__(self, board: Board) -> bool:
        return self.name in vars(board)


class _Stop(BaseException):
    """Enough of this game was played."""


class RefereedGame:
    """One game, which the referee answers and looks at."""

    def __init__(
        self,
        game: CardGame,
        faults: Faults,
        layout: Layout,
        outside: OutsideOfBoard,
        number: int,
    ) -> None:
        self._game, self._faults = game, faults
        self._layout, self._outside, self._number = layout, outside, number
        self._files = author_files(type(game))
        self._box = {*layout.box}
        self._objects = any(isinstance(card, Card) for card in layout.box)
        self._quiet = False
        self.told: set[str] = set()
        self.asked: set[str] = set()
        self.passed: set[str] = set()  # piles from which cards went to another seat
        self.differ = False  # whether seats ever had different scores
        self._owners: dict[Any, int] = {}  # seat that saw a card alone
        self._shuffles = 0
        self._begin()

    def _begin(self) -> None:
        self._outside.restore()
        self._chance = random.Random(self._number)
        keys = self._chance.getrandbits(63), self._chance.getrandbits(63)
        self.board = Board(self._layout.plan, *keys)
        self.board._hub, self.board._notes = self, []
        self._stops = 0  # questions, and ends of setup and of turns

    def play(self) -> bool:
        """Play to the end, and look at every stop; whether it could be played."""
        try:
            self._run()
        except Exception as error:
            text = str(author_error(self._game, error))
            self._faults.add("plays", type(error).__name__, text)
            return False
        except _Stop:
            return False
        return True

    def _run(self) -> None:
        board, game = self.board, self._game
        game.setup(board)
        self._stop(None, "setup(g)")
        while not board.over:
            game.turn(board)
            self._stop(None, "turn(g)")
            end_turn(board)
            self.told |= {note[0] for note in board._notes or ()}
            board._notes = []

    def switch(self, question: Question) -> Any:
        """Answer a question at random, as the hub of the board."""
        self._stop(question)
        answers = {
            seat: self._chance.choice(options)
            for seat, options in question.options.items()
        }
        if question.single:
            return next(iter(answers.values()))
        return answers

    def _stop(self, question: Question | None, after: str = "") -> None:
        """Look at the board where it stands: at a question, or ``after`` a method."""
        self._stops += 1
        if self._quiet:
            if self._stops == self._until:
                raise _Stop
            return
        if self._look_at_shapes():  # nothing else can be looked at
            self._look_at_outside()
            raise _Stop
        self._look_at_outside()
        if question is None:
            self._look_at_names()
            self._look_at_scores(after)
            if after == "setup(g)":
                self._look_at_cards("")
            return
        place = place_of_frame(type(self._game), sys._getframe(2))
        self._look_at_question(question, place)
        self._look_at_cards(place)
        self._look_at_owners()
        for seat in question.options:
            self._look_at_hidden(question, seat, place)

    # --- What is looked at

    def _look_at_shapes(self) -> bool:
        """Look whether piles are lists, and numbers are numbers; True if not."""
        known: dict[int, str] = {}
        for name, declared in self._layout.plan.declared.items():
            value = getattr(self.board, name)
            problem = shape_problem(name, value, declared, self.board)
            if problem:
                self._fault("board", name, problem, Misshapen(name, declared))
                return True
            for pile in piles_of(value, declared):
                other = known.setdefault(id(pile), name)
                if (
                    other is not name
                    or [*map(id, piles_of(value, declared))].count(id(pile)) > 1
                ):
                    self._fault(
                        "board",
                        name,
                        f"two piles are one list (g.{other}, g.{name}): what is put on "
                        "one is on the other, too. Make a list for each, as in "
                        f"g.{name} = [[] for _ in g.seats], or list(pile).",
                        SharedList(name, declared),
                    )
                    return True
        return False

    def _look_at_outside(self) -> None:
        changed = self._outside.changed
        for name in changed():
            fault = f"{name} changes while a game is played, so the next game and "
            fault += "whoever searches find it changed. "
            if name.startswith("self."):
                fault += "Keep it on the board: declare a Pile, Number or Fact."
            elif name.startswith("the card"):
                fault += "A card is the same object in all games: declare a Pile for "
                fault += "cards of each kind, or a Fact."
            else:
                fault += "Work on a copy, as in g.deck = list(BOX), or declare a Pile, "
                fault += "Number or Fact."
            self._fault("board", name, fault, _Changed(changed, name))
            self._outside.restore()
            raise _Stop

    def _look_at_names(self) -> None:
        for name in undeclared(self.board):
            self._fault(
                "board",
                name,
                f"g.{name} is set and not declared. Write, for example, "
                f"{name} = Number() or {name} = Fact() in the class.",
                _Undeclared(name),
            )
            raise _Stop

    def _look_at_owners(self) -> None:
        """Note piles whose cards went to another seat, other than by a shuffle."""
        board, owners = self.board, dict[Any, int]()
        for name, several, owned in board._plan.hidden:
            for seat, pile in enumerate(getattr(board, name) if several else ()):
                for card in pile if owned else ():
                    owners[card] = seat
                    known = self._owners.get(card, seat)
                    if known == seat or board._deals != self._shuffles:
                        continue
                    if card not in remembered_cards(board, known):
                        self.passed.add(name)
        self._owners, self._shuffles = owners, board._deals

    def _look_at_scores(self, after: str) -> None:
        game, board = self._game, self.board
        self.differ |= len({*map(float, filter(is_number, scores_of(board)))}) > 1
        for seat, score in enumerate(scores_of(board)):
            if not is_number(score):
                what = f"the score of seat {seat} is {score!r}, which is no number."
                self._fault("score", "", what, has_no_score)
                raise _Stop
        begins = getattr(board, game.starts) if game.starts else 0
        if after == "setup(g)" and begins not in board.seats:
            self._fault(
                "plays",
                "starts",
                f"{game.starts} says who begins (starts), but is {begins!r} after "
                f"setup(g), not a seat from 0 to {board.players - 1}.",
                lambda board: getattr(board, game.starts) not in board.seats,
            )
            raise _Stop

    def _look_at_question(self, question: Question, place: str) -> None:
        kinds = self._layout.options
        if self._stops > _MOST_QUESTIONS:
            what = f"a game is not over after {_MOST_QUESTIONS:,} questions; the last "
            what += "is asked here: where does turn(g) set g.over = True?"
            self._faults.add("plays", "end", what, place)
            raise _Stop
        if question.kind not in kinds:
            raise GameError(
                no_such("kind of decision", question.kind, kinds, "decisions")
            )
        self.asked.add(question.kind)
        for seat, options in question.options.items():
            if seat not in self.board.seats:
                what = (
                    f"seat {seat!r} is asked; seats are 0 to {self.board.players - 1}."
                )
                raise GameError(what)
            kinds[question.kind].codes(unlike(options))
            plain = [one for one in options if not isinstance(one, Card)]
            if len({*map(str, plain)}) < len(plain):
                raise GameError(f"two of these options are the same: {plain}.")

    def _look_at_cards(self, place: str) -> None:
        if not self._box:
            return
        twice, lost, strange = astray(self.board, self._box)
        if not (twice or lost or strange):
            return
        where = f" when somebody is asked ({place})" if place else ""
        if strange:
            what = f"{few(strange)} lies in a pile{where} and is not in cards(g): "
            what += "piles hold cards of the box; for anything else declare a Fact."
        elif twice:
            what = f"the card {few(twice)} lies in two piles{where}: take it out of "
            what += "one, as in g.hand[seat].remove(card)."
        else:
            what = f"the card {few(lost)} lies in no pile{where}, so nobody can deal "
            what += "it anew for search. Put it on a pile before you ask, or declare "
            what += "one for it (as in played = Pile(each=True))."
        wrong = Astray(twice, lost, strange, self._box)
        self._fault("cards", "", what, wrong)
        raise _Stop

    def _look_at_hidden(self, question: Question, seat: int, place: str) -> None:
        board, game = self.board, self._game
        hidden = hidden_cards(board, seat)
        unseen = {id(card) for card in hidden}
        if not self._objects:  # numbers or words, which may mean something else
            unseen = set()
        shown = [one for one in question.options[seat] if id(one) in unseen]
        if shown:
            self._faults.add(
                "hidden",
                "options",
                f"seat {seat} is asked about cards that it does not see, such as "
                f'{few(shown)}. Put them on a pile with sees="owner" of this seat '
                "first, or ask for places in the pile, as in range(len(g.deck)).",
                place,
            )
        for name, fact in members(type(game), Fact).items():
            value = getattr(board, name)
            if (
                fact.each
                and fact.sees == "owner"
                and value != [fact.start] * len(value)
            ):
                what = f"the Fact {name!r} is seen by its owner alone and is not dealt "
                what += "anew, so whoever searches knows it. Make it a card in a Pile, "
                what += "or let all see it."
                place = declaration(self._files, name)
                self._faults.add("hidden", name, what, place)
            if fact.sees == "all" and any(id(one) in unseen for one in deep(value)):
                self._fault(
                    "hidden",
                    name,
                    f"the Fact {name!r} tells everybody a card that seat {seat} does "
                    "not see. Keep what is public of it only (its suit, say), or move "
                    "the card to a pile that all see.",
                    TellsHidden(name, seat),
                )
        self._look_at_may_hold(seat)

    def _look_at_may_hold(self, seat: int) -> None:
        board, may = self.board, self._game.may_hold
        if may is None:
            return
        for name, several, owned in board._plan.hidden:
            for owner, pile in enumerate(getattr(board, name) if several else ()):
                if not owned or owner == seat:
                    continue
                false = [card for card in pile if not may(board, owner, card)]
                if false:
                    code = getattr(may, "__func__", may).__code__
                    self._faults.add(
                        "hidden",
                        "may_hold",
                        f"may_hold says that seat {owner} cannot hold {few(false)}, "
                        f"which it does (g.{name}): search would never think of the "
                        "true deal. It may only say what all have seen.",
                        place_text(code.co_filename, code.co_firstlineno),
                    )

    # --- Which line did it

    def _fault(self, check: str, key: str, what: str, wrong: Wrong) -> None:
        """Name a fault, and the line after which the board was wrong, and stayed so."""
        if f"{check} {key}" in self._faults.by_kind:
            return
        again = RefereedGame(
            self._game, self._faults, self._layout, self._outside, self._number
        )
        again._quiet, again._until = True, self._stops

        def play() -> None:
            with suppress(_Stop, Exception):
                again._run()

        place = line_after_which(play, self._files, lambda: wrong(again.board))
        self._faults.add(check, key, what, place)

    _until = 0
