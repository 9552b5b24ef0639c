"""Positions at the table: whether it matters where you sit, or who begins.

In most games the player who begins is drawn at random, so seats as such cannot differ,
but positions can. They are numbered from 1 in the order of seats, and are called as in
the rulebook.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import polars as pl

from reports.claims import TOLERANCE, Claim
from reports.figure_specs import dots
from reports.formatting import PLAYERS, N, estimated, exhibit, percent, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import Rows, with_words
from reports.report_data import ReportData
from reports.report_document import Column, Exhibit, Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics import extremes
from reports.statistics.equivalence import judge, more_games, overall, sureness
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
    """Return the leading lineup's shares, less their mean over positions, and verdicts.

    ``by`` ends with the position, or the seat, that ``where`` adds in words. The groups
    before it, and the numbers of players, split the shares into separate tables.
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


def with_position_words(first: str) -> Rows:
    """Make a function that adds ``where``, the position's name; ``first``: of no. 1."""

    def named(position: int, players: int) -> str:
        names = (first, *_ORDINALS[: max(players - 2, 0)], "last")
        return names[position - 1]

    return with_words("where", named, "position", "players")


def player_words(where: str) -> str:
    """Return a position as a player is called in a sentence.

    >>> [player_words(where) for where in ("first dealer", "second", "who begins")]
    ['the first dealer', 'the second player', 'who begins']
    """
    if where.startswith(("the ", "who ")):
        return where
    named = where.endswith(("dealer", "player"))
    return f"the {where}" if named else f"the {where} player"


_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh")


def by_position(  # noqa: PLR0913 - a declaration, as ``functools.partial``
    data: ReportData,
    name: str,
    title: str,
    note: str,
    where: Column,
    words: Rows,
    subject: str = "the position at the table",
    named: Callable[[str], str] = str,
    *,
    measure: str = "won by position",
    once: bool = False,
) -> Iterator[Exhibit | Finding]:
    """Yield the win shares by position, and findings on whether they differ.

    There is one for each number of players or, with ``once``, for the main number.
    """
    rows = versus_even(data, measure, ("position",), words)
    yield shares(name, title, note, rows, where)
    for players in [data.players] if once else data.counts:
        part = rows.filter(players=players)
        yield finding(data, part, f"With {players} players {subject}", named)


def drawn_order(
    text: str, name: str, note: str, where: Column, words: Rows, **more: Any
) -> ReportSection:
    """Return the section on positions, for games that draw who begins.

    ``text`` explains; ``name`` is the table's; ``more`` goes to ``by_position``.
    """

    def section(data: ReportData) -> SectionParts:
        """Win shares by position in the order of turns."""
        title, subject = "Win share by position", "the position in the order of turns"
        yield f"With {data.who}. {text}"
        yield from by_position(data, name, title, note, where, words, subject, **more)

    return ReportSection(
        section,
        id="seats",
        title="Positions",
        question="Does it matter where you sit?",
    )


def shares(
    name: str,
    title: str,
    note: str,
    rows: pl.DataFrame,
    where: Column,
    what: tuple[str, str] = ("win share", "games won alone, of all games"),
) -> Exhibit:
    """Make an exhibit of ``versus_even``; ``where`` is the column of positions."""
    head, doc = what
    return exhibit(
        name,
        title,
        note,
        rows,
        (PLAYERS, where, estimated(head, doc, "share"), VERSUS_EVEN, _VERDICT, N),
        dots("where", f"{head} vs. even share, %", "more", by="players", reference=0),
    )


def finding(
    data: ReportData,
    rows: pl.DataFrame,
    subject: str,
    named: Callable[[str], str] = str,
) -> Finding:
    """Return the finding on whether the positions of one table differ.

    ``subject`` is what may matter; ``named`` puts a position into a sentence.
    """
    known = simultaneous_intervals(rows.drop_nulls("estimate"), share=True).sort(
        "estimate"
    )
    if known.is_empty():
        return Finding(f"{subject}: no data.", "open")
    verdict = overall(rows["verdict"].to_list())
    counted = known["cell"][0], known["measure"][0]
    games, wider = data.games_of(*counted), data.wider(*counted)
    least, most = (known.row(at, named=True) for at in (0, -1))
    shares = known["estimate"].to_numpy()
    gap = extremes.of_shares(shares, least["n"], wider=wider)
    text = (
        f"{subject} {_VERDICTS[verdict]}: {named(least['where'])} wins {share(least)} "
        f"of the games, {named(most['where'])} {share(most)}, where even is "
        f"{percent(known['even'][0])}; {gap.words('the best')} ({data.who})."
    )
    if verdict == "undecided":
        needed = more_games(known["more"], known["se"], games, -TOLERANCE, TOLERANCE)
        text = f"{text.removesuffix('.')}; {needed}."
    return Finding(
        text,
        sureness(verdict),
        claim=position_claim(data, rows, subject),
        tested=how_tested("2 points from even", "positions", known.height, games),
    )


def position_claim(data: ReportData, rows: pl.DataFrame, subject: str) -> Claim:
    """Return the claim that the rows of one table of ``versus_even`` make."""
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


_VERDICTS = {
    "within": "matters by less than 2 points of win share",
    "outside": "matters by more than 2 points of win share",
    "undecided": "may or may not matter by more than 2 points of win share",
}
