"""Lines about options that are dead, dominant, or traps.

Some options do nothing until a follow-up, which the game declares
(``sim.events.FollowUp``). Only players who take the follow-up are asked about them: an
option that nobody at the table knows how to use is not called dead or a trap.

A line is named after the worst of the options that are shown to be beyond its
``limits``, which is the first that its sentence names; or else after the worst.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from reports.formatting import join_words
from reports.option_follow_ups import OFFERED, TAKEN, unused_by
from reports.scorecard.cell_lines import CellMeasures
from reports.scorecard.line_estimate import (
    HEURISTICS,
    STRONGER,
    LineEstimate,
    Z,
    extremes_z,
    option_words,
)
from reports.scorecard.line_statistics import CHOICES
from reports.statistics.equivalence import judge

COMMON = 0.25
"""Options open in a smaller share of the games are too rare to be called dominant."""
_OPTION = ("decision", "option")
_NO_LIMITS = -math.inf, math.inf
_FOUR_GAMES = 2.01  # their standard error, in games; a fifth one has more
_PAIR = 2  # options of a decision: whatever one is worth, so is the other


@dataclass(frozen=True)
class OptionPlayer:
    """A good player: who decides, and the cell in which that was counted.

    ``skilled``: what those are called who search or have learned; ``searched``: the
    decisions that a search player searches (None: all); ``base`` makes the others.
    Search values an option by its rollouts, so the strategies that ``play_on`` after it
    (without any: the player) must know how to use it. ``leads``: whether the report is
    about it.
    """

    name: str
    where: CellMeasures
    skilled: str = ""
    searched: Collection[str] | None = None
    base: str = ""
    play_on: Sequence[CellMeasures] = ()
    leads: bool = False


def uses(players: Sequence[OptionPlayer]) -> pl.DataFrame:
    """Return how often each option is taken, a row for each player and option.

    Columns who (decides), leads, skilled, decision, option, estimate, se, n, games (the
    share in which it could be taken), able (whether that player makes use of it),
    several (whether more than one heuristic, or a skilled player, was asked). Options
    that are seldom offered are left out.
    """
    parts = [rows for player in players if not (rows := _of(player)).is_empty()]
    if not parts:
        return pl.DataFrame()
    rows = pl.concat(parts).filter(pl.col("n") >= OFFERED)
    several = (pl.col("who").n_unique() > 1) | (pl.col("skilled") != "").any()
    return rows.with_columns(several=several.over(*_OPTION))


def _of(player: OptionPlayer) -> pl.DataFrame:
    """Return how often a player takes each option."""
    rows, choices = player.where.of(TAKEN), player.where.totals(CHOICES)
    if rows.is_empty() or choices is None:
        return pl.DataFrame()
    tables = [where.of(TAKEN) for where in player.play_on or [player.where]]
    unused = [
        set(unused_by(table, player.where.data.follow_ups))
        for table in tables
        if not table.is_empty()
    ]
    lacking = set.intersection(*unused) if unused else set()
    able = [key not in lacking for key in rows.select(_OPTION).rows()]
    searched = pl.lit(bool(player.skilled))
    if player.skilled and player.searched is not None:
        searched = pl.col("decision").is_in(list(player.searched))
    raw = player.where.data.raw(TAKEN).filter(pl.col("cell") == player.where.cell)
    games = raw.select(*_OPTION, share=pl.col("games") / float(choices.n.sum()))
    base, name = pl.lit(player.base), pl.lit(player.name)
    return rows.join(games, on=_OPTION, how="left", maintain_order="left").select(
        who=pl.when(searched).then(name).otherwise(base),
        leads=pl.lit(player.leads),
        skilled=pl.when(searched).then(pl.lit(player.skilled)).otherwise(pl.lit("")),
        decision="decision",
        option="option",
        estimate="estimate",
        se="se",
        n="n",
        games="share",
        able=pl.Series(able, dtype=pl.Boolean),
    )


def unable(taken: pl.DataFrame) -> tuple[str, ...]:
    """Return the options that no good player makes use of."""
    if taken.is_empty():
        return ()
    rows = taken.group_by(_OPTION, maintain_order=True).agg(pl.col("able").any())
    rows = rows.filter(~pl.col("able")).sort(_OPTION)
    return tuple(option_words(*key) for key in rows.select(_OPTION).rows())


def dead(
    taken: pl.DataFrame, limits: tuple[float, float] = _NO_LIMITS
) -> LineEstimate | None:
    """Return the option taken least, each by who takes it most (``told_of``)."""
    return _extreme(taken, limits, least=True)


def dominant(
    taken: pl.DataFrame,
    windfalls: Collection[str] = (),
    limits: tuple[float, float] = _NO_LIMITS,
) -> LineEstimate | None:
    """Return the option taken most, each by who takes it least (``told_of``).

    Options count if they are open in at least ``COMMON`` of the games. Left out are
    ``windfalls``, decisions in which more is better by the rules
    (``sim.events.Decision``): taking three points rather than one is no choice, and
    nobody misses it.
    """
    if not taken.is_empty():
        often = pl.col("games").max().over(_OPTION) >= COMMON
        taken = taken.filter(often, ~pl.col("decision").is_in(list(windfalls)))
    return _extreme(taken, limits, least=False)


def _extreme(
    taken: pl.DataFrame, limits: tuple[float, float], *, least: bool
) -> LineEstimate | None:
    """Return the least of the largest shares, or else the largest of the least.

    If only one heuristic was asked, the result says so (``known_of``).
    """
    if taken.is_empty():
        return None
    taken = taken.filter("able")
    judged = taken.filter("several")
    if not judged.is_empty():
        return _estimate(judged, limits, least=least)
    if taken.is_empty():
        return None
    extreme = _estimate(taken, limits, least=least)
    player = join_words(taken["who"].unique(maintain_order=True).to_list())
    note = f"{extreme.note}; known for {player} only"
    return replace(extreme, known_of=player, note=note)


def told_of(taken: pl.DataFrame, *, least: bool) -> pl.DataFrame:
    """Return the row of one player for each option: of who takes it most.

    (With ``least`` false, least.) That is the leading player, unless another is shown
    to take it more: a few games of somebody else say nothing against many. Where the
    leading player was not asked, it is whoever may take it most.
    """
    side = 1 if least else -1
    share, half = side * pl.col("estimate"), Z * pl.col("se")
    of_lead = pl.when("leads").then(share + half).max().over(_OPTION)
    clear = pl.col("leads") | of_lead.is_null() | (share - half > of_lead)
    return (
        taken.filter(clear)
        .sort(share + half, descending=True, maintain_order=True)
        .group_by(_OPTION, maintain_order=True)
        .first()
    )


def _estimate(
    taken: pl.DataFrame, limits: tuple[float, float], *, least: bool
) -> LineEstimate:
    rows = told_of(taken, least=least).sort(
        "estimate", *_OPTION, descending=[not least, False, False]
    )
    at = _worst(rows["estimate"], rows["se"], limits, share=True)
    row = rows.row(at, named=True)
    half = extremes_z(rows.height) * row["se"]
    low, high = max(row["estimate"] - half, 0.0), min(row["estimate"] + half, 1.0)
    label = option_words(row["decision"], row["option"])
    of_option = taken.filter(decision=row["decision"], option=row["option"])
    never = rows.filter(pl.col("games") == 0)
    skilled = of_option.filter(pl.col("skilled") != "")["skilled"].n_unique()
    return LineEstimate(
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
            "labels": "\n".join(map(option_words, rows["decision"], rows["option"])),
            "unoffered": "\n".join(
                map(option_words, *never.select(*_OPTION).get_columns())
            ),
            "basis": label,
            "they": STRONGER if skilled > 1 else row["skilled"] or HEURISTICS,
        },
    )


def single_options(worth: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of what options are worth about single ones."""
    return worth.filter(pl.col("option") != "", ~_is_whole(worth))


def whole_ones(worth: pl.DataFrame) -> pl.DataFrame:
    """Return the rows about decisions as a whole, and options that have one word."""
    return worth.filter((pl.col("option") == "") | _is_whole(worth))


def _is_whole(worth: pl.DataFrame) -> pl.Expr:
    return pl.col("whole") if "whole" in worth.columns else pl.lit(value=False)


def _worst(
    values: Any, errors: Any, limits: tuple[float, float], *, share: bool = False
) -> int:
    """Return which of several, the worst first, is the worst shown to be beyond limits.

    The first if none is.
    """
    words = judge(values, errors, *limits, share=share)
    return words.index("outside") if "outside" in words else 0


def trap(
    worth: pl.DataFrame,
    unused: Collection[tuple[str, str]] = (),
    limits: tuple[float, float] = _NO_LIMITS,
) -> LineEstimate | None:
    """Return the option that is best forbidden, from what options are worth.

    ``unused``: options that the player who was kept from them does not know how to use.
    """
    rows = single_options(worth).filter(pl.col("lost").is_not_null())
    lacking = [key in unused for key in rows.select(_OPTION).rows()]
    rows = rows.filter(~pl.Series(lacking, dtype=pl.Boolean))
    labels = [*map(option_words, rows["decision"], rows["option"])]
    values = rows.select(value=-pl.col("lost"), se="se")
    return _largest(values, labels, "options", limits)


def mechanic(
    worth: pl.DataFrame,
    windfalls: Collection[str] = (),
    limits: tuple[float, float] = _NO_LIMITS,
) -> LineEstimate | None:
    """Return the kind of decision that is worth least, from what kinds are worth."""
    rows = whole_ones(worth).filter(
        pl.col("used") > 0,
        ~pl.col("decision").is_in(list(windfalls)),
    )
    kinds = [
        option_words(*key) if key[1] else key[0] for key in rows.select(_OPTION).rows()
    ]
    values, (least, most) = rows.select(value=-pl.col("lost"), se="se"), limits
    lost = _largest(values, kinds, "decisions", (-most, -least))
    return None if lost is None else lost.negative


def idle(worth: pl.DataFrame, chosen: pl.DataFrame) -> list[str]:
    """Return the kinds of decisions that, made at random, change no game's winner.

    Those that can be declined only if they never leave a choice, that is, are not in
    ``chosen`` (rows with decision): others may be declined always. The error of a
    difference of 0 is that of four games, by which ``paired_estimates`` keeps it above
    0.
    """
    none_differs = pl.col("se") * pl.col("games") < _FOUR_GAMES
    rows = worth.filter(none_differs, option="", lost=0.0)
    at_random = pl.col("kept") == "at random"
    left = ~pl.col("decision").is_in(chosen["decision"].to_list())
    return rows.filter(at_random | left)["decision"].to_list()


def outshines(
    worth: pl.DataFrame,
    windfalls: Collection[str] = (),
    limits: tuple[float, float] = _NO_LIMITS,
) -> LineEstimate | None:
    """Return the option that is worth most beyond the second of its decision.

    Of decisions with at least three options; the two may share errors, which are added.
    Options that have one word, such as bids, are compared with such as have another.
    """
    words = whole_ones(worth).filter(pl.col("option") != "")
    several = pl.len().over("decision") > _PAIR
    parts = (part.filter(several) for part in (single_options(worth), words))
    rows = pl.concat([_best_two(part, windfalls) for part in parts])
    labels = [*map(option_words, rows["decision"], rows["option"])]
    return _largest(rows.select("value", "se"), labels, "kinds of decision", limits)


def _best_two(rows: pl.DataFrame, windfalls: Collection[str]) -> pl.DataFrame:
    """Return the best option of each decision: how far (value, se) it is ahead."""
    rows = rows.filter(
        pl.col("lost").is_not_null(),
        ~pl.col("decision").is_in(list(windfalls)),
    ).sort("decision", "lost", "option", descending=[False, True, False])
    rows = rows.with_columns(
        value=pl.col("lost") - pl.col("lost").shift(-1).over("decision"),
        se=(pl.col("se") ** 2 + pl.col("se").shift(-1).over("decision") ** 2).sqrt(),
    )
    rows = rows.unique("decision", keep="first", maintain_order=True)
    return rows.drop_nulls("value").select(*_OPTION, "value", "se")


def _largest(
    rows: pl.DataFrame,
    labels: Sequence[str],
    of: str,
    limits: tuple[float, float],
) -> LineEstimate | None:
    """Return the worst of several numbers (value, se), by size; all are judged."""
    if rows.is_empty():
        return None
    order = rows["value"].arg_sort(descending=True)
    rows, labels = rows[order], [labels[at] for at in order]
    at = _worst(rows["value"], rows["se"], limits)
    value, half = rows["value"][at], extremes_z(rows.height) * rows["se"][at]
    return LineEstimate(
        value,
        value - half,
        value + half,
        tuple(rows["value"]),
        tuple(rows["se"]),
        sign=labels[at],
        note=f"{labels[at]}; {rows.height} {of}",
        words={
            "labels": "\n".join(labels),
            "basis": labels[at],
            "they": HEURISTICS,
        },
    )
