"""A report is about the same players wherever sections are added to it."""

import json
import shutil
from dataclasses import dataclass

import pytest

import fairdeal as fd
from experiments.analysis import leader
from experiments.analysis.kept_leader import kept_players
from experiments.analysis.leader import Leader
from experiments.execution.checksummed_json import seal, unseal
from experiments.learning import adapted_leader
from experiments.learning.adaptation import AdaptedPlayer
from reports import report_files
from sim.games import load
from strategies import policy_store
from strategies.learned import shipped
from strategies.strength_levels import StrongerPlayer

RULES = load("drake").rules()


def kept(out, spec="racer", counts=(2,), seed=1):
    """Who leads by what a directory says, or as ``spec`` says; and keep them there."""

    @dataclass(frozen=True)
    class Finder:
        seed: int

        def __call__(self, *_):
            return Leader(spec, "by lessons", "learned")

    leader, _, keep = kept_players(
        Finder(seed), "drake", RULES, counts, out, found=True
    )
    keep()
    return leader.spec


@pytest.fixture(autouse=True)
def no_levels(monkeypatch):
    """Who plays at which strength is found by playing."""
    monkeypatch.setattr(leader, "spec_at", lambda *_: "racer")
    alone = StrongerPlayer("racer", "", shown=True)
    monkeypatch.setattr(leader, "strong_choice", lambda *_: alone)


def test_a_directory_answers_its_own_question_only(tmp_path):
    assert [kept(tmp_path), kept(tmp_path, "saboteur")] == ["racer"] * 2
    assert kept(tmp_path, "saboteur", counts=(2, 3)) == "saboteur"
    assert kept(tmp_path, "racer", counts=(2, 3), seed=2) == "racer"


@pytest.mark.parametrize("change", ["cut", "edited", "code"])
def test_what_cannot_be_trusted_is_found_again(tmp_path, change):
    kept(tmp_path)
    file = tmp_path / "leader.json"
    text = file.read_text()
    if change == "cut":
        file.write_text(text[:20])
    elif change == "edited":
        file.write_text(text.replace("racer", "looter"))
    else:
        values = unseal(file, "leader")
        values["found"][0]["spec"] = "theirs.py:Bold"
        file.write_bytes(seal("leader", values))
    assert kept(tmp_path, "saboteur") == "saboteur"


def test_a_section_is_added_elsewhere_by_the_players_of_the_report(
    here, tmp_path_factory, monkeypatch
):
    """In a process that does not know their policy, and without lessons."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    monkeypatch.setattr(policy_store, "_known", {})
    data, lessons = shipped("drake").read_bytes(), []

    def adapted(*_, **__):
        lessons.append(1)
        return AdaptedPlayer(policy_store.add_as("adapted", data), "learned here", 1)

    monkeypatch.setattr(adapted_leader, "adapted", adapted)
    monkeypatch.setattr(adapted_leader, "learned_anew", lambda *_: ())
    how = {"players": 2, "games": 256, "search_games": 0, "settle": 0, "cures": 0}
    how |= {"seed": 5, "jobs": 1}
    rules = fd.Game("drake").rules(goal=8)
    first = fd.report(rules, out="o", **how)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copytree(here / "o", elsewhere / "o")
    monkeypatch.chdir(elsewhere)
    policy_store._known.clear()
    left = [link.id for link in first.left]
    more = fd.report(rules, out="o", sections=left[:1], **how)
    assert len(lessons) == 1
    assert [link.id for link in more.left] == left[1:]
    saved = json.loads((elsewhere / "o" / "leader.json").read_text())
    assert saved["found"][0]["spec"] in policy_store._known
