"""Who starts: what is told where too few games are decided for an interval."""

from types import SimpleNamespace

import polars as pl

from reports.evilpact import start_player

SHIFTS = "contract_shifts_start"
ALONE = SimpleNamespace(who="allround in every seat", games=3, rules={SHIFTS: False})


def told(monkeypatch, **columns):
    rows = {"order": [*start_player._ORDERS.values()], **columns}
    types = dict.fromkeys(("estimate", "low", "high"), pl.Float64)
    orders = pl.DataFrame(rows, schema_overrides=types)
    monkeypatch.setattr(start_player, "orders", lambda _: orders)
    return [*start_player.why(ALONE)]


def test_what_has_no_interval_is_open(monkeypatch):
    [found] = told(
        monkeypatch, estimate=[0.1, 0.2], low=[None, None], high=[None, None]
    )
    assert found.sure == "open"
    assert "So +5.0 points" in found.text
    assert found.why is None
    [found] = told(
        monkeypatch, estimate=[-0.1, 0.2], low=[-0.2, 0.1], high=[-0.05, 0.3]
    )
    assert found.sure == "likely"
    assert found.why.changes == ({SHIFTS: True},)
    [found] = told(
        monkeypatch, estimate=[0.1, 0.3], low=[0.05, 0.25], high=[0.15, 0.35]
    )
    assert (found.sure, found.why.line) == ("open", "positions")


def test_of_games_that_nobody_wins_nothing_is_told(monkeypatch):
    nothing = [None, None]
    assert told(monkeypatch, estimate=[None, 0.2], low=nothing, high=nothing) == []
