"""A comparison in sentences: fairness, tension, skill, length, options.

    life=5: less fair (gap of positions 6.8 to 11.7 points), not longer (17.1 minutes).
    Open: comebacks (+0.4 points; about 40,000 games would settle it).

The sentences state only what is shown: that a line of the scorecard differs by more
than its tolerance (Benjamini-Hochberg over all lines, at the level of this family), or
that it does not. What the games do not decide is named as open. The last one is about
all other numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from experiments.analysis.adaptation_verdicts import adapted_row
from experiments.analysis.card_worth import card_sentences
from experiments.analysis.compare import FAMILIES, Comparison
from experiments.analysis.compare_formatting import MANY, format_games
from experiments.analysis.compare_verdicts import direction_sentences, verdict_words
from experiments.analysis.comparison_arms import Arm
from experiments.analysis.row_effects import FAMILY, row_sentences
from experiments.core.measures import measures_of
from reports.lever_figures import amount
from reports.scorecard.score_line import SORTS, ScoreLine
from reports.statistics.multiple_comparisons import Method

_COUNTED = {"per game", "share of games"}  # kinds whose 0 means that nothing happened
_NOTHING = "no difference is shown in the lines of the scorecard"
_NOTHING_FOR_BOTH = "no difference is shown for both"
_SAYS = {
    "depends": "It depends on whether players adapt:",
    "differs": "{name}, whether players adapt or not:",
    "one": "Shown for one sort of players, open for the other:",
    "within": "Within the tolerance for both:",
    "open": "Open:",
}
_SAME = {"fairness": "as fair", "length": "not longer", "skill": "skill pays as much"}


def prose(
    name: str,
    rows: pl.DataFrame,
    lines: Sequence[ScoreLine],
    verdicts: Mapping[str, str] | None = None,
) -> list[str]:
    """Describe a change in sentences; ``rows``: its effects (``Scores.effects``).

    ``verdicts``: what to say of a line that differs, such as "still broken".
    """
    effects = {row["line"]: row for row in rows.iter_rows(named=True)}
    sure, within, open_ = [], [], []
    for sort in SORTS:
        for line in (line for line in lines if line.sort == sort):
            row = effects.get(line.id)
            if row is None:
                continue
            if row["verdict"] == "differs":
                words = line.more if row["difference"] > 0 else line.less
                verdict = (verdicts or {}).get(line.id, "")
                told = ": ".join(filter(None, (_numbers(row, line), verdict)))
                sure.append(f"{words} ({told})")
            elif row["verdict"] != "undecided":
                if line.sort in _SAME and line.id != "ties":
                    sure.append(_SAME[line.sort])
                else:
                    within.append(line.number)
            else:
                open_.append(f"{line.number} ({_open(row, line)})")
    sentences = [f"{name}: {', '.join(sure) or _NOTHING}."]
    if within:
        sentences.append(f"Within the tolerance: {', '.join(within)}.")
    if open_:
        sentences.append(f"Open: {'; '.join(open_)}.")
    return sentences


def answers(comparison: Comparison, one: Arm) -> list[tuple[str, Comparison]]:
    """Return what is told, and its title: one answer, or also that of who adapted."""
    if comparison.adapted is None:
        return [("", comparison)]
    alone = (f"the rule alone, {one.lineup} on both sides", comparison)
    if comparison.same_answer:
        return [alone]
    return [alone, ("players who adapted", comparison.adapted)]


def adaptation_sentences(comparison: Comparison, name: str) -> list[list[str]]:
    """Describe what holds whether players adapt or not, for each cell that was scored.

    What depends on whether they adapt comes first. Empty if nobody was asked to adapt.
    """
    rows = comparison.verdicts
    return [
        _of_both(name, rows.filter(cell=cell), scores.lines)
        for cell, scores in enumerate(comparison.scores)
        if rows.height
    ]


def _of_both(name: str, rows: pl.DataFrame, lines: Sequence[ScoreLine]) -> list[str]:
    """Describe the verdicts of one cell."""
    effects = {row["line"]: row for row in rows.iter_rows(named=True)}
    said: dict[str, list[str]] = {}
    for line in (line for sort in SORTS for line in lines if line.sort == sort):
        if (row := effects.get(line.id)) is not None:
            words = _of_one(row["says"], line, row, adapted_row(row))
            said.setdefault(row["says"], []).append(words)
    said.setdefault("differs", [_NOTHING_FOR_BOTH])
    return [
        f"{words.format(name=name)} {'; '.join(said[says])}."
        for says, words in _SAYS.items()
        if says in said
    ]


def _of_one(
    says: str, line: ScoreLine, alone: Mapping[str, Any], adapted: Mapping[str, Any]
) -> str:
    """Describe what both sorts of players make of one line."""
    there = f"{amount(adapted, line)} {line.measured}".strip()
    if says == "within":
        return line.number
    if says == "open":
        return f"{line.number} ({amount(alone, line)}; adapted {there})"
    if says == "differs":
        return f"{_effect(alone, line)}; adapted {_numbers(adapted, line)}"
    return f"{_effect(adapted, line)} if players adapt, {_effect(alone, line)} if not"


def _effect(row: Mapping[str, Any], line: ScoreLine) -> str:
    """Describe the effect on a line: what differs, stays within, or is open."""
    if row["verdict"] == "differs":
        words = line.more if row["difference"] > 0 else line.less
        return f"{words} ({_numbers(row, line)})"
    if row["verdict"] == "undecided":
        size = f"{amount(row, line)} {line.measured}".strip()
        return f"open ({size})"
    return f"within the tolerance ({_numbers(row, line)})"


def comparison_sentences(comparison: Comparison, name: str) -> list[list[str]]:
    """Describe the other side in sentences, for each cell that was scored."""
    card = comparison.scorecard
    rows = with_one_side(comparison)
    return [
        [
            *_scored(name, comparison, cell, card.filter(cell=cell)),
            *card_sentences(_of_cell(comparison.cards, cell)),
            *row_sentences(_of_cell(comparison.row_effects, cell)),
            _surest(rows.filter(cell=cell)),
        ]
        for cell, scores in enumerate(comparison.scores)
    ]


def _of_cell(rows: pl.DataFrame, cell: int) -> pl.DataFrame:
    return rows if rows.is_empty() else rows.filter(cell=cell)


def _scored(
    name: str, comparison: Comparison, cell: int, rows: pl.DataFrame
) -> list[str]:
    """Describe the scorecard in sentences, or say why there is none."""
    scores = comparison.scores[cell]
    if not scores.failed:
        verdicts = {line.id: verdict_words(line, scores) for line in scores.lines}
        first, *more = prose(name, rows, scores.lines, verdicts)
        return [first, *direction_sentences(comparison, cell), *more]
    why = next(iter(scores.failed.values()))
    return [f"{name}: no scorecard, because a game failed: {why}"]


def family_words(comparison: Comparison) -> Iterator[tuple[str, Method]]:
    """Yield the families that are shown, and how each is controlled."""
    for name, method in FAMILIES.values():
        if comparison.rows.filter(pl.col("family") == name).height:
            yield name, method
    if comparison.scores:
        yield "the scorecard", "bh"
    if not comparison.card_rows.is_empty():
        yield "cards", "holm"
    if not comparison.table_rows.is_empty():
        yield FAMILY, "holm"


def surest_of_each_kind(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the surest difference of each sort of measure in the report.

    ``rows``: from ``with_one_side``. Adds ``of``, the sort, and ``many``, how many
    differ.
    """
    size = (pl.col("difference") / pl.col("se").clip(1e-12)).abs()
    real = pl.col("different") & ~pl.col("one_side")
    return (
        rows.filter(real, pl.col("family") == FAMILIES["report"][0])
        .with_columns(size=size, of=pl.col("measure").str.split(" by ").list.first())
        .with_columns(many=pl.len().over("cell", "of"))
        .sort("size", descending=True, maintain_order=True)
        .unique(["cell", "of"], keep="first", maintain_order=True)
    )


def _surest(rows: pl.DataFrame) -> str:
    """Name the surest differences in a sentence, beside those of the scorecard."""
    parts = []
    for row in surest_of_each_kind(rows).head(_SUREST).iter_rows(named=True):
        scale, unit = (100, " %") if row["share"] else (1, "")
        one, other = (f"{scale * row[side]:.3g}" for side in ("one", "other"))
        of = f"{row['of']} ({row['group']})" if row["group"] else row["of"]
        parts.append(f"{of} {one} to {other}{unit}")
    if parts:
        return f"Most certain of all numbers: {'; '.join(parts)}."
    many = int(rows["different"].sum())
    return (
        f"Of {rows.height:,} other numbers {many or 'none'} differ{'s' * (not many)}."
    )


def _numbers(row: Mapping[str, Any], line: ScoreLine) -> str:
    """Return the name of a line, with its number before and after."""
    scale, unit = line.scale, line.measured
    size = abs(scale * row["difference"])
    digits = 1 if size >= 1 else 2
    before, after = (f"{scale * row[end]:.{digits}f}" for end in ("base", "value"))
    unit = "%" if line.style == "share" else unit
    name = line.name(row["option"])
    return f"{name}{':' * (name != line.number)} {before} to {after} {unit}".strip()


def _open(row: Mapping[str, Any], line: ScoreLine) -> str:
    """Return the observed difference, and how many games would settle it."""
    size = f"{amount(row, line)} {line.measured}".strip()
    needed = row["needed"]
    if needed is None or not needed <= MANY:
        return size
    return f"{size}; about {format_games(needed)} games would settle it"


_FIXED = 1e-12  # standard error of a difference that is the same in every game
_NAMED = 6  # measures named in a sentence, at most
_SUREST = 3  # numbers in a sentence, at most


def with_one_side(comparison: Comparison) -> pl.DataFrame:
    """Return the rows of a comparison with ``one_side``: it happens on one side only.

    If one side never counted something, it does not exist there, or nobody does it:
    that is not an effect of the change on play. Nor is what holds in all games of one
    side only, or differs by the same amount in every game: the rule itself says so.
    """
    measures = measures_of(comparison.ones[0].game)
    kinds = {name: what.kind for name, what in measures.items()}
    counted = pl.col("measure").replace_strict(kinds, default="").is_in(list(_COUNTED))
    none = (pl.col("one") == 0) != (pl.col("other") == 0)
    every = pl.col("share") & ((pl.col("one") == 1) != (pl.col("other") == 1))
    fixed = pl.col("difference").ne(0) & (pl.col("se").fill_null(1) < _FIXED)
    return comparison.rows.with_columns(
        one_side=(counted & none & (pl.col("group") != "")) | every | fixed
    )


def without_the_obvious(comparison: Comparison, rows: pl.DataFrame) -> pl.DataFrame:
    """Drop win shares by strategy if all seats have the same one; wins come first."""
    alone = [
        number
        for number, cells in enumerate(
            zip(comparison.ones, comparison.others, strict=True)
        )
        if all(len({s.title for s in cell.strategies()}) == 1 for cell in cells)
    ]
    obvious = pl.col("cell").is_in(alone) & (pl.col("measure") == "won by strategy")
    order = pl.col("measure").str.starts_with("won").not_()
    return rows.filter(~obvious).sort("cell", order, maintain_order=True)


def one_sided_sentences(rows: pl.DataFrame, one: str, other: str) -> Iterator[str]:
    """Say what happens on one side only; ``rows``: from ``with_one_side``."""
    for name, there in ((one, "one"), (other, "other")):
        here = "other" if there == "one" else "one"
        part = rows.filter(
            "one_side", pl.col(there) != 0, pl.col(here).eq(0) | pl.col(there).eq(1)
        )
        if part.is_empty():
            continue
        of = [str(measure) for measure in part["measure"].unique(maintain_order=True)]
        more = " and others" if len(of) > _NAMED else ""
        numbers = "number" if part.height == 1 else "numbers"
        yield (
            f"Only with {name}, which is not a finding: {part.height} {numbers} of "
            f"{', '.join(of[:_NAMED])}{more}."
        )
