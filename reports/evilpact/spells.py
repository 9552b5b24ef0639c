"""Spells: their use, time, success and worth; and Hastur, who counters them."""

import polars as pl

from reports.evilpact import spell_counterfactuals
from reports.evilpact.game_arrays import tables
from reports.evilpact.labels import KEPT, SPELL, what_words
from reports.figure_specs import bars, dots, lines
from reports.formatting import join, join_words, number, points, renamed, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.verdicts import how_tested, with_verdict

_MIN_GAMES = 100  # behind a number; rounds with fewer are left out
TOLERANCE = 0.02
"""A spell that changes the win share by less than 2 points makes little difference."""
_ONCE = "times it is cast in the caster's own turn, by both players"
_LEAD = "elements led, less the opponent's: after the cast, less before"
_PAIRED = pl.col("kind") == "paired"
_CASTS, _HOW = MeasuresOf("casts"), MeasuresOf("casts", by="spell source")
MEASURES = (
    MeasuresOf("fates", by="spell fate").share(
        "fate of spells", "what becomes of each spell", "so"
    ),
    _CASTS.per_game("casts", "spells cast in the caster's own turn, by both players"),
    _CASTS.per_game("casts by spell", _ONCE, by="spell"),
    _CASTS.per_game("casts by spell and round", _ONCE, by="spell round"),
    _HOW.share("upper casts", "casts at the upper level", "upper"),
    _HOW.share("succeeded", "casts that are not countered", pl.col("countered") == 0),
    _HOW.mean("round of casts", "round in which it is cast", "round"),
    _HOW.mean("targets", "cards excluded, lost, flipped or turned", "targets"),
    _HOW.mean("lead gained", _LEAD, "gain"),
)


def section(data: ReportData) -> SectionParts:
    """Yield what becomes of spells, when they are cast, and what they are worth."""
    yield (
        f"With {data.who}. Hastur is cast only in answer: see the section on counters."
    )
    yield MeasureTable(
        "spells-fates",
        "What becomes of each spell",
        "Of the five spells of each seat.",
        (SPELL, "fate", Number("fate of spells", "share")),
        draw=bars("the spell", "share of the spells, %", "fate"),
    )
    yield MeasureTable(
        "spells-rounds",
        "When each spell is cast",
        "In the caster's own turn, from the hand or under contract.",
        (SPELL, "round", Number("casts by spell and round", "times a game")),
        draw=lines("round", "times a game, both players", by="the spell"),
    )
    yield MeasureTable(
        "spells-success",
        "What each spell does",
        "The lead is the number of elements in which the caster has more power, less "
        "those in which the opponent has; gained is what the spell changes at once. "
        "Cthulhu takes spells, which no lead shows.",
        (
            SPELL,
            "source",
            Number("succeeded", "not countered"),
            Number("round of casts", "round", name="round"),
            Number("upper casts", "upper level", name="upper"),
            Number("targets", "targets", name="targets"),
            Number("lead gained", "lead gained", name="gain"),
        ),
        draw=dots("the spell", "lead gained, elements", "gain", by="source"),
    )
    casts = data.leading("casts by spell").sort("estimate", descending=True)
    if casts.is_empty():
        yield Finding("Spells: none is cast.", "")
        return
    total = data.leading("casts").row(0, named=True)
    every = casts.to_dicts()
    texts = [f"{row['spell'].capitalize()} {number(row)}" for row in every]
    yield Finding(
        f"Spells, {data.who}: {number(total)} are cast in a game besides Hastur: "
        f"{join_words(texts)}.",
        "",
    )
    yield from _worth(data)


_VERDICTS = {
    "worth it": "worth more than 2 points",
    "little": "within 2 points of nothing",
    "harmful": "costs more than 2 points",
    "undecided": "undecided against 2 points",
}
_SIDES = {"above": "worth it", "below": "harmful", "within": "little"}


def _worth(data: ReportData) -> SectionParts:
    """Yield what casting is worth, where games were paired."""
    rows = data.pooled("won_more", ("what",), only=_PAIRED)
    for name in ("lost_more", "elements_more", "cast later"):
        more = renamed(data.pooled(name, ("what",), only=_PAIRED), ("what",), name)
        rows = join(rows, more, ("what",))
    rows = rows.drop_nulls("se").sort("estimate", descending=True)
    rows = with_verdict(rows, TOLERANCE, _SIDES)
    if rows.is_empty():
        return
    yield MeasureTable(
        "spells-worth",
        "What casting is worth: cast against kept, on the same deals",
        f"{data.lead} against itself. Each game is played twice: the second time a "
        "seat keeps the spell at the moment at which it first cast it (or lets pass "
        "what it first answered with Hastur). All else is equal, and it may cast the "
        "spell later. So this is what the moment is worth to players who cast when it "
        "seems to pay, not what the card is worth.",
        (
            KEPT,
            Number("won_more", "win share"),
            Column("verdict", "2 points", "against 2 points; Holm over the rows, 95 %"),
            Number("lost_more", "games lost", name="lost_more"),
            Number("elements_more", "elements", name="elements_more"),
            Number("cast later", "cast later", name="cast later"),
        ),
        rows=rows,
        draw=dots("kept", "win share, cast less kept, %", reference=0),
    )
    by_round = data.pooled("won_more by round", ("what", "round"), only=_PAIRED)
    yield MeasureTable(
        "spells-worth-rounds",
        "What casting is worth, by the round in which the spell is first cast",
        f"As above, from {_MIN_GAMES} games on. Rounds also differ by who casts then.",
        (KEPT, "round", Number("won_more by round", "win share")),
        rows=by_round.filter(pl.col("n") >= _MIN_GAMES),
        draw=lines("round", "cast less kept, %", by="kept", reference=0),
    )
    groups = {
        words: simultaneous_intervals(rows).filter(verdict=v)
        for v, words in _VERDICTS.items()
    }
    parts = [f"{words}: {_each(part)}" for words, part in groups.items() if len(part)]
    sure = "undecided" not in rows["verdict"]
    yield Finding(
        f"Worth of a spell, {data.lead} against itself, points of win share with its "
        "first cast less those with keeping it at that moment (it may be cast later), "
        f"on the same deals: {'; '.join(parts)}.",
        "sure" if sure else "open",
        tested=how_tested("2 points", "spells", rows.height, data.games),
    )
    last = pl.col("round") == data.rules["rounds"]
    times = data.raw("won_more by round").filter(_PAIRED).with_columns(last=last)
    times = data.pool_rows(times, ("what", "last"), "mean").drop_nulls("se")
    before, late = (_each(times.filter(last=when)) for when in (False, True))
    yield Finding(
        "Worth of a spell by time, in the same games: first cast before the last "
        f"round {before or 'no data'}; in the last round {late or 'no data'}. Below 0, "
        "keeping the spell gained more.",
        "",
    )


def _each(rows: pl.DataFrame) -> str:
    """Return what is kept, and what casting it is worth, in words."""
    every = rows.to_dicts()
    return join_words([f"{what_words(row['what'])} {points(row)}" for row in every])


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("counter", "effect", "lose", "seal", "spell"),
    id="spells",
    title="Spells",
    question="When is each spell cast, and what is casting it worth?",
    what_ifs=(spell_counterfactuals.SPELLS,),
)


# --- Hastur: chances to counter, counters, and what they are worth ---

_COULD = "spells cast that the opponent's Hastur could counter"
_SO, _ANSWERS = "spells that Hastur could counter, and does", MeasuresOf("answers")
_OF_HASTUR = (
    _CASTS.share("could be countered", _COULD, "counterable"),
    _CASTS.share("could be countered by spell", _COULD, "counterable", by="spell"),
    _ANSWERS.share("countered", _SO, "answered"),
    _ANSWERS.share("countered by spell", _SO, "answered", by="spell"),
    _ANSWERS.share("countered by round", _SO, "answered", by="round"),
)


def counters(data: ReportData) -> SectionParts:
    """Yield chances to counter, counters, and what they are worth."""
    lists, needed = data.rules["counter_list"].values(), data.rules["thresholds"]
    low, high = (", ".join(names) or "nothing" for names in lists)
    worth = data.pooled("won_more by spell countered", ("spell",), only=_PAIRED)
    worth = worth.drop_nulls("low").sort("estimate", descending=True)
    yield (
        f"With {data.who}. With {needed[0]} power of his element Hastur counters "
        f"spells of {low}; with {needed[1]}, or under contract, of {high}."
    )
    names = "could be countered", "countered"
    answers = [data.leading(name).drop_nulls("estimate") for name in names]
    if any(rows.is_empty() for rows in answers):
        yield Finding("Counters: Hastur could never counter.", "")
        return
    yield MeasureTable(
        "counters-spells",
        "Spells that could be countered, and those that are",
        "",
        (
            SPELL,
            Number("could be countered by spell", "could be", "share of its casts"),
            Number("countered by spell", "is, where it could be", name="does"),
        ),
        draw=dots("the spell", "countered where it could be, %", "does"),
    )
    yield MeasureTable(
        "counters-rounds",
        "Counters by round",
        "Of the spells that Hastur could counter.",
        ("round", Number("countered by round", "countered")),
        draw=dots("round", "countered where possible, %"),
    )
    could, does = (share(rows.row(0, named=True)) for rows in answers)
    text = (
        f"Counters, {data.who}: Hastur could counter {could} of the spells, and "
        f"counters {does} of these."
    )
    if worth.height:
        yield MeasureTable(
            "counters-worth",
            "What a counter is worth: countered against let pass, on the same deals",
            f"{data.lead} against itself. In the second game the seat lets pass the "
            "first spell that it would counter; it may use Hastur later.",
            (SPELL, Number("won_more by spell countered", "win share")),
            rows=worth,
            draw=dots("the spell", "countered less let pass, %", reference=0),
        )
        every = worth.to_dicts()
        texts = [f"against {row['spell'].capitalize()} {points(row)}" for row in every]
        text += (
            " Points of win share with countering less those with letting pass, on the "
            f"same deals: {', '.join(texts)}."
        )
    yield Finding(text, "")


COUNTERS = ReportSection(
    counters,
    _OF_HASTUR,
    tables,
    records=("counter", "effect", "spell"),
    id="counters",
    title="Hastur's counters",
    question="Which spells are countered, and what is a counter worth?",
    what_ifs=(spell_counterfactuals.SPELLS,),
)
