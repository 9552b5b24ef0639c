"""Which strategies win against which, and where their points come from."""

import polars as pl

from reports import strategy_section
from reports.figure_specs import bars
from reports.game_report import ReportSection
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

_PARTS = {
    "to": "Letter to Marie",
    "hunch": "bids",
    "misery": "misery bonus",
    "from": "Letter from Marie",
}
MEASURES = tuple(
    MeasuresOf("parts", by="strategy").mean(
        f"{part} by strategy", "points of a seat in a game", part
    )
    for part in _PARTS
)


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return a row per seat of a game: its points by source."""
    parts = (played.to, played.hunch, played.misery, played.from_)
    columns = {
        name: values.sum(axis=0, dtype="int16")
        for name, values in zip(_PARTS, parts, strict=True)
    }
    strategy = {"strategy": played.strategy}
    return {"parts": played.frame(played.strategy.shape, strategy | columns)}


def _parts(data: ReportData) -> pl.DataFrame:
    """Return the points of each strategy at its own table, part by part."""
    rows = (
        data.of(f"{name} by strategy", only=data.uniform).with_columns(
            part=pl.lit(words)
        )
        for name, words in _PARTS.items()
    )
    return pl.concat(rows).sort("cell", "strategy", maintain_order=True)


SECTION = strategy_section.section(
    Number("scores by strategy", "score", "score of a seat at the end"),
    own=ReportSection(
        measures=MEASURES,
        tidy=tables,
        records=("score",),
        tables=(
            MeasureTable(
                "strategies-parts",
                "Where the points of each strategy come from",
                "Points of a seat in a game, each strategy at a table of its own kind, "
                "{players} players, without the score at the start.",
                (
                    "strategy",
                    Column("part", "part", "where the points come from"),
                    Number("to by strategy", "points"),
                ),
                source=_parts,
                draw=bars("strategy", "points of a seat in a game", "part"),
            ),
        ),
    ),
)
