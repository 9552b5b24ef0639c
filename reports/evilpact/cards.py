"""Insight and Turbidity cards: when they are taken, and what taking one is worth."""

import polars as pl

from reports.evilpact import spell_counterfactuals
from reports.evilpact.game_arrays import tables
from reports.evilpact.labels import CARD, card_words
from reports.evilpact.spell_counterfactuals import EVERY
from reports.figure_specs import bars, dots, lines
from reports.formatting import join_words, points, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.statistics.equivalence import judge
from reports.verdicts import how_tested

_TOOK = "choices with one in the Explore Area at which one is taken"
_TURNED = "Insight cards that lie sideways as soon as they are taken"
_COUNTS = "Turbidity cards that count for this element when they are taken"
_CARD_WORTH = "win share if it is taken, less that if another card is"
_CAST_WORTH = "win share if it is cast, less that with another option"
_DECIDES = "cards tried with which the game ends differently than with others"
_PICKS, _CARD = MeasuresOf("picks", by="card"), pl.col("kind") == "acquire"
_CARDS = MeasuresOf("options", "card", "pp", _CARD)
_SPELLS = MeasuresOf("options", "spell", "pp", ~_CARD)
MEASURES = (
    _PICKS.share("taken", _TOOK, "taken"),
    _PICKS.share("taken by turn", _TOOK, "taken", by="card turn"),
    _PICKS.share("sideways at once", _TURNED, "sideways", "insight"),
    MeasuresOf("turbidity", "pair element").share(
        "Turbidity counts for", _COUNTS, "chosen"
    ),
    _CARDS.mean("worth of card", _CARD_WORTH, "more", "others"),
    _SPELLS.mean("worth of casting", _CAST_WORTH, "more", "others"),
    _CARDS.share("decisive picks", _DECIDES, "decides", by="turn", unit=""),
)


def section(data: ReportData) -> SectionParts:
    """Yield which cards are taken, how they count, and what they are worth."""
    yield (
        f"With {data.who}. The icons, when Insight acts, and which elements Turbidity "
        "cards have are assumed; see the section on what is assumed."
    )
    yield MeasureTable(
        "grimoires-taken",
        "Which cards are taken",
        "Of the choices in turns 1 to 4; the additional card is not a choice.",
        (
            CARD,
            Number("taken", "taken"),
            Number("sideways at once", "sideways at once", name="sideways"),
        ),
        draw=dots("kind", "taken when on offer, %"),
    )
    yield MeasureTable(
        "grimoires-turns",
        "Which cards are taken, by turn of the round",
        "",
        (CARD, "turn", Number("taken by turn", "taken")),
        draw=lines("turn", "taken when on offer, %", by="kind"),
    )
    yield MeasureTable(
        "grimoires-turbidity",
        "What Turbidity cards count for when taken",
        "Nyarlathotep may change that later.",
        ("pair", "element", Number("Turbidity counts for", "share")),
        draw=bars("pair", "share of the cards, %", "element"),
    )
    yield MeasureTable(
        "grimoires-worth",
        "What taking a card is worth, against another card of the same choice",
        f"In every {EVERY}th game each choice of the first round of the second half is "
        "tried with every card on offer; what follows is played by the same "
        "strategies on the same chance. n: pairs of cards compared.",
        (CARD, Number("worth of card", "win share")),
        draw=dots("kind", "win share, less another card, %", reference=0),
    )
    yield MeasureTable(
        "grimoires-decisive",
        "Choices of a card that decide who wins",
        "Cards with which the game ends differently than with others, of all tried.",
        ("turn", Number("decisive picks", "decides")),
        draw=dots("turn", "share, %"),
    )
    yield from _findings(data)


def _findings(data: ReportData) -> SectionParts:
    taken, turned, worth = (
        data.leading(name).drop_nulls("low").drop_nans("low").to_dicts()
        for name in ("taken", "sideways at once", "worth of card")
    )
    texts = [f"{card_words(row['card'])} {share(row)}" for row in taken]
    text = (
        f"Insight and Turbidity, {data.who}: how often such a card is taken when on "
        f"offer: {', '.join(texts)}."
    )
    insight = [row for row in turned if row["card"].startswith("i")]
    ways = [f"{share(row)} of the {card_words(row['card'])} cards" for row in insight]
    text += f" Sideways as soon as taken: {join_words(ways)}." if ways else ""
    yield Finding(text, "")
    if worth:
        texts = [f"{card_words(row['card'])} {points(row)}" for row in worth]
        more, se = ([row[name] for row in worth] for name in ("estimate", "se"))
        some_differ = "outside" in judge(more, se, 0.0, 0.0)
        text = (
            f"Worth of a card, {data.who}, points of win share with it less those "
            "with another card of the same choice, tried on the same deals: "
            f"{', '.join(texts)}."
        )
        tested = how_tested("from nothing", "cards", len(worth), data.games)
        yield Finding(text, "likely" if some_differ else "open", tested=tested)


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("acquire", "element"),
    id="grimoires",
    title="Insight and Turbidity",
    question="Which cards are taken, and what is each worth?",
    what_ifs=(spell_counterfactuals.CHOICES,),
)
