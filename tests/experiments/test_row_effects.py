"""Rows that all players share, changed one at a time: who wins more by each."""

import polars as pl
import pytest

from experiments.analysis.compare import compare
from experiments.analysis.measure_differences import ComparisonTolerance
from experiments.analysis.row_effects import (
    row_effects,
    row_sentences,
    with_row_verdicts,
)
from experiments.core.cells import Cell
from experiments.execution.run import run
from experiments.variants import new_game
from sim.games import load

CHASTE = [1, 2, 3, 4, 1, 2, 3, 4]


def cell(game="drake", **changes):
    rules = load(game).rules.of(changes)
    return Cell(game, rules, 4, ("allround",) * 4, True, 1)


def maidens(*numbers):
    return cell(maiden_chastity=[*numbers, *CHASTE[len(numbers) :]])


def test_each_row_is_played_alone_on_the_same_deals():
    one, other = cell(), maidens(9, 9)
    rows = row_effects([(one, other)], 48)
    assert rows["card"].unique(maintain_order=True).to_list() == [
        "maiden_chastity.1",
        "maiden_chastity.2",
    ]
    second = rows.filter(card="maiden_chastity.2")
    assert second["name"][0] == "Maiden no. 2: chastity 9 instead of 2"
    alone = run([one, maidens(1, 9)], 48, detailed=True).sums.filter(
        measure="won by role"
    )
    for side, name in enumerate(("one", "other")):
        wins = alone.filter(cell=side).sort("virtue")
        shares = (wins["y"] / wins["x"]).to_list()
        assert second.sort("group")[name].to_list() == pytest.approx(shares)


def test_a_planted_row_is_found_and_told_and_others_are_not():
    """Maidens whom no Knight can resist: the decisive row, beside one that is not."""
    found = compare([cell()], [maidens(1, 2, 3, 5)], 64, detailed=True)
    assert found.cards.is_empty()
    names = found.row_effects["name"].unique().to_list()
    assert names == ["Maiden no. 4: chastity 5 instead of 4"]
    assert found.family_count == 2 * (found.rows["family"].n_unique() + 1)
    rows = pl.DataFrame(
        {
            "cell": 0,
            "card": ["a", "a", "b", "b"],
            "name": ["A: value 3 instead of 2"] * 2 + ["B: value 1 instead of 2"] * 2,
            "group": ["Greed", "Wrath"] * 2,
            "one": 0.25,
            "other": [0.31, 0.19, 0.26, 0.245],
            "difference": [0.06, -0.06, 0.01, -0.005],
            "se": 0.01,
            "freedom": 63.0,
            "p": [1e-7, 1e-7, 0.32, 0.62],
            "played": 4_096,
            "enough": True,
            "alone": True,
            "family": "how games end",
        }
    )
    more = {"cell": 0, "card": "c", "name": "new C", "alone": False}
    rows = pl.concat([rows, pl.DataFrame([more])], how="diagonal_relaxed")
    judged = with_row_verdicts(rows, ComparisonTolerance(), 4)
    assert judged["different"].to_list() == [True, True, False, False, None]
    [told] = row_sentences(judged)
    assert "A: value 3 instead of 2 (Greed 25.0 to 31.0, change +" in told
    assert "open: B: value 1 instead of 2 (Greed 25.0 to 26.0, change -" in told
    assert "not possible alone: new C." in told


def test_rows_that_are_valid_only_together_are_named():
    one = cell("kbernestich")
    refill = [[0, 30, 5], [31, 40, 4], [41, 9999, 3]]
    rows = row_effects([(one, cell("kbernestich", refill=refill))], 8)
    assert rows["alone"].to_list() == [False, False]
    [told] = row_sentences(with_row_verdicts(rows, ComparisonTolerance(), 4))
    assert "not possible alone: Refill row 1: score_to 30 instead of 25" in told


def test_options_equal_tables_and_other_players_have_none():
    one = cell("kunitame")
    assert row_effects([(one, cell("kunitame", life=4))], 8).is_empty()
    squares = {"blue": {"gem": 3}}
    assert row_effects([(one, cell("kunitame", squares=squares))], 8).is_empty()
    other = Cell("drake", maidens(9).rules, 4, ("racer",) * 4, True, 1)
    assert row_effects([(cell(), other)], 8).is_empty()


def test_where_all_positions_are_alike_nothing_can_be_told_and_that_is_said(tmp_path):
    file, *_ = new_game.new(str(tmp_path / "game"))
    declared = 'ChoiceOf("a card to bid, in secret", "cards")'
    file.write_text(file.read_text().replace(declared, '"a card to bid, in secret"'))
    game = load(str(file))
    one, other = (
        Cell(game.id, game.rules.of(changes), 2, ("thrifty",) * 2, True, 1)
        for changes in ({}, {"box": {"star": {"points": 5}}})
    )
    rows = row_effects([(one, other)], 4)
    [told] = row_sentences(with_row_verdicts(rows, ComparisonTolerance(), 4))
    assert told.endswith("are alike: star: points 5 instead of 6.")
