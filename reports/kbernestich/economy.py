"""Cube economy: what is received, placed and kept, who lacks cubes, what brakes.

Cubes are conserved: in hand at the deal = placed + kept; in hand at the next deal =
kept + received, at most what a player can hold.
"""

import numpy as np
import polars as pl

from reports.drawing import heat
from reports.found import Found
from reports.grids import Array, grid, numbered
from reports.kbernestich import brake, flow, spread
from reports.kbernestich.played import Played
from reports.kbernestich.words import ROUND
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.words import PLAYERS, N, estimated, exhibit, listed, number, percent, share

MEASURES: list[Measure] = []
_CHECKS = {
    "cubes unaccounted": "in hand at the deal, less placed, less kept",
    "cubes counted twice": "placed as chosen, less those on the sheet",
    "cubes against the table": "received, less what score and limit give",
}


def tables(_: Played) -> dict[str, pl.DataFrame]:
    """No tidy tables: all is summed from arrays."""
    return {}


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums of cubes, of plot turns without a cube, and of the checks."""
    found = [*flow.grids(played), *_checks(played)]
    found += [*brake.grids(played), *spread.grids(played)]
    if played.plots:
        found += _starved(played)
    return found


def _starved(played: Played) -> list[pl.DataFrame]:
    lacking = _lacking(played).sum(axis=2)
    shape = {"round": numbered(played.rounds), "trick": numbered(played.plots)}
    turns = np.full(played.size, played.players)
    every = turns * played.rounds * played.plots
    return [
        grid("turns without a cube", lacking, turns, **shape),
        grid("turns without a cube in all", lacking.sum(axis=(0, 1)), every),
    ]


def _lacking(played: Played) -> Array:
    """(rounds, plots, seats, games) whether the seat had no cube at its plot turn."""
    gone = np.cumsum(played.plotted, axis=1, dtype=np.int16) - played.plotted
    return gone >= played.cubes[:, None]


def _checks(played: Played) -> list[pl.DataFrame]:
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


def _due(played: Played) -> Array:
    """(rounds, seats, games) cubes that the rules give for a round."""
    most = played.rules["cubes"]
    due = np.full(played.cubes.shape, most, dtype=np.int16)
    due[1:] = np.minimum(brake.refill(played), most - played.kept[:-1])
    return due


def section(found: Found) -> Section:
    """Cubes from hand to hand."""
    return Section(
        "economy",
        "Cube economy",
        f"With {found.who}. A player holds {found.rules['cubes']} cubes at most.",
        (
            *flow.exhibits(found),
            _without(found),
            *brake.exhibits(found),
            *spread.exhibits(found),
            _conserved(found),
        ),
        (
            _kept(found),
            brake.finding(found),
            spread.finding(found),
            _conservation(found),
        ),
    )


def _without(found: Found) -> Exhibit:
    rows = found.leading("turns without a cube", "rate", ("round", "trick"))
    return exhibit(
        "economy-starved",
        "Plot turns at which a player has no cube",
        "A player without cubes is skipped. Having placed them all is one reason, "
        f"having received few another. The figure shows {found.players} players.",
        rows.with_columns(before=pl.format("before trick {}", "trick")),
        (
            PLAYERS,
            ROUND,
            Column("trick", "before trick", "the trick that comes next", "count"),
            estimated("without a cube", "share of the seats' plot turns", "share"),
            N,
        ),
        heat(
            "before", "round", "share of plot turns, %",
            ends=True, only=pl.col("players") == found.players,
        ),
    )  # fmt: skip


def _sums(found: Found, name: str) -> tuple[int, int]:
    """A check over all lineups: cubes that are wrong, and cubes looked at."""
    rows = found.raw(name)
    return int(rows["y"].sum()), int(rows["x"].sum())


def _conserved(found: Found) -> Exhibit:
    counts = [_sums(found, name) for name in _CHECKS]
    table = pl.DataFrame(
        {
            "check": list(_CHECKS.values()),
            "wrong": [wrong for wrong, _ in counts],
            "n": [every for _, every in counts],
        }
    )
    return exhibit(
        "economy-conservation",
        "Conservation: cubes that appear or vanish",
        "Of all lineups, counted seat by seat and round by round; each must be 0.",
        table,
        (
            Column("check", "check", "what must be nothing"),
            Column("wrong", "cubes", "sum of the absolute differences", "count"),
            Column("n", "n", "cubes in hand at the deals", "count"),
        ),
    )


def _conservation(found: Found) -> Finding:
    wrong, every = zip(*(_sums(found, name) for name in _CHECKS), strict=True)
    if not every[0]:
        return Finding("Conservation: no cubes in these rules.", "sure", "economy")
    if any(wrong):
        lost = f"{sum(wrong):,} cubes of {every[0]:,}"
        text = f"Conservation fails: {lost} appear or vanish."
        return Finding(text, "sure", "economy")
    text = (
        f"Conservation is exact: of {every[0]:,} cubes in hand at the deals of all "
        "lineups, in hand - placed - kept is 0 for every seat and round, and what is "
        "received is what score and limit give."
    )
    return Finding(text, "sure", "economy")


def _kept(found: Found) -> Finding:
    players = found.players
    parts = [
        found.leading(f"cubes {name}", "mean", ("round",), players=players)
        for name in ("received", "kept")
    ]
    idle = found.leading("idle cubes", "rate", players=players)
    starved = found.leading("turns without a cube in all", "rate", players=players)
    if parts[0].is_empty() or idle.is_empty():
        return Finding("Cubes: no data.", "open", "economy")
    received, kept = (
        listed([number(row) for row in part.rows(named=True)]) for part in parts
    )
    lacking = share(starved.row(0, named=True)) if starved.height else percent(0)
    text = (
        f"Cubes, {players} players, {found.who}: a seat receives {received} by round "
        f"and keeps {kept}; {share(idle.row(0, named=True))} of the cubes received are "
        f"never placed, and at {lacking} of its plot turns a seat has none."
    )
    return Finding(text, "sure", "economy")
