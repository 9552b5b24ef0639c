"""Squares: what a cube on each brings, gross and net.

Gross is what the square brought: its value, the bid that came true, value times the
player's cards. Net is the difference on the same deals with and without the cube.
"""

from collections.abc import Iterator

import numpy as np

from reports.counterfactuals import counterfactual_parts
from reports.counts import Array, Counts, grid
from reports.figure_specs import dots
from reports.game_report import ReportSection, SectionParts
from reports.kbernestich import cube_counterfactuals
from reports.kbernestich.cube_counterfactuals import without_colour
from reports.kbernestich.game_arrays import SUITS, KbernestichArrays, area_of
from reports.kbernestich.labels import square_words
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf
from reports.pledges import pledge_parts
from reports.report_data import ReportData

_SQUARES = MeasuresOf(by="square")


def counts(played: KbernestichArrays) -> Iterator[Counts]:
    """Yield cubes and points of every square, and which are taken together."""
    placed = {n: played.cubes_on([n]).sum(axis=(0, 1)) for n in played.squares}
    brought = {name: _brought(played, name, cubes) for name, cubes in placed.items()}
    paid = {name: points for name, points in brought.items() if points is not None}
    each, seats = _pooled(placed), np.full((1, played.size), played.players)
    kinds = np.stack([*each.values()])
    yield grid("cubes on kind", kinds, seats * played.rounds, square=[*each])
    if paid:
        points = _pooled(paid)
        on = np.stack([each[kind] for kind in points])
        yield grid("gross", np.stack([*points.values()]), on, square=[*points])
    yield from cube_counterfactuals.counts(played)


def _pooled(parts: dict[str, Array]) -> dict[str, Array]:
    """Add up squares that differ only in colour, (games,) each."""
    sums: dict[str, Array] = {}
    for name, values in parts.items():
        kind = without_colour(name)
        sums[kind] = sums.get(kind, 0) + values
    return sums


def _brought(played: KbernestichArrays, name: str, cubes: Array) -> Array | None:
    """Return the points that cubes on a square brought, (games,); None if none do."""
    area, (*_, value) = area_of(name), name.split("-")
    if area == "to":
        return cubes * int(value)
    if area == "from":
        suit = played.suit_masks[SUITS.index(name.split("-")[1])]
        each = np.bitwise_count(played.won & suit).astype(np.int64) * int(value)
    elif area == "hunch":
        each = played.hunch + played.misery
    elif area == "grace":
        each = played.from_
    else:
        return None
    points: Array = (each * played.on(name)).sum(axis=(0, 1), dtype=np.int64)
    return points


def _worth(data: ReportData) -> SectionParts:
    """Yield what a cube on each square is worth, on the same deals."""
    yield from counterfactual_parts(cube_counterfactuals.TRIED, data)
    yield from pledge_parts(cube_counterfactuals.PLEDGES, data, "gross", square_words)


SECTION = ReportSection(
    id="squares",
    title="Squares: gross and net",
    question="What does each square bring, and what does it cost?",
    measures=(
        _SQUARES.mean("cubes on kind", "cubes that a seat places there in a round"),
        _SQUARES.mean("gross", "points it brought per cube"),
        *cube_counterfactuals.TRIED.measures,
        *cube_counterfactuals.PLEDGES.measures,
    ),
    tidy=cube_counterfactuals.tables,
    counts=counts,
    records=("deal", "plot", "score", "sheet"),
    what_ifs=(cube_counterfactuals.WHAT_IFS,),
    tables=(
        MeasureTable(
            "squares-gross",
            "Points that a cube on each square brought",
            "Gross: before any bust. Zabine's Aftermath and the actions bring no "
            "points themselves.",
            (
                "players",
                WordColumn(
                    "said", "square", "square of the sheet", square_words, "square"
                ),
                Number("gross", "points"),
                Number("cubes on kind", "cubes", name="cubes"),
            ),
            draw=dots("said", "points a cube", by="players"),
        ),
        _worth,
    ),
)
