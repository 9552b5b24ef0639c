"""Options knocked out: each game against the same game with a restricted player."""

from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
import pytest

from experiments.core.ablation import NOBODY, ONE, AblationSpec
from experiments.core.block_records import Block, record_block
from experiments.core.cells import Cell
from sim import games
from sim.masks import Masks
from sim.view import View
from strategies.base import Strategy
from strategies.registry import make

RULES = games.load("kunitame").rules.of({"liquidation_take": "may"})
SQUARE, NEVER = "only-1-10", "only-white"
WANTED = AblationSpec(("claim", "bonus"), {SQUARE: (SQUARE,), NEVER: (NEVER,)}, every=3)
CELL = Cell("kunitame", RULES, 4, ("allround",) * 4, True, 5, ablation=WANTED)


@dataclass(frozen=True)
class Barred(Strategy):
    """Plays as allround, who is not told of a square at liquidation."""

    name = "barred"
    inner: Strategy = field(default_factory=lambda: make("kunitame", "allround"))

    def decide(self, view: View) -> Masks:
        """As allround; asked again where he would take it: he may always pass."""
        answer = self.inner.decide(view)
        if view.kind.name != "bonus":
            return answer
        taboo = view.bits(SQUARE)
        again = self.inner.decide(view.with_legal(view.legal & ~taboo))
        return np.where((answer & taboo) != 0, again, answer)


@pytest.fixture(scope="module")
def recorded():
    _, raw = record_block(CELL, Block(0, 30, 150), ("result", "gem"), [])
    return raw


def winners(lineup):
    """Who wins each game of this lineup, by number."""
    cell = replace(CELL, lineup=lineup, ablation=None)
    _, raw = record_block(cell, Block(0, 30, 150), ("result",), [])
    return dict(raw["result"].select("game", "winner").unique().rows())


def test_every_third_game_has_a_row_an_option_and_way(recorded):
    rows = recorded["knocked"]
    counts = rows.group_by("option", "who").len()
    assert counts["len"].to_list() == [50] * 4
    assert (rows["game"] % 3 == 0).all()


@pytest.mark.parametrize("who", [ONE, NOBODY])
def test_the_game_is_that_of_restricted_players(recorded, who):
    others = "allround" if who == ONE else Barred()
    told = winners((Barred(), *[others] * 3))
    rows = recorded["knocked"].filter(option=SQUARE, who=who)
    assert rows["used"].any()
    assert not rows["used"].all()
    for row in rows.rows(named=True):
        assert row["winner_without"] == told[row["game"]]
    assert (rows["winner"] != rows["winner_without"]).any()


def test_of_several_strategies_it_is_told_of_the_first():
    """Who took it first where nobody may counts where that is the first one."""
    cell = replace(CELL, lineup=("planner", *["allround"] * 3))
    rows = record_block(cell, Block(0, 30, 150), ("result",), [])[1]["knocked"]
    assert set(rows["strategy"]) == {"planner"}
    first = rows.filter(who=NOBODY)
    own = (first["seat"] == -first["game"].cast(int) % 4).to_list()
    assert first["own"].to_list() == own
    assert {*own} == {True, False}
    alone = rows.filter(who=ONE)
    assert alone["own"].to_list() == alone["used"].to_list()


def test_who_takes_it_is_who_wins_its_gems(recorded):
    gems = recorded["gem"].filter(pl.col("value") > 0, pl.col("square") == SQUARE)
    first = dict(gems.unique("game", keep="first").select("game", "seat").rows())
    rows = recorded["knocked"].filter(option=SQUARE)
    for game, seat in rows.filter(who=NOBODY).select("game", "seat").rows():
        assert seat == first.get(game, -1)
    takers = set(gems.select("game", "seat").rows())
    alone = rows.filter(who=ONE).select("game", "seat", "used").rows()
    assert np.array([seat == -game % 4 for game, seat, _ in alone]).all()
    assert [used for *_, used in alone] == [(g, s) in takers for g, s, _ in alone]
