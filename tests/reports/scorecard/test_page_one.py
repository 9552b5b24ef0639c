"""What is planted is named on page one; where nothing is, there is nothing to do."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

from experiments.analysis import balance_report
from reports import report_files, scorecard
from reports.scorecard.strategy_lines import WHO
from tests.reports.bags import bags

__all__ = ["bags"]
SCHEMA = Path(scorecard.__file__).with_name("schema.json")


def fits(value, schema):
    """Whether a value has the type, keys and words that a schema allows."""
    types = {"object": dict, "array": list, "string": str, "boolean": bool}
    types |= {"number": int | float, "integer": int, "null": type(None)}
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    right = any(isinstance(value, types[name]) for name in wanted)
    if isinstance(value, dict):
        parts = schema["properties"]
        right &= set(value) == set(schema["required"]) == set(parts)
        right &= all(fits(part, parts[name]) for name, part in value.items())
    if isinstance(value, list):
        right &= all(fits(part, schema["items"]) for part in value)
    return right and value in schema.get("enum", [value])


@pytest.fixture
def reported(bags, tmp_path, monkeypatch):
    """A quick report of the toy game under some rules."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})

    def report(
        quick=True, search_games=0, games=6_000, progress=None, settle=12.0, **rules
    ):
        return balance_report.report(
            "bags",
            games=games,
            search_games=search_games,
            settle=settle,
            seed=5,
            rules=bags.rules.of(rules),
            quick=quick,
            out=tmp_path,
            progress=progress,
        )

    return report


PLANTED = {
    "a favoured position": ({"head_start": 25}, "The last player wins"),
    "a dead option": ({"blue": -40}, "“blue at draw” is effectively dead"),
    "a dominant option": ({"red": 40}, "“red at draw” is not a real choice"),
    "a runaway economy": ({"rich": 12}, "The early leader runs away"),
}


@pytest.mark.parametrize(("rules", "words"), PLANTED.values(), ids=PLANTED)
def test_what_is_planted_is_named_first(reported, rules, words):
    told = [sentence.text for sentence in reported(**rules).verdict.sentences]
    assert any(words.casefold() in text.casefold() for text in told[:3]), told
    assert len(told) <= 5
    assert not any(re.search(r"[()\[\]{}]", text) for text in told)
    assert "Nothing to do." not in told


class Watching:
    """A progress that keeps what it is told."""

    def __init__(self):
        self.steps, self.told = [], []
        self.step, self.tell = self.steps.append, self.told.append

    def __call__(self, done, total):
        """Games done are not of interest."""


def test_what_is_sure_is_told_while_it_plays(reported):
    watching = Watching()
    reported(head_start=25, progress=watching)
    names = ("the panel", "who wins, and why", "the page")
    assert watching.steps == [f"{n} of 3, {name}" for n, name in enumerate(names, 1)]
    first, *_ = watching.told
    assert first.startswith("so far: The last player wins")


def test_page_one_is_there_before_all_is_played(reported, tmp_path):
    """It is of the same games, so what it has of them is what the whole page has."""
    names = ("report.html", "report.md", "scorecard.json")
    so_far = {}

    class Reading(Watching):
        def __init__(self):
            super().__init__()
            self.tell = self.read

        def read(self, text):
            if text == f"so far: {tmp_path / 'report.html'}":
                so_far.update({name: (tmp_path / name).read_text() for name in names})

    def course(text):
        [row] = [
            row for row in json.loads(text)["scorecard"] if row["line"] == "runaway"
        ]
        return row["value"], row["low"], row["high"]

    done = reported(quick=False, head_start=25, games=600, progress=Reading(), settle=0)
    whole = {name: (tmp_path / name).read_text() for name in names}
    for name in names[:2]:
        assert "Page one, written first: " in so_far[name]
        assert "Page one, written first: " not in whole[name]
        assert "allround" in so_far[name]
    assert json.loads(so_far["scorecard.json"])["quick"]
    assert not json.loads(whole["scorecard.json"])["quick"]
    assert course(so_far["scorecard.json"]) == course(whole["scorecard.json"])
    assert "luck" in {row["line"] for row in done.verdict.table.to_dicts()}


def test_a_trap_is_named_and_luck_is_measured(reported):
    done = reported(quick=False, trap=30)
    told = [sentence.text for sentence in done.verdict.sentences]
    assert any(
        "“blue at draw” is a trap for our heuristics" in text for text in told[:3]
    )
    by_line = {row["line"]: row for row in done.verdict.table.to_dicts()}
    assert by_line["trap"]["low"] > 0.05
    assert 0.5 < by_line["luck"]["low"] < by_line["luck"]["high"] < 0.9
    assert by_line["luck"]["note"] == "among a strong player, good ones and beginners"
    tables = [done.page.parent / "tables" / f"luck-{who}.csv" for who in WHO]
    most = [pl.read_csv(table).drop_nulls("most")["most"].item() for table in tables]
    assert most == [1, 1]  # two players, who differ


def test_where_nothing_is_wrong_there_is_nothing_to_do(reported):
    done = reported(games=12_000)
    assert [sentence.text for sentence in done.verdict.sentences] == ["Nothing to do."]
    measured = done.verdict.table.filter(verdict="fair")["line"].to_list()
    assert {"positions", "skill", "runaway", "dead", "dominant", "plan"} <= set(
        measured
    )


def test_files_say_the_same_and_a_kept_run_makes_the_same_bytes(reported, tmp_path):
    reported(head_start=25)
    names = ("report.html", "report.md", "report.json", "scorecard.json")
    first = {name: (tmp_path / name).read_bytes() for name in names}
    told = json.loads(first["scorecard.json"])
    schema = json.loads(SCHEMA.read_text())
    assert fits(told, schema)
    sentence = told["sentences"][0]["text"]
    for name in ("report.html", "report.md"):
        assert sentence in first[name].decode()
    reported(head_start=25)
    assert first == {name: (tmp_path / name).read_bytes() for name in names}
