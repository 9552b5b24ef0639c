"""Cures that a report tries: for the lines that page one names, with their price."""

from dataclasses import replace
from types import SimpleNamespace

import polars as pl
import pytest

import sim.games
from experiments.analysis.cures import GAMES, Cure, _cure, cures, goals_of, with_cures
from experiments.analysis.scorecard_goals import Goal
from experiments.core.cells import Cell
from experiments.variants.variant_files import load_variant
from experiments.variants.variants import resolve_variant
from reports.report_document import PageOne, Sentence
from reports.scorecard.lines import BY_ID, LINES
from reports.scorecard.scored_line import SCHEMA

DRAKE = sim.games.load("drake")


def page(*problems):
    """Page one with (line, value) that are broken, the first first."""
    rows = [
        {"line": line, "value": value, "chance": 0.3, "verdict": "broken"}
        for line, value in problems
    ]
    table = pl.DataFrame([dict.fromkeys(SCHEMA) | row for row in rows], schema=SCHEMA)
    told = [Sentence(f"About {line}.", line, "sure", "") for line, _ in problems]
    return PageOne((), tuple(told), table)


def test_cures_are_looked_for_where_rule_changes_can_be_judged():
    """A trap needs runs of its own, and is left out; at most two are looked for."""
    verdict = page(("trap", 0.1), ("choices", 0.1), ("runaway", 0.9), ("length", 900.0))
    assert [str(goal) for goal in goals_of(verdict, LINES, "drake")] == [
        "choices >= 50%",
        "runaway <= 10%",
    ]
    fair = replace(verdict, table=verdict.table.with_columns(verdict=pl.lit("fair")))
    assert goals_of(fair, LINES, "drake") == []


def test_a_cure_stands_beside_the_sentence_of_its_line():
    cure = Cure("length", "Do so.", "It costs.", "there/length-90.toml")
    told = with_cures(page(("trap", 0.1), ("length", 1.0)), [cure]).sentences
    assert [each.told for each in told] == [
        "About trap.",
        "About length. Do so. It costs.",
    ]
    assert [each.variant for each in told] == ["", "cures/length-90.toml"]


def test_no_cure_is_told_of_what_the_games_do_not_show(tmp_path):
    """Else a gap would be mended from 0 to 0 points."""
    cell = Cell("drake", DRAKE.rules(), 4, ("allround",) * 4, True, 3)
    search = SimpleNamespace(cell=cell, games=GAMES, tried=9, base_words=("open",))
    goal = Goal(BY_ID["positions"], True, 0.03)
    cure = _cure(search, goal, tmp_path / "cure.toml")
    assert "--cures" in cure.words
    assert not cure.variant
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_a_cure_of_length_makes_games_shorter_and_can_be_taken_along(tmp_path):
    """Games of the Drake take 2.9 minutes, and 2.5 are wanted."""
    cell = Cell("drake", DRAKE.rules(), 4, ("allround",) * 4, True, 3)
    goal = Goal(BY_ID["length"], True, 2.5)
    [cure] = cures(cell, [goal], GAMES, tmp_path)
    assert cure.line == "length"
    file = load_variant(DRAKE, next(tmp_path.glob("*.toml")))
    changed = resolve_variant(DRAKE, file).rules
    assert changed != DRAKE.rules()
    assert "--set" in cure.price
    again = [*cures(cell, [goal], GAMES, tmp_path)]
    assert again == [cure], "what is there is read, not played again"
