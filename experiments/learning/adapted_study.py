"""A study whose players have equally many lessons by the rules of each variant."""

from dataclasses import replace

from experiments.learning.adaptation import LessonPlan
from experiments.learning.adapted_arms import adapted_sides
from experiments.studies.plans import Plan


def adapted_plan(planned: Plan, lessons: LessonPlan) -> Plan:
    """Return a plan in which those who can learn have learned; notes say who they are.

    Rule sets are learned once for all numbers of players, and those of one lineup from
    the same start.
    """
    cells, notes = [*planned.cells], [*planned.notes]
    starts: dict[str, list[list[int]]] = {}
    for alike in planned.learners:
        starts.setdefault(str(cells[alike[0]].lineup[0]), []).append(alike)
    for groups in starts.values():
        names = [_named(planned, alike) for alike in groups]
        sides = [
            (name, [cells[number] for number in alike])
            for name, alike in zip(names, groups, strict=True)
        ]
        taught = adapted_sides(sides, lessons)
        for name, alike, side in zip(names, groups, taught, strict=True):
            for number, cell in zip(alike, side.cells, strict=True):
                cells[number] = replace(cell, label=cells[number].label)
            notes.append(f"{cells[alike[0]].label}, {name}: {side.told}")
    return replace(planned, cells=tuple(cells), notes=tuple(notes), adapt=0.0)


def _named(planned: Plan, alike: list[int]) -> str:
    """The variant and the point of some cells, in words."""
    point = next(one for one in planned.design_points if one.cell in alike)
    varied = (f"{key} = {value}" for key, value in point.point.items())
    return ", ".join([point.variant, *varied])
