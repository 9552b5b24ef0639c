"""The commands ``compare``: what they print, on variants, lineups and runs."""

import json
import re

import pytest

from experiments.analysis.compare import ComparisonTolerance
from experiments.commands.compare_arguments import parse_amount, parse_tolerance

KUNITAME = ("--game", "kunitame")


def test_the_command(fairdeal, here):
    words = (
        "compare",
        "base",
        "life=4",
        *KUNITAME,
        "-n",
        "300",
        "--seed",
        "1",
        "--lineup",
        "random",
    )
    short = fairdeal(*words, "--out", "run", "--no-detailed").stdout
    assert "4 gems instead of 3" in short
    assert "won, position 1" not in short  # the tables are not asked for
    told = fairdeal(*words, "--out", "run", "--no-detailed", "--all")
    assert told.exit_code == 0
    assert "won, position 1" in told.stdout
    assert "won, random" not in told.stdout  # all seats are alike: always the same
    assert "Tolerance: 1 point" in told.stdout
    saved = json.loads((here / "run" / "comparison.json").read_text())
    again = json.loads(
        fairdeal(*words, "--out", "run", "--no-detailed", "--json").stdout
    )
    assert again["rows"] == saved["rows"]
    assert again["families"]["how games end"].startswith("Holm")
    whole = fairdeal(*words, "--all").stdout
    assert "claims, square blue" in whole


def test_the_command_on_runs(fairdeal):
    for name, words in {
        "a": ("--seed", "1"),
        "b": ("--seed", "2", "--set", "life=4"),
        "c": ("--seed", "1", "--set", "life=4"),
    }.items():
        assert (
            fairdeal(
                "run",
                "kunitame",
                "-n",
                "400",
                "--out",
                name,
                *words,
                "--lineup",
                "random",
            ).exit_code
            == 0
        )
    apart = json.loads(fairdeal("compare", "a", "b", "--no-detailed", "--json").stdout)
    assert not apart["same_games"]
    told = fairdeal("compare", "a", "b", "--no-detailed").stdout
    assert re.search(r"^seeds +1 and 2$", told, re.MULTILINE)
    again = fairdeal("compare", "a", "c", "--no-detailed", "--json")
    same = json.loads(again.stdout)
    assert same["same_games"]
    assert same["seed"] == 1
    new = json.loads(
        fairdeal(
            "compare",
            "a",
            "life=4",
            "--lineup",
            "random",
            "--no-detailed",
            "-n",
            "400",
            "--json",
        ).stdout
    )
    assert new["rows"] == same["rows"]
    for words in (("a", "life=4"), ("base", "c")):  # lineups as the run has them
        told = fairdeal("compare", *words, "--no-detailed", "-n", "400", "--json")
        assert json.loads(told.stdout)["lineups"] == ["random", "random"]
        assert json.loads(told.stdout)["rows"] == same["rows"]
    assert "are the same" in fairdeal("compare", "random", "c").stderr  # and rules


def test_beside_a_run_its_games_are_played(fairdeal, here):
    words = ("run", *KUNITAME[-1:], "--lineup", "greedy", "-n", "70", "--seed", "7")
    assert fairdeal(*words, "--players", "3", "--out", "a").exit_code == 0
    told = fairdeal("compare", "a", "life=4", "--no-detailed", "--json")
    found = json.loads(told.stdout)
    assert found["games"] == [70]
    assert (found["seed"], found["lineups"]) == (7, ["greedy", "greedy"])
    assert found["cells"][0]["players"] == 3
    less = fairdeal("compare", "a", "life=4", "--no-detailed", "-n", "30", "--json")
    assert json.loads(less.stdout)["games"] == [30]
    same = fairdeal("compare", "a", "life=4", "--no-detailed", "--seed", "7", "--json")
    assert json.loads(same.stdout)["rows"] == found["rows"]
    assert "seed     7\n" in fairdeal("compare", "a", "life=4", "--no-detailed").stdout


@pytest.mark.parametrize(
    "words", [("compare", "a", "life=4"), ("compare", "a", "a"), ("power", "a")]
)
def test_beside_a_run_no_other_seed_can_be_asked_for(fairdeal, here, words):
    run = ("run", *KUNITAME[-1:], "--lineup", "greedy", "-n", "20", "--seed", "7")
    assert fairdeal(*run, "--out", "a").exit_code == 0
    refused = fairdeal(*words, "--seed", "8", "-j", "1")
    assert refused.exit_code == 2
    assert "seed: the games of a are played, with seed 7." in refused.stderr


def test_a_run_and_a_longer_one_of_the_same_are_paired(fairdeal, here):
    for out, games in (("a", "100"), ("b", "200")):
        words = ("run", *KUNITAME[-1:], "-n", games, "--seed", "1", "--out", out)
        assert fairdeal(*words).exit_code == 0
    told = fairdeal("compare", "a", "b", "--no-detailed").stdout
    assert "games    100 and 200\n" in told
    assert "both runs are of the same rules, lineups and seed" in told
    assert "no difference is shown in the lines of the scorecard" in told
    assert re.search(r"Of \d+ other numbers none differs\.", told)
    compared = json.loads(
        fairdeal("compare", "a", "b", "--no-detailed", "--json").stdout
    )
    assert (compared["games"], compared["other_games"]) == ([100], [200])
    differ = json.loads(fairdeal("runs", "diff", "a", "b", "--json").stdout)
    key = "measure", "group", "difference", "low", "high"
    rows = [
        {tuple(row[name] for name in key) for row in found}
        for found in (compared["rows"], differ["numbers"])
    ]
    assert rows[1] <= rows[0]
    alone = fairdeal("compare", "a", "a", "--no-detailed").stdout
    assert "not a single number came out differently" in alone
    for option in (
        ("-n", "50"),
        ("--independent",),
        ("--lineup", "greedy"),
        ("--set", "life=4"),
    ):
        refused = fairdeal("compare", "a", "b", *option)
        assert "both runs are finished" in refused.stderr


def test_the_same_twice(fairdeal):
    words = (
        "compare",
        "base",
        "base",
        *KUNITAME,
        "-n",
        "300",
        "--no-detailed",
        "--lineup",
        "random",
    )
    assert "--independent" in fairdeal(*words).stderr
    told = fairdeal(*words, "--independent", "--seed", "3", "--all").stdout
    assert "base (A)" in told
    assert "luck does not cancel" in told


def test_the_sides_say_which_game(fairdeal, here):
    (here / "rich.toml").write_text(
        'game = "kunitame"\nname = "well-off"\n[rules]\nlife = 4\n'
    )
    for word in ("rich.toml", "rich", "well-off"):
        few = ("-n", "50", "--no-detailed", "--adapt", "0", "--json")
        told = fairdeal("compare", "base", word, *few)
        found = json.loads(told.stdout)
        assert found["sides"] == ["base", "well-off"]
        assert found["rules"][0].startswith("Life gems")


@pytest.mark.slow
def test_runs_that_stopped_early_have_wider_intervals(fairdeal, here):
    (here / "stop.toml").write_text(
        'game = "kunitame"\nlineups = ["random"]\ngames = 100_000\n'
        'precision = "2pp"\nmeasures = ["won by seat"]\n'
    )
    for seed in ("1", "2"):
        words = ("run", "stop.toml", "--seed", seed, "--out", f"s{seed}")
        assert fairdeal(*words).exit_code == 0
    words = ("-n", "3000", "--seed", "1", "--lineup", "greedy", "--out", "greedy")
    assert fairdeal("run", "kunitame", *words).exit_code == 0
    for other in ("s2", "greedy"):  # other games, and the same ones
        told = fairdeal("compare", "s1", other, "--no-detailed", "--json")
        found = json.loads(told.stdout)
        assert found["same_games"] == (other == "greedy")
        assert found["wider"] > 1.4


MISTAKES = {
    "no side": (("compare", "base", "bas"), "did you mean 'base'?"),
    "no variant": (("compare", "base", "none.toml"), "none.toml"),
    "no rule": (("compare", "base", "lif=4"), "did you mean 'life'?"),
    "no run": (("compare", "base", "."), "holds no run"),
    "tolerance": (("compare", "base", "life=4", "--tolerance", "1"), "1pp,5%"),
    "no tolerance": (("compare", "base", "life=4", "--tolerance", "0pp"), "1pp,5%"),
    "games": (("compare", "base", "life=4", "-n", "0"), "at least 1"),
    "players": (("compare", "base", "life=4", "--players", "2"), "Allowed: 3, 4, 5"),
    "lineup": (("compare", "planner,greedy", "base"), "2"),
    "game": (("compare", "base", "life=4", "--game", "chess"), "Games: "),
    "which game": (("compare", "base", "life=4"), "base and life=4 may"),
    "seed": (("compare", "base", "life=4", "--seed", "-1"), "seed: 0 to"),
    "jobs": (("compare", "base", "life=4", "-j", "0"), "-1 for all cores"),
    "adapt": (("compare", "base", "life=4", "--adapt", "-1"), "seconds, 0 or more"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(fairdeal, here, mistake):
    words, expected = MISTAKES[mistake]
    game = () if mistake in {"game", "which game"} else KUNITAME
    result = fairdeal(words[0], *game, *words[1:])
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())
    assert not (here / "results").exists()


def test_sizes():
    assert parse_amount("0.5pp", "--difference") == 0.005
    assert parse_amount("0.1", "--difference") == 0.1
    assert parse_tolerance("2pp") == ComparisonTolerance(0.02, 0.05)
    assert parse_tolerance("10%,0.5pp") == ComparisonTolerance(0.005, 0.1)
    assert (
        str(ComparisonTolerance(0.02, 0.1))
        == "2 points for shares, 10 % for other numbers"
    )
