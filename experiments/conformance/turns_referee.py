"""A referee for vectorised turns: the same games in plain Python, beside them.

``turns(t)`` of many games and ``turn(g)`` of one have to ask the same questions in the
same order, with the same options, and leave the same behind. Random players answer, and
the first difference is named with the line that made it.
"""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.conformance.harness import Check, Setting
from sim.own_game.author_errors import place_of_frame
from sim.own_game.board import TURN, Board
from sim.own_game.moments import Moment
from sim.own_game.play import number_array
from sim.table import Table
from strategies.random import Random

NAME = "turns"
_GAMES = 64


class Different(Exception):
    """The two turns differ."""


class RefereeTable(Table):
    """A table that plays each game in plain Python, too, and compares."""

    def watch(self, state: Any, boards: Sequence[Board]) -> None:
        """Compare the games of a state with those that begin on these boards."""
        self._state = state
        self._games = [Moment.first(board, True) for board in boards]
        self._told: list[list[Any]] = [[] for _ in boards]
        self._numbers = {card: at for at, card in enumerate(state.layout.box)}

    def hears(self, name: str) -> bool:
        """Hear all."""
        return True

    def emit(
        self, state: Any, name: str, where: Any = None, rows: Any = None, **fields: Any
    ) -> None:
        """Keep what is told of a game; of its result nothing is kept."""
        if rows is None:
            return
        values = {key: np.asarray(value).tolist() for key, value in fields.items()}
        turns = values.pop("turn")
        if name == TURN:
            (score,) = values.values()
            told: Any = zip(*score, strict=True)
        else:
            told = zip(*values.values(), strict=True)
        for row, turn, one in zip(rows.tolist(), turns, told, strict=True):
            self._told[row].append((name, turn, one))

    def ask(
        self,
        state: Any,
        name: str,
        seat: Any,
        legal: Any,
        *,
        rows: Any = None,
        **more: Any,
    ) -> Any:
        """Compare the games, have the players answer, and play on in both."""
        turns = state.moments.turns
        places = rows.tolist()
        for at, row in enumerate(places):
            self._compare_question(row, name, int(seat[at]), turns.offered[:, at])
        answer = super().ask(state, name, seat, legal, rows=rows, **more)
        for row, bit in zip(places, np.log2(answer).astype(int).tolist(), strict=True):
            moment = self._games[row]
            options = [*moment.options]
            codes = [*state.layout.options[name].codes(options)]
            self._games[row] = moment.answered(options[codes.index(bit)], True)
        return answer

    def compare_ends(self) -> None:
        """Compare the games once all are over."""
        for row, moment in enumerate(self._games):
            if moment.kind:
                turn = moment.board.turn + 1
                self._differ(row, f"it is over, and turn(g) asks {moment.kind!r}", turn)
            self._compare_boards(row, self._state.moments[row].board)

    def _compare_question(self, row: int, kind: str, seat: int, offered: Any) -> None:
        moment = self._games[row]
        if not moment.kind:
            self._differ(row, f"{kind!r} is asked, and by turn(g) the game is over")
        sides = self._state.players
        if (moment.kind, moment.seat % sides) != (kind, seat):
            asked = f"seat {moment.seat % sides} is asked {moment.kind!r}"
            self._differ(row, f"seat {seat} is asked {kind!r}, and by turn(g) {asked}")
        turns = self._state.moments.turns
        game = int(np.flatnonzero(turns.places == row)[0])
        if not moment.given:
            self._compare_boards(row, turns.board(game))
        options = [*moment.options]
        numbers = [self._numbers.get(one, -1) for one in options]
        offered = offered[offered >= 0].tolist()
        same = numbers == offered if min(numbers) >= 0 else len(numbers) == len(offered)
        if not same:
            shown = [self._state.layout.box[one] for one in offered]
            named = shown if min(numbers) >= 0 else f"{len(offered)} options"
            self._differ(row, f"the options are {named}, and by turn(g) {options}")

    def _compare_boards(self, row: int, board: Board) -> None:
        scalar = self._games[row].board
        for name in board._plan.declared:
            one, other = getattr(scalar, name), getattr(board, name)
            if one != other:
                self._differ(row, f"{name} is {other}, and by turn(g) {one}")
        told = [
            (event, turn, tuple(number_array(values).tolist()))
            for event, turn, values in scalar._notes or ()
        ]
        mine = [(event, turn, tuple(one)) for event, turn, one in self._told[row]]
        told = [self._by_sides(one) for one in told]
        if told != mine:
            self._differ(row, f"{_few(mine)} is told, and by turn(g) {_few(told)}")
        scalar._notes, self._told[row] = [], []

    def _by_sides(self, told: Any) -> Any:
        event, turn, values = told
        if event == TURN:
            return told
        return event, turn, (values[0] % self._state.players, *values[1:])

    def _differ(self, row: int, what: str, turn: int = 0) -> None:
        game = type(self._state.game)
        place = place_of_frame(game, sys._getframe())
        turn = turn or self._state.moments.turns.turn + 1
        where = f"game {self._state.games[row]}, turn {turn}"
        raise Different(f"{place}: {where}: {what}." if place else f"{where}: {what}.")


def turns_check(settings: Sequence[Setting], games: int) -> Check | None:
    """Compare the two turns of a game in one file; None where it has only one."""
    start: Any = settings[0].game.start
    if not hasattr(start.game, "turns"):
        return None
    numbers = np.arange(min(games, _GAMES), dtype=np.uint64)
    for setting in settings:
        state = setting.start(numbers)
        table = RefereeTable([Random()], None, setting.game.view, setting.game.kinds)
        table.watch(state, [*setting.start(numbers).moments])
        try:
            setting.game.play(state, table)
            table.compare_ends()
        except Exception as error:
            return Check(NAME, False, f"{error} (with {setting.players} players)")
    return Check(NAME, True, "turns(t) plays the same games as turn(g)")


def _few(told: Sequence[Any]) -> str:
    """What is told, in short."""
    return ", ".join(f"{event} {values}" for event, _, values in told) or "nothing"
