"""What would have become of a game, had one decision been another.

Some decisions of a game are tried with each of their options: the game is copied as it
stood, this decision is told, and all that follows is played on by who sits there, with
the same chance. So two ends of the same decision differ by it alone.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, PlayedGames
from experiments.core.scripted import Scripted
from sim import games, masks
from sim.events import Decision
from sim.masks import Flags, Masks
from sim.view import Rows, Seat

_AT_ONCE = 32_768  # options played together


@dataclass(frozen=True)
class Branching:
    """Which decisions are tried.

    Those of the kinds ``first``, each together with the question that comes next where
    it is of the kinds ``then`` (a card, and on whom): an option is an answer to both.
    ``when`` is a moment of the clock, such as ("phase", 1), or nothing: at any. Tried
    are the games whose number is divisible by ``every``, which should share no divisor
    with the number of players: then a rotated lineup is tried in every seat. Where
    nothing is tried ``then``, neither is a decision with a single option.
    """

    first: tuple[str, ...]
    then: tuple[str, ...]
    when: tuple[str, int] | None
    every: int = 1

    @property
    def title(self) -> str:
        """What is tried, in words."""
        words = " and ".join(filter(None, map(" or ".join, (self.first, self.then))))
        return words if self.every == 1 else f"{words}, in 1 of {self.every} games"


class _Choice(NamedTuple):
    """A decision in some of the games tried, (decisions,) each."""

    moment: NDArray[np.int64]  # number of the moment
    row: Rows  # place of the game among all that are tried
    seat: NDArray[np.uint8]
    legal: Masks


class _Ends(NamedTuple):
    """What was tried, and how it ended, (options,) each."""

    of: Rows  # which decision
    script: Masks  # (2, options)
    winner: NDArray[np.int8]
    won: Flags
    others: Masks


class Branches:
    """Listens to some games, and plays them on from each of the decisions to be tried.

    Of games whose rows are in step; those that are over may leave. Games are played on
    many at a time, each by its script: until its own decision comes, a game takes the
    course that it took.
    """

    def __init__(self, wanted: Branching) -> None:
        self._wanted = wanted
        self._states: list[Any] = []  # the games tried, as they stood at each moment
        self._kinds: list[str] = []  # of the decision at each moment
        self._choices: list[_Choice] = []
        self._started: list[Rows] = []  # of these, their places when all started

    def hears(self, name: str) -> bool:
        """The decisions to be tried."""
        return name in self._wanted.first

    def event(self, *_: object) -> None:
        """Never called: no note is heard."""

    def choice(
        self,
        state: Any,
        kind: Decision,
        seat: Seat,
        legal: Masks,
        most: object,
        answer: object,
        asked: Flags,
    ) -> None:
        """Keep the games as they stand before the decision."""
        wanted, time = self._wanted, state.clock.labels()
        if wanted.when is not None and time[wanted.when[0]] != wanted.when[1]:
            return
        if not wanted.then:
            asked = asked & (legal & (legal - masks.ONE) != masks.NOTHING)
        tried = np.flatnonzero(state.games % wanted.every == 0)
        at = tried.compress(asked.take(tried))
        if not len(at):
            return
        self._started.append(state.started.take(tried))
        self._states.append(state.branch(tried))
        self._kinds.append(kind.name)
        seats = np.broadcast_to(np.asarray(seat, dtype=np.uint8), legal.shape)
        moment = np.full(len(at), len(self._states) - 1)
        row = _places(self._states[0].games, state.games.take(at))
        self._choices.append(_Choice(moment, row, seats.take(at), legal.take(at)))

    def table(self, cell: Cell, played: PlayedGames) -> pl.DataFrame:
        """A row an option that was tried: game, kind, time, seat, option, who won.

        ``option`` and ``then`` are its answers as masks. First each answer to the first
        question is tried, and the next one, ``then`` nothing, left to who decides. The
        other answers to that are tried where he wins with all of these, or with none.
        ``won`` is whether he wins, alone or not. Without columns if nothing was tried.
        """
        if not self._choices:
            return pl.DataFrame()
        choice = _Choice(*map(np.concatenate, zip(*self._choices, strict=True)))
        of, option = masks.each(choice.legal)
        script = np.stack([option, np.zeros_like(option)])
        first = self._ends(cell, played, choice, of, script)
        ends = np.zeros((2, len(choice.seat)), dtype=np.bool_)
        ends[first.won.view(np.uint8), of] = True
        at, then = masks.each(masks.where(~ends.all(axis=0).take(of), first.others))
        script = np.stack([option.take(at), then])
        more = self._ends(cell, played, choice, of.take(at), script)
        return pl.concat([self._told(choice, first), self._told(choice, more)])

    def _ends(
        self, cell: Cell, played: PlayedGames, choice: _Choice, of: Rows, script: Masks
    ) -> _Ends:
        """Play what is tried to the end, those of nearby moments together."""
        game, kinds = games.load(cell.game), (self._wanted.first, self._wanted.then)
        ticks = np.array([state.clock.tick for state in self._states])
        desk, size = Scripted(game, played, kinds), len(of)
        seat = choice.seat.take(of)
        winner, won = np.zeros(size, dtype=np.int8), np.zeros(size, dtype=np.bool_)
        others = np.zeros(size, dtype=np.uint64)
        for first in range(0, size, _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            moment, row = choice.moment.take(of[part]), choice.row.take(of[part])
            begin = moment.min()
            row = _places(self._states[begin].games, self._states[0].games.take(row))
            start = self._started[begin].take(row)
            state = self._states[begin].branch(row)
            end = desk.play(state, start, ticks.take(moment), script[:, part])
            winner[part], others[part] = end["winner"], desk.others
            won[part] = end["winner"] == seat[part]
            if "winners" in end:
                bits = masks.ONE << seat[part].astype(np.uint64)
                won[part] |= (end["winners"] & bits) != masks.NOTHING
        return _Ends(of, script, winner, won, others)

    def _told(self, choice: _Choice, ends: _Ends) -> pl.DataFrame:
        """What was tried as a table."""
        moment, row = choice.moment.take(ends.of), choice.row.take(ends.of)
        times = [state.clock.labels() for state in self._states]
        return pl.DataFrame(
            {
                "game": self._states[0].games.take(row),
                "kind": pl.Series(self._kinds, dtype=pl.String).gather(moment),
                **{
                    unit: np.array([time[unit] for time in times]).take(moment)
                    for unit in times[0]
                },
                "seat": choice.seat.take(ends.of),
                "option": ends.script[0],
                "then": ends.script[1],
                "winner": ends.winner,
                "won": ends.won,
            }
        )


def _places(games: NDArray[np.uint64], of: NDArray[np.uint64]) -> Rows:
    """(rows,) where some games are among all of a state, whose numbers rise."""
    return np.searchsorted(games, of)
