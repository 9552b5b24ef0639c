"""Strategies: who wins against whom, and what their points are made of."""

import numpy as np
import polars as pl

from reports import schools
from reports.drawing import bars
from reports.found import Found
from reports.kbernestich.played import Played
from reports.kbernestich.rows import alone, flat, said
from reports.measures import Measure
from reports.page import Column, Exhibit, Section
from reports.words import STRATEGY, N, estimated, exhibit

_PARTS = ("to", "hunch", "misery", "from")
MEASURES = [
    Measure(f"{part} by strategy", "parts", pl.col(part), by=("strategy",))
    for part in _PARTS
]
DOCS = {
    "parts": {
        "game": "number of the game in its run",
        "strategy": "who sits there",
        "to": "points for Letter to Marie in the game",
        "hunch": "points for bids",
        "misery": "misery bonuses",
        "from": "points out of the base",
    }
}
_SCORE = estimated("score", "score of a seat at the end", name="last")


def tables(played: Played) -> dict[str, pl.DataFrame]:
    """A row a seat of a game: what its points are made of."""
    parts = (played.to, played.hunch, played.misery, played.from_)
    data = {
        name: values.sum(axis=0, dtype=np.int16).reshape(-1)
        for name, values in zip(_PARTS, parts, strict=True)
    }
    game = flat(played.game, played.school.shape)
    school = said(played, played.school)
    return {"parts": pl.DataFrame({"game": game, "strategy": school, **data})}


def section(found: Found) -> Section:
    """Win shares of each strategy in each lineup."""
    made = _made_of(found)
    return schools.section(found, "scores by strategy", _SCORE, more=(made,))


def _made_of(found: Found) -> Exhibit:
    """Points of a game by area of the sheet."""
    parts = [
        found.of(f"{part} by strategy", "mean", ("strategy",), only=alone(found))
        .with_columns(part=pl.lit(words))
        for part, words in zip(_PARTS, _WORDS, strict=True)
    ]  # fmt: skip
    return exhibit(
        "strategies-parts",
        "What the points of each strategy are made of",
        f"Points of a seat in a game, each strategy at a table of its own kind, "
        f"{found.players} players; the score at the start is left out.",
        pl.concat(parts).sort("cell", "strategy", maintain_order=True),
        (
            STRATEGY,
            Column("part", "part", "where the points come from"),
            estimated("points", "points of a seat in a game"),
            N,
        ),
        bars("strategy", "points of a seat in a game", "part"),
    )


_WORDS = ("Letter to Marie", "bids", "misery bonus", "Letter from Marie")
