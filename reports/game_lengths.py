"""How long games last: the median and the tail, with intervals.

They come from a measure that counts games by length (turns, cards), a histogram.
"""

import polars as pl

from reports.formatting import PLAYERS, estimated
from reports.report_data import ReportData
from reports.report_document import Column
from reports.statistics.quantiles import quantiles

QUANTILES = {"median": 0.5, "95th": 0.95, "99th": 0.99}


def length_columns(what: str) -> tuple[Column, ...]:
    """Return the columns of ``length_table``, except n; ``what`` is counted."""
    return (
        PLAYERS,
        *(
            estimated(f"{name} {what}", f"{name} of the {what} of a game", name=name)
            for name in QUANTILES
        ),
        Column("longest", "longest", f"most {what} seen; grows with n", "count"),
        estimated("broken off", "games that a limit breaks off", "share", "off"),
    )


def length_table(
    data: ReportData, measure: str, by: str, only: pl.Expr
) -> pl.DataFrame:
    """Return quantiles, the longest game and the share broken off, a row for each cell.

    ``measure`` counts games by the column ``by``; the data have "broken off", too.
    """
    off = data.of("broken off", only=only)
    rows = []
    for part in data.raw(measure).filter(only).partition_by("cell"):
        row = {key: part[key][0] for key in ("cell", "players", "changes")}
        row |= {"table": f"{row['players']} players", "longest": part[by].max()}
        for name, level in QUANTILES.items():
            quantile = quantiles(part[by].to_numpy(), part["y"].to_numpy(), level)
            low, high = quantile.wide
            row |= {name: quantile.estimate, f"{name}_low": low, f"{name}_high": high}
        broken = off.filter(cell=row["cell"]).row(0, named=True)
        row |= {
            f"off{end}": broken[end[1:] or "estimate"] for end in ("", "_low", "_high")
        }
        rows.append(row | {"n": broken["n"]})
    return pl.DataFrame(rows, infer_schema_length=None)
