"""Who wins: the four Virtues, played at the table or absent, and by place."""

import polars as pl

from reports.claims import Claim
from reports.drake.game_arrays import tables
from reports.drake.labels import EVEN, ROLE, TOLERANCE, VIRTUE
from reports.figure_specs import bars, dots, lines
from reports.formatting import join_words, percent, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number, with_words
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.scorecard.line_statistics import ROLE_WINS
from reports.statistics.equivalence import judge, more_games, overall, sureness
from reports.verdicts import how_tested

_EACH = MeasuresOf("virtues", by="virtue")
_WINS = "games that the Virtue wins, of those in which it"
MEASURES = (
    _EACH.share(ROLE_WINS, "games that the Virtue wins, of all games", "won"),
    _EACH.share(
        "virtue wins by role", f"{_WINS} is played, or absent", "won", by="virtue role"
    ),
    _EACH.share(
        "virtue wins by place",
        f"{_WINS} has this place",
        "won",
        by="virtue place",
        where=pl.col("role") == "played",
    ),
    MeasuresOf("games").share(
        "nobody wins",
        "games that nobody at the table wins, as an absent Virtue does",
        ~pl.col("somebody"),
    ),
)
_PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4}


def section(data: ReportData) -> SectionParts:
    """Yield the shares of the Virtues by role, place and strategy."""
    yield (
        f"With {data.who}, by the rules in force. A full pile wins for its Virtue, an "
        "empty deck for Pride, whether or not somebody plays that Virtue."
    )
    yield MeasureTable(
        "virtues-share",
        "Which Virtue wins",
        "Of all games; those missing from 100 % were broken off.",
        ("players", VIRTUE, Number(ROLE_WINS, "games")),
        rows=PLAYERS_IN_WORDS,
        draw=bars("table", "share of games, %", "virtue"),
    )
    yield MeasureTable(
        "virtues-role",
        "A Virtue played, and absent",
        "With two players Pride is always absent, with four none is.",
        ("players", VIRTUE, ROLE, Number("virtue wins by role", "wins")),
        rows=with_words("table", "{}, {} players".format, "virtue", "players"),
        draw=dots("table", "share of games, %", by="role"),
    )
    yield MeasureTable(
        "virtues-place",
        "Which Virtue wins from which place",
        f"{data.players} players. The rule texts draw who begins, or go by Virtues.",
        (VIRTUE, "place", Number("virtue wins by place", "wins")),
        only=data.leads(data.players),
        rows=lambda rows: rows.with_columns(
            turn=pl.col("place").replace_strict(_PLACES, return_dtype=pl.Int64)
        ).sort("virtue", "turn"),
        draw=lines("turn", "share of games, %", by="virtue"),
    )
    table_of = Column("lineup", "table of", "who plays")
    yield MeasureTable(
        "virtues-strategy",
        "Which Virtue wins, by strategy",
        f"Each strategy at a table of its own kind, {data.players} players: what "
        "stays the same is about the cards, what differs about the players.",
        (table_of, VIRTUE, Number(ROLE_WINS, "games")),
        only=data.uniform,
        draw=bars("lineup", "share of games, %", "virtue"),
    )
    yield _balance(data)
    yield from _nobody(data)


def _balance(data: ReportData) -> Finding:
    """Say whether some Virtue wins more or less than its share."""
    rows = data.leading(ROLE_WINS, players=data.players).drop_nulls("se")
    if rows.is_empty():
        return Finding("Virtues: no data.", "open")
    low, high = EVEN - TOLERANCE, EVEN + TOLERANCE
    verdict = overall(judge(rows["estimate"], rows["se"], low, high, share=True))
    ordered = rows.sort("estimate", descending=True).to_dicts()
    shares = [f"{row['virtue']} wins {share(row)}" for row in ordered]
    text = (
        f"Virtues, {data.players} players, {data.who}: {join_words(shares)}, where "
        f"even is {percent(EVEN, 0)}; {_VERDICTS[verdict]}"
    )
    if verdict == "undecided":
        needed = more_games(rows["estimate"], rows["se"], data.games, low, high)
        text += f" ({needed})"
    claim = Claim(
        "the Virtues",
        ROLE_WINS,
        data.players,
        "virtue",
        {name: name for name in rows["virtue"]},
        even=EVEN,
        tolerance=TOLERANCE,
    )
    tested = how_tested("5 points from even", "Virtues", rows.height, data.games)
    return Finding(f"{text}.", sureness(verdict), claim=claim, tested=tested)


def _nobody(data: ReportData) -> SectionParts:
    """Say how often an absent Virtue wins, with fewer players than Virtues."""
    rows = data.leading("nobody wins").filter(pl.col("players") < 1 / EVEN)
    rows = rows.drop_nulls("estimate")
    if rows.height:
        texts = [f"{share(row)} with {row['players']}" for row in rows.to_dicts()]
        text = f"Nobody at the table wins, {data.who}: {join_words(texts)} players."
        yield Finding(text, "")


_VERDICTS = {
    "within": "no Virtue is more than 5 points from that",
    "outside": "some Virtue is more than 5 points from that",
    "undecided": "whether a Virtue is more than 5 points from that is undecided",
}

SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("shuffle",),
    id="virtues",
    title="The four Virtues",
    question="How often does each of the four Virtues win?",
)
