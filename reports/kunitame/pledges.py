"""Pledges: which squares pay, which are dead, and which pay too much."""

import polars as pl

from reports.drawing import dots
from reports.found import Found
from reports.kunitame import board
from reports.kunitame.words import SQUARE
from reports.measures import Kind
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge
from reports.words import LINEUPS, estimated, exhibit, joined, listed, named, number

DEAD = 0.10
"""A square is dead in a week where fewer gems are won from it than this."""
OVER_VALUED = 1.5
"""A square is over-valued where it pays more than this times the mean of its kind."""

MEASURES = board.MEASURES
_GAMES = Column("paid_n", "n", "games", "count")
_FORMULA = (
    f"dead in a week: gems won from it in the week / games < {DEAD:g}; over-valued: "
    f"points won from it in a game > {OVER_VALUED:g} * mean over the squares with the "
    "same printed gem that are tested at the same time. Named where sure: 95 %, Holm "
    "over all squares (and weeks)"
)  # fmt: skip


def section(found: Found) -> Section:
    """What each square does, by week, place, strategy and number of players."""
    squares = judged(found)
    return Section(
        "pledges",
        "Pledges",
        f"With {found.who}, {found.players} players where not said otherwise. Squares "
        "are tested on every trick, or on a seat's tricks at liquidation; a square is "
        "met where its condition holds.",
        (_paid(squares), _used(squares), *board.exhibits(found)),
        _findings(found, squares),
    )


def judged(found: Found) -> pl.DataFrame:
    """Every square with all its rates, dead weeks, and whether it is over-valued."""
    by = ("square",)
    rows = board.kinds(found).with_columns(kind=_kind())
    read: tuple[tuple[str, str, Kind], ...] = (
        ("paid by square", "paid", "per_game"),
        ("met by square", "met", "per_game"),
        ("open by square", "open", "rate"),
        ("claimed by square", "claimed", "rate"),
        ("contested by square", "contested", "rate"),
        ("refilled by square", "refilled", "per_game"),
        ("worth by square", "worth", "mean"),
        ("ever claimed by square", "ever", "rate"),
    )
    for measure, name, per in read:
        part = found.leading(measure, per, by, players=found.players)
        rows = joined(rows, named(part, by, name), by)
    rows = rows.filter(pl.col("paid").is_not_null())
    rows = rows.with_columns(par=pl.col("paid").mean().over("gem", "when"))
    spread = found.spread("paid by square", "per_game", by)
    spread = spread.filter(players=found.players).drop("players")
    rows = joined(_over_valued(rows), spread, by)
    return joined(rows, _dead_weeks(found), by).with_columns(
        pl.col("dead").fill_null("")
    )


def _kind() -> pl.Expr:
    """Printed gem and time of testing, in words."""
    when = pl.col("when").replace_strict(
        {"trick": "every trick", "all": "liquidation", "rank": "rank of tricks"},
        default="other",
    )
    return pl.format("{}-point gem, {}", pl.col("gem"), when)


def _over_valued(rows: pl.DataFrame) -> pl.DataFrame:
    """Flag the squares that pay far more than their kind."""
    most = OVER_VALUED * rows["par"].fill_null(0).to_numpy()
    told = judge(rows["paid"], rows["paid_se"], -1.0, most)
    words = ["over-valued" if one == "outside" else "" for one in told]
    return rows.with_columns(pl.Series("verdict", words, dtype=pl.String))


def _dead_weeks(found: Found) -> pl.DataFrame:
    """The weeks in which a square is surely dead, in words."""
    by = ("square", "week")
    measure = "claims by square and week"
    rows = found.leading(measure, "per_game", by, players=found.players)
    told = judge(rows["estimate"], rows["se"].fill_null(0.0), DEAD, 99.0)
    rows = rows.filter(pl.Series(told, dtype=pl.String) == "outside")
    weeks = rows.sort("week").group_by("square", maintain_order=True)
    return weeks.agg(dead=pl.col("week").cast(pl.String).str.join(", "))


def _paid(rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "pledges-points",
        "Points won from each square in a game",
        "All seats together. Returned 3-point gems lie on 1-point squares too.",
        rows,
        (
            SQUARE,
            Column("gem", "gem", "value of the gem printed on it", "count"),
            estimated("points", "points won from it a game", name="paid"),
            estimated("when met", "points won from it each time", name="worth"),
            estimated("ever won", "games in which one was won", "share", "ever"),
            Column("dead", "dead in week", "weeks in which it is dead, where sure"),
            Column("verdict", "verdict", "over-valued, where sure"),
            LINEUPS,
            _GAMES,
        ),
        dots("square", "points a game", "paid", by="kind"),
        _FORMULA,
    )  # fmt: skip


def _used(rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "pledges-use",
        "How often each square is met, open, claimed, contested and refilled",
        "A trick or liquidation that meets an open square may claim its gem, or "
        "another.",
        rows,
        (
            SQUARE,
            estimated("met", "tricks (or liquidations) a game", name="met"),
            estimated("open", "share of those in which it held a gem", "share", "open"),
            estimated("claimed", "open ones that won its gem", "share", "claimed"),
            estimated("contested", "weeks: by 2 or more seats", "share", "contested"),
            estimated("refilled", "gems put back on it a game", name="refilled"),
            _GAMES,
        ),
        dots(
            "square", "share of the weeks, %", "contested",
            heading="Weeks in which two or more seats met a square",
        ),
    )  # fmt: skip


def _findings(found: Found, rows: pl.DataFrame) -> tuple[Finding, ...]:
    if rows.is_empty():
        return (Finding("Pledges: no data.", "open", "pledges"),)
    head = f"Pledges, {found.players} players, {found.who}: "
    texts = (_said_dead(found, rows), _said_over_valued(rows))
    return tuple(Finding(f"{head}{text}.", "sure", "pledges") for text in texts)


def _said_dead(found: Found, rows: pl.DataFrame) -> str:
    last = str(found.rules["weeks"])
    weeks = rows["dead"].str.split(", ")
    never = rows.filter(weeks.list.len() == found.rules["weeks"], pl.col("dead") != "")
    at_end = rows.filter(weeks.list.contains(last))
    limit = f"fewer than {DEAD:g} gems are won from them a week"
    if at_end.is_empty():
        return f"no square is surely dead in the last week ({limit})"
    names = listed(at_end["square"].to_list())
    whole = (
        f"; in every week: {listed(never['square'].to_list())}"
        if never.height
        else "; none is dead in every week"
    )
    return f"dead in the last week ({limit}) are {names}{whole}"


def _said_over_valued(rows: pl.DataFrame) -> str:
    part = rows.filter(verdict="over-valued").sort("paid", descending=True)
    limit = f"more than {OVER_VALUED:g} times the points of its kind"
    if part.is_empty():
        return f"no square surely pays {limit}"
    texts = [
        f"{row['square']} ({number(row, 'paid')} points a game, its kind "
        f"{row['par']:.2f}, over all lineups {row['lineups']})"
        for row in part.iter_rows(named=True)
    ]
    return f"over-valued ({limit}): {listed(texts)}"
