"""What options are worth: never and always taking one, on the same deals."""

import polars as pl

import sim.games
from experiments.analysis.knockout import knockout_of
from experiments.analysis.option_worth import LEAST, option_worth
from experiments.core.cells import Cell
from experiments.counterfactual.forbidden_options import option_families

DRAKE = Cell("drake", sim.games.load("drake").rules.of(), 2, ("allround",) * 2, True, 3)


def test_without_an_option_it_is_the_knockout():
    rows = option_worth(DRAKE, 6, 8)
    assert set(rows["games"]) == {LEAST}
    alone = knockout_of(DRAKE, LEAST).rows
    both = rows.filter(decision="play").join(alone, ["decision", "option"])
    single = both.filter(pl.col("option") != "")
    assert single.height == 3
    assert single["lost"].to_list() == single["lost_right"].to_list()
    assert single["taken"].to_list() == single["taken_right"].to_list()
    assert "pass" not in rows["option"].to_list()


def test_where_there_are_many_options_only_rare_ones_are_forced(monkeypatch):
    rows = option_worth(DRAKE, 64, 2).filter(pl.col("option") != "")
    assert rows["lost"].null_count() == 0
    assert "always" not in rows.columns
    monkeypatch.setattr("experiments.analysis.option_worth._RARE", 0.3)
    forced = option_worth(DRAKE, 64, 2).filter(pl.col("option") != "")
    rare = forced.filter(pl.col("taken") < 0.3)
    assert rare.height == forced["always"].drop_nulls().len() > 0
    assert rows.filter(decision="play")["taken"].sum() > 0


def test_of_a_whole_deck_it_is_told_how_often_cards_are_played(monkeypatch):
    monkeypatch.setattr("experiments.analysis.option_worth.ALL", 2)
    rows = option_worth(DRAKE, 64, 2).filter(pl.col("option") != "")
    assert "lost" not in rows.columns or rows["lost"].null_count() == rows.height
    assert rows.filter(decision="play")["taken"].sum() > 0


def test_what_no_rule_lets_happen_is_never_offered():
    """No card is a 14, so nobody can ever claim that square."""
    rules = sim.games.load("kunitame").rules.of({"squares.card-11.num": [14, 14]})
    cell = Cell("kunitame", rules, 3, ("allround",) * 3, True, 3)
    rows = option_worth(cell, 64, 0).filter(why="never offered")
    assert rows["option"].to_list() == ["card-11"]


def test_options_that_players_call_by_one_word_are_forbidden_together():
    rules = sim.games.load("kbernestich").rules()
    cell = Cell("kbernestich", rules, 4, ("allround",) * 4, True, 3)
    found = {each.do.option: each.do.ids for each in option_families(cell)}
    assert {"any bid", "any bust value"} <= set(found)
    assert found["any bust value"] == ("bust-20", "bust-22", "bust-26", "bust-28")
    assert "any card" not in found  # that is every option


def test_to_play_the_same_deck_always_costs_something():
    rows = option_worth(DRAKE, 4_096, 8).filter(decision="play", option="treasure")
    assert rows["always_verdict"].to_list() == ["loses"]
    assert rows["always_low"][0] > 0
