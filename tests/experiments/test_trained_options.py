"""Options that nobody knows how to use are judged by a player trained to use them."""

import polars as pl
import pytest

from experiments.analysis import trained_options
from experiments.analysis.trained_options import TrainedOption, judged, verdict_of
from experiments.core.cells import Cell
from experiments.learning import adaptation, training_rounds
from experiments.learning.adaptation import ForcedLessons, LessonPlan
from experiments.learning.blocks import Effort
from experiments.learning.fit_network import FitPlan
from reports.report_document import PageOne, ReportDocument, Section, Sentence
from reports.scorecard.option_verdicts import NUMBERS, exhibit_of
from reports.scorecard.sentences import UNABLE
from sim.games import load
from strategies import policy_store
from strategies.policy_file import from_bytes

KEY = ("play", "maiden")
LOSES, OPEN, GAINS, NOTHING = (
    {"more": (low + high) / 2, "low": low, "high": high}
    for low, high in ((-0.2, -0.12), (-0.1, 0.1), (0.02, 0.1), (-0.004, 0.004))
)


def cell(who="allround"):
    return Cell("drake", load("drake").rules(), 2, (who,), True, 3)


@pytest.mark.parametrize(
    ("without", "always", "able", "uses", "verdict", "why"),
    [
        (NOTHING, LOSES, True, False, "dead", "loses 16 points by taking it"),
        (NOTHING, LOSES, False, False, "nobody knows", "does nothing with it"),
        (NOTHING, OPEN, True, False, "nobody knows", "taking it is open"),
        (NOTHING, GAINS, True, False, "nobody knows", "taking it wins 6 points more"),
        (LOSES, LOSES, True, True, "backbone", "loses 16 points without it"),
        (GAINS, LOSES, True, True, "weak", "less than a point without it"),
        (OPEN, LOSES, True, True, "nobody knows", "is not settled"),
    ],
)
def test_the_verdict_is_by_what_the_trained_player_does(
    without, always, able, uses, verdict, why
):
    found = verdict_of(KEY, without, always, able=able, uses=uses)
    assert found.verdict == verdict
    assert why in found.words
    assert found.lost == -without["more"]


def test_an_option_is_judged_beside_the_leading_players(tmp_path, monkeypatch):
    monkeypatch.setattr(trained_options, "GAMES", 64)
    monkeypatch.setattr(trained_options, "_USE", 16)
    asked = []

    def train(table, names, out):
        asked.append((table, names, out))
        return "racer"

    keys = [KEY, ("play", "knight")]
    maiden, knight = trained_options.trained_options(cell(), keys, train, tmp_path)
    assert asked == [(cell(), ["play:maiden", "play:knight"], tmp_path / "lessons")]
    assert (maiden.option, knight.option) == ("maiden", "knight")
    assert all(one.low <= one.lost <= one.high for one in (maiden, knight))
    assert "nothing with it" not in maiden.why  # it needs no follow-up


def report():
    row = {"decision": "play", "option": "maiden", "verdict": "nobody knows"}
    rows = pl.DataFrame([row | {"taken": 0.0} | dict.fromkeys(NUMBERS)])
    rows = rows.with_columns(pl.col(NUMBERS).cast(pl.Float64))
    told = (
        Sentence(f"{UNABLE} “maiden at play”; no verdict on it.", "dead", "open", ""),
        Sentence("Undecided.", "", "open", ""),
    )
    lines = pl.DataFrame({"line": ["dead", "trap"], "unable": ["maiden at play", ""]})
    section = Section("taken", "Options", "", (exhibit_of(rows, "allround"),))
    page_one = PageOne((), told, lines)
    return ReportDocument("", "", (), (), (section,), verdict=page_one)


def test_the_outcome_stands_in_the_sentence_and_in_the_table(tmp_path, monkeypatch):
    found = TrainedOption(*KEY, "dead", 0.0, -0.004, 0.004, "one loses 16 points")
    monkeypatch.setattr(trained_options, "trained_options", lambda *_: [found])
    made = judged(report(), cell(), lambda *_: "racer", tmp_path)
    first, second = made.verdict.sentences
    assert first.text == (
        f"{UNABLE} “maiden at play”. One had lessons: “maiden at play”: dead, as one "
        "loses 16 points."
    )
    assert second.text == "Undecided."
    [shown] = made.sections[0].exhibits
    assert shown.table.select("verdict", "lost").rows() == [("dead", 0.0)]
    assert "one loses 16 points" in shown.note


def test_without_lessons_or_such_options_nothing_changes(tmp_path):
    made = report()
    assert judged(made, cell(), None, tmp_path) is made
    known = made.verdict.table.with_columns(unable=pl.lit(""))
    verdict = PageOne((), (), known)
    made = ReportDocument("", "", (), (), (), verdict=verdict)
    assert judged(made, cell(), lambda *_: "racer", tmp_path) is made


@pytest.mark.slow
def test_lessons_force_the_options_and_go_on_from_who_learned(tmp_path, monkeypatch):
    few = Effort(games=32, answers=300, own_answers=300, moments=0.1, own_value=False)
    monkeypatch.setattr(adaptation, "_EFFORT", few)
    monkeypatch.setattr(adaptation, "_GATE", 8)
    monkeypatch.setattr(training_rounds, "_FEWEST", 20)
    monkeypatch.setattr(training_rounds, "_SMALLEST", 8)
    monkeypatch.setattr(training_rounds, "PLANS", (FitPlan(least=5, most=10),))
    train = ForcedLessons(LessonPlan(0.1), 1)
    spec = train(cell("learned"), ["play:maiden"], tmp_path)
    about = from_bytes(policy_store.data_of(spec)).about
    assert about["forced"] == [["play", "maiden"]]
    assert about["blocks"] == [2]  # one of which has it forced
    assert train(cell("learned"), ["play:maiden"], tmp_path) == spec
