"""Spells: their time, success and worth; and Hastur, who counters them."""

import polars as pl

from reports.bounded_claims import RowsClaim
from reports.evilpact import spell_counterfactuals
from reports.evilpact.game_arrays import tables
from reports.evilpact.labels import KEPT, SPELL
from reports.figure_specs import dots, lines
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number, VerdictColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData

_MIN_GAMES = 100  # behind a number; rounds with fewer are left out
_ONCE = "times it is cast in the caster's own turn, by both players"
_LEAD = "elements led, less the opponent's: after the cast, less before"
_CASTS, _HOW = MeasuresOf("casts"), MeasuresOf("casts", by="spell source")
_COULD = "spells cast that the opponent's Hastur could counter"
_SO, _ANSWERS = "spells that Hastur could counter, and does", MeasuresOf("answers")
MEASURES = (
    _CASTS.per_game("casts by spell and round", _ONCE, by="spell round"),
    _HOW.share("upper casts", "casts at the upper level", "upper"),
    _HOW.share("succeeded", "casts that are not countered", pl.col("countered") == 0),
    _HOW.mean("lead gained", _LEAD, "gain"),
    _CASTS.share("could be countered by spell", _COULD, "counterable", by="spell"),
    _ANSWERS.share("countered by spell", _SO, "answered", by="spell"),
)


CAST = MeasureTable(
    "spells-worth",
    "What casting is worth: cast against kept, on the same deals",
    "{lead} against itself. Each game is played twice: the second time a seat keeps "
    "the spell at the moment at which it first cast it (or lets pass what it first "
    "answered with Hastur). All else is equal, and it may cast the spell later. So "
    "this is what the moment is worth to players who cast when it seems to pay, not "
    "what the card is worth.",
    (
        KEPT,
        Number("won_more", "win share"),
        VerdictColumn(
            0.02,
            "2 points",
            {"above": "worth it", "below": "harmful", "within": "little"},
        ),
        Number("cast later", "cast later", name="cast later"),
    ),
    paired=True,
    where=pl.col("se").is_not_null(),
    rows=lambda rows: rows.sort("estimate", descending=True),
    draw=dots("kept", "win share, cast less kept, %", reference=0),
)


def _intro(data: ReportData) -> str:
    """Return which spells Hastur counters by these rules, in answer."""
    lists, needed = data.rules["counter_list"].values(), data.rules["thresholds"]
    low, high = (", ".join(names) or "nothing" for names in lists)
    return (
        f"With {data.who}. Hastur is cast only in answer: with {needed[0]} power of "
        f"his element he counters spells of {low}; with {needed[1]}, or under "
        f"contract, of {high}."
    )


SECTION = ReportSection(
    id="spells",
    title="Spells",
    question="When is each spell cast and countered, and what is that worth?",
    intro=_intro,
    measures=MEASURES,
    tidy=tables,
    records=("counter", "effect", "spell"),
    tables=(
        MeasureTable(
            "spells-rounds",
            "When each spell is cast",
            "In the caster's own turn, from the hand or under contract.",
            (SPELL, "round", Number("casts by spell and round", "times a game")),
            draw=lines("round", "times a game, both players", by="the spell"),
        ),
        MeasureTable(
            "spells-success",
            "What each spell does",
            "The lead is the number of elements in which the caster has more power, "
            "less those in which the opponent has; gained is what the spell changes at "
            "once. Cthulhu takes spells, which no lead shows.",
            (
                SPELL,
                "source",
                Number("succeeded", "not countered"),
                Number("upper casts", "upper level", name="upper"),
                Number("lead gained", "lead gained", name="gain"),
            ),
            draw=dots("the spell", "lead gained, elements", "gain", by="source"),
        ),
        CAST,
        MeasureTable(
            "spells-worth-rounds",
            "What casting is worth, by the round in which the spell is first cast",
            f"As above, from {_MIN_GAMES} games on. Rounds also differ by who casts "
            "then.",
            (KEPT, "round", Number("won_more by round", "win share")),
            paired=True,
            where=pl.col("n") >= _MIN_GAMES,
            draw=lines("round", "cast less kept, %", by="kept", reference=0),
        ),
        MeasureTable(
            "counters-spells",
            "Spells that could be countered, and those that are",
            "",
            (
                SPELL,
                Number("could be countered by spell", "could be", "share of its casts"),
                Number("countered by spell", "is, where it could be", name="does"),
            ),
            draw=dots("the spell", "countered where it could be, %", "does"),
        ),
        MeasureTable(
            "counters-worth",
            "What a counter is worth: countered against let pass, on the same deals",
            "{lead} against itself. In the second game the seat lets pass the first "
            "spell that it would counter; it may use Hastur later.",
            (SPELL, Number("won_more by spell countered", "win share")),
            paired=True,
            where=pl.col("low").is_not_null(),
            draw=dots("the spell", "countered less let pass, %", reference=0),
        ),
    ),
    claims=(
        RowsClaim(
            "Worth of a spell, {lead} against itself, points of win share with its "
            "first cast less those with keeping it at that moment (it may be cast "
            "later), on the same deals",
            CAST,
            "kept",
            {"above": "worth more than 2 points", "below": "costs as much"},
            many=7,
        ),
    ),
    what_ifs=(spell_counterfactuals.SPELLS,),
)
