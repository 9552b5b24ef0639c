"""What-ifs: each is the game played anew with the change, and mistakes are named."""

import json

import numpy as np
import polars as pl
import pytest

import fairdeal as fd
from experiments.analysis.what_if import rows_of, what_if
from experiments.core.cells import Cell, UsageError
from experiments.counterfactual.action_counts import play_first
from experiments.counterfactual.changed_games import MEASURES
from experiments.counterfactual.named_interventions import interventions_named as named
from reports.batches import GameBatches
from reports.counts import sums_of
from reports.table_counts import count_rows
from sim import games
from strategies.changed_play import TakesOption
from strategies.registry import make

GAMES = 60
PLAYERS = {"evilpact": 2}
ASKED = [
    ("kunitame", {"forbid": "claim:black"}, "without(allround, claim, black)"),
    ("kunitame", {"decline": True, "when": "contract"}, "without(allround, contract)"),
    ("kunitame", {"other_strategy": "greedy"}, "greedy"),
    ("devil", {"decline": True, "when": "declare"}, "without(allround, declare)"),
    ("evilpact", {"forbid": "cast:hastur"}, "without(allround, cast, hastur)"),
    (
        "drake",
        {"other_strategy": "random", "when": "play"},
        "only(random, play, allround)",
    ),
]


def cell_of(game: str, **more) -> Cell:
    rules, players = games.load(game).rules.of(), PLAYERS.get(game, 4)
    return Cell(game, rules, players, ("allround",) * players, True, 3, **more)


@pytest.mark.parametrize(("game", "asked", "spec"), ASKED)
def test_each_game_is_that_of_the_changed_player(game, asked, spec):
    cell, numbers = cell_of(game), np.arange(GAMES, dtype=np.uint64)
    found = what_if(cell, named(cell, **asked), GAMES)
    [row] = found.rows.to_dicts()
    lineup = (make(game, spec), *["allround"] * (cell.players - 1))
    other = Cell(game, cell.rules, cell.players, lineup, True, 3)
    won = [play_first(of, numbers).uses.won for of in (cell, other)]
    table = found.table(GAMES)
    assert ((table["won"] == 1).to_numpy() == won[0]).all()
    assert ((table["won_changed"] == 1).to_numpy() == won[1]).all()
    assert row["more"] == pytest.approx((table["won_changed"] - table["won"]).mean())
    assert row["low"] <= row["more"] <= row["high"]
    same = table.filter(~table["used"])
    assert same["score"].equals(same["score_changed"])


def test_who_is_forced_takes_it_at_that_moment():
    cell, numbers = cell_of("kunitame"), np.arange(GAMES, dtype=np.uint64)
    always, once = (
        what_if(cell, named(cell, force="contract:3", when=when), GAMES).table(GAMES)
        for when in ("", "week 2")
    )
    lineup = (
        TakesOption(make("kunitame", "allround"), "contract", "3"),
        *["allround"] * 3,
    )
    other = Cell("kunitame", cell.rules, 4, lineup, True, 3)
    won = play_first(other, numbers).uses.won
    assert ((always["won_changed"] == 1).to_numpy() == won).all()
    assert not always["score_changed"].equals(once["score_changed"])
    assert set(once["what"]) == {"always 3 at contract in week 2"}


def test_everybody_is_told_by_position():
    cell = cell_of("kunitame")
    found = what_if(cell, named(cell, "claim", "all", forbid="black"), GAMES)
    assert found.rows["position"].to_list() == [1, 2, 3, 4]
    [richer] = named(cell, other_rules={"squares": {"blue": {"gem": 3}}})
    assert richer.title == "squares.blue.gem=3"
    rules = what_if(cell, named(cell, other_rules={"life": 5}), GAMES)
    assert rules.rows["position"].to_list() == [1, 2, 3, 4]
    assert set(rules.rows["what"]) == {"life=5"}
    # As somebody else wins what one loses
    for rows in (found.rows, rules.rows):
        assert abs(rows["more"].sum()) < 0.2


def test_a_grant_is_worth_something():
    found = fd.what_if("kunitame", grant="Life gems", games=100, seed=1, jobs=1)
    [row] = found.rows.to_dicts()
    assert row["more"] > 0
    assert row["score_more"] > 0
    assert "one more: Life gems" in repr(found)
    assert set(found.tables()) == {"rows", "games"}


def test_each_option_in_turn_and_one_that_never_comes_up():
    cell = cell_of("kunitame")
    found = what_if(cell, named(cell, forbid="contract:each"), GAMES).rows
    assert found["what"].to_list() == [
        f"without {number} at contract" for number in range(1, 6)
    ]
    never = found.filter(used=0)
    assert set(never["verdict"]) == {"never comes up"}
    assert (never["low"] == 0).all()


def test_what_changes_few_games_is_not_called_sure():
    """No effect, and a winner who changes in 2 of 100 games: seldom a finding."""
    rng, found = np.random.default_rng(1), 0
    counts = {"what": ["x"] * 100, "position": [0] * 100, "game": range(100)}
    for _ in range(200):
        change = np.where(rng.random(100) < 0.02, rng.choice([-1.0, 1.0], 100), 0.0)
        table = pl.DataFrame(counts).with_columns(
            used=True,
            won=pl.Series(np.where(change < 0, 1.0, 0.0)),
            won_changed=pl.Series(np.where(change > 0, 1.0, 0.0)),
            score=pl.lit(None, pl.Float64),
            score_changed=pl.lit(None, pl.Float64),
        )
        measured = [count_rows(measure, table) for measure in MEASURES]
        [row] = rows_of(sums_of(measured, GameBatches(4)), ["x"], 100, 4).to_dicts()
        assert -1 <= row["low"] <= row["more"] <= row["high"] <= 1
        assert row["low"] < row["high"]
        found += row["verdict"] != "undecided"
    assert found <= 10  # 5 % of 200


def test_decisions_without_the_moment_are_left_out():
    cell = cell_of("kunitame")
    [at] = named(cell, "round 3", forbid="black")
    assert at.when.decisions == ("claim",)
    [two] = named(cell, force="2")
    assert two.when.decisions == ("contract",)


def test_an_option_is_forbidden_where_there_is_one_of_its_name():
    cell = cell_of("kunitame")
    [black] = named(cell, forbid="black", when="contract+claim")
    assert black.when.decisions == ("claim",)
    every = named(cell, forbid="each", when="contract+claim")
    assert {each.when.decisions for each in every} == {("contract",), ("claim",)}


def test_any_number_of_blocks_finds_the_same(monkeypatch):
    from experiments.analysis import what_if as module

    cell = cell_of("kunitame")
    whole = what_if(cell, named(cell, forbid="claim:black"), GAMES)
    monkeypatch.setattr(module, "_BLOCK", 25)
    assert what_if(cell, named(cell, forbid="claim:black"), GAMES).rows.equals(
        whole.rows
    )


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"forbid": "clam:black"}, "no 'clam'; did you mean 'claim'?"),
        ({"forbid": "claim:blak"}, "no 'blak'; did you mean 'black'?"),
        ({"grant": "Life gem"}, "did you mean 'Life gems'?"),
        ({}, "one thing is changed"),
        ({"forbid": "claim:black", "decline": True}, "not forbid and decline"),
        ({"force": "contract:1", "when": "wek 2"}, "did you mean 'week'?"),
        ({"forbid": "contract+claim:cyan"}, "no 'cyan'"),
        ({"force": "contract:1", "whose": "me"}, "'first' or 'all', not 'me'"),
        ({"decline": True, "when": "play"}, "'play' cannot be declined. Allowed"),
        ({"other_rules": {"life": 4}, "when": "claim"}, "leave it out"),
        ({"force": "cancel:1"}, "is answered with several"),
        ({"forbid": "contract:1", "when": "claim"}, "name decisions once"),
        ({"forbid": "claim:black", "when": "week"}, "week takes one number"),
        ({"forbid": "claim:black", "when": "claim week ²"}, "week takes one number"),
        ({"forbid": "contract:1", "when": "round 3"}, "'contract' has no round"),
        ({"grant": "Life gems", "whose": "all"}, "one player is granted more"),
    ],
)
def test_mistakes(asked, told):
    with pytest.raises(UsageError) as raised:
        named(cell_of("kunitame"), **asked)
    assert told in str(raised.value)


def test_the_command(fairdeal, here):
    words = ("what-if", "kunitame", "--forbid", "claim:black", "-n", "40")
    told = fairdeal(*words, "--seed", "1", "--out", "run", "-j", "1")
    assert told.exit_code == 0, told.stdout
    assert "without black at claim" in told.stdout
    saved = json.loads((here / "run" / "what-if.json").read_text())
    assert saved["rows"][0]["what"] == "without black at claim"
