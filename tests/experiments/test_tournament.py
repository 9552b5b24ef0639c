"""Tournaments: which lineups are played, what is counted, what is said of it."""

import json
from dataclasses import replace

import polars as pl
import pytest

import fairdeal as fd
from experiments.analysis.tournament import tournament
from experiments.analysis.tournament_lineups import count_lineups, lineup_words, lineups
from experiments.commands import show_tournament
from experiments.core.cells import UsageError
from strategies.registry import UnknownStrategy

NAMES = ("allround", "greedy", "random")


@pytest.fixture(scope="module")
def found():
    return tournament("kunitame", NAMES, players=3, games=300, seed=5)


def test_every_lineup_once():
    for count, players in ((3, 4), (7, 3)):
        names = [f"s{n}" for n in range(count)]
        whole = lineups(names, players, whole=True)
        assert len({tuple(sorted(one)) for one in whole}) == len(whole)
        assert len(whole) == count_lineups(count, players, whole=True)
        pairs = lineups(names, players, whole=False)
        assert len(pairs) == count_lineups(count, players, whole=False)


def test_the_seats_of_a_strategy_are_spread():
    assert lineups(["a", "b"], 4, whole=True) == [
        ("a", "a", "a", "a"),
        ("a", "a", "a", "b"),
        ("a", "b", "a", "b"),
        ("b", "b", "b", "a"),
        ("b", "b", "b", "b"),
    ]
    assert lineup_words(("a", "b", "a")) == "2 a, 1 b"


def test_counts_are_those_of_the_games(found):
    assert found.lineups == 10
    for number, cell in enumerate(found.results.cells):
        rows = found.counts.filter(pl.col("lineup") == list(cell.lineup))
        assert rows["games"].sum() <= 300
        seed = 5 + number
        alone = fd.play("kunitame", games=300, lineup=cell.lineup, seed=seed, jobs=1)
        won = alone.estimates("won by strategy").select("strategy", "y")
        assert dict(rows.select("winner", "games").rows()) == dict(won.rows())
    assert found.unwon == 3_000 - found.counts["games"].sum()


def test_one_among_others(found):
    matrix = found.matrix
    assert matrix.height == 6
    [row] = matrix.filter(strategy="allround", others="random").to_dicts()
    assert row["estimate"] > 0.6
    assert row["low"] < row["estimate"] < row["high"]
    assert row["games"] == 300
    [share] = found.shares.filter(lineup="2 random, 1 allround", strategy="allround")[
        "estimate"
    ]
    assert share == row["estimate"]


def test_ratings_are_drawn_best_first(found):
    [axes] = found.plot().axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == found.ratings["strategy"].to_list()


def test_who_is_strong(found):
    assert found.ratings["strategy"].to_list() == ["allround", "greedy", "random"]
    assert found.ratings["rating"].sum() == pytest.approx(0, abs=1e-9)
    beats = found.duels.filter(one="allround", other="random")
    assert beats["verdict"].to_list() == ["beats"]
    assert found.cycles.filter("sure").is_empty()
    dominated = found.dominated.filter(verdict="dominated")["dominated"]
    assert "random" in dominated
    assert found.alpha_rank["strategy"][0] == "allround"
    assert found.replicator["strategy"][0] == "allround"
    assert found.replicator["share"].sum() == pytest.approx(1)
    assert 0 <= found.fit.p <= 1


def test_pairs_only():
    found = tournament("kunitame", NAMES, players=3, games=100, pairs=True)
    assert found.lineups == 9
    assert found.replicator is None
    assert found.alpha_rank.height == 3
    assert set(found.dominated["verdict"]) <= {"so far", "not", "undecided"}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.slow
def test_jobs_change_no_bit():
    one, two = (
        tournament("kunitame", NAMES[:2], players=3, games=1_500, jobs=jobs)
        for jobs in (1, 2)
    )
    assert one.results.sums.equals(two.results.sums)
    assert one.ratings.equals(two.ratings)


def test_a_circle_is_told(capsys):
    """Planted: rock, paper and scissors in one game of two seats."""
    found = tournament("kunitame", NAMES, players=3, games=50)
    names = ("paper", "rock", "scissors")
    beats = {("paper", "rock"), ("rock", "scissors"), ("scissors", "paper")}
    rows = []
    for one in names:
        for other in names:
            if one < other:
                wins = 70 if (one, other) in beats else 30
                rows += [([one, other], one, wins), ([one, other], other, 100 - wins)]
    counts = pl.DataFrame(rows, schema=["lineup", "winner", "games"], orient="row")
    planted = replace(found, strategies=names, players=2)
    vars(planted)["counts"] = counts
    vars(planted)["matrix"] = found.matrix.clear()
    show_tournament.as_tables(planted)
    told = " ".join(capsys.readouterr().out.split())
    assert "paper beats rock beats scissors beats paper" in told
    assert "not transitive" in told
    assert "no strategy clearly is" in told
    assert "33.3 % (" in told  # alpha-rank, which few games leave open


def test_what_all_but_always_loses_is_not_shown_as_nothing(capsys):
    """Planted: one of two always wins, so its mass is 1 but for 1e-200."""
    found = tournament("kunitame", NAMES[:2], players=3, games=50)
    rows = [(["a", "a", "b"], "a", 10**6), (["a", "b", "b"], "a", 10**6)]
    counts = pl.DataFrame(rows, schema=["lineup", "winner", "games"], orient="row")
    planted = replace(found, strategies=("a", "b"))
    vars(planted)["counts"] = counts
    vars(planted)["matrix"] = found.matrix.clear()
    masses = planted.alpha_rank["mass"].to_list()
    assert 0 < masses[1] < 1e-100
    show_tournament.as_tables(planted)
    told = " ".join(capsys.readouterr().out.split())
    assert "> 99.9 %" in told
    assert "< 0.1 %" in told
    assert " 0.0 %" not in told


def test_mistakes():
    with pytest.raises(UsageError, match="at least two"):
        tournament("kunitame", ["random"], games=10)
    with pytest.raises(UnknownStrategy, match="'planner'"):
        tournament("kunitame", ["random", "planer"], games=10)
    many = [f"planner:margin={n / 4}" for n in range(40)]
    with pytest.raises(UsageError, match="too many"):
        tournament("kunitame", many, players=5, games=10, pairs=False)


def test_the_command(fairdeal, here):
    words = (
        "tournament",
        "kunitame",
        "--strategies",
        "allround,random",
        "--players",
        "3",
        "-n",
        "200",
        "--seed",
        "1",
        "-j",
        "1",
    )
    told = fairdeal(*words, "--out", "run")
    assert told.exit_code == 0
    for expected in (
        "alpha-rank",
        "One among 2 others",
        "dominated  random by allround",
        "4 (all), 200 games each",
    ):
        assert expected in told.stdout
    saved = json.loads((here / "run" / "tournament.json").read_text())
    again = json.loads(fairdeal(*words, "--out", "run", "--json").stdout)
    assert again == saved
    own = fairdeal(*words, "--add-strategy", "my.py:Bold", "--json")
    assert "bold" in json.loads(own.stdout)["strategies"]


FAILS = """
from strategies.base import Strategy


class Never(Strategy):
    name = "never"

    def play(self, view):
        raise SystemExit(0)
"""


def test_a_strategy_that_fails_is_out_and_the_others_are_rated(fairdeal, here):
    (here / "never.py").write_text(FAILS)
    words = ("tournament", "kunitame", "--players", "3", "-n", "100", "--seed", "1")
    both = ("--strategies", "allround,random,never", "--add-strategy", "never.py:Never")
    told = fairdeal(*words, *both, "--json", "--out", "a")
    assert told.exit_code == 1
    assert "never is left out of all tables: strategy 'never' raised SystemExit" in (
        told.stderr
    )
    found = json.loads(told.stdout)
    assert list(found["failed"]) == ["never"]
    plain = ("--strategies", "allround,random", "--json", "--out", "b")
    without = json.loads(fairdeal(*words, *plain).stdout)
    assert found["strategies"] == ["allround", "random"]
    assert found["lineups"] == without["lineups"] == 4
    alone = fairdeal(*words, "--strategies", "random,never", *both[2:])
    assert alone.exit_code == 1
    assert "fewer than two strategies are left" in alone.stderr


def test_two_of_one_name(here):
    (here / "other.py").write_text(FAILS)
    (here / "never.py").write_text(FAILS)
    with pytest.raises(UsageError, match="are both called 'never'"):
        tournament("kunitame", ["never.py:Never", "other.py:Never"], games=10)


def test_mistakes_of_the_command(fairdeal, here):
    for more, expected in (
        (("--strategies", "random"), "at least two"),
        (("--strategies", "random,planer"), "did you mean 'planner'?"),
        (("--players", "3,4"), "one number of players"),
        (("-n", "0"), "at least 1"),
        (("-j", "0"), "-1 for all cores"),
    ):
        result = fairdeal("tournament", "kunitame", *more)
        assert result.exit_code == 2
        assert expected in " ".join(result.stderr.split())
    assert not (here / "results").exists()
