"""Which rule values no player at a table reads."""

import json

import pytest

import fairdeal as fd
from experiments.analysis.unread_rules import unread_rules
from experiments.core.cells import Cell
from sim.games import load


def asked(game, changes, lineup, players=4):
    """What players read of rules that differ from the base."""
    rules = load(game).rules
    cell = Cell(game, rules.of(changes), players, (lineup,))
    return unread_rules(cell, Cell(game, rules(), players, (lineup,)))


@pytest.mark.parametrize("who", ["allround", "planner"])
def test_nobody_reads_the_points_of_contracts(who):
    found = asked("kunitame", {"contract_points": [3] * 5}, who)
    assert found.unread == ["contract_points"]
    assert found.sentence.startswith("nobody here reads contract_points: ")
    assert who in found.sentence


@pytest.mark.parametrize(
    ("game", "changes", "players"),
    [
        ("kbernestich", {"marie_from": [0, 3, 6, 9]}, 4),  # read, and badly
        ("kbernestich", {"hunch_points": 15}, 4),
        ("kunitame", {"weeks": 3}, 4),  # gems are spent in the last week
        ("devil", {"s4_end": "all"}, 4),
        ("evilpact", {"contract_after_round": 6}, 2),
        ("drake", {"goal": 9}, 4),
    ],
)
def test_what_heuristics_plan_with_is_read(game, changes, players):
    assert not asked(game, changes, "allround", players).unread


@pytest.mark.parametrize("who", ["allround", "random"])
@pytest.mark.parametrize("game", ["article_ii", "devil", "drake", "socialism"])
def test_nobody_is_said_to_read_where_a_simulation_gives_up(game, who):
    """Nor does a question asked twice have two answers, by chance or by memory."""
    guard = load(game).rules().guard
    assert asked(game, {"guard": guard - 1}, who).unread == ["guard"]


@pytest.mark.parametrize("who", ["allround", "random", "saver"])
def test_who_wins_a_tie_is_read_by_nobody(who):
    assert asked("kbernestich", {"final_tie": "shared"}, who).unread == ["final_tie"]


@pytest.mark.parametrize("changes", [{"life": 5}, {"hand": 8}])
def test_what_lies_on_the_table_everybody_sees(changes):
    found = asked("kunitame", changes, "allround")
    assert found.table["seen"].all()
    assert not found.unread


def test_search_plays_the_rules_themselves():
    assert not asked(
        "kunitame", {"contract_points": [3] * 5}, "search:samples=1"
    ).unread


def test_a_policy_reads_what_its_advisers_do():
    assert not asked("kbernestich", {"hunch_points": 15}, "learned").unread
    assert asked("kunitame", {"contract_points": [3] * 5}, "learned").unread


def test_one_reader_is_enough():
    who = "kbernestich", {"refill": [[0, 25, 4], [26, 40, 3], [41, 9999, 2]]}
    assert asked(*who, "allround").unread == ["refill"]
    mixed = "saver", "allround", "allround", "allround"
    rules = load("kbernestich").rules
    base, here = rules(), rules.of(who[1])
    found = unread_rules(
        Cell("kbernestich", here, 4, mixed), Cell("kbernestich", base, 4, mixed)
    )
    assert found.table["read_by"].to_list() == [["saver"]]
    assert not found.unread


def test_every_rule_of_a_game_by_its_steps():
    found = fd.Game("drake").unread_rules(lineup="allround")
    assert "goal" not in found.unread
    assert {"must_act", "sangria_returns"} <= {*found.unread}
    assert json.loads(json.dumps(found.to_dict()))["unread"] == found.unread


def test_a_comparison_says_it(fairdeal):
    words = ("-n", "64", "--seed", "1", "-j", "1", "--no-detailed", "--adapt", "0")
    told = fairdeal("compare", "kunitame", "contract_points=[3,3,3,3,3]", *words)
    assert "players  nobody here reads contract_points" in told.stdout
    told = fairdeal("compare", "kunitame", "weeks=3", *words)
    assert "nobody here reads" not in told.stdout
