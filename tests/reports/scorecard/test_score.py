"""The lines of a scorecard: the right numbers, and verdicts by tests."""

import math
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from experiments.analysis import scorecard_effects
from experiments.core.block_records import Block, record_block
from experiments.core.cells import Cell
from experiments.core.measures import measures_of, report_of
from experiments.core.option_counts import OptionCounts
from experiments.execution.run import run
from reports.measures import SUMS, Measure
from reports.report_data import CELL, ReportData
from reports.scorecard.cell_lines import CELL_LINES, CellMeasures
from reports.scorecard.line_estimate import LineEstimate
from reports.scorecard.lines import LINES, with_targets
from reports.scorecard.score import OPTIONAL_LINES, ScorecardRun, score, scores
from reports.scorecard.score_line import LineTolerance
from reports.scorecard.scored_line import SCHEMA, verdict_of
from reports.scorecard.sentences import sentences
from sim.games import load
from sim.listener import Listener
from tests.reports.planted import dice

__all__ = ["dice"]
GAMES = 4_096
SHARE = {"x": GAMES, "xx": GAMES, "games": GAMES}


def won_by(position_wins):
    """A run in which positions win so often; nothing else is known of it."""
    rows = [
        {"cell": 0, "measure": "won by position", "position": at, "y": y, "yy": y}
        | {"xy": y, "yyy": y, **SHARE}
        for at, y in enumerate(position_wins, start=1)
    ]
    sums = pl.DataFrame(rows).cast(dict.fromkeys(SUMS, pl.Float64))
    cells = pl.DataFrame(
        {"cell": 0, "lineup": "clever", "kind": "self", "players": len(position_wins)}
        | {"strategy_declining": "", "moment": 0, "changes": ""}
    ).cast({"cell": pl.Int32})
    sums = sums.with_columns(strategy=pl.lit(None, pl.String), by=pl.lit("", pl.String))
    measures = [
        Measure("won by position", "", "share", by=("position",)),
        Measure("won by strategy", "", "share", by=("strategy",)),
        Measure("decided", "", "share of games", by=("by",)),
    ]
    known = {measure.name: measure for measure in measures}
    return ReportData(sums, cells, GAMES, {}, "clever", known)


@pytest.mark.parametrize(
    ("won", "verdict"),
    [
        ((1024, 1024, 1024, 1024), "fair"),
        ((1070, 1024, 1024, 978), "fair or watch"),
        ((1100, 1024, 1024, 948), "not settled"),
        ((1160, 1024, 1024, 888), "watch or broken"),
        ((1400, 1024, 872, 800), "broken"),
        ((800, 872, 1024, 1400), "broken"),  # whoever it is
    ],
)
def test_positions_are_judged_by_tests(won, verdict):
    [row] = score(ScorecardRun(won_by(won))).filter(line="positions").to_dicts()
    assert row["verdict"] == verdict
    assert row["low"] <= row["value"] <= row["high"]


def test_roles_are_judged_where_a_game_deals_some():
    data = won_by((1400, 1024, 872, 800))
    sums = data.sums.with_columns(
        measure=pl.lit("won by role"),
        role=pl.col("position").replace_strict({1: "A", 2: "B", 3: "C", 4: "D"}),
    )
    measure = Measure("won by role", "", "share", by=("role",))
    known = {**data.measures, measure.name: measure}
    data = replace(
        data, sums=pl.concat([data.sums, sums], how="diagonal"), measures=known
    )
    [found] = [one for one in scores(ScorecardRun(data)) if one.line.id == "roles"]
    assert found.verdict == "watch"
    assert found.estimate.words["best"] == "A"
    assert any(
        one.text.startswith("A wins 34 of 100 games and D only 20, where 25 would be")
        for one in sentences([found])
    )


def test_every_line_is_there_measured_or_not():
    table = score(ScorecardRun(won_by((1024, 1024, 1024, 1024))))
    assert dict(table.schema) == SCHEMA
    lines = [line.id for line in LINES if line.id not in OPTIONAL_LINES]
    assert table["line"].to_list() == lines
    rest = table.filter(~pl.col("line").is_in(["positions"]))
    assert set(rest["verdict"]) == {"not measured"}


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.01, 0.09, "fair"),
        (0.05, 0.11, "fair or watch"),
        (0.11, 0.14, "watch"),
        (0.12, 0.16, "watch or broken"),
        (0.16, 0.20, "broken"),
        (0.09, 0.16, "not settled"),  # all three may be
    ],
)
def test_a_word_stands_alone_where_the_interval_lies_within_it(low, high, verdict):
    value, se = (low + high) / 2, (high - low) / 2 / 1.96
    limits = LineTolerance(most=0.1, margin=0.05)
    assert (
        verdict_of(LineEstimate(value, low, high, (value,), (se,)), limits) == verdict
    )
    beside = LineEstimate(
        9, 8, 10, (value,), (se,), chance=8.9
    )  # by chance: the difference
    assert verdict_of(beside, limits) == verdict
    assert verdict_of(None, limits) == "not measured"


def test_two_verdicts_are_told_in_the_sentence():
    [first, *_] = sentences(scores(ScorecardRun(won_by((1160, 1024, 1024, 888)))))
    assert "to be watched, perhaps broken." in first.text
    [first, *_] = sentences(scores(ScorecardRun(won_by((1400, 1024, 872, 800)))))
    assert "perhaps" not in first.text


def test_targets_change_tolerances():
    lines = with_targets({"positions": {"most": 0.1}, "choices": {"least": 0.9}})
    limits = {line.id: line.tolerance for line in lines}
    assert limits["positions"] == LineTolerance(most=0.1, margin=0.03)
    assert limits["choices"].least == 0.9
    run_ = ScorecardRun(won_by((1070, 1024, 1024, 978)), lines=lines)
    assert scores(run_)[0].verdict == "fair"


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ({"positons": {}}, "no line 'positons'; nearest is 'positions'"),
        ({"positions": {"mst": 1}}, "targets.positions: no key 'mst'"),
        ({"positions": {"most": "1"}}, "targets.positions.most: a number, not '1'"),
        ({"options": {"least": 30}}, "targets.options: least 30 lies above most 20"),
        ({"options": {"margin": math.nan}}, "margin: 0 or more"),
        ({"options": 3}, "targets.options: a table"),
    ],
)
def test_wrong_targets_name_the_place(targets, words):
    with pytest.raises(ValueError, match=words):
        with_targets(targets)


def test_choices_are_counted_as_they_are_made(dice):
    cell = Cell("dice", dice.rules.of(), 2, ("bold", "humble"), True, 3)
    block = Block(0, 8, 80)
    choices = OptionCounts.of(cell, block)
    record_block(cell, block, (), [choices])
    taken, real, in_turn = choices.counts()
    rows = taken.sums().sort("option").select("decision", "option", "y", "x").rows()
    # one game in four, a decision of each player; all three are always open
    assert rows == [
        ("take", "one", 20, 40),
        ("take", "three", 20, 40),
        ("take", "two", 0, 40),
    ]
    assert real.sums().select("y", "x", "games").row(0) == (40, 40, 20)
    assert in_turn.sums().select("y", "x", "games").row(0) == (40, 20, 20)


def decided(game, at_once):
    """All decisions of 32 games, those in turn, and those ``at_once`` by game and week.

    ``at_once`` is the kind of decision that all players make at the same time.
    """
    cell = Cell(str(game), load(game).rules.of(), load(game).players[0], ("random",))
    block, kept = Block(0, 0, 32), {}

    class Kept(Listener):
        def hears(self, name):
            return name == at_once

        def choice(self, state, choice):
            when = state.clock.labels()
            week = when.get("week", when.get("turn"))
            weeks = [week] * 32 if isinstance(week, int) else week
            for row in choice.asked.nonzero()[0].tolist():
                place = int(state.games[row]), int(weeks[row])
                kept[place] = kept.get(place, 0) + 1

    choices = OptionCounts(load(game), 0, 32)
    record_block(cell, block, (), [choices, Kept()])
    _, real, in_turn = (counts.sums() for counts in choices.counts())
    return real["x"][0], in_turn["y"][0], kept


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        ("kunitame", "contract"),
        ("evilpact", "contract"),
        (Path("tests/own_game/draft.py").resolve(), "take"),
    ],
    ids=lambda one: getattr(one, "stem", one),
)
def test_what_is_decided_at_once_takes_the_time_of_one_decision(game, kind):
    every, in_turn, at_once = decided(str(game), kind)
    assert sum(at_once.values()) > len(at_once) > 0
    assert every - in_turn == sum(at_once.values()) - len(at_once)


def test_decisions_of_other_games_are_all_made_in_turn():
    every, in_turn, _ = decided("drake", "")
    assert every == in_turn > 0


def test_a_contract_is_taken_where_any_gem_lies_on_it():
    """Of a week's contracts of a player, each number of tricks is one option."""
    rules = load("kunitame").rules.of({"weeks": 2})
    cell = Cell("kunitame", rules, 4, ("allround",) * 4, True, 3)
    block, kept = Block(0, 8, 16), {}

    class Kept(Listener):
        def hears(self, name):
            return name == "contract"

        def choice(self, state, choice):
            wide = state.options_per_token
            asked = choice.legal[choice.asked], choice.answer[choice.asked]
            words = state.vocabularies["contract"]
            for legal, answer in zip(*asked, strict=True):
                for at in range(wide):
                    column = sum(1 << g * wide + at for g in range(64 // wide))
                    could, was = kept.setdefault(words[at], [0, 0])
                    could += bool(int(legal) & column)
                    was += bool(int(answer) & column)
                    kept[words[at]] = [could, was]

    choices = OptionCounts(load("kunitame"), 8, 16)
    record_block(cell, block, (), [choices, Kept()])
    taken, *_ = choices.counts()
    rows = taken.sums().filter(decision="contract").select("option", "x", "y").rows()
    assert {option: [x, y] for option, x, y in rows} == kept
    assert sum(y for _, _, y in rows) > 0


def test_a_report_and_the_levers_tell_the_same_numbers():
    """Of the same games; a line by chance is what it is beyond chance."""
    rules, many = load("kunitame").rules.of({"weeks": 2}), 256
    cell = Cell("kunitame", rules, 4, ("greedy",) * 4, True, 3)
    levers = scorecard_effects.play([cell], many, mixed=False)
    found = run([cell], many, detailed=True)
    about = dict.fromkeys(CELL, "") | {"cell": 0, "players": 4, "moment": 0}
    cells = pl.DataFrame(about).cast(CELL)
    data = ReportData(found.sums, cells, many, {}, "greedy", measures_of("kunitame"))
    here = CellMeasures(data, 0, 4, tuple(report_of("kunitame").undecided))
    compared = set()
    for line in levers.lines:
        if line.id in CELL_LINES and (told := CELL_LINES[line.id](here)):
            number = told.value if told.chance is None else told.values[0]
            assert number == pytest.approx(levers.values[0][line.id].estimate), line.id
            compared.add(line.id)
    assert compared == CELL_LINES.keys() - {"half", *OPTIONAL_LINES}
