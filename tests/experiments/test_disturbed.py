"""Full disks, foreign and half-written files: a clear error, and nothing lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.core.blocks import play_block
from experiments.core.cells import Cell, UsageError
from experiments.execution import atomic_files, backends, file_locks
from experiments.execution.run import RunFailed, run
from experiments.execution.run_status import inspect_run
from tests.experiments.interrupted import BLOCK, CELL, GAMES, go, interrupted


def test_what_was_half_written_is_swept(tmp_path):
    out = tmp_path / "o"
    interrupted(out)
    (out / "blocks/0000-000000000600-200.parquet.99.part").write_bytes(b"PAR1")
    assert go(out).sums.equals(go(None).sums)
    assert not list(out.glob("**/*.part"))


def test_what_another_start_sweeps_is_written_again(tmp_path, monkeypatch):
    """As ``test_two_starts_at_once`` has it, when the first writes its summary."""
    swept = []

    def sweep(_):
        if len(swept) < 2:
            swept.extend(tmp_path.iterdir())
            swept[-1].unlink()

    monkeypatch.setattr(os, "fsync", sweep)
    atomic_files.write_file(tmp_path / "summary.json", b"{}")
    assert len(swept) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["summary.json"]
    assert (tmp_path / "summary.json").read_bytes() == b"{}"


FOREIGN = {
    "a file": (lambda at: at.write_text("x"), "is a file. Name a new directory"),
    "a folder of something else": (
        lambda at: (at / "thesis").mkdir(parents=True),
        "holds no run of fairdeal (it contains thesis)",
    ),
    "a damaged manifest": (
        lambda at: (at.mkdir(), (at / "manifest.json").write_text('{"fing')),
        "manifest.json is damaged, or not a file of fairdeal",
    ),
    "half a film": (
        lambda at: (at.mkdir(), (at / "movie.mkv.part").write_text("x")),
        "holds no run of fairdeal (it contains movie.mkv.part)",
    ),
    "a part of no start": (
        lambda at: (at.mkdir(), (at / "manifest.json.1.part").write_text("x")),
        "holds no run of fairdeal (it contains manifest.json.1.part)",
    ),
    "blocks of wood": (
        lambda at: (at / "blocks").mkdir(parents=True),
        "holds no run of fairdeal (it contains blocks)",
    ),
    "a lock of something else": (
        lambda at: (at.mkdir(), (at / "lock").write_text("pid 4")),
        "holds no run of fairdeal (it contains lock)",
    ),
    "a lock that leads elsewhere": (
        lambda at: (at.mkdir(), (at / "lock").symlink_to(at.parent / "victim")),
        "holds no run of fairdeal (it contains lock)",
    ),
    "a web site": (
        lambda at: (
            at.mkdir(),
            (at / "manifest.json").write_text('{"name": "web", "icons": []}'),
            (at / "big.part").write_text("x"),
        ),
        "manifest.json is damaged, or not a file of fairdeal. Name a new directory",
    ),
    "a run of an earlier fairdeal": (
        lambda at: (
            at.mkdir(),
            (at / "manifest.json").write_text('{"fingerprint": "a"}'),
        ),
        "of fairdeal 0.1.0 (commit unknown)",
    ),
    "a manifest of something else": (
        lambda at: (at.mkdir(), (at / "manifest.json").write_text("[]")),
        "manifest.json is damaged, or not a file of fairdeal",
    ),
}


def test_a_run_is_of_its_own_files_only(tmp_path):
    """What lies beside and below the files of a run stays as it is."""
    out = tmp_path / "o"
    interrupted(out)
    mine = [
        "notes.part",
        "movie.mkv.part",
        "manifest.json.bak",
        "notes/2026-11-22.parquet",
        "notes/a.1.part",
        "notes/0000-000000000200-200.parquet",
        "blocks/x.parquet",
        "blocks/0000-000000000200-200.parquet.part",
        "blocks/2026-11-22.parquet",
        "tables/gem/0009-000000000000-200.parquet",
        "tables/mine/a.parquet",
        "blocks/0000-000000000100-200.parquet.1.part",
    ]
    for name in mine:
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_text("mine")
    assert go(out).sums.equals(go(None).sums)
    assert go(out).sums.equals(go(None).sums)
    assert all((out / name).read_text() == "mine" for name in mine)


def test_blocks_that_never_come_are_missed(monkeypatch):
    monkeypatch.setattr(backends, "run_tasks", lambda *_, **__: (one for one in ()))
    with pytest.raises(RunFailed, match="blocks were lost"):
        go(None)


@pytest.mark.parametrize("what", FOREIGN)
def test_foreign(what, tmp_path):
    make, expected = FOREIGN[what]
    out = tmp_path / "o"
    make(out)
    before = {path: path.is_file() and path.read_bytes() for path in out.glob("**/*")}
    with pytest.raises(UsageError) as raised:
        run([CELL], 100, out=out)
    assert expected in str(raised.value)
    after = {path: path.is_file() and path.read_bytes() for path in before}
    assert after == before
    assert set(out.glob("**/*")) == set(before)
    assert inspect_run(out).status in {"foreign", "damaged", "outdated"}
    assert not (tmp_path / "victim").exists()


DIFFERENT = {
    "games": lambda: run([CELL], 200, block=50, out=Path("o")),
    "seed": lambda: run(
        [Cell("kunitame", CELL.rules, 4, CELL.lineup, True, 8)],
        100,
        block=50,
        out=Path("o"),
    ),
    "lineup, code": lambda: run(
        [Cell("kunitame", CELL.rules, 4, ("planner",) * 4, True, 7)],
        100,
        block=50,
        out=Path("o"),
    ),
    "rules": lambda: run(
        [Cell("kunitame", CELL.rules.changed({"life": 4}), 4, CELL.lineup, True, 7)],
        100,
        block=50,
        out=Path("o"),
    ),
    "cells": lambda: run([CELL, CELL], 100, block=50, out=Path("o")),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_another_run_is_named_by_what_differs(what, here):
    run([CELL], 100, block=50, out=Path("o"))
    with pytest.raises(UsageError, match=f"holds another run, with other {what}"):
        DIFFERENT[what]()


def test_an_edited_strategy_is_another_run(here):
    helper = here / "beside_mine.py"
    helper.write_text("CARD = -1\n")
    text = (here / "my.py").read_text()
    (here / "mine.py").write_text("import beside_mine\n" + text)
    own = Cell("kunitame", CELL.rules, 4, ("mine.py:Bold",) * 4, seed=7)
    run([own], 100, out=Path("o"))
    helper.write_text("CARD = 0\n")
    with pytest.raises(UsageError, match=r"beside_mine\.py was edited after"):
        run([own], 100)
    words = (
        "run",
        "kunitame",
        "--add-strategy",
        "mine.py:Bold",
        "--out",
        "o",
        "--no-rotate",
    )
    anew = subprocess.run(
        [sys.executable, "-m", "experiments.commands.cli", *words],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert anew.returncode == 2
    assert "holds another run, with other games, seed, code" in anew.stderr
    helper.unlink()
    with pytest.raises(UsageError, match=r"beside_mine\.py was edited"):
        run([own], 100)


def test_the_directory_is_taken_away(tmp_path):
    out = tmp_path / "o"

    def moves(cell, block, *rest):
        if block.first == 600:
            out.rename(tmp_path / "elsewhere")
        return play_block(cell, block)

    with pytest.raises(RunFailed, match="is gone: was it moved or removed"):
        run([CELL], GAMES, block=BLOCK, out=out, play=moves)
    assert not out.exists()
    assert inspect_run(tmp_path / "elsewhere").blocks == 3


def full_disk(monkeypatch, after: int) -> None:
    """A disk with room for so many files, then none."""
    real, written = os.fsync, []

    def fsync(number: int) -> None:
        written.append(number)
        if len(written) > after:
            raise OSError(28, "No space left on device")
        real(number)

    monkeypatch.setattr(atomic_files.os, "fsync", fsync)


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    out = tmp_path / "o"
    full_disk(monkeypatch, 8)
    with pytest.raises(RunFailed, match="No space left on device") as raised:
        go(out)
    assert "Finished blocks are kept; make room" in str(raised.value)
    assert not list(out.glob("**/*.part"))
    monkeypatch.undo()
    kept = inspect_run(out).blocks
    assert kept == 3  # a manifest, then a raw table and the sums of each block
    assert go(out).sums.equals(go(None).sums)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
def test_a_device_that_is_full(monkeypatch, tmp_path):
    place = tmp_path / "a"
    part = place.with_name(f"a.{os.getpid()}.part")
    part.symlink_to("/dev/full")
    with pytest.raises(RunFailed, match="No space left on device"):
        atomic_files.write_file(place, b"x" * 100)
    assert not place.exists()


def test_a_limit_on_the_size_of_files(tmp_path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
    try:
        with pytest.raises(RunFailed, match=r"File too large\. Finished blocks"):
            atomic_files.write_file(tmp_path / "a", b"x" * 4_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.iterdir())


NOWHERE = {
    "below a file": (lambda at: (at / "file").touch(), "file/below", "Not a directory"),
    "a long name": (lambda at: None, "x" * 300, "File name too long"),
    "a link to nothing": (
        lambda at: (at / "l").symlink_to(at / "n"),
        "l",
        "File exists",
    ),
    "proc": (lambda at: None, "/proc/x", "No such file"),
}


@pytest.mark.parametrize("what", NOWHERE)
def test_no_place_to_write(what, here, fairdeal):
    make, out, why = NOWHERE[what]
    make(here)
    with pytest.raises(UsageError, match=f"cannot write to .*{why}.* Name another"):
        run([CELL], 100, out=here / out)
    result = fairdeal("run", "kunitame", "-n", "50", "--out", out)
    assert result.exit_code == 2  # a name that cannot be: not the machine's fault
    assert f"cannot write to {out}: {why}" in result.stderr


def test_missing_folders_are_made(tmp_path):
    assert run([CELL], 100, out=tmp_path / "a/b/c").played == (100,)


def test_the_command_line_tells_the_same(fairdeal, here):
    words = ("run", "kunitame", "-n", "100", "--seed", "1", "--out", "o")
    assert fairdeal(*words).exit_code == 0
    with file_locks.acquire_lock(here / "o/lock"):
        busy = fairdeal(*words)
    assert busy.exit_code == 2
    assert "another process is writing to o" in busy.stderr
    [block] = (here / "o/blocks").iterdir()
    block.write_bytes(b"")
    again = fairdeal(*words)
    assert again.exit_code == 0
    assert "note: 1 finished block is played again: o/blocks/" in again.stderr
    assert block.stat().st_size
    (here / "o/manifest.json").write_text("{")
    assert fairdeal(*words).exit_code == 2
