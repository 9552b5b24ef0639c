"""Every game has golden transcripts."""

from pathlib import Path

import pytest

from sim.games import REGISTRY

TESTS = Path(__file__).parent.parent


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
