"""The same deals with the lineup moved round: luck of the deal and of play, skill."""

import json
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest

from experiments.analysis.luck_shares import luck_shares
from experiments.core.cells import Cell, UsageError, play
from sim.chance import Purpose
from sim.games import REGISTRY, load
from strategies.random import Random
from strategies.registry import builtin

RULES = load("kunitame").rules()
LINEUP = ("allround", "greedy", "planner", "random")


def cell(lineup=LINEUP):
    return Cell("kunitame", RULES, 4, lineup, seed=3)


@pytest.fixture(scope="module")
def found():
    return luck_shares(cell(), 300)


def test_every_strategy_has_every_seat_of_every_deal(found):
    assert found.games.height == 300 * 2 * 4 * 4
    keys = (
        ["position", "strategy"],
        ["rotation", "position"],
        ["rotation", "strategy"],
    )
    for key in keys:
        counts = found.games.group_by("deal", "play", *key).len()
        assert counts.height == 300 * 2 * 16
        assert (counts["len"] == 1).all()
    sits = found.games.group_by("rotation", "position").agg(
        pl.col("strategy").n_unique()
    )
    assert (sits["strategy"] == 1).all()


@pytest.mark.parametrize("game", ["kunitame", "evilpact", "drake"])
def test_games_of_a_deal_share_what_is_dealt_and_no_dice(game):
    """Random players: dealt the same, they soon do something else."""
    rules = load(game).rules()
    players, numbers = load(game).players[0], np.arange(40, dtype=np.uint64)
    dealt = Cell(game, rules, players, ("random",), seed=5)
    states = [load(game).start(rules, players, 5, numbers) for _ in range(2)]
    states[1].chance = states[1].chance.replicate(1)
    for purpose in Purpose:
        bits = [state.chance.bits(purpose, 3) for state in states]
        same = purpose in {Purpose.START, Purpose.DEAL}
        assert (bits[0] == bits[1]).all() == same
    plays = [play(replace(dealt, replicate=number), numbers) for number in (0, 0, 1)]
    assert (plays[0].first == plays[2].first).all()
    chances = [one.state.chance.bits(Purpose.DICE, 1) for one in plays]
    assert (chances[0] == chances[1]).all()
    assert not (chances[0] == chances[2]).any()


@dataclass(frozen=True)
class Double(Random):
    """The same by another name."""

    name = "double"


def test_the_dice_of_one_policy_under_two_names_are_play(found):
    """Once they were the same in all rotations, and seemed to be dealt: 99.98 %."""
    lineup = (Random(), Double(), Random(), Double())
    shares = luck_shares(cell(lineup), 400).components("won")
    told = {row["source"]: row for row in shares.rows(named=True)}
    assert told["deal"]["share"] < 0.1
    assert told["play"]["share"] > 0.85
    assert told["strategy"]["low"] == 0


def test_shares_add_up_and_skill_is_seen(found):
    for value in ("won", "points", "lives"):
        shares = found.components(value)
        assert shares["source"].to_list() == [
            "deal",
            "position",
            "strategy",
            "hand x strategy",
            "play",
        ]
        assert shares["share"].sum() == pytest.approx(1, abs=0.02)
        assert (shares["low"] <= shares["share"]).all()
        assert (shares["share"] <= shares["high"]).all()
    [skill] = found.components("won").filter(source="strategy")["share"]
    few = luck_shares(cell(("random", "gambler", "random", "gambler")), 300)
    [none] = few.components("won").filter(source="strategy")["share"]
    assert skill > 0.2
    assert none < 0.05


def test_mistakes(found):
    with pytest.raises(UsageError, match="did you mean 'points'"):
        found.components("point")
    with pytest.raises(UsageError, match="at least two strategies"):
        luck_shares(cell(("random",) * 4), 10)
    with pytest.raises(UsageError, match="deals: 2 to"):
        luck_shares(cell(), 1)


def test_what_is_asked_is_kept(tmp_path, found):
    again = luck_shares(cell(), 300, out=tmp_path / "run")
    assert again.games.equals(found.games)
    assert (tmp_path / "run" / "manifest.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize("game", REGISTRY)
def test_every_game(game):
    known = load(game)
    players = known.players[0]
    names = list(builtin(game))[:2]
    lineup = tuple(names[seat % 2] for seat in range(players))
    made = luck_shares(Cell(game, known.rules(), players, lineup), 20)
    assert made.games.height == 20 * 2 * players**2


def test_the_command(fairdeal):
    words = (
        "luck",
        "kunitame",
        "--lineup",
        ",".join(LINEUP),
        "-n",
        "100",
        "--seed",
        "1",
    )
    told = fairdeal(*words)
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    for part in ("share of", "deal", "position", "strategy", "hand x strategy", "play"):
        assert any(line.startswith(part) for line in lines), part
    assert "winning" in told.stdout
    values = json.loads(fairdeal(*words, "--json").stdout)
    assert set(values["components"]) == {"won", "points", "lives"}
    assert values["seed"] == 1


def test_mistakes_of_the_command(fairdeal):
    words = ("luck", "kunitame")
    for more, expected in (
        ((), "--lineup: name a strategy"),
        (("--lineup", "random"), "at least two strategies"),
        (("--lineup", "random,planer,random,random"), "did you mean 'planner'?"),
        (("--lineup", "random,greedy"), "players: 2 cannot play"),
    ):
        result = fairdeal(*words, *more)
        assert result.exit_code == 2
        assert expected in " ".join(result.stderr.split())


def test_a_kept_run_can_be_gone_on_with(fairdeal, here):
    words = ("luck", "kunitame", "--lineup", ",".join(LINEUP), "-n", "50")
    first = fairdeal(*words, "--seed", "1", "--out", "kept")
    assert first.exit_code == 0
    again = fairdeal("runs", "resume", "kept")
    assert again.exit_code == 0
    assert "hand x strategy" in again.stdout
