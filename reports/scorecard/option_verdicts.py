"""One verdict on each option, in one word.

Options are what can be chosen: contracts, bids, squares, actions, spells. Each has how
often good players take it where they can, what a strong player loses without it, what
is lost by taking it whenever possible, with hands that do not fit, and one word:

backbone      surely worth 5 points of win share or more to a strong player
fine          surely worth something
niche         surely worth something, though it is seldom taken
weak          a strong player misses it by less than a point, or wins more without it
trap          a strong player surely wins over a point more without it
dead          hardly ever taken by those who play well
never offered nobody can ever take it
nobody knows  no player at the table makes use of it, or all leave what surely helps

An option without a word is undecided: more games would tell. The lines of the scorecard
about options (dead, trap) read the same table, so they cannot disagree with it.
"""

from collections.abc import Collection

import polars as pl

from reports.formatting import exhibit
from reports.option_follow_ups import OFFERED, FollowUps
from reports.report_document import Column, Exhibit
from reports.scorecard.option_lines import single_options, told_of, whole_ones

BACKBONE, FINE, NICHE, WEAK = "backbone", "fine", "niche", "weak"
TRAP, DEAD, UNKNOWN = "trap", "dead", "nobody knows"
NEVER_OFFERED = "never offered"
ID = "options"
"""Id of the table."""
LARGE, SMALL = 0.05, 0.01
"""Win shares: worth at least the first is a backbone; below the second is nothing."""
SELDOM = 0.2
"""An option taken in a smaller share of the times that it could be is a niche."""
_OPTION = ("decision", "option")
_CERTAIN = 1e-6  # the error of a share that the rules make 0
NUMBERS = ("used", "lost", "low", "high", "always", "always_low", "always_high")
_NONE = {
    **dict.fromkeys(NUMBERS, pl.Float64),
    **dict.fromkeys(("verdict", "always_verdict", "why"), pl.String),
}


def options(worth: pl.DataFrame | None) -> pl.DataFrame:
    """Return the rows about single options of a run that forbids and forces them."""
    if worth is None:
        schema = {"decision": pl.String, "option": pl.String, "taken": pl.Float64}
        return pl.DataFrame(schema=schema | _NONE)
    missing = [
        pl.lit(None, dtype).alias(name)
        for name, dtype in _NONE.items()
        if name not in worth.columns
    ]
    return single_options(worth.with_columns(missing))


def with_what_is_forced(
    taken: pl.DataFrame,
    worth: pl.DataFrame,
    follow_ups: FollowUps,
    offered: pl.DataFrame,
) -> pl.DataFrame:
    """Return how often options are taken, as the runs that force them show it.

    taken: rows of ``option_lines.uses``. offered: how often options (decision, option)
    were offered in other games (x). Those that no decision with the same words ever
    offers surely are never taken, where others of the decision often are; but not those
    that follow on another option, which nobody may take. Of an option that is hardly
    ever taken nobody knows how to use it if whoever takes it whenever possible surely
    wins more; if they surely lose, one way to play is enough to tell.
    """
    rows = options(worth)
    times = offered.group_by(_OPTION).agg(pl.col("x").sum())
    often = times.group_by("decision").agg(pl.col("x").median())
    often = often.filter(pl.col("x") >= OFFERED)
    later = {(kind, each) for kind, of in follow_ups.values() for each in of}
    opened = pl.Series([key in later for key in rows.select(_OPTION).rows()])
    never = rows.filter(pl.col("why") == NEVER_OFFERED, ~opened.cast(pl.Boolean))
    words = rows.select("decision", "words").unique()
    times = times.join(words, "decision")  # decisions with the same words
    never = never.join(times, ["words", "option"], "anti")
    never = never.join(often, "decision", "semi")
    same = taken.row(0, named=True)
    same |= {"estimate": 0.0, "games": 0.0, "able": True, "several": True}
    more = [
        {**same, "decision": kind, "option": option, "se": _CERTAIN, "n": games}
        for kind, option, games in never.select(*_OPTION, "games").rows()
    ]
    if more:
        taken = pl.concat([taken, pl.DataFrame(more, taken.schema)])
    told = rows.select(*_OPTION, told="always_verdict")
    joined = taken.join(told, _OPTION, "left", maintain_order="left")
    rare = pl.col("estimate").max().over(_OPTION) < SELDOM
    helps, harms = (
        (pl.col("told") == word).fill_null(False) for word in ("gains", "loses")
    )
    return joined.with_columns(
        able=pl.col("able") & ~(helps & rare),
        several=pl.col("several") | (harms & rare),
    ).drop("told")


def verdicts(
    worth: pl.DataFrame | None,
    taken: pl.DataFrame,
    dead: Collection[str],
    traps: Collection[str],
    unable: Collection[str],
) -> pl.DataFrame:
    """Return a row for each option with its verdict.

    worth: rows of ``option_worth``. taken: rows of ``with_what_is_forced``. dead, traps
    and unable: the options (``option_words``) that the scorecard calls so. Columns:
    decision, option, verdict, taken (as ``told_of`` says), lost, low,
    high, always, always_low and always_high (points of win share lost by never and by
    always taking it).
    """
    rows = options(worth).rename({"verdict": "never"})
    if not taken.is_empty():
        most = told_of(taken, least=True).select(*_OPTION, most="estimate")
        rows = rows.join(most, _OPTION, "full", coalesce=True, maintain_order="left")
        rows = rows.with_columns(taken=pl.coalesce("most", "taken"))
    label = pl.format("{} at {}", "option", "decision")
    loses = pl.col("never") == "loses"
    none = (pl.col("low") > -SMALL) & (pl.col("high") < SMALL)
    verdict = (
        pl.when(label.is_in(list(unable)))
        .then(pl.lit(UNKNOWN))
        .when(pl.col("why") == NEVER_OFFERED, label.is_in(list(dead)))
        .then(pl.lit(NEVER_OFFERED))
        .when(label.is_in(list(dead)))
        .then(pl.lit(DEAD))
        .when(label.is_in(list(traps)))
        .then(pl.lit(TRAP))
        .when((pl.col("never") == "gains") | none)
        .then(pl.lit(WEAK))
        .when(loses & (pl.col("low") >= LARGE))
        .then(pl.lit(BACKBONE))
        .when(loses & (pl.col("taken") < SELDOM))
        .then(pl.lit(NICHE))
        .when(loses)
        .then(pl.lit(FINE))
        .otherwise(pl.lit(""))
    )
    order = pl.col("lost").fill_null(0.0)
    return (
        rows.with_columns(verdict=verdict)
        .sort("decision", order, "option", descending=[False, True, False])
        .select(*_OPTION, "verdict", "taken", *NUMBERS[1:])
    )


def exhibit_of(rows: pl.DataFrame, lead: str) -> Exhibit:
    """Return the table of verdicts; rows without a word are counted."""
    told = rows.filter(pl.col("verdict") != "")
    left = rows.height - told.height
    open_ = f" Undecided, and not shown: {left}." if left else ""
    return exhibit(
        ID,
        "Every option, and whether it is worth having",
        f"One {lead} never takes the option, or takes it whenever possible, whatever "
        "the hand; all others play as before, on the same deals. A backbone is surely "
        f"worth {100 * LARGE:g} points or more, a weak option is missed by less than "
        f"{100 * SMALL:g}; niches are taken less than {100 * SELDOM:g} % of the times; "
        f"nobody knows: no player here makes use of it.{open_}",
        told,
        (
            Column("option", "option", "what can be chosen"),
            Column("decision", "decision", "kind of decision"),
            Column("verdict", "verdict", "in one word"),
            Column(
                "taken",
                "taken",
                "of the times that it could be, by the good player who does so most",
                "share",
            ),
            Column(
                "lost",
                "lost without it",
                "win share of one who never takes it",
                "points",
                "low",
                "high",
            ),
            Column(
                "always",
                "lost with any hand",
                "win share of one who takes it whenever possible",
                "points",
                "always_low",
                "always_high",
            ),
        ),
    )


def kinds_exhibit(worth: pl.DataFrame, lead: str) -> Exhibit:
    """Return the table of what each kind of decision is worth as a whole."""
    rows = whole_ones(worth).filter(pl.col("used") > 0)
    return exhibit(
        "decision-worth",
        "What each kind of decision is worth",
        f"One {lead} declines the decision, or makes it at random if it cannot be "
        "declined; all others play as before, on the same deals.",
        rows.sort("lost", descending=True),
        (
            Column("decision", "decision", "kind of decision"),
            Column("option", "of these", "only these options of it; none: all"),
            Column("kept", "how", "declined, or made at random"),
            Column("used", "in games", "games in which it comes up", "share"),
            Column("lost", "lost", "win share without it", "points", "low", "high"),
        ),
    )
