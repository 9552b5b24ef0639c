"""Insight and Turbidity cards: when they are taken, and what taking one is worth."""

import polars as pl

from reports.drawing import bars, dots, lines
from reports.evilpact.formatting import card_words, share, shown
from reports.evilpact.pairs import EVERY
from reports.evilpact.played import tables
from reports.formatting import listed, points
from reports.formatting import share as told
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge
from reports.tabled import Number
from reports.verdicts import how_tested

_TOOK = "choices at which one lies in the Explore Area, and one is taken"
_COUNTS = "Turbidity cards that count for this element when they are taken"
_DECIDES = "cards for which another card of the same choice ends otherwise"
_TAKEN, _OTHERS, _LOST = pl.col("taken"), pl.col("others"), pl.col("won") == 0
_MORE = pl.col("won") * _OTHERS - pl.col("others_won")
_DIFFER = pl.when(_LOST).then(pl.col("others_won")).otherwise(
    _OTHERS - pl.col("others_won")
) > 0  # fmt: skip
MEASURES = (
    share("taken", _TOOK, "picks", _TAKEN, "card"),
    share("taken by turn", _TOOK, "picks", _TAKEN, "card", "turn"),
    Measure("sideways at once", "Insight cards taken that lie sideways at once",
            "share", "picks", pl.col("sideways"), pl.col("insight"), by=("card",)),
    share("Turbidity counts for", _COUNTS, "turbidity", pl.col("chosen"), "pair",
          "element"),
    Measure("worth of card", "win share: it is taken, less another card", "mean",
            "options", _MORE, _OTHERS, by=("card",), unit="pp"),
    share("decisive picks", _DECIDES, "options", _DIFFER, "turn"),
)  # fmt: skip


def section(data: ReportData) -> Section:
    """What is taken, what lies sideways, what Turbidity counts for, and worth."""
    exhibits = (
        shown(
            data, "grimoires-taken", "Which cards are taken",
            "Of the choices in turns 1 to 4; the additional card is no choice.", "card",
            Number("taken", "taken"),
            Number("sideways at once", "sideways at once", name="sideways"),
            draw=dots("kind", "taken where one lies there, %"),
        ),
        shown(
            data, "grimoires-turns", "Which cards are taken, by turn of the round", "",
            "card", "turn", Number("taken by turn", "taken"),
            draw=lines("turn", "taken where one lies there, %", by="kind"),
        ),
        shown(
            data, "grimoires-turbidity", "What Turbidity cards count for when taken",
            "Nyarlathotep may change that later.", "pair", "element",
            Number("Turbidity counts for", "share"),
            draw=bars("pair", "share of the cards, %", "element"),
        ),
        shown(
            data, "grimoires-worth",
            "What taking a card is worth, against another card of the same choice",
            f"In every {EVERY}th game each choice of the first round of the second "
            "half is tried with every card that lies there; what follows is played by "
            "the same strategies with the same chance. n: pairs of cards compared.",
            "card", Number("worth of card", "win share"),
            draw=dots("kind", "win share, less another card, %", reference=0),
        ),
        shown(
            data, "grimoires-decisive", "Choices of a card that decide who wins",
            "Of the cards tried: those for which another one ends otherwise.", "turn",
            Number("decisive picks", "decides"), draw=dots("turn", "share, %"),
        ),
    )  # fmt: skip
    return Section(
        "grimoires",
        "Insight and Turbidity",
        "What the icons are, when Insight acts, and which elements Turbidity cards "
        "have is assumed; see the first section.",
        exhibits,
        _findings(data),
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    taken, turned, worth = (
        data.leading(name).drop_nulls("low").drop_nans("low").rows(named=True)
        for name in ("taken", "sideways at once", "worth of card")
    )
    texts = [f"{card_words(row['card'])} {told(row)}" for row in taken]
    text = (
        f"Insight and Turbidity, {data.who}: where such a card lies at a choice, it is "
        f"taken: {', '.join(texts)}."
    )
    insight = [row for row in turned if row["card"].startswith("i")]
    ways = [f"{told(row)} of the {card_words(row['card'])} cards" for row in insight]
    text += f" At once sideways lie {listed(ways)} that are taken." if ways else ""
    found = [Finding(text, "", "grimoires")]
    if worth:
        texts = [f"{card_words(row['card'])} {points(row)}" for row in worth]
        more, se = ([row[name] for row in worth] for name in ("estimate", "se"))
        surely = "outside" in judge(more, se, 0.0, 0.0)
        text = (
            f"Worth of a card, {data.who}, points of win share with it less those "
            "with another card of the same choice, tried on the same deals: "
            f"{', '.join(texts)}."
        )
        how = how_tested("from nothing", "cards", len(worth), data.games)
        found.append(
            Finding(text, "likely" if surely else "open", "grimoires", tested=how)
        )
    return tuple(found)


SECTION = ReportSection(section, MEASURES, tables)
