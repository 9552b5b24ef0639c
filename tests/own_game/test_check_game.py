"""Checks of games in one file: each planted fault is named, with its line."""

import shutil

import pytest

import fairdeal as fd
from experiments.conformance.check_game import check_game, ranks, refuse_faulty
from experiments.conformance.harness import settings_of
from experiments.conformance.own_game_referee import refereed
from sim.games import load
from sim.scores import GameError
from tests.own_game.examples import FOLDER, NAMES, example
from tests.own_game.planted import PLANTED, plant


def checks(game, games=8):
    settings = settings_of(game, game.rules(), 1)
    return {check.name: check for check in refereed(settings[::3], games)}


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_have_no_faults(name):
    assert [check for check in checks(example(name)).values() if not check.ok] == []


SLOW = {"a turn that never ends"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in SLOW else ())
        for name in PLANTED
    ],
)
def test_a_fault_is_named_with_its_line(name, tmp_path):
    fault = PLANTED[name]
    file = plant(fault, tmp_path)
    found = checks(load(str(file)))[fault.check]
    assert not found.ok
    assert fault.words in found.detail
    lines = [line for line in found.detail.splitlines() if fault.words in line]
    number = 1 + file.read_text().splitlines().index(
        next(line for line in file.read_text().splitlines() if fault.line in line)
    )
    assert any(
        line.startswith(f"{file.name}, line {number}, `") and fault.line in line
        for line in lines
    )


def test_a_faulty_game_is_neither_searched_nor_reported(tmp_path):
    file = str(plant(PLANTED["kept on a card"], tmp_path))
    played = fd.play(file, lineup="random", players=2, games=8, seed=1, jobs=1)
    assert played.played == (8,)  # as its author wants to see what it does
    study = tmp_path / "study.toml"
    study.write_text(f'game = "{file}"\nlineups = ["search:inner=random"]\n')
    for ask in (
        lambda: fd.study(study, games=8, seed=1, jobs=1),
        lambda: fd.play(file, lineup="search:inner=random,random", games=8, jobs=1),
        lambda: fd.report(file, games=8, jobs=1, quick=True),
        lambda: fd.tournament(file, games=8, jobs=1),
    ):
        with pytest.raises(GameError, match=r"line 51, .*card.face_up"):
            ask()


def test_a_game_is_checked_once_for_each_version(tmp_path, monkeypatch):
    file = str(plant(PLANTED["a card in no pile"]._replace(new=""), tmp_path))
    calls = []
    monkeypatch.setattr(
        "experiments.conformance.check_game.check_game",
        lambda game, **_: calls.append(game) or [],
    )
    refuse_faulty(file)
    refuse_faulty(file)
    refuse_faulty("kunitame")
    assert [game.id for game in calls] == [file]


def test_what_never_happens_is_told(tmp_path):
    fault = PLANTED["an event that is none"]
    silent = fault._replace(old=", chips_on_it=g.pot)", new=") if False else None")
    told = checks(load(str(plant(silent, tmp_path))))["plays"]
    assert told.ok
    assert "event 'take' is declared, and was never told" in told.detail


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_examples_may_be_searched(name):
    checks = check_game(example(name), games=6, quick=True)
    assert [check for check in checks if not check.ok] == []
    assert {"hides", "secrets"} <= {check.name for check in checks}


def changed(tmp_path, name, old, new):
    """Return an example game with other code."""
    code = (FOLDER / f"{name}.py").read_text()
    assert old in code
    for cards in FOLDER.glob("*.csv"):
        shutil.copy(cards, tmp_path)
    file = tmp_path / f"{name}.py"
    file.write_text(code.replace(old, new))
    return load(str(file))


def test_an_illegal_answer_is_said_once(tmp_path):
    game = changed(tmp_path, "no_thanks", "else view.legal[-1]", 'else "no"')
    wrong = [check for check in check_game(game, games=20) if not check.ok]
    assert len(wrong) == 1
    assert "chose 'no' at 'offer'" in wrong[0].detail
    assert not wrong[0].detail.startswith("/")


def test_a_name_that_is_declared_twice_is_named(tmp_path):
    twice = "heads = Number(each=True)"
    with pytest.raises(GameError, match=r"six_nimmt.py, line \d+, .*'heads' .* line"):
        changed(tmp_path, "six_nimmt", twice, f"heads = Pile()\n    {twice}")


def test_hands_that_go_on_are_noted(tmp_path):
    turn = "def turn(self, g):\n"
    passed = "        g.hand = [g.hand[g.after(seat)][:] for seat in g.seats]\n"
    game = changed(tmp_path, "six_nimmt", turn, turn + passed)
    assert "cards of 'hand' go on" in checks(game)["plays"].detail
    for name in NAMES:
        assert "go on" not in checks(example(name))["plays"].detail


def test_a_score_that_never_differs_is_noted(tmp_path):
    game = changed(tmp_path, "six_nimmt", "g.heads[seat] += heads_on(row)", "pass")
    assert "'heads' counted" in checks(game)["plays"].detail
    assert "counted" not in checks(example("six_nimmt"))["plays"].detail


def test_a_game_won_by_playing_badly_is_noted(tmp_path):
    game = changed(tmp_path, "no_thanks", '"points", True,', '"points", False,')
    settings = settings_of(game, game.rules(), 1)
    assert "random players win" in ranks(settings[1], 100)
    right = example("no_thanks")
    settings = settings_of(right, right.rules(), 1)
    assert "random players win" not in ranks(settings[1], 100)
