"""A command line to call, in a directory of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from experiments.commands.cli import app
from experiments.core import blocks
from experiments.studies import run_study
from sim.guard import LIMIT
from tests.experiments import lives
from tests.experiments.clusters import Cluster, scheduler

OWN = '''
from strategies.base import Strategy
from strategies.scalar import Scalar
import numpy as np


class Bold(Scalar):
    """Plays the last of its cards."""

    name = "bold"

    def play(self, view):
        return view.legal[-1]


class Illegal(Scalar):
    """Leads what it does not hold."""

    name = "illegal"

    def play(self, view):
        return "B1"


class Raises(Strategy):
    """Has no idea."""

    name = "raises"

    def claim(self, view):
        raise RuntimeError("no idea")


class Late(Strategy):
    """Has no idea from game 2500 on."""

    name = "late"

    def claim(self, view):
        if view._state.games[-1] >= 2500:
            raise RuntimeError("no idea")
        return view.pick(view.legal)


class Shape(Strategy):
    """Answers too little."""

    name = "shape"

    def claim(self, view):
        return view.legal[:-1]


class Whole(Strategy):
    """Answers with whole numbers."""

    name = "whole"

    def claim(self, view):
        return view.legal.astype(np.int64)
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory with a file of strategies, ``my.py``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.py").write_text(OWN)
    return tmp_path


@pytest.fixture
def fairdeal(here: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Call the command line with these words."""
    monkeypatch.setenv("FAIRDEAL_DEBUG", "")  # and so as it was, whatever is set
    monkeypatch.setenv(LIMIT, "")  # --decision-limit sets it for the process
    monkeypatch.delenv(LIMIT)

    def call(*words: str) -> Any:
        monkeypatch.setattr("sys.argv", ["fairdeal", *words])
        return CliRunner().invoke(app, list(words))

    return call


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 1,000 games, so that a short run has several."""

    monkeypatch.setattr(blocks, "BLOCK", 1_000)
    monkeypatch.setattr(blocks, "DETAILED", 1_000)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> run_study.StudyResult:
    """A finished study, not to be changed."""
    return run_study.run_study(
        lives.small(), out=tmp_path_factory.mktemp("results") / "whole"
    )


@pytest.fixture
def stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a study of which two of six blocks were finished."""
    monkeypatch.setattr(blocks, "BLOCK", 1_000)
    place = tmp_path / "results/stopped"

    class Enough(Exception):
        """Stops the run."""

    def progress(done: int, total: int) -> None:
        if done == 2_000:
            raise Enough

    with pytest.raises(Enough):
        run_study.run_study(lives.small(), out=place, progress=progress)
    return place


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler that has no workers yet."""
    (tmp_path / "cluster").mkdir()
    with scheduler(tmp_path / "cluster") as cluster:
        yield cluster


@pytest.fixture
def cluster(lone: Cluster) -> Cluster:
    """A scheduler and two workers."""
    lone.add()
    lone.add()
    lone.ready(2)
    return lone
