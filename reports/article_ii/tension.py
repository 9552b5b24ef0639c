"""Primary against General: whether what wins the one loses the other.

The total of the Primary is Electability plus Affiliation, that of the General
Electability less Affiliation. Their correlation over seats says whether one has to
choose; its interval leaves out one of 32 parts of the games at a time (jackknife).
"""

import numpy as np
import polars as pl

from reports.article_ii.played import Played
from reports.article_ii.words import texts
from reports.drawing import dots, lines
from reports.found import CELL, PAIRED, Found
from reports.grids import Array, grid
from reports.intervals import jackknifed_correlation
from reports.page import Column, Finding, Section
from reports.verdicts import judge, sure
from reports.words import PLAYERS, N, estimated, exhibit, number, share

BATCHES = 32
WIDE, MOST = 5, 40
"""Width of a band of Primary totals, and the total beyond which bands end."""
TOLERANCE = 0.1
"""A correlation so small is none."""
_SUMS = ("x", "y", "xx", "yy", "xy")
_CELL = ("cell", "lineup", "kind", "players", "changes")
_ESTIMATE = ("estimate", "low", "high", "se")
SHOWN = 100
"""Bands with fewer seats are left out of the figure and the findings."""
PAIRS = {
    "as the Primary ends": "both totals of the cards that lie there then",
    "each at its end": "Primary total at its end, General total at the game's end",
}


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums of totals for correlations, by batch of games; outcomes by Primary total."""
    total = played.primary[0]
    bands = range(-MOST, MOST + 1, WIDE)
    band = np.clip(total // WIDE * WIDE, -MOST, MOST).astype(np.int64)
    at = np.stack([(band == low) & played.over[0] for low in bands])
    at = at.astype(np.int8)
    found = [
        grid("nominated by total", (at * played.candidates).sum(axis=1),
             at.sum(axis=1), band=bands),
        grid("won by total", (at * played.victory).sum(axis=1), at.sum(axis=1),
             band=bands),
    ]  # fmt: skip
    for name, at_end in zip(PAIRS, (0, 1), strict=True):
        counted = played.over[at_end]
        found += _products(name, total, played.general[at_end], counted, played.game)
    return found


def _products(
    name: str, x: Array, y: Array, counted: Array, game: Array
) -> list[pl.DataFrame]:
    """Sums of x, y and their products over the seats of games, by batch of games."""
    x, y = (part.astype(np.float64) * counted for part in (x, y))
    parts = {"n": np.ones_like(x) * counted, "x": x, "y": y}
    parts |= {"xx": x * x, "yy": y * y, "xy": x * y}
    here = np.stack([game % BATCHES == number for number in range(BATCHES)])
    return [
        grid(f"{name} {part}", values.sum(axis=0) * here, here * counted,
             batch=range(BATCHES))
        for part, values in parts.items()
    ]  # fmt: skip


def correlations(found: Found, name: str, only: pl.Expr) -> pl.DataFrame:
    """Correlation of the two totals in each of these cells."""
    rows = found.raw(f"{name} n", ("batch",)).filter(only)
    rows = rows.select(*_CELL, "batch", n="y")
    for part in _SUMS:
        more = found.raw(f"{name} {part}", ("batch",))
        more = more.select("cell", "batch", pl.col("y").alias(part))
        rows = rows.join(more, on=["cell", "batch"], maintain_order="left")
    told = []
    for cell in rows.partition_by("cell", maintain_order=True):
        parts = {key: cell[key].to_numpy() for key in ("n", *_SUMS)}
        numbers = map(float, jackknifed_correlation(**parts))
        ends = dict(zip(_ESTIMATE, numbers, strict=True))
        told.append(
            {**cell.select(_CELL).row(0, named=True), **ends, "n": parts["n"].sum()}
        )
    kinds = {name: CELL[name] for name in _CELL}
    schema = kinds | dict.fromkeys((*_ESTIMATE, "n"), pl.Float64)
    return pl.DataFrame(told, schema=schema).with_columns(
        pl.col(_ESTIMATE).fill_nan(None)
    )


def section(found: Found) -> Section:
    """Correlations, and outcomes by Primary total."""
    rows, bands = _correlated(found), _bands(found)
    return Section(
        "tension",
        "Primary against General",
        "If the totals of both elections went together, the same play would win both; "
        "if one is paid for with the other, players have to choose. General totals are "
        "those of all seats, as if all competed.",
        (
            exhibit(
                "tension-correlation",
                "Correlation of Primary and General totals over seats",
                "; ".join(f"{name}: {words}" for name, words in PAIRS.items()) + ". "
                f"The figure shows {found.players} players.",
                rows,
                (
                    PLAYERS,
                    Column("lineup", "lineup", "who plays"),
                    Column("totals", "totals", "which totals are compared"),
                    estimated("correlation", "Pearson's correlation over seats"),
                    Column("verdict", "0.1", _AGAINST),
                    N,
                ),
                dots(
                    "lineup", "correlation over seats", by="totals", reference=0,
                    only=pl.col("players") == found.players,
                ),
                "correlation of (E + A, E - A) over seats; interval: jackknife over "
                f"{BATCHES} parts of the games",
            ),
            exhibit(
                "tension-bands",
                "Candidates and Presidents by Primary total",
                "A band begins at the total named and is "
                f"{WIDE} points wide; the first and last hold all beyond. Of two "
                f"players both are Candidates. The figure shows {found.players} "
                "players.",
                bands,
                (
                    PLAYERS,
                    Column("total", "total from", "least Primary total", "count"),
                    Column("what", "becomes", "Candidate or President"),
                    estimated("share", "of the seats with such a total", "share"),
                    N,
                ),
                lines(
                    "total", "share of seats, %", by="what",
                    only=(pl.col("players") == found.players) & (pl.col("n") >= SHOWN),
                ),
            ),
        ),
        (
            *(_finding(found, rows, players) for players in found.counts),
            *_best(found, bands),
        ),
    )  # fmt: skip


def _correlated(found: Found) -> pl.DataFrame:
    """Correlations in all lineups, with verdicts by kind of totals."""
    parts = []
    for name in PAIRS:
        part = correlations(found, name, ~PAIRED)
        told = judge(part["estimate"], part["se"], -TOLERANCE, TOLERANCE)
        words = [
            _VERDICTS[one] or ("together" if up else "tension")
            for one, up in zip(told, (part["estimate"] > 0).to_list(), strict=True)
        ]
        parts.append(part.with_columns(totals=pl.lit(name), verdict=texts(words)))
    return pl.concat(parts).sort("cell", "totals", maintain_order=True)


def _bands(found: Found) -> pl.DataFrame:
    """Shares that become Candidate and President, by Primary total."""
    parts = [
        found.leading(f"{measure} by total", "rate", ("band",)).with_columns(
            what=pl.lit(what), total="band"
        )
        for measure, what in (("nominated", "Candidate"), ("won", "President"))
    ]
    return pl.concat(parts).sort("players", "what", "total")


def _finding(found: Found, rows: pl.DataFrame, players: int) -> Finding:
    """How the totals go together, in words."""
    mine = rows.filter(players=players, lineup=found.lead)
    texts_, verdicts = [], []
    for name, words in PAIRS.items():
        for row in mine.filter(totals=name).rows(named=True):
            texts_.append(f"{number(row)} ({words})")
            verdicts.append(row["verdict"])
    if not texts_:
        return Finding(f"Tension, {players} players: no data.", "open", "tension")
    text = (
        f"With {players} players the totals of Primary and General correlate over "
        f"seats by {' and '.join(texts_)}: {_SAID[verdicts[0]]} ({found.who})."
    )
    return Finding(text, sure(verdicts[0]), "tension")


def _best(found: Found, bands: pl.DataFrame) -> tuple[Finding, ...]:
    """With which Primary total one becomes President most often."""
    told = []
    for players in found.counts:
        rows = bands.filter(pl.col("n") >= SHOWN, players=players, what="President")
        if rows.height < 2:
            continue
        ordered = rows.sort("total").rows(named=True)
        best, last = max(ordered, key=lambda row: float(row["estimate"])), ordered[-1]
        text = (
            f"With {players} players seats with a Primary total of {best['total']} to "
            f"{best['total'] + WIDE - 1} become President most often, "
            f"{share(best)}; with {last['total']} and more it is {share(last)} "
            f"({found.who}): "
        )
        over = float(last["high"]) < float(best["low"])
        text += (
            "winning the Primary too high costs the General."
            if over
            else ("a high Primary total does not cost the General.")
        )
        told.append(Finding(text, "likely", "tension"))
    return tuple(told)


_AGAINST = (
    "tension: surely below -0.1; together: surely above 0.1; none: surely between; "
    "Holm over the rows of a kind of totals"
)
_VERDICTS = {"outside": "", "within": "none", "undecided": "undecided"}
_SAID = {
    "tension": "what wins the one is paid for in the other",
    "together": "the same play wins both, there is little to choose",
    "none": "neither helps nor hurts the other",
    "undecided": "whether that is a tension is undecided",
}
