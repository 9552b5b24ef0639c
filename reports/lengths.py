"""How long games last: the middle and the tail, with intervals.

Of a measure that counts games by their length (turns, cards), as a histogram.
"""

import polars as pl

from reports.formatting import PLAYERS, estimated
from reports.page import Column
from reports.report_data import ReportData
from reports.statistics.quantiles import quantiles

QUANTILES = {"median": 0.5, "95th": 0.95, "99th": 0.99}


def columns(what: str) -> tuple[Column, ...]:
    """Columns of a table of ``lasted``, but for n; ``what`` is counted."""
    return (
        PLAYERS,
        *(
            estimated(f"{name} {what}", f"{name} of the {what} of a game", name=name)
            for name in QUANTILES
        ),
        Column("longest", "longest", f"most {what} seen; grows with n", "count"),
        estimated("broken off", "games that the guard breaks off", "share", "off"),
    )


def lasted(data: ReportData, measure: str, by: str, only: pl.Expr) -> pl.DataFrame:
    """A row a number of players and rules: quantiles, the longest, how many broken off.

    ``measure`` counts games by the column ``by``; the share "broken off" is told too.
    """
    off = data.of("broken off", only=only)
    found = []
    for part in data.raw(measure).filter(only).partition_by("cell"):
        row = {key: part[key][0] for key in ("cell", "players", "changes")}
        row |= {"table": f"{row['players']} players", "longest": part[by].max()}
        for name, level in QUANTILES.items():
            told = quantiles(part[by].to_numpy(), part["y"].to_numpy(), level)
            low, high = told.wide
            row |= {name: told.estimate, f"{name}_low": low, f"{name}_high": high}
        broken = off.filter(cell=row["cell"]).row(0, named=True)
        row |= {
            f"off{end}": broken[end[1:] or "estimate"] for end in ("", "_low", "_high")
        }
        found.append(row | {"n": broken["n"]})
    return pl.DataFrame(found, infer_schema_length=None)
