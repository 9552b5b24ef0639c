"""Lines of options that are dead, are no choice, or are traps.

Of an option that by itself does nothing, only those are asked who make use of it by
its follow-up, which the game declares (``sim.events.FollowUp``): what nobody at the
table is able to use is neither dead nor a trap, as far as can be known.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import polars as pl

from reports.follow_ups import TAKEN, unused_by
from reports.formatting import listed
from reports.scorecard.found import HEURISTICS, Found, Z, extremes_z, named
from reports.scorecard.measured import Where
from reports.scorecard.numbers import CHOICES, OFFERED

COMMON = 0.25
"""What is open in fewer of the games may be taken always, and is yet a small matter."""
_OPTION = ("decision", "option")


@dataclass(frozen=True)
class Player:
    """A way to play well: who decides, and where that was counted.

    ``searched``: the decisions that a searcher searches (None: all); the others are
    ``base``'s. He values an option by what becomes of it as others play on: these
    ``play_on`` (without any: he himself) have to make use of it.
    """

    name: str
    where: Where
    searches: bool = False
    searched: Collection[str] | None = None
    base: str = ""
    play_on: Sequence[Where] = ()


def uses(players: Sequence[Player]) -> pl.DataFrame:
    """How often each option is taken, a row a way to play and option.

    Columns who (decides), searches, decision, option, estimate, se, n, games (the share
    in which it could be taken), able (whether who decides makes use of it), several
    (whether more than one heuristic, or a searcher, was asked). Left out is what is
    seldom offered.
    """
    parts = [rows for one in players if not (rows := _of(one)).is_empty()]
    if not parts:
        return pl.DataFrame()
    rows = pl.concat(parts).filter(pl.col("n") >= OFFERED)
    several = (pl.col("who").n_unique() > 1) | pl.col("searches").any()
    return rows.with_columns(several=several.over(*_OPTION))


def _of(one: Player) -> pl.DataFrame:
    """How often one way to play takes each option."""
    rows, every = one.where.of(TAKEN), one.where.totals(CHOICES)
    if rows.is_empty() or every is None:
        return pl.DataFrame()
    tables = [where.of(TAKEN) for where in one.play_on or [one.where]]
    unused = [
        set(unused_by(table, one.where.data.follow_ups))
        for table in tables
        if not table.is_empty()
    ]
    lacking = set.intersection(*unused) if unused else set()
    able = [key not in lacking for key in rows.select(_OPTION).rows()]
    searched = pl.lit(one.searches)
    if one.searches and one.searched is not None:
        searched = pl.col("decision").is_in(list(one.searched))
    raw = one.where.data.raw(TAKEN).filter(pl.col("cell") == one.where.cell)
    games = raw.select(*_OPTION, share=pl.col("games") / float(every.n.sum()))
    return rows.join(games, on=_OPTION, how="left", maintain_order="left").select(
        who=pl.when(searched).then(pl.lit(one.name)).otherwise(pl.lit(one.base)),
        searches=searched,
        decision="decision",
        option="option",
        estimate="estimate",
        se="se",
        n="n",
        games="share",
        able=pl.Series(able, dtype=pl.Boolean),
    )


def unable(taken: pl.DataFrame) -> tuple[str, ...]:
    """The options that nobody who plays well makes use of."""
    if taken.is_empty():
        return ()
    rows = taken.group_by(_OPTION, maintain_order=True).agg(pl.col("able").any())
    rows = rows.filter(~pl.col("able")).sort(_OPTION)
    return tuple(named(*key) for key in rows.select(_OPTION).rows())


def dead(taken: pl.DataFrame) -> Found | None:
    """Of each option, who takes it most; the least of them."""
    return _extreme(taken, at=0)


def dominant(taken: pl.DataFrame, windfalls: Collection[str] = ()) -> Found | None:
    """Of each option that often could be taken, who takes it least; the most of them.

    ``COMMON`` says how often. Nothing is said of ``windfalls``, decisions in which more
    is better by the rules (``sim.events.Decision``): three points rather than one are
    no choice, and nobody misses it.
    """
    if not taken.is_empty():
        often = pl.col("games").max().over(_OPTION) >= COMMON
        taken = taken.filter(often, ~pl.col("decision").is_in(list(windfalls)))
    return _extreme(taken, at=-1)


def _extreme(taken: pl.DataFrame, at: int) -> Found | None:
    """The least of what is taken most (at 0), or the most of what is taken least (-1).

    Of what is known of one heuristic alone nothing is judged, where there is no other.
    """
    if taken.is_empty():
        return None
    taken = taken.filter("able")
    judged = taken.filter("several")
    if not judged.is_empty():
        return _found(judged, at)
    if taken.is_empty():
        return None
    found = _found(taken, at)
    who = listed(taken["who"].unique(maintain_order=True).to_list())
    note = f"{found.note}; known of {who} only"
    return replace(found, known_of=who, note=note)


def _found(taken: pl.DataFrame, at: int) -> Found:
    side = pl.col("se") * (Z if at == 0 else -Z)
    ends = taken.with_columns(end=pl.col("estimate") + side)
    rows = (
        ends.sort("end", descending=at == 0, maintain_order=True)
        .group_by(_OPTION, maintain_order=True)
        .first()
        .sort("estimate", *_OPTION)
    )
    row = rows.row(at, named=True)
    half = extremes_z(rows.height) * row["se"]
    low, high = max(row["estimate"] - half, 0.0), min(row["estimate"] + half, 1.0)
    label = named(row["decision"], row["option"])
    return Found(
        row["estimate"],
        low,
        high,
        tuple(rows["estimate"]),
        tuple(rows["se"]),
        share=True,
        sign=label,
        n=row["n"],
        note=f"{label}; {rows.height} options",
        words={
            "labels": "\n".join(map(named, rows["decision"], rows["option"])),
            "they": "players who search" if row["searches"] else HEURISTICS,
        },
    )


def trap(worth: pl.DataFrame, unused: Collection[tuple[str, str]] = ()) -> Found | None:
    """The option that it is best to be kept from, of a knock-out's rows.

    ``unused``: options of which who was kept from them makes no use.
    """
    rows = worth.filter(pl.col("option") != "").sort("lost")
    lacking = [key in unused for key in rows.select(_OPTION).rows()]
    rows = rows.filter(~pl.Series(lacking, dtype=pl.Boolean))
    if rows.is_empty():
        return None
    gains = (-rows["lost"]).to_list()
    half = (rows["high"] - rows["low"]) / 2
    row = rows.row(0, named=True)
    label = named(row["decision"], row["option"])
    errors = (half / extremes_z(rows.height)).to_list()
    return Found(
        gains[0],
        -row["high"],
        -row["low"],
        tuple(gains),
        tuple(errors),
        sign=label,
        note=f"{label}; {rows.height} options",
        words={
            "labels": "\n".join(map(named, rows["decision"], rows["option"])),
            "they": HEURISTICS,
        },
    )
