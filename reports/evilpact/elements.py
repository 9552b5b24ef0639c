"""The course of a game, and the elements: how contested each is, and who leads."""

import numpy as np

from reports import course
from reports.counts import Counts, grid, numbers_to
from reports.course.measures import lead_changes
from reports.evilpact.game_arrays import EvilpactArrays
from reports.figure_specs import dots, lines
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf

_EACH, _ROUNDS = MeasuresOf(by="element"), MeasuresOf(by="round")
MEASURES = (
    _EACH.share("close at the end", "games in which it ends within 1 power"),
    _EACH.mean("leader changes", "ends of rounds at which the leader has changed"),
    _ROUNDS.share("leader wins", "games won by the player who leads more then"),
)


def counts(played: EvilpactArrays) -> list[Counts]:
    """Count margins at the end, and who leads after each round."""
    power, led = played.power, played.led
    names = {"element": list(played.rules["elements"])}
    margin = power[:, 0] - power[:, 1]  # (elements, rounds, games)
    ones = np.ones(played.size, dtype=np.int64)
    lead = np.sign(led[0] - led[1])  # (rounds, games)
    of_leader = (lead != 0) & (played.won_by == (lead < 0))
    changes = np.stack([lead_changes(of) for of in power.swapaxes(1, 2)])
    rounds = {"round": numbers_to(len(lead))}
    return [
        grid("close at the end", abs(margin[:, -1]) <= 1, ones, **names),
        grid("leader changes", changes, ones, **names),
        grid("leader wins", of_leader, lead != 0, **rounds),
    ]


def standing(played: EvilpactArrays) -> course.Standings:
    """Return the elements led at the end of each round, by position."""
    led = played.led.swapaxes(0, 1)
    return course.Standings.of(played.about, led, played.won_by, played.game)


OWN = ReportSection(
    measures=MEASURES,
    counts=counts,
    tables=(
        MeasureTable(
            "elements-contested",
            "How contested each element is",
            "",
            (
                "element",
                Number("close at the end", "within 1 power at the end"),
                Number("leader changes", "leader changes", name="swaps"),
            ),
            draw=dots("element", "games in which it ends within 1 power, %"),
        ),
        MeasureTable(
            "elements-ahead",
            "How often the leader of a round wins",
            "Of the games in which somebody leads more elements.",
            ("round", Number("leader wins", "leader wins")),
            draw=lines("round", "games won by the leader, %"),
        ),
    ),
)
COURSE = course.section(
    standing,
    "Whoever leads more elements is ahead, counted after every round. Contracts, and "
    "spells in hand, may decide otherwise.",
    OWN,
    records=("round",),
)
