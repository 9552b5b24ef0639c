"""What a report reads and counts of some games, and what their transcripts tell."""

from collections import defaultdict
from typing import Any, NamedTuple

from experiments.core.block_records import Block, record_block, report_context
from experiments.core.cells import Cell
from reports.game_report import About, GameReport, Raw
from sim import games
from sim.transcript import Event, Transcript

Sums = dict[str, dict[tuple[Any, ...], tuple[float, float]]]
"""Of each measure, by its groups: y and x."""


class Recorded(NamedTuple):
    """Some games: raw tables, what is known of them, and the events of each game."""

    raw: Raw
    about: About
    told: list[list[Event]]


def recorded(
    cell: Cell, count: int, names: tuple[str, ...], first: int = 0
) -> Recorded:
    """So many games, with notes of these names as raw tables."""
    teller = Transcript(games.load(cell.game))
    played, raw = record_block(cell, Block(0, first, count), names, [teller])
    told = defaultdict[int, list[Event]](list)
    for event in teller.events():
        told[event["game"]].append(event)
    return Recorded(
        raw, report_context(cell, played), [told[game] for game in sorted(told)]
    )


def counted(report: GameReport, of: Recorded, first: int = 0) -> Sums:
    """The sums of all measures of a report."""
    found: Sums = {}
    for counts in report.counts_of(of.raw, of.about, first):
        by = report.measures[counts.measure].by
        rows = counts.sums().select(*by, "y", "x").rows()
        found[counts.measure] = {row[:-2]: row[-2:] for row in rows}
    return found
