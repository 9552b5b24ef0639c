"""Cubes tried: each row against its game, and against the score's own bids."""

from dataclasses import replace

import polars as pl
import pytest

from experiments.core.block_records import Block, record_block, report_context
from experiments.counterfactual.intervention import every_option
from experiments.counterfactual.interventions import Interventions
from reports.kbernestich.cube_counterfactuals import (
    TRIED,
    branching,
    forbidden,
    square_rows,
)
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.kbernestich.report import REPORT
from tests.reports.kbernestich.recount import GAME, cell

PLAIN = GAME.rules.of().plain()


@pytest.fixture(scope="module")
def seen():
    want = dict(branching(PLAIN)[0])
    fields = {k: want[k] for k in ("decisions", "keeps", "hand")} | {"one_in": (24,)}
    tried = Interventions((every_option(**fields),))
    of = replace(cell(lineup=("ducker",) * 4), interventions=tried)
    played, raw = record_block(of, Block(0, 0, 24), REPORT.all_notes, [])
    games = KbernestichArrays(raw, report_context(of, played))
    return games, square_rows(games), raw["branching"]


def test_what_was_chosen_is_the_game_as_it_was(seen):
    games, rows, raw = seen
    rows = rows.with_columns(seat=raw["seat"]).filter("chosen")
    assert rows["decision"].n_unique() == rows.height > 50
    made = 0
    for row in rows.rows(named=True):
        seat, at, game = row["seat"], row["round"] - 1, row["game"]
        assert row["points"] == games.scores[seat, game]
        assert row["won"] == (games.winner[game] == seat)
        assert row["came"] == games.tricks[at, seat, game]
        if row["made"] is not None:
            assert row["made"] == (games.hunch[at, seat, game] > 0)
            made += 1
    assert made


def test_squares_are_compared_with_no_more_cubes(seen):
    _, rows, _ = seen
    compared = TRIED.rows(rows)
    assert compared.filter(option="none").select("won_more").sum().item() == 0
    assert compared["option"].n_unique() > 15
    bids = compared.filter(compared["option"].cast(pl.String).str.starts_with("hunch"))
    assert bids["made"].null_count() == 0
    assert compared["made"].drop_nulls().len() == bids.height


def test_nothing_is_tried_without_plot_phases():
    assert branching(GAME.rules.of({"plot_before_tricks": 0}).plain()) == ()


def test_areas_of_the_sheet_are_knocked_out_beside_its_squares():
    """Of searchers the areas alone, in each of their few games."""
    (want,) = forbidden(PLAIN)
    areas = want["full"]["pools"]
    assert areas.items() <= want["pools"].items()
    assert want["full"]["one_game_in"] == 1
    names = {"any Letter to Marie", "any Hunch of Growth", "any Letter from Marie"}
    assert {*areas} >= names | {"Hannah's Grace", "any Action"}
    squares = [
        one
        for name, pool in want["pools"].items()
        if name not in areas or len(pool) == 1
        for one in pool
    ]
    assert sorted(squares) == sorted(one for pool in areas.values() for one in pool)
