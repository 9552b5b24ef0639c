"""A vectorised turn plays the games of the turn in plain Python, and is checked."""

import re
import shutil

import numpy as np
import pytest

from experiments.api import play
from experiments.conformance.check_game import check_game
from experiments.conformance.harness import Setting
from experiments.conformance.turns_referee import turns_check
from sim.games import load
from sim.own_game.board_arrays import columns_of
from sim.own_game.cards import cards_of
from sim.own_game.piles import Piles
from sim.scores import GameError
from tests.own_game.examples import FOLDER, ends

SLOW, FAST = (str(FOLDER / f"{name}.py") for name in ("six_nimmt", "six_nimmt_fast"))
BACKWARDS = "for seat in np.argsort(-t.card.number[shown], axis=0):"


@pytest.mark.parametrize("players", [2, 4, 10])
def test_both_turns_play_the_same_games(players):
    one, other = (ends(load(name), 60, players) for name in (SLOW, FAST))
    assert one.keys() == other.keys()
    for name, values in one.items():
        assert np.array_equal(values, other[name])


@pytest.mark.parametrize(
    "lineup", ["random", "search:samples=2:inner=random,random,random,random"]
)
def test_runs_of_both_are_equal(lineup):
    """Also where somebody copies games, which then go on in plain Python."""
    games = 200 if lineup == "random" else 4
    one, other = (
        play(name, lineup=lineup, players=4, games=games, seed=3, jobs=1)
        for name in (SLOW, FAST)
    )
    for measure in ("won by strategy", "heads by position", "take by strategy"):
        if measure in one.measures:
            assert one.estimates(measure).equals(other.estimates(measure))


@pytest.fixture
def changed(tmp_path):
    """Makes the vectorised game with a part of its file replaced."""

    def make(old, new):
        for name in ("six_nimmt.py", "six_nimmt.csv"):
            shutil.copy(FOLDER / name, tmp_path)
        text = (FOLDER / "six_nimmt_fast.py").read_text()
        assert text.count(old) == 1
        file = tmp_path / "changed.py"
        file.write_text(text.replace(old, new))
        return load(str(file))

    return make


def found(game, players=4):
    return turns_check([Setting(game, game.rules(), players)], 40)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "for seat in np.argsort(t.card.number[shown], axis=0):",
            BACKWARDS,
            r"game \d+, turn \d+: ",
        ),
        ("            t.played.push(shown[seat], seat)\n", "", "played is "),
        ("t.hand.remove(shown[seat], seat)", "t.hand.pop(seat)", "hand is"),
        (
            "t.taken.extend(t.row.clear(row, games), seat, games)",
            "t.row.clear(row, games)",
            r"taken is \[.*\], and by turn\(g\) \[",
        ),
        ("t.heads[seat, games] += cost", "t.heads[seat, games] = cost", "heads is"),
        ("row[low] = t.ask(", "row[low] = 0 * t.ask(", "row is"),
        ("cost=cost)", "cost=cost + 1)", r"take \(.*\) is told, and by turn\(g\) take"),
        ("t.hand.count[0] == 0", "t.hand.count[0] <= 1", r"over, and turn\(g\) asks"),
        ("seat[low], np.arange(t.rules.rows)", "seat[low], np.arange(3)", "3 options"),
        ('secretly("play", t.hand)', 'secretly("play", t.hand.cards[:, ::-1])', "opt"),
    ],
)
def test_a_turn_that_differs_is_named(changed, old, new, said):
    check = found(changed(old, new))
    assert not check.ok
    assert re.search(said, check.detail), check.detail


def test_the_line_is_named_where_a_question_differs(changed):
    check = found(changed("seat[low], np.arange(t.rules.rows)", "seat[low], [0, 1, 2]"))
    assert "changed.py, line " in check.detail


def test_a_mistake_names_the_line(changed):
    game = changed("t.row.push(card, row)", "t.row.puhs(card, row)")
    with pytest.raises(GameError, match=r"changed\.py, line \d+.*puhs"):
        ends(game, 8)


@pytest.mark.slow
def test_the_example_passes_all_checks():
    checks = check_game(FAST, games=6)
    assert [check for check in checks if not check.ok] == []
    assert "turns" in [check.name for check in checks]


def test_piles():
    piles = Piles.of(
        [[["a", "b"], []], [["c"], ["d", "e"]]],
        {name: at for at, name in enumerate("abcde")},
    )
    assert piles.top.tolist() == [[1, 2], [-1, 4]]
    assert piles.count.tolist() == [[2, 1], [0, 2]]
    piles.push(7, 1)
    piles.remove(np.array([0]), 0, np.array([0]))
    assert [piles.lists(game) for game in (0, 1)] == [[[1], [7]], [[2], [3, 4, 7]]]
    assert piles.pop(1, np.array([1])).tolist() == [7]
    piles.extend(piles.clear(0), 1)
    assert [piles.lists(game) for game in (0, 1)] == [[[], [7, 1]], [[], [3, 4, 2]]]
    assert piles.total(np.arange(10)).tolist() == [[0, 0], [8, 9]]
    with pytest.raises(GameError, match="empty"):
        piles.pop(0)


def test_a_column_that_no_card_has_is_told_with_the_nearest():
    card = columns_of(cards_of([{"name": "a", "heads": 1}]))
    with pytest.raises(
        AttributeError, match=r"'haeds'; did you mean 'heads'\? It has:"
    ):
        card.haeds  # noqa: B018
