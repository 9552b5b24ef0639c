"""Showing what is measured of a game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from experiments.commands import show
from experiments.core.cells import UsageError
from experiments.core.measures import known, report_of
from reports.measures import KINDS, Measure
from sim.parameters import nearest

TITLES = {
    "end": "How games end: measured by every run",
    "report": "The game's report: measured with detailed = true, or --measure",
    "what-if": "What-ifs of the report: pairs of games with one thing changed",
}


@dataclass(frozen=True)
class Listed:
    """A measure, who has it, and what it is by."""

    measure: Measure
    section: str  # of TITLES
    groups: dict[str, str]  # name -> what it is


def of(game: str, containing: str = "") -> list[Listed]:
    """The measures of a game whose names contain a text; raises ``UsageError``."""
    report = report_of(game)
    detailed = [
        *((one, one.family) for one in known(game).values()),
        *((one, "what-if") for one in report.what_ifs.measures),
    ]
    found = [
        Listed(
            measure,
            section,
            {name: report.columns[name].doc for name in measure.by},
        )
        for measure, section in detailed
        if containing in measure.name
    ]
    if not found:
        names = [measure.name for measure, _ in detailed]
        raise UsageError(
            f"no measure of {game} contains {containing!r}"
            f"{nearest(containing, names)} `fairdeal measures {game}` lists all."
        )
    return found


def as_json(game: str, found: Sequence[Listed]) -> None:
    """All of it as one JSON object."""
    measures = [
        {
            "name": one.measure.name,
            "meaning": one.measure.doc,
            "kind": one.measure.kind,
            "unit": one.measure.unit,
            "groups": one.groups,
            "of": one.section,
        }
        for one in found
    ]
    show.as_json({"game": game, "measures": measures})


def as_tables(found: Sequence[Listed]) -> None:
    """Tables of measures, and what their groups and kinds are."""
    for section, title in TITLES.items():
        rows = [list(_row(one)) for one in found if one.section == section]
        if rows:
            show.table(title, ["measure", "meaning", "kind", "unit", "by"], rows)
    groups = {name: doc for one in found for name, doc in one.groups.items()}
    if groups:
        show.table("Groups", ["group", "what it is"], [[*g] for g in groups.items()])
    kinds = dict.fromkeys(one.measure.kind for one in found)
    show.table("Kinds", ["kind", "what it is"], [[k, KINDS[k]] for k in kinds])


def _row(one: Listed) -> Iterator[str]:
    yield from (one.measure.name, one.measure.doc, one.measure.kind)
    unit = {"pp": "difference of shares"}.get(one.measure.unit, one.measure.unit)
    yield from (unit, ", ".join(one.groups))
