"""The ladder of skill: it rises where play can get better, and only there."""

import json

import numpy as np
import polars as pl
import pytest

from experiments.analysis import skill as ladders
from experiments.analysis.skill import skill
from experiments.analysis.skill_result import BEFORE, GAINS, NO_MORE
from experiments.core.cells import UsageError
from reports.statistics.duplicates import gain
from sim.games import REGISTRY, load
from strategies.registry import UnknownStrategy
from tests.reports.dice import dice
from tests.strategies.test_search import RULES

__all__ = ["dice"]
SHORT = {"weeks": 1, "devil_ranks": 4}  # of Kunitame


def climb(game="kunitame", names=("random", "greedy", "allround"), **how):
    known = load(game)
    changes = how.pop("rules", SHORT if game == "kunitame" else None)
    how = {"budgets": (1, 4), "games": 128, "seed": 1, "minutes": None} | how
    players = how.pop("players", 3 if 3 in known.players else known.players[0])
    return skill(game, names, rules=known.rules.of(changes), players=players, **how)


@pytest.fixture(scope="module")
def found():
    return climb(games=600)


@pytest.mark.slow
def test_it_rises_from_chance_to_the_leading_heuristic(found):
    table = found.table
    assert table["rung"].to_list() == [
        "random",
        "greedy",
        "allround",
        "search:samples=1",
        "search:samples=4",
    ]
    shares = table["share"].to_list()
    assert shares[:3] == sorted(shares[:3])
    assert table["verdict"].to_list()[:3] == [None, GAINS, GAINS]
    par = table.row(2, named=True)  # at a table of its like
    assert par["low"] < 1 / 3 < par["high"]
    assert table["games"].to_list() == [600, 600, 600, 600, 426]  # the fourth root
    skills = table["strategy"].to_list()
    assert skills[0] > 0.05
    assert skills[2] is None  # all alike
    assert "2 of 2 steps between them are shown to gain" in found.findings[0]


@pytest.mark.slow
def test_a_gain_is_the_difference_on_the_same_deals(found):
    one, before = found.rungs[1], found.rungs[0]
    row = found.table.row(1, named=True)
    assert row["gain"] == pytest.approx((one.wins.mean() - before.wins.mean()) / 6)
    deals = one.played.games["deal"].unique().sort()
    assert deals.equals(before.played.games["deal"].unique().sort())
    alone = one.played.games.filter(strategy="greedy")
    places = alone.group_by("deal", "play").agg(pl.col("position").n_unique())
    assert places.height == 200
    assert (places["position"] == 3).all()
    assert one.wins.sum() == alone["won"].sum()


def test_of_dice_nothing_is_gained(dice):
    """Which die is thrown does not matter: search cannot win more than chance."""
    told = climb("dice", ("random",), players=3, games=600, budgets=(1, 2, 4, 8))
    doublings = told.doublings
    assert doublings["verdict"].to_list() == [NO_MORE]
    assert doublings["gain"].abs().max() < 0.02
    assert told.budgets_left == (4, 8)
    assert told.why == NO_MORE
    assert "is shown to gain less than 2 points" in told.findings[2]
    assert "no doubling of the samples is shown to gain" in told.findings[2]


@pytest.mark.slow
def test_against_the_rung_before(found):
    told = climb(against=BEFORE, games=900, budgets=(4,))
    table = told.table
    assert table["table"].to_list() == ["random", "greedy", "allround"]
    assert table["rung"].to_list() == ["greedy", "allround", "search:samples=4"]
    assert table["verdict"].to_list()[:2] == [GAINS, GAINS]
    decided = told.rungs[0].decided.sum() / table["games"][0]
    assert table["gain"][0] == pytest.approx(table["share"][0] - decided / 3)


@pytest.mark.slow
def test_any_number_of_jobs_and_going_on_change_nothing(tmp_path):
    how = {"names": ("random", "allround"), "games": 24}
    whole, out = climb(**how), tmp_path / "run"
    assert climb(**how, jobs=2, out=out).table.equals(whole.table)
    assert (out / "order" / "random" / "manifest.json").exists()
    blocks = sorted(out.glob("search*/blocks/*.parquet"))
    for block in blocks[1:]:  # as if it had been stopped before
        block.unlink()
    assert climb(**how, out=out).as_dict() == whole.as_dict()
    with pytest.raises(UsageError, match="holds another run, with other seed"):
        climb(**how, out=out, seed=2)


@pytest.mark.slow
def test_it_stops_when_time_is_over_and_goes_on(tmp_path):
    how = {"budgets": (1, 2, 4), "games": 32, "out": tmp_path / "run"}
    short = climb(minutes=1e-9, **how)
    assert short.budgets_left == (2, 4)
    assert short.why == "time"
    assert "no time for 2, 4 samples" in short.findings[2]
    assert climb(**how).table.head(4).equals(short.table)
    assert climb(**how).budgets_left == ()


def test_the_interval_of_a_gain_covers():
    """Simulated deals that give much, on which one wins 6 points more than another."""
    rng = np.random.default_rng(1)
    studies, deals, games, hits, none = 1_500, 60, 4, 0, 0
    for _ in range(studies):
        chance = rng.beta(1, 3, deals)[:, None] * 0.7
        apart = np.array([[[0.06]], [[0.0]]])
        thrown = rng.random((2, deals, games)) < chance + apart
        more, less = thrown.sum(axis=2)
        _, found = gain(more, less, games)
        hits += found.low <= 0.06 <= found.high
        _, null = gain(less, rng.permutation(less), games)
        none += null.low <= 0 <= null.high
    assert 0.935 < hits / studies < 0.985
    assert none == studies  # a permutation has the same sum
    same = np.ones(40)
    alike, _ = gain(same, same, 4)
    assert alike.low < 0 < alike.high  # deals without any difference prove little


def test_the_usual_rungs_are_the_levels_of_strength(dice):
    assert ladders.usual_rungs("kunitame") == ["beginner", "good", "strong"]
    assert ladders.usual_rungs("dice") == ["random"]  # there is nobody else


@pytest.mark.slow
def test_levels_are_rungs_and_who_searches_plays_fewer_games():
    found = climb("drake", ("strong", "expert"), games=64, budgets=(1,), players=2)
    games = dict(found.table.select("rung", "games").iter_rows())
    assert games == {"strong": 64, "expert": 32, "search:samples=1": 64}


QUICK = ("drake", "kunitame")
_MARKS = {game: "slow" if game in QUICK else "soak" for game in REGISTRY}


@pytest.mark.parametrize(
    "game",
    [pytest.param(g, marks=getattr(pytest.mark, mark)) for g, mark in _MARKS.items()],
)
def test_every_game(game):
    how = {"games": 12, "budgets": (1, 2), "rules": RULES.get(game)}
    told = climb(game, ("random", "allround"), **how)
    assert told.table["rung"].to_list()[-2:] == ["search:samples=1", "search:samples=2"]
    assert told.table["share"].is_between(0, 1).all()
    assert len(told.findings) >= 3  # of luck nothing is told where nobody wins


@pytest.mark.soak
def test_it_rises_over_all_levels_and_search():
    told = climb("kunitame", (), rules=None, games=300, budgets=(1, 8))
    table = told.table
    assert set(table["rung"]) >= set(ladders.usual_rungs("kunitame"))
    assert table["rung"][0] == "random"
    last = table.row(-1, named=True)
    assert last["verdict"] == GAINS  # three doublings at once
    assert last["low"] > 1 / 3


def test_mistakes(tmp_path):
    for how, expected in (
        ({"budgets": ()}, "samples: per decision"),
        ({"budgets": (0, 1)}, "samples: per decision"),
        ({"games": 3}, "games: at least 12"),
        ({"precision": 0.9}, "precision: 0.05 to 50 percentage points"),
        ({"tolerance": 0.0}, "tolerance: above 0"),
        ({"players": 7}, "players: 7 cannot play"),
    ):
        with pytest.raises(UsageError, match=expected):
            climb(**how)
    with pytest.raises(UnknownStrategy, match="did you mean 'greedy'"):
        climb(names=("gredy",))
    with pytest.raises(UnknownStrategy, match="did you mean 'allround'"):
        climb(against="alround")
    (tmp_path / "mine").write_text("my notes")
    with pytest.raises(UsageError, match="is not empty and holds no run"):
        climb(out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_precision_says_how_many_games():
    assert ladders._deals(1, 0.02, 4) == 301  # 1.96**2 / 4 / 0.02**2 games, 8 a deal
    assert ladders._deals(2_048, None, 3) == 342


@pytest.mark.slow
def test_the_command(fairdeal, here):
    words = ["skill", "kunitame", "--strategies", "random,allround", "--players", "3"]
    words += ["--set", "weeks=1", "--set", "devil_ranks=4", "--samples", "1-2"]
    words += ["-n", "24", "--seed", "1", "-j", "1", "--out", "run"]
    told = fairdeal(*words)
    assert told.exit_code == 0, told.stderr
    for part in ("The ladder of skill, 3 players", "search:samples=2", "Depth:"):
        assert part in told.stdout
    values = json.loads(fairdeal(*words, "--json").stdout)
    assert [row["samples"] for row in values["rungs"]] == [None, None, 1, 2]
    assert values["rules"] == {"weeks": 1, "devil_ranks": 4}
    for name in ("skill.json", "skill.csv", "skill.svg"):
        assert (here / "run" / name).stat().st_size > 100
    shown = fairdeal("runs", "show", "run")
    assert "holds a run in stages" in shown.stderr
    listed = fairdeal("runs", "list", "run")
    assert "search-samples=2" in listed.stdout
    for more, expected in (
        (("--samples", "1,x"), "--samples: samples per decision, as in 1,4,16"),
        (("--players", "3,4"), "one number of players at a time"),
        (("--tolerance", "much"), "--tolerance: 'much' is not a size"),
    ):
        given = list(words)
        if more[0] in given:
            at = given.index(more[0])
            del given[at : at + 2]
        wrong = fairdeal(*given, *more)
        assert wrong.exit_code == 2
        assert expected in " ".join(wrong.stderr.split())
