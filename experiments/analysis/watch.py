"""Games worth watching: which of many games is the closest, the greatest comeback, ...

Works for every game: how seats stand is what the game's telling says of it
(``sim.narration.Narrator.standing``), the length of a game is its number of decisions.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np

from experiments.core.cells import Cell, UsageError, play
from sim import games as registry
from sim.listener import EVERY, Choice
from sim.narration import NAMES, Narrator, leader, number
from sim.parameters import nearest, one_of
from sim.transcript import Transcript
from sim.view import Rows

AMONG = 1_024
"""Games that are looked through unless said otherwise."""
KINDS: Mapping[str, str] = {
    "closest": "the smallest margin at the end",
    "lopsided": "the greatest margin at the end",
    "comeback": "the winner who was furthest behind",
    "typical": "nearest to the median in margin, length and course",
    "longest": "the most decisions",
    "upset": "the winner who wins least often in such games",
}
"""What can be looked for."""
_AT_ONCE = 512  # games read together


@dataclass(frozen=True)
class Course:
    """What is known of a game: numbers count from its winner's side.

    ``margin``: how far the winner is ahead of the next at the end. ``behind``: how far
    he was behind at the worst moment (0: never), ``when`` that was. ``changes`` of the
    leader. None where the game has no such number.
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
class Found:
    """A game that was looked for: its number in the run, and why it was chosen."""

    kind: str
    number: int
    reason: str


class _Standings(Transcript):
    """A transcript of nothing but how seats stand, and how long games are."""

    def __init__(self, game: registry.Game, first: int, count: int) -> None:
        super().__init__(game)
        story = game.narrator(game)
        self._keeps = {*story.keeps, "result"}
        units = (unit for kind in game.kinds.values() for unit in kind.clock)
        self._reads = {"winner", *story.reads, *units}
        self._from = np.uint64(first)
        self.decisions = np.zeros(count, dtype=np.int64)

    def hears(self, name: str) -> bool:
        """Decisions, which are counted, and what says how seats stand."""
        return name in self._keeps or name in self._game.kinds

    def shows(self, field: str) -> bool:
        """What says how seats stand, and when."""
        return field in self._reads

    def choice(self, state: Any, choice: Choice) -> None:
        """Count a decision."""
        self.choice_of(state, EVERY, choice)

    def choice_of(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        """The same of these rows."""
        numbers = state.games[rows][choice.asked]
        np.add.at(self.decisions, (numbers - self._from).astype(int), 1)


def courses(cell: Cell, numbers: range) -> list[Course]:
    """The course of these games, which are played once more."""
    game, found = registry.load(cell.game), []
    for first in range(numbers.start, numbers.stop, _AT_ONCE):
        chunk = range(first, min(first + _AT_ONCE, numbers.stop))
        listener = _Standings(game, first, len(chunk))
        played = play(cell, np.array(chunk, dtype=np.uint64), [listener])
        events = defaultdict(list)
        for event in listener.events():
            events[event["game"]].append(event)
        for row, number_ in enumerate(chunk):
            story = game.narrator(game)
            for event in events[number_]:
                story.follow(event)
            first_seat = int(played.first[row])
            decisions = int(listener.decisions[row])
            found.append(_course(number_, story, first_seat, decisions))
    return found


def _course(number_: int, story: Narrator, first: int, decisions: int) -> Course:
    """A game, as it went."""
    winner, sign = story.winner, -1 if story.least else 1
    if winner is None:
        return Course(number_, None, "", 0, decisions, None, None, "", 0)
    ahead: list[tuple[float, str]] = []
    for values, when in story.history:
        own = values[winner]
        rest = (v for seat, v in enumerate(values) if seat != winner)
        others = [sign * v for v in rest if v is not None]
        if own is not None and others:
            ahead.append((sign * own - max(others), when))
    leads = [leader(values, story.least) for values, _ in story.history]
    known = [seat for seat in leads if seat is not None]
    worst = min(ahead, default=(0.0, ""), key=lambda one: one[0])
    return Course(
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


def find(cell: Cell, kind: str, among: range, known: Iterable[Course] = ()) -> Found:
    """The game of this kind among those with these numbers; raises ``UsageError``.

    ``known`` are the courses of these games, where they have been read already.
    """
    if kind not in KINDS:
        near = nearest(kind, KINDS)
        raise UsageError(f"find: no {kind!r}{near} Allowed: {one_of(KINDS)}.")
    if not among:
        raise UsageError("find: at least 1 game to look through.")
    read = list(known) or courses(cell, among)
    won = [one for one in read if one.winner is not None]
    if kind != "longest" and not won:
        raise UsageError(
            f"find: none of these {len(read):,} games has a single winner."
        )
    if kind in ("closest", "lopsided", "comeback"):
        won = [one for one in won if one.margin is not None and one.margin >= 0]
        if not won:
            raise UsageError(
                f"find: {kind} needs to know how the seats of {cell.game} stand, and "
                f"none of these {len(read):,} games says so. Look for longest or "
                "upset, or let the game declare it: standing in docs/adding-a-game.md."
            )
    chosen, reason = _FINDERS[kind](read if kind == "longest" else won, cell)
    return Found(kind, chosen.number, reason)


def _name(one: Course) -> str:
    return NAMES[one.winner or 0]


def _unit(cell: Cell) -> str:
    game = registry.load(cell.game)
    return game.narrator(game).unit


def _changes(count: int) -> str:
    return f"{count} change{'s' * (count != 1)}"


def _num(value: float | None) -> str:
    return number(float(value or 0))


def _closest(won: Sequence[Course], cell: Cell) -> tuple[Course, str]:
    best = min(won, key=lambda one: (one.margin or 0, -one.changes, one.number))
    usual = _num(median(one.margin or 0 for one in won))
    return best, (
        f"{_name(best)} wins with a margin of {_num(best.margin)} ({_unit(cell)}); "
        f"the median of {len(won):,} games is {usual}. "
        f"{_changes(best.changes)} of the lead."
    )


def _lopsided(won: Sequence[Course], cell: Cell) -> tuple[Course, str]:
    best = max(won, key=lambda one: (one.margin or 0, -one.number))
    usual = _num(median(one.margin or 0 for one in won))
    return best, (
        f"{_name(best)} wins with a margin of {_num(best.margin)} ({_unit(cell)}), the "
        f"greatest of {len(won):,} games; their median is {usual}."
    )


def _comeback(won: Sequence[Course], cell: Cell) -> tuple[Course, str]:
    best = max(won, key=lambda one: (one.behind or 0, -one.number))
    if not best.behind:
        return best, f"In none of {len(won):,} games was the winner ever behind."
    usual = _num(median(one.behind or 0 for one in won))
    return best, (
        f"{_name(best)} is {_num(best.behind)} behind ({_unit(cell)}) after "
        f"{best.when} and wins, the most of {len(won):,} games; in the median game the "
        f"winner is behind by {usual} at most."
    )


def _typical(won: Sequence[Course], cell: Cell) -> tuple[Course, str]:
    numbers = np.array(
        [[w.margin or 0, w.behind or 0, w.decisions, w.changes] for w in won],
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


def _longest(read: Sequence[Course], cell: Cell) -> tuple[Course, str]:
    best = max(read, key=lambda one: (one.decisions, -one.number))
    usual = median(one.decisions for one in read)
    return best, (
        f"{best.decisions} decisions, the most of {len(read):,} games; "
        f"their median is {_num(usual)}."
    )


def _upset(won: Sequence[Course], cell: Cell) -> tuple[Course, str]:
    titles = [one.title for one in cell.strategies()]
    mixed, games = len(set(titles)) > 1, len(won)
    places = registry.positions(registry.load(cell.game), cell.players)

    def sort(one: Course) -> str:
        return one.who if mixed else places[one.position]

    wins = Counter(map(sort, won))
    seats = Counter(titles) if mixed else Counter(places)
    share = {what: count / (seats[what] * games) for what, count in wins.items()}
    best = min(won, key=lambda one: (share[sort(one)], -(one.behind or 0), one.number))
    what = sort(best)
    who = f"who plays {what}" if mixed else f"the {what} at the table"
    return best, (
        f"{_name(best)}, {who}, wins. Such a seat wins {100 * share[what]:.1f} % of "
        f"{games:,} games, where an even share is {100 / cell.players:.1f} %."
    )


_FINDERS: Mapping[str, Callable[[Sequence[Course], Cell], tuple[Course, str]]] = {
    "closest": _closest,
    "lopsided": _lopsided,
    "comeback": _comeback,
    "typical": _typical,
    "longest": _longest,
    "upset": _upset,
}
