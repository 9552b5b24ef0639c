"""Players who learn the rules of their side, and comparisons by them."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import fairdeal as fd
from experiments.analysis import compare as compare_module
from experiments.analysis.adaptation_verdicts import VERDICTS, joined_verdicts
from experiments.analysis.line_values import LineValue
from experiments.analysis.scorecard_effects import difference, with_errors_apart
from experiments.core.cells import UsageError
from experiments.execution.results import load
from experiments.learning import (
    adaptation,
    adapted_arms,
    adapted_levers,
    learn,
    learning_question,
    training_rounds,
    tuned_heuristic,
)
from experiments.learning.adaptation import (
    AdaptedPlayer,
    LessonPlan,
    adapted,
    learned_anew,
)
from experiments.learning.blocks import Effort, LessonBlock
from experiments.learning.fit_network import FitPlan
from experiments.learning.tuned_heuristic import tuned
from reports.batches import BATCHES

HOW = {"players": [2], "start": "learned", "lessons": LessonPlan(1.5), "seed": 1}
KEPT = LessonPlan(1.5, kept=True)
FEW = ("-n", "64", "--seed", "1", "-j", "1", "--no-detailed")


@pytest.fixture
def small(monkeypatch, here):
    """Few games and lessons."""
    few = Effort(games=32, answers=300, own_answers=300, moments=0.1, own_value=False)
    monkeypatch.setattr(adaptation, "_EFFORT", few)
    monkeypatch.setattr(adaptation, "_GATE", 8)
    monkeypatch.setattr(adaptation, "_PLAYED_GAMES", 16)
    monkeypatch.setattr(tuned_heuristic, "_TRIED_GAMES", 2)
    monkeypatch.setattr(tuned_heuristic, "_FRESH_GAMES", 16)
    monkeypatch.setattr(training_rounds, "_FEWEST", 20)
    monkeypatch.setattr(training_rounds, "_SMALLEST", 8)
    monkeypatch.setattr(training_rounds, "PLANS", (FitPlan(least=5, most=10),))
    return here


@pytest.fixture
def taught(monkeypatch, here):
    """Players who have learned already: one heuristic under base rules, or another."""

    def learned(game, rules, **_):
        who = "racer" if rules == values() else "allround"
        return AdaptedPlayer(who, f"{who} by lessons", 1)

    monkeypatch.setattr(adapted_arms, "adapted", learned)
    return here


def values(game="drake", **changes):
    return fd.Game(game).rules(**changes).values


# --- Who adapts


def test_what_was_learned_is_found_again_and_what_was_stopped_goes_on(
    small, monkeypatch
):
    whole = adapted("drake", values(goal=8), **HOW)

    def stopped(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(adaptation, "tuned", stopped)
        with pytest.raises(KeyboardInterrupt) as caught:
            adapted("drake", values(goal=8), **HOW | {"lessons": KEPT})
    assert "rounds of lessons are kept in" in caught.value.__notes__[0]
    with monkeypatch.context() as patch:
        patch.setattr(LessonBlock, "__call__", None)  # the lessons are kept
        assert adapted("drake", values(goal=8), **HOW | {"lessons": KEPT}) == whole
    with monkeypatch.context() as patch:
        patch.setattr(training_rounds.Training, "shares", None)  # nothing is played
        assert adapted("drake", values(goal=8), **HOW | {"lessons": KEPT}) == whole
    [kept] = (small / "results").iterdir()
    assert kept.name.startswith("drake-adapted-")


@pytest.mark.slow
def test_both_sides_have_equally_many_lessons_and_seconds_say_how_many(small):
    found = [
        adapted(
            "drake", values(**rules), **HOW | {"lessons": LessonPlan(seconds)}
        ).blocks
        for rules in ({}, {"goal": 8})
        for seconds in (1.5, 3)
    ]
    assert found == [1, 2, 1, 2]


@pytest.mark.slow
def test_two_processes_teach_what_one_does(small):
    one, two = (
        adapted("drake", values(), **HOW | {"lessons": LessonPlan(1.5, jobs)})
        for jobs in (1, 2)
    )
    assert one == two


def test_options_that_a_policy_never_saw_are_learned_anew_on_both_sides():
    """The squares of letters are named by their values."""
    letters = values("kbernestich", marie_from=[0, 3, 6, 9])
    for sides in ([values("kbernestich"), letters], [letters]):
        assert learned_anew("kbernestich", sides, [4], "learned") == ("plot",)
    assert not learned_anew("kbernestich", [values("kbernestich")], [4], "learned")


@pytest.mark.slow
def test_without_a_policy_players_learn_from_the_beginning(small):
    found = adapted("drake", values(), **HOW | {"start": ""})
    assert "allround" in found.told


@pytest.mark.slow
def test_a_heuristic_is_tuned_where_a_rule_is_worth_more():
    """One declared parameter of Kbernestich's decides what letters are worth."""
    rules = values("kbernestich", marie_from=[0, 3, 6, 9])
    task, _ = learning_question.learning_task(
        "kbernestich", rules, [4], "", 1, learn.FULL
    )
    training = learn.Training(task, learn.look_around(task), 1)
    name, _, value = tuned(training, "allround").partition(":unset=")
    assert name == "allround"
    assert 3 <= float(value) <= 8


# --- Comparisons


def test_a_comparison_of_rules_has_two_answers(taught, fairdeal):
    words = ("compare", "drake", "goal=8", *FEW, "--players", "2", "--adapt", "2")
    told = fairdeal(*words, "--out", "o", "--page")
    assert told.exit_code == 0, told.stderr
    assert "adapted  base: racer by lessons" in told.stdout
    assert "adapted  goal=8: allround by lessons" in told.stdout
    assert "whether players adapt" in told.stdout
    document = json.loads((taught / "o/comparison.json").read_text())
    assert len(document["adapted"]["players"]) == 2
    assert {row["says"] for row in document["verdicts"]} <= {
        *("differs", "within", "depends", "one", "open")
    }
    lines = [row["line"] for row in document["scorecard"][0]]
    assert [row["line"] for row in document["verdicts"]] == lines
    assert [row["line"] for row in document["adapted"]["scorecard"][0]] == lines
    page = (taught / "o/report.html").read_text()
    assert "the rule alone" in page
    again = fairdeal(*words, "--out", "o", "--json")
    assert json.loads(again.stdout) == document


def test_who_stops_lessons_is_told_the_command_that_goes_on(
    here, fairdeal, monkeypatch
):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(adaptation, "taught", stopped)
    words = ("compare", "drake", "goal=8", *FEW, "--players", "2", "--out", "o")
    told = fairdeal(*words)
    assert told.exit_code == 130
    assert "Finished rounds of lessons are kept in results" in told.stderr
    assert f"To begin again: fairdeal {' '.join(words)}" in told.stderr


def test_the_door_has_both_answers(taught, monkeypatch):
    compared = []

    def seen(alone, adapted):
        compared.append(adapted)
        return joined_verdicts(alone, adapted)

    monkeypatch.setattr(compare_module, "joined_verdicts", seen)
    game = fd.Game("drake")
    how = {"players": 2, "games": 64, "seed": 1, "jobs": 1, "adapt": 2}
    found = fd.compare(game.rules(), game.rules(goal=8), detailed=False, **how)
    assert found.adapted is not None
    assert found.adapted.rows.columns == found.rows.columns
    assert set(found.adapted.rows["cell"]) == {0}
    assert found.verdicts.height == found.scorecard.height
    [adapted] = compared  # both answers are of the same deals
    assert adapted["apart_se"].drop_nulls().len() > 0
    with pytest.raises(UsageError, match="adapt: seconds, 0 or more"):
        fd.compare(game.rules(), game.rules(goal=8), **how | {"adapt": -1})


ALONE = {
    "a lineup": (("--lineup", "allround"), "--lineup learned also asks"),
    "nobody": (("--adapt", "0"), "--adapt 60 also asks"),
    "decide": (("--decide", "won by position"), "nobody adapts"),
}


@pytest.mark.parametrize("case", ALONE)
def test_one_answer_says_for_whom_it_holds(taught, fairdeal, case):
    words, said = ALONE[case]
    told = fairdeal("compare", "drake", "goal=8", *FEW, "--players", "2", *words)
    assert told.exit_code == 0, told.stderr
    assert "on both sides only" in told.stdout
    assert said in " ".join(told.stdout.split())


def test_a_comparison_of_lineups_has_one_answer(taught, fairdeal):
    sides = ("allround", "random", "--game", "drake", "--players", "2")
    told = fairdeal("compare", *sides, *FEW)
    assert told.exit_code == 0, told.stderr
    assert "adapt" not in told.stdout


# --- Verdicts


SIDE = {
    "cell": 0,
    "line": "runaway",
    "option": None,
    "tolerance": 0.01,
    "base": 0.1,
    "value": 0.2,
    "low": 0.0,
    "high": 0.0,
    "se": 0.01,
    "needed": None,
}
MORE, LESS = ("differs", 0.1), ("differs", -0.1)
SAME, OPEN, FAR = ("the same", 0.0), ("undecided", 0.08), ("undecided", -0.05)
SAYS = {
    "one sign": (MORE, MORE, "differs"),
    "two signs": (MORE, LESS, "depends"),
    "only those who adapt": (SAME, MORE, "depends"),
    "only those who do not": (LESS, SAME, "depends"),
    "surely another": (FAR, MORE, "depends"),
    "perhaps another": (OPEN, MORE, "one"),
    "neither": (SAME, SAME, "within"),
    "unknown": (SAME, OPEN, "open"),
}


@pytest.mark.parametrize("case", SAYS)
def test_a_verdict_takes_both(case):
    *sides, says = SAYS[case]
    alone, then = (
        pl.DataFrame([{**SIDE, "verdict": word, "difference": size}])
        for word, size in sides
    )
    assert joined_verdicts(alone, then)["says"].to_list() == [says]


# --- Levers, and what was found


def test_levers_are_played_again_by_those_who_learned(taught):
    game = fd.Game("drake")
    how = {"players": 2, "only": ["goal"], "games": 512, "seed": 1, "jobs": 1}
    found = fd.levers(game, **how, adapt=2)
    assert {*found.base.lineup} == {"learned"}
    assert {*found.adapted.players.values()} == {
        ("racer by lessons", "allround by lessons")
    }
    learned = found.verdicts
    assert {*learned["label"]} <= {step.label for step in found.steps}
    for label, line in learned.select("label", "line").rows():
        [alone] = found.rows.filter(label=label, line=line).rows(named=True)
        [both] = learned.filter(label=label, line=line).rows(named=True)
        says = "depends" if (label, line) in found.depending else both["says"]
        assert says == both["says"]
        assert ("whether players adapt" in found.told(alone)) == (says == "depends")
    # that the players are others on both sides is no effect of the rule alone
    assert learned["adapted_base"].to_list() != learned["base"].to_list()
    assert fd.levers(game, "allround", **how, adapt=2).adapted is None
    assert fd.levers(game, **how, adapt=0).adapted is None


def test_what_was_chosen_as_the_largest_is_played_again(taught, monkeypatch):
    """By those who played it first, on the deals of those who adapted."""
    how = {"players": 2, "only": ["goal"], "games": 512, "seed": 1, "jobs": 1}
    found = fd.levers("drake", **how, adapt=2)
    again = fd.levers("drake", **how | {"seed": 2}, adapt=0)
    both = found.adapted.alone.join(again.rows, on=["change", "line"])
    assert both.height
    assert both["difference"].equals(both["difference_right"])
    # where lessons taught nothing, both answers are one
    monkeypatch.setattr(
        adapted_arms, "adapted", lambda *_, **__: AdaptedPlayer("learned", "", 1)
    )
    same = fd.levers("drake", **how, adapt=2).verdicts
    assert same["difference"].equals(same["adapted_difference"], check_names=False)
    assert not {*same["says"]} & {"one", "depends"}


def test_answers_that_share_deals_are_compared_in_pairs():
    """Two effects move together, as the deals do: their gap is far more certain."""
    chance = np.random.default_rng(1)
    deals = chance.normal(0, 0.01, 1 + BATCHES)
    own = chance.normal(0, 0.0001, (2, 1 + BATCHES))
    alone, then = (
        [{"x": LineValue(made, made)} for made in (0 * deals, deals + each)]
        for each in own
    )
    rows = with_errors_apart(pl.DataFrame({"line": ["x", "none"]}), alone, then)
    paired, unknown = rows["apart_se"]
    assert unknown is None
    assert paired < difference(alone[0]["x"], alone[1]["x"])["se"] / 50
    sides = pl.DataFrame(
        [
            {**SIDE, "verdict": "differs", "difference": 0.1, "apart_se": paired},
            {**SIDE, "verdict": "undecided", "difference": 0.0, "apart_se": paired},
        ]
    )
    assert joined_verdicts(sides[:1], sides[1:])["says"].to_list() == ["depends"]


NEAR = pl.DataFrame(
    [  # change, difference, standard error, whether it is certain
        (1, 0.001, 0.0001, True),  # clearly within
        (2, 0.012, 0.002, True),
        (3, 0.05, 0.002, True),  # clearly beyond
        (4, -0.0095, 0.001, True),
        (5, 0.01, 0.01, False),
    ],
    ["change", "difference", "se", "marked"],
    orient="row",
).with_columns(tolerance=0.01)


def test_effects_of_about_a_tolerance_are_asked_of_those_who_adapt():
    assert [*adapted_levers._near(SimpleNamespace(rows=NEAR))] == [4, 2]


def test_levers_tell_both_answers(taught, fairdeal):
    words = ("levers", "drake", "--only", "goal", "--players", "2", "-n", "512")
    words = (*words, "--line", "positions")
    told = fairdeal(*words, "--seed", "1", "-j", "1", "--adapt", "2", "--out", "o")
    assert told.exit_code == 0, told.stderr
    assert "By players who learned the rules: gap of positions" in told.stdout
    assert "allround by lessons; base: racer by lessons" in told.stdout
    document = json.loads((taught / "o/levers.json").read_text())
    assert {row["says"] for row in document["adapted"]["rows"]} <= {*VERDICTS}
    depending = [row for row in document["adapted"]["rows"] if row["says"] == "depends"]
    assert depending  # a racer and allround do not choose alike
    assert VERDICTS["depends"] in (taught / "o/report.html").read_text()


AIMS = {
    "met": ("length <= 2.2", ["met"], "clearly met", True),
    # of two learned players the first wins 18 points more, of two allround 30
    "refuted": ("positions <= 24pp", ["missed"], "missed", False),
}


@pytest.mark.parametrize("case", AIMS)
def test_what_is_found_is_asked_of_those_who_learned(taught, fairdeal, case):
    target, words, said, met = AIMS[case]
    asked = ("find", target, "--game", "drake", "--vary", "goal=6", "--players", "2")
    told = fairdeal(*asked, "-n", "4096", "--seed", "1", "-j", "1", "--json")
    document = json.loads(told.stdout)
    [answer] = document["answers"]
    assert answer["words"] == ["met"]
    assert (answer["adapted"]["words"], answer["met"]) == (words, met)
    assert answer["adapted"]["players"] == "allround by lessons"
    text = fairdeal(*asked, "-n", "4096", "--seed", "1", "-j", "1").stdout
    assert f": {said}." in text.partition("Once players adapt: ")[2]
    assert ("--set goal=6" in text) == met
    assert ("misses it once they adapt" in text) != met


# --- Studies


STUDY = """
game = "drake"
players = 2
games = 64
seed = 1
adapt = 2
{more}
[variants]
base = {{}}
short = {{ rules = {{ goal = 6 }} }}
[targets.even]
measure = "won by position"
gap = 0.9
"""
LINEUPS = {
    "nobody named": ("", "adapted"),
    "a policy and a heuristic": ('lineups = ["learned", "random"]', "learned"),
}


def written(folder, more=""):
    (folder / "s.toml").write_text(STUDY.format(more=more))


@pytest.mark.parametrize("case", LINEUPS)
def test_each_variant_of_a_study_is_played_by_those_who_learned_it(
    taught, fairdeal, case
):
    more, label = LINEUPS[case]
    written(taught, more)
    told = fairdeal("run", "s.toml", "-j", "1", "--out", "o")
    assert told.exit_code == 0, told.stderr
    assert f"{label}, base: racer by lessons" in told.stdout
    assert f"{label}, short: allround by lessons" in told.stdout
    seats = {
        (cell.rules.plain()["goal"], cell.label): cell.strategies()[0].title
        for cell in load(Path("o")).cells
    }
    assert (seats[7, label], seats[6, label]) == ("racer", "allround")
    assert all(who == "random" for (_, name), who in seats.items() if name != label)
    again = fairdeal("run", "s.toml", "-j", "1", "--out", "o")
    assert again.exit_code == 0, again.stderr
    judged = fairdeal("check", "s.toml", "-j", "1", "--out", "c")
    assert judged.exit_code == 0, judged.stderr
    assert "allround by lessons" in judged.stdout


def test_a_study_says_how_long_its_lessons_take(taught, fairdeal, monkeypatch):
    written(taught)
    monkeypatch.setattr(adapted_arms, "adapted", None)  # nobody learns
    told = fairdeal("run", "s.toml", "--dry-run", "-j", "1")
    assert told.exit_code == 0, told.stderr
    assert "about 4 s of one core: 2 rule sets" in told.stdout


WRONG = {
    "nobody can learn": ("adapt = 2", "adapt = 2\nlineups = ['random']", "can learn"),
    "endless": ("adapt = 2", "adapt = inf", "adapt: input should be a finite number"),
    "negative": ("adapt = 2", "adapt = -2", "adapt: input should be greater than"),
    "a slip": ("adapt = 2", "adpt = 2", "did you mean 'adapt'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_studies_say_what_is_wrong_with_lessons(taught, fairdeal, case):
    here, there, said = WRONG[case]
    (taught / "s.toml").write_text(STUDY.format(more="").replace(here, there))
    told = fairdeal("run", "s.toml")
    assert told.exit_code == 2
    assert said in " ".join(told.stderr.split())
