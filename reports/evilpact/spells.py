"""Spells: their use, time, success and worth; and Hastur, who counters them."""

import numpy as np
import polars as pl

from reports.counts import Counts, grid
from reports.drawing import bars, dots, lines
from reports.evilpact.formatting import FATES, share, shown, what_words
from reports.evilpact.played import PlayedGames, tables
from reports.formatting import joined, listed, named, number, points
from reports.formatting import share as told
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.selected import at_once
from reports.statistics.equivalence import judge
from reports.tabled import Number

TOLERANCE = 0.02
"""A spell that changes the win share by less than 2 points makes little difference."""
_CAST, _HOW = "times it is cast in one's own turn, by both", ("spell", "source")
_LEAD = "elements led, less the other's: after, less before"
_KEPT = pl.col("kind") == "paired"

MEASURES = (
    Measure("fate of spells", "what becomes of a seat's spell", "share",
            by=("spell", "fate")),
    Measure("casts", "spells cast in one's own turns, by both", "per game", "casts"),
    Measure("casts by spell", _CAST, "per game", "casts", by=("spell",)),
    Measure("casts by spell and round", _CAST, "per game", "casts",
            by=("spell", "round")),
    share("upper casts", "casts at the upper level", "casts", pl.col("upper"), *_HOW),
    share("succeeded", "casts that are not countered", "casts",
          pl.col("countered") == 0, *_HOW),
    *(
        Measure(name, doc, "mean", "casts", pl.col(value).cast(pl.Int64), by=_HOW)
        for name, doc, value in (
            ("round of casts", "round in which it is cast", "round"),
            ("targets", "cards excluded, lost, flipped or turned", "targets"),
            ("lead gained", _LEAD, "gain"),
        )
    ),
)  # fmt: skip


def counts(played: PlayedGames) -> list[Counts]:
    """What becomes of the two copies of each spell that a game has."""
    spells, rows = list(played.rules["spell_element"]), played.fates
    code = [
        rows[name].replace_strict(words, range(len(words)), return_dtype=pl.Int64)
        for name, words in (("spell", spells), ("fate", list(FATES)))
    ]
    shape = (len(spells), len(FATES), played.size)
    at = np.ravel_multi_index(
        (*(one.to_numpy() for one in code), played.at(rows)), shape
    )
    found = np.bincount(at, minlength=int(np.prod(shape))).reshape(shape)
    copies = np.full(shape, 2)
    return [grid("fate of spells", found, copies, spell=spells, fate=FATES)]


def section(data: ReportData) -> Section:
    """What becomes of spells, when, with what success, and what they are worth."""
    worth = worths(data)
    fates = shown(
        data, "spells-fates", "What becomes of each spell",
        "Of the five spells of each seat.", "spell", "fate",
        Number("fate of spells", "share"),
        draw=bars("the spell", "share of the spells, %", "fate"),
    )  # fmt: skip
    rounds = shown(
        data, "spells-rounds", "When each spell is cast",
        "In one's own turns, from the hand or under contract.", "spell", "round",
        Number("casts by spell and round", "times a game"),
        draw=lines("round", "times a game, both players", by="the spell"),
    )  # fmt: skip
    success = shown(
        data, "spells-success", "What each spell does",
        "The lead is the number of elements in which the caster has more power, less "
        "that in which the other has; gained is what the spell changes at once. "
        "Cthulhu takes spells, which no lead shows.", "spell", "source",
        Number("succeeded", "not countered"),
        Number("round of casts", "round", name="round"),
        Number("upper casts", "upper level", name="upper"),
        Number("targets", "targets", name="targets"),
        Number("lead gained", "lead gained", name="gain"),
        draw=dots("the spell", "lead gained, elements", "gain", by="source"),
    )  # fmt: skip
    return Section(
        "spells",
        "Spells",
        "Hastur is cast in answer only: see the section on him.",
        (fates, rounds, success, *(_worth(data, worth) if worth.height else ())),
        _findings(data, worth),
    )


def worths(data: ReportData) -> pl.DataFrame:
    """Cast less kept, on the same deals, for each spell, with verdicts."""
    rows = data.pooled("won_more", ("what",), only=_KEPT)
    for name in ("lost_more", "elements_more", "cast later"):
        more = named(data.pooled(name, ("what",), only=_KEPT), ("what",), name)
        rows = joined(rows, more, ("what",))
    rows = rows.drop_nulls("se").sort("estimate", descending=True)
    words = {"within": "little", "undecided": "undecided"}
    sure = judge(rows["estimate"], rows["se"], -TOLERANCE, TOLERANCE)
    verdicts = [
        words.get(verdict, "worth it" if more > 0 else "harmful")
        for verdict, more in zip(sure, rows["estimate"], strict=True)
    ]
    return rows.with_columns(pl.Series("verdict", verdicts, dtype=pl.String))


def _worth(data: ReportData, rows: pl.DataFrame) -> tuple[Exhibit, Exhibit]:
    note = (
        "allround against itself. Each game is played twice: in the second one a seat "
        "keeps the spell at the moment at which it first casts it (or lets pass what "
        "it first answers with Hastur). All else is the same, and it may cast it "
        "later. So this is what the moment is worth to who casts when that seems to "
        "pay, not what the card is worth."
    )
    by_round = data.pooled("won_more by round", ("what", "round"), only=_KEPT)
    few = 100
    return (
        shown(
            data, "spells-worth",
            "What casting is worth: cast against kept, on the same deals", note, "what",
            Number("won_more", "win share"),
            Column("verdict", "2 points", "against 2 points; Holm over the rows, 95 %"),
            Number("lost_more", "games lost", name="lost_more"),
            Number("elements_more", "elements", name="elements_more"),
            Number("cast later", "cast later", name="cast later"), rows=rows,
            draw=dots("kept", "win share, cast less kept, %", reference=0),
        ),
        shown(
            data, "spells-worth-rounds",
            "What casting is worth, by the round in which the spell is first cast",
            f"As above, from {few} games on. Rounds differ by who casts then, too.",
            "what", "round", Number("won_more by round", "win share"),
            rows=by_round.filter(pl.col("n") >= few),
            draw=lines("round", "cast less kept, %", by="kept", reference=0),
        ),
    )  # fmt: skip


def _findings(data: ReportData, worth: pl.DataFrame) -> tuple[Finding, ...]:
    casts = data.leading("casts by spell").sort("estimate", descending=True)
    if casts.is_empty():
        return (Finding("Spells: none is cast.", "", "spells"),)
    total = data.leading("casts").row(0, named=True)
    texts = [
        f"{row['spell'].capitalize()} {number(row)}" for row in casts.rows(named=True)
    ]
    text = (
        f"Spells, {data.who}: {number(total)} are cast in a game besides Hastur: "
        f"{listed(texts)}."
    )
    found = [Finding(text, "", "spells")]
    parts = {
        words: [
            f"{what_words(row['what'])} {points(row)}"
            for row in at_once(worth).filter(verdict=verdict).rows(named=True)
        ]
        for verdict, words in _VERDICTS.items()
    }
    if worth.height:
        told = [f"{words}: {listed(some)}" for words, some in parts.items() if some]
        text = (
            "Worth of a spell, allround against itself, points of win share when it "
            "is first cast less those of keeping it just then (it may be cast later), "
            f"on the same deals: {'; '.join(told)}."
        )
        sure = "undecided" not in worth["verdict"]
        found.append(Finding(text, "sure" if sure else "open", "spells"))
        found.append(Finding(_last_round(data), "", "spells"))
    return tuple(found)


def _last_round(data: ReportData) -> str:
    """What casting is worth in the last round, and before it, in words."""
    last = pl.col("round") == data.rules["rounds"]
    rows = data.raw("won_more by round").filter(_KEPT).with_columns(last=last)
    rows = data.together(rows, ("what", "last"), "mean").drop_nulls("se")
    before, then = (
        ", ".join(
            f"{what_words(row['what'])} {points(row)}"
            for row in rows.filter(last=when).rows(named=True)
        )
        for when in (False, True)
    )
    return (
        "Worth of a spell by time, the same: where it is first cast before the last "
        f"round {before or 'no data'}; in the last round {then or 'no data'}. Below "
        "nothing it had better be kept for later."
    )


_VERDICTS = {
    "worth it": "clearly worth it",
    "little": "within 2 points of nothing",
    "harmful": "it costs more than it gains",
    "undecided": "undecided against 2 points",
}
SECTION = ReportSection(section, MEASURES, tables, counts)


# --- Hastur: how often he could counter, does, and what that is worth ---

_CAN, _DOES = pl.col("counterable"), pl.col("answered")
_COULD = "spells cast that the other one's Hastur could counter"
_SO = "spells that Hastur could counter, and does"
_OF_HASTUR = (
    share("could be countered", _COULD, "casts", _CAN),
    share("could be countered by spell", _COULD, "casts", _CAN, "spell"),
    share("countered", _SO, "answers", _DOES),
    share("countered by spell", _SO, "answers", _DOES, "spell"),
    share("countered by round", _SO, "answers", _DOES, "round"),
)  # fmt: skip


def counters(data: ReportData) -> Section:
    """Chances to counter, counters, and their worth."""
    lists, needed = data.rules["counter_list"].values(), data.rules["thresholds"]
    low, high = (", ".join(names) or "nothing" for names in lists)
    worth = data.pooled("won_more by spell countered", ("spell",), only=_KEPT)
    worth = worth.drop_nulls("low").sort("estimate", descending=True)
    exhibits = (
        shown(
            data, "counters-spells",
            "Spells that could be countered, and those that are", "", "spell",
            Number("could be countered by spell", "could be", "share of its casts"),
            Number("countered by spell", "is, where it could be", name="does"),
            draw=dots("the spell", "countered where it could be, %", "does"),
        ),
        shown(
            data, "counters-rounds", "Counters by round",
            "Of the spells that Hastur could counter.", "round",
            Number("countered by round", "countered"),
            draw=dots("round", "countered where possible, %"),
        ),
        shown(
            data, "counters-worth",
            "What a counter is worth: countered against let pass, on the same deals",
            "allround against itself. In the second game the seat lets pass the first "
            "spell that it would counter; it may use Hastur later.", "spell",
            Number("won_more by spell countered", "win share"), rows=worth,
            draw=dots("the spell", "countered less let pass, %", reference=0),
        ),
    )  # fmt: skip
    return Section(
        "counters",
        "Hastur's counters",
        f"With {needed[0]} power of his element Hastur counters spells of {low}; with "
        f"{needed[1]}, or under contract, of {high}.",
        tuple(one for one in exhibits if one.table.height),
        _countered(data, worth),
    )


def _countered(data: ReportData, worth: pl.DataFrame) -> tuple[Finding, ...]:
    names = ("could be countered", "countered")
    rows = [data.leading(name).drop_nulls("estimate") for name in names]
    if any(one.is_empty() for one in rows):
        return (Finding("Counters: Hastur never could.", "", "counters"),)
    could, does = (told(one.row(0, named=True)) for one in rows)
    text = (
        f"Counters, {data.who}: Hastur could counter {could} of the spells, and does "
        f"so with {does} of these."
    )
    if worth.height:
        texts = [
            f"against {row['spell'].capitalize()} {points(row)}"
            for row in worth.rows(named=True)
        ]
        text += (
            " Countering less letting pass changes the win share, on the same deals, "
            f"by so many points: {', '.join(texts)}."
        )
    return (Finding(text, "", "counters"),)


COUNTERS = ReportSection(counters, _OF_HASTUR, tables)
