"""The same seed makes the same games on processors of other kinds."""

import os
import subprocess
import sys

import numpy as np
import pytest

from sim.games import REGISTRY

PLAY = """
import sys
from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from experiments.core.block_records import Block
from sim.games import load

game, number = load(sys.argv[1]), int(sys.argv[2])
players = min(game.players, key=lambda n: abs(n - 4))
seats = ("allround",) * players
cell = Cell(game.id, game.rules.of(), players, seats, True, 1)
sums = play_block(cell, Block(0, 0, number)).sums
print(sums.hash_rows().to_list())
"""
SOME = {"socialism": 256}


def sums(game: str, without: str) -> str:
    """What some games of a strategy come to, without some instructions."""
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PLAY, game, str(SOME.get(game, 8_192))],
        env=os.environ | {"NPY_DISABLE_CPU_FEATURES": without},
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout


@pytest.mark.slow
@pytest.mark.parametrize("game", REGISTRY)
def test_games_are_the_same_without_wide_instructions(game):
    """With AVX-512 exponentials of 64 bits are others than without, in the last bit."""
    found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    wide = [name for name in found if name.startswith(("AVX512", "X86_V4"))]
    if not wide:
        pytest.skip("this processor has none")
    assert sums(game, "") == sums(game, " ".join(wide))
