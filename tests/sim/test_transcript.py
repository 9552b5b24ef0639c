"""Transcripts say what happened, in the words of the audit format."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from sim.answers import IllegalAnswer
from sim.table import Table
from sim.transcript import Event, Transcript
from tests.sim.toy import GAME, Answers, Clock, Lowest, State, letters, table


def written(state: State, *happens: object) -> Transcript:
    writer = Transcript(GAME)
    desk = table(Lowest(), listeners=[writer])
    for happen in happens:
        happen(desk, state)
    return writer


def only(events: list[Event], game: int) -> list[Event]:
    assert json.loads(json.dumps(events)) == events, "plain JSON values only"
    return [event for event in events if event["game"] == game]


def test_setup() -> None:
    state, writer = State(2, first=7), Transcript(GAME)
    writer.open(state, [["x", "y", "z"], ["y", "z", "x"]])
    assert writer.events()[1] == {
        "game": 8,
        "n": 0,
        "type": "setup",
        "name": "toy",
        "players": 3,
        "lineup": ["y", "z", "x"],
        "rules": {"size": 3},
        "seed": 4,
    }


def test_events_are_numbered_game_by_game() -> None:
    state = State(3)
    where = np.array([True, False, True])
    writer = written(
        state,
        lambda desk, state: desk.emit(state, "result", winner=np.array([0, 1, -1])),
        lambda desk, state: desk.emit(
            state, "result", where, winner=np.array([2, 2, 2])
        ),
    )
    events = writer.events()
    assert [(e["game"], e["n"]) for e in events] == [
        (100, 0),
        (100, 1),
        (101, 0),
        (102, 0),
        (102, 1),
    ]
    assert [e["winner"] for e in events] == [0, 2, 1, None, 2]
    assert {(e["type"], e["name"]) for e in events} == {("result", "toy")}


def test_notes_in_words() -> None:
    state = State(2)
    writer = written(
        state,
        lambda desk, state: desk.emit(
            state, "score", turn=3, points=state.points, secret=np.array([1, 2])
        ),
        lambda desk, state: desk.emit(
            state,
            "found",
            seat=np.array([2, -1], dtype=np.int8),
            letter=letters("c", "a"),
            left=letters("ab", ""),
            why=np.array([1, 0], dtype=np.uint8),
        ),
        lambda desk, state: desk.emit(
            state, "drawn", cards=np.array([[0, 3], [5, 0], [4, 1]], dtype=np.uint8)
        ),
        lambda desk, state: desk.emit(state, "silent", n=1),
    )
    score, found, drawn = only(writer.events(), 100)
    assert score == {
        "game": 100,
        "n": 0,
        "type": "outcome",
        "name": "score",
        "turn": 3,
        "points": [0, 10, 20],
    }
    assert found == {
        "game": 100,
        "n": 1,
        "type": "outcome",
        "name": "found",
        "seat": 2,
        "letter": "c",
        "left": ["a", "b"],
        "why": "skill",
    }
    assert (drawn["type"], drawn["cards"]) == ("chance", {"1": 5, "2": 4})
    _, found, drawn = only(writer.events(), 101)
    assert (found["seat"], found["letter"], found["left"]) == (None, "a", [])
    assert drawn["cards"] == {"0": 3, "2": 1}


def test_choices_in_words() -> None:
    state = State(2)
    most = np.array([2, 1], dtype=np.uint8)
    tokens = np.array([0b001_001, 0b100], dtype=np.uint64)
    seat = np.array([2, 0], dtype=np.uint8)

    def bet(desk: object, state: State) -> None:
        writer_desk = table(Answers(tokens), listeners=desk._listeners)
        legal = np.array([63, 7], dtype=np.uint64)
        writer_desk.ask(state, "bet", 1, legal, most=most)

    writer = written(
        state,
        lambda desk, state: desk.ask(state, "take", seat, letters("bc", "j")),
        lambda desk, state: desk.ask(state, "give", 1, letters("bcd", "a"), most=most),
        bet,
        lambda desk, state: desk.ask(state, "take", 0, letters("", "a")),
    )
    take, give, bet_event = only(writer.events(), 100)
    assert take == {
        "game": 100,
        "n": 0,
        "type": "choice",
        "name": "take",
        "turn": 1,
        "seat": 2,
        "legal": ["b", "c"],
        "chosen": "b",
    }
    assert give == {
        "game": 100,
        "n": 1,
        "type": "choice",
        "name": "give",
        "seat": 1,
        "due": 2,
        "chosen": ["b", "c"],
    }
    assert bet_event == {
        "game": 100,
        "n": 2,
        "type": "choice",
        "name": "bet",
        "seat": 1,
        "most": 2,
        "chosen": {"one": 2},
    }
    assert [e["name"] for e in only(writer.events(), 101)] == [
        "take",
        "give",
        "bet",
        "take",
    ]


def test_a_choice_without_an_option_may_be_told() -> None:
    state = State(2)
    none, most = np.zeros(2, dtype=np.uint64), np.zeros(2, dtype=np.uint8)
    told = np.array([True, False])
    writer = written(
        state,
        lambda desk, state: desk.ask(state, "bet", 0, none, most=most, shown=told),
    )
    (event,) = writer.events()
    assert (event["game"], event["most"], event["chosen"]) == (100, 0, {})


def test_identical_options_are_listed_once() -> None:
    twins = State(1)
    twins.layout = SimpleNamespace(vocabularies={"letter": "aabbb"})
    writer = written(
        twins, lambda desk, state: desk.ask(state, "take", 0, letters("abcde"))
    )
    assert writer.events()[0]["legal"] == ["a", "b"]


def test_who_hears() -> None:
    writer = Transcript(GAME)
    assert writer.hears("score")
    assert writer.hears("take")
    assert not writer.hears("silent")


def held(desk: Table, state: State, **how: object) -> None:
    """A note with a list, a set of seats, numbers and nothing, in two rows."""
    lists = np.array([[[2, 2], [0, 255]], [[255, 255]] * 2, [[1, 255], [3, 4]]])
    total = np.array([[1, 2.5], [-9, 3.0], [0, -9]])
    among = np.array([0b101, 0b010], dtype=np.uint64)
    desk.emit(state, "held", age=1, lists=lists, among=among, total=total, **how)


def test_lists_seats_halves_and_nothing() -> None:
    writer = written(State(2), held)
    assert [
        {key: event[key] for key in ("age", "lists", "among", "total")}
        for event in writer.events()
    ] == [
        {
            "age": "late",
            "lists": [["c", "a"], [], ["b", "d"]],
            "among": [0, 2],
            "total": [1, None, 0],
        },
        {
            "age": "late",
            "lists": [["c"], [], ["e"]],
            "among": [1],
            "total": [2.5, 3, None],
        },
    ]


def test_a_note_of_some_rows() -> None:
    state = State(4)
    writer = written(state, lambda d, s: held(d, s, rows=np.array([1, 3])))
    told = [(event["game"], event["among"]) for event in writer.events()]
    assert told == [(101, [0, 2]), (103, [1])]


class Aged(Clock):
    """A clock that tells a word of a vocabulary."""

    def labels(self) -> dict[str, int]:
        return {"age": 1}


def test_the_clock_in_words_and_seats_as_numbers() -> None:
    state, seats = State(2), np.array([0b110, 0b100], dtype=np.uint64)
    state.clock = Aged()
    writer = written(state, lambda desk, state: desk.ask(state, "ask", 0, seats))
    event = only(writer.events(), 100)[0]
    assert (event["age"], event["legal"], event["chosen"]) == ("late", [1, 2], 1)
    with pytest.raises(IllegalAnswer, match=r"in game 100 \(age late, seat 1\)"):
        table(Answers(seats)).ask(state, "ask", 0, seats)
