"""Targets: what they say, which are refused, and the command that checks them."""

import json

import pytest

from experiments.core.cells import UsageError
from experiments.studies.targets import parse

MISTAKES = {
    "no table": (3, "at least measure"),
    "no measure": ({"least": 1}, "measure: field required."),
    "no bound": ({"measure": "won by position"}, "give least, most or both"),
    "unknown key": ({"measure": "x", "leest": 1}, "did you mean 'least'?"),
    "no number": (
        {"measure": "x", "least": "1"},
        "least: input should be a valid number, not '1'",
    ),
    "upside down": ({"measure": "x", "least": 2, "most": 1}, "lies above"),
    "gap and more": (
        {"measure": "x", "gap": 1, "most": 1},
        "gap allows no other bounds",
    ),
    "gap of nothing": (
        {"measure": "x", "gap": 0},
        "gap: input should be greater than 0",
    ),
    "quantile": (
        {"measure": "x", "quantile": 50, "most": 1},
        "quantile: input should be less than 1, not 50",
    ),
    "both": ({"measure": "x", "of_all": True, "quantile": 0.5, "most": 1}, "not both"),
    "kind": (
        {"measure": "x", "kind": "rate", "most": 1},
        "'share', 'mean', 'per game'",
    ),
    "where": ({"measure": "x", "where": "seat", "most": 1}, "where: a table, such as"),
    "truth": (
        {"measure": "x", "of_all": 1, "most": 1},
        "of_all: input should be a valid boolean",
    ),
    "count": ({"measure": "x", "ignore_below": -1, "most": 1}, "equal to 0, not -1"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(mistake):
    table, expected = MISTAKES[mistake]
    with pytest.raises(UsageError) as caught:
        parse({"seats": table})
    assert str(caught.value).startswith("targets.seats: ")
    assert expected in str(caught.value)


STUDY = """
game = "kunitame"
lineups = ["random"]
games = 1_500
seed = 1

[targets.seats]
about = "seats are fair"
measure = "won by position"
"""


@pytest.mark.parametrize(
    ("bound", "code"), [("gap = 0.2", 0), ("most = 0.1", 3), ("gap = 0.03", 4)]
)
def test_the_command(fairdeal, here, bound, code):
    (here / "balance.toml").write_text(f"{STUDY}{bound}\n")
    words = ("check", "balance.toml", "--out", "run")
    told = fairdeal(*words)
    assert told.exit_code == code
    word = {0: "pass", 3: "FAIL", 4: "undecided"}[code]
    assert word in told.stdout
    assert ("seats are fair" in told.stdout) == (code != 0)
    assert ("would decide" in told.stdout) == (code == 4)
    values = json.loads((here / "run" / "check.json").read_text())
    assert values["exit_code"] == code
    again = fairdeal(*words, "--json")
    assert again.exit_code == code
    assert json.loads(again.stdout) == values


def test_cells_of_a_design_are_told_and_chosen(fairdeal, here):
    """A dotted key in ``where`` is one of the design's."""
    design = "[design]\nkind = 'grid'\n[design.vary]\nrules.life = [1, 5]\n"
    study = STUDY.replace("[targets.seats]", f"{design}[targets.seats]")
    study = study.replace("1_500", "200").replace(
        "won by position", "lives by position"
    )
    (here / "lives.toml").write_text(
        study + "where = { rules.life = [1, 5], position = [1, 2] }\nleast = 1\n"
    )
    told = fairdeal("check", "lives.toml", "--out", "run")
    assert told.exit_code == 3
    assert "rules.life=1" in " ".join(told.stdout.split())
    [one] = json.loads((here / "run" / "check.json").read_text())["targets"]
    assert [(row["rules.life"], row["group"]) for row in one["rows"]] == [
        (1, "position 1"),
        (1, "position 2"),
        (5, "position 1"),
        (5, "position 2"),
    ]
    failed = [row["verdict"] == "fail" for row in one["rows"]]
    assert failed == [True, True, False, False]
    points = json.loads((here / "run" / "check.json").read_text())["points"]
    assert [(p["point"]["rules.life"], p["verdict"]) for p in points] == [
        (1, "fail"),
        (5, "undecided"),
    ]
    words = " ".join(told.stdout.split())
    assert "No point clearly passes. Undecided: rules.life=5." in words


def test_a_finished_run_is_judged_without_playing(fairdeal, here, monkeypatch):
    (here / "balance.toml").write_text(f"{STUDY}gap = 0.2\n")
    assert fairdeal("check", "balance.toml", "--out", "run").exit_code == 0
    first = (here / "run" / "check.json").read_text()
    monkeypatch.setattr("experiments.studies.run_study.run_study", None)
    told = fairdeal("check", "run", "--json")
    assert told.exit_code == 0
    assert json.loads(told.stdout) == json.loads(first)
    assert fairdeal("check", "run", "-n", "9").exit_code == 2
    (here / "other").mkdir()
    assert fairdeal("check", "other").exit_code == 2


def test_mistakes_of_the_command(fairdeal, here):
    found = {
        "": "no targets",
        STUDY + "leest = 1": "did you mean 'least'?",
        STUDY.replace("by position", "by positoin")
        + "most = 1": "did you mean 'won by position'?",
        STUDY + "most = 1\nwhere = {positoin = 1}": "did you mean 'position'?",
        STUDY + "most = 1\nwhere = {lineup = 'randim'}": "did you mean 'random'?",
        STUDY + "quantile = 0.5\nmost = 1\n[targets.x]\nmeasure='staking'\nquantile=0.5"
        "\nmost = 1": "by strategy, week",
    }
    for text, expected in found.items():
        (here / "balance.toml").write_text(
            text or STUDY.split("[targets", maxsplit=1)[0]
        )
        result = fairdeal("check", "balance.toml")
        assert result.exit_code == 2
        assert result.stderr.startswith("error: balance.toml: ")
        assert expected in " ".join(result.stderr.split())
    assert fairdeal("check", "none.toml").exit_code == 2
    assert not (here / "results").exists()
