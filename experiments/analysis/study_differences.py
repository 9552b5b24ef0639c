"""Differences of a study's places from its base: sentences, a matrix, dots."""

from collections.abc import Iterator, Sequence
from functools import partial

import polars as pl
from matplotlib.figure import Figure

from experiments.analysis.compare_sentences import prose
from experiments.analysis.response_curves import numbers, response_curves
from experiments.analysis.study_groups import StudyGroup
from experiments.analysis.tolerance_check import ONE_WAY
from experiments.studies.run_study import StudyResult
from reports import figures, lever_figures
from reports.column_format import Style
from reports.formatting import join_words
from reports.report_document import Column, Exhibit, Finding, Section, Sure
from reports.scorecard.score_line import ScoreLine
from reports.scorecard.scored_line import PROBLEMS
from reports.verdicts import ALONE, FDR, how_tested

_FULLY_TOLD = 2  # places of which all is said in sentences, at most
_STYLES: dict[str, Style] = {"number": "number", "share": "points", "points": "points"}


def group_differences(
    done: StudyResult, group: StudyGroup, more: str
) -> Iterator[Section]:
    """Yield the answer of a group, then the lines over what was varied."""
    rows, name = group.rows, f"answer{more}"
    base = group.labels[group.base]
    findings = [*_region(group, name), *_answers(group, rows, name)]
    lines = group.scores.lines
    moved = [
        line
        for line in lines
        if (rows.filter(line=line.id)["verdict"] == "differs").any()
    ]
    moving = rows.filter((pl.col("verdict") == "differs").any().over("label"))
    matrix = Exhibit(
        f"differences{more}",
        f"What differs from {base}, by line",
        f"{group.name}. Each place plays the deals of {base}. Intervals are 95 %, by a "
        "jackknife over 64 batches of games. The figure leaves out places that move no "
        "line by more than its tolerance.",
        _worded(rows, lines),
        (
            Column("label", "place", "variant and point"),
            Column("title", "line", "line of the scorecard"),
            Column("before", base, "its number"),
            Column("after", "here", "the number of this place"),
            Column("apart", "difference", "here minus base, 95 % interval"),
            Column("verdict", "verdict", "significant among all, and beyond tolerance"),
        ),
        partial(
            lever_figures.matrix, moving, lines, f"Differences from {base}, by line"
        )
        if moving.height
        else None,
    )
    along = response_curves(group, {line.id for line in moved}, more)
    drawn = len(along.exhibits) > 1  # curves or maps show it better than dots
    weights = [] if drawn else [_weights(rows, line, base, more) for line in moved]
    yield Section(
        name,
        f"Differences from {base}",
        f"{group.name}.",
        (matrix, *weights),
        tuple(findings),
    )
    yield along


def _worded(rows: pl.DataFrame, lines: Sequence[ScoreLine]) -> pl.DataFrame:
    """Add the title of each row's line, and its numbers in the line's unit."""
    by_id = {line.id: line for line in lines}
    words = []
    for row in rows.to_dicts():
        line = by_id[row["line"]]
        about = line
        ends = [
            lever_figures.amount(row | {"difference": row[end]}, about)
            for end in ("difference", "low", "high")
            if row[end] is not None
        ]
        interval = f" [{', '.join(ends[1:])}]" if len(ends) == 3 else ""
        numbers = [f"{about.scale * row[end]:.3g}" for end in ("base", "value")]
        apart = f"{ends[0]}{interval} {about.measured}" if ends else "no data"
        words.append((line.name(row["option"]), *numbers, apart.strip()))
    names = ("title", "before", "after", "apart")
    columns = dict.fromkeys(names, pl.String)
    return pl.concat(
        [rows, pl.DataFrame(words, columns, orient="row")], how="horizontal"
    )


def _answers(group: StudyGroup, rows: pl.DataFrame, section: str) -> Iterator[Finding]:
    """Describe each place in a sentence; if there are few, also what is open."""
    lines, tests, games = group.scores.lines, rows["p"].count(), group.scores.games
    how = how_tested("from nothing", "differences", tests, games, method=FDR)
    alone = how_tested("the tolerance", "differences", tests, games, method=ALONE)
    for place in group.others:
        part = rows.filter(change=place)
        first, *rest = prose(group.labels[place], part, lines)
        sure = (part["verdict"] == "differs").any()
        tested = how if sure else ""
        yield Finding(first, "sure" if sure else "", section, tested=tested)
        if len(group.others) <= _FULLY_TOLD:
            for words in rest:
                label: Sure = "open" if words.startswith("Open") else "likely"
                text = f"{group.labels[place]}: {words[0].lower()}{words[1:]}"
                yield Finding(text, label, section, tested=alone)


def _weights(rows: pl.DataFrame, line: ScoreLine, base: str, more: str) -> Exhibit:
    """Return the differences in a line, with a labelled dot for each place."""
    part, style = rows.filter(line=line.id), _STYLES[line.style]
    columns = (
        Column("label", "place", "variant and point"),
        Column("value", line.number, line.doc, line.style),
        Column("difference", "difference", f"minus {base}", style, "low", "high"),
        Column("verdict", "verdict", "significant among all, and beyond tolerance"),
    )
    figure = partial(_dots, part, line, base)
    note = (
        f"{line.doc[:1].upper()}{line.doc[1:]}. {line.number.capitalize()} of {base}: "
    )
    note += f"{line.scale * part['base'][0]:.3g} {line.measured}.".strip()
    title = f"{line.number[:1].upper()}{line.number[1:]}"
    return Exhibit(f"line-{line.id}{more}", title, note, part, columns, figure)


def _dots(part: pl.DataFrame, line: ScoreLine, base: str) -> Figure:
    """Draw dots with their numbers beside the place."""
    amounts = [lever_figures.amount(row, line) for row in part.to_dicts()]
    shown = part.with_columns(
        *(pl.col(end) * line.scale for end in ("difference", "low", "high")),
        place=pl.format("{}: {}", "label", pl.Series(amounts)),
    )
    return figures.dots(
        shown,
        "place",
        "difference",
        "low",
        "high",
        title=f"{line.number}: difference from {base}",
        xlabel=f"difference from {base}, {line.measured or line.number}",
        reference=0.0,
        note=f"bars: {figures.INTERVALS}, same deals",
    )


def _region(group: StudyGroup, section: str) -> Iterator[Finding]:
    """Say which places are shown to meet all tolerances of the scorecard."""
    rows = numbers(group).filter(~pl.col("line").is_in(ONE_WAY))
    by = rows.group_by("label", maintain_order=True).agg(
        fair=(pl.col("verdict") == "fair").all(),
        bad=pl.col("verdict").is_in(PROBLEMS).sum(),
        which=pl.col("title").filter(pl.col("verdict").is_in(PROBLEMS)),
    )
    lines = rows["line"].n_unique()
    whole = by.filter("fair")["label"].to_list()
    if whole:
        words = f"Fair in all {lines} lines for this strategy: {join_words(whole)}."
        how = how_tested(
            "the scorecard", "places", by.height, group.scores.games, method=ALONE
        )
        yield Finding(words, "likely", section, tested=how)
        return
    least = by.sort("bad", maintain_order=True).row(0, named=True)
    beyond = join_words(least["which"]) if least["bad"] else "nothing"
    words = (
        "No place is shown to be fair in every line of the scorecard; the nearest is "
        f"{least['label']}, where {beyond} is outside the tolerance."
    )
    yield Finding(words, "", section)
