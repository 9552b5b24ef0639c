"""Options forbidden: each game against the same game with restricted players."""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest

from experiments.core.block_records import Block, record_block
from experiments.core.cells import Cell, play
from experiments.counterfactual.changed_players import (
    ChangedPlayers,
    End,
    changed_cell,
)
from experiments.counterfactual.intervention import forbidden
from experiments.counterfactual.interventions import Interventions
from sim import games
from strategies.restricted_play import WithoutOption

RULES = games.load("kunitame").rules.of({"liquidation_take": "may"})
SQUARE, NEVER = "only-1-10", "only-white"
POOLS = {SQUARE: (SQUARE,), NEVER: (NEVER,)}
WITHOUT = Interventions(forbidden(("claim", "bonus"), POOLS, 3))
CELL = Cell("kunitame", RULES, 4, ("allround",) * 4, True, 5, interventions=WITHOUT)


@pytest.fixture(scope="module")
def recorded():
    _, raw = record_block(CELL, Block(0, 30, 150), ("result", "gem"), [])
    return raw


def winners(lineup):
    """Who wins each game of this lineup, by number."""
    cell = replace(CELL, lineup=lineup, interventions=None)
    _, raw = record_block(cell, Block(0, 30, 150), ("result",), [])
    return dict(raw["result"].select("game", "winner").unique().rows())


def test_every_third_game_has_a_row_an_option_and_way(recorded):
    rows = recorded["forbidden"]
    counts = rows.group_by("option", "whose").len()
    assert counts["len"].to_list() == [50] * 4
    assert (rows["game"] % 3 == 0).all()


@pytest.mark.parametrize("whose", ["first", "all"])
def test_the_game_is_that_of_restricted_players(recorded, whose):
    without = f"without(allround, claim+bonus, {SQUARE})"
    others = "allround" if whose == "first" else without
    told = winners((without, *[others] * 3))
    rows = recorded["forbidden"].filter(option=SQUARE, whose=whose)
    assert rows["used"].any()
    assert not rows["used"].all()
    for row in rows.rows(named=True):
        assert row["winner_without"] == told[row["game"]]
    assert (rows["winner"] != rows["winner_without"]).any()


def test_of_several_strategies_it_is_told_of_the_first():
    """Who took it first where nobody may counts where that is the first one."""
    cell = replace(CELL, lineup=("planner", *["allround"] * 3))
    rows = record_block(cell, Block(0, 30, 150), ("result",), [])[1]["forbidden"]
    assert set(rows["strategy"]) == {"planner"}
    first = rows.filter(whose="all")
    own = (first["seat"] == -first["game"].cast(int) % 4).to_list()
    assert first["own"].to_list() == own
    assert {*own} == {True, False}
    alone = rows.filter(whose="first")
    assert alone["own"].to_list() == alone["used"].to_list()


def test_who_takes_it_is_who_wins_its_gems(recorded):
    gems = recorded["gem"].filter(pl.col("value") > 0, pl.col("square") == SQUARE)
    first = dict(gems.unique("game", keep="first").select("game", "seat").rows())
    rows = recorded["forbidden"].filter(option=SQUARE)
    for game, seat in rows.filter(whose="all").select("game", "seat").rows():
        assert seat == first.get(game, -1)
    takers = set(gems.select("game", "seat").rows())
    alone = rows.filter(whose="first").select("game", "seat", "used").rows()
    assert np.array([seat == -game % 4 for game, seat, _ in alone]).all()
    assert [used for *_, used in alone] == [(g, s) in takers for g, s, _ in alone]


def test_where_nothing_else_is_on_offer_nothing_is_taken():
    """After a trick there may be one gem, which is otherwise taken all the same."""
    square, numbers = "black", np.arange(60, dtype=np.uint64)
    cell = Cell("kunitame", games.load("kunitame").rules(), 4, ("allround",) * 4, True)
    nobody = forbidden(("claim", "bonus"), {square: (square,)}, 1)[1:]
    ends = []
    for surprised in (False, True):
        changed = ChangedPlayers(nobody, cell, numbers, surprised=surprised)
        play(cell, numbers, [changed])
        [part] = changed.played_on()
        ends.append(part.end["points"].sum(axis=0))
    plain = play_end(changed_cell(cell, nobody[0]), numbers.take(part.game))
    assert (ends[0] == plain["points"].sum(axis=0)).all()
    assert (ends[0] != ends[1]).any()


@dataclass(frozen=True)
class Surprised(WithoutOption):
    """Plays as its inner strategy until it would take the option."""

    def decide(self, view):
        chosen = self.inner.decide(view)
        if view.kind.name not in self.kinds:
            return chosen
        instead = super().decide(view)
        return np.where(chosen & self.forbidden(view), instead, chosen)


def test_a_search_player_learns_of_a_ban_when_it_would_take_the_option():
    numbers = np.arange(0, 45, 3, dtype=np.uint64)
    cell = replace(CELL, lineup=("search:samples=1", *["allround"] * 3))
    alone = forbidden(("claim", "bonus"), {SQUARE: (SQUARE,)}, 3)[0]
    changed = ChangedPlayers([alone], cell, numbers, surprised=True)
    play(cell, numbers, [changed])
    [part] = changed.played_on()
    searcher = Surprised(cell.strategies()[0], "claim+bonus", SQUARE)
    other = replace(cell, lineup=(searcher, *cell.lineup[1:]), interventions=None)
    there = play_end(other, numbers.take(part.game))
    assert (part.end["points"] == there["points"]).all()
    assert len(part.game) > 1


def play_end(cell, numbers):
    """The result of games of a cell."""
    end = End()
    play(cell, numbers, [end])
    return end.fields
