"""Strategies: who wins against whom, and what their points are made of."""

import numpy as np
import polars as pl

from reports import strategies
from reports.drawing import bars
from reports.formatting import STRATEGY, N, estimated, exhibit
from reports.game_report import ReportSection
from reports.kbernestich.played import PlayedGames
from reports.kbernestich.rows import flat, said
from reports.measures import Measure
from reports.page import Column, Exhibit, Section
from reports.report_data import ReportData

_PARTS = {
    "to": "Letter to Marie",
    "hunch": "bids",
    "misery": "misery bonus",
    "from": "Letter from Marie",
}
MEASURES = tuple(
    Measure(
        f"{part} by strategy",
        "points of a seat in a game",
        "mean",
        "parts",
        pl.col(part),
        by=("strategy",),
    )
    for part in _PARTS
)
_SCORE = estimated("score", "score of a seat at the end", name="last")


def tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    """A row a seat of a game: what its points are made of."""
    parts = (played.to, played.hunch, played.misery, played.from_)
    data = {
        name: values.sum(axis=0, dtype=np.int16).reshape(-1)
        for name, values in zip(_PARTS, parts, strict=True)
    }
    game = flat(played.game, played.strategy.shape)
    strategy = said(played, played.strategy)
    return {"parts": pl.DataFrame({"game": game, "strategy": strategy, **data})}


def section(data: ReportData) -> Section:
    """Win shares of each strategy in each lineup."""
    made = _made_of(data)
    return strategies.section(data, "scores by strategy", _SCORE, more=(made,))


def _made_of(data: ReportData) -> Exhibit:
    """Points of a game by area of the sheet."""
    parts = [
        data.of(f"{part} by strategy", only=data.alone).with_columns(part=pl.lit(words))
        for part, words in _PARTS.items()
    ]
    return exhibit(
        "strategies-parts",
        "What the points of each strategy are made of",
        f"Points of a seat in a game, each strategy at a table of its own kind, "
        f"{data.players} players; the score at the start is left out.",
        pl.concat(parts).sort("cell", "strategy", maintain_order=True),
        (
            STRATEGY,
            Column("part", "part", "where the points come from"),
            estimated("points", "points of a seat in a game"),
            N,
        ),
        bars("strategy", "points of a seat in a game", "part"),
    )


SECTION = ReportSection(section, MEASURES, tables)
