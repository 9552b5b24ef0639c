"""Pledges: which squares pay, which are dead, and which pay too much."""

import polars as pl

from reports.kunitame.found import Found
from reports.kunitame.seats import place_name
from reports.kunitame.words import (
    LINEUPS,
    PLAYERS,
    N,
    estimated,
    exhibit,
    judge,
    listed,
    named,
    number,
    share,
)
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section

DEAD = 0.10
"""A square is dead where its gem is ever won in fewer games than this."""
OVER_VALUED = 1.5
"""A square is over-valued where it pays more than this times the mean of its kind."""

MEASURES = [
    Measure("paid by place", "gems", pl.col("value"), by=("square", "place")),
    Measure("paid by strategy", "gems", pl.col("value"), by=("square", "strategy")),
]
_SQUARE = Column("square", "square", "square of a pledge card")
_FORMULA = (
    f"dead: games in which a gem was won from it / games < {DEAD:g}; over-valued: "
    f"points won from it a game > {OVER_VALUED:g} * mean over the squares with the same "
    "printed gem and time of testing; Holm over the squares, 95 %"
)


def section(found: Found) -> Section:
    """What each square does, by week, place, strategy and number of players."""
    squares = judged(found, found.players)
    return Section(
        "pledges",
        "Pledges",
        f"Lineup: {found.lead}, {found.players} players where not said otherwise. A "
        "square is met by a trick that it is tested on, or by a seat at liquidation.",
        (
            _squares(squares),
            _by_week(found),
            _weekly(found),
            _by_players(found),
            _by_place(found),
            _by_strategy(found),
        ),
        _findings(found, squares),
    )


def kinds(found: Found) -> pl.DataFrame:
    """The squares of the rules: pledge, printed gem, when they are tested."""
    rows = found.rules["squares"]
    data = {
        key: [row[key] for row in rows] for key in ("id", "pledge", "gem", "when")
    }
    schema = {"id": pl.String, "pledge": pl.String, "gem": pl.Int64, "when": pl.String}
    return pl.DataFrame(data, schema=schema).rename({"id": "square"})


def judged(found: Found, players: int) -> pl.DataFrame:
    """Every square with all its rates, and whether it is dead or over-valued."""
    by = ("square",)
    rows = named(found.leading("paid by square", "per_game", by, players=players), "paid")
    for name, kind in {
        "met": "per_game",
        "open": "rate",
        "claimed": "rate",
        "claims": "per_game",
        "contested": "per_game",
        "refilled": "per_game",
    }.items():
        part = named(found.leading(f"{name} by square", kind, by, players=players), name)  # type: ignore[arg-type]
        keep = ["square", name, f"{name}_low", f"{name}_high"]
        rows = rows.join(part.select(keep), on="square", how="left", maintain_order="left")
    weeks = found.rules["weeks"]
    rows = rows.with_columns(
        pl.col(f"contested{end}") / weeks for end in ("", "_low", "_high")
    )
    ever = named(found.leading("ever claimed by square", "rate", by, players=players), "ever")
    rows = rows.join(
        ever.select("square", "ever", "ever_low", "ever_high", "ever_se"),
        on="square", how="left", maintain_order="left",
    )  # fmt: skip
    rows = rows.join(kinds(found), on="square", how="left", maintain_order="left")
    rows = rows.with_columns(par=pl.col("paid").mean().over("gem", "when"))
    spread = found.spread("paid by square", "per_game", by).filter(players=players)
    return _with_verdicts(rows).join(
        spread.drop("players"), on="square", how="left", maintain_order="left"
    )


def _with_verdicts(rows: pl.DataFrame) -> pl.DataFrame:
    dead = judge(rows["ever"], rows["ever_se"], DEAD, 1.0) == "outside"
    most = OVER_VALUED * rows["par"].fill_null(0).to_numpy()
    over = judge(rows["paid"], rows["paid_se"], -1.0, most) == "outside"
    words = [
        "dead" if is_dead else "over-valued" if is_over else ""
        for is_dead, is_over in zip(dead, over, strict=True)
    ]
    return rows.with_columns(
        pl.Series("verdict", words, dtype=pl.String),
        kind=pl.format("{}-point gem, {}", pl.col("gem").fill_null(0), pl.col("when").fill_null("other")),
    )


def _squares(rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "pledges-squares",
        "Every square",
        "Means of a game unless said otherwise.",
        rows,
        (
            _SQUARE,
            estimated("met", "tricks or liquidations a game that met it", name="met"),
            estimated("open", "share of those in which it held a gem", "share", "open"),
            estimated("claimed", "share of the open ones in which its gem was won", "share", "claimed"),
            estimated("contested", "share of weeks in which two or more seats met it", "share", "contested"),
            estimated("refilled", "gems put back on it a game", name="refilled"),
            estimated("points", "points won from it a game, by all seats", name="paid"),
            estimated("ever won", "share of games in which its gem was ever won", "share", "ever"),
            Column("verdict", "verdict", "dead or over-valued, where that is sure"),
            LINEUPS,
            Column("paid_n", "n", "games", "count"),
        ),
        lambda figures, table: figures.dots(
            table, "square", "paid", "paid_low", "paid_high",
            title="Points won from each square in a game", xlabel="points a game", by="kind",
        ),
        _FORMULA,
    )  # fmt: skip


def _by_week(found: Found) -> Exhibit:
    by = ("square", "week")
    rows = found.leading("paid by square and week", "per_game", by, players=found.players)
    return exhibit(
        "pledges-week",
        "Points won from each square, by week",
        "All seats together, a game.",
        _in_order(found, rows),
        (
            _SQUARE,
            Column("week", "week", "election week", "count"),
            estimated("points", "points won from it in the week, by all seats"),
            N,
        ),
        lambda figures, table: figures.heat(
            table, "week", "square", "estimate", unit="points a game",
            title="Points won from each square in a game, by week",
        ),
    )  # fmt: skip


def _weekly(found: Found) -> Exhibit:
    """How the board runs dry."""
    by = ("square", "week")
    rows = found.leading("open by square and week", "rate", by, players=found.players)
    return exhibit(
        "pledges-open",
        "How often a square still holds a gem when it is met, by week",
        "Of the tricks or liquidations of the week that met it.",
        _in_order(found, rows),
        (
            _SQUARE,
            Column("week", "week", "election week", "count"),
            estimated("open", "share of those that met it while it held a gem", "share"),
            N,
        ),
        lambda figures, table: figures.heat(
            table, "week", "square", "estimate", unit="open when met, %",
            title="A square holds a gem when it is met, by week",
        ),
    )  # fmt: skip


def _by_players(found: Found) -> Exhibit:
    rows = found.leading("paid by square", "per_game", ("square",))
    return exhibit(
        "pledges-players",
        "Points won from each square, by number of players",
        "All seats together, a game.",
        _in_order(found, rows),
        (_SQUARE, PLAYERS, estimated("points", "points won from it a game"), N),
        lambda figures, table: figures.dots(
            table, "square", "estimate", "low", "high", by="players",
            title="Points won from each square, by number of players",
            xlabel="points a game",
        ),
    )  # fmt: skip


def _by_place(found: Found) -> Exhibit:
    by = ("square", "place")
    rows = found.leading("paid by place", "per_game", by, players=found.players)
    names = [place_name(place) for place in rows["place"]]
    rows = rows.with_columns(pl.Series("where", names, dtype=pl.String))
    return exhibit(
        "pledges-place",
        "Points won from each square, by place after the first dealer",
        "A seat and game.",
        _in_order(found, rows),
        (
            _SQUARE,
            Column("where", "where", "places after the first dealer"),
            estimated("points", "points that a seat wins from it in a game"),
            N,
        ),
        lambda figures, table: figures.heat(
            table, "where", "square", "estimate", unit="points of a seat a game",
            title="Points from each square, by place after the first dealer",
        ),
    )  # fmt: skip


def _by_strategy(found: Found) -> Exhibit:
    """Who wins them at the mixed table, each strategy once (or as seated)."""
    rows = found.of(
        "paid by strategy",
        "per_game",
        ("square", "strategy"),
        only=pl.col("kind").is_in(["mixed", "given"])
        & (pl.col("players") == found.players),
    )
    seats = found.of("seats of strategy", "per_game", ("strategy",)).select(
        "cell", "strategy", many="estimate"
    )
    rows = rows.join(seats, on=["cell", "strategy"], how="left", maintain_order="left")
    rows = rows.with_columns(
        pl.col("estimate", "low", "high") / pl.col("many").fill_null(1)
    )
    return exhibit(
        "pledges-strategy",
        "Points won from each square, by strategy at one table",
        "A seat and game, at the mixed table (or the lineup asked for).",
        _in_order(found, rows),
        (
            _SQUARE,
            Column("strategy", "strategy", "who won them"),
            estimated("points", "points that a seat of the strategy wins from it a game"),
            N,
        ),
        lambda figures, table: figures.heat(
            table, "strategy", "square", "estimate", unit="points of a seat a game",
            title="Points from each square, by strategy at one table",
        ),
    )  # fmt: skip


def _in_order(found: Found, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows in the order of the squares in the rules."""
    order = kinds(found).select("square").with_row_index("at")
    columns = rows.columns
    joined = rows.join(order, on="square", how="left", maintain_order="left")
    return joined.sort("at", maintain_order=True, nulls_last=True).select(columns)


def _findings(found: Found, rows: pl.DataFrame) -> tuple[Finding, ...]:
    if rows.is_empty():
        return (Finding("Pledges: no data.", "open", "pledges"),)
    told = [_named(rows, word) for word in ("dead", "over-valued")]
    return tuple(
        Finding(f"{text} (lineup {found.lead}, {found.players} players).", "sure", "pledges")
        for text in told
    )


def _named(rows: pl.DataFrame, word: str) -> str:
    part = rows.filter(verdict=word).sort("paid")
    limit = (
        f"won in fewer than {100 * DEAD:g} % of games"
        if word == "dead"
        else f"paying more than {OVER_VALUED:g} times the mean of its kind"
    )
    if part.is_empty():
        return f"Pledges: no square is surely {word} ({limit})"
    texts = []
    for row in part.iter_rows(named=True):
        if word == "dead":
            told = share({"estimate": row["ever"], "low": row["ever_low"], "high": row["ever_high"]})
            texts.append(f"{row['square']} ({told} of games)")
        else:
            told = number({"estimate": row["paid"], "low": row["paid_low"], "high": row["paid_high"]})
            texts.append(f"{row['square']} ({told} points a game, mean of its kind {row['par']:.2f})")
    return f"Pledges: {word} ({limit}): {listed(texts)}"
