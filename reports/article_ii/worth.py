"""What each card is worth: in hand, and lying on oneself.

Two comparisons that chance made, not the players. Dealt: the win share of the seats
that were dealt a card less that of the other seats of the same deal. Tried: the same
deal played twice, once with a card of the hand and once with it discarded (see
``trials``): it stays in the hand, or lies on the player as the phase begins.
"""

import numpy as np
import polars as pl

from reports.article_ii.played import PHASE_WORDS, PHASES, Played
from reports.article_ii.words import (
    CARD,
    PHASE,
    card_words,
    is_style,
    phase_words,
    texts,
    with_cards,
)
from reports.drawing import dots
from reports.found import Found
from reports.grids import grid
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge
from reports.words import PLAYERS, Row, estimated, exhibit, listed, points

TOLERANCE = 0.02
"""A card that changes the win share by less than 2 points makes little difference."""
_PARTS = 6  # whole numbers when shared among 1, 2 or 3 seats
_FORMULA = (
    "in a deal: mean of won over the seats that were dealt the card - mean of won over "
    "the seats that were not; summed over deals, weighted by the seats that hold it"
)
_VERDICT = Column(
    "verdict", "2 points", "worth or harmful: surely by more than 2 points of win "
    "share; little: surely by less; Holm over the cards of a phase",
)  # fmt: skip


def grids(played: Played) -> list[pl.DataFrame]:
    """Wins of who was dealt each card less those of the others in the same deal."""
    if not played.alone:
        return []
    won = played.victory.astype(np.int64)
    total, seats = won.sum(axis=0), np.arange(1, played.players)
    shares = np.zeros(played.players + 1, dtype=np.int64)
    shares[1 : played.players] = _PARTS // seats
    more, many = [], []
    for hands in played.hands:
        for copies in played.cards.values():
            holds = (hands & copies) != 0
            count = holds.sum(axis=0)
            part = shares[played.players - count]  # of each seat without it
            mine = (won * holds).sum(axis=0)
            fits = (count > 0) & (count < played.players)
            more.append((_PARTS * mine - count * (total - mine) * part) * fits)
            many.append(_PARTS * count * fits)
    shape = (2, len(played.cards), played.size)
    return [
        grid(
            "dealt", np.array(more).reshape(shape), np.array(many).reshape(shape),
            phase=PHASES, card=list(played.cards),
        )
    ]  # fmt: skip


def dealt(found: Found, players: int, only: pl.Expr | None = None) -> pl.DataFrame:
    """Win share of who was dealt a card less the others'; by phase and card."""
    who = found.leads() if only is None else only
    rows = found.of("dealt", "mean", ("phase", "card"), only=who)
    rows = rows.filter(players=players).with_columns(pl.col("n") / _PARTS)
    return _judged(found, rows)


def tried(found: Found, lying: bool) -> pl.DataFrame:
    """Win share with a card less that without it, on the same deals."""
    rows = found.raw("won_more", ("phase", "lying", "card"))
    rows = rows.filter(lying=int(lying), kind="tried")
    return _judged(found, found.together(rows, ("players", "phase", "card")))


def _judged(found: Found, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with verdicts for each phase, and in words; the best first."""
    parts = []
    for part in rows.drop_nulls("estimate").partition_by("phase", maintain_order=True):
        told = judge(part["estimate"], part["se"], -TOLERANCE, TOLERANCE)
        above = (part["estimate"] > 0).to_list()
        words = [
            {"within": "little", "undecided": "undecided"}.get(
                one, "worth" if up else "harmful"
            )
            for one, up in zip(told, above, strict=True)
        ]
        parts.append(part.with_columns(verdict=texts(words)))
    rows = pl.concat(parts) if parts else rows.clear().with_columns(verdict=texts([]))
    best = rows.group_by("card").agg(pl.col("estimate").mean().alias("best"))
    rows = rows.join(best, on="card", how="left").sort(
        ["best", "card", "phase"], descending=[True, False, False]
    )
    return phase_words(with_cards(found, rows))


def section(found: Found) -> Section:
    """Cards in hand and on oneself."""
    hand, lying = tried(found, False), tried(found, True)
    drawn = dealt(found, found.players)
    return Section(
        "worth",
        "What each card and Style is worth",
        f"With {found.who}, {found.players} players. Whether a player has a card is "
        "drawn by chance in all of these tables, so the difference is the card's doing "
        "(in the hands of these strategies), not a matter of who chooses to play it. "
        "Numbers behind a card are Electability and Affiliation.",
        (
            _exhibit(
                "worth-dealt", "In hand: who was dealt the card, against the others",
                "Win share of the seats that were dealt the card, less that of the "
                "other seats of the same deal. A card is compared with an average "
                "card here.", drawn, "win share, holders less the others, %", _FORMULA,
            ),
            _exhibit(
                "worth-hand", "In hand, or one card less: the same deals twice",
                "A card of the hand, drawn by chance, is kept or discarded as the "
                "phase begins; all else is the same. A card is compared with no card "
                "here.", hand, "win share, with the card less without, %",
            ),
            _exhibit(
                "worth-self", "On oneself, or one card less: the same deals twice",
                "A card of the hand, drawn by chance, lies on the player as the phase "
                "begins, or is discarded; all else is the same. It may be covered or "
                "removed later.", lying, "win share, on oneself less without it, %",
            ),
        ),
        (
            *_findings(found, drawn, "Cards dealt", "In hand it is worth most to be "
                       "dealt", "win share against the other seats of the same deal"),
            *_findings(found, hand, "Cards kept", "It is worth most to keep", "win "
                       "share with the card against a hand without it, same deals"),
            *_findings(found, lying, "Cards on oneself", "It is best to begin with "
                       "this lying on oneself:", "win share against a discarded card, "
                       "same deals"),
            *_styles(found, lying),
        ),
    )  # fmt: skip


def _exhibit(
    name: str,
    title: str,
    note: str,
    rows: pl.DataFrame,
    label: str,
    formula: str | None = None,
) -> Exhibit:
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
            Column("n", "n", "seats that had the card and are compared", "count"),
        ),
        dots("card_words", label, by="election", reference=0),
        formula,
    )


def _findings(
    found: Found, rows: pl.DataFrame, head: str, best: str, what: str
) -> tuple[Finding, ...]:
    """The best and the worst cards of each phase."""
    told = []
    for phase, words in PHASE_WORDS.items():
        part = rows.filter(phase=phase).sort("estimate", descending=True)
        if part.height < 2:
            continue
        several = part.rows(named=True)
        most = listed([_said(found, row) for row in several[:3]])
        least = listed([_said(found, row) for row in several[3:][-3:]])
        text = f"{head}, {words}, {found.players} players, {found.who}: {best} {most}"
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
        told.append(Finding(text, sure, "worth"))  # type: ignore[arg-type]
    return tuple(told)


def _said(found: Found, row: Row) -> str:
    return f"{card_words(found, str(row['card']))} {points(row)}"


def _styles(found: Found, rows: pl.DataFrame) -> tuple[Finding, ...]:
    """Which Styles are traps, and which help, as the General begins."""
    part = rows.filter(phase=2)
    part = part.filter([is_style(found, card) for card in part["card"]])
    if part.is_empty():
        return ()
    names = {
        word: [row["card"].replace("-", " ") for row in part.rows(named=True)
               if row["verdict"] == word]
        for word in ("worth", "harmful", "little", "undecided")
    }  # fmt: skip
    told = [f"{_STYLES[word]} {listed(some)}" for word, some in names.items() if some]
    text = (
        f"Styles on oneself as the General begins, {found.players} players, "
        f"{found.who}: {'; '.join(told)}."
    )
    return (Finding(text, "likely" if names["undecided"] else "sure", "worth"),)


_STYLES = {
    "worth": "surely worth more than 2 points:",
    "harmful": "traps, surely 2 points or more lost:",
    "little": "hardly matter:",
    "undecided": "undecided:",
}
