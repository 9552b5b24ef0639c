"""Print what is measured in a game."""

from collections.abc import Iterator

import polars as pl

from experiments.commands import output
from experiments.core.measures import report_of
from reports.measures import KINDS

TITLES = {
    "end": "How games end: measured by every run",
    "report": "The game's report: measured with detailed = true, or --measure",
    "what-if": "What-ifs of the report: pairs of games with one thing changed",
}


def as_json(game: str, rows: pl.DataFrame) -> None:
    """Print the measures as one JSON object."""
    columns = report_of(game).columns
    measures = [
        {
            "name": measure["measure"],
            "meaning": measure["meaning"],
            "kind": measure["kind"],
            "unit": measure["unit"],
            "groups": {name: columns[name].doc for name in measure["by"]},
            "of": measure["of"],
        }
        for measure in rows.to_dicts()
    ]
    output.as_json({"game": game, "measures": measures})


def as_tables(game: str, result: pl.DataFrame) -> None:
    """Print tables of measures, groups and kinds."""
    for of, title in TITLES.items():
        part = result.filter(of=of)
        if part.height:
            rows = [list(_row(**row)) for row in part.drop("of").to_dicts()]
            output.table(title, ["measure", "meaning", "kind", "unit", "by"], rows)
    columns = report_of(game).columns
    groups = dict.fromkeys(name for by in result["by"] for name in by)
    if groups:
        rows = [[name, columns[name].doc] for name in groups]
        output.table("Groups", ["group", "what it is"], rows)
    kinds = result["kind"].unique(maintain_order=True)
    output.table("Kinds", ["kind", "what it is"], [[k, KINDS[k]] for k in kinds])


def _row(
    measure: str, meaning: str, kind: str, unit: str, by: list[str]
) -> Iterator[str]:
    yield from (measure, meaning, kind)
    yield from ("difference of shares" if unit == "pp" else unit, ", ".join(by))
