"""Tables of a report that need whole games: win probabilities, stakes, grants, brakes.

They say who is ahead when, how much single decisions matter, and what a grant or a
brake changes; for the leading strategy in every seat, and for search players. A run
keeps only sums of blocks, so a separate sample of games is played.
"""

from functools import partial

import polars as pl

from experiments.core.block_records import Block, record_block, report_context
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.counterfactual.grants_and_brakes import brake_effects, grant_values
from experiments.counterfactual.turning_points import sample_decisions, turning_points
from reports.course.standings import Standings
from reports.course.turning_points import by_kind, decision_table
from reports.course.win_probability_tables import course_tables, search_tables
from reports.ledger.paired_effects import BRAKES, FEW, GRANTED, OF_SEARCH

MOST = 2_048
"""Games from which win probabilities are estimated, at most."""
ECONOMY = 1_024
"""Games with grants, and with and without brakes, at most."""
BRAKED = 4
"""One in this many games of searchers is played with and without brakes."""
SEARCHED, LEAST = 8, 64
"""One in ``SEARCHED`` games of searchers is replayed for win probabilities; in full
reports at least ``LEAST``, if there are as many."""
ENOUGH = 128
"""Games of searchers that grants need at least; full reports have as many."""
_MOMENTS, _SAMPLED = 24, 128  # at which decisions are tried, and games they are from
_LEAST_GAMES = 40  # for any of these tables, and for each moment

Tables = dict[str, pl.DataFrame]


Calls = dict[str, "partial[Tables]"]
"""Independent calls that each make some tables, by what they are about."""


def course_calls(cell: Cell, games: int, search: Cell | None, followed: int) -> Calls:
    """Return the calls of a section on the course of the game; none if games are few.

    ``search`` is a cell in which all players search, of which ``followed`` games give
    win probabilities, too, if these are enough.
    """
    games = min(games, report_of(cell.game).games, MOST)
    if games < _LEAST_GAMES:
        return {}
    moments = min(games // _LEAST_GAMES, _MOMENTS)
    return {
        "course": partial(_course, cell, games, search, followed),
        "turns": partial(_turns, cell, moments, games),
    }


def economy_calls(cell: Cell, games: int) -> Calls:
    """Return the calls of a section on the economy; none if games are few."""
    games = min(games, report_of(cell.game).games, ECONOMY)
    if games < _LEAST_GAMES:
        return {}
    return {"economy": partial(_economy, cell, cell, games, games)}


def search_dynamics_calls(
    one: Cell | None, everybody: Cell | None, games: int
) -> Calls:
    """Return calls that make the tables of searchers.

    These are of decisions of, and grants to, a single searcher, and of brakes if all
    search. There are none if games are few: they would take long and show nothing.
    """
    games = min(games, ECONOMY)
    if one is None or everybody is None or games < _LEAST_GAMES:
        return {}
    calls: Calls = {"search-turns": partial(_turns, one, _MOMENTS, games, OF_SEARCH)}
    if games >= ENOUGH:
        brakes = games // BRAKED
        calls["search-economy"] = partial(
            _economy, one, everybody, games, brakes, OF_SEARCH
        )
    return calls


def replayed_games(searched: int, *, full: bool) -> int:
    """Return how many of the games with searchers give win probabilities."""
    return max(searched // SEARCHED, min(searched, LEAST) if full else 0)


def _economy(
    given: Cell, braked: Cell, gifts: int, brakes: int, of: str = ""
) -> Tables:
    """Return the tables from ``gifts`` games with grants and ``brakes`` with brakes."""
    tables = {
        f"{GRANTED}{of}": grant_values(given, gifts),
        f"{BRAKES}{of}": brake_effects(braked, brakes)
        if brakes >= FEW
        else pl.DataFrame(),
    }
    return {name: table for name, table in tables.items() if table.height}


def _course(cell: Cell, games: int, search: Cell | None, followed: int) -> Tables:
    """Return the tables of win probabilities over time, of searchers too."""
    standing = _standing(cell, games)
    if standing is None:
        return {}
    others = None if search is None else _standing(search, followed)
    return course_tables(standing) | (
        {} if others is None else search_tables(standing, others)
    )


def _turns(cell: Cell, calls: int, games: int, of: str = "") -> Tables:
    """Return the tables of decisions at ``calls`` moments, drawn from ``games``."""
    tried = turning_points(cell, calls, report_of(cell.game).decisions_tried)
    sample = sample_decisions(cell, min(games, _SAMPLED), tried)
    if sample is None:
        return {}
    columns = pl.lit(cell.strategies()[0].title).alias("strategy"), pl.all()
    turned = decision_table(sample.options, sample.decisions, sample.choices)
    return {
        f"turns{of}": turned.select(*columns),
        f"kinds{of}": by_kind(sample.options, sample.kinds).select(*columns),
    }


def _standing(cell: Cell, games: int) -> Standings | None:
    """Return how seats stand in games of a cell; None if few, or unknown."""
    report = report_of(cell.game)
    if report.standing is None or games < _LEAST_GAMES:
        return None
    played, raw = record_block(cell, Block(0, 0, games), report.course_notes, [])
    read = report.reads(raw, report_context(cell, played))
    standing: Standings | None = report.standing(read)
    return standing
