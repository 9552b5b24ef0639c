"""Games from outside: packages bring them, runs know their files, variants inherit."""

import shutil
import sys
from importlib.metadata import EntryPoint

import pytest
from typer.testing import CliRunner

import sim.games
from experiments.api import Game, games, play
from experiments.commands.cli import app
from experiments.core.cells import UsageError
from experiments.execution.results import load
from experiments.execution.source_trust import loading_recorded
from sim.scores import GameError
from tests.own_game.examples import FOLDER

BRIEF = """
from fairdeal import CardGame, Number, Pile

class Brief(CardGame):
    '''The higher card wins.'''

    title, players, score = "Brief", range(2, 4), "points"
    decisions = {"play": "a card"}
    hand = Pile(each=True, sees="owner")
    played = Pile(each=True)
    deck = Pile(sees="nobody")
    points = Number(each=True)

    def cards(self, g):
        return range(12)

    def setup(self, g):
        g.deck = g.shuffled(range(12))
        for hand in g.hand:
            hand += [g.deck.pop(), g.deck.pop()]

    def turn(self, g):
        for seat, card in g.secretly("play", dict(enumerate(g.hand))).items():
            g.hand[seat].remove(card)
            g.played[seat].append(card)
            g.points[seat] += card
        g.over = g.turn == 1
"""


@pytest.fixture
def brief(tmp_path):
    """A small game in a file of its own."""
    file = tmp_path / "brief.py"
    file.write_text(BRIEF)
    return file


def test_a_package_brings_a_game_by_an_entry_point(monkeypatch, tmp_path):
    (tmp_path / "brought_games.py").write_text(BRIEF)
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = EntryPoint("brief", "brought_games:Brief", sim.games.GROUP)
    monkeypatch.setattr(sim.games, "_entries", lambda: {"brief": entry})
    game = Game("brief")
    assert game.title == "Brief"
    assert "The higher card wins." in repr(game)
    assert play("brief", lineup="random", players=2, games=8, seed=1, jobs=1)
    assert games().filter(game="brief")["players"].to_list() == [[*game.players]]
    sim.games._of_entry.cache_clear()
    sys.modules.pop("brought_games")


def test_a_package_that_does_not_load_hides_no_other_game(monkeypatch):
    entry = EntryPoint("gone", "no_such_games:Gone", sim.games.GROUP)
    monkeypatch.setattr(sim.games, "_entries", lambda: {"gone": entry})
    told = CliRunner().invoke(app, ["games"])
    assert told.exit_code == 0
    for words in ("gone", "no_such_games", "kunitame", "new-game"):
        assert words in told.output


def test_a_run_is_not_gone_on_with_by_another_source(brief, tmp_path):
    how = {"lineup": "random", "players": 2, "games": 8, "seed": 1, "jobs": 1}
    play(str(brief), out=tmp_path / "o", **how)
    assert load(tmp_path / "o")
    brief.write_text(BRIEF.replace("+= card", "-= card"))
    with pytest.raises(UsageError, match="edited after it was loaded"):
        play(str(brief), out=tmp_path / "o2", **how)


def test_what_came_with_a_run_is_not_loaded(tmp_path):
    """Reading results loads no file that lies in their directory, nor another one."""
    for folder, said in ((tmp_path, "came with"), (tmp_path / "o", "not a file that")):
        file = tmp_path / f"planted{len(said)}.py"
        file.write_text("raise SystemExit('planted')")
        with (
            pytest.raises(UsageError, match=said),
            loading_recorded(folder, {"sources": {}}),
        ):
            sim.games.load(str(file))


def test_a_variant_inherits_what_a_game_declares(tmp_path):
    for name in ("no_thanks.py", "six_nimmt.py", "six_nimmt.csv"):
        shutil.copy(FOLDER / name, tmp_path)
    file = tmp_path / "kinder.py"
    file.write_text(
        "from fairdeal import rule\n"
        "from no_thanks import NoThanks, Thrifty\n\n"
        "class Kinder(NoThanks):\n"
        '    """Nobody pays for the first card."""\n'
        '    title = "Kinder"\n'
        '    removed = rule(12, "cards taken out unseen", 0, 20)\n'
    )
    game = Game(str(file))
    assert game.rules().values.removed == 12
    assert game.title == "Kinder"
    assert play(str(file), lineup="random", players=3, games=8, seed=1, jobs=1)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"points"\n', '"pionts"\n', "did you mean 'points'"),
        ("hand = Pile(each=True", "ask = Pile(each=True", "'ask' is taken"),
        ("g.points[seat] +=", "g.pionts[seat] +=", "g has no 'pionts'"),
        ("g.over = g.turn == 1", "g.ovre = True", "g.ovre is set and not declared"),
        ("g.hand[seat].remove(card)", "nothing()", "'nothing' is not defined"),
        ('sees="nobody"', 'sees="noone"', "sees: all, owner, partners, nobody"),
        ('sees="owner"', 'sees="onwer"', "did you mean 'owner'?"),
        ("range(12)", "[1] * 12", "equal to others"),
        ("dict(enumerate(g.hand))", "{0: [], 1: []}", "without any option"),
        ('"play", dict', '"paly", dict', "paly"),
    ],
)
def test_errors_of_an_author_say_what_to_write(old, new, said, tmp_path):
    file = tmp_path / "wrong.py"
    assert old in BRIEF
    file.write_text(BRIEF.replace(old, new))
    with pytest.raises((GameError, UsageError, ValueError), match=said):
        play(str(file), lineup="random", players=2, games=8, seed=1, jobs=1)
