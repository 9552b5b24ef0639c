"""What games' ledgers tell, against a count of their transcripts."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from experiments.core.block_records import report_context
from experiments.core.cells import Cell, play
from experiments.core.event_tables import event_frames
from experiments.core.measures import report_of
from experiments.counterfactual.grants_and_brakes import grant_rows, grant_values
from sim import games
from sim.recorder import Recorder
from sim.transcript import Transcript

GAMES = 10


def told(name, changes=None):
    """The accounts of some games by name, and their events."""
    game, report = games.load(name), report_of(name)
    players = 4 if 4 in game.players else game.players[0]
    cell = Cell(name, game.rules.of(changes), players, ("random",), True)
    recorder, transcript = Recorder(report.all_notes), Transcript(game)
    numbers = np.arange(GAMES, dtype=np.uint64)
    played = play(cell, numbers, [recorder, transcript])
    raw = event_frames(game, recorder, report.all_notes, played)
    read = report.reads(raw, report_context(cell, played))
    accounts = {one.name: one.account(read) for one in report.ledgers}
    for account in accounts.values():
        assert not account.discrepancy().any()
    return accounts, transcript.events()


def same(values, account, counted):
    """Whether (seats, rows) are what was counted, by game, time and seat."""
    found = {
        (game, time, seat): many
        for seat, row in enumerate(values.tolist())
        for game, time, many in zip(
            account.game.tolist(), account.time.tolist(), row, strict=True
        )
        if many
    }
    assert found == {key: many for key, many in counted.items() if many}


def test_kunitame():
    accounts, events = told("kunitame")
    won, back, lost = (Counter() for _ in range(3))
    for event in events:
        key = (event["game"], event.get("week"), event.get("seat"))
        if event["name"] == "gem":
            (won if event["value"] > 0 else back)[key] += abs(event["value"])
        elif event["name"] == "contracts":
            for seat, many in enumerate(event["lost"]):
                lost[*key[:2], seat] += many
    points, lives = accounts["points on gems"], accounts["Life gems"]
    same(points.income, points, won)
    same(points.sinks["given back"], points, back)
    same(lives.sinks["lost on contracts"], lives, lost)
    assert all((won, back, lost))


@pytest.mark.parametrize(
    "changes",
    [
        {"contract_points": (9,) * 5},
        {"contract_returns": (3,) * 5},
        {"contract_returns": (0,) * 5},
        {"contract_returns": (0, 3, 1, 0, 3), "contract_points": (0, 1, 2, 3, 4)},
    ],
    ids=str,
)
def test_what_kunitame_s_contracts_pay_is_in_the_accounts(changes):
    """No more is given back, or lost, than there was (and ``told`` adds up)."""
    accounts, _ = told("kunitame", changes)
    for name in ("points on gems", "Life gems"):
        one = accounts[name]
        gone = sum(one.sinks.values())
        assert all((part >= 0).all() for part in (*one.sources.values(), gone))
        assert (gone <= one.held_before + one.income).all()
    paid = {
        name: one.sources.get("paid on contracts") for name, one in accounts.items()
    }
    points, lives = paid["points on gems"], paid["Life gems"]
    assert (points is not None) == ("contract_points" in changes)
    assert (lives is not None) == (3 in changes.get("contract_returns", ()))
    assert all(one.any() for one in (points, lives) if one is not None)


def test_devil():
    accounts, events = told("devil", {"target": 40})
    cards = accounts["hand cards"]
    found = {name: Counter() for name in ("play", "draw", "penalty", "round")}
    for event in events:
        if event["name"] in found:
            found[event["name"]][event["game"], event["round"], 0] += 1
    same(cards.sources["drawn"], cards, found["draw"])
    same(cards.sources["penalties"], cards, found["penalty"])
    played = Counter()
    for key in found["round"]:  # those that were played to their end
        played[key] = found["play"][key]
    same(cards.sinks["played"], cards, played)


def test_article_ii():
    accounts, events = told("article_ii")
    cards = accounts["cards on a player"]
    found = {name: Counter() for name in ("placed", "removed")}
    for event in events:
        if event["name"] in found:
            phase = ("primary", "general").index(event["phase"]) + 1
            found[event["name"]][event["game"], phase, event["seat"]] += 1
    same(cards.sources["placed"], cards, found["placed"])
    same(cards.sinks["taken off"], cards, found["removed"])


def test_socialism():
    accounts, events = told("socialism", {"guard": 40})
    tokens = accounts["tokens on the board"]
    found = {name: Counter() for name in ("joins", "leaves")}
    for event in events:
        if event["name"] in found:
            key = (event["game"], (event["turn"] - 1) // 4 + 1, event["seat"])
            found[event["name"]][key] += 1
    same(tokens.sources["join"], tokens, found["joins"])
    same(tokens.sinks["leave"], tokens, found["leaves"])
    assert found["leaves"]


def icons(state):
    """(games,) the power of all elements, a byte each, of both places."""
    return sum(
        (state.power >> np.uint64(8 * n)) & np.uint64(255) for n in range(5)
    ).sum(0)


HELD = {
    "article_ii": lambda state: state.electability.sum(axis=0),
    "devil": lambda state: np.bitwise_count(state.hands).sum(axis=0),
    "evilpact": icons,
    "kbernestich": lambda state: state.cubes.sum(axis=0),
    "kunitame": lambda state: state.life.sum(axis=0),
    "socialism": lambda state: np.bitwise_count(state.tokens).sum(axis=0),
}


@pytest.mark.parametrize("name", HELD)
def test_one_more_is_one_more(name, monkeypatch):
    """What is given is what the ledger tells of, and all games are played on."""
    game, report = games.load(name), report_of(name)
    ((thing, grant),) = game.grants.items()
    assert thing in {one.given or one.name for one in report.ledgers}
    many = Counter()

    def give(state, seat):
        before = HELD[name](state).astype(int)
        given = grant.give(state, seat)
        assert (HELD[name](state).astype(int) - before == given).all()
        many.update(given.tolist())
        return given

    players = 4 if 4 in game.players else game.players[0]
    cell = Cell(name, game.rules.of(), players, ("random",), True)
    table = grant_rows(cell, thing, replace(grant, give=give), GAMES)
    assert table.height == many[True] > 0
    assert table["won"].is_between(-1, 1).all()


def test_of_several_strategies_the_first_is_given_one_more():
    game = games.load("kunitame")
    seats = ("allround", *["random"] * 3)
    cell = Cell("kunitame", game.rules.of(), 4, seats, True)
    rows = grant_rows(cell, "Life gems", game.grants["Life gems"], 8)
    assert (rows["seat"] == -rows["game"].cast(int) % 4).all()
    nothing = replace(
        game.grants["Life gems"], give=lambda _, seat: np.ones(len(seat), dtype=bool)
    )
    rows = grant_rows(cell, "Life gems", nothing, 40)
    assert not (rows["won"] != 0).any(), "games go on as they went"
    assert not (rows["points"] != 0).any()
    assert grant_values(cell, 40)["strategy"].unique().to_list() == ["allround"]


@pytest.mark.parametrize("name", ["evilpact", "kbernestich"])
def test_nothing_is_astray(name):
    accounts, _ = told(name)
    assert accounts
