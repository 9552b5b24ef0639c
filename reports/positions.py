"""Positions at the table: whether it matters where you sit, or who begins.

In most games the player who begins is drawn at random, so seats as such cannot differ,
but positions can. They are numbered from 1 in the order of seats, and are called as in
the rulebook. A game declares a section, or one of its tables:

    SECTION = positions.section("Who begins is drawn.", "seats-place")
    PRIMARY = positions.PositionTable("seats-primary", "who begins the Primary")
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from reports.claims import TOLERANCE, Claim
from reports.figure_specs import dots
from reports.formatting import PLAYERS, N, estimated, exhibit, percent, share
from reports.game_report import ReportSection
from reports.measure_tables import Rows, with_words
from reports.position_names import position_label, position_name
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


@dataclass(frozen=True)
class PositionTable:
    """The table of win shares by position, and findings on whether they differ.

    ``doc`` says what a position is, ``note`` what the table lacks, and ``subject`` what
    may matter. ``first`` is the name of the first position, if it is not the
    rulebook's. There is a finding for each number of players or, with ``once``, for the
    main number.
    """

    name: str
    subject: str = "the position at the table"
    title: str = "Win share by position"
    note: str = "Games that nobody wins alone count for no position."
    doc: str = "position in the order of turns"
    first: str = ""
    measure: str = "won by position"
    once: bool = False

    def __call__(self, data: ReportData) -> Iterator[Exhibit | Finding]:
        """Yield the table, then its findings."""
        first = self.first or data.begins
        rows = with_position_words(first)(_versus_even(data, self.measure))
        head = "win share"
        yield exhibit(
            self.name,
            self.title,
            self.note,
            rows,
            (
                PLAYERS,
                Column("where", "where", self.doc),
                estimated(head, "games won alone, of all games", "share"),
                VERSUS_EVEN,
                _VERDICT,
                N,
            ),
            dots(
                "where", f"{head} vs. even share, %", "more", by="players", reference=0
            ),
        )
        for players in [data.players] if self.once else data.counts:
            yield _finding(data, rows.filter(players=players), self, players, first)


def section(
    text: str, name: str, note: str = PositionTable.note, **more: Any
) -> ReportSection:
    """Return the section on positions of a game in which these are all there is to say.

    ``text`` explains; ``name``, ``note`` and ``more`` are those of ``PositionTable``.
    """
    subject = "the position in the order of turns"
    return ReportSection(
        id="seats",
        title="Positions",
        question="Does it matter where you sit?",
        intro=f"With {{who}}. {text}".strip(),
        tables=(PositionTable(name, subject, note=note, **more),),
    )


def with_position_words(first: str) -> Rows:
    """Make a function that adds ``where``, the position's name; ``first``: of no. 1."""
    return with_words("where", partial(position_label, first), "position", "players")


def _versus_even(data: ReportData, measure: str) -> pl.DataFrame:
    """Return the leading lineup's shares, less their mean over positions, and verdicts.

    The positions of a number of players are judged together.
    """
    even = pl.col("estimate").mean().over("cell")
    rows = data.leading(measure).with_columns(
        more=pl.col("estimate") - even,
        more_low=pl.col("low") - even,
        more_high=pl.col("high") - even,
        more_se="se",
        even=even,
    )
    tables = rows.partition_by("players", maintain_order=True)
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
    return rows.with_columns(pl.Series("verdict", verdicts, dtype=pl.String))


def _finding(
    data: ReportData, rows: pl.DataFrame, table: PositionTable, players: int, first: str
) -> Finding:
    """Return the finding on whether the positions of one number of players differ."""
    subject = f"With {players} players {table.subject}"
    known = simultaneous_intervals(rows.drop_nulls("estimate"), share=True).sort(
        "estimate"
    )
    if known.is_empty():
        return Finding(f"{subject}: no data.", "open")
    verdict = overall(rows["verdict"].to_list())
    counted = known["cell"][0], table.measure
    games, wider = data.games_of(*counted), data.wider(*counted)
    least, most = (known.row(at, named=True) for at in (0, -1))
    worst, best = (
        position_name(first, row["position"], players) for row in (least, most)
    )
    shares = known["estimate"].to_numpy()
    gap = extremes.of_shares(shares, least["n"], wider=wider)
    text = (
        f"{subject} {_VERDICTS[verdict]}: {worst} wins {share(least)} of the games, "
        f"{best} {share(most)}, where even is {percent(known['even'][0])}; "
        f"{gap.words('the best')} ({data.who})."
    )
    if verdict == "undecided":
        needed = more_games(known["more"], known["se"], games, -TOLERANCE, TOLERANCE)
        text = f"{text.removesuffix('.')}; {needed}."
    words = dict(rows.select("position", "where").rows())
    return Finding(
        text,
        sureness(verdict),
        claim=Claim(table.subject, table.measure, players, "position", words),
        tested=how_tested("2 points from even", "positions", known.height, games),
    )


_VERDICTS = {
    "within": "matters by less than 2 points of win share",
    "outside": "matters by more than 2 points of win share",
    "undecided": "may or may not matter by more than 2 points of win share",
}
