"""Insight and Turbidity cards: which are taken, and what taking one is worth."""

from reports.bounded_claims import RowsClaim
from reports.evilpact import spell_counterfactuals
from reports.evilpact.game_arrays import tables
from reports.evilpact.labels import CARD
from reports.evilpact.spell_counterfactuals import EVERY
from reports.figure_specs import dots
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number, VerdictColumn
from reports.measures import MeasuresOf

_TOOK = "choices with one in the Explore Area at which one is taken"
_TURNED = "Insight cards that lie sideways as soon as they are taken"
_CARD_WORTH = "win share if it is taken, less that if another card is"
_PICKS = MeasuresOf("picks", by="card")
MEASURES = (
    _PICKS.share("taken", _TOOK, "taken"),
    _PICKS.share("sideways at once", _TURNED, "sideways", "insight"),
    MeasuresOf("options", "card", "pp").mean(
        "worth of card", _CARD_WORTH, "more", "others"
    ),
)
WORTH = MeasureTable(
    "grimoires-worth",
    "What taking a card is worth, against another card of the same choice",
    f"In every {EVERY}th game each choice of the first round of the second half is "
    "tried with every card on offer; what follows is played by the same strategies on "
    "the same chance. n: pairs of cards compared.",
    (CARD, Number("worth of card", "win share"), VerdictColumn(0.02, "2 points", {})),
    draw=dots("kind", "win share, less another card, %", reference=0),
)
SECTION = ReportSection(
    id="grimoires",
    title="Insight and Turbidity",
    question="Which cards are taken, and what is each worth?",
    intro="With {who}. The icons, when Insight acts, and which elements Turbidity "
    "cards have are assumed; see the section on what is assumed.",
    measures=MEASURES,
    tidy=tables,
    records=("acquire",),
    tables=(
        MeasureTable(
            "grimoires-taken",
            "Which cards are taken",
            "Of the choices in turns 1 to 4; the additional card is not a choice.",
            (
                CARD,
                Number("taken", "taken"),
                Number("sideways at once", "sideways at once", name="sideways"),
            ),
            draw=dots("kind", "taken when on offer, %"),
        ),
        WORTH,
    ),
    claims=(
        RowsClaim(
            "Worth of a card, {who}, points of win share with it less those with "
            "another card of the same choice, on the same deals",
            WORTH,
            "kind",
            {"above": "gain", "below": "loss"},
        ),
    ),
    what_ifs=(spell_counterfactuals.CHOICES,),
)
