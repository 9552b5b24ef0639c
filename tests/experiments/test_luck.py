"""The same deals with the lineup moved round: deal, seat, strategy and rest."""

import json

import pytest

from experiments.analysis.luck import luck_shares
from experiments.core.cells import Cell, UsageError
from sim.games import REGISTRY, load
from strategies.registry import builtin

RULES = load("kunitame").rules()
LINEUP = ("allround", "greedy", "planner", "random")


def cell(lineup=LINEUP):
    return Cell("kunitame", RULES, 4, lineup, seed=3)


@pytest.fixture(scope="module")
def found():
    return luck_shares(cell(), 300)


def test_every_strategy_has_every_seat_of_every_deal(found):
    assert found.games.height == 300 * 4 * 4
    for key in (["seat", "strategy"], ["rotation", "seat"], ["rotation", "strategy"]):
        counts = found.games.group_by("deal", *key).len()
        assert counts.height == 300 * 16
        assert (counts["len"] == 1).all()


def test_a_rotation_is_that_lineup_on_the_same_deals(found):
    moved = found.games.filter(rotation=1, deal=0).sort("seat")
    assert moved["strategy"].to_list() == ["greedy", "planner", "random", "allround"]
    alone = luck_shares(cell((*LINEUP[1:], LINEUP[0])), 300).games
    rows = alone.filter(rotation=0).drop("rotation")
    assert found.games.filter(rotation=1).drop("rotation").equals(rows)


def test_shares_add_up_and_skill_is_seen(found):
    for value in ("won", "points", "lives"):
        shares = found.components(value)
        assert shares["source"].to_list() == ["deal", "seat", "strategy", "rest"]
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


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game(game):
    known = load(game)
    players = known.players[0]
    names = list(builtin(game))[:2]
    lineup = tuple(names[seat % 2] for seat in range(players))
    made = luck_shares(Cell(game, known.rules(), players, lineup), 20)
    assert made.games.height == 20 * players**2


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
    for part in ("share of", "deal", "seat", "strategy", "rest"):
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
