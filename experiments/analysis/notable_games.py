"""Find games worth watching: the closest of many games, the greatest comeback, ...

This works for every game: its narrator says how seats stand
(``sim.narration.Narrator.standing``), and its length is its number of decisions.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np

import sim.games
from experiments.core.cells import Cell, UsageError, play
from sim.listener import EVERY, Choice
from sim.narration import NAMES, Narrator
from sim.narration_words import leader, number
from sim.parameters import nearest, one_of
from sim.transcript import Transcript
from sim.view import Rows

AMONG = 1_024
"""Games that are searched, by default."""
KINDS: Mapping[str, str] = {
    "closest": "the smallest margin at the end",
    "lopsided": "the greatest margin at the end",
    "comeback": "the winner who was furthest behind",
    "typical": "nearest to the median in margin, length and course",
    "longest": "the most decisions",
    "upset": "the winner who wins least often in such games",
}
"""Kinds of games that can be found."""
_READ_TOGETHER = 512  # games, which bounds the memory of their events


@dataclass(frozen=True)
class GameCourse:
    """How a game went, from its winner's point of view.

    ``margin``: the winner's lead over the next player at the end. ``behind``: how far
    the winner was behind at the worst moment (0: never), and ``when`` that was.
    ``changes``: how often the leader changed. A number is None if the game lacks it.
    """

    number: int
    winner: int | None
    who: str  # the winner's strategy
    position: int
    decisions: int
    margin: float | None
    behind: float | None
    when: str
    changes: int


@dataclass(frozen=True)
class NotableGame:
    """A game that was found: its number in the run, and why it was chosen."""

    kind: str
    number: int
    reason: str


class _Standings(Transcript):
    """A transcript of only how seats stand, and how long games are."""

    def __init__(self, game: sim.games.Game, first: int, count: int) -> None:
        super().__init__(game)
        story = game.narrator(game)
        self._keeps = {*story.keeps, "result"}
        units = (unit for kind in game.kinds.values() for unit in kind.clock)
        self._reads = {"winner", *story.reads, *units}
        self._from = np.uint64(first)
        self.decisions = np.zeros(count, dtype=np.int64)

    def hears(self, name: str) -> bool:
        """Whether it is a decision, to be counted, or says how seats stand."""
        return name in self._keeps or name in self._game.kinds

    def shows(self, field: str) -> bool:
        """Whether a field says how seats stand, or when."""
        return field in self._reads

    def choice(self, state: Any, choice: Choice) -> None:
        """Count a decision."""
        self.choice_of(state, EVERY, choice)

    def choice_of(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        """Count a decision of these rows."""
        numbers = state.games[rows][choice.asked]
        np.add.at(self.decisions, (numbers - self._from).astype(int), 1)


def game_courses(cell: Cell, numbers: range) -> list[GameCourse]:
    """Replay these games, and return their courses."""
    game, read = sim.games.load(cell.game), []
    for first in range(numbers.start, numbers.stop, _READ_TOGETHER):
        chunk = range(first, min(first + _READ_TOGETHER, numbers.stop))
        listener = _Standings(game, first, len(chunk))
        played = play(cell, np.array(chunk, dtype=np.uint64), [listener])
        events = defaultdict(list)
        for event in listener.events():
            events[event["game"]].append(event)
        for row, game_number in enumerate(chunk):
            story = game.narrator(game)
            for event in events[game_number]:
                story.follow(event)
            first_seat = int(played.first[row])
            decisions = int(listener.decisions[row])
            read.append(_course(game_number, story, first_seat, decisions))
    return read


def _course(number_: int, story: Narrator, first: int, decisions: int) -> GameCourse:
    """Return the course of a game."""
    winner, sign = story.winner, -1 if story.least else 1
    if winner is None:
        return GameCourse(number_, None, "", 0, decisions, None, None, "", 0)
    ahead: list[tuple[float, str]] = []
    for values, when in story.history:
        own = values[winner]
        rest = (v for seat, v in enumerate(values) if seat != winner)
        others = [sign * v for v in rest if v is not None]
        if own is not None and others:
            ahead.append((sign * own - max(others), when))
    leads = [leader(values, story.least) for values, _ in story.history]
    known = [seat for seat in leads if seat is not None]
    worst = min(ahead, default=(0.0, ""), key=lambda moment: moment[0])
    return GameCourse(
        number_,
        winner,
        story.lineup[winner],
        (winner - first) % story.players,
        decisions,
        ahead[-1][0] if ahead else None,
        max(0.0, -worst[0]) if ahead else None,
        worst[1],
        sum(a != b for a, b in pairwise(known)),
    )


def find_game(
    cell: Cell, kind: str, among: range, known: Iterable[GameCourse] = ()
) -> NotableGame:
    """Find a game of this kind among those with these numbers; raises ``UsageError``.

    ``known`` are the courses of these games, if they have been read already.
    """
    if kind not in KINDS:
        near = nearest(kind, KINDS)
        raise UsageError(f"find: no {kind!r}{near} Allowed: {one_of(KINDS)}.")
    if not among:
        raise UsageError("find: at least 1 game is needed.")
    read = list(known) or game_courses(cell, among)
    won = [course for course in read if course.winner is not None]
    if kind != "longest" and not won:
        raise UsageError(
            f"find: none of these {len(read):,} games has a single winner."
        )
    if kind in ("closest", "lopsided", "comeback"):
        won = [game for game in won if game.margin is not None and game.margin >= 0]
        if not won:
            raise UsageError(
                f"find: {kind} needs to know how the seats of {cell.game} stand, but "
                f"none of these {len(read):,} games says so. Find longest or upset, or "
                "let the game declare it: standing in docs/adding-a-game.md."
            )
    chosen, reason = _FINDERS[kind](read if kind == "longest" else won, cell)
    return NotableGame(kind, chosen.number, reason)


def _name(course: GameCourse) -> str:
    return NAMES[course.winner or 0]


def _unit(cell: Cell) -> str:
    game = sim.games.load(cell.game)
    return game.narrator(game).unit


def _changes(count: int) -> str:
    return f"{count} change{'s' * (count != 1)}"


def _num(value: float | None) -> str:
    return number(float(value or 0))


def _closest(won: Sequence[GameCourse], cell: Cell) -> tuple[GameCourse, str]:
    best = min(won, key=lambda game: (game.margin or 0, -game.changes, game.number))
    usual = _num(median(course.margin or 0 for course in won))
    return best, (
        f"{_name(best)} wins with a margin of {_num(best.margin)} ({_unit(cell)}); "
        f"the median of {len(won):,} games is {usual}. "
        f"{_changes(best.changes)} of the lead."
    )


def _lopsided(won: Sequence[GameCourse], cell: Cell) -> tuple[GameCourse, str]:
    best = max(won, key=lambda course: (course.margin or 0, -course.number))
    usual = _num(median(course.margin or 0 for course in won))
    return best, (
        f"{_name(best)} wins with a margin of {_num(best.margin)} ({_unit(cell)}), the "
        f"greatest of {len(won):,} games; their median is {usual}."
    )


def _comeback(won: Sequence[GameCourse], cell: Cell) -> tuple[GameCourse, str]:
    best = max(won, key=lambda course: (course.behind or 0, -course.number))
    if not best.behind:
        return best, f"In none of {len(won):,} games was the winner ever behind."
    usual = _num(median(course.behind or 0 for course in won))
    return best, (
        f"{_name(best)} is {_num(best.behind)} behind ({_unit(cell)}) after "
        f"{best.when} and wins, the most of {len(won):,} games. In the median game the "
        f"winner is behind by {usual} at most."
    )


def _typical(won: Sequence[GameCourse], cell: Cell) -> tuple[GameCourse, str]:
    numbers = np.array(
        [[c.margin or 0, c.behind or 0, c.decisions, c.changes] for c in won],
        dtype=float,
    )
    middle = np.median(numbers, axis=0)
    spread = np.where(numbers.std(axis=0) > 0, numbers.std(axis=0), 1.0)
    best = won[int((((numbers - middle) / spread) ** 2).sum(axis=1).argmin())]
    values = [_num(value) for value in middle]
    return best, (
        f"Nearest to the median of {len(won):,} games: margin {_num(best.margin)} "
        f"(median {values[0]}), winner behind by {_num(best.behind)} at most "
        f"({values[1]}), {best.decisions} decisions ({values[2]}), "
        f"{_changes(best.changes)} of the lead ({values[3]})."
    )


def _longest(read: Sequence[GameCourse], cell: Cell) -> tuple[GameCourse, str]:
    best = max(read, key=lambda course: (course.decisions, -course.number))
    usual = median(course.decisions for course in read)
    return best, (
        f"{best.decisions} decisions, the most of {len(read):,} games; "
        f"their median is {_num(usual)}."
    )


def _upset(won: Sequence[GameCourse], cell: Cell) -> tuple[GameCourse, str]:
    titles = [strategy.title for strategy in cell.strategies()]
    mixed, games = len(set(titles)) > 1, len(won)
    places = sim.games.positions(sim.games.load(cell.game), cell.players)

    def sort(course: GameCourse) -> str:
        return course.who if mixed else places[course.position]

    wins = Counter(map(sort, won))
    seats = Counter(titles) if mixed else Counter(places)
    share = {what: count / (seats[what] * games) for what, count in wins.items()}
    best = min(won, key=lambda g: (share[sort(g)], -(g.behind or 0), g.number))
    what = sort(best)
    role = f"who plays {what}" if mixed else f"the {what} at the table"
    return best, (
        f"{_name(best)}, {role}, wins. Such a seat wins {100 * share[what]:.1f} % of "
        f"{games:,} games; an even share is {100 / cell.players:.1f} %."
    )


_FINDERS: Mapping[
    str, Callable[[Sequence[GameCourse], Cell], tuple[GameCourse, str]]
] = {
    "closest": _closest,
    "lopsided": _lopsided,
    "comeback": _comeback,
    "typical": _typical,
    "longest": _longest,
    "upset": _upset,
}
