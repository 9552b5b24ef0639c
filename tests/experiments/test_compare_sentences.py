"""A comparison in sentences: fairer or less fair, what is open, what is no finding."""

from dataclasses import replace

import polars as pl
import pytest

from experiments.analysis import compare_report, compare_sentences
from experiments.analysis.cell_names import CellNames
from experiments.analysis.compare import compare
from experiments.analysis.comparison_arms import Arm
from experiments.core.cells import Cell
from sim.games import load
from tests.reports.planted import DiceRules, dice  # noqa: F401 - a fixture


def sides(one, other):
    """Two rule sets of dice, played by who takes three coins."""
    cells = [Cell("dice", rules, 2, ("bold",), True, 1) for rules in (one, other)]
    return [Arm(name, (cell,)) for name, cell in zip("AB", cells, strict=True)]


def compared(one, other):
    """Both sides, and what was found of them."""
    left, right = sides(one, other)
    return left, right, compare(left.cells, right.cells, 2_048, with_scorecards=True)


@pytest.mark.parametrize(
    ("before", "after", "word"), [(0, 2, "less fair"), (2, 0, "fairer")]
)
def test_it_says_whether_the_game_got_fairer(dice, before, after, word):  # noqa: F811
    die = {"die": 8}
    one, other = (DiceRules(head_start=coins, **die) for coins in (before, after))
    [[first, *_]] = compare_sentences.comparison_sentences(compared(one, other)[2], "B")
    assert first.startswith(f"B: {word} (gap of positions ")
    assert "not longer" in first


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (0, 6, "Now the last is ahead, "),
        (6, 0, "Nobody is ahead for certain now, "),
        (6, 8, "The last is ahead as before, "),
    ],
)
def test_it_says_who_is_ahead_and_whether_it_is_broken(
    dice,  # noqa: F811
    before,
    after,
    words,
):
    """Of a fair die the second wins as often; with six coins more nearly always."""
    one, other = (DiceRules(head_start=coins, die=12) for coins in (before, after))
    [[first, direction, *_]] = compare_sentences.comparison_sentences(
        compared(one, other)[2], "B"
    )
    assert direction.startswith(words), direction
    if after:
        assert "broken" in direction
        assert ("still broken" in direction) == bool(before)
    if before != 6 or after != 8:
        assert "gap of positions" in first


def test_sides_that_are_the_same_have_no_direction(dice):  # noqa: F811
    one, other = DiceRules(die=8), DiceRules(die=8, gift=1)
    [sentences] = compare_sentences.comparison_sentences(compared(one, other)[2], "B")
    assert not any("ahead" in words for words in sentences)


def test_what_the_rule_itself_says_is_no_finding():
    """Of all rows of the table of refills there is one: it is always used."""
    rules = load("kbernestich").rules
    cells = [
        Cell("kbernestich", one, 4, ("allround",), True, 1)
        for one in (rules(), rules.of({"refill": [[0, 9999, 4]]}))
    ]
    found = compare(cells[:1], cells[1:], 256, detailed=True, with_scorecards=True)
    rows = compare_sentences.with_one_side(found)
    refill = rows.filter(measure="refill rows")
    assert refill.height
    assert refill["one_side"].all()
    [[*_, last]] = compare_sentences.comparison_sentences(found, "B")
    assert "refill rows" not in last


def test_what_is_the_same_is_not_called_different(dice):  # noqa: F811
    one, other = DiceRules(die=8), DiceRules(die=8, gift=1)
    [sentences] = compare_sentences.comparison_sentences(compared(one, other)[2], "B")
    assert sentences[0].startswith("B: as fair")
    assert "nothing" not in sentences[0]


def test_the_page_has_the_scorecard_and_who_gained(dice, tmp_path):  # noqa: F811
    left, right, found = compared(DiceRules(), DiceRules(head_start=2))
    page = compare_report.write(found, left, right, tmp_path).read_text()
    assert "Head start: 2 coins instead of 0 (head_start)." in page
    assert "Who gained, who lost" in page
    lines = pl.read_csv(tmp_path / "tables" / "lines.csv")
    assert lines["line"].to_list()[:2] == ["positions", "skill"]
    gap = lines.row(0, named=True)
    for words, number in (("after", "value"), ("apart", "difference")):
        amount, unit, *_ = gap[words].split()
        assert float(amount) == pytest.approx(100 * gap[number], abs=0.5)
        assert unit == "points"
    assert f">{gap['apart']}</td>" in page
    won = pl.read_csv(tmp_path / "tables" / "who-table.csv")
    assert won["label"].to_list() == ["won, position 1", "won, position 2"]
    text = (tmp_path / "report.md").read_text()
    tables = [pl.read_csv(one) for one in (tmp_path / "tables").glob("*.csv")]
    intervals = sum(table["low"].count() for table in tables)
    assert f"The tables print {intervals} intervals of 95 %" in text


def test_runs_that_were_looked_at_early_are_drawn_wider(dice, monkeypatch):  # noqa: F811
    left, right, found = compared(DiceRules(), DiceRules(head_start=2))
    drawn = []
    monkeypatch.setattr(
        compare_report.figures, "dots", lambda rows, *_, **__: drawn.append(rows)
    )
    for widening in (1.0, 2.0):
        compare_report.report(replace(found, widening=widening), left, right)
    shares = [rows for rows in drawn if "side" in rows.columns]
    once, twice = (rows["high"] - rows["low"] for rows in shares)
    assert (twice / once).to_list() == pytest.approx([2] * len(once), rel=0.02)


def test_sentences_name_the_table_that_they_are_about(tmp_path):
    rules = load("kunitame").rules
    left, right = (
        Arm(
            name,
            tuple(Cell("kunitame", one, n, ("greedy",), True, 1) for n in (3, 4)),
        )
        for name, one in (("base", rules()), ("life=4", rules.of({"life": 4})))
    )
    found = compare(left.cells, right.cells, 64, with_scorecards=True)
    told = [one.text for one in compare_report.report(found, left, right).findings]
    assert {words[:11] for words in told} == {"3 players: ", "4 players: "}


def test_cells_are_told_apart_by_what_differs():
    rules = load("kunitame").rules()

    def names(*cells):
        made = CellNames.of([Cell("kunitame", rules, *one) for one in cells])
        return [made.words(number) for number in range(len(cells))]

    greedy, random = ("greedy",), ("random",)
    assert names((3, greedy)) == [""]
    assert names((3, greedy), (4, greedy)) == ["3 players", "4 players"]
    assert names((3, greedy), (3, random)) == ["greedy", "random"]
    assert names((3, greedy), (4, random)) == ["3 players, greedy", "4 players, random"]
    assert names((3, greedy), (3, greedy)) == ["cell 0", "cell 1"]


def test_what_one_side_cannot_do_is_no_finding():
    rules = load("kunitame").rules
    cells = [
        Cell("kunitame", one, 4, ("allround",), True, 1)
        for one in (rules(), rules.of({"squares.black": {"remove": True}}))
    ]
    found = compare(cells[:1], cells[1:], 512)
    rows = compare_sentences.with_one_side(found)
    black = rows.filter(pl.col("group").str.contains("square black$"), "one_side")
    assert black.height
    assert (black["other"] == 0).all()
    surest = compare_sentences.surest_of_each_kind(rows)
    assert surest.height
    assert not surest["one_side"].any()
    only, *_ = compare_sentences.one_sided_sentences(rows, "base", "B")
    assert only.startswith("Only with base, which is not a finding: ")


def test_a_number_of_all_games_is_told_without_a_group():
    rules = load("kunitame").rules
    cells = [
        Cell("kunitame", one, 4, ("allround",), True, 1)
        for one in (rules(), rules.of({"life": 4}))
    ]
    found = compare(cells[:1], cells[1:], 1_024, detailed=True, with_scorecards=True)
    found = replace(found, rows=found.rows.filter(pl.col("group") == ""))
    [[*_, last]] = compare_sentences.comparison_sentences(found, "B")
    assert last.startswith("Most certain of all numbers: ")
    assert "(" not in last
