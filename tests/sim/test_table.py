"""The two doors: who is asked, what an answer may be, who is told."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sim import masks
from sim.answers import IllegalAnswer
from sim.listener import Choice, Listener
from sim.recorder import Recorder
from sim.table import StrategyFailed
from sim.view import View
from strategies.random import Random
from tests.sim.toy import KINDS, Answers, Lowest, State, letters, table

# --- Who is asked -------------------------------------------------------------------


def test_everybody_with_an_option_is_asked() -> None:
    state, player = State(4), Answers(lambda view: view.legal & -view.legal)
    desk = table(player)
    legal = letters("ab", "", "c", "")
    answer = desk.ask(state, "take", 1, legal)
    assert answer.tolist() == letters("a", "", "c", "").tolist()
    assert desk.decisions == 2
    (view,) = player.views
    assert len(view) == 2
    assert view.seat == 1
    assert view.own(state.points).tolist() == [10, 12]


def test_nobody_is_asked_where_there_is_no_option() -> None:
    player = Answers(None)
    desk = table(player)
    answer = desk.ask(State(4), "take", 0, letters("", "", "", ""))
    assert answer.tolist() == [0, 0, 0, 0]
    assert (player.views, desk.decisions) == ([], 0)


def test_nobody_is_asked_about_no_rows() -> None:
    """Where a step has no rows left, no strategy sees an empty view."""
    player, rows = Answers(None), np.zeros(0, dtype=np.int64)
    answer = table(player).ask(State(4), "take", 0, letters(), rows=rows)
    assert (answer.tolist(), player.views) == ([], [])


@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("gap", [False, True])
def test_each_row_goes_to_who_sits_there(*, by_row: bool, gap: bool) -> None:
    """With one seat for all rows or one a row, with and without rows left out."""
    asked: list[tuple[str, int, int]] = []

    def note(name: str) -> Any:
        def answer(view: View) -> masks.Masks:
            games = view.common(view._state.games)
            seats = np.broadcast_to(view.seat, len(view))
            points = view.own(view._state.points)
            for game, seat, own in zip(games, seats, points, strict=True):
                asked.append((name, int(game), int(seat)))
                assert own == 10 * seat + game - 100
            return view.legal & -view.legal

        return Answers(answer, name)

    state = State(6)
    sitting = np.array([[0, 1, 2] * 2, [1, 2, 0] * 2, [2, 0, 1] * 2], dtype=np.uint8)
    desk = table(*map(note, "xyz"), sitting=sitting)
    seat = np.array([0, 1, 2, 2, 1, 0], dtype=np.uint8) if by_row else 2
    legal = letters("ab", "bc", "" if gap else "c", "d", "e", "abcdefghij")
    answer = desk.ask(state, "take", seat, legal)
    assert answer.tolist() == (legal & -legal).tolist()
    wanted = {
        ("xyz"[sitting[s, row]], 100 + row, int(s))
        for row, s in enumerate(np.broadcast_to(seat, 6))
        if legal[row]
    }
    assert set(asked) == wanted
    assert len(asked) == len(wanted)


def test_a_view_by_seat_starts_with_the_own() -> None:
    def look(view: View) -> masks.Masks:
        seats = np.broadcast_to(view.seat, len(view))
        each = view.each(view._state.points)
        games = view.common(view._state.games) - np.uint64(100)
        for row, (seat, game) in enumerate(zip(seats, games, strict=True)):
            clockwise = [(int(seat) + ahead) % 3 * 10 + int(game) for ahead in range(3)]
            assert each[:, row].tolist() == clockwise
        return view.legal

    desk = table(Answers(look))
    for seat in (0, 1, 2, np.array([2, 1, 0, 2, 1, 0], dtype=np.uint8)):
        desk.ask(State(), "take", seat, letters(*"abcdef"))
        desk.ask(State(), "take", seat, letters("a", "", "c", "d", "", "f"))


def test_what_a_view_knows() -> None:
    view = View(State(2), KINDS["take"], 1, None, letters("ab", "b"), None)
    assert (view.players, view.time, view.options_per_token) == (3, {"turn": 1}, 3)
    assert view.most.tolist() == [1, 1]


def test_chance_of_a_view() -> None:
    """Fresh at each call, the same for the same game whatever rows are with it."""
    state = State(50)
    legal = np.full(50, 0b1110, dtype=np.uint64)
    whole = View(state, KINDS["take"], 0, None, legal, None)
    rows = np.array([7, 30])
    some = View(state, KINDS["take"], 0, rows, legal[rows], None)
    draws = [whole.random() for _ in range(3)]
    assert len({tuple(one.tolist()) for one in draws}) == 3
    for one in draws:
        assert some.random().tolist() == one[rows].tolist()
    uniform = whole.uniform()
    assert 0 <= uniform.min() < uniform.max() < 1
    assert set(whole.pick(legal).tolist()) == {2, 4, 8}


def test_a_seat_remembers_what_it_wrote_down() -> None:
    """Its own number, in the rows in which it wrote it; a copy has its own."""
    state = State(4)
    legal = np.full(2, 0b110, dtype=np.uint64)
    rows = np.array([1, 3])
    view = View(state, KINDS["take"], 1, rows, legal, None)
    assert view.memory.tolist() == [0, 0]
    copy = state.copy()
    view.remember(np.array([5, 7], dtype=np.uint64))
    assert view.memory.tolist() == [5, 7]
    assert state.memory.tolist() == [[0] * 4, [0, 5, 0, 7], [0] * 4]
    assert not copy.memory.any()


def test_a_view_of_fewer_options_is_of_the_same_moment() -> None:
    state, legal = State(20), np.full(20, 0b1110, dtype=np.uint64)
    view = View(state, KINDS["take"], 0, None, legal, None)
    fewer = view.with_legal(legal & np.uint64(0b0110))
    assert set(fewer.pick(fewer.legal).tolist()) == {2, 4}
    assert (view.random() == view.with_legal(legal).random()).all()


# --- Answers ------------------------------------------------------------------------

LEGAL = letters("ab", "bcd", "j")
WHERE = "in game 101 (turn 1, seat 3)"


def ask(answer: Any, name: str = "take", most: list[int] | None = None) -> Any:
    """Ask three games; a legal bag has fields of three options."""
    size = None if most is None else np.array(most, dtype=np.uint8)
    legal = LEGAL
    if name == "bet":
        legal = np.array([(1 << 3 * m) - 1 for m in most or []], dtype=np.uint64)
    desk = table(Answers(answer, "bold:x=1"))
    return desk.ask(State(3), name, 2, legal, most=size)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (letters("a", "a", "j"), "a"),  # not among the options
        (letters("a", "bc", "j"), r"b \+ c"),  # two options
        (letters("a", "", "j"), "nothing"),
        (letters("a", "ab", "j"), r"a \+ b"),  # an option and another
        (np.array([1, 1 << 20, 512], dtype=np.uint64), "bit 20"),
    ],
)
def test_illegal_answer(wrong: masks.Masks, told: str) -> None:
    text = f"^strategy 'bold:x=1' answered 'take' with {told} "
    with pytest.raises(IllegalAnswer, match=text) as caught:
        ask(wrong)
    assert str(caught.value).endswith(f"{WHERE}. Options: b, c, d.")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (letters(*"abj").astype(np.int64), "int64, not an array of uint64 masks"),
        (letters(*"abj").astype(float), "float64, not an array of uint64 masks"),
        ([1, 2, 512], "list, not an array of uint64 masks"),
        (None, "NoneType, not an array of uint64 masks"),
        (np.uint64(1), "uint64, not an array of uint64 masks"),
        (letters("a", "b"), r"shape \(2,\), not \(3,\)"),
        (letters(*"abj")[:, None], r"shape \(3, 1\), not \(3,\)"),
    ],
)
def test_wrong_form_of_answer(wrong: Any, told: str) -> None:
    text = rf"^strategy 'bold:x=1' answered 'take' with {told} in game 100 "
    with pytest.raises(IllegalAnswer, match=text) as caught:
        ask(wrong)
    assert str(caught.value).endswith("Options: a, b.")


def test_legal_answers() -> None:
    assert ask(letters("b", "d", "j")).tolist() == letters("b", "d", "j").tolist()


def test_answer_of_a_seat_is_named_by_its_game() -> None:
    """Also where some rows were not asked, and the seat differs by row."""
    seat = np.array([1, 0, 2, 1], dtype=np.uint8)
    desk = table(Answers(letters("a", "b", "a")))
    with pytest.raises(IllegalAnswer, match=r"in game 103 \(turn 1, seat 2\)"):
        desk.ask(State(4), "take", seat, letters("a", "", "b", "cd"))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (letters("ab", "b", "j"), "b in game 101"),  # too few
        (letters("ab", "bcd", "j"), r"b \+ c \+ d in game 101"),  # too many
        (letters("ab", "ab", "j"), r"a \+ b in game 101"),  # not among the options
        (letters("", "bc", "j"), "nothing in game 100"),
    ],
)
def test_illegal_sample(wrong: masks.Masks, told: str) -> None:
    with pytest.raises(IllegalAnswer, match=f"'give' with {told}") as caught:
        ask(wrong, "give", [2, 2, 1])
    options = "2 of b, c, d" if "101" in told else "2 of a, b"
    assert str(caught.value).endswith(f"Options: {options}.")


def test_legal_sample() -> None:
    right = letters("ab", "bd", "j")
    assert ask(right, "give", [2, 2, 1]).tolist() == right.tolist()


@pytest.mark.parametrize(
    ("bits", "told"),
    [
        (0b011, r"one \+ two"),  # two options of one token
        (0b100_010_001, r"one \+ two \+ three"),  # three tokens of two
        (1 << 6, "one"),  # a token beyond the last
    ],
)
def test_illegal_bag(bits: int, told: str) -> None:
    wrong = np.array([1, bits, 0], dtype=np.uint64)
    with pytest.raises(IllegalAnswer, match=f"'bet' with {told} in game 101") as caught:
        ask(wrong, "bet", [1, 2, 2])
    assert str(caught.value).endswith("Options: up to 2 on one, two, three.")


@pytest.mark.parametrize("bits", [0, 0b001, 0b100, 0b001_000, 0b010_010, 0b001_100])
def test_legal_bag(bits: int) -> None:
    right = np.array([1, bits, 0], dtype=np.uint64)
    assert ask(right, "bet", [1, 2, 2]).tolist() == right.tolist()


def test_a_pick_is_checked_where_more_than_one_is_due() -> None:
    """To pick one of the options is no answer to a question for two."""
    with pytest.raises(IllegalAnswer, match=r"Options: 2 of a, b\.$"):
        ask(lambda view: view.pick(view.legal), "give", [2, 2, 1])


def test_a_pick_is_an_answer() -> None:
    answer = ask(lambda view: view.pick(view.legal))
    assert (answer & LEGAL == answer).all()
    assert (masks.count(answer) == 1).all()


def test_a_pick_that_is_changed_is_checked() -> None:
    def bent(view: View) -> masks.Masks:
        picked = view.pick(view.legal)
        return picked << np.uint64(1) | picked

    with pytest.raises(IllegalAnswer):
        ask(bent)


def test_an_answer_is_the_tables_own() -> None:
    """What a strategy does with its array afterwards changes nothing."""
    kept = letters("a", "b", "j")
    answer = ask(kept)
    kept[:] = 0
    assert answer.tolist() == letters("a", "b", "j").tolist()


def test_a_strategy_cannot_make_options() -> None:
    """Options that it adds for itself are none."""

    def forged(view: View) -> masks.Masks:
        view.legal |= np.uint64(1 << 9)
        return np.full(len(view), 1 << 9, dtype=np.uint64)

    with pytest.raises((IllegalAnswer, StrategyFailed)):
        ask(forged)


@pytest.mark.parametrize("gap", [False, True])
def test_a_strategy_cannot_change_the_game(*, gap: bool) -> None:
    """What it is shown is to be read only, or a copy."""
    state = State(3)
    before = state.points.copy()

    def thief(view: View) -> masks.Masks:
        for field in (
            view.own(view._state.points),
            view.common(view._state.points[0]),
            view.each(view._state.points),
        ):
            if field.flags.writeable:
                field[:] = 99
        return view.legal & -view.legal

    legal = letters("ab", "" if gap else "c", "d")
    table(Answers(thief)).ask(state, "take", 1, legal)
    assert (state.points == before).all()


def test_strategy_that_raises() -> None:
    def broken(view: View) -> masks.Masks:
        raise ZeroDivisionError("no trumps")

    with pytest.raises(StrategyFailed) as caught:
        ask(broken)
    text = str(caught.value)
    assert text.startswith("strategy 'bold:x=1' raised ZeroDivisionError at 'take'")
    for part in ("in game 100 (turn 1, seat 3)", ": no trumps", "Options", ": a, b."):
        assert part in text
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


BAG = st.lists(st.integers(0, 4), min_size=1, max_size=8)


@given(BAG)
def test_random_answers_are_legal(most: list[int]) -> None:
    size = np.array(most, dtype=np.uint8)
    legal = np.array([(1 << 3 * m) - 1 for m in most], dtype=np.uint64)
    state = State(len(most))
    for player in (Random(), Lowest()):
        desk = table(player)
        give = np.minimum(size, 10)
        ten = np.full(len(most), 1023, dtype=np.uint64)
        assert (masks.count(desk.ask(state, "give", 0, ten, most=give)) == give).all()
        if isinstance(player, Random):
            desk.ask(state, "bet", 0, legal, most=size)
            desk.ask(state, "take", 0, ten)


# --- What random means --------------------------------------------------------------

GAMES = 40_000


def at_random(name: str, legal: int, most: int = 1) -> np.ndarray:
    """How often each answer comes."""
    state = State(GAMES)
    size = np.full(GAMES, most, dtype=np.uint8)
    options = np.full(GAMES, legal, dtype=np.uint64)
    return np.unique(
        table(Random()).ask(state, name, 0, options, most=size), return_counts=True
    )[1]


def test_random_takes_each_option_as_often() -> None:
    counts = at_random("take", 0b1011011)
    assert len(counts) == 5
    assert stats.chisquare(counts).pvalue > 1e-4


def test_random_takes_each_sample_as_often() -> None:
    counts = at_random("give", 0b11111, 2)
    assert len(counts) == 10
    assert stats.chisquare(counts).pvalue > 1e-4


def test_random_takes_each_number_of_tokens_as_often() -> None:
    """Then each token's square: of two tokens the numbers 0, 1 and 2 are a third."""
    counts = at_random("bet", 0b111111, 2)
    assert len(counts) == 1 + 3 + 9
    wanted = np.sort([1 / 3] + [1 / 9] * 3 + [1 / 27] * 9) * GAMES
    assert stats.chisquare(np.sort(counts), wanted).pvalue > 1e-4


# --- Who is told --------------------------------------------------------------------


class Heard(Listener):
    """Keeps what it is told."""

    def __init__(self, *names: str) -> None:
        self.names, self.told = names, []

    def hears(self, name: str) -> bool:
        return name in self.names

    def choice(self, state: Any, choice: Choice) -> None:
        kind, *rest, asked, _ = choice
        self.told.append((kind.name, [np.asarray(one).tolist() for one in rest]))
        self.flags = asked.tolist()

    def event(self, state: Any, name: str, where: Any, fields: Any) -> None:
        self.told.append((name, dict(fields)))


def test_listeners_hear_what_they_want() -> None:
    one, other = Heard("score"), Heard("take", "found")
    desk = table(Lowest(), listeners=[one, other])
    assert [desk.hears(name) for name in ("score", "take", "silent")] == [
        True,
        True,
        False,
    ]
    desk.emit(State(), "score", points=3)
    desk.emit(State(), "silent", n=1)
    desk.ask(State(2), "take", 1, letters("ab", ""))
    desk.ask(State(2), "take", 1, letters("", ""), shown=np.array([True, False]))
    assert one.told == [("score", {"points": 3})]
    assert [name for name, _ in other.told] == ["take", "take"]
    assert other.told[0][1] == [1, [3, 0], None, [1, 0]]
    assert other.flags == [True, False]


def test_what_comes_in_turn_is_told_as_by_a_call_for_each_turn() -> None:
    """To a listener that does not hear all at once, and to tables."""
    order, rows = np.array([0, 0, 1, 2]), np.array([0, 1, 1, 0])
    points = np.array([5, 6, 7, 8])
    at_once, each = Heard("score"), Heard("score")
    tables = [Recorder(["score"]), Recorder(["score"])]
    desk = table(Lowest(), listeners=[at_once, tables[0]])
    desk.emit_sequence(State(2), "score", rows, order, points=points, n=1)
    desk = table(Lowest(), listeners=[each, tables[1]])
    for turn in range(3):
        some = order == turn
        desk.emit(State(2), "score", rows=rows[some], points=points[some], n=1)
    told = [
        [[one["points"].tolist(), one["n"]] for _, one in heard.told]
        for heard in (at_once, each)
    ]
    assert told[0] == told[1] == [[[5, 6], 1], [[0, 7], 1], [[8, 0], 1]]
    columns = [
        {key: one.tolist() for key, one in kept.table("score").items()}
        for kept in tables
    ]
    assert columns[0] == columns[1]
    assert columns[0]["points"] == [5, 6, 7, 8]
