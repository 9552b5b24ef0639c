"""Both decks compared: the leading strategy plays the updated and the original."""

import polars as pl

from reports.article_ii import deck_comparison, what_ifs
from reports.figure_specs import dots
from reports.formatting import (
    Row,
    estimated,
    join,
    join_words,
    percent,
    renamed,
    share,
    signed_points,
    subtract,
)
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.verdicts import how_tested, with_verdict

TOLERANCE = 0.02
"""Shares that differ by less than 2 points count as the same."""
_KEYS = ("players", "what")
_SHARES = {
    "a Candidate ahead as the General begins wins": ("won by standing", "standing", 0),
    "rank 1 of the Primary wins": ("won by rank", "rank", 1),
    "rank 2 of the Primary wins": ("won by rank", "rank", 2),
    "Spoilers win": ("ended", "by", "Spoilers"),
    "nobody wins": ("ended", "by", "nobody"),
    "marks on the leader, of marks that hit in the General": ("leader hit", "phase", 2),
}
_COMPARED = Column(
    "verdict",
    "2 points",
    "same: shown to be less than 2 points apart; differs: more; Holm over the rows of "
    "a number of players",
)


def section(data: ReportData) -> SectionParts:
    """Yield shares, correlations and cards of both decks."""
    rows = _compared(data)
    yield (
        f"With {data.who}, and once more with the other printed deck. The original "
        "deck has no Styles and no Unaffiliated Activity, and more of some cards."
    )
    here = pl.col("players") == data.players
    yield MeasureTable(
        "decks-shares",
        "What differs between the decks",
        f"Shares of all games unless stated otherwise. The figure shows "
        f"{data.players} players.",
        (
            "players",
            Column("what", "what", "what is counted"),
            *(
                estimated(name, f"with the {name} deck", "share", name)
                for name in deck_comparison.NAMES
            ),
            estimated("difference", "original less updated", "points", "more"),
            _COMPARED,
        ),
        rows=rows,
        draw=dots("what", "original less updated, %", "more", reference=0, only=here),
        n=Column("n", "n", "count behind the share of the deck with fewer", "count"),
    )
    yield deck_comparison.correlations(data)
    yield deck_comparison.cards(data)
    for players in data.counts:
        yield _finding(data, rows, players)
    yield from deck_comparison.tension_finding(data)


def _compared(data: ReportData) -> pl.DataFrame:
    """Return a row per share and number of players: both decks, and the difference."""
    cells = deck_comparison.cells(data)
    updated, original = (
        pl.concat(
            renamed(
                data.of(measure, only=cells[name])
                .filter(pl.col(by) == value)
                .with_columns(what=pl.lit(what)),
                _KEYS,
                name,
            )
            for what, (measure, by, value) in _SHARES.items()
        )
        for name in deck_comparison.NAMES
    )
    rows = subtract(join(updated, original, _KEYS), "original", "updated", "more")
    rows = rows.drop_nulls("original_n").sort("players", maintain_order=True)
    rows = rows.with_columns(n=pl.min_horizontal("updated_n", "original_n"))
    words = {"within": "same", "above": "differs", "below": "differs"}
    return with_verdict(rows, TOLERANCE, words, "more", ("players",))


def _finding(data: ReportData, rows: pl.DataFrame, players: int) -> Finding:
    part = rows.filter(players=players)
    if part.is_empty():
        text = f"Decks, {players} players: the other deck was not played."
        return Finding(text, "open")
    several = part.to_dicts()
    differ = [_difference_words(row) for row in several if row["verdict"] == "differs"]
    undecided = sum(row["verdict"] == "undecided" for row in several)
    same = sum(row["verdict"] == "same" for row in several)
    text = f"Decks, {players} players, {data.who}: "
    text += (
        f"the original deck differs by more than 2 points in {join_words(differ)}; "
        if differ
        else "no difference of more than 2 points is shown; "
    )
    text += f"of {len(several)} shares, {same} are the same, {undecided} undecided."
    tested = how_tested("2 points", "shares", len(several), data.games)
    settled = differ or not undecided
    return Finding(text, "sure" if settled else "open", tested=tested)


def _difference_words(row: Row) -> str:
    return (
        f"{row['what']} ({share(row, 'original')} against "
        f"{percent(row['updated'])}: {signed_points(row['more'])} points)"
    )


SECTION = ReportSection(
    section,
    id="decks",
    title="Both decks side by side",
    question="What changes with the other deck?",
    what_ifs=(what_ifs.DECKS,),
)
