"""The process of explore: how it starts, and what it keeps when it ends."""

import json
import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from experiments.core.cells import UsageError
from experiments.explore import server


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_what_was_tried_is_kept_however_it_ends(tmp_path, number):
    """Once the first games are played."""
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("what runs these tests ignores it, as nohup does")
    words = ("explore", "devil", "--players", "2", "--port", "0", "-j", "1")
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments.commands.cli", *words, "--out", "o"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    address = process.stdout.readline().split()[-1]
    end = time.monotonic() + 300
    while time.monotonic() < end:
        told = httpx.post(f"{address}answer", json={}, timeout=60).json()["html"]
        if "games by each rule set" in told:
            break
    process.send_signal(number)
    told = process.communicate(timeout=120)[1]
    assert "Traceback" not in told
    kept = json.loads((tmp_path / "o/tried.json").read_text())
    assert kept["tried"][0]["seed"]


def test_a_second_start_finds_a_free_port():
    with (
        server.bind_socket(0) as one,
        server.bind_socket(one.getsockname()[1]) as other,
    ):
        assert other.getsockname()[0] == "127.0.0.1"
        assert other.getsockname()[1] != one.getsockname()[1]


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(UsageError, match=r"pip install 'fairdeal\[explore\]'"):
        runpy.run_path(server.__file__)
