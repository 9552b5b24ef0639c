"""Which strategies win against which, and where their points come from."""

import polars as pl

from reports import strategy_section
from reports.figure_specs import bars
from reports.formatting import estimated
from reports.game_report import SectionParts
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Exhibit

_PARTS = {
    "to": "Letter to Marie",
    "hunch": "bids",
    "misery": "misery bonus",
    "from": "Letter from Marie",
}
_MADE_OF = MeasuresOf("parts", by="strategy")
MEASURES = tuple(
    _MADE_OF.mean(f"{part} by strategy", "points of a seat in a game", part)
    for part in _PARTS
)
_SCORE = estimated("score", "score of a seat at the end", name="last")


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return a row per seat of a game: its points by source."""
    parts = (played.to, played.hunch, played.misery, played.from_)
    columns = {
        name: values.sum(axis=0, dtype="int16")
        for name, values in zip(_PARTS, parts, strict=True)
    }
    strategy = {"strategy": played.strategy}
    return {"parts": played.frame(played.strategy.shape, strategy | columns)}


def section(data: ReportData) -> SectionParts:
    """Yield win shares of each strategy in each lineup, and points by area."""
    yield from strategy_section.section(data, "scores by strategy", _SCORE)
    yield _made_of(data)


def _made_of(data: ReportData) -> Exhibit:
    parts = [
        data.of(f"{part} by strategy", only=data.uniform).with_columns(
            part=pl.lit(words)
        )
        for part, words in _PARTS.items()
    ]
    return MeasureTable(
        "strategies-parts",
        "Where the points of each strategy come from",
        f"Points of a seat in a game, each strategy at a table of its own kind, "
        f"{data.players} players, without the score at the start.",
        (
            "strategy",
            Column("part", "part", "where the points come from"),
            Number("to by strategy", "points"),
        ),
        rows=pl.concat(parts).sort("cell", "strategy", maintain_order=True),
        draw=bars("strategy", "points of a seat in a game", "part"),
    ).of(data)


SECTION = strategy_section.of(
    section,
    MEASURES,
    tables,
    records=("score",),
)
