"""Runs that earlier versions kept, one of each format, in ``formats/``.

They were made by the last commit that wrote the format, with
``fairdeal run kunitame --lineup greedy,random,random,random --set life=4 -n 64 --seed 1
-j 1 --out format-N``; their blocks were removed.
"""

import json
import shutil
from pathlib import Path

import pytest

import fairdeal as fd
from experiments.core.cells import UsageError
from experiments.execution.checksummed_json import FORMAT
from experiments.studies.earlier_runs import earlier_run

FORMATS = Path(__file__).parent / "formats"
NUMBERS = range(1, FORMAT)


@pytest.fixture(params=NUMBERS)
def run(request, tmp_path):
    """A copy of a run of each earlier format."""
    place = tmp_path / f"format-{request.param}"
    shutil.copytree(FORMATS / place.name, place)
    return place


def test_there_is_one_of_each_format():
    assert sorted(path.name for path in FORMATS.iterdir()) == [
        f"format-{number}" for number in NUMBERS
    ]


def test_what_it_found_is_read(run):
    found = earlier_run(run)
    assert found.format == int(run.name[-1])
    assert (found.game, found.games, found.seed) == ("kunitame", 64, 1)
    assert found.lineups == ("greedy,random,random,random",)
    assert found.changes == ("life 4 instead of 3",)
    assert [*found.again[:2]] == ["run", "kunitame"]
    assert "--out" not in found.again
    saved = json.loads((run / "summary.json").read_text())["tables"]["strategy"]
    [won, *_] = found.rows("strategy")
    assert won["number"] == "won"
    assert won["strategy"] == "greedy"
    assert won["value"].startswith(f"{saved[0]['won']['estimate']:.4g} (")
    assert fd.runs.show(run).state.status == "outdated"


def test_commands_show_it_and_say_who_reads_all_of_it(run, fairdeal):
    told = fairdeal("runs", "show", str(run)).stdout
    assert f"state    outdated: format {run.name[-1]}, of fairdeal 0.1.0 (" in told
    assert "game     kunitame, life 4 instead of 3" in told
    assert "reads all of it: git checkout " in told
    assert "again    fairdeal run kunitame --lineup greedy,random,random,random" in told
    assert "By strategy, as it was saved" in told
    as_json = json.loads(fairdeal("runs", "show", str(run), "--json").stdout)
    assert (as_json["state"], as_json["game"]) == ("outdated", "kunitame")
    assert as_json["found"]["tables"]["strategy"]
    listed = fairdeal("runs", "list", str(run.parent)).stdout
    assert "greedy,random" in listed
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    for words in (
        ("runs", "resume", str(run)),
        ("runs", "diff", str(run), str(run)),
        ("compare", str(run), "life=5", "-n", "8"),
        ("run", "kunitame", "-n", "8", "--seed", "1", "--out", str(run)),
    ):
        refused = fairdeal(*words)
        assert refused.exit_code == 2, words
        assert f"has format {run.name[-1]}, but fairdeal" in refused.stderr, words
        assert "See what it found: fairdeal runs show" in refused.stderr, words
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("text", ["", "{", "[]", '{"game": 1}', "\0" * 9])
def test_a_damaged_summary_is_none(run, text):
    (run / "summary.json").write_text(text)
    assert earlier_run(run) is None
    with pytest.raises(UsageError, match="has format"):
        fd.runs.show(run)


def test_a_damaged_number_is_left_out(run):
    path = run / "summary.json"
    values = json.loads(path.read_text())
    values["tables"]["strategy"][0]["won"] = {"estimate": "many"}
    path.write_text(json.dumps(values))
    numbers = [row["number"] for row in earlier_run(run).rows("strategy")]
    assert numbers == ["lives", "points", "won", "lives", "points"]
