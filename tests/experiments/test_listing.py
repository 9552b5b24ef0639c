"""Lists of runs: in any state, many, and two started at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.execution.checksummed_json import FORMAT
from experiments.execution.run_status import inspect_run
from experiments.studies import run_catalog


def test_what_cannot_be_read_is_listed_all_the_same(stopped, fairdeal):
    folder = stopped.parent
    odd = {
        "empty": "",
        "list": "[]",
        "number": "3",
        "deep": "[" * 100_000,
        "long": "1" * 5_000,
        "other": '{"name": "web"}',
        "old": '{"fingerprint": ""}',
        "next": f'{{"format": "fairdeal manifest {FORMAT + 1}"}}',
    }
    for name, text in odd.items():
        (folder / name).mkdir()
        (folder / name / "manifest.json").write_text(text)
    (folder / "binary").mkdir()
    (folder / "binary/manifest.json").write_bytes(b"\xff\xfe\x00")
    (folder / "folder/manifest.json").mkdir(parents=True)
    (folder / "stopped/study.json").write_text("{")
    found = {run.path.name: run.state.status for run in run_catalog.list_runs(folder)}
    assert found.pop("stopped") == "unfinished"
    assert found.pop("old") == "outdated"
    assert found.pop("next") == "newer"
    assert set(found.values()) == {"damaged"}
    assert len(found) == len(odd)
    for name in (*found, "stopped"):
        shown = fairdeal("runs", "show", str(folder / name))
        assert shown.exit_code == 2
        assert "is damaged" in shown.stderr
        assert fairdeal("runs", "resume", str(folder / name)).exit_code == 2
    assert fairdeal("runs", "list", str(folder)).exit_code == 0
    assert fairdeal("runs", "show", "x" * 300).exit_code == 2


def test_many_runs_are_listed_at_once(whole, tmp_path):
    """300 runs in well under a second, and without reading tables."""
    one = whole.results.directory
    for number in range(300):
        shutil.copytree(one, tmp_path / f"{number}")
    script = (
        "import sys, time; from pathlib import Path; "
        "from experiments.studies.run_catalog import list_runs; "
        "start = time.process_time(); "
        "print(len(list_runs(Path(sys.argv[1]))), "
        "'polars' in sys.modules, time.process_time() - start)"
    )
    found = subprocess.check_output([sys.executable, "-c", script, str(tmp_path)])
    count, polars, seconds = found.decode().split()
    assert (count, polars) == ("300", "False")
    assert float(seconds) < 0.8


@pytest.mark.slow
def test_two_starts_at_once(here):
    """The second is refused, the first goes on."""
    words = ["run", "kunitame", "-n", "400", "--seed", "1", "--out", "o"]
    for _ in range(3):
        both = [
            subprocess.Popen(
                [sys.executable, "-m", "experiments.commands.cli", *words],
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]
        told = [one.communicate(timeout=120)[1] for one in both]
        codes = [one.returncode for one in both]
        assert 0 in codes, told
        for code, words_said in zip(codes, told, strict=True):
            assert code == 0 or "another process is writing to o" in words_said
        assert inspect_run(here / "o").status == "finished"
        shutil.rmtree(here / "o")
