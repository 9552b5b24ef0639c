"""How rounds end, and who profits: the player who ends it, or the others."""

import numpy as np
import polars as pl

from reports.counts import Counts, grid_of_rows
from reports.devil.game_arrays import ENDINGS, DevilArrays
from reports.devil.labels import ENDING, ENDING_WORDS, LINEUP
from reports.devil.length_ladders import flags
from reports.figure_specs import bars, dots
from reports.formatting import LINEUPS, Row, join_words, number, percent, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number, side_by_side
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.verdicts import how_tested, with_verdict

TOLERANCE = 1.0
"""Points within which the player who ends a round is even with the others."""
FEW = 100
"""Endings of fewer rounds are left out of the finding."""
_ENDINGS = MeasuresOf(by="by")
_ALONE = "games won by the seat that ends the last round"
MEASURES = (
    _ENDINGS.share("rounds by ending", "share of the rounds that end in this way"),
    _ENDINGS.mean("turns by ending", "turns of a round that ends in this way"),
    _ENDINGS.mean("ender by ending", "points added to the seat that ended it"),
    _ENDINGS.mean("others by ending", "points added to each of the others"),
    _ENDINGS.mean("ahead by ending", "others less ender"),
    _ENDINGS.share("least by ending", "share in which nobody gets fewer points"),
    _ENDINGS.share("last ender wins", _ALONE, by=""),
)
_ROUNDS = Number("rounds by ending", "rounds")
_TURNS = Number("turns by ending", "turns", name="turns")
_ENDER = Number("ender by ending", "ender", name="ender")
_OTHERS = Number("others by ending", "others", name="others")
_AHEAD = Number("ahead by ending", "ahead", name="ahead")
_LEAST = Number("least by ending", "least", name="least")
_HAPPENS, _ORDER = pl.col("estimate") > 0, pl.col("by").cast(pl.Enum(ENDINGS))


def counts(played: DevilArrays) -> list[Counts]:
    """Count points and turns by ending, and wins of the last round's ender."""
    ended, others = flags(played.ending, len(ENDINGS)), played.players - 1
    rest = played.added.sum(axis=0) - played.own
    least = played.own <= played.added.min(axis=0, initial=np.iinfo(np.int64).max)
    wins = played.winner[played.game_of] == played.ender
    ones = np.ones(len(played.game_of))
    values = {
        "turns": (played.rounds.once("turns"), 1),
        "ender": (played.own, 1),
        "others": (rest, others),
        "ahead": (rest - others * played.own, others),
        "least": (least, 1),
    }
    return [
        grid_of_rows("rounds by ending", played.game_of, ended, ones, by=ENDINGS),
        *(
            grid_of_rows(
                f"{name} by ending", played.game_of, ended * y, ended * x, by=ENDINGS
            )
            for name, (y, x) in values.items()
        ),
        grid_of_rows(
            "last ender wins", played.game_of, wins & played.over, played.over
        ),
    ]


def section(data: ReportData) -> SectionParts:
    """Yield the endings of the leading lineup, and of every strategy."""
    table = endings(data)
    yield (
        f"With {data.who}. Points are bad: the lowest total wins. Going out leaves "
        "nothing in hand; declaring counts the player's own hand twice."
    )
    yield MeasureTable(
        "endings-shares",
        "How rounds end",
        "Of all rounds that were played to their end.",
        ("players", ENDING, _ROUNDS, _TURNS, LINEUPS),
        rows=table,
        draw=bars("table", "share of the rounds, %", "how"),
    )
    verdict = Column("verdict", "verdict", "whether the ender profits or pays, 95 %")
    gained = "points gained on the others"
    yield MeasureTable(
        "endings-profit",
        "Points added, by how the round ends: to the ender, and to the others",
        "Ahead is what the player who ended the round gained on the mean of the "
        f"others. Verdict: {TOLERANCE:g} point; Holm over the endings of a table.",
        ("players", ENDING, _ENDER, _OTHERS, _AHEAD, verdict, _LEAST),
        rows=table,
        draw=dots("how", gained, "ahead", by="players", reference=0),
        n=Column("ahead_n", "n", "these rounds, times the other seats", "count"),
    )
    yield MeasureTable(
        "endings-strategies",
        "How rounds end with each strategy",
        f"Each strategy at a table of its own kind, {data.players} players.",
        (LINEUP, ENDING, _ROUNDS, _ENDER, _OTHERS),
        only=data.uniform,
        rows=lambda rows: rows.filter(_HAPPENS).sort("cell", _ORDER),
        draw=bars("lineup", "share of the rounds, %", "how"),
    )
    yield _finding(data, table, data.players)


def endings(data: ReportData) -> pl.DataFrame:
    """Return a row per number of players and ending, with what it brings."""
    numbers = (_ROUNDS, _TURNS, _ENDER, _OTHERS, _AHEAD, _LEAST)
    rows = side_by_side(data, numbers).filter(_HAPPENS).sort("players", _ORDER)
    sides = {"above": "profits", "below": "pays"}
    return PLAYERS_IN_WORDS(with_verdict(rows, TOLERANCE, sides, "ahead", ("players",)))


def _finding(data: ReportData, table: pl.DataFrame, players: int) -> Finding:
    rows = table.filter(pl.col("players") == players, pl.col("turns_n") >= FEW)
    if rows.is_empty():
        text = f"Endings, {players} players: too few rounds ended."
        return Finding(text, "open")
    by_share = rows.sort("estimate", descending=True).to_dicts()
    shares = join_words([f"{share(row)} {ENDING_WORDS[row['by']]}" for row in by_share])
    chosen = [row for row in by_share if row["by"].startswith(("end", "oni"))]
    profit = "".join(f" {_profit_words(row)}." for row in chosen)
    wins = data.leading("last ender wins", players=players).to_dicts()
    last = (
        f" The player who ends the last round wins {share(wins[0])} of the games "
        f"(even: {percent(1 / players)})."
        if wins
        else ""
    )
    open_ = any(row["verdict"] == "undecided" for row in chosen)
    text = f"Endings, {players} players, {data.who}: {shares}.{profit}{last}"
    bounds = f"{TOLERANCE:g} point"
    count = table.filter(players=players).height
    tested = how_tested(bounds, "endings", count, data.games)
    return Finding(text, "open" if open_ else "sure", tested=tested)


def _profit_words(row: Row) -> str:
    """Say what it brings to declare, or to play the Onifuda."""
    verdicts = {
        "profits": "profits: they gain",
        "pays": "pays: they gain",
        "within": "is even with the others within one point: they gain",
        "undecided": "gains or pays, undecided against one point: they gain",
    }
    way = ENDING_WORDS[row["by"]].replace("declared", "declares")
    way = "plays the Onifuda" if row["by"] == "oni" else way
    gain = f"{number(row, 'ahead')} points on the others"
    return f"A player who {way} {verdicts[row['verdict']]} {gain}"


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("round",),
    id="endings",
    title="How rounds end, and who profits",
    question="How do rounds end, and who gains by it?",
)
