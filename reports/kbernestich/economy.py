"""Cube economy: what is received, placed and kept, who lacks cubes, what brakes.

Cubes are conserved: in hand at the deal = placed + kept; in hand at the next deal =
kept + received, at most what a player can hold.
"""

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid, numbered
from reports.drawing import heat
from reports.formatting import exhibit, listed, number, percent, share
from reports.game_report import ReportSection, Shown
from reports.kbernestich import brake, flow, spread
from reports.kbernestich.played import PlayedGames
from reports.measures import MeasuresOf
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.tabled import Number, Table, worded

_CHECKS = {
    "cubes unaccounted": "in hand at the deal, less placed, less kept",
    "cubes counted twice": "placed as chosen, less those on the sheet",
    "cubes against the table": "received, less what score and limit give",
}

_ARRAYS = MeasuresOf()
MEASURES = (
    *flow.MEASURES,
    *brake.MEASURES,
    *spread.MEASURES,
    _ARRAYS.share(
        "turns without a cube", "share of the seats' plot turns", by="round trick"
    ),
    _ARRAYS.share("turns without a cube in all", "share of all plot turns"),
    *(_ARRAYS.mean(name, f"{doc}, a cube in hand") for name, doc in _CHECKS.items()),
    _ARRAYS.share("idle cubes", "share of the cubes received, never placed"),
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums of cubes, of plot turns without a cube, and of the checks."""
    found = [*flow.counts(played), *_checks(played)]
    found += [*brake.counts(played), *spread.counts(played)]
    if played.plots:
        found += _starved(played)
    return found


def _starved(played: PlayedGames) -> list[Counts]:
    lacking = _lacking(played).sum(axis=2)
    shape = {"round": numbered(played.rounds), "trick": numbered(played.plots)}
    turns = np.full(played.size, played.players)
    every = turns * played.rounds * played.plots
    return [
        grid("turns without a cube", lacking, turns, **shape),
        grid("turns without a cube in all", lacking.sum(axis=(0, 1)), every),
    ]


def _lacking(played: PlayedGames) -> Array:
    """(rounds, plots, seats, games) whether the seat had no cube at its plot turn."""
    gone = np.cumsum(played.plotted, axis=1, dtype=np.int16) - played.plotted
    return gone >= played.cubes[:, None]


def _checks(played: PlayedGames) -> list[Counts]:
    """Cubes that appear or vanish, which should be none, of all in hand at deals."""
    parts = flow.flows(played)
    chosen = played.plotted.sum(axis=1, dtype=np.int16)
    if played.rules["future_known"]:  # colours still claimed are set without a choice
        chosen = parts["placed"]
    wrong = (
        parts["in hand"] - parts["placed"] - parts["kept"],
        chosen - parts["placed"],
        parts["received"] - _due(played),
    )
    every = parts["in hand"].sum(axis=(0, 1))
    received = parts["received"].sum(axis=(0, 1))
    return [
        *(
            grid(name, abs(part).sum(axis=(0, 1)), every)
            for name, part in zip(_CHECKS, wrong, strict=True)
        ),
        grid("idle cubes", played.kept[-1].sum(axis=0), received),
    ]


def _due(played: PlayedGames) -> Array:
    """(rounds, seats, games) cubes that the rules give for a round."""
    most = played.rules["cubes"]
    due = np.full(played.cubes.shape, most, dtype=np.int16)
    due[1:] = np.minimum(brake.refill(played), most - played.kept[:-1])
    return due


def section(data: ReportData) -> Shown:
    """Cubes from hand to hand."""
    yield Section(
        "economy",
        "Cube economy",
        f"With {data.who}. A player holds {data.rules['cubes']} cubes at most.",
    )
    yield _kept(data)
    yield from flow.shown(data)
    here = pl.col("players") == data.players
    share_of = "share of plot turns, %"
    yield Table(
        "economy-starved",
        "Plot turns at which a player has no cube",
        "A player without cubes is skipped. Having placed them all is one reason, "
        f"having received few another. The figure shows {data.players} players.",
        (
            "players",
            "round",
            Column("trick", "before trick", "the trick that comes next", "count"),
            Number("turns without a cube", "without a cube"),
        ),
        rows=worded("before", "before trick {}".format, "trick"),
        draw=heat("before", "round", share_of, ends=True, only=here),
    )
    yield from brake.shown(data)
    yield from spread.shown(data)
    yield _conserved(data)
    yield _conservation(data)


def _sums(data: ReportData, name: str) -> tuple[int, int]:
    """A check over all lineups: cubes that are wrong, and cubes looked at."""
    rows = data.raw(name)
    return int(rows["y"].sum()), int(rows["x"].sum())


def _conserved(data: ReportData) -> Exhibit:
    wrong, every = zip(*(_sums(data, name) for name in _CHECKS), strict=True)
    return exhibit(
        "economy-conservation",
        "Conservation: cubes that appear or vanish",
        "Of all lineups, counted seat by seat and round by round; each must be 0.",
        pl.DataFrame({"check": list(_CHECKS.values()), "wrong": wrong, "n": every}),
        (
            Column("check", "check", "what must be nothing"),
            Column("wrong", "cubes", "sum of the absolute differences", "count"),
            Column("n", "n", "cubes in hand at the deals", "count"),
        ),
    )


def _conservation(data: ReportData) -> Finding:
    wrong, every = zip(*(_sums(data, name) for name in _CHECKS), strict=True)
    if not every[0]:
        return Finding("Conservation: no cubes in these rules.", "")
    if any(wrong):
        lost = f"{sum(wrong):,} cubes of {every[0]:,}"
        text = f"Conservation fails: {lost} appear or vanish."
        return Finding(text, "sure")
    text = (
        f"Conservation is exact: of {every[0]:,} cubes in hand at the deals of all "
        "lineups, in hand - placed - kept is 0 for every seat and round, and what is "
        "received is what score and limit give."
    )
    return Finding(text, "sure")


def _kept(data: ReportData) -> Finding:
    players = data.players
    several, ends, idle, starved = (
        data.leading(name, players=players)
        for name in (
            "cubes received",
            "cubes kept",
            "idle cubes",
            "turns without a cube in all",
        )
    )
    if several.is_empty() or idle.is_empty():
        return Finding("Cubes: no data.", "open")
    received, kept = (
        listed([number(row) for row in part.rows(named=True)])
        for part in (several, ends)
    )
    lacking = share(starved.row(0, named=True)) if starved.height else percent(0)
    text = (
        f"Cubes, {players} players, {data.who}: a seat receives {received} by round "
        f"and keeps {kept}; {share(idle.row(0, named=True))} of the cubes received are "
        f"never placed, and at {lacking} of its plot turns a seat has none."
    )
    return Finding(text, "")


SECTION = ReportSection(section, MEASURES, counts=counts)
