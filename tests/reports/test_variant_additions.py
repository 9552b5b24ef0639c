"""What a variant adds to a table has a finding of its own."""

import polars as pl

from experiments.analysis.report_header import _added_rows
from reports import variant_additions
from reports.measures import SUMS, Measure
from reports.report_data import ReportData
from reports.report_document import Column
from sim import games

GAMES = 100
MINE = {"id": "mine", "pledge": "P1", "when": "trick", "num": [7, 9], "gem": 3}


def counted(won):
    """A run in which a square was won in so many games each."""
    rows = [
        {"cell": 0, "measure": "won from", "square": name, "y": y, "yy": y, "xy": y}
        | {"yyy": y, "x": GAMES, "xx": GAMES, "games": GAMES}
        for name, y in won.items()
    ]
    cells = pl.DataFrame(
        {"cell": 0, "lineup": "clever", "kind": "self", "players": 4}
        | {"strategy_declining": "", "moment": 0, "changes": ""}
    ).cast({"cell": pl.Int32})
    measures = {"won from": Measure("won from", "games", "share", by=("square",))}
    sums = pl.DataFrame(rows).cast(dict.fromkeys(SUMS, pl.Float64))
    columns = {"square": Column("square", "square", "")}
    return ReportData(sums, cells, GAMES, {}, "clever", measures, columns)


def test_a_square_of_ones_own_is_told_beside_the_others():
    data = counted({"blue": 60, "mine": 20, "red": 10})
    section = variant_additions.section(data, [("mine", "New square mine.")])
    [finding] = section.findings
    assert finding.text.startswith("New square mine. won from 20.0 % [13.")
    assert finding.text.endswith("], 2 of 3.")
    assert section.exhibits[0].table["n"].to_list() == [GAMES]


def test_a_row_that_nobody_met_has_a_finding_too():
    section = variant_additions.section(
        counted({"blue": 60}), [("mine", "New square mine.")]
    )
    [finding] = section.findings
    said = "open: New square mine. Nobody came across it in these games."
    assert finding.labelled == said
    assert variant_additions.section(counted({"blue": 60}), []) is None


def test_only_rows_that_the_base_lacks_are_new():
    rules = games.load("kunitame").rules
    base = rules.of()
    assert _added_rows(base, base.changed({"life": 4})) == ()
    squares = base.plain()["squares"]
    [(name, words)] = _added_rows(base, base.changed({"squares": [*squares, MINE]}))
    assert name == "mine"
    assert words.startswith("New square mine: pledge P1; when trick; num 7 to 9")
