"""Tidy tables that are made when they are read: once each, and no others."""

import polars as pl
import pytest

from experiments.core.block_records import Block
from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from reports.evilpact import game_arrays
from reports.lazy_tables import LazyTables
from sim.games import load


def test_a_table_is_made_once_and_only_if_it_is_read():
    made = []

    def make(name):
        def table(played):
            made.append((name, played))
            return pl.DataFrame({"turns": played})

        return table

    tables = LazyTables((3, 5), {name: make(name) for name in ("turns", "rounds")})
    assert list(tables) == ["turns", "rounds"]
    assert len(tables) == 2
    assert not made
    assert tables["turns"] is tables["turns"]
    assert tables["turns"]["turns"].to_list() == [3, 5]
    assert made == [("turns", (3, 5))]


def test_no_such_table_is_a_key_error():
    with pytest.raises(KeyError, match="weeks"):
        LazyTables(None, {})["weeks"]


def test_what_no_measure_of_the_kind_reads_is_not_made(monkeypatch):
    read, makes = set(), dict(game_arrays.MADE)

    def heard(name):
        def table(played):
            read.add(name)
            return makes[name](played)

        return table

    for name in makes:
        monkeypatch.setitem(game_arrays.MADE, name, heard(name))
    rules, found = load("evilpact").rules(), {}
    for kind in ("beside", ""):
        read.clear()
        cell = Cell("evilpact", rules, 2, ("allround",), measure_set=kind).resolved()
        play_block(cell, Block(0, 0, 64), True)
        found[kind] = set(read)
    assert found["beside"] < found[""] <= set(makes)
