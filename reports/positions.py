"""Positions at the table: whether it matters where one sits, or who begins.

Who begins is drawn at random in most games, so seats as such cannot differ; positions
can. They are numbered from 1 in the order of seats, and have the rulebook's words.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import polars as pl

from reports.claims import TOLERANCE, Claim
from reports.drawing import dots
from reports.formatting import (
    PLAYERS,
    N,
    estimated,
    exhibit,
    percent,
    share,
)
from reports.game_report import ReportSection, Shown
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.selected import at_once
from reports.statistics import extremes
from reports.statistics.equivalence import judge, more_games, overall, sure
from reports.tabled import Rows, worded
from reports.verdicts import how_tested

VERSUS_EVEN = estimated(
    "vs. even share", "share less the mean over the positions", "points", "more"
)
_VERDICT = Column(
    "verdict", "2 points", "against 2 points; Holm over the positions of a table"
)


def versus_even(
    data: ReportData, measure: str, by: Sequence[str], where: Rows
) -> pl.DataFrame:
    """Shares of the leading lineup, less their mean over the positions, with verdicts.

    ``by`` ends with the position, or the seat, that ``where`` adds in words; what
    stands before it parts them into tables of their own, as do numbers of players.
    """
    *parts, _ = by
    even = pl.col("estimate").mean().over("cell", *parts)
    rows = data.leading(measure).with_columns(
        more=pl.col("estimate") - even,
        more_low=pl.col("low") - even,
        more_high=pl.col("high") - even,
        more_se="se",
        even=even,
    )
    tables = rows.partition_by("players", *parts, maintain_order=True)
    verdicts = [
        verdict
        for table in tables
        for verdict in judge(
            table["estimate"],
            table["se"],
            table["even"] - TOLERANCE,
            table["even"] + TOLERANCE,
            share=True,
        )
    ]
    rows = pl.concat(tables) if tables else rows
    values = pl.Series("verdict", verdicts, dtype=pl.String)
    return where(rows.with_columns(values, measure=pl.lit(measure)))


def in_words(first: str) -> Rows:
    """Adds ``where``: what a position is called, the first one as the rulebook does."""

    def named(position: int, players: int) -> str:
        names = (first, *_LATER[: max(players - 2, 0)], "last")
        return names[position - 1]

    return worded("where", named, "position", "players")


_LATER = ("second", "third", "fourth", "fifth", "sixth", "seventh")
seat_in_words = worded("where", "seat {}".format, "seat")


def by_position(
    data: ReportData,
    name: str,
    title: str,
    note: str,
    where: Column,
    words: Rows,
    subject: str = "the position at the table",
    named: Callable[[str], str] = str,
) -> Iterator[Exhibit | Finding]:
    """Who wins from which position, and whether that differs."""
    rows = versus_even(data, "won by position", ("position",), words)
    yield shares(name, title, note, rows, where)
    for players in data.counts:
        part = rows.filter(players=players)
        yield finding(data, part, f"With {players} players {subject}", named)


def by_seat(data: ReportData, title: str, note: str, where: Column) -> Exhibit:
    """Who wins from which seat: a check where it is drawn who begins."""
    rows = versus_even(data, "won by seat", ("seat",), seat_in_words)
    return shares("seats-seat", title, note, rows, where)


def drawn_order(
    text: str, name: str, note: str, where: Column, words: Rows, **said: Any
) -> ReportSection:
    """The section on positions and seats of a game in which it is drawn who begins.

    ``text`` explains; ``name`` is the table's; ``said`` as of ``by_position``.
    """

    def section(data: ReportData) -> Shown:
        """Win shares by position in the order of turns, and by seat."""
        title, subject = "Win share by position", "the position in the order of turns"
        yield Section("seats", "Positions and seats", f"With {data.who}. {text}")
        yield from by_position(data, name, title, note, where, words, subject, **said)
        yield by_seat(data, "Win share by seat (a check)", note, where)

    return ReportSection(section)


def shares(
    name: str,
    title: str,
    note: str,
    rows: pl.DataFrame,
    where: Column,
    what: tuple[str, str] = ("win share", "games won alone, of all games"),
) -> Exhibit:
    """A table of ``versus_even``; ``where`` says what its positions are."""
    head, doc = what
    return exhibit(
        name,
        title,
        note,
        rows,
        (
            PLAYERS,
            where,
            estimated(head, doc, "share"),
            VERSUS_EVEN,
            _VERDICT,
            N,
        ),
        dots("where", f"{head} vs. even share, %", "more", by="players", reference=0),
        "vs. even share = share of a position - mean of this over the positions",
    )


def finding(
    data: ReportData,
    rows: pl.DataFrame,
    subject: str,
    named: Callable[[str], str] = str,
) -> Finding:
    """Whether the positions of one table differ, in words.

    ``subject`` is what matters or does not; ``named`` puts a position into a sentence.
    """
    known = at_once(rows.drop_nulls("estimate"), share=True).sort("estimate")
    if known.is_empty():
        return Finding(f"{subject}: no data.", "open", "seats")
    verdict = overall(rows["verdict"].to_list())
    games = data.games_of(known["cell"][0], known["measure"][0])
    least, most = (known.row(at, named=True) for at in (0, -1))
    apart = extremes.of_shares(known["estimate"].to_numpy(), least["n"])
    text = (
        f"{subject} {_SAID[verdict]}: {named(least['where'])} wins {share(least)} of "
        f"the games, {named(most['where'])} {share(most)}, where even is "
        f"{percent(known['even'][0])}; {apart.words('the best')} "
        f"({data.who})."
    )
    if verdict == "undecided":
        needed = more_games(known["more"], known["se"], games, -TOLERANCE, TOLERANCE)
        text = f"{text.removesuffix('.')}; {needed}."
    return Finding(
        text,
        sure(verdict),
        "seats",
        claimed(data, rows, subject),
        how_tested("2 points from even", "positions", known.height, games),
    )


def claimed(data: ReportData, rows: pl.DataFrame, subject: str) -> Claim:
    """What the rows of one table, of ``versus_even``, say of their places."""
    first = rows.row(0, named=True)
    *parts, by = data.measure(first["measure"]).by
    return Claim(
        subject.removeprefix(f"With {first['players']} players").strip(", "),
        first["measure"],
        first["players"],
        by,
        dict(rows.select(by, "where").rows()),
        {name: first[name] for name in parts},
    )


_SAID = {
    "within": "matters by less than 2 points of win share",
    "outside": "matters by more than 2 points of win share",
    "undecided": "may matter by more than 2 points of win share, or may not",
}
