"""A comparison in sentences: fairer or less fair, what is open, what is no finding."""

import polars as pl
import pytest

from experiments.analysis import compare_report, compare_words
from experiments.analysis.compare import compare
from experiments.analysis.sides import Side
from experiments.core.cells import Cell
from sim.games import load
from tests.reports.planted import DiceRules, dice  # noqa: F401 - a fixture


def sides(one, other):
    """Two rule sets of dice, played by who takes three coins."""
    cells = [Cell("dice", rules, 2, ("bold",), True, 1) for rules in (one, other)]
    return [Side(name, (cell,)) for name, cell in zip("AB", cells, strict=True)]


def compared(one, other):
    """Both sides, and what was found of them."""
    left, right = sides(one, other)
    return left, right, compare(left.cells, right.cells, 2_048, scored=True)


@pytest.mark.parametrize(
    ("before", "after", "word"), [(0, 2, "less fair"), (2, 0, "fairer")]
)
def test_it_says_whether_the_game_got_fairer(dice, before, after, word):  # noqa: F811
    die = {"die": 8}
    one, other = (DiceRules(head_start=coins, **die) for coins in (before, after))
    [[first, *_]] = compare_words.told(compared(one, other)[2], "B")
    assert first.startswith(f"B: {word} (gap of positions ")
    assert "not longer" in first


def test_what_is_the_same_is_not_called_different(dice):  # noqa: F811
    one, other = DiceRules(die=8), DiceRules(die=8, gift=1)
    [sentences] = compare_words.told(compared(one, other)[2], "B")
    assert sentences[0].startswith("B: as fair")
    assert "nothing" not in sentences[0]


def test_the_page_has_the_scorecard_and_who_gained(dice, tmp_path):  # noqa: F811
    left, right, found = compared(DiceRules(), DiceRules(head_start=2))
    page = compare_report.write(found, left, right, tmp_path).read_text()
    assert "Head start: 2 coins instead of 0 (head_start)." in page
    assert "Who gained, who lost" in page
    lines = pl.read_csv(tmp_path / "tables" / "lines.csv")
    assert lines["line"].to_list()[:2] == ["positions", "ties"]


def test_what_one_side_cannot_do_is_no_finding():
    rules = load("kunitame").rules
    cells = [
        Cell("kunitame", one, 4, ("allround",), True, 1)
        for one in (rules(), rules.of({"squares.black": {"remove": True}}))
    ]
    found = compare(cells[:1], cells[1:], 512)
    rows = compare_words.told_apart(found)
    black = rows.filter(pl.col("group").str.contains("square black$"), "one_side")
    assert black.height
    assert (black["other"] == 0).all()
    surest = compare_words.surest(rows)
    assert surest.height
    assert not surest["one_side"].any()
    only, *_ = compare_words.only_there(rows, "base", "B")
    assert only.startswith("Only with base, which is no finding: ")
