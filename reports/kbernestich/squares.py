"""Squares: what a cube on each brings, gross and net.

Gross is what the square brought: its value, the bid that came true, value times the
player's cards. Net is the difference on the same deals with and without the cube.
"""

import numpy as np
import polars as pl

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

_CUBES = "cubes that a seat places there in a round"
_SQUARES = MeasuresOf(by="square")
MEASURES = (
    _SQUARES.mean("cubes on square", _CUBES),
    _SQUARES.mean("cubes on kind", _CUBES),
    _SQUARES.mean("gross", "points it brought per cube"),
    *cube_counterfactuals.MEASURES,
)


def counts(played: KbernestichArrays) -> list[Counts]:
    """Count cubes and points of every square, and which are taken together."""
    counts, brought = _of_squares(played)
    names = list(counts)
    cubes_on = np.stack([counts[name] for name in names])
    seats = np.full((1, played.size), played.players * played.rounds)
    kinds = list(dict.fromkeys(without_colour(name) for name in names))
    paying = [name for name in kinds if any(without_colour(n) == name for n in brought)]
    measured = [
        grid("cubes on square", cubes_on, seats, square=names),
        grid("cubes on kind", _pooled(counts, kinds), seats, square=kinds),
    ]
    if paying:
        gross, cubes_there = _pooled(brought, paying), _pooled(counts, paying)
        measured.append(grid("gross", gross, cubes_there, square=paying))
    return [*measured, *cube_counterfactuals.counts(played)]


def _pooled(parts: dict[str, Array], wanted: list[str]) -> Array:
    """Add up the wanted squares over colours, (squares, games)."""
    sums = {name: np.zeros_like(next(iter(parts.values()))) for name in wanted}
    for name, values in parts.items():
        kind = without_colour(name)
        if kind in sums:
            sums[kind] = sums[kind] + values
    return np.stack(list(sums.values()))


def _of_squares(played: KbernestichArrays) -> tuple[dict[str, Array], dict[str, Array]]:
    """Return cubes on each square in a game, and the points they brought, (games,)."""
    counts, brought = {}, {}
    bid = played.hunch + played.misery
    cards = [
        np.bitwise_count(played.won & suit)
        for suit in played.suit_masks[: played.suits]
    ]
    letters = _letters(played)
    for name in played.squares:
        covered, area = played.on(name), area_of(name)
        counts[name] = covered.sum(axis=(0, 1))
        if area == "to":
            counts[name] = letters[name]
            brought[name] = letters[name] * int(name.removeprefix("to-"))
        elif area == "hunch":
            brought[name] = (bid * covered).sum(axis=(0, 1))
        elif area == "grace":
            brought[name] = (played.from_ * covered).sum(axis=(0, 1))
        elif area == "from":
            _, suit, value = name.split("-")
            mine = (cards[SUITS.index(suit)] * covered).sum(axis=(0, 1), dtype=np.int64)
            brought[name] = mine * int(value)
    return counts, brought


def _letters(played: KbernestichArrays) -> dict[str, Array]:
    """Return cubes placed by square, (games,): Letter to Marie takes several on one."""
    rows = played.cubes_placed
    size = len(played.squares)
    at = rows["square"] * played.size + rows["game"]
    placed = np.bincount(at, minlength=size * played.size).reshape(size, played.size)
    return dict(zip(played.squares, placed, strict=True))


def section(data: ReportData) -> SectionParts:
    """Yield what squares bring, gross and net, and how often each has a cube."""
    yield f"With {data.who}."
    cubes_on = Number("cubes on kind", "cubes", name="cubes")
    words = WordColumn(
        "said", "square", "square of the plot sheet", square_words, "square"
    )
    yield MeasureTable(
        "squares-gross",
        "Points that a cube on each square brought",
        "Gross: before any bust. Zabine's Aftermath and the actions bring no points "
        "themselves.",
        ("players", words, Number("gross", "points"), cubes_on),
        draw=dots("said", "points a cube", by="players"),
    )
    yield from counterfactual_parts(cube_counterfactuals.TRIED, data)
    for when in cube_counterfactuals.WHEN:
        yield MeasureTable(
            f"squares-use-{when}",
            f"How often each square is free, and gets a cube, by {when}",
            "Of the cubes that a seat could place; some squares take one cube of each "
            "player. All cubes come back at the end of the round.",
            (
                "square",
                when,
                Number(f"open by square and {when}", "open"),
                Number(f"claimed by square and {when}", "claimed", name="claimed"),
            ),
            only=data.leads(data.players),
        )
    yield from pledge_parts(cube_counterfactuals.PLEDGES, data, "gross", square_words)

    def ordered(rows: pl.DataFrame) -> pl.DataFrame:
        order = list(dict.fromkeys(rows.sort("players", descending=True)["square"]))
        return rows.sort("players", pl.col("square").cast(pl.Enum(order)))

    yield MeasureTable(
        "squares-used",
        "Cubes on each square",
        "Each colour by itself. Colours differ only in name: differences beyond chance "
        "are a fault of a strategy.",
        ("players", words, Number("cubes on square", "cubes")),
        rows=ordered,
    )


SECTION = ReportSection(
    section,
    MEASURES,
    cube_counterfactuals.tables,
    counts,
    ("deal", "plot", "score", "sheet"),
    id="squares",
    title="Squares: gross and net",
    question="What does each square bring, and what does it cost?",
    what_ifs=(cube_counterfactuals.WHAT_IFS,),
)
