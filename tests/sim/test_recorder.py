"""Tables are what was noted, row by row."""

from typing import Any

import numpy as np

from sim.recorder import Recorder
from tests.sim.toy import KINDS, Lowest, State, letters, table


def columns(recorder: Recorder, name: str) -> dict[str, list[Any]]:
    return {key: value.tolist() for key, value in recorder.table(name).items()}


def test_a_note_by_game_is_a_row_a_game() -> None:
    recorder, state = Recorder(["found"]), State(3)
    letter = letters("a", "b", "c")
    where = np.array([True, False, True])
    table(listeners=[recorder]).emit(state, "found", where, letter=letter, seat=1)
    table(listeners=[recorder]).emit(state, "found", None, letter=letter, seat=2)
    letter[:] = 0  # what was noted is kept
    assert columns(recorder, "found") == {
        "game": [100, 102, 100, 101, 102],
        "letter": [1, 4, 1, 2, 4],
        "seat": [1, 1, 2, 2, 2],
    }


def test_a_note_by_seat_is_a_row_a_seat_and_game() -> None:
    recorder, state = Recorder(["score"]), State(2)
    by_game = np.array([7, 8], dtype=np.uint8)
    emit = table(listeners=[recorder]).emit
    emit(state, "score", points=state.points, turn=4, secret=by_game)
    emit(state, "score", np.array([False, True]), points=state.points, turn=5)
    assert columns(recorder, "score") == {
        "game": [100, 101] * 3 + [101] * 3,
        "seat": [0, 0, 1, 1, 2, 2, 0, 1, 2],
        "points": [0, 1, 10, 11, 20, 21, 1, 11, 21],
        "turn": [4] * 6 + [5] * 3,
        "secret": [7, 8] * 3 + [0] * 3,
    }


def test_a_choice_tells_time_seat_options_and_answer() -> None:
    recorder, state = Recorder(["take"]), State(3)
    desk = table(Lowest(), listeners=[recorder])
    seat = np.array([2, 1, 0], dtype=np.uint8)
    desk.ask(state, "take", seat, letters("bc", "", "d"))
    state.clock.turn = 6
    desk.ask(state, "take", 1, letters("", "j", ""))
    assert columns(recorder, "take") == {
        "game": [100, 102, 101],
        "turn": [1, 1, 7],
        "seat": [2, 0, 1],
        "legal": [6, 8, 512],
        "chosen": [2, 8, 512],
    }


def test_what_nobody_wanted_is_not_kept() -> None:
    recorder = Recorder(["score"])
    assert recorder.hears("score")
    assert not recorder.hears("found")
    assert recorder.table("score") == {}
    assert recorder.table("found") == {}
    assert KINDS.keys() & {"score"} == set()


def test_lists_are_left_out() -> None:
    recorder, state = Recorder(["held"]), State(2)
    lists = np.zeros((3, 4, 2), dtype=np.uint8)
    total = np.zeros((3, 2), dtype=np.int16)
    among = np.array([3, 5], dtype=np.uint64)
    table(listeners=[recorder]).emit(
        state, "held", age=1, lists=lists, among=among, total=total
    )
    kept = columns(recorder, "held")
    assert "lists" not in kept
    assert kept["among"] == [3, 5] * 3
