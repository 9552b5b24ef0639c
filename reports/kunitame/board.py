"""The board of pledges: what is won from each square, when, and by whom."""

import polars as pl

from reports.figure_specs import dots, heat
from reports.formatting import join, renamed
from reports.game_report import SectionParts
from reports.kunitame import claim_counterfactuals
from reports.kunitame.seats import FIRST
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

_PAID = "points that a seat wins from it in a game"
_BY_STRATEGY = "points that seats of the strategy win from it"
_GEMS = MeasuresOf("gems", unit="points")
MEASURES = (
    _GEMS.per_game("paid by position", _PAID, "value", by="square position"),
    _GEMS.per_game("paid by strategy", _BY_STRATEGY, "value", by="square strategy"),
)


def kinds(data: ReportData) -> pl.DataFrame:
    """Return the squares of the rules: pledge, printed gem, when they are tested."""
    rows = data.rules["squares"]
    schema = {"id": pl.String, "pledge": pl.String, "gem": pl.Int64, "when": pl.String}
    columns = {key: [row[key] for row in rows] for key in schema}
    return pl.DataFrame(columns, schema=schema).rename({"id": "square"})


def shown(data: ReportData) -> SectionParts:
    """Yield points and gems by week, number of players, position and strategy."""
    here = data.leads(data.players)

    def ordered(rows: pl.DataFrame) -> pl.DataFrame:
        """Return rows in the order of the squares in the rules, others last."""
        order = kinds(data).select("square").with_row_index("at")
        at = join(rows.select("square"), order, ("square",))["at"]
        rows = rows.with_columns(at=at).sort("at", maintain_order=True, nulls_last=True)
        return rows.drop("at")

    yield MeasureTable(
        "pledges-use-week",
        "How each square is used, by week",
        "All seats together; the first and last number are per game.",
        (
            "square",
            "week",
            Number("met by square and week", "eligible"),
            *(
                Number(f"{name} by square and week", title, name=name)
                for name, title in (
                    ("open", "open"),
                    ("claimed", "claimed"),
                    ("contested", "contested"),
                    ("refilled", "returned"),
                )
            ),
        ),
        only=here,
        rows=ordered,
        n=Column("n", "n", "games", "count"),
    )
    _, *others = claim_counterfactuals.USES
    yield MeasureTable(
        "pledges-use-place",
        "How each square is used, by position in the week",
        "For one seat in a week; the dealer of the week is the first.",
        (
            "square",
            Column("position", "position", "in the week, the dealer is 1", "count"),
            *(
                Number(f"{use} by square and position", use, name=name)
                for use, name in zip(
                    claim_counterfactuals.USES, ("estimate", *others), strict=True
                )
            ),
        ),
        only=here,
        rows=ordered,
        n=Column("n", "n", "seats and weeks", "count"),
    )
    doc = "points won from it in the week"
    yield MeasureTable(
        "pledges-week",
        "Points won from each square in a game, by week",
        "All seats together.",
        ("square", "week", Number("paid by square and week", "points", doc)),
        only=here,
        rows=ordered,
        draw=heat("week", "square", "points a game"),
    )
    doc = "share of those that met it while it held a gem"
    yield MeasureTable(
        "pledges-open",
        "How often a square holds a gem when it is met, by week",
        "Of the tricks, or seats at liquidation, that met it in the week.",
        ("square", "week", Number("open by square and week", "open", doc)),
        only=here,
        rows=ordered,
        draw=heat("week", "square", "open when met, %"),
    )
    yield MeasureTable(
        "pledges-players",
        "Points won from each square, by number of players",
        "All seats together.",
        ("square", "players", Number("paid by square", "points")),
        rows=ordered,
        draw=dots("square", "points a game", by="players"),
    )
    where = Column("where", "where", "position at the table")
    yield MeasureTable(
        "pledges-place",
        "Points won from each square, by position",
        "For one seat.",
        ("square", where, Number("paid by position", "points")),
        only=here,
        rows=lambda rows: ordered(FIRST(rows)),
        draw=heat("where", "square", "points of a seat a game"),
    )
    keys, together = ("cell", "strategy"), pl.col("kind").is_in(["mixed", "given"])
    seats = renamed(data.of("seats of strategy"), keys, "seats")
    each = pl.col("estimate", "low", "high") / pl.col("seats")
    yield MeasureTable(
        "pledges-strategy",
        "Points won from each square, by strategy at one table",
        "For one seat of the strategy, at the mixed table (or the lineup asked for).",
        ("square", "strategy", Number("paid by strategy", "points", _PAID)),
        only=together & (pl.col("players") == data.players),
        rows=lambda rows: ordered(join(rows, seats, keys).with_columns(each)),
        draw=heat("strategy", "square", "points of a seat a game"),
    )
