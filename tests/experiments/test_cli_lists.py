"""Commands that list, help, and what help may import."""

import json
import subprocess
import sys

import pytest

from experiments.commands import options
from experiments.commands.cli import app
from experiments.core.measures import measures_of
from sim.games import REGISTRY, load
from strategies.registry import builtin
from strategies.strength_levels import LEVELS

COMMANDS = [one.name or one.callback.__name__ for one in app.registered_commands]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_of_the_command(fairdeal, command):
    result = fairdeal(command, "--help")
    assert result.exit_code == 0
    assert f"Example:\n    fairdeal {command}" in result.stdout


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from experiments.commands.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'polars', 'pydantic', 'matplotlib', 'scipy', 'joblib',"
        "'rich', 'pandas', 'psutil'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "HEAVY []"
    assert "check-strategy" in done.stdout


def test_what_plays_does_without_figures():
    modules = ("balance_report", "compare", "levers", "rule_search", "tournament")
    code = (
        f"import sys, {', '.join(f'experiments.analysis.{m}' for m in modules)}\n"
        "print('SLOW', sorted({'matplotlib', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "SLOW []"


def test_no_command_shows_help(fairdeal):
    assert "Play games:" in fairdeal().output


def test_version(fairdeal):
    assert fairdeal("--version").stdout.startswith("fairdeal ")


def test_games(fairdeal):
    found = json.loads(fairdeal("games", "--json").stdout)["games"]
    assert {game["id"] for game in found} == set(REGISTRY)
    assert "kunitame" in fairdeal("games").stdout


def test_rules_tell_every_parameter(fairdeal):
    rules = load("kunitame").rules()
    told = fairdeal("rules", "kunitame").stdout
    for parameter in rules.parameters():
        assert parameter.key in told
    for square in rules.squares:
        assert square.id in told
    assert "assumed  removed_pledge" in told
    assert "nothing differs" in told


def test_rules_as_json(fairdeal):
    found = json.loads(
        fairdeal("rules", "kunitame", "--json", "--set", "life=4").stdout
    )
    assert found["rules"]["life"] == 4
    assert found["differences"] == {"life": [3, 4]}
    [life] = [
        parameter for parameter in found["parameters"] if parameter["key"] == "life"
    ]
    assert life["unit"] == "gems"
    assert life["allowed"] == "whole number 1 to 12"
    assert life["source"]


def test_rules_say_what_differs(fairdeal):
    told = fairdeal(
        "rules",
        "kunitame",
        "--set",
        "squares.blue.gem=3",
        "--set",
        "squares.card-11.remove=true",
    ).stdout
    assert "differs  Square blue: gem 3 instead of 1 (squares)." in told
    assert "differs  No square card-11: it was pledge P1; when trick" in told


def test_rules_say_with_how_many_they_cannot_be_played(fairdeal):
    told = fairdeal("rules", "kunitame", "--set", "hand=9").stdout
    assert "not with 5 players" in told
    refused = fairdeal("rules", "kunitame", "--set", "hand=20")
    assert refused.exit_code == 2
    assert "at most" in refused.stderr


def test_strategies(fairdeal):
    found = json.loads(fairdeal("strategies", "kunitame", "--json").stdout)
    names = [one["name"] for one in found["strategies"]]
    assert set(names) == {*builtin("kunitame"), "learned", "taught", "search", *LEVELS}
    assert all(one["belief"] for one in found["strategies"])
    [planner] = [s for s in found["strategies"] if s["name"] == "planner"]
    assert "margin" in planner["parameters"]
    assert "planner" in fairdeal("strategies", "kunitame").stdout


def test_strengths_are_those_of_the_rules_in_force(fairdeal):
    asked = ("strategies", "drake", "--strengths", "--players", "3")
    found = json.loads(fairdeal(*asked, "--json").stdout)["strengths"]
    assert [row["strength"] for row in found] == [*LEVELS]
    beginner, good, strong, expert = found
    assert beginner["share"] < good["share"] < strong["share"]
    assert expert["share"] is None
    told = fairdeal(*asked).stdout
    assert "slow: not measured" in told
    assert strong["plays"] in told


def test_completions():
    class Context:
        params = {"game": "kunitame"}  # noqa: RUF012

    assert options.complete_game("kuni") == ["kunitame"]
    found = options.complete_strategy(Context(), "random,pl")
    assert found == ["random,planner", "random,pledge-hunter"]
    assert options.complete_setting(Context(), "lif") == ["life="]

    class Running(Context):
        params = {"what": "kbernestich"}  # noqa: RUF012

    assert options.complete_setting(Running(), "han") == ["hannah="]
    assert options.complete_strategy(Running(), "duc") == ["ducker"]


def test_output_is_plain_in_a_pipe(fairdeal):
    for command in ("rules", "strategies", "trace"):
        assert "\x1b" not in fairdeal(command, "kunitame").stdout


def test_measures_tell_what_they_mean(fairdeal):
    told = fairdeal("measures", "kunitame").stdout
    for measure in measures_of("kunitame").values():
        assert measure.name in told
    assert "square: lost" in told  # of the what-ifs
    assert "election week" in told  # what a group is
    found = json.loads(fairdeal("measures", "kunitame", "punished", "--json").stdout)
    assert len(found["measures"]) == 2
    [one] = [m for m in found["measures"] if m["name"] == "punished by week"]
    assert (one["kind"], one["of"], list(one["groups"])) == (
        "share",
        "report",
        ["week"],
    )
    assert one["meaning"] == "tricks whose winner gives a gem back"


def test_no_measure_of_that_name(fairdeal):
    result = fairdeal("measures", "kunitame", "won by set")
    assert result.exit_code == 2
    assert "did you mean 'won by seat'?" in result.stderr
