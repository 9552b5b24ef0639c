"""The knock-out table: exact, finds what is planted; nothing where all are alike."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from experiments.analysis import knockout as knocked
from experiments.analysis.knockout import knockout
from experiments.core.block_records import Block
from experiments.core.cells import Cell
from experiments.counterfactual import changed_players, forbidden_options
from experiments.counterfactual.action_counts import play_first
from experiments.counterfactual.changed_players import WHOLE, changed_cell
from experiments.counterfactual.interventions import Interventions
from sim.games import REGISTRY, load
from strategies.decliner import Decliner
from strategies.registry import make
from tests.experiments.dice import dice  # noqa: F401 - a fixture

DOMINANT = {"contract_points": [9, 0, 0, 0, 0], "weeks": 2}
"""A Life gem on exactly one trick pays nine points."""
SHORT = {"weeks": 1}


def options(rows):
    return rows.filter(pl.col("option") != WHOLE)


@pytest.mark.slow
def test_it_is_what_playing_all_games_again_finds():
    """Those without the option are not played again: they are the same games."""
    games, rules = 200, load("kunitame").rules.of(SHORT)
    found = knockout("kunitame", "allround", games=games, rules=rules, seed=3)
    numbers = np.arange(games, dtype=np.uint64)
    base = Cell("kunitame", rules, 4, ("allround",), True, 3)
    won = play_first(base, numbers).uses.won
    wanted = {
        ("contract", "1"): "without(allround, contract, 1)",
        ("play", "P"): "without(allround, play, P)",
        ("contract", WHOLE): "without(allround, contract)",
        ("play", WHOLE): "only(random, play, allround)",
    }
    rows = {(row["decision"], row["option"]): row for row in found.rows.to_dicts()}
    for key, spec in wanted.items():
        lineup = (make("kunitame", spec), *["allround"] * 3)
        other = play_first(Cell("kunitame", rules, 4, lineup, True, 3), numbers)
        lost = won.mean() - other.uses.won.mean()
        assert rows[key]["lost"] == pytest.approx(lost, abs=1e-12)
        assert rows[key]["low"] < lost < rows[key]["high"]
    assert rows["play", "P"]["used"] < 1
    never = dict(found.unused.select(pl.concat_str("decision", "option"), "why").rows())
    assert never["bonusblue"] == "never available"
    assert never["bonuspass"] == "never taken"
    assert not set(rows) & set(found.unused.select("decision", "option").rows())


@pytest.mark.parametrize("game", REGISTRY)
def test_games_without_an_option_are_played_on_as_each_alone(game, monkeypatch):
    """Bags, samples and single options; the same games and sums as one by one."""
    known = load(game)
    lineup = ("allround", *["random"] * (known.players[-1] - 1))
    played_alone(Cell(game, known.rules(), len(lineup), lineup, True, 3), monkeypatch)


@pytest.mark.parametrize(
    "strategy",
    [
        "without(allround, contract, 2)",
        Decliner(make("kunitame", "allround"), "contract", ("week", 1)),
    ],
    ids=["one who is kept from another", "one who writes down"],
)
def test_so_are_those_of_other_players(strategy, monkeypatch):
    lineup, rules = (strategy, "allround", strategy), load("kunitame").rules.of(SHORT)
    played_alone(Cell("kunitame", rules, 3, lineup, True, 3), monkeypatch)


def played_alone(cell, monkeypatch):
    """Each game has the winner that it has with changed players from the start."""
    numbers = np.arange(9, dtype=np.uint64)
    every = [*forbidden_options.whole_or_options(cell)]
    every = every[:: max(6, len(every) // 15)]
    whole = replace(cell, interventions=Interventions(tuple(every)))
    sums = [forbidden_options.play_block(whole, Block(0, 0, 9)).sums]
    monkeypatch.setattr(changed_players, "_BATCH", 0)
    sums.append(forbidden_options.play_block(whole, Block(0, 0, 9)).sums)
    assert sums[0].equals(sums[1])
    lost = sums[0].filter(measure="knocked out", side="other")
    for each in every:
        won = play_first(changed_cell(cell, each), numbers).uses.won
        rows = lost.filter(decision=each.when.kinds, option=each.do.option)
        assert rows["y"].sum() == won.sum(), each


@pytest.mark.slow
def test_a_planted_option_stands_at_the_top():
    found = knockout("kunitame", games=256, rules=DOMINANT, seed=1)
    first, second = options(found.rows).head(2).to_dicts()
    assert (first["decision"], first["option"]) == ("contract", "1")
    assert first["verdict"] == "loses"
    assert first["lost"] > 0.1 > second["lost"]
    plain = knockout("kunitame", games=256, rules={"weeks": 2}, seed=1)
    before = options(plain.rows).filter(decision="contract", option="1")["lost"][0]
    assert first["lost"] > before + 0.05


def test_a_loaded_die_is_found(dice):  # noqa: F811
    found = knockout("dice", "random", players=3, games=512, rules={"loaded": True})
    first = found.rows.row(0, named=True)
    assert (first["option"], first["verdict"]) == ("blue", "loses")
    others = found.rows.filter(pl.col("option").is_in(["red", "green"]))
    assert (others["lost"] < 0).all()  # one better off without them
    assert found.ends(2).equals(found.rows[[0, 1]])
    assert found.ends(4).equals(found.rows[[0, 1, 2, -1]])
    assert found.ends(100).equals(found.rows)


@pytest.mark.slow
def test_where_all_options_are_alike_none_is_called(dice):  # noqa: F811
    """A false alarm of any of four rows in at most 5 % of the tables."""
    tables = 60
    called = differ = 0
    for seed in range(tables):
        found = knockout("dice", "random", players=3, games=256, seed=seed)
        assert found.rows.height == 4
        called += (found.rows["verdict"] != "undecided").any()
        differ += (found.rows["lost"] != 0).sum()
    assert differ > 2.5 * tables  # the dice fall differently all the same
    assert called <= 8  # 3 expected; more than 8 have a chance of 0.4 %


@pytest.mark.slow
def test_any_number_of_jobs_finds_the_same(monkeypatch):
    monkeypatch.setattr(knocked, "_BLOCK", 60)
    one, two = (
        knockout("kunitame", "greedy", games=100, rules=SHORT, seed=1, jobs=jobs)
        for jobs in (1, 2)
    )
    assert one.rows.equals(two.rows)
    monkeypatch.setattr(knocked, "_BLOCK", 4_096)
    whole = knockout("kunitame", "greedy", games=100, rules=SHORT, seed=1)
    assert one.rows.equals(whole.rows)


@pytest.mark.slow
def test_a_wanted_precision_is_reached():
    how = {"rules": SHORT, "seed": 1}
    pilot = knockout("kunitame", "greedy", games=100, **how)
    width = pilot.width / 1.5
    found = knockout("kunitame", "greedy", games=100, precision=width, **how)
    assert found.games == pilot.games_for(width) > 200
    assert found.width < 1.2 * width


def test_the_command(fairdeal, here):
    words = ("knockout", "kunitame", "--set", "weeks=1", "-n", "60", "--seed", "1")
    told = fairdeal(*words, "--strategy", "greedy", "--out", "run", "-j", "1")
    assert told.exit_code == 0, told.stdout
    assert "What greedy loses without an option, 4 players" in told.stdout
    assert "never available" in told.stdout
    assert "would take about" in told.stdout
    saved = json.loads((here / "run" / "knockout.json").read_text())
    assert saved["rows"][0]["lost"] == max(row["lost"] for row in saved["rows"])
    assert "<svg" in (here / "run" / "knockout.svg").read_text()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--precision", "x"), "--precision: percentage points, as in 2pp"),
        (("--players", "3,4"), "one number of players at a time"),
        (("--strategy", "gredy"), "did you mean 'greedy'"),
    ],
)
def test_mistakes(fairdeal, words, expected):
    told = fairdeal("knockout", "kunitame", *words)
    assert told.exit_code == 2
    assert expected in told.stderr


@pytest.mark.slow
@pytest.mark.parametrize("game", ["article_ii", "devil", "drake", "evilpact"])
def test_other_games(game):
    players = 4 if 4 in load(game).players else 2
    found = knockout(game, players=players, games=16, seed=1)
    assert found.rows.height > 3
    assert (found.rows["low"] <= found.rows["high"]).all()


@pytest.mark.soak
def test_a_searcher_is_knocked_out_too():
    found = knockout(
        "kunitame", "search:samples=1", games=24, rules=DOMINANT | SHORT, seed=1
    )
    assert found.strategy == "search:samples=1"
    first = options(found.rows).row(0, named=True)
    assert (first["decision"], first["option"]) == ("contract", "1")
