"""Tables and figures on the course of a game that games add to its measures.

The game decides what counts as being ahead, and at which times.
"""

from collections.abc import Mapping

import polars as pl

from reports.figure_specs import bars, lines, steps
from reports.formatting import LINEUPS, PLAYERS, N, estimated, exhibit, number
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.report_data import ReportData
from reports.report_document import Column, Exhibit


def scores(
    data: ReportData,
    title: str,
    note: str,
    whose: Mapping[str, str],
    time: Column,
    what: str = "points",
    name: str = "",
) -> Exhibit:
    """Return means by time; ``whose`` names a measure for each line of the figure.

    ``name`` is that of the table, if ``what`` is unfit for it.
    """
    rows = pl.concat(
        [
            data.leading(name).with_columns(whose=pl.lit(words))
            for words, name in whose.items()
        ]
    )
    return exhibit(
        f"course-{name or what}",
        title,
        note,
        rows.with_columns(who=pl.format("{}, {} players", "whose", "players")),
        (
            Column("who", "who", ", or ".join(whose)),
            time,
            estimated(what, "mean of a seat"),
            N,
        ),
        lines(time.name, what, by="who"),
    )


def ranks(
    data: ReportData, title: str, note: str, measure: str, time: Column, rank: str
) -> Exhibit:
    """Return who wins, by rank at each time; ``rank`` says how ranks count."""
    rows = data.leading(measure, players=data.players)
    rows = rows.with_columns(standing=pl.format("rank {}", "rank"))
    return exhibit(
        "course-ranks",
        title,
        f"{data.players} players. {note}",
        rows.sort("rank", time.name),
        (
            time,
            Column("rank", "rank", rank, "count"),
            estimated("wins", "share of such seats that win the game", "share"),
            N,
        ),
        lines(time.name, "win share, %", by="standing", reference=1 / data.players),
    )


def changes(data: ReportData, note: str, what: str) -> Exhibit:
    """Return how often the lead changes in a game; ``what`` counts as a change."""
    rows = data.leading("games by lead changes")
    rows = rows.with_columns(count=(pl.col("estimate") * pl.col("n")).round())
    means = [
        f"{row['players']} players {number(row)}"
        for row in data.leading("lead changes").to_dicts()
    ]
    return exhibit(
        "course-changes",
        "Changes of the leader in a game",
        f"{note} Means: {'; '.join(means)}.",
        rows,
        (
            PLAYERS,
            Column("lead_changes", "changes", what, "count"),
            estimated("games", "share of games with this many", "share"),
            N,
        ),
        steps("lead_changes", "count", "changes of the leader", "players"),
    )


def ways_decided(name: str, note: str, words: Mapping[str, str]) -> MeasureTable:
    """Declare how games are decided; ``words`` names each way, in their order."""
    return MeasureTable(
        name,
        "How games are decided",
        note,
        (
            WordColumn("how", "how", "what decided", words, "by"),
            "players",
            Number("decided", "games", "share of games"),
            LINEUPS,
        ),
        sort=("how", "players"),
        draw=bars("table", "share of games, %", "how"),
    )
