"""Claims tried: who takes a gem that is left, against games played anew; and use."""

from collections import Counter
from dataclasses import replace

import polars as pl
import pytest

from experiments.core.block_records import Block, record_block, report_context
from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from experiments.core.measures import measures_of
from experiments.counterfactual import intervention
from experiments.counterfactual.interventions import Interventions
from reports.kunitame import square_counts
from reports.kunitame.claim_counterfactuals import (
    CLAIMS,
    SQUARES,
    branching,
    claim_rows,
    forbidden,
)
from reports.kunitame.game_arrays import KunitameArrays
from reports.kunitame.report import REPORT
from reports.pledges.estimates import PledgeEstimates
from reports.report_data import CELL, ReportData
from strategies.registry import make
from tests.games.told import Told
from tests.reports.kunitame.transcript import GAME, cell

PLAIN = GAME.rules.of().plain()


@pytest.fixture(scope="module")
def of_some():
    """Some games, with claims that were tried."""
    want = {
        k: v
        for k, v in branching(PLAIN)[0].items()
        if k not in {"players", "search", "full"}
    }
    tried = Interventions((intervention.every_option(**want),))
    of = replace(cell(("allround",) * 4, seed=3), interventions=tried)
    played, raw = record_block(of, Block(0, 0, 64), REPORT.all_notes, [])
    return of, raw, KunitameArrays(raw, report_context(of, played))


def test_each_row_is_the_game_played_anew(of_some):
    of, raw, played = of_some
    told, claims = claim_rows(played), raw[CLAIMS]
    words = played.vocabularies["square"]
    taken = dict(told.filter("chosen").select("decision", "option").rows())
    some = told.with_columns(claims.select("seat", "kind", "round", bit="option"))
    some = some.join(
        raw["deal"].select("game", "week", "dealer").unique().cast(pl.Int64),
        on=["game", "week"],
        maintain_order="left",
    )
    passed = some.filter(kind="bonus")
    parts = some.filter(pl.col("next") >= 0).head(5), some.head(3), passed.tail(3)
    some = pl.concat(parts)
    assert some["kind"].n_unique() == 2
    for row in some.rows(named=True):
        time = {"week": row["week"]} | ({"round": row["round"]} if row["round"] else {})
        what = row["kind"], row["seat"], row["bit"], tuple(time.items())
        one = Told(make("kunitame", "allround"), *what)
        assert words[row["bit"].bit_length() - 1] == row["option"]
        again = replace(of, lineup=(one,) * 4, interventions=None)
        _, found = record_block(again, Block(0, row["game"], 1), ("result", "gem"), [])
        winner = found["result"]["winner"][0]
        assert (row["winner"], row["won"]) == (winner, winner == row["seat"])
        assert row["next"] == after(found["gem"], row, taken[row["decision"]])


def after(gems, row, left):
    """The seat that next takes the square that was left, this week; -1 for none."""
    if row["chosen"]:
        return -1
    last = row["round"] or 99
    for gem in gems.filter(pl.col("value") > 0, week=row["week"]).rows(named=True):
        when = gem["round"] or 99
        place = (row["seat"] - row["dealer"]) % 4
        later = (gem["seat"] - row["seat"]) % 4 + place < 4  # at the same time
        order = when > last or (when == last == 99 and later)
        if order and gem["square"] == left:
            return -1 if gem["seat"] == row["seat"] else gem["seat"]
    return -1


def test_use_by_position_agrees_with_a_count_from_the_notes(of_some):
    _, raw, played = of_some
    dealer = {
        (g, w): d for g, w, d in raw["deal"].select("game", "week", "dealer").rows()
    }
    names = [*played.masks("square")]
    uses = square_counts.square_uses(played)
    sums = {one.measure: one.sums() for one in square_counts.counts(uses, names)}
    met, returned = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    ids = played.vocabularies["square"]
    for row in raw["trick"].rows(named=True):
        place = (row["winner"] - dealer[row["game"], row["week"]]) % 4 + 1
        for name in ("blue", "round-1"):
            met[name, place] += row["met"] >> ids.index(name) & 1
    gems = raw["gem"].filter(pl.col("value") < 0)
    for row in gems.rows(named=True):
        place = (row["seat"] - dealer[row["game"], row["week"]]) % 4 + 1
        returned[row["square"], place] += 1
    often, back = (
        dict(
            zip(
                sums[f"{use} by square and position"]
                .select("square", "position")
                .rows(),
                sums[f"{use} by square and position"]["y"],
                strict=True,
            )
        )
        for use in ("met", "returned")
    )
    for key, number in met.items():
        assert often[key] == number
    assert {key: n for key, n in back.items() if n} == dict(returned)
    assert {name for name, _ in often} <= set(names)


@pytest.mark.slow
def test_a_planted_square_that_nobody_can_use_is_worth_nothing():
    """A Priest with a number meets it, and there is none."""
    keep = [{k: v for k, v in row.items() if v is not None} for row in PLAIN["squares"]]
    dead = {
        "id": "priest-1",
        "pledge": "P1",
        "when": "trick",
        "num": [1, 1],
        "suit": "white",
        "gem": 1,
    }
    rules = GAME.rules.of({"squares": [*keep, dead]})
    (want,) = forbidden(rules.plain())
    del want["players"], want["full"]
    without = Interventions(intervention.forbidden(**want))
    seats = ("allround",) * 4
    of = Cell("kunitame", rules, 4, seats, True, 1, interventions=without)
    sums = play_block(of, Block(0, 0, 3072), True).sums
    cells = pl.DataFrame(
        [[0, "allround", "self", 4, "", 0, ""]], schema=CELL, orient="row"
    )
    names = {**measures_of("kunitame"), **REPORT.measures}
    plain = rules.plain()
    data = ReportData(sums, cells, 3072, plain, "allround", names, REPORT.columns)
    rows = PledgeEstimates(SQUARES, data).worth()
    found = {row["option"]: row for row in rows.rows(named=True)}
    assert (found["priest-1"]["used"], found["priest-1"]["lost"]) == (0, 0)
    assert found["black"]["verdict"] == "pays"
