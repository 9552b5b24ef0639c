"""The commands ``new-game`` and ``check-game``."""

import subprocess
import sys
from pathlib import Path

from tests.own_game.planted import PLANTED, plant


def test_a_new_game_plays_and_has_no_faults(fairdeal, here):
    assert fairdeal("new-game", "my_game").exit_code == 0
    assert len((here / "my_game.py").read_text().splitlines()) <= 80
    told = fairdeal("check-game", "my_game.py", "--games", "4")
    assert told.exit_code == 0, told.output
    words = ("--lineup", "thrifty,random", "--players", "2", "-n", "400", "--seed", "1")
    assert fairdeal("run", "my_game.py", *words, "-j", "1").exit_code == 0
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=here,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 passed" in done.stdout


def test_the_page_on_own_games_has_the_game_in_full(fairdeal, here):
    assert fairdeal("new-game", "auction").exit_code == 0
    page = Path(__file__).parents[2] / "docs" / "own-game.md"
    text = (here / "auction.py").read_text().rstrip()
    assert f"```python\n{text}\n```" in page.read_text()


def test_nothing_is_overwritten(fairdeal, here):
    (here / "test_my_game.py").write_text("mine")
    told = fairdeal("new-game", "my_game")
    assert told.exit_code == 2
    assert "test_my_game.py already exists" in told.output
    assert not (here / "my_game.py").exists()
    assert not (here / "my_game.csv").exists()
    assert (here / "test_my_game.py").read_text() == "mine"


def test_a_name_that_is_none(fairdeal, here):
    before = {*here.iterdir()}
    for name in ("class", "my-game", "3d", "no/such/folder"):
        told = fairdeal("new-game", name)
        assert told.exit_code == 2
        assert "new-game" in told.output
    assert {*here.iterdir()} == before


def test_the_command_names_faults_and_fails(fairdeal, tmp_path):
    file = plant(PLANTED["a card dealt twice"], tmp_path)
    told = fairdeal("check-game", str(file), "--games", "2")
    assert told.exit_code == 1
    assert "line 45" in told.stdout
    assert "two piles" in " ".join(told.stdout.split())
