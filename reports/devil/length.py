"""Length of rounds and games: the median, the 95th percentile, and the tail."""

from dataclasses import replace

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid_of_rows
from reports.devil.game_arrays import DevilArrays
from reports.figure_specs import dots
from reports.formatting import estimated
from reports.game_lengths import QUANTILES
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable
from reports.measures import SUMS, MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

ROUND, ROUNDS, GAME = "rounds with turns", "games with rounds", "games with turns"
WHAT = {ROUND: "turns in a round", ROUNDS: "rounds in a game", GAME: "turns in a game"}
_LONGER = MeasuresOf(by="beyond")
MEASURES = (
    _LONGER.per_game(ROUND, "rounds of a game with more turns than this"),
    _LONGER.share_of_games(ROUNDS, "games with more rounds than this"),
    _LONGER.share_of_games(GAME, "games with more turns than this"),
)
"""Per game played: a block has no row for lengths that none of its games exceeds."""

LADDER = np.array(
    [*range(200), *range(200, 500, 5), *range(500, 2000, 20), *range(2000, 60001, 500)]
)
"""Lengths for which longer rounds are counted: every one up to 200 turns."""


def ladder(measure: str, game: Array, length: Array) -> Counts:
    """Count the rows longer than each length of ``LADDER`` (column ``beyond``).

    Lengths that no row exceeds are left out, so that tables stay small. So ``x`` counts
    only games with a longer row: it must not depend on the other games of a block.
    """
    steps = LADDER[: np.searchsorted(LADDER, length.max(initial=0)) or 1]
    longer, every = length > steps[:, None], np.ones(len(game))
    counts = grid_of_rows(measure, game, longer, every, beyond=steps.tolist())
    return replace(counts, x=np.where(counts.y != 0, counts.x, 0))


def ladder_sums(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the sums of a ladder with the x of its first step: that of all games."""
    first = rows.filter(beyond=0).select("cell", x="x", xx="xx", games="games")
    kept = rows.drop("x", "xx", "games").join(first, on="cell", how="inner")
    return kept.select(*(n for n in rows.columns if n not in SUMS), *SUMS)


def counts(played: DevilArrays) -> list[Counts]:
    """Count the rounds and games longer than each length of the ladder."""
    lengths = {
        ROUND: (played.game_of, played.rounds.once("turns")),
        ROUNDS: (played.number, played.rounds_of_game),
        GAME: (played.number, played.turns_of_game),
    }
    return [ladder(name, *values) for name, values in lengths.items()]


def longer(data: ReportData, what: str) -> pl.DataFrame:
    """Return a row per step of the ladder: the share that is longer than ``beyond``."""
    rows = ladder_sums(data.raw(what).filter(data.leads()))
    return data.pool_rows(rows, ("cell", "players", "beyond"), "share")


def percentiles(data: ReportData) -> pl.DataFrame:
    """Return a row per number of players and kind of length; columns by percentile."""
    rows = [
        {
            "players": part["players"][0],
            "what": words,
            "n": part["n"][0],
            "longest": int(part["beyond"][-1]) + 1,
        }
        | {
            key: value
            for name, level in QUANTILES.items()
            for key, value in _percentile(part, name, 1 - level).items()
        }
        for what, words in WHAT.items()
        for part in longer(data, what).partition_by("players")
    ]
    numbers = [f"{name}{end}" for name in QUANTILES for end in ("", "_low", "_high")]
    schema = {"players": pl.Int64, "what": pl.String, "longest": pl.Int64}
    return pl.DataFrame(rows, schema | dict.fromkeys(["n", *numbers], pl.Float64))


def _percentile(part: pl.DataFrame, name: str, share_: float) -> dict[str, float]:
    """Return the length that this share of rows exceeds, and its interval."""
    columns = {name: "estimate", f"{name}_low": "low", f"{name}_high": "high"}
    last = int(part["beyond"][-1])
    after = next((step for step in LADDER.tolist() if step > last), last)
    lengths = {}
    for key, column in columns.items():
        short = part.filter(pl.col(column) <= share_)["beyond"]
        lengths[key] = float(short[0] if len(short) else after)
    return lengths


_TITLES = ("median", "95th percentile", "99th percentile")
_LONGEST = "the longest observed, rounded down to a step"
LENGTHS = MeasureTable(
    "length-percentiles",
    "How long rounds and games last",
    "Lengths above 200 are counted in steps (of 5, from 500 on of 20). The longest is "
    "the greatest in this run, and grows with the number of games.",
    (
        Column("what", "what", "what is counted"),
        "players",
        *(
            estimated(title, f"{title} of the length", name=name)
            for name, title in zip(QUANTILES, _TITLES, strict=True)
        ),
        Column("longest", "longest at least", _LONGEST, "count"),
    ),
    source=percentiles,
    draw=dots(
        "table",
        "turns in a round: 95th percentile",
        "95th",
        only=pl.col("what") == WHAT[ROUND],
        heading="95th percentile of the turns in a round, by players",
    ),
)


SECTION = ReportSection(
    id="length",
    title="Length of rounds and games",
    question="How long are rounds and games?",
    intro="With {who}. Skipped turns do not count. Rounds last until somebody ends "
    "them, so a few are long.",
    measures=MEASURES,
    counts=counts,
    records=("round",),
    tables=(LENGTHS,),
)
