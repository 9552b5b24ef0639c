"""Games in one file at the table: all that wait for the same kind of answer are asked.

They are played ``WINDOW`` at a time: of few games all that is used stays in the cache,
and Python's collector of garbage, of which there is none, is out of the way.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.own_game.batch_turns import BatchTurns, GameEnds, LazyMoments
from sim.own_game.board import TURN, Board
from sim.own_game.moments import Moment, of_sides, scores_of
from sim.own_game.state import OptionBits, OwnState, score_name
from sim.parameters import no_such
from sim.scores import GameError
from sim.table import Table

WINDOW = 256
Note = tuple[str, int, tuple[Any, ...]]


def play(state: OwnState, table: Table) -> None:
    """Play all games to the end from where they stand."""
    state.follow_chance()
    size = len(state.games)
    if _in_batches(state, table):
        turns = BatchTurns(state, table)
        state.moments = LazyMoments(turns, size)
        _emit_result(state, table, turns.play())
        return
    with _without_collector():
        for first in range(0, size, WINDOW):
            _play_window(state, table, range(first, min(first + WINDOW, size)))
        _emit_result(state, table, _ends(state))


def _in_batches(state: OwnState, table: Table) -> bool:
    """Whether a vectorised turn plays: from the start, if nobody decides by row."""
    if not hasattr(state.game, "turns"):
        return False
    by_row = any(getattr(player, "decides_by_row", False) for player in table.lineup)
    return not by_row and all(isinstance(one, Board) for one in state.moments)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Meanwhile Python's collector is off."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def _play_window(state: OwnState, table: Table, rows: Sequence[int]) -> None:
    """Play these games to the end."""
    moments = state.moments
    notes = [name for name in (TURN, *state.layout.plan.events) if table.hears(name)]
    for row in rows:
        if not isinstance(moments[row], Moment):
            moments[row] = Moment.first(moments[row], bool(notes))
    _emit_notes(state, table, rows, notes)
    left = [row for row in rows if moments[row].kind]
    while left:
        by_kind: dict[str, list[int]] = {}
        for row in left:
            by_kind.setdefault(moments[row].kind, []).append(row)
        for kind, asked in by_kind.items():
            _ask(state, table, kind, asked, bool(notes))
            if notes:
                _emit_notes(state, table, asked, notes)
        left = [row for row in left if moments[row].kind]
    forced = sum(moments[row].board._forced for row in rows)
    table.count_forced(state, np.array(rows), np.array([forced]))


def _ask(
    state: OwnState, table: Table, kind: str, rows: list[int], notes: bool
) -> None:
    """Ask the seats of these rows, and play on to the next question."""
    moments = state.moments
    codes_of = _bits(state, kind, moments[rows[0]]).codes
    at, size = np.array(rows), len(rows)
    seats, legal, most = [0] * size, [0] * size, [1] * size
    questions = []
    for place, row in enumerate(rows):
        moment = moments[row]
        options = [*moment.options]  # whoever plays a copy on changes the piles
        try:
            codes = codes_of(options)
        except GameError as error:
            raise GameError(f"{moment.place}: {error}") from None
        questions.append((options, codes))
        seats[place] = moment.seat % state.players
        most[place] = moment.most
        if type(codes) is range:
            legal[place] = (1 << len(codes)) - 1
        else:
            for code in codes:
                legal[place] |= 1 << code
    state.clock.turn[at] = [moments[row].board.turn + 1 for row in rows]
    chosen = table.ask(
        state,
        kind,
        np.array(seats, dtype=np.uint8),
        np.array(legal, dtype=np.uint64),
        most=np.array(most, dtype=np.uint8) if max(most) > 1 else None,
        rows=at,
        simultaneous=np.array([bool(moments[row].given) for row in rows]),
    )
    numbers = masks.index(chosen).tolist()
    for row, (options, codes), number in zip(rows, questions, numbers, strict=True):
        option = options[codes.index(number)]
        moments[row] = moments[row].answered(option, notes)
    state.clock.count[at] += np.uint64(1)


def _bits(state: OwnState, kind: str, moment: Moment) -> OptionBits:
    """The bits of a kind of decision; raises ``GameError`` if it is not declared."""
    try:
        return state.layout.options[kind]
    except KeyError:
        known = state.layout.options
        raise GameError(
            f"{moment.place}: {no_such('kind of decision', kind, known, 'decisions')}"
        ) from None


def _emit_notes(
    state: OwnState, table: Table, rows: Sequence[int], names: Sequence[str]
) -> None:
    """Tell what the games noted since they were last asked."""
    if not names:
        return
    kept: list[list[tuple[int, Note]]] = []
    for row in rows:
        board = state.moments[row].board
        if board._notes:
            kept.append([(row, note) for note in board._notes])
            board._notes = []
    for together in zip_longest(*kept):
        by_name: dict[str, list[tuple[int, Note]]] = {}
        for one in together:
            if one is not None:
                by_name.setdefault(one[1][0], []).append(one)
        for name, some in by_name.items():
            if name in names:
                _emit_note(state, table, name, some)


def _emit_note(
    state: OwnState, table: Table, name: str, some: Sequence[tuple[int, Note]]
) -> None:
    rows = np.array([row for row, _ in some])
    turn = np.array([note[1] for _, note in some])
    values = [
        number_array(column) for column in zip(*(n[2] for _, n in some), strict=True)
    ]
    if name == TURN:
        score = {score_name(state.game): np.stack(values)}
        table.emit(state, name, rows=rows, turn=turn, **score)
        return
    seat, *numbers = values
    seat %= state.players
    named = dict(zip(state.layout.plan.events[name], numbers, strict=True))
    table.emit(state, name, rows=rows, turn=turn, seat=seat.astype(np.int8), **named)


def number_array(values: Sequence[Any]) -> NDArray[Any]:
    """Numbers as whole ones, or as floats where some are none."""
    array = np.array(values)
    return array.astype(np.int64) if array.dtype.kind in "biu" else array.astype(float)


def _ends(state: OwnState) -> GameEnds:
    """How all games ended."""
    boards = [moment.board for moment in state.moments]
    ties = [
        number_array(
            [of_sides(board, getattr(board, tie.removeprefix("-"))) for board in boards]
        ).T
        for tie in state.game.ties
    ]
    score = number_array([scores_of(board) for board in boards]).T
    return GameEnds(score, ties, np.array([board.turn for board in boards]))


def _emit_result(state: OwnState, table: Table, ends: GameEnds) -> None:
    """Tell who won, and by what."""
    game, score = state.game, ends.score
    ahead = _best(score, np.ones(score.shape, dtype=np.bool_), game.fewest)
    by = np.zeros(len(ends.turns), dtype=np.uint8)
    for number, tie in enumerate(game.ties, 1):
        level = ahead.sum(axis=0) > 1
        values = ends.ties[number - 1]
        ahead = _best(values, ahead, tie.startswith("-"))
        by[level & (ahead.sum(axis=0) == 1)] = number
    shared = ahead.sum(axis=0) > 1
    by[shared] = len(game.ties) + 1
    bits = masks.ONE << np.arange(state.players, dtype=np.uint64)[:, None]
    table.emit(
        state,
        "result",
        winner=np.where(shared, -1, ahead.argmax(axis=0)).astype(np.int8),
        by=by,
        winners=np.where(ahead, bits, masks.NOTHING).sum(axis=0, dtype=np.uint64),
        **{score_name(game): score},
        turns=ends.turns,
    )


def _best(
    values: NDArray[Any], among: NDArray[np.bool_], fewest: bool
) -> NDArray[np.bool_]:
    """(seats, games) who has most (or fewest) of those ``among`` whom one is chosen."""
    signed = np.where(among, -values if fewest else values, -np.inf)
    best: NDArray[np.bool_] = among & (signed == signed.max(axis=0))
    return best
