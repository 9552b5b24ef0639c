"""The dealer: whether it matters who deals, and in which order players take turns.

The first dealer is drawn, so seats themselves cannot differ. The dealer plays last in
round 1; afterwards whoever ended a round deals the next.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports import positions
from reports.claims import TOLERANCE
from reports.counts import Counts, grid_of_rows, numbers_to
from reports.devil.game_arrays import DevilArrays
from reports.devil.labels import WHERE, each_count
from reports.devil.length_ladders import flags
from reports.figure_specs import dots
from reports.formatting import number, percent, points, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number, side_by_side
from reports.measures import MeasuresOf
from reports.positions import VERSUS_EVEN, position_claim, versus_even
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics.equivalence import more_games, overall, sureness
from reports.verdicts import how_tested, with_verdict

POINT = 1.0
"""How far the points added to a position in round 1 may be from the mean."""
_EXTRA = "points added less the table's mean"
_POSITIONS = MeasuresOf(by="position")
MEASURES = (
    _POSITIONS.mean("extra by position, first", _EXTRA, unit="points"),
    _POSITIONS.mean("extra by position, later", _EXTRA, unit="points"),
    *(
        _POSITIONS.share(
            f"ended by position, {name}",
            f"share of {name} rounds that this position ends",
        )
        for name in ("first", "later")
    ),
)
_WHERE = Column("where", "where", "position in the order of turns of the round")
_ROUNDS = (
    Number("extra by position, first", "points, round 1"),
    Number("extra by position, later", "later rounds", name="later"),
    Number("ended by position, first", "ends round 1", name="ends first"),
    Number("ended by position, later", "ends later", name="ends later"),
)
_DEALER = pl.col("position") == pl.col("players")


def counts(played: DevilArrays) -> Iterator[Counts]:
    """Count points and rounds ended by position in the order of turns, dealers last."""
    seats, every = played.players, numbers_to(played.players)
    position = played.position(played.rounds.once("dealer") + 1)
    here = position == np.array(every)[:, None, None]
    above = (here * (seats * played.added - played.added.sum(axis=0))).sum(axis=1)
    ended = (here & flags(played.ender, seats)).any(axis=1)
    opening = played.rounds.round == 1
    for name, rows in (("first", opening), ("later", ~opening)):
        extra, ends = (f"{what} by position, {name}" for what in ("extra", "ended"))
        yield grid_of_rows(
            extra, played.game_of, above * rows, seats * rows, position=every
        )
        yield grid_of_rows(ends, played.game_of, ended * rows, rows * 1, position=every)


def section(data: ReportData) -> SectionParts:
    """Yield win shares and points by position."""
    wins, rounds = _wins(data), _rounds(data)
    yield (
        f"With {data.who}. The first dealer is drawn; the seat to the dealer's left "
        "plays first, the dealer last. Whoever ends a round deals the next."
    )
    yield positions.shares(
        "dealer-places",
        "Win share of the game by position in round 1",
        "Games that nobody wins alone count for no position.",
        wins,
        _WHERE,
    )
    yield MeasureTable(
        "dealer-advantage",
        "The first dealer's advantage, by number of players",
        "The same numbers, for the first dealer only.",
        (
            "players",
            Number("won by position", "win share", "games won of all games"),
            VERSUS_EVEN,
            Column("verdict", "verdict", "against 2 points from even"),
        ),
        rows=PLAYERS_IN_WORDS(wins.filter(_DEALER)),
        draw=dots(
            "table",
            "the first dealer's win share vs. even share, %",
            "more",
            reference=0,
        ),
    )
    first, later, *ends = _ROUNDS
    yield MeasureTable(
        "dealer-rounds",
        "Points of a round by position, and who ends it",
        "Points added less the mean of the table: more is worse. The dealer of round 1 "
        "is drawn at random; later ones ended the round before. Verdict: one point, "
        "round 1; Holm over the positions of a table.",
        (
            "players",
            _WHERE,
            first,
            Column("verdict", "verdict", "against one point, round 1"),
            later,
            *ends,
        ),
        rows=rounds,
        draw=dots(
            "where",
            "points of round 1 less the table's mean",
            reference=0,
            only=pl.col("players") == data.players,
            heading=f"Points of round 1 by position, {data.players} players",
        ),
        n=Column("n", "n", "first rounds, times the seats", "count"),
    )
    yield from _findings(data, wins, rounds)


def _wins(data: ReportData) -> pl.DataFrame:
    """Return win shares by position in round 1, less an even share, with verdicts."""
    rows = versus_even(data, "won by position", ("position",), WHERE)
    sides = {"above": "favoured", "below": "behind"}
    return with_verdict(rows, TOLERANCE, sides, "more", ("players",))


def _rounds(data: ReportData) -> pl.DataFrame:
    """Return the points of round 1 by position, less the table's mean; who ends it."""
    sides = {"above": "costs", "below": "saves"}
    rows = with_verdict(side_by_side(data, _ROUNDS), POINT, sides, family=("players",))
    return WHERE(rows)


def _findings(
    data: ReportData, wins: pl.DataFrame, rounds: pl.DataFrame
) -> SectionParts:
    known = wins.drop_nulls("estimate")
    if known.is_empty():
        yield Finding("Dealer: no data.", "open")
        return
    yield _finding(data, known.filter(players=data.players), rounds)
    dealers = {
        row["players"]: f"{points(row, 'more')} ({row['verdict']})"
        for row in known.filter(_DEALER).to_dicts()
    }
    text = (
        f"First dealer's win share vs. even share, in points, {data.who}: "
        f"{each_count(dealers)}; the verdicts are about {100 * TOLERANCE:g} points."
    )
    count, of = known.filter(_DEALER).height, "positions of each table"
    tested = how_tested("2 points from even", of, count, data.games)
    yield Finding(text, sureness(_overall(known)), tested=tested)


def _finding(data: ReportData, rows: pl.DataFrame, rounds: pl.DataFrame) -> Finding:
    players = data.players
    verdict = _overall(rows)
    dealer = rows.filter(position=players).row(0, named=True)
    ends = simultaneous_intervals(rows, share=True).sort("estimate")
    least, most = ends[[0, -1]].to_dicts()
    first = rounds.filter(players=players, position=players).to_dicts()
    extra = [f", and in round 1 scores {number(row)} above the mean" for row in first]
    text = (
        f"With {players} players {_VERDICTS[verdict]}: the first dealer wins "
        f"{share(dealer)} of the games{''.join(extra)}; the {least['where']} wins "
        f"least, {share(least)}, the {most['where']} most, {share(most)} (even: "
        f"{percent(rows['even'][0])}; {data.who})"
    )
    if verdict == "undecided":
        needed = more_games(rows["more"], rows["se"], data.games, -TOLERANCE, TOLERANCE)
        text = f"{text}; {needed}"
    claim = position_claim(data, rows, "who deals first")
    tested = how_tested("2 points from even", "positions", rows.height, data.games)
    return Finding(f"{text}.", sureness(verdict), claim=claim, tested=tested)


def _overall(rows: pl.DataFrame) -> str:
    """Return one of the three verdicts, on all positions together."""
    sides = {"favoured": "outside", "behind": "outside"}
    return overall([sides.get(verdict, verdict) for verdict in rows["verdict"]])


_VERDICTS = {
    "within": "who deals first matters by less than 2 points",
    "outside": "who deals first matters by more than 2 points",
    "undecided": "it is undecided whether who deals first matters by over 2 points",
}


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("round",),
    id="dealer",
    title="The dealer and the order of turns",
    question="Does it matter who deals, and who has the first turn?",
)
