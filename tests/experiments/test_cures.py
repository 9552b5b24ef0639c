"""Cures that a report tries: for the lines that page one names, with their price."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import sim.games
from experiments.analysis.cures import (
    GAMES,
    Cure,
    CureRun,
    _Asked,
    cures,
    goals_of,
    with_cures,
)
from experiments.analysis.line_values import LineValue
from experiments.analysis.rule_search import (
    AdaptedAnswer,
    CandidateChange,
    NothingToTryError,
    RuleSearch,
)
from experiments.analysis.scorecard_goals import Goal
from experiments.core.cells import Cell, UsageError
from experiments.learning.adaptation import LessonPlan
from experiments.learning.adapted_search import AdaptToCures
from experiments.variants.rule_steps import step_to
from experiments.variants.variant_files import load_variant
from experiments.variants.variants import resolve_variant
from reports.batches import BATCHES
from reports.drake.rule_sweeps import rule_sweeps
from reports.report_document import Cause, PageOne, Sentence
from reports.scorecard.lines import BY_ID, LINES
from reports.scorecard.scored_line import SCHEMA
from sim.parameters import RuleError

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


ROLES = Goal(BY_ID["roles"], True, 0.10)
COUNT = 1_024.0


def gap(**shares):
    """The gap of these shares, each of 1,024 games; batches that hardly differ."""
    apart = max(shares.values()) - min(shares.values())
    numbers = np.full(1 + BATCHES, apart)
    numbers[1::2] += 1e-6
    return {
        "roles": LineValue(
            numbers, numbers, parts={name: (x, COUNT) for name, x in shares.items()}
        )
    }


BASE = gap(Pride=0.83, Wrath=0.06)
FAIR, HALF, WORSE = (
    gap(Pride=x, Wrath=y) for x, y in ((0.3, 0.25), (0.2, 0.4), (0.9, 0.01))
)
STEPS = {
    step.setting: step
    for change in ({"maidens": 10, "knights": 10}, {"goal": 6})
    for step in [step_to(DRAKE.rules(), change, 4)]
}
DECKS, GOAL = STEPS


def answer(setting, values, words=("missed",)):
    moved = pl.DataFrame(schema={"line": pl.String, "verdict": pl.String})
    return CandidateChange(STEPS[setting], values, words, moved)


def searched(*answers, base=("missed",)):
    """A search of the Drake that found these answers."""
    cell = Cell("drake", DRAKE.rules(), 4, ("allround",) * 4, True, 3)
    scores = SimpleNamespace(line=BY_ID.__getitem__)
    return RuleSearch(cell, (ROLES,), answers, BASE, base, 9, GAMES, scores, 2)


def told(tmp_path, search, learned=None, changes=()):
    """The cure; learned: by setting, what those who adapt make of it."""

    def adapt(found, one, **_):
        values = learned[one.step.setting]
        words = ("met",) if values is FAIR else ("missed",)
        asked = replace(one, adapted=AdaptedAnswer(values, words, "they"))
        return replace(found, answers=(asked,))

    asked = _Asked(
        ROLES,
        Cause("roles", "", changes),
        None if learned is None else adapt,
        {"out": tmp_path},
    )
    return asked.cure(search, tmp_path / "cure.toml")


def test_a_cure_tells_shares_with_intervals_and_who_wins_most_now(tmp_path):
    cure = told(tmp_path, searched(answer(DECKS, HALF)))
    assert (
        "Pride wins 20 ± 3 of 100 games instead of 83 ± 3, nobody above 40 ± 4."
        in cure.words
    )
    assert cure.words.startswith("No full cure; the nearest (9 changes tried, 2 more")
    assert "players like allround who did not adapt to it" in cure.price


def test_what_acts_on_the_cause_says_so(tmp_path):
    for changes, there in ((({"maidens": 9, "knights": 9},), True), ((), False)):
        cure = told(tmp_path, searched(answer(DECKS, FAIR, ("met",))), None, changes)
        assert cure.words.startswith("A cure")
        assert ("that acts on the cause" in cure.words) == there


def test_what_players_who_adapt_undo_is_not_proposed(tmp_path):
    search = searched(answer(DECKS, FAIR, ("met",)), answer(GOAL, HALF, ("met",)))
    cure = told(tmp_path, search, {DECKS: WORSE, GOAL: FAIR})
    assert cure.words.startswith("A cure")
    assert "goal=6" in cure.price
    assert "who learned it" in cure.price
    assert "30 ± 3" in cure.words, "the number of those who learned"
    undone = told(tmp_path, search, {DECKS: WORSE, GOAL: WORSE})
    assert undone.words.startswith("No cure among 9 changes tried")
    assert "players who adapt undo maidens 8 -> 10, knights 8 -> 10 and" in undone.words
    assert (undone.price, undone.variant) == ("", "")


def test_without_a_cure_it_says_how_many_changes_were_tried(tmp_path):
    cure = told(tmp_path, searched(answer(DECKS, WORSE)))
    assert cure.words == (
        "No cure among 9 changes tried by players like allround, 2 more not possible."
    )


def test_only_rules_that_cannot_be_changed_are_passed_over(monkeypatch, tmp_path):
    """A mistake of another kind is not swallowed."""
    cell = Cell("drake", DRAKE.rules(), 4, ("allround",) * 4, True, 3)

    def refuse(error):
        def find(*_, **__):
            raise error

        monkeypatch.setattr("experiments.analysis.cures.find", find)
        return [*cures(CureRun(cell, tmp_path), [ROLES], GAMES)]

    [cure] = refuse(NothingToTryError("vary: nothing"))
    assert cure.words == "No cure can be told, as no other rule can be tried."
    for error in (UsageError("a folder of another run"), RuleError("goal: 1 or more")):
        with pytest.raises(type(error), match=str(error)):
            refuse(error)


def test_no_cure_is_told_of_what_the_games_do_not_show(tmp_path):
    """Else a gap would be mended from 0 to 0 points."""
    cure = told(tmp_path, searched(answer(DECKS, FAIR), base=("open",)))
    assert "--cures" in cure.words
    assert not cure.variant
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_a_cure_of_length_makes_games_shorter_and_can_be_taken_along(tmp_path):
    """Games of the Drake take 2.9 minutes, and 2.5 are wanted."""
    cell = Cell("drake", DRAKE.rules(), 4, ("allround",) * 4, True, 3)
    goal = Goal(BY_ID["length"], True, 2.5)
    lessons = AdaptToCures(LessonPlan(1.0), named=False)
    run = CureRun(cell, tmp_path, adapt=lessons)
    [cure] = cures(run, [goal], GAMES)
    assert cure.line == "length"
    file = load_variant(DRAKE, next(tmp_path.glob("*.toml")))
    changed = resolve_variant(DRAKE, file).rules
    assert changed != DRAKE.rules()
    assert "by players like allround who learned it: --set" in cure.price
    again = [*cures(run, [goal], GAMES)]
    assert again == [cure], "what is there is read, not played again"


@pytest.mark.slow
def test_the_drake_is_mended_by_larger_decks(tmp_path):
    """What its report names as the cause; a rule at a time does less."""
    sizes = (
        sweep for sweep in rule_sweeps(DRAKE.rules().plain()) if len(sweep.values) == 2
    )
    changes = (dict(sweep.changes) for sweep in sizes if sweep.sweep == "sizes")
    alike = [each for each in changes if each["maidens"] == each["knights"]]
    cause = {"roles": Cause("roles", "", (*alike,))}
    cell = Cell("drake", DRAKE.rules(), 4, ("allround",) * 4, True, 1)
    [cure] = cures(CureRun(cell, tmp_path), [ROLES], GAMES, cause)
    assert " acts on the cause (" in cure.words
    words = r"Pride wins (\d+) ± \d+ of 100 games instead of (\d+) ±"
    after, before = map(int, re.search(words, cure.words).groups())
    assert before > 75
    assert after < 35
    assert re.search(r"--set maidens=(\d+) --set knights=\1$", cure.price)
