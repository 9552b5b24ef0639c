"""The section on what each card is worth: tables and findings (``card_worth``)."""

from dataclasses import dataclass

import polars as pl

from reports.article_ii import card_worth, what_ifs
from reports.article_ii.game_arrays import PHASE_WORDS
from reports.article_ii.labels import PHASE, card_column, card_words, is_style
from reports.figure_specs import Draw, dots
from reports.formatting import Row, estimated, join_words, points
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.verdicts import how_tested

_TRIED = (
    "As the phase is dealt, chance draws a card of every hand (a Style from half the "
    "hands that hold Styles), and the deal is played twice. For each player a coin "
    "decides in which of the two games they have it, so the others' drawn cards change "
    "too, equally likely either way; nothing else does. In the game in which a player "
    "has it, it"
)
_VERDICT = Column(
    "verdict",
    "2 points",
    "worth or harmful: shown to gain or lose more than 2 points of win share; little: "
    "shown to matter less; Holm over the cards of a phase",
)
_WORDS = ("worth", "harmful", "little", "undecided")


@dataclass(frozen=True)
class _Comparison:
    """A comparison of seats with and without a card: rows, and words for findings."""

    rows: pl.DataFrame
    head: str
    best: str
    what: str


def section(data: ReportData) -> SectionParts:
    """Yield what cards are worth in hand, kept, and on the player."""
    drawn = _Comparison(
        card_worth.dealt(data, data.players),
        "Cards dealt",
        "In hand, it is best to be dealt",
        "win share against the other seats of the same deal",
    )
    hand = _Comparison(
        card_worth.tried(data, False),
        "Cards kept",
        "It is best to keep",
        "win share with the card against a hand without it, same deals",
    )
    lying = _Comparison(
        card_worth.tried(data, True),
        "Cards on oneself",
        "The best to begin with on oneself are",
        "win share against a discarded card, same deals",
    )
    yield (
        f"With {data.who}, {data.players} players. Chance decides who has a card in "
        "all of these tables, so the difference is due to the card (in the hands of "
        "these strategies), not to who chooses to play it. Numbers behind a card are "
        "Electability and Affiliation. Shared wins do not count. Verdicts are about 2 "
        "points of win share."
    )
    named = "difference of the shares that become Candidates, for cards of the Primary"
    candidate = estimated("Candidate", named, "points", "named")
    of_win = estimated("difference", "difference of win shares", "points")
    columns = ("players", card_column(data), PHASE, of_win, _VERDICT)
    n = Column("n", "n", "seats that had the card and are compared", "count")

    def drawing(label: str) -> Draw:
        return dots("card_words", label, by="election", reference=0)

    yield MeasureTable(
        "worth-dealt",
        "In hand: who was dealt the card, against the others",
        "Win share of the seats that were dealt a copy for the phase, less that of the "
        "seats of the same deal that were dealt none and hold another card instead.",
        columns,
        rows=drawn.rows,
        draw=drawing("win share, holders less the others, %"),
        n=n,
    )
    yield MeasureTable(
        "worth-hand",
        "In hand, or discarded: the same deals twice",
        f"{_TRIED} stays in hand; in the other it is discarded, and the hand is one "
        "card smaller. So a card is compared with no card, and with a turn less.",
        (*columns, candidate),
        rows=hand.rows,
        draw=drawing("win share, with the card less without, %"),
        n=n,
    )
    yield MeasureTable(
        "worth-self",
        "On oneself, or discarded: the same deals twice",
        f"{_TRIED} lies on that player at once, without a turn (a Style replaces "
        "theirs); in the other it is discarded. The hand is one card smaller in both. "
        "What lies on a player may be removed or replaced later.",
        (*columns, candidate),
        rows=lying.rows,
        draw=drawing("win share, on oneself less without it, %"),
        n=n,
    )
    for comparison in (drawn, hand, lying):
        yield from _findings(data, comparison)
    yield from _styles(data, lying.rows)


def _findings(data: ReportData, compared: _Comparison) -> SectionParts:
    """Name the best and the worst cards of each phase."""
    for phase, words in PHASE_WORDS.items():
        part = simultaneous_intervals(compared.rows.filter(phase=phase))
        part = part.sort("estimate", descending=True)
        if part.height < 2:
            continue
        cards = part.to_dicts()
        most = join_words([_worth_words(data, row) for row in cards[:3]])
        least = join_words([_worth_words(data, row) for row in cards[3:][-3:]])
        counts = {word: part.filter(verdict=word).height for word in _WORDS}
        text = (
            f"{compared.head}, {words}, {data.players} players, {data.who}: "
            f"{compared.best} {most}{least and f'; least {least}'} ({compared.what}). "
            f"Of {part.height} cards, {counts['worth']} gain more than 2 points, "
            f"{counts['harmful']} lose as much, {counts['little']} matter less, "
            f"{counts['undecided']} are undecided."
        )
        tested = how_tested("2 points", "cards", part.height, data.games)
        yield Finding(text, "likely" if counts["undecided"] else "sure", tested=tested)


def _worth_words(data: ReportData, row: Row) -> str:
    return f"{card_words(data, str(row['card']))} {points(row)}"


def _styles(data: ReportData, rows: pl.DataFrame) -> SectionParts:
    """Say which Styles are traps, and which help, as the General begins."""
    part = rows.filter(phase=2)
    part = part.filter([is_style(data, card) for card in part["card"]])
    if part.is_empty():
        return
    names = {word: part.filter(verdict=word)["card"].to_list() for word in _WORDS}
    values = [
        f"{_STYLES[word]} {join_words([card.replace('-', ' ') for card in cards])}"
        for word, cards in names.items()
        if cards
    ]
    text = (
        f"Styles on oneself as the General begins, {data.players} players, "
        f"{data.who}: {'; '.join(values)}."
    )
    tested = how_tested("2 points", "Styles", part.height, data.games)
    yield Finding(text, "likely" if names["undecided"] else "sure", tested=tested)


_STYLES = {
    "worth": "worth more than 2 points:",
    "harmful": "traps, which lose more than 2 points:",
    "little": "hardly matter:",
    "undecided": "undecided:",
}


SECTION = ReportSection(
    section,
    card_worth.MEASURES,
    counts=card_worth.counts,
    records=("hands",),
    id="worth",
    title="What each card and Style is worth",
    question="How many wins does each card bring to the player who has it?",
    what_ifs=(what_ifs.TRIALS,),
)
