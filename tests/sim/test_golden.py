"""Every game is held to the same: golden transcripts, a referee, all rooms of tests."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from sim.games import REGISTRY
from tests.games.golden import Golden
from tests.games.hidden import Hidden
from tests.games.parameters import Parameters
from tests.games.refereed import Refereed
from tests.games.replay import Replay

TESTS = Path(__file__).parent.parent
ROOMS = {
    "test_golden": Golden,
    "test_hidden": Hidden,
    "test_referee": Refereed,
    "test_replay": Replay,
    "test_rules": Parameters,
}


@pytest.mark.parametrize("game", REGISTRY)
def test_game_has_golden_transcripts(game: str) -> None:
    folder = TESTS / game / "golden"
    assert list(folder.glob("*.jsonl")), (
        f"{game} has no golden transcripts in tests/{game}/golden. Write "
        f"tests/{game}/test_golden.py as tests/kunitame has it, then run "
        f"pytest tests/{game}/test_golden.py --update-golden"
    )


@pytest.mark.parametrize("game", REGISTRY)
def test_game_has_a_referee(game: str) -> None:
    assert (TESTS / game / "referee.py").is_file(), (
        f"{game} has no referee: write tests/{game}/referee.py from the rule text alone"
    )


@pytest.mark.parametrize("game", REGISTRY)
def test_a_referee_knows_nothing_of_the_engine(game: str) -> None:
    """Loaded alone, it loads nothing of the package."""
    loads = f"import sys, tests.{game}.referee; print(*sys.modules)"
    command = [sys.executable, "-c", loads]
    told = subprocess.run(
        command, cwd=TESTS.parent, capture_output=True, text=True, check=True
    )
    parts = {name.partition(".")[0] for name in told.stdout.split()}
    assert "tests" in parts
    assert not parts & {"sim", "strategies", "experiments", "reports"}


@pytest.mark.parametrize("file", ROOMS)
@pytest.mark.parametrize("game", REGISTRY)
def test_game_has_all_rooms_of_tests(game: str, file: str) -> None:
    assert (TESTS / game / f"{file}.py").is_file(), f"write tests/{game}/{file}.py"
    kept = vars(import_module(f"tests.{game}.{file}")).items()
    own = [
        one
        for name, one in kept
        if name.startswith("Test") and isinstance(one, type)
        if issubclass(one, ROOMS[file]) and one.plays.id == game
    ]
    assert own, f"tests/{game}/{file}.py has no class of {ROOMS[file].__name__}"
