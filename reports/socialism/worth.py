"""What each User and Action is worth: drawn, and played, against without.

Drawn: chance draws a card of each opening hand, and the same deal is played with it and
with it discarded (``sim.socialism.trial``). Played: at one turn the game is played on
with each card of the hand, by the same chance; a card's worth is how often he wins with
it, less the mean of his other cards.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.drawing import dots
from reports.formatting import listed, points, share
from reports.game_report import About, Raw, ReportSection, Tables, WhatIfs
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.selected import at_once
from reports.socialism.length import beside
from reports.socialism.played import Read
from reports.statistics.equivalence import judge
from reports.tabled import Number, tabled

TOLERANCE = 0.02
"""A card that changes the win share by less than 2 points makes little difference."""
ROUND = 5
"""The round in whose first turn cards are tried: hands are mixed, the board is full."""
PARTS = 4  # experiments on deals; more make intervals smaller
_WHOLE = 60  # a mean of up to six other cards is a whole number of these

MEASURES = (
    Measure("played", "games won if this card is played less if another one of the "
            "hand is", "mean", "played", pl.col("more"), pl.lit(_WHOLE), by=("card",),
            unit="pp"),
    Measure("deciding plays", "turns in which the card played decides who wins",
            "share", "turns", pl.col("decides")),
)  # fmt: skip
DRAWN = Measure(
    "drawn", "games won with the card in the opening hand less without, on the same "
    "deals", "mean", "trials", pl.col("more"), by=("card",), unit="pp",
)  # fmt: skip


def pairs(raw: Raw, other: Raw, about: About) -> Tables:
    """A row a game and seat of which a card was drawn: 1 if only with it he wins."""
    table = raw["trial"]
    keys, seat = ("game", "seat"), pl.col("seat").cast(pl.Int64)
    won = [
        one["result"].select(
            *keys, (pl.col("winner").cast(pl.Int64) == seat).alias(name)
        )
        for one, name in ((raw, "here"), (other, "there"))
    ]
    for part in won:
        table = table.join(part, on=keys, how="left", maintain_order="left")
    apart = pl.col("here").cast(pl.Int64) - pl.col("there").cast(pl.Int64)
    sign = pl.when(pl.col("has")).then(1).otherwise(-1)
    return {"trials": table.select("game", "card", more=apart * sign)}


def branching(_: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """The plays that are tried: by who began, in the first turn of a round."""
    wanted = {"first": ("play",), "then": ()}
    return tuple(
        {**wanted, "when": ("turn", players * (ROUND - 1) + 1), "players": (players,)}
        for players in (2, 3, 4, 5)
    )


def tables(read: Read) -> Tables:
    """A row a card that was tried, where there was another; a row a turn tried."""
    raw, about = read
    tried = raw.get("branching", pl.DataFrame())
    if tried.is_empty():
        kinds = {"game": pl.UInt64, "card": pl.String, "more": pl.Int64}
        none = pl.DataFrame(schema={**kinds, "decides": pl.Int64})
        return {"played": none, "turns": none}
    ids = np.array(about["vocabularies"]["card"])
    number = np.log2(tried["option"].to_numpy().astype(np.float64)).astype(np.int64)
    won, all_won = pl.col("won").cast(pl.Int64), pl.col("won").sum().over("game")
    cards = pl.len().over("game").cast(pl.Int64)
    rest = (all_won.cast(pl.Int64) - won) * (_WHOLE / (cards - 1))
    rows = tried.with_columns(pl.Series("card", ids[number], dtype=pl.String))
    more = rows.filter(cards > 1).select(
        "game", "card", more=won * _WHOLE - rest.round().cast(pl.Int64)
    )
    turns = rows.group_by("game", maintain_order=True).agg(
        decides=(pl.col("won").n_unique() > 1).cast(pl.Int64)
    )
    return {"played": more, "turns": turns}


def section(data: ReportData) -> Section:
    """Each card, by what it changes."""
    deciding, tried = data.leading("deciding plays"), pl.col("kind") == "tried"
    drawn = _judged(data.pooled("drawn", ("card",), only=tried))
    played = _judged(data.leading("played", players=data.players))
    exhibits = (
        _exhibit(
            data, "drawn", "In the opening hand, against without",
            "Chance draws a card of each hand, which stays or is discarded: so the "
            "other hand has a card less, and all cards can be worth something.", drawn,
        ),
        _exhibit(
            data, "played", "Played, against another card of the hand",
            f"In the first turn of round {ROUND}, each card of the hand is played "
            "in turn; intervals are wide where few hands have the card.", played,
        ),
        tabled(
            data, "worth-decides", "How often the card played decides",
            "Turns tried in which he wins with some cards of his hand, and not with "
            "others.", ("players", Number("deciding plays", "turns")), rows=deciding,
        ),
    )  # fmt: skip
    return Section(
        "worth",
        "What each card is worth",
        f"With {data.who}. Both comparisons are of the same games with one thing "
        "changed; afterwards all play on as they do. A strategy that played a card "
        "better would make it worth more.",
        exhibits if drawn.height else exhibits[1:],
        tuple(_findings(data, drawn, played, deciding)),
    )


def _judged(rows: pl.DataFrame) -> pl.DataFrame:
    """The best first, with verdicts; one family: the cards."""
    rows = rows.drop_nulls("estimate").sort(
        "estimate", "card", descending=[True, False]
    )
    told = judge(rows["estimate"], rows["se"], -TOLERANCE, TOLERANCE)
    words = [
        {"within": "little", "undecided": "undecided"}.get(
            one, "gains" if value > 0 else "costs"
        )
        for one, value in zip(told, rows["estimate"], strict=True)
    ]
    return rows.with_columns(pl.Series("verdict", words, dtype=pl.String))


def _exhibit(
    data: ReportData, measure: str, title: str, note: str, rows: pl.DataFrame
) -> Exhibit:
    verdict = Column("verdict", "verdict", "against 2 points; Holm over the cards")
    return tabled(
        data, f"worth-{measure}", title, f"{data.players} players. {note}",
        ("card", Number(measure, "win share"), verdict), rows=rows,
        draw=dots("card", "win share, percentage points", reference=0),
    )  # fmt: skip


def _findings(
    data: ReportData, drawn: pl.DataFrame, played: pl.DataFrame, deciding: pl.DataFrame
) -> Iterator[Finding]:
    head = f"{data.players} players, {data.who}"
    for rows, what in (
        (drawn, "in the opening hand, against without"),
        (played, f"played in round {ROUND}, against another card of the hand"),
    ):
        for word, most in (("gains", "wins more by"), ("costs", "wins less by")):
            known = at_once(rows).filter(verdict=word)
            texts = [f"{one['card']} {points(one)}" for one in known.rows(named=True)]
            if texts:
                text = f"Worth, {head}: who has {what}, {most} more than 2 points with "
                text = f"{text}{listed(texts)}."
                yield Finding(text, "sure", "worth")
        if rows.is_empty():
            yield Finding(f"Worth, {head}, {what}: no data.", "open", "worth")
    values = [
        f"{share(row)} with {row['players']} players"
        for row in deciding.rows(named=True)
    ]
    text = f"The card played in the first turn of round {ROUND} decides whether he "
    text += f"wins in {listed(values) or 'no data'} of the games, {data.who}."
    yield Finding(text, "" if values else "open", "worth")


SECTION = ReportSection(section, MEASURES, tables)
WHAT_IFS = WhatIfs(
    beside=beside,
    trials=lambda _: tuple({"part": part} for part in range(1, PARTS + 1)),
    otherwise=branching,
    pairs=pairs,
    measures=(DRAWN,),
    records=("result", "trial"),
)
