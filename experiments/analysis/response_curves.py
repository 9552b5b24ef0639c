"""Response curves, maps and verdicts of scorecard lines over what a study varied."""

from collections.abc import Sequence, Set

import polars as pl
from matplotlib.figure import Figure

from experiments.analysis.study_groups import StudyGroup, short
from experiments.analysis.tolerance_check import ONE_WAY, check_line
from reports import figures
from reports.column_format import Style
from reports.formatting import join_words
from reports.report_document import Column, Exhibit, Section
from reports.scorecard.lines import BY_ID
from reports.scorecard.score_line import ScoreLine
from reports.scorecard.scored_line import SHAPES


def numbers(group: StudyGroup) -> pl.DataFrame:
    """Return one row per place and line: label, line, estimate, low, high, verdict."""
    rows = []
    for place, seen in enumerate(group.scores.values):
        for line in group.scores.lines:
            verdict = None if place in group.scores.failed else check_line(line, seen)
            if verdict is not None:
                rows.append(
                    {
                        "at": place,
                        "label": group.labels[place],
                        **{short(k): v for k, v in group.places[place].point.items()},
                        "line": line.id,
                        "title": line.number,
                        "estimate": verdict.value,
                        "low": verdict.low,
                        "high": verdict.high,
                        "verdict": verdict.verdict,
                        "shape": ""
                        if line.id in ONE_WAY
                        else f"{SHAPES[verdict.verdict]} {verdict.verdict}",
                    }
                )
    return pl.DataFrame(rows, infer_schema_length=None, strict=False)


def response_curves(group: StudyGroup, moved: Set[str], more: str) -> Section:
    """Return the section of all verdicts, then response curves or maps of lines.

    Of the ``moved`` lines, and of positions.
    """
    table = numbers(group)
    keys = [short(key) for key in group.places[0].point]
    keys = [key for key in keys if table[key].n_unique() > 1]
    exhibits = []
    for line in group.scores.lines:
        part = table.filter(line=line.id)
        shown = line.id in {*moved, "positions"} and not part.is_empty()
        figure = _response(part, line, keys) if shown else None
        if figure is not None:
            columns = (
                Column("label", "place", "variant and point"),
                Column(
                    "estimate", "number", "of all games", _style(line), "low", "high"
                ),
                Column("shape", "verdict", "by the tolerance of the scorecard"),
            )
            note = f"{line.doc[:1].upper()}{line.doc[1:]}."
            title = (
                f"{line.number[:1].upper()}{line.number[1:]}, along {join_words(keys)}"
            )
            exhibits.append(
                Exhibit(f"along-{line.id}{more}", title, note, part, columns, figure)
            )
    region = _region_of(table, more)
    title = "Scorecard of each place"
    if exhibits:
        title = f"Along {join_words(keys)}"
    return Section(f"along{more}", title, f"{group.name}.", (region, *exhibits))


def _style(line: ScoreLine) -> Style:
    """Return the style of a line's numbers; some are differences from chance."""
    from_chance = line.style == "share" and BY_ID[line.id].chance
    return "points" if from_chance else line.style


def _response(
    part: pl.DataFrame, line: ScoreLine, keys: Sequence[str]
) -> Figure | None:
    """Draw a line over one number, or a grid of two keys; None for other designs."""
    scale = line.scale
    unit = "%" if _style(line) == "share" else line.measured
    unit = f"{unit} above chance" if BY_ID[line.id].chance else unit
    ends = ("estimate", "low", "high")
    shown = part.with_columns(pl.col(end) * scale for end in ends)
    title = f"{line.number[:1].upper()}{line.number[1:]}"
    limits = BY_ID[line.id].tolerance
    if len(keys) == 1 and shown.schema[keys[0]].is_numeric():
        return figures.lines(
            shown,
            keys[0],
            *ends,
            title=title,
            ylabel=unit or line.number,
            allowed=None
            if line.id in ONE_WAY
            else (scale * limits.least, scale * limits.most),
        )
    if len(keys) == 2 and not shown.select(keys).is_duplicated().any():
        return figures.heat(
            shown,
            keys[0],
            keys[1],
            "estimate",
            title=title,
            unit=unit or line.number,
            low="low",
            high="high",
        )
    return None


def _region_of(table: pl.DataFrame, more: str) -> Exhibit:
    """Return a table of the verdict of each line, one row per place."""
    wide = table.filter(~pl.col("line").is_in(ONE_WAY)).pivot(
        "title", index="label", values="shape", aggregate_function="first"
    )
    columns = tuple(
        Column(name, "place" if name == "label" else name, "verdict of the line")
        for name in wide.columns
    )
    return Exhibit(
        f"region{more}",
        "The scorecard of each place",
        "Verdicts by the tolerances of the scorecard, for this one strategy. A report "
        "of a place covers all strategies, and more lines.",
        wide,
        columns,
    )
