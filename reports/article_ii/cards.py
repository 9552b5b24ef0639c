"""What each card is worth: tables, figures and findings (see ``worth``)."""

from dataclasses import dataclass

import polars as pl

from reports.article_ii import worth
from reports.article_ii.formatting import PHASE, card_column, card_words, is_style
from reports.article_ii.played import PHASE_WORDS
from reports.drawing import Draw, dots
from reports.formatting import Row, estimated, listed, points
from reports.game_report import Parts, ReportSection, Shown
from reports.page import Column, Finding, Section
from reports.report_data import ReportData
from reports.selected import at_once
from reports.tabled import Table
from reports.verdicts import how_tested

_FORMULA = (
    "in a deal: mean of won over the seats that were dealt the card - mean of won over "
    "the seats that were not; summed over deals, weighted by the seats that hold it"
)
_TRIED = (
    "Of every hand, as the phase is dealt, a card is drawn by chance (of half the "
    "hands that hold Styles, a Style), and the deal is played twice. For each player a "
    "coin tells in which of the two games he has it, so the others' drawn cards change "
    "too, as likely one way as the other; nothing else does. In the game in which he "
    "has it, it"
)
_VERDICT = Column(
    "verdict",
    "2 points",
    "worth or harmful: surely by more than 2 points of win share; little: surely by "
    "less; Holm over the cards of a phase",
)
_WORDS = ("worth", "harmful", "little", "undecided")


@dataclass(frozen=True)
class _Comparison:
    """Of seats with a card and without: the rows, and what is said of them."""

    rows: pl.DataFrame
    head: str
    best: str
    what: str


def section(data: ReportData) -> Shown:
    """Cards in hand and on oneself."""
    drawn = _Comparison(
        worth.dealt(data, data.players),
        "Cards dealt",
        "In hand it is worth most to be dealt",
        "win share against the other seats of the same deal",
    )
    hand = _Comparison(
        worth.tried(data, False),
        "Cards kept",
        "It is worth most to keep",
        "win share with the card against a hand without it, same deals",
    )
    lying = _Comparison(
        worth.tried(data, True),
        "Cards on oneself",
        "It is best to begin with this lying on oneself:",
        "win share against a discarded card, same deals",
    )
    yield Section(
        "worth",
        "What each card and Style is worth",
        f"With {data.who}, {data.players} players. Whether a player has a card is "
        "drawn by chance in all of these tables, so the difference is the card's doing "
        "(in the hands of these strategies), not a matter of who chooses to play it. "
        "Numbers behind a card are Electability and Affiliation. A win is one's own "
        "alone. Verdicts are about 2 points of win share.",
    )
    named = "the same of becoming a Candidate, for cards of the Primary"
    candidate = estimated("Candidate", named, "points", "named")
    of_win = estimated("difference", "difference of win shares", "points")
    columns = ("players", card_column(data), PHASE, of_win, _VERDICT)
    n = Column("n", "n", "seats that had the card and are compared", "count")

    def drawing(label: str) -> Draw:
        return dots("card_words", label, by="election", reference=0)

    yield Table(
        "worth-dealt",
        "In hand: who was dealt the card, against the others",
        "Win share of the seats that were dealt a copy for the phase, less that of the "
        "seats of the same deal that were dealt none: they hold another card instead.",
        columns,
        rows=drawn.rows,
        draw=drawing("win share, holders less the others, %"),
        formula=_FORMULA,
        n=n,
    )
    yield Table(
        "worth-hand",
        "In hand, or discarded: the same deals twice",
        f"{_TRIED} stays in his hand; in the other it is discarded, and his hand is "
        "one card smaller. So a card is compared with none, and with a turn less.",
        (*columns, candidate),
        rows=hand.rows,
        draw=drawing("win share, with the card less without, %"),
        n=n,
    )
    yield Table(
        "worth-self",
        "On oneself, or discarded: the same deals twice",
        f"{_TRIED} lies on him at once, without a turn (a Style replaces his); in the "
        "other it is discarded. His hand is one card smaller in both. What lies on him "
        "may be removed or replaced later.",
        (*columns, candidate),
        rows=lying.rows,
        draw=drawing("win share, on oneself less without it, %"),
        n=n,
    )
    for comparison in (drawn, hand, lying):
        yield from _findings(data, comparison)
    yield from _styles(data, lying.rows)


def _findings(data: ReportData, compared: _Comparison) -> Parts:
    """The best and the worst cards of each phase."""
    for phase, words in PHASE_WORDS.items():
        part = at_once(compared.rows.filter(phase=phase))
        part = part.sort("estimate", descending=True)
        if part.height < 2:
            continue
        several = part.rows(named=True)
        most = listed([_said(data, row) for row in several[:3]])
        least = listed([_said(data, row) for row in several[3:][-3:]])
        many = {word: part.filter(verdict=word).height for word in _WORDS}
        text = (
            f"{compared.head}, {words}, {data.players} players, {data.who}: "
            f"{compared.best} {most}{least and f'; least {least}'} ({compared.what}). "
            f"Of {part.height} cards {many['worth']} surely gain more than 2 points, "
            f"{many['harmful']} surely lose as much, {many['little']} matter less, "
            f"{many['undecided']} are undecided."
        )
        how = how_tested("2 points", "cards", part.height, data.games)
        yield Finding(text, "likely" if many["undecided"] else "sure", tested=how)


def _said(data: ReportData, row: Row) -> str:
    return f"{card_words(data, str(row['card']))} {points(row)}"


def _styles(data: ReportData, rows: pl.DataFrame) -> Parts:
    """Which Styles are traps, and which help, as the General begins."""
    part = rows.filter(phase=2)
    part = part.filter([is_style(data, card) for card in part["card"]])
    if part.is_empty():
        return
    names = {word: part.filter(verdict=word)["card"].to_list() for word in _WORDS}
    values = [
        f"{_STYLES[word]} {listed([card.replace('-', ' ') for card in cards])}"
        for word, cards in names.items()
        if cards
    ]
    text = (
        f"Styles on oneself as the General begins, {data.players} players, "
        f"{data.who}: {'; '.join(values)}."
    )
    how = how_tested("2 points", "Styles", part.height, data.games)
    yield Finding(text, "likely" if names["undecided"] else "sure", tested=how)


_STYLES = {
    "worth": "surely worth more than 2 points:",
    "harmful": "traps, surely 2 points or more lost:",
    "little": "hardly matter:",
    "undecided": "undecided:",
}


SECTION = ReportSection(
    section, worth.MEASURES, counts=worth.counts, records=("hands",)
)
