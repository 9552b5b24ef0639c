"""Cards: which win tricks, and what a Priest and each Devil are worth."""

import polars as pl

from reports.kunitame.found import Found
from reports.kunitame.words import (
    PLAYERS,
    N,
    estimated,
    exhibit,
    judge,
    listed,
    number,
    share,
)
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section

MEASURES = [
    Measure("gained by priests", "weeks", pl.col("gained"), by=("priests",)),
    Measure("tricks by priests", "weeks", pl.col("tricks"), by=("priests",)),
    Measure("edge of a Priest", "weeks", pl.col("edge"), pl.col("spread")),
]
_CARD = Column("card", "card", "suit's initial and rank; D Devil, P Priest")


def section(found: Found) -> Section:
    """Win rates of cards; Priests and Devils in points."""
    return Section(
        "cards",
        "Cards",
        f"Lineup: {found.lead}, {found.players} players where not said otherwise.",
        (
            _heat(found, "cards-dealt", "won when dealt", "Tricks won by a card, of the times it was dealt"),
            _heat(found, "cards-led", "won when led", "Tricks won by a card, of the times it was led"),
            _priests(found),
            _devils(found),
        ),
        _findings(found),
    )  # fmt: skip


def _heat(found: Found, name: str, measure: str, title: str) -> Exhibit:
    rows = _placed(found, found.leading(measure, "rate", ("card",), players=found.players))
    return exhibit(
        name,
        title,
        "Cards are dealt at random, so this is the card's doing and its players'; a card "
        "is led by choice. Devils: of the times drawn. A card dealt may stay unplayed "
        "where Devils were drawn.",
        rows,
        (_CARD, estimated("won", "share of the times that it won the trick", "share"), N),
        lambda figures, table: figures.heat(
            table, "rank", "suit", "estimate", unit="%", title=title
        ),
    )


def _placed(found: Found, rows: pl.DataFrame) -> pl.DataFrame:
    """Cards in the order of suits and ranks, which they get as columns."""
    suits = {suit[0].upper(): suit for suit in found.rules["suits"]}
    suits |= {"D": "Devil", "P": "Priest"}
    cards = rows["card"].to_list()
    order = list(suits)
    return rows.with_columns(
        pl.Series("suit", [suits[card[0]] for card in cards], dtype=pl.String),
        pl.Series("rank", [int(card[1:] or 0) for card in cards], dtype=pl.Int64),
        pl.Series("at", [order.index(card[0]) for card in cards], dtype=pl.Int64),
    ).sort("rank", "at").drop("at")


def _priests(found: Found) -> Exhibit:
    rows = found.leading("gained by priests", "mean", ("priests",))
    tricks = found.leading("tricks by priests", "mean", ("priests",)).select(
        "cell", "priests", tricks="estimate", tricks_low="low", tricks_high="high"
    )
    rows = rows.join(tricks, on=["cell", "priests"], how="left", maintain_order="left")
    return exhibit(
        "cards-priests",
        "What Priests are worth: points won in a week, by Priests dealt",
        "Cards are dealt at random, so the difference is the Priests' doing. A Priest of "
        "one seat is one less for the others.",
        rows,
        (
            PLAYERS,
            Column("priests", "Priests", "dealt to the seat that week", "count"),
            estimated("points", "mean points won in the week, less those given back"),
            estimated("tricks", "mean tricks won in the week", name="tricks"),
            N,
        ),
        lambda figures, table: figures.dots(
            table, "priests", "estimate", "low", "high", by="players",
            title="Points won in a week, by Priests dealt", xlabel="points a week",
        ),
        "worth of one more Priest (finding) = sum over seats of (points - table's mean) * "
        "(Priests - table's mean) / sum of (Priests - table's mean)**2",
    )  # fmt: skip


def devils(found: Found) -> pl.DataFrame:
    """What each Devil is worth where just one was drawn, all weeks together."""
    rows = found.raw("week_more by Devil", ("devil",)).filter(pl.col("changes") == "contract_limit=1")
    return found.together(rows, ("strategy_declining", "devil")).filter(
        pl.col("devil") != "several"
    )


def _devils(found: Found) -> Exhibit:
    rows = devils(found)
    ranks = pl.col("devil").str.slice(1).cast(pl.Int64, strict=False)
    rows = rows.with_columns(rank=ranks).sort("rank")
    tricks = found.raw("tricks_more by Devil", ("devil",)).filter(pl.col("changes") == "contract_limit=1")
    tricks = found.together(tricks, ("strategy_declining", "devil")).select(
        "strategy_declining", "devil", tricks="estimate", tricks_low="low", tricks_high="high"
    )
    rows = rows.join(
        tricks, on=["strategy_declining", "devil"], how="left", maintain_order="left"
    )
    verdict = judge(rows["estimate"], rows["se"], 0.0, 0.0)
    words = ["differs from 0" if v == "outside" else "" for v in verdict]
    return exhibit(
        "cards-devils",
        "What each Devil is worth, with a contract of one gem",
        "The same deals with and without the contract, all weeks, with at most one gem on "
        "contracts. It is the Devil with the play for the contract that comes with it; "
        "the Life gem is not in it. Compare Devils with one another rather than with 0.",
        rows.with_columns(pl.Series("verdict", words, dtype=pl.String)),
        (
            Column("strategy_declining", "strategy", "who plays, at a table of its own kind"),
            Column("devil", "Devil", "the card drawn"),
            estimated("points", "points won in the week, with the contract less without"),
            estimated("tricks", "tricks won in the week, with less without", name="tricks"),
            Column("verdict", "verdict", "Holm over the rows, 95 %"),
            N,
        ),
        lambda figures, table: figures.dots(
            table, "devil", "estimate", "low", "high", reference=0, by="strategy_declining",
            title="Points in the week with a contract of one gem, less without, by Devil drawn",
            xlabel="points",
        ),
    )  # fmt: skip


def _findings(found: Found) -> tuple[Finding, ...]:
    edge = found.leading("edge of a Priest", "mean", players=found.players)
    edge = edge.filter(pl.col("estimate").is_not_null())
    texts = []
    if edge.height:
        row = edge.row(0, named=True)
        texts.append(
            f"one more Priest than the others at the table is worth {number(row)} points a week"
        )
    won = found.leading("won when dealt", "rate", ("card",), players=found.players)
    won = won.filter(pl.col("estimate").is_not_null()).sort("estimate")
    if won.height:
        best, worst = won.row(-1, named=True), won.row(0, named=True)
        texts.append(
            f"{best['card']} wins a trick {share(best)} of the times it is dealt, "
            f"{worst['card']} {share(worst)}"
        )
    if not texts:
        return (Finding("Cards: no data.", "open", "cards"),)
    text = f"Cards, {found.players} players: {listed(texts)} (lineup {found.lead})."
    return (Finding(text, "sure", "cards"),)
