"""What each card is worth: tables, figures and findings (see ``worth``)."""

import polars as pl

from reports.article_ii import worth
from reports.article_ii.formatting import CARD, PHASE, card_words, is_style
from reports.article_ii.played import PHASE_WORDS
from reports.drawing import dots
from reports.formatting import PLAYERS, Row, estimated, exhibit, listed, points
from reports.game_report import ReportSection
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData

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
_NAMED = "the same of becoming a Candidate, for cards of the Primary"
_VERDICT = Column(
    "verdict",
    "2 points",
    "worth or harmful: surely by more than 2 points of win "
    "share; little: surely by less; Holm over the cards of a phase",
)


def section(data: ReportData) -> Section:
    """Cards in hand and on oneself."""
    hand, lying = worth.tried(data, False), worth.tried(data, True)
    drawn = worth.dealt(data, data.players)
    return Section(
        "worth",
        "What each card and Style is worth",
        f"With {data.who}, {data.players} players. Whether a player has a card is "
        "drawn by chance in all of these tables, so the difference is the card's doing "
        "(in the hands of these strategies), not a matter of who chooses to play it. "
        "Numbers behind a card are Electability and Affiliation. A win is one's own "
        "alone. Verdicts are about 2 points of win share.",
        (
            _exhibit(
                "worth-dealt",
                "In hand: who was dealt the card, against the others",
                "Win share of the seats that were dealt a copy for the phase, less "
                "that of the seats of the same deal that were dealt none: they hold "
                "another card instead.",
                drawn,
                "win share, holders less the others, %",
                _FORMULA,
            ),
            _exhibit(
                "worth-hand",
                "In hand, or discarded: the same deals twice",
                f"{_TRIED} stays in his hand; in the other it is discarded, and his "
                "hand is one card smaller. So a card is compared with none, and with a "
                "turn less.",
                hand,
                "win share, with the card less without, %",
            ),
            _exhibit(
                "worth-self",
                "On oneself, or discarded: the same deals twice",
                f"{_TRIED} lies on him at once, without a turn (a Style replaces his); "
                "in the other it is discarded. His hand is one card smaller in both. "
                "What lies on him may be removed or replaced later.",
                lying,
                "win share, on oneself less without it, %",
            ),
        ),
        (
            *_findings(
                data,
                drawn,
                "Cards dealt",
                "In hand it is worth most to be dealt",
                "win share against the other seats of the same deal",
            ),
            *_findings(
                data,
                hand,
                "Cards kept",
                "It is worth most to keep",
                "win share with the card against a hand without it, same deals",
            ),
            *_findings(
                data,
                lying,
                "Cards on oneself",
                "It is best to begin with this lying on oneself:",
                "win share against a discarded card, same deals",
            ),
            *_styles(data, lying),
        ),
    )


def _exhibit(
    name: str,
    title: str,
    note: str,
    rows: pl.DataFrame,
    label: str,
    formula: str | None = None,
) -> Exhibit:
    more = (
        [estimated("Candidate", _NAMED, "points", "named")]
        if "named" in rows.columns
        else []
    )
    return exhibit(
        name,
        title,
        note,
        rows,
        (
            PLAYERS,
            CARD,
            PHASE,
            estimated("difference", "difference of win shares", "points"),
            _VERDICT,
            *more,
            Column("n", "n", "seats that had the card and are compared", "count"),
        ),
        dots("card_words", label, by="election", reference=0),
        formula,
    )


def _findings(
    data: ReportData, rows: pl.DataFrame, head: str, best: str, what: str
) -> tuple[Finding, ...]:
    """The best and the worst cards of each phase."""
    values = []
    for phase, words in PHASE_WORDS.items():
        part = rows.filter(phase=phase).sort("estimate", descending=True)
        if part.height < 2:
            continue
        several = part.rows(named=True)
        most = listed([_said(data, row) for row in several[:3]])
        least = listed([_said(data, row) for row in several[3:][-3:]])
        text = f"{head}, {words}, {data.players} players, {data.who}: {best} {most}"
        text += f"; least {least}" if least else ""
        counts = {
            word: part.filter(verdict=word).height
            for word in ("worth", "harmful", "little", "undecided")
        }
        text += (
            f" ({what}). Of {part.height} cards {counts['worth']} surely gain more "
            f"than 2 points, {counts['harmful']} surely lose as much, "
            f"{counts['little']} matter less, {counts['undecided']} are undecided."
        )
        sure = "likely" if counts["undecided"] else "sure"
        values.append(Finding(text, sure, "worth"))  # type: ignore[arg-type]
    return tuple(values)


def _said(data: ReportData, row: Row) -> str:
    return f"{card_words(data, str(row['card']))} {points(row)}"


def _styles(data: ReportData, rows: pl.DataFrame) -> tuple[Finding, ...]:
    """Which Styles are traps, and which help, as the General begins."""
    part = rows.filter(phase=2)
    part = part.filter([is_style(data, card) for card in part["card"]])
    if part.is_empty():
        return ()
    names = {
        word: [
            row["card"].replace("-", " ")
            for row in part.rows(named=True)
            if row["verdict"] == word
        ]
        for word in ("worth", "harmful", "little", "undecided")
    }
    values = [f"{_STYLES[word]} {listed(some)}" for word, some in names.items() if some]
    text = (
        f"Styles on oneself as the General begins, {data.players} players, "
        f"{data.who}: {'; '.join(values)}."
    )
    return (Finding(text, "likely" if names["undecided"] else "sure", "worth"),)


_STYLES = {
    "worth": "surely worth more than 2 points:",
    "harmful": "traps, surely 2 points or more lost:",
    "little": "hardly matter:",
    "undecided": "undecided:",
}


SECTION = ReportSection(section, worth.MEASURES, counts=worth.counts)
