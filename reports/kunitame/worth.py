"""What contracts are worth: the same deals with and without them.

The currency is the chance of winning, which Life gems and points both feed. With K
and B the mean change of the win share where the contract was kept and where it was
broken, a made rate m is worth m K + (1 - m) B, which is 0 at m = B / (B - K).
"""

import numpy as np
import polars as pl

from reports import intervals
from reports.kunitame.found import Found
from reports.kunitame.words import N, estimated, exhibit, judge, listed, points, share
from reports.page import Column, Exhibit, Finding

ENOUGH = 100
"""Contracts that were declined in fewer games than this are left out."""
TOLERANCE = 0.01
"""A change of the win share smaller than 1 point counts as none."""

_SQUARE = ("target", "stake")
_WHO = "strategy_declining"
_VALUES = ("tricks_more", "week_more", "score_more", "lives_more", "won_more")
_FORMULA = (
    "worth = mean over games of (won with the contract - won without). break-even = B / "
    "(B - K): K, B = the same mean where it was kept, broken (it rests on these staying "
    "as they are); interval by the delta method, no number where K is not surely above "
    "B. CVaR = mean of the worst 10 % of (points with - points without), points at the "
    "end, 0 where eliminated"
)
_COLUMNS = (
    Column(_WHO, "strategy", "who plays, at a table of its own kind"),
    Column("target", "target", "tricks to win, exactly", "count"),
    Column("stake", "stake", "Life gems on it", "count"),
    estimated("made", "share of these contracts that are kept", "share", "made"),
    estimated("tricks", "tricks in the week, with less without", name="tricks_more"),
    estimated("week's points", "points won in the week, with less without: what the "
              "Devils bring", name="week_more"),
    estimated("points", "expected value: points at the end, with less without; 0 where "
              "eliminated", name="score_more"),
    Column("cvar", "CVaR 10 %", "mean of the worst tenth of these differences", "number"),
    estimated("lives", "Life gems at the end, with less without", name="lives_more"),
    estimated("worth", "win share with less without", "points", "won_more"),
    estimated("break-even", "made rate at which the worth would be 0", "share", "even"),
    Column("verdict", "verdict", "worth against 1 point of win share; Holm, 95 %"),
    Column("made_n", "n", "games in which it was declined once", "count"),
)  # fmt: skip


def exhibits(found: Found) -> tuple[Exhibit, ...]:
    """What contracts are worth: all weeks together, and each."""
    return (_in_all(found), _by_week(found), _weeks(found))


def contracts(found: Found, *more: str) -> pl.DataFrame:
    """A row a strategy, target and stake (and week): made, worth, break-even, CVaR."""
    groups = (_WHO, *more, *_SQUARE)
    table = _pooled(found, "kept", groups, "made", rate=True)
    for name in _VALUES:
        table = table.join(_pooled(found, name, groups, name), on=groups, how="left")
    table = table.join(_break_even(found, groups), on=groups, how="left")
    table = table.join(_cvar(found, groups), on=groups, how="left")
    table = table.filter(pl.col("made_n") >= ENOUGH, pl.col("target") >= 0).sort(groups)
    return _judged(table)


def _judged(table: pl.DataFrame) -> pl.DataFrame:
    """Whether the worth is surely beyond a point of win share, up or down."""
    told = judge(table["won_more"], table["won_more_se"], -TOLERANCE, TOLERANCE)
    words = [
        ("pays" if worth > 0 else "costs") if verdict == "outside" else verdict
        for verdict, worth in zip(told, table["won_more"].fill_null(0), strict=True)
    ]
    return table.with_columns(pl.Series("verdict", words, dtype=pl.String))


def _pooled(
    found: Found, measure: str, groups: tuple[str, ...], name: str, *, rate: bool = False
) -> pl.DataFrame:
    by = tuple(group for group in groups if group in _SQUARE)
    rows = found.raw(measure, by).filter(pl.col("changes") == "")
    rows = found.together(rows, groups, "rate" if rate else "mean")
    return rows.select(
        *groups,
        pl.col("estimate").alias(name),
        *(pl.col(end).alias(f"{name}_{end}") for end in ("low", "high", "se", "n")),
    )


def _break_even(found: Found, groups: tuple[str, ...]) -> pl.DataFrame:
    """The made rate at which a contract is worth nothing, with its interval."""
    rows = found.raw("won_more if kept", (*_SQUARE, "kept"))
    rows = rows.filter(pl.col("changes") == "")
    rows = found.together(rows, (*groups, "kept"))
    sides = [
        rows.filter(kept=kept).select(
            *groups, pl.col("estimate").alias(name), pl.col("se").alias(f"{name}_se")
        )
        for kept, name in ((1, "K"), (0, "B"))
    ]
    both = sides[0].join(sides[1], on=groups, how="inner")
    kept, broken, kept_se, broken_se = (
        both[name].cast(pl.Float64).to_numpy() for name in ("K", "B", "K_se", "B_se")
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = kept - broken
        even = -broken / gap
        se = np.hypot(kept * broken_se, broken * kept_se) / gap**2
        clear = gap > 3 * np.hypot(kept_se, broken_se)
    columns = {"even": even, "even_low": even - 1.96 * se, "even_high": even + 1.96 * se}
    return both.select(
        *groups,
        *(
            pl.Series(name, np.where(clear, np.clip(values, 0, 1), np.nan), nan_to_null=True)
            for name, values in columns.items()
        ),
    )


def _cvar(found: Found, groups: tuple[str, ...]) -> pl.DataFrame:
    rows = found.raw("outcomes", (*_SQUARE, "score_more")).filter(pl.col("changes") == "")
    rows = rows.group_by(*groups, "score_more").agg(pl.col("y").sum())
    found_rows = [
        {**dict(zip(groups, key, strict=True)),
         "cvar": float(intervals.cvar(part["score_more"], part["y"]))}
        for key, part in rows.partition_by(groups, as_dict=True).items()
    ]  # fmt: skip
    schema = {name: rows.schema[name] for name in groups} | {"cvar": pl.Float64}
    return pl.DataFrame(found_rows, schema=schema)


def _in_all(found: Found) -> Exhibit:
    rows = contracts(found).with_columns(
        contract=pl.format("exactly {}, {} at stake", pl.col("target"), pl.col("stake"))
    )
    return exhibit(
        "contracts-worth",
        "What contracts are worth, all weeks together",
        "In every game one seat declines its contract of one week; the rest of the deal "
        f"is the same. Contracts declined in fewer than {ENOUGH} games are left out.",
        rows,
        _COLUMNS,
        lambda figures, table: figures.dots(
            table.sort("target", "stake"), "contract", "won_more", "won_more_low",
            "won_more_high", by=_WHO, reference=0,
            title="Win share with a contract, less without it, on the same deals",
            xlabel="change of the win share, %",
        ),
        _FORMULA,
    )  # fmt: skip


def _by_week(found: Found) -> Exhibit:
    week = Column("moment", "week", "election week in which it is declined", "count")
    return exhibit(
        "contracts-worth-week",
        "What contracts are worth, by week",
        "As above. Only in the last week may all Life gems be staked, and lost.",
        contracts(found, "moment"),
        (_COLUMNS[0], week, *_COLUMNS[1:]),
        None,
        _FORMULA,
    )


def _weeks(found: Found) -> Exhibit:
    """All contracts of a week taken together, splits over several squares included."""
    groups = (_WHO, "moment")
    rows = found.raw("won_more in all").filter(pl.col("changes") == "")
    rows = found.together(rows, groups).sort(groups)
    for name in ("week_more", "score_more"):
        part = found.raw(f"{name} in all").filter(pl.col("changes") == "")
        part = found.together(part, groups).select(
            *groups,
            pl.col("estimate").alias(name),
            *(pl.col(end).alias(f"{name}_{end}") for end in ("low", "high")),
        )
        rows = rows.join(part, on=groups, how="left", maintain_order="left")
    return exhibit(
        "contracts-weeks-worth",
        "What it is worth to make contracts in a week",
        "All contracts of the seat in that week, against none; seats that would make none "
        "are left out.",
        rows,
        (
            _COLUMNS[0],
            Column("moment", "week", "election week", "count"),
            estimated("week's points", "points won in the week, with less without", name="week_more"),
            estimated("points", "points at the end, with less without", name="score_more"),
            estimated("worth", "win share with less without", "points"),
            N,
        ),
        lambda figures, table: figures.lines(
            table, "moment", "estimate", "low", "high", by=_WHO, reference=0,
            title="Win share with the contracts of a week, less without",
            ylabel="change of the win share, %",
        ),
    )  # fmt: skip


def findings(found: Found) -> tuple[Finding, ...]:
    """Which contracts pay, of the leading strategy or the first that makes any."""
    rows = contracts(found)
    names = rows[_WHO].unique(maintain_order=True).to_list()
    if not names:
        text = "Contracts: too few were made to tell what they are worth."
        return (Finding(text, "open", "contracts"),)
    return tuple(_finding(rows.filter(pl.col(_WHO) == name), name) for name in names)


def _finding(rows: pl.DataFrame, name: str) -> Finding:
    texts = []
    for row in rows.iter_rows(named=True):
        worth = {end: row[f"won_more_{end}"] for end in ("low", "high")}
        made = {"estimate": row["made"], "low": row["made_low"], "high": row["made_high"]}
        even = {"estimate": row["even"], "low": row["even_low"], "high": row["even_high"]}
        needs = "" if row["even"] is None else f", breaks even at {share(even)}"
        texts.append(
            f"exactly {row['target']} with {row['stake']} at stake is made {share(made)}"
            f"{needs}, and {row['verdict']} "
            f"({points({'estimate': row['won_more'], **worth})} of win share)"
        )
    decided = (rows["verdict"] != "undecided").all()
    text = f"Worth of contracts as {name} makes them: {'; '.join(texts)}."
    return Finding(text, "sure" if decided else "likely", "contracts")
