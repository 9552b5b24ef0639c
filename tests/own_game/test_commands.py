"""Every command takes the file of a game in place of a game's name."""

import shutil

import pytest
from typer.testing import CliRunner

from experiments.commands.cli import app
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
    "skill": [GAME, "--players", "3", *SMALL],
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_takes_a_file(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [command, *COMMANDS[command]])
    assert done.exit_code == 0, done.output[-2_000:]


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
