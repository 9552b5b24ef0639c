"""Files of blocks that were damaged or exchanged: played again, and said."""

from pathlib import Path
from shutil import copytree

import pytest

from experiments.execution.results import Results, load
from experiments.execution.run import RunFailed, run
from experiments.execution.run_directory import BlocksReplayed
from tests.experiments.interrupted import BLOCK, CELL, block_of, go, interrupted


def other_run(place: Path, out: Path) -> None:
    run([CELL], 2_000, block=BLOCK, out=place)
    block_of(out).write_bytes(block_of(place).read_bytes())


def copied(path: Path, to: str) -> None:
    path.with_name(to).write_bytes(path.read_bytes())


def flipped(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at % len(data)] ^= 4
    path.write_bytes(data)


GEM = "tables/gem/0000-000000000200-200.parquet"
SPOILT = {
    "half of it": (
        lambda out: block_of(out).write_bytes(block_of(out).read_bytes()[:2_000]),
        "its checksum does not match",
    ),
    "nothing": (lambda out: block_of(out).write_bytes(b""), "does not match"),
    "a bit": (lambda out: flipped(block_of(out), 700), "its checksum does not match"),
    "another block": (
        lambda out: copied(
            out / "blocks/0000-000000000000-200.parquet", block_of(out).name
        ),
        "belongs to other games",
    ),
    "a block of another run": (
        lambda out: other_run(out.parent / "p", out),
        "or to another run or program",
    ),
    "a folder": (
        lambda out: (block_of(out).unlink(), block_of(out).mkdir()),
        "cannot be read: Is a directory",
    ),
    "no raw table": (lambda out: (out / GEM).unlink(), "is missing"),
    "a bit of a raw table": (lambda out: flipped(out / GEM, -900), "does not match"),
    "another raw table": (
        lambda out: copied(
            out / "tables/gem/0000-000000000400-200.parquet", block_of(out).name
        ),
        "belongs to other games",
    ),
}


@pytest.fixture(scope="module")
def half(tmp_path_factory) -> Path:
    """The directory of an interrupted run, to be copied."""
    place = tmp_path_factory.mktemp("half") / "o"
    interrupted(place)
    return place


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Results:
    """The same run, finished; to be copied."""
    return go(tmp_path_factory.mktemp("whole") / "o")


@pytest.mark.parametrize("what", sorted({*SPOILT} - {"a folder"}))
def test_what_does_not_fit_is_played_again(what, half, whole, tmp_path):
    out, (spoil, why) = tmp_path / "o", SPOILT[what]
    copytree(half, out)
    spoil(out)
    with pytest.warns(
        BlocksReplayed, match=f"1 finished block is played again: .*{why}"
    ):
        found = go(out)
    assert found.sums.equals(whole.sums)
    assert found.raw("gem").equals(whole.raw("gem"))
    assert found.manifest["decisions"] == whole.manifest["decisions"]
    names = [path.relative_to(whole.directory) for path in block_files(whole)]
    assert names == [path.relative_to(out) for path in block_files(found)]
    for name in names:
        assert (out / name).read_bytes() == (whole.directory / name).read_bytes()


def block_files(results) -> list[Path]:
    return sorted(results.directory.glob("*/**/*.parquet"))


@pytest.mark.parametrize("what", SPOILT)
def test_what_does_not_fit_in_a_finished_run(what, whole, tmp_path):
    out, (spoil, why) = tmp_path / "o", SPOILT[what]
    copytree(whole.directory, out)
    gems = whole.raw("gem")
    spoil(out)
    with pytest.raises(RunFailed, match=why):
        load(out).raw("gem")
    assert load(out).sums.equals(whole.sums)
    if what != "a folder":
        with pytest.warns(BlocksReplayed, match=why):
            assert go(out).sums.equals(whole.sums)
        assert load(out).raw("gem").equals(gems)


def test_the_sums_of_a_run_are_made_anew(whole, tmp_path):
    out = tmp_path / "o"
    copytree(whole.directory, out)
    before = (out / "sums.parquet").read_bytes()
    flipped(out / "sums.parquet", 100)
    with pytest.raises(RunFailed, match=r"sums\.parquet is damaged"):
        load(out)
    assert go(out).sums.equals(whole.sums)
    assert (out / "sums.parquet").read_bytes() == before
    (out / "sums.parquet").write_bytes(block_of(out).read_bytes())
    with pytest.raises(RunFailed, match=r"sums\.parquet belongs to other games"):
        load(out)
    assert go(out).sums.equals(whole.sums)
    assert (out / "sums.parquet").read_bytes() == before
