"""Both decks side by side: the leading strategy with the updated and the original."""

import polars as pl

from reports.article_ii import takethat, tension, worth
from reports.article_ii.words import texts
from reports.drawing import dots
from reports.found import Found
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge, overall, sure
from reports.words import (
    PLAYERS,
    N,
    Row,
    estimated,
    exhibit,
    listed,
    named,
    percent,
    plus,
    share,
)

TOLERANCE = 0.02
"""Shares that differ by less than 2 points are much the same."""
NAMES = ("updated", "original")
_KEYS = ("players", "what")
_Z = 1.96
_INDEPENDENT = (
    "original less updated; interval: the games of the two decks are independent"
)
_SHARES = {
    "a Candidate ahead as the General begins wins": ("won by standing", "standing", 0),
    "rank 1 of the Primary wins": ("won by rank", "rank", 1),
    "rank 2 of the Primary wins": ("won by rank", "rank", 2),
    "Spoilers win": ("ended", "by", "Spoilers"),
    "nobody wins": ("ended", "by", "nobody"),
    "hits on the leader in the General, of hits": ("leader hit", "phase", 2),
    "decided by a kingmaker, of games that one player wins": (
        "decided by", "decider", takethat.DECIDERS.index("a kingmaker"),
    ),
}  # fmt: skip
_COMPARED = Column(
    "verdict", "2 points", "same: surely less than 2 points apart; differs: surely "
    "more; Holm over the rows of a number of players",
)  # fmt: skip


def cells(found: Found) -> dict[str, pl.Expr]:
    """Which cells are of each deck."""
    beside = {
        name: (pl.col("kind") == "beside") & (pl.col("changes") == f"deck={name}")
        for name in NAMES
    }
    return {**beside, str(found.rules["deck"]): found.leads()}


def section(found: Found) -> Section:
    """Shares, correlations and cards of both decks."""
    rows = _compared(found)
    return Section(
        "decks",
        "Both decks side by side",
        f"With {found.who}, and the same with the other printed deck. The original "
        "deck has no Styles and no Unaffiliated Activity, and more of some cards.",
        (_shares(found, rows), _correlations(found), _cards(found)),
        tuple(_finding(found, rows, players) for players in found.counts),
    )


def _compared(found: Found) -> pl.DataFrame:
    """A row a share and number of players: both decks, and the difference."""
    decks, parts = cells(found), []
    for what, (measure, by, value) in _SHARES.items():
        both = [
            named(
                found.of(measure, "rate", (by,), only=decks[name])
                .filter(pl.col(by) == value)
                .with_columns(what=pl.lit(what)),
                _KEYS,
                name,
            )
            for name in NAMES
        ]
        parts.append(both[0].join(both[1], on=_KEYS, how="inner"))
    rows = _difference(pl.concat(parts))
    told: list[str] = []
    groups = rows.partition_by("players", maintain_order=True)
    for part in groups:
        told += judge(part["more"], part["more_se"], -TOLERANCE, TOLERANCE)
    words = {"within": "same", "outside": "differs", "undecided": "undecided"}
    rows = pl.concat(groups) if groups else rows
    return rows.with_columns(verdict=texts([words[one] for one in told]))


def _difference(rows: pl.DataFrame) -> pl.DataFrame:
    """Original less updated."""
    one, other = NAMES
    se = (pl.col(f"{one}_se") ** 2 + pl.col(f"{other}_se") ** 2).sqrt()
    rows = rows.with_columns(more=pl.col(other) - pl.col(one), more_se=se)
    return rows.with_columns(
        more_low=pl.col("more") - _Z * pl.col("more_se"),
        more_high=pl.col("more") + _Z * pl.col("more_se"),
        where=pl.format("{}, {} players", "what", "players"),
        n=pl.min_horizontal(f"{one}_n", f"{other}_n"),
    ).sort("players", maintain_order=True)


def _shares(found: Found, rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "decks-shares",
        "What differs between the decks",
        f"Shares of all games where nothing else is said. The figure shows "
        f"{found.players} players.",
        rows,
        (
            PLAYERS,
            Column("what", "what", "what is counted"),
            *(estimated(name, f"with the {name} deck", "share", name)
              for name in NAMES),
            estimated("difference", "original less updated", "points", "more"),
            _COMPARED,
            Column("n", "n", "count behind the share of the deck with fewer", "count"),
        ),
        dots(
            "what", "original less updated, %", "more", reference=0,
            only=pl.col("players") == found.players,
        ),
        _INDEPENDENT,
    )  # fmt: skip


def _correlations(found: Found) -> Exhibit:
    """Tension of the elections with both decks."""
    parts = [
        tension.correlations(found, name, only).with_columns(
            deck=pl.lit(deck), totals=pl.lit(name)
        )
        for name in tension.PAIRS
        for deck, only in cells(found).items()
    ]
    rows = pl.concat(parts).with_columns(
        where=pl.format("{}, {} players", "totals", "players")
    )
    return exhibit(
        "decks-correlation",
        "Primary against General with both decks",
        "Correlation of the totals over seats; see the section on it.",
        rows.sort("players", "totals", maintain_order=True),
        (
            PLAYERS,
            Column("deck", "deck", "which deck"),
            Column("totals", "totals", "which totals are compared"),
            estimated("correlation", "Pearson's correlation over seats"),
            N,
        ),
        dots("where", "correlation over seats", by="deck", reference=0),
    )


def _cards(found: Found) -> Exhibit:
    """What it is worth to be dealt each card of both decks."""
    parts = [
        worth.dealt(found, found.players, only).with_columns(
            deck=pl.lit(deck),
            where=pl.format("{}, {}", "card_words", pl.lit(deck)),
        )
        for deck, only in cells(found).items()
    ]
    rows = pl.concat(parts)
    common = rows.group_by("card").agg(pl.col("deck").n_unique().alias("decks"))
    rows = rows.join(common, on="card", how="left").filter(pl.col("decks") > 1)
    rows = rows.sort("phase", "card", "deck", descending=[False, False, True])
    return exhibit(
        "decks-cards",
        "The cards of both decks: who was dealt one, against the others",
        f"Win share of the seats that were dealt the card, less that of the other "
        f"seats of the same deal; {found.players} players. The figure shows the cards "
        "dealt for the General.",
        rows,
        (
            worth.CARD,
            worth.PHASE,
            Column("deck", "deck", "which deck"),
            estimated("difference", "difference of win shares", "points"),
            Column("verdict", "2 points", "as in the section on what cards are worth"),
            Column("n", "n", "seats that were dealt the card", "count"),
        ),
        dots(
            "card_words", "win share, holders less the others, %", by="deck",
            reference=0, only=pl.col("phase") == 2,
        ),
    )  # fmt: skip


def _finding(found: Found, rows: pl.DataFrame, players: int) -> Finding:
    part = rows.filter(players=players)
    if part.is_empty():
        text = f"Decks, {players} players: the other deck was not played."
        return Finding(text, "open", "decks")
    several = part.rows(named=True)
    apart = [_said(row) for row in several if row["verdict"] == "differs"]
    open_ = sum(row["verdict"] == "undecided" for row in several)
    same = sum(row["verdict"] == "same" for row in several)
    text = f"Decks, {players} players, {found.who}: "
    text += (
        f"the original deck surely differs by more than 2 points in {listed(apart)}; "
        if apart else "nothing surely differs by more than 2 points; "
    )  # fmt: skip
    text += f"of {len(several)} shares {same} are the same, {open_} undecided."
    verdict = "outside" if apart else overall(["undecided"] if open_ else ["within"])
    return Finding(text, sure(verdict), "decks")


def _said(row: Row) -> str:
    return (
        f"{row['what']} ({share(row, 'original')} against "
        f"{percent(row['updated'])}: {plus(row['more'])} points)"
    )
