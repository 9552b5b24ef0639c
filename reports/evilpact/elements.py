"""Elements: how contested each is, power by round, and how the lead changes."""

import numpy as np

from reports import course
from reports.counts import Counts, grid, numbers_to
from reports.course.measures import lead_changes
from reports.evilpact.game_arrays import EvilpactArrays
from reports.evilpact.labels import PLACE, PLACES
from reports.figure_specs import dots, lines
from reports.formatting import share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.simultaneous_intervals import simultaneous_intervals

_EACH, _ROUNDS = MeasuresOf(by="element"), MeasuresOf(by="round")
_LIBRARY = MeasuresOf(by="position round")
MEASURES = (
    _EACH.share("close at the end", "games in which it ends within 1 power"),
    _EACH.share("tied at the end", "games in which nobody leads it at the end"),
    _EACH.mean("power of both", "power of both libraries at the end"),
    _EACH.mean("most power", "power of the stronger library at the end"),
    _EACH.mean("leader changes", "ends of rounds at which the leader has changed"),
    _LIBRARY.mean("power by round", "power of all elements at the end of the round"),
    _LIBRARY.mean("elements led by round", "elements led at the end of the round"),
    _ROUNDS.share("leader wins", "games won by the player who leads more then"),
    _ROUNDS.share("nobody ahead", "games in which both lead as many then"),
)


def counts(played: EvilpactArrays) -> list[Counts]:
    """Count margins, power and leads at the end of each round and of the game."""
    power, names = played.power, list(played.rules["elements"])
    ones = np.ones(played.size, dtype=np.int64)
    last, margin = power[:, :, -1], power[:, 0] - power[:, 1]
    end, rounds, led = margin[:, -1], numbers_to(margin.shape[1]), played.led
    lead = np.sign(led[0] - led[1])  # (rounds, games)
    of_leader = (lead != 0) & (played.won_by == (lead < 0))
    by_element = {
        "close at the end": abs(end) <= 1,
        "tied at the end": end == 0,
        "power of both": last.sum(axis=1),
        "most power": last.max(axis=1),
        "leader changes": np.stack([lead_changes(of) for of in power.swapaxes(1, 2)]),
    }
    time = {"position": list(PLACES), "round": rounds}
    return [
        *(grid(name, y, ones, element=names) for name, y in by_element.items()),
        grid("power by round", power.sum(axis=0), ones, **time),
        grid("elements led by round", led, ones, **time),
        grid("leader wins", of_leader, lead != 0, round=rounds),
        grid("nobody ahead", lead == 0, ones, round=rounds),
    ]


def section(data: ReportData) -> SectionParts:
    """Yield how contested each element is, power by round, and the lead."""
    yield f"With {data.who}. Whoever has more power in more elements is ahead."
    yield MeasureTable(
        "elements-contested",
        "How contested each element is",
        "",
        (
            "element",
            Number("close at the end", "within 1 power"),
            Number("tied at the end", "tied", name="tied"),
            Number("power of both", "power of both", name="both"),
            Number("most power", "of the stronger", name="most"),
            Number("leader changes", "leader changes", name="swaps"),
        ),
        draw=dots("element", "games in which it ends within 1 power, %"),
    )
    for name, title, measure, what in (
        ("power", "Power by round", "power by round", "power"),
        ("led", "Elements led by round", "elements led by round", "elements"),
    ):
        yield MeasureTable(
            f"elements-{name}",
            title,
            "At the end of each round.",
            (PLACE, "round", Number(measure, what)),
            draw=lines("round", what, by="who"),
        )
    yield MeasureTable(
        "elements-ahead",
        "How often the leader of a round wins",
        "Of the games in which somebody leads more elements.",
        (
            "round",
            Number("leader wins", "leader wins"),
            Number("nobody ahead", "nobody is ahead", name="nobody"),
        ),
        draw=lines("round", "games won by the leader, %"),
    )
    rows = simultaneous_intervals(data.leading("close at the end"), share=True)
    rows = rows.sort("estimate", descending=True)
    most, *_, least = rows.to_dicts() * 2  # twice: there may be only one element
    yield Finding(
        f"Elements, {data.who}: most contested is {most['element']}, which ends within "
        f"1 power in {share(most)} of the games, least {least['element']} "
        f"({share(least)}).",
        "",
    )


def standing(played: EvilpactArrays) -> course.Standings:
    """Return the elements led at the end of each round, by position."""
    led = played.led.swapaxes(0, 1)
    return course.Standings.of(played.about, led, played.won_by, played.game)


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("round",),
    id="elements",
    title="Elements, power and the lead",
    question="How contested is each element, and does whoever leads win?",
)
COURSE = course.section(
    standing,
    "Whoever leads more elements is ahead, counted after every round. Contracts, and "
    "spells in hand, may decide otherwise.",
    records=("round",),
)
