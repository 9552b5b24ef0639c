"""Files of a run directory in every state: no traceback, no other numbers, no loss.

Bytes are flipped, cut, doubled and exchanged; values of JSON too, also with a checksum
that was made to fit, as by somebody who knows how (numbers can then be others). A few
seconds here; ``-m soak`` takes longer.
"""

import json
import random
import shutil
import warnings
from pathlib import Path

import pytest

from experiments.core.cells import UsageError
from experiments.execution.checksummed_json import seal, unseal
from experiments.execution.results import load
from experiments.execution.run import RunFailed
from experiments.execution.run_directory import BlocksReplayed
from experiments.studies import run_catalog, run_study
from experiments.studies.study import parse
from sim.games import UnknownGame
from sim.parameters import RuleError
from strategies.registry import UnknownStrategy

TOLD = (UsageError, RunFailed, RuleError, UnknownGame, UnknownStrategy)
STUDY = {
    "game": "kunitame",
    "lineups": ["random"],
    "games": 40,
    "seed": 1,
    "detailed": False,
    "tables": ["gem"],
    "variants": {"base": {}, "b": {"rules": {"life": 4}}},
}
ODD = [None, True, -1, 0, 1, 2**70, 1.5, "", "x", "../../x", [], {}, [1], "\0", 1e999]
JSON = {"manifest.json": "manifest", "study.json": "study", "command.json": "command"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished study, and what was found in it."""
    place = tmp_path_factory.mktemp("fuzz") / "whole"
    done = run_study.run_study(parse(STUDY), out=place)
    words = ["run", "kunitame", "-n", "40", "--seed", "1", "--out", str(place)]
    run_catalog.remember_command(place, words)
    (place / "notes.txt").write_text("mine")
    return done


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Some bytes otherwise, gone, doubled, or at another place."""
    at, to = sorted(chance.choices(range(len(data) + 1), k=2))
    match chance.randrange(6):
        case 0 | 1:
            one = bytearray(data)
            one[at % len(data)] ^= 1 << chance.randrange(8)
            return bytes(one)
        case 2:
            return data[:at]
        case 3:
            return data[:at] + data[to:]
        case 4:
            return data[:to] + data[at:]
        case _:
            return data[:at] + chance.randbytes(min(to - at, 40)) + data[to:]


def changed(values, chance: random.Random):
    """The same JSON with one value, somewhere in it, that is another."""
    inside = [key for key in values if isinstance(values[key], dict) and values[key]]
    if inside and chance.random() < 0.6:
        key = chance.choice(inside)
        return values | {key: changed(values[key], chance)}
    key = chance.choice(list(values))
    if isinstance(values[key], list) and values[key] and chance.random() < 0.7:
        found = list(values[key])
        at = chance.randrange(len(found))
        nested = isinstance(found[at], dict) and found[at]
        found[at] = changed(found[at], chance) if nested else chance.choice(ODD)
        return values | {key: found}
    if chance.random() < 0.2:
        return {name: value for name, value in values.items() if name != key}
    return values | {key: chance.choice(ODD)}


def disturbed(path: Path, chance: random.Random, knowing: bool) -> None:
    """One file of a run in another state; ``knowing`` fits the checksum."""
    files = [one for one in sorted(path.rglob("*.*")) if one.is_file()]
    names = [one for one in files if one.name != "notes.txt"]
    about = [one for one in names if one.name in JSON]
    file = chance.choice(about if knowing or chance.random() < 0.4 else names)
    if not knowing and file.name not in JSON and chance.random() < 0.2:
        tables = [one for one in names if one.suffix == ".parquet"]
        file.write_bytes(chance.choice(tables).read_bytes())
    elif not knowing and chance.random() < 0.1:
        file.unlink()
    elif knowing or (file.name in JSON and chance.random() < 0.5):
        kind = JSON[file.name]
        values = unseal(file, kind)
        other = changed(values, chance)
        text = json.loads(file.read_text()) | other
        file.write_bytes(seal(kind, other) if knowing else json.dumps(text).encode())
    else:
        file.write_bytes(mutated(file.read_bytes(), chance))


def looked_at(path: Path, fairdeal) -> None:
    """Look at a directory and go on with it, in every way; nothing may break."""
    for command, place in (("list", path.parent), ("show", path), ("resume", path)):
        result = fairdeal("runs", command, str(place))
        if not isinstance(result.exception, SystemExit | None):
            raise result.exception
        assert result.exit_code in ({0} if command == "list" else {0, 1, 2})


def same_or_told(path: Path, whole) -> None:
    """What is there tells the same numbers, or what is wrong."""
    try:
        found = load(path)
        gems = found.raw("gem")
    except TOLD:
        return
    if found.manifest.get("finished"):
        assert found.played == whole.played
        assert found.sums.equals(whole.sums)
        assert gems.equals(whole.raw("gem"))


def fuzz(whole, fairdeal, place: Path, states: int, seed: int, knowing: bool) -> None:
    """Try so many states."""
    results = whole.results
    for tried in range(states):
        chance = random.Random(f"{seed} {tried}")
        path = place / "runs/one"
        shutil.copytree(results.directory, path)
        unfinished = chance.random() < 0.5
        if unfinished:
            values = unseal(path / "manifest.json", "manifest")
            del values["finished"]
            (path / "manifest.json").write_bytes(seal("manifest", values))
            (path / "sums.parquet").unlink()
        if chance.random() < 0.6:
            (path / "command.json").unlink()
        disturbed(path, chance, knowing)
        before = {one for one in path.rglob("*") if one.is_file()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BlocksReplayed)
            try:
                looked_at(path, fairdeal)
                if not knowing:
                    same_or_told(path, results)
                assert before <= {one for one in path.rglob("*") if one.is_file()}
                assert (path / "notes.txt").read_text() == "mine"
            except BaseException as error:
                error.add_note(f"seed {seed} {tried}")
                raise
        shutil.rmtree(place / "runs")


@pytest.mark.slow
@pytest.mark.parametrize("knowing", [False, True])
def test_any_state(whole, fairdeal, here, knowing):
    fuzz(whole, fairdeal, here, 8, 1, knowing)


@pytest.mark.soak
@pytest.mark.parametrize("knowing", [False, True])
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_states(whole, fairdeal, here, seed, knowing):
    fuzz(whole, fairdeal, here, 100, seed, knowing)
