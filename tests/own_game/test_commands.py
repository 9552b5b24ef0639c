"""Every command takes the file of a game in place of a game's name."""

import json
import shutil

import pytest
from typer.testing import CliRunner

from experiments.commands.cli import app
from experiments.learning.learn import kept_at
from tests.own_game.examples import FOLDER

GAME = str(FOLDER / "no_thanks.py")
SMALL = ["-n", "32", "--seed", "1", "-j", "1"]
COMMANDS = {
    "run": [GAME, "--players", "3", "--lineup", "thrifty,random,random", *SMALL],
    "rules": [GAME],
    "strategies": [GAME],
    "measures": [GAME],
    "schema": [GAME],
    "trace": [GAME, "--players", "3", "--seed", "1"],
    "compare": [GAME, "removed=5", "--players", "3", "--adapt", "0", *SMALL],
    "tournament": [GAME, "--players", "3", *SMALL],
    "luck": [GAME, "--lineup", "thrifty,random,random", *SMALL],
    "check-strategy": ["thrifty", "--game", GAME],
    "levers": [GAME, "--players", "3", "--adapt", "0", *SMALL],
    "knockout": [GAME, "--players", "3", *SMALL],
    "skill": [GAME, "--players", "3", "--samples", "1,2", *SMALL],
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_takes_a_file(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = {*FOLDER.iterdir()}
    done = CliRunner().invoke(app, [command, *COMMANDS[command]])
    assert done.exit_code == 0, done.output[-2_000:]
    assert {*FOLDER.iterdir()} - before <= {FOLDER / "__pycache__"}


@pytest.mark.parametrize("word", ["adapted", "learn"])
def test_what_is_learned_of_a_file_is_kept_among_the_results(
    word, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    place = kept_at(word, {"game": GAME})
    assert place.parent == tmp_path / "results"
    assert place.name.startswith(f"no_thanks-{word}-")


def test_seats_are_compared_only_where_a_game_has_positions(tmp_path, monkeypatch):
    """6 nimmt! has none: all decide at once."""
    monkeypatch.chdir(tmp_path)
    for name, seated in (("six_nimmt", False), ("no_thanks", True)):
        words = ["run", str(FOLDER / f"{name}.py"), "--players", "3", *SMALL]
        assert ("Positions" in CliRunner().invoke(app, words).output) is seated
        done = json.loads(CliRunner().invoke(app, [*words, "--json"]).output)
        assert bool(done["tables"]["position"]) is seated
        assert bool(done["tables"]["gap"]) is seated


def test_a_variant_names_the_file_that_lies_beside_it(tmp_path):
    file = tmp_path / "fewer.toml"
    game = shutil.copy(GAME, tmp_path)
    file.write_text('game = "no_thanks.py"\nname = "fewer"\n\n[rules]\nremoved = 3\n')
    words = ["run", game, "--variant", str(file), "--out", str(tmp_path / "o")]
    done = CliRunner().invoke(app, [*words, "-n", "4", "-j", "1", "--json"])
    assert done.exit_code == 0, done.output
    assert '"removed"' in done.output or "fewer" in done.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1 +", "does not load: SyntaxError"),
        ("x = 1", "a class with CardGame"),
        ("raise ValueError('no luck')", "no luck"),
    ],
)
def test_a_file_that_is_no_game_is_refused_in_words(text, said, tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(text)
    done = CliRunner().invoke(app, ["run", str(file), "-n", "2"])
    assert done.exit_code
    assert said in done.output
    assert "bad.py" in done.output
