"""Who wins more, and who less, by each changed row of a table: one row at a time.

Cards that all players share cannot be gone without by one of them, so what they are
worth is asked in another way: the table of the first side is played with a single row
as the other side has it, by the same players on the same deals. The wins of each role
(Virtues), or else of each position, move by what this row does. It works for every
table; rows that are options of a decision have a worth instead (``card_worth``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

import sim.games
from experiments.analysis.changed_cards import TableCard, table_cards
from experiments.analysis.measure_differences import ComparisonTolerance, differences
from experiments.core.cells import Cell, require_unpaired, same_games
from experiments.core.measures import measures_of
from experiments.execution.results import Results
from experiments.execution.run import run
from reports.batches import GameBatches
from reports.measures import Measure
from reports.scorecard.line_statistics import ROLE_WINS
from reports.statistics.difference_tests import difference_verdicts

FAMILY = "rows of tables, one at a time"
_RUNS = 8  # so many times the games of a side, at most
_NOBODY = (
    "By itself nothing can be told of what no option uses, where all positions are "
    "alike:"
)
_NAMED = 8  # rows in a sentence, at most


def row_effects(
    pairs: Sequence[tuple[Cell, Cell]], games: int, **how: Any
) -> pl.DataFrame:
    """Play the first side of each pair with each changed row, one at a time.

    games: of each row, at most; fewer if there are many rows. ``how`` goes to ``run``.
    Pairs whose players differ are left out. Columns: cell (number of the pair), card,
    name (what changed, in words), alone (whether the rules hold with this row only) and
    those of ``measure_differences.differences``: group, one, other, difference, ...
    Only cell, card and name if the wins of no group could move, as there are neither
    roles nor positions; empty if no such rows differ.
    """
    what = _measure(pairs[0][0])
    rows = [
        (number, card, card.alone(one.rules))
        for number, (one, other) in enumerate(pairs)
        if one.strategies() == other.strategies()
        for card in table_cards(one, other)
        if card.changed and not any(card.options)
    ]
    if not rows:
        return pl.DataFrame()
    if what is None:
        return pl.DataFrame([_labels(*row[:2]) for row in rows])
    steps = [(number, card, made) for number, card, made in rows if made is not None]
    bases = [*dict.fromkeys(number for number, *_ in steps)]
    cells = [pairs[number][0] for number in bases]
    cells += [replace(pairs[number][0], rules=made) for number, _, made in steps]
    games = max(min(games, _RUNS * games // max(len(cells), 1)), 1)
    detailed = what.name not in measures_of(pairs[0][0].game, detailed=False)
    results = run(cells, games, detailed=detailed, **how) if steps else None
    parts = []
    for number, card, made in rows:
        effect = pl.DataFrame([{"alone": False}])
        if results is not None and made is not None:
            at = len(bases) + steps.index((number, card, made))
            effect = _effect(results, bases.index(number), at, what)
        labels = {key: pl.lit(word) for key, word in _labels(number, card).items()}
        parts.append(effect.with_columns(**labels))
    return pl.concat(parts, how="diagonal_relaxed")


def _labels(number: int, card: TableCard) -> dict[str, Any]:
    return {"cell": number, "card": card.card, "name": card.what_changed}


def _measure(cell: Cell) -> Measure | None:
    """Return the wins that may move: those of roles, or else of positions."""
    known = measures_of(cell.game)
    if ROLE_WINS in known:
        return known[ROLE_WINS]
    has_positions = bool(sim.games.load(cell.game).first_position)
    return known["won by position"] if has_positions else None


def _effect(results: Results, base: int, changed: int, what: Measure) -> pl.DataFrame:
    """Return what one row does to the wins of each group."""
    there, here = (
        results.sums.filter(pl.col("cell") == at, pl.col("measure") == what.name)
        for at in (changed, base)
    )
    games = results.played[changed], results.played[base]
    one, other = require_unpaired(
        [results.cells[at] for at in (base, changed)], results.directory
    )
    batches = GameBatches(one.players) if same_games(one, other) else None
    rows = differences(there, here, what, games, batches=batches)
    return rows.with_columns(alone=pl.lit(value=True))


def with_row_verdicts(
    rows: pl.DataFrame, tolerance: ComparisonTolerance, among: int
) -> pl.DataFrame:
    """Judge all groups of all rows as one family (Holm), which takes 1 of ``among``.

    Adds the columns of ``difference_verdicts``: low_adjusted, high_adjusted (for all of
    them at once), different, verdict, ...
    """
    if rows.is_empty() or "difference" not in rows.columns:
        return rows
    known = rows.filter("alone")
    judged = difference_verdicts(
        known.drop("family"), FAMILY, tolerance.share, share=True, among=among
    )
    size = pl.col("difference").abs()
    judged = judged.sort("cell", "different", size, descending=[False, True, True])
    rest = rows.filter(~pl.col("alone")).select("cell", "card", "name", "alone")
    return pl.concat([judged, rest], how="diagonal_relaxed")


def row_sentences(rows: pl.DataFrame) -> Iterator[str]:
    """Say who wins more or less by each changed row of a cell, by itself.

    rows: ``with_row_verdicts``.
    """
    if rows.is_empty():
        return
    if "alone" not in rows.columns:
        names = _listed(rows["name"].to_list())
        yield f"{_NOBODY} {names}."
        return
    alone = rows.filter("alone")
    by_name = alone.partition_by("name", maintain_order=True) if alone.height else []
    moves: list[str] = []
    same: list[str] = []
    left: list[str] = []
    for each in by_name:
        if each["different"].any():
            moves.append(_words(each.filter("different")))
        else:
            within = (each["verdict"] == "within").all()
            (same if within else left).append(_words(each.head(1)))
    parts = [
        f"{words}{_listed(some)}"
        for words, some in (
            ("", moves),
            ("open: ", left),
            ("within the tolerance: ", same),
            ("not possible alone: ", rows.filter(~pl.col("alone"))["name"].to_list()),
        )
        if some
    ]
    yield f"Rows changed one at a time, and who wins of 100: {'; '.join(parts)}."


def _listed(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are."""
    more = len(names) - _NAMED
    return "; ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _words(rows: pl.DataFrame) -> str:
    """Return whose wins move by a row."""
    return f"{rows['name'][0]} ({'; '.join(map(_move, rows.to_dicts()))})"


def _move(row: Mapping[str, Any]) -> str:
    """Return by how much the wins of a group move."""
    one, other, low, high = (
        100 * row[name] for name in ("one", "other", "low_adjusted", "high_adjusted")
    )
    return f"{row['group']} {one:.1f} to {other:.1f}, change {low:+.1f} to {high:+.1f}"
