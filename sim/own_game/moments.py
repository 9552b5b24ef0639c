"""Where one game stands: at a question, or at its end; never changed, but gone on from.

The author's code runs in a greenlet, one for a game, which waits at each question. A
moment owns the game that waits there. Who answers first takes it along; for anybody
else who holds the moment, such as a copy made by search, the game is played again: from
the board as it was at the beginning, or as a turn began, with the same answers. Chance
is counted on the board, so it is the same game.

What is different in a copy is done when it has come to the question (``Fork``), and
not before: what was seen and done until then stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from greenlet import getcurrent, greenlet

from sim.own_game.author_errors import author_error, place_of_frame, refuse_names
from sim.own_game.board import TURN, Board, Question, unlike
from sim.own_game.hidden import Deal, renamed_options
from sim.scores import GameError

MOST_TURNS = 20_000
"""A game of more turns does not end."""
Steps = tuple[Any, Any] | None
"""Answers and changes since a board was as it is kept: (those before, the last)."""


_NO_STEPS: Steps = None


@dataclass(frozen=True)
class Fork:
    """What is different from here on: hidden cards, or chance (key of deals, dice)."""

    deal: Deal | None = None
    keys: tuple[int, int] | None = None


class Line:
    """A game that is being played: its board, and the code that waits at a question.

    ``origin`` is a board as it was, and ``path`` what happened since. ``real``: copies
    of it may be made, so it keeps a board each turn once somebody made one.
    """

    __slots__ = ("board", "go", "origin", "path", "real")

    def __init__(self, origin: Board, real: bool) -> None:
        self.origin, self.path = origin, _NO_STEPS
        self.real = real
        self.board = origin._clone()
        self.board._hub, self.board._notes = getcurrent(), None
        self.go = greenlet(_play).switch

    def begin(self) -> Question | None:
        """Play to the first question; None where the game ends before."""
        return self.go(self)

    def answer(self, given: Any) -> Question | None:
        """Answer the question, and play to the next one; None at the end."""
        self.path = (self.path, given)
        return self.go(given)


def _play(line: Line) -> None:
    """Play turns until the game is over: this runs in the greenlet."""
    board = line.board
    game = board._plan.game
    try:
        while not board.over:
            if line.real and board._copied[0]:
                line.origin, line.path = board._clone(), _NO_STEPS
            game.turn(board)
            end_turn(board)
    except Exception as error:
        raise author_error(game, error) from error


def end_turn(board: Board) -> None:
    """Count a turn and note the score; raises ``GameError`` for what cannot be."""
    board.turn += 1
    if board._notes is not None:
        board._notes.append((TURN, board.turn, scores_of(board)))
    if len(vars(board)) != board._plan.size:
        refuse_names(board)
    if board.turn > MOST_TURNS:
        raise GameError(
            f"{board._plan.game.title} is not over after {MOST_TURNS:,} turns: where "
            "does turn(g) set g.over = True?"
        )


def set_up(board: Board) -> Board:
    """Prepare the board of a game; raises ``GameError`` where that fails."""
    game = board._plan.game
    try:
        game.setup(board)
        refuse_names(board)
    except Exception as error:
        raise author_error(game, error) from error
    return board


def scores_of(board: Board) -> tuple[float, ...]:
    """The score of each side as the board stands."""
    game = board._plan.game
    if isinstance(game.score, str):
        return of_sides(board, getattr(board, game.score))
    return of_sides(board, [game.score(board, seat) for seat in board.seats])


def of_sides(board: Board, numbers: Sequence[float]) -> tuple[float, ...]:
    """The numbers of the seats as those of the sides: partners' added up."""
    sides = board._plan.sides
    if sides == board.players:
        return tuple(numbers)
    return tuple(sum(numbers[side::sides]) for side in range(sides))


class Moment:
    """Where a game stands: the question that waits, and who has answered it already.

    ``kind`` is "" where the game is over, ``given`` are the answers so far to a secret
    question, and ``order`` the seats that it asks.
    """

    __slots__ = (
        "_line",
        "_options",
        "_origin",
        "_path",
        "_single",
        "given",
        "kind",
        "most",
        "order",
    )

    def __init__(
        self,
        origin: Board,
        path: Steps,
        question: Question | None,
        line: Line | None,
        given: tuple[Any, ...] = (),
    ) -> None:
        self._origin, self._path, self._line = origin, path, line
        self.given = given
        if question is None:
            question = _NO_QUESTION
        self.kind, self._options, self._single, self.most = question
        self.order = tuple(self._options)

    @classmethod
    def first(cls, origin: Board, notes: bool) -> "Moment":
        """The first question of a game from its prepared board."""
        line = Line(origin, True)
        if notes:
            line.board._notes = []
        question = line.begin()
        return cls(line.origin, line.path, question, line)

    def __eq__(self, other: object) -> bool:
        """Whether two games stand alike, at the same question."""
        if not isinstance(other, Moment):
            return NotImplemented
        mine, its = (self.kind, self.given), (other.kind, other.given)
        return mine == its and (self is other or self.board == other.board)

    __hash__ = object.__hash__

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.kind

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self.order[len(self.given)]

    @property
    def place(self) -> str:
        """The author's line that asks, with its file."""
        frame = self._line.go.__self__.gr_frame if self._line else None
        return place_of_frame(type(self.board._plan.game), frame)

    @property
    def board(self) -> Board:
        """The board as it stands; to be read, not changed."""
        if self._line is None:
            self._line = self._again()
        return self._line.board

    @property
    def options(self) -> Sequence[Any]:
        """The options of the seat that is asked, copies of the same card once."""
        if self._line is None:
            self._line = self._again()
        options = self._options[self.order[len(self.given)]]
        return unlike(options) if self._origin._plan.copies else options

    def answered(self, option: Any, notes: bool = False) -> "Moment":
        """The next moment, once the seat has chosen this; ``notes``: they are kept."""
        line = self._line
        if line is None:
            line = self._again()
        self._line = None
        order, given = self.order, (*self.given, option)
        if len(given) < len(order):
            return self._copy(given, line, self._path)
        line.board._notes = [] if notes else None
        answers = dict(zip(order, given, strict=True))
        question = line.answer(
            option if self._single else {seat: answers[seat] for seat in self._options}
        )
        return Moment(line.origin, line.path, question, line)

    def changed(self, change: Fork, given: tuple[Any, ...] | None = None) -> "Moment":
        """The same moment with something different from here on."""
        if not self.kind:
            return self
        known = self.given if given is None else given
        return self._copy(known, None, (self._path, change))

    def asked_anew(self) -> "Moment":
        """The moment before anybody answered this secret question.

        Who is asked now comes before its partners: its answer is its side's next one.
        """
        other, sides = self._copy((), None, self._path), self._origin._plan.sides
        first = next(seat for seat in self.order if (seat - self.seat) % sides == 0)
        swapped = {first: self.seat, self.seat: first}
        other.order = tuple(swapped.get(seat, seat) for seat in self.order)
        return other

    def _copy(self, given: tuple[Any, ...], line: Line | None, path: Steps) -> "Moment":
        other = object.__new__(Moment)
        other._origin, other._path, other._line = self._origin, path, line
        other._options, other._single = self._options, self._single
        other.kind, other.order = self.kind, self.order
        other.most, other.given = self.most, given
        return other

    def _again(self) -> Line:
        """Play the game to this moment again; the options become those of its board."""
        steps, path, real = [], self._path, True
        while path is not None:
            path, step = path
            steps.append(step)
            real = real and not isinstance(step, Fork)
        line = Line(self._origin, real)
        question: Any = line.begin()
        for step in reversed(steps):
            if not isinstance(step, Fork):
                question = line.answer(step)
                continue
            line.path = (line.path, step)
            if step.keys is not None:
                line.board._deal, line.board._dice = step.keys
            if step.deal is not None:
                step.deal.apply(line.board)
                question = renamed_options(question, step.deal, line.board)
        self._origin._copied[0] = True
        self._options = question.options
        return line


_NO_QUESTION = Question("", {}, True)
