"""What is assumed, and which conclusions survive other values and readings.

The leading strategy plays as many games under every ring of Turbidity cards, the
readings of Insight, other icons, other elements of spells, and the readings of what the
rule text leaves open. Each conclusion is tested under each of them. What spells and
cards are worth is tried there in the round before the last, in few games.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any

import polars as pl

from reports.formatting import exhibit, joined, named
from reports.game_report import Parts, ReportSection, Shown
from reports.page import Column, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge
from reports.tabled import Number

Rules = Mapping[str, Any]
Reading = tuple[str, str, dict[str, Any]]
"""What it is about, the reading in words, and how the rules change."""
BASE = "as assumed"
_EVERY = 41
"""Casts and picks are tried in every so many games."""
_RING = 5  # elements; other numbers have other rings
_NAMED = 2  # readings that a conclusion names; of more there is a table
_INSIGHT = {
    "turn": "Insight by turn",
    "pick_order": "Insight by cards taken in the round",
    "round": "Insight by round",
}
_UP, _SIDE = "power_insight_upright", "power_insight_sideways"
_ICONS: dict[str, dict[str, Any]] = {
    "Turbidity 2 icons": {"power_turbidity": 2},
    "Insight sideways 3": {_SIDE: 3},
    "Insight 2, sideways 3": {_UP: 2, _SIDE: 3},
    "all 2, sideways 3, Turbidity 1": {"power_normal": 2, _UP: 2, _SIDE: 3},
}
_OPEN = (  # the readings that are a switch
    ("E1", "contract_shifts_start"),
    ("E3", "used_contract_checked"),
    ("E4", "contract_hastur"),
    ("E4", "counter_contract"),
)


@dataclass(frozen=True)
class Claim:
    """A conclusion: a number of a measure lies above, or below, an edge."""

    text: str
    head: str
    measure: str
    above: bool
    edge: float
    group: tuple[str, Any] = ("", "")  # a group of the measure, and its value


def claims(rules: Rules) -> tuple[Claim, ...]:
    """The conclusions that are tested under every reading."""
    by, half = "by", ("round", max(rules["rounds"] // 2, 1))
    cast, card = "worth of casting", "worth of card"
    return (
        Claim("in the round before the last, casting Cthulhu gains games", "Cthulhu",
              cast, True, 0.0, ("spell", "cthulhu")),
        Claim("casting Nyarlathotep then costs games", "Nyarlathotep", cast, False, 0.0,
              ("spell", "nyarlathotep")),
        Claim("casting nothing then gains games", "no spell", cast, True, 0.0,
              ("spell", "pass")),
        Claim("taking an Insight (5) then gains games", "Insight (5)", card, True, 0.0,
              ("card", "i5")),
        Claim("who starts round 1 wins less often than the other",
              "starter less other", "starter ahead", False, 0.0),
        Claim("more than 2 in 5 games are decided by elements", "by elements",
              "decided", True, 0.4, (by, "elements")),
        Claim("fewer than 1 in 4 games are decided by a contract", "by contract",
              "decided", False, 0.25, (by, "contract")),
        Claim("fewer than 1 in 8 games are drawn", "draws", "decided", False, 0.125,
              (by, "draw")),
        Claim("more than 4 in 5 contracts are fulfilled", "fulfilled", "fulfilled",
              True, 0.8),
        Claim("more than 3 spells are cast in a game", "spells", "casts", True, 3.0),
        Claim("Hastur counters more than half of what he could", "countered",
              "countered", True, 0.5),
        Claim("the leader changes fewer than 1.5 times in a game", "lead changes",
              "lead changes", False, 1.5),
        Claim("who is ahead at half-time wins more than half of the games",
              "leader wins", "leader wins", True, 0.5, half),
    )  # fmt: skip


def rings(elements: Sequence[str]) -> Iterator[tuple[str, list[list[str]]]]:
    """All rings in which each element is on two cards: of five elements, twelve."""
    first, *rest = elements
    for order in permutations(rest):
        if elements.index(order[0]) < elements.index(order[-1]):
            ring = [first, *order, first]
            yield "-".join(ring[:-1]), [list(pair) for pair in pairwise(ring)]


def readings(rules: Rules) -> list[Reading]:
    """Every other value or reading, of what differs from these rules."""
    found: list[Reading] = []
    if len(rules["elements"]) == _RING:
        now = {frozenset(pair) for pair in rules["turbidity"]}
        found += [
            ("Turbidity", f"ring {words}", {"turbidity": ring})
            for words, ring in rings(rules["elements"])
            if {frozenset(pair) for pair in ring} != now
        ]
    found += [("Insight", words, {"insight_basis": b}) for b, words in _INSIGHT.items()]
    found += [("icons", words, changes) for words, changes in _ICONS.items()]
    one, other, of = "nyarlathotep", "eihort", rules["spell_element"]
    swapped = {**of, one: of[other], other: of[one]}
    words = "elements of Nyarlathotep and Eihort exchanged"
    found.append(("spells", words, {"spell_element": swapped}))
    value = "ignore" if rules["no_contract"] == "fail" else "fail"
    found.append(("E2", f"no_contract = {value}", {"no_contract": value}))
    for number, key in _OPEN:
        text = f"{key} = {str(not rules[key]).lower()}"
        found.append((number, text, {key: not rules[key]}))
    return [one for one in found if {**rules, **one[2]} != dict(rules)]


def beside(rules: Rules) -> tuple[dict[str, Any], ...]:
    """The cells that are played under other rules; and under these, to be tried."""
    before_last = ("round", max(rules["rounds"] - 1, 1))
    tried = {"first": ("cast", "acquire"), "when": before_last, "every": _EVERY}
    return tuple(
        {"changes": changes, "words": words, "players": (2,), "tried": tried}
        for _, words, changes in (("", BASE, {}), *readings(rules))
    )


def pairs(rules: Rules) -> str:
    """The Turbidity cards in words."""
    return ", ".join("/".join(pair) for pair in rules["turbidity"])


def spells(rules: Rules) -> str:
    """The element of each spell in words."""
    of = rules["spell_element"]
    return ", ".join(f"{name.capitalize()} {one}" for name, one in of.items())


def most_power(rules: Rules) -> str:
    """The least and the most that one element can have, without Eihort."""
    last = {"turn": 4, "pick_order": rules["market"], "round": rules["rounds"]}
    icons = rules["power_turbidity"]
    each = icons if isinstance(icons, list) else [icons] * len(rules["turbidity"])
    least = most = rules["normal_per_element"] * rules["power_normal"]
    for x in rules["insight_per_element"]:
        least += rules[_UP]
        most += rules[_SIDE if x <= last[rules["insight_basis"]] else _UP]
    cards = [*zip(rules["turbidity"], each, strict=True)]
    shared = [sum(n for pair, n in cards if e in pair) for e in rules["elements"]]
    return f"{least} to {most + max(shared)}"


def table(data: ReportData) -> pl.DataFrame:
    """A row a reading: its numbers, each with a verdict on its conclusion."""
    rules = dict(data.rules)
    every: list[Reading] = [("", BASE, {}), *readings(rules)]
    most = [most_power({**rules, **changes}) for _, _, changes in every]
    about, words, _ = zip(*every, strict=True)
    rows = pl.DataFrame({"about": about, "reading": words, "most": most})
    beside_it, base = pl.col("kind") == "beside", pl.col("changes") == BASE
    reading = pl.when(beside_it).then(pl.col("changes")).otherwise(pl.lit(BASE))
    for at, claim in enumerate(claims(rules)):
        tried = claim.measure.startswith("worth")
        only = beside_it if tried else beside_it & ~base | data.leads()
        found = data.of(claim.measure, only=only)
        name, value = claim.group
        found = found.filter(pl.col(name) == value) if name else found
        found = named(found.with_columns(reading=reading), ["reading"], f"c{at}")
        rows = joined(rows, found, ["reading"])
        sure = judge(rows[f"c{at}"] - claim.edge, rows[f"c{at}_se"], 0.0, 0.0)
        verdicts = [
            None if value is None
            else "unsure" if verdict == "undecided"
            else "holds" if (value > claim.edge) == claim.above else "fails"
            for value, verdict in zip(rows[f"c{at}"], sure, strict=True)
        ]  # fmt: skip
        rows = rows.with_columns(pl.Series(f"v{at}", verdicts, dtype=pl.String))
    return rows


def survival(rows: pl.DataFrame, every: Sequence[Claim]) -> pl.DataFrame:
    """A row a conclusion: in how many readings it holds, and where it does not."""
    found = []
    for at, claim in enumerate(every):
        some = rows.drop_nulls(f"v{at}")
        holds, fails, unsure = (
            some.filter(pl.col(f"v{at}") == verdict)["reading"].to_list()
            for verdict in ("holds", "fails", "unsure")
        )
        against = {"fails": _few(fails), "unsure": _few(unsure)}
        number = {"holds": len(holds), "n": some.height}
        found.append({"claim": claim.text, **against, **number})
    return pl.DataFrame(found)


def _few(names: Sequence[str]) -> str:
    """Some readings, of many the first and how many more there are."""
    if len(names) > _NAMED:
        return f"{names[0]} and {len(names) - 1} more"
    return "; ".join(names) or "none"


def section(data: ReportData) -> Shown:
    """What is assumed, and what survives."""
    rows, every = table(data), claims(data.rules)
    survive = survival(rows, every)
    yield Section(
        "assumed",
        "What is assumed, and what survives it",
        "The known rule text shows icons, Turbidity pairs and colours in pictures "
        "only. Each of the other values and readings is played beside the rules of "
        "this report, one at a time. A conclusion holds, or fails, where its number "
        "differs from the edge at 95 %, Holm over the readings.",
    )
    yield exhibit(
        "assumed-conclusions", "Which conclusions survive",
        f"Of the rules of this report, and {rows.height - 1} that differ in one value "
        "or reading.", survive,
        (
            Column("claim", "conclusion", "what is tested"),
            Column("holds", "holds with", "readings in which it surely holds", "count"),
            Column("fails", "fails with", "readings in which it surely does not"),
            Column("unsure", "unsure with", "readings with too few games to tell"),
            Column("n", "of", "readings with data", "count"),
        ),
    )  # fmt: skip
    numbers = [Number(c.measure, c.head, name=f"c{at}") for at, c in enumerate(every)]
    games = next(at for at, c in enumerate(every) if c.measure == "starter ahead")
    yield exhibit(
        "assumed-numbers", "The numbers under each value and reading",
        f"With {data.who}. What spells and cards are worth is tried in one of "
        f"{_EVERY} games, against the other options of a choice. The manual's tip says "
        "that the most power of an element is 7 to 10: where the column says "
        "otherwise, the value does not fit it.", rows,
        (
            Column("about", "about", "what is read otherwise; E1 to E4: rule text"),
            Column("reading", "value or reading", "what differs"),
            Column("most", "power", "least and most of an element, without Eihort"),
            *(number.column(data) for number in numbers),
            Column(f"c{games}_n", "n", "games", "count"),
        ),
    )  # fmt: skip
    yield from _findings(data, rows, survive)


def _findings(data: ReportData, rows: pl.DataFrame, survive: pl.DataFrame) -> Parts:
    rules = data.rules
    yield Finding(
        "Assumed, for the known rule text shows it in pictures only or not at all: "
        f"the icons (normal {rules['power_normal']}, Insight {rules[_UP]}, sideways "
        f"{rules[_SIDE]}, Turbidity {rules['power_turbidity']}), what Insight compares "
        f"(the {rules['insight_basis'].replace('_', ' ')}), the pairs of the Turbidity "
        f"cards ({pairs(rules)}), the elements of the spells ({spells(rules)}) and the "
        "name of the fifth. All numbers below rest on that.",
        "",
    )
    if survive["n"].max() < 2:
        return
    fails, unsure = pl.col("fails") != "none", pl.col("unsure") != "none"
    kinds = {
        "surely hold under all of them": ~fails & ~unsure,
        "fail under none, but some are unsure": ~fails & unsure,
        "do not survive": fails,
    }
    for words, so in kinds.items():
        conclusions = [
            row["claim"] + _against(row["fails"], row["unsure"])
            for row in survive.filter(so, pl.col("n") > 1).rows(named=True)
        ]
        if conclusions:
            yield Finding(
                f"Other values and readings, {rows.height - 1} tried one at a time, "
                f"{data.who}: these conclusions {words}: {'; '.join(conclusions)}.",
                "",
            )


def _against(fails: str, unsure: str) -> str:
    """Where a conclusion does not hold, and where it is unsure."""
    ways = {"not with": fails, "unsure with": unsure}
    parts = [f"{word} {what}" for word, what in ways.items() if what != "none"]
    return f" ({', '.join(parts)})" if parts else ""


SECTION = ReportSection(section)
