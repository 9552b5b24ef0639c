"""How games end, as the summary counts it, is what the raw tables tell."""

import polars as pl
import pytest

from experiments.core import end_summary
from experiments.core.block_records import Block, record_block
from experiments.core.cells import Cell, role_seating, with_roles
from experiments.core.end_summary import EndSummary
from reports.measures import SUMS, Measure
from reports.table_counts import count_rows
from sim.events import SEATS
from sim.games import REGISTRY, load

GAMES = 60


def told(game, raw, who):
    """The measures of a game's end as measures of the raw table, and that table."""
    seat, first = pl.col("seat").cast(pl.Int64) - 1, pl.col("seat") == 1
    values = {"won": pl.col("winner").cast(pl.Int64) == seat}
    found = []
    for name, field in game.events["result"].fields.items():
        if field.once and field.form not in {"seat", "code", "list"}:
            value = pl.col(name)
            found.append(Measure(name, "", "mean", "result", value, where=first))
        elif name == "by":
            found.append(
                Measure("decided", "", "mean", "result", by=("by",), where=first)
            )
        elif field.form == "set" and field.vocabulary == SEATS:
            values[name] = pl.col(name).cast(pl.Int64) // pl.lit(2).pow(seat) % 2 == 1
        elif field.form not in {"seat", "code", "list"}:
            values[name] = pl.col(name)
    found += [
        Measure(f"{name} by {group}", "", "mean", "result", value, by=(group,))
        for name, value in values.items()
        for group in ("strategy", "seat")
    ]
    names, sitting = who
    sits = [names[at] for at in sitting[raw["seat"], raw["game"].cast(pl.Int64)]]
    strategy = pl.Series(sits, dtype=pl.String)
    return found, raw.with_columns(pl.col("seat").cast(pl.Int64) + 1, strategy=strategy)


@pytest.mark.slow
@pytest.mark.parametrize("other", [("allround",), ("random", "allround")])
@pytest.mark.parametrize("game", REGISTRY)
def test_the_same_sums(game, other):
    """By strategy, and by role where another lineup plays beside it."""
    known = load(game)
    players = known.players[-1]
    cells = [
        Cell(
            game,
            known.rules.of(),
            players,
            (*lineup, *["random"] * (players - len(lineup))),
            True,
            seed=3,
        )
        for lineup in (("allround",), other)
    ]
    block, end = Block(0, 0, GAMES), EndSummary(known)
    played, raw = record_block(cells[0], block, ("result",), [end])
    who = role_seating(with_roles(*cells)[0], played.state.games)
    ends = {counts.measure: counts.sums() for counts in end.counts(played, who)}
    found, table = told(known, raw["result"], who)
    placed = {name for name in ends if " by position" in name}
    assert placed
    assert (
        {m.name for m in end_summary.measures(known)} - {"match by seat"} - placed
        == {measure.name for measure in found}
        == ends.keys() - placed
    )
    for measure in found:
        sides = ends[measure.name], count_rows(measure, table).sums()
        by = list(measure.by)
        mine, theirs = (side.select(*by, *SUMS) for side in sides)
        if by:
            mine, theirs = mine.sort(by), theirs.sort(by)
        assert mine.equals(theirs), measure.name
