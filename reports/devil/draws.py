"""Draws and reshuffles: how often no card fits, and how often the pile is empty."""

from reports.counts import Counts, grid_of_rows
from reports.devil.game_arrays import DevilArrays
from reports.devil.labels import LINEUP, each_count
from reports.figure_specs import dots
from reports.formatting import number, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number, side_by_side
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.verdicts import claim, verdict_of

HALF = 0.5
"""With draws in more than half of the turns, most turns have no choice."""
_DRAWN = "share of the turns in which a card was drawn because none fits"
_RESHUFFLES = "how often the pile is reshuffled in a round"
_ARRAYS = MeasuresOf()
MEASURES = (
    _ARRAYS.share("draws a turn", _DRAWN),
    _ARRAYS.mean("draws a round", "such draws in a round"),
    _ARRAYS.mean("penalties a round", "cards drawn in a round because of a Special"),
    _ARRAYS.mean("skips a round", "turns lost in a round"),
    _ARRAYS.mean("reshuffles a round", _RESHUFFLES),
    _ARRAYS.share("rounds reshuffled", "share of the rounds with one or more"),
)
_NUMBERS = (
    Number("draws a turn", "draws a turn"),
    Number("draws a round", "draws", name="draws a round"),
    Number("penalties a round", "penalties", name="penalties a round"),
    Number("skips a round", "skips", name="skips a round"),
    Number("reshuffles a round", "reshuffles", name="reshuffles a round"),
    Number("rounds reshuffled", "with a reshuffle", name="rounds reshuffled"),
)


def counts(played: DevilArrays) -> list[Counts]:
    """Count draws, penalties, skips and reshuffles of the rounds."""
    rounds, game = played.rounds, played.game_of
    turns, ones = rounds.once("turns"), rounds.once("turns") * 0 + 1
    values = {
        name: rounds.once(name)
        for name in ("draws", "penalties", "skips", "reshuffles")
    }
    draws = values["draws"]
    return [
        grid_of_rows("draws a turn", game, draws, turns),
        *(
            grid_of_rows(f"{name} a round", game, value, ones)
            for name, value in values.items()
        ),
        grid_of_rows("rounds reshuffled", game, values["reshuffles"] > 0, ones),
    ]


def section(data: ReportData) -> SectionParts:
    """Yield draws and reshuffles by number of players, and by strategy."""
    turns = Column("n", "n", "turns", "count")
    nothing = "turns in which nothing fits, %"
    yield (
        "A player without a card that fits draws one, and plays it if it fits. "
        "Specials make the next player draw and lose a turn; a 10 makes them lose a "
        "turn."
    )
    yield MeasureTable(
        "draws-players",
        "Draws, penalties, skips and reshuffles",
        f"With {data.who}; of all seats together.",
        ("players", *_NUMBERS),
        rows=PLAYERS_IN_WORDS,
        draw=dots("table", nothing),
        n=turns,
    )
    yield MeasureTable(
        "draws-strategies",
        "Draws, penalties, skips and reshuffles by strategy",
        f"Each strategy at a table of its own kind, {data.players} players.",
        (LINEUP, *_NUMBERS),
        only=data.uniform,
        draw=dots("lineup", nothing),
        n=turns,
    )
    yield from _findings(data)


def _findings(data: ReportData) -> SectionParts:
    rows = side_by_side(data, _NUMBERS).drop_nulls("estimate")
    by = {row["players"]: row for row in rows.to_dicts()}
    if data.players not in by:
        yield Finding("Draws: no round ended.", "open")
        return
    row = by[data.players]
    verdict = verdict_of(row, 0.0, HALF)
    text = (
        f"Draws, {data.players} players, {data.who}: in {share(row)} of the turns "
        f"nothing in hand fits and a card is drawn: {_VERDICTS[verdict]}; a round has "
        f"{number(row, 'skips a round')} turns lost and "
        f"{number(row, 'penalties a round')} penalty cards, and the pile is reshuffled "
        f"{number(row, 'reshuffles a round')} times"
    )
    yield claim(text, verdict, row, data.games, 0.0, HALF)
    texts = {n: share(by[n], "rounds reshuffled") for n in data.counts if n in by}
    text = f"Rounds in which the pile is reshuffled: {each_count(texts)}."
    yield Finding(text, "")


_VERDICTS = {
    "within": "fewer than half",
    "outside": "more than half, so most turns leave no choice",
    "undecided": "whether that is more than half is undecided",
}


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("round",),
    id="draws",
    title="Draws and reshuffles",
    question="How many cards are drawn, and how often is the stack shuffled anew?",
)
