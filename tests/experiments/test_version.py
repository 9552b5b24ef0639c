"""Which fairdeal a run is of: told everywhere, and no part of any result."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import fairdeal as fd
from experiments.analysis import multi_run
from experiments.core.cells import UsageError
from experiments.execution import manifests, version
from experiments.execution.manifest_schema import manifest_of_run
from experiments.execution.run import run
from experiments.execution.version import PACKAGES, VERSION, Version, commit_of
from tests.experiments.clusters import CELL

ROOT = Path(__file__).parents[2]
COMMIT = "c0ffee" * 6 + "c0ff"
OTHER = Version("0.1.9", COMMIT)
WORDS = f"fairdeal 0.1.9 (commit {COMMIT[:10]})"
HOW = f"git checkout {COMMIT} in a clone of it"


def git(root, *words):
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    return subprocess.check_output(["git", *who, "-C", str(root), *words], text=True)


@pytest.fixture
def checkout(tmp_path):
    """A folder like ours in which git keeps some source."""
    root = tmp_path / "source"
    for package in (*PACKAGES, "docs"):
        (root / package).mkdir(parents=True)
        (root / package / "a.py").write_text("A = 1\n")
    (root / ".gitignore").write_text("__pycache__/\n")
    git(root.parent, "init", "-q", "source")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "All")
    return root


@pytest.fixture
def elsewhere(monkeypatch):
    """Meanwhile, what is played is played by another fairdeal."""
    with monkeypatch.context() as patch:
        patch.setattr(manifests, "source_hash", lambda: "0" * 16)
        patch.setattr(manifests, "VERSION", OTHER.number)
        patch.setattr(manifests, "this_version", lambda: OTHER)
        yield patch


def test_the_version_stands_in_one_place(fairdeal):
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert about["project"]["dynamic"] == ["version"]
    path = ROOT / about["tool"]["hatch"]["version"]["path"]
    assert f'VERSION = "{VERSION}"' in path.read_text("utf-8").splitlines()
    assert f"## [{VERSION}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert (
        "CHANGELOG.md" in about["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    )
    assert fd.__version__ == VERSION
    assert fairdeal("--version").stdout.startswith(f"fairdeal {VERSION}")


def test_the_changelog_has_dated_sections_and_begins_with_this_version():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    heads = re.findall(r"^## \[(.*)\](?: - (.*))?$", text, re.MULTILINE)
    numbers = [tuple(map(int, number.split("."))) for number, _ in heads]
    assert heads[0][0] == VERSION
    assert numbers == sorted({*numbers}, reverse=True)
    dates = [date for _, date in heads[:-1]]  # runs of 0.1.0 have none
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", date) for date in dates)
    assert dates == sorted(dates, reverse=True)
    assert max(map(len, text.splitlines())) <= 110


@pytest.fixture
def tagged(tmp_path):
    """A copy of what the tag of a version is made of."""
    for name in (".ci/version", "CHANGELOG.md", "experiments/execution/version.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)

    def tag():
        script = ["bash", str(tmp_path / ".ci/version")]
        return subprocess.run(script, capture_output=True, text=True, check=False)

    return tmp_path, tag


def test_a_version_is_tagged_if_its_section_is_there_and_dated(tagged):
    folder, tag = tagged
    assert tag().stdout == f"v{VERSION}\n"
    changes = folder / "CHANGELOG.md"
    head = f"## [{VERSION}] - "
    for other in (f"{head}Unreleased ", f"## [{VERSION}0] - "):
        text = (ROOT / "CHANGELOG.md").read_text("utf-8")
        changes.write_text(text.replace(head, other, 1), "utf-8")
        done = tag()
        assert done.returncode == 1
        assert f"no section '## [{VERSION}] - YYYY-MM-DD'" in done.stderr


def test_the_commit_of_a_checkout(checkout):
    head = git(checkout, "rev-parse", "HEAD").strip()
    assert commit_of(checkout) == head
    (checkout / "docs/a.py").write_text("A = 2\n")
    (checkout / "sim/__pycache__").mkdir()
    (checkout / "sim/__pycache__/a.pyc").write_bytes(b"")
    assert commit_of(checkout) == head  # of what plays nothing differs
    (checkout / "sim/a.py").write_text("A = 2\n")
    assert commit_of(checkout) == f"{head}-edited"
    git(checkout, "checkout", "-q", "sim/a.py")
    (checkout / "strategies/new.py").write_text("")
    assert commit_of(checkout) == f"{head}-edited"


def test_the_repository_of_somebody_else_is_not_ours(checkout, monkeypatch):
    inside = checkout / ".venv/site-packages"
    inside.mkdir(parents=True)
    assert commit_of(inside) == ""
    (inside / ".git").mkdir()  # broken: git would look further up
    assert commit_of(inside) == ""
    head = commit_of(checkout)
    monkeypatch.setenv("GIT_DIR", str(inside / ".git"))
    assert commit_of(checkout) == head


def test_without_git_there_is_no_commit(checkout, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert commit_of(checkout) == ""
    git_of_no_use = checkout / "git"
    git_of_no_use.write_text("#!/bin/sh\nexit 3\n")
    git_of_no_use.chmod(0o700)
    monkeypatch.setenv("PATH", str(checkout))
    assert commit_of(checkout) == ""


@pytest.mark.parametrize("path", [".", "", "HERE"])
def test_a_git_where_the_user_stands_is_not_run(checkout, here, monkeypatch, path):
    (here / "git").write_text(f"#!/bin/sh\ntouch {here}/executed\n")
    (here / "git").chmod(0o700)
    places = [path.replace("HERE", str(here)), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(places))
    commit_of(checkout)
    assert not (here / "executed").exists()


def test_a_commit_that_pip_installed(tmp_path, monkeypatch):
    class Ours:
        def locate_file(self, _):
            return tmp_path

        def read_text(self, _):
            return json.dumps({"url": "u", "vcs_info": {"commit_id": COMMIT}})

    monkeypatch.setattr(version, "distribution", lambda _: Ours())
    assert commit_of(tmp_path.resolve()) == COMMIT
    assert commit_of(ROOT / "docs") == ""  # that one lies elsewhere


def test_what_a_manifest_says_is_not_believed():
    assert Version.of({"fairdeal": "0.2.0", "commit": COMMIT}).commit == COMMIT
    for commit in ("$(touch x)", COMMIT.upper(), "-edited", COMMIT + "\n", 3, None):
        assert Version.of({"fairdeal": "0.2.0", "commit": commit}).commit == ""
    for number in ("\x1b[31m", "of theirs", "", 2, None, "0" * 99):
        assert Version.of({"fairdeal": number}).number == ""


def test_in_words():
    assert str(OTHER) == WORDS
    assert OTHER.how == HOW
    assert OTHER.short == f"0.1.9 {COMMIT[:7]}"
    edited = Version("0.1.9", f"{COMMIT}-edited")
    assert str(edited) == f"fairdeal 0.1.9 (commit {COMMIT[:10]}, edited since)"
    assert edited.how == f"{HOW}, and the same edits"
    assert str(Version("0.1.0")) == "fairdeal 0.1.0 (commit unknown)"
    assert "install that version" in Version("0.1.0").how


def test_the_commit_has_no_part_in_results(tmp_path, monkeypatch):
    one = run([CELL], 100, out=tmp_path / "o")
    assert one.manifest["commit"] == version.this_version().commit
    monkeypatch.setattr(manifests, "this_version", lambda: OTHER)
    told = []
    other = run([CELL], 100, out=tmp_path / "o", progress=lambda *n: told.append(n))
    assert told == [(100, 100)]  # nothing was played
    assert other.manifest == json.loads(json.dumps(one.manifest))
    apart = run([CELL], 100, out=tmp_path / "p")
    assert apart.manifest["commit"] == COMMIT
    assert apart.manifest["fingerprint"] == one.manifest["fingerprint"]
    names = ("sums.parquet", "blocks/0000-000000000000-100.parquet")
    for name in names:
        files = [(tmp_path / place / name).read_bytes() for place in ("o", "p")]
        assert files[0] == files[1]


FINISHED = {
    "study": "run study.toml -n 40",
    "run": "run kunitame --lineup random -n 40 --seed 1",
    "compare": "compare kunitame life=4 --adapt 0 -n 40 --seed 1 --no-detailed",
    "tournament": "tournament kunitame --strategies greedy,random -n 20 --seed 1",
    "luck": "luck kunitame --lineup greedy,random,random,random -n 20 --seed 1",
    "levers": "levers kunitame --only life --adapt 0 -n 64 --seed 1",
}


def kept(place):
    """What lies in a directory, but for the order in a JSON file."""
    found = {path: path.read_bytes() for path in place.rglob("*.parquet")}
    return found | {
        path: json.loads(path.read_text()) for path in place.rglob("*.json")
    }


@pytest.mark.parametrize("kind", FINISHED)
def test_what_is_finished_is_told_whatever_the_source(kind, here, fairdeal, elsewhere):
    lines = ['game = "kunitame"', 'lineups = ["random"]', "seed = 1", "games = 40"]
    (here / "study.toml").write_text("\n".join(lines))
    words = [*FINISHED[kind].split(), "--out", "o"]
    assert fairdeal(*words).exit_code == 0
    elsewhere.undo()
    before = kept(Path("o"))
    told = fairdeal("runs", "resume", "o", "-j", "1")
    assert told.exit_code == 0, told.output
    if kind in {"study", "run"}:
        assert "won by position" in told.stdout
    else:
        assert f"found    o/{'comparison' if kind == 'compare' else kind}.json" in (
            told.stdout
        )
    if kind != "study":
        assert "nothing is played again" in told.stdout
        assert f"{WORDS}, source 0000" in told.stdout
    values = json.loads(fairdeal("runs", "resume", "o", "--json").stdout)
    assert values["fairdeal"] == "0.1.9"
    assert kept(Path("o")) == before
    anew = fairdeal(*words)
    assert anew.exit_code == 2
    assert (
        f"it was made by {WORDS}, and this is {version.this_version()}" in anew.stderr
    )
    assert "read it (fairdeal runs resume o)" in anew.stderr
    assert f"resume it with that fairdeal: {HOW}." in anew.stderr


@pytest.fixture
def begun(elsewhere, stopped):
    """A study that another fairdeal began."""
    elsewhere.undo()
    return stopped


def test_going_on_needs_the_same_source(begun, fairdeal):
    for words in (("resume",), ("resume", "--page")):
        told = fairdeal("runs", words[0], "stopped", *words[1:])
        assert told.exit_code == 2
        assert (
            f"was begun by {WORDS}, and this is {version.this_version()}" in told.stderr
        )
        assert f"To resume it: {HOW}." in told.stderr
    with pytest.raises(UsageError, match=r"was begun by fairdeal 0\.1\.9"):
        fd.runs.resume("stopped")


def test_lists_and_differences_name_it(begun, whole, fairdeal):
    [listed] = [
        line for line in fairdeal("runs", "list").stdout.splitlines() if "stop" in line
    ]
    assert f"0.1.9 {COMMIT[:7]}" in listed
    [values] = json.loads(fairdeal("runs", "list", "--json").stdout)["runs"]
    assert (values["fairdeal"], values["commit"]) == ("0.1.9", COMMIT)
    shown = fairdeal("runs", "show", "stopped").stdout
    assert f"{WORDS}, source 0000000000000000" in shown
    assert (
        f"note     this is {version.this_version()}, another version. To resume it: "
        f"{HOW}" in (shown)
    )
    told = fd.runs.diff("stopped", whole.results.directory)
    assert told.about[0] == ("played by", WORDS, str(version.this_version()))
    ours = fairdeal("runs", "show", str(whole.results.directory)).stdout
    assert "of other source" not in ours


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ({"fingerprint": "a"}, "has format 1, but"),
        ({"format": "fairdeal manifest 2", "fairdeal": "0.1.0"}, "has format 2, but"),
    ],
)
def test_earlier_formats_name_who_reads_them(here, fairdeal, manifest, said):
    place = here / "results/old"
    place.mkdir(parents=True)
    (place / "manifest.json").write_text(json.dumps(manifest))
    for command in ("show", "resume"):
        told = fairdeal("runs", command, "old")
        assert told.exit_code == 2
        assert said in told.stderr
        assert "manifest.json, of fairdeal 0.1.0 (commit unknown), has" in told.stderr
        assert "Read all of it with fairdeal 0.1.0 (commit " in told.stderr
        assert re.search("git checkout [0-9a-f]{40} in a clone of it", told.stderr)
    listed = fairdeal("runs", "list").stdout
    assert "outdated" in listed
    assert "0.1.0" in listed


def test_a_later_format_names_its_commit(here, fairdeal):
    place = here / "results/later"
    place.mkdir(parents=True)
    values = {"format": "fairdeal manifest 9", "fairdeal": "3.0", "commit": COMMIT}
    (place / "manifest.json").write_text(json.dumps(values))
    told = fairdeal("runs", "show", "later").stderr
    assert "manifest.json was made by a newer fairdeal: it has format 9, but" in told
    assert "newer" in fairdeal("runs", "list").stdout
    compared = fairdeal("compare", "results/later", "base", "--game", "kunitame").stderr
    assert "was made by a newer fairdeal" in compared
    assert f"Read all of it with fairdeal 3.0 (commit {COMMIT[:10]}): {HOW}." in told


def test_stages_of_other_source(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(manifests, "source_hash", lambda: "0" * 16)
        patch.setattr(multi_run, "VERSION", OTHER.number)
        patch.setattr(multi_run, "this_version", lambda: OTHER)
        with multi_run.stage_folder(tmp_path / "o", {"what": "tune"}):
            pass
    with (
        pytest.raises(UsageError) as refused,
        multi_run.stage_folder(tmp_path / "o", {"what": "tune"}),
    ):
        pass
    assert f"it was made by {WORDS}" in str(refused.value)
    with multi_run.stage_folder(tmp_path / "p", {"what": "tune"}):
        pass
    with multi_run.stage_folder(tmp_path / "p", {"what": "tune"}):  # the same: goes on
        pass


def test_manifests_from_before_commits_are_read(tmp_path):
    from experiments.execution.checksummed_json import seal, unseal

    run([CELL], 50, out=tmp_path / "o")
    path = tmp_path / "o/manifest.json"
    values = unseal(path, "manifest")
    del values["commit"]
    path.write_bytes(seal("manifest", values))
    assert "commit" not in manifest_of_run(tmp_path / "o")
    run([CELL], 50, out=tmp_path / "o")
