"""What the places of a study differ in from its base: sentences, a matrix, dots."""

from collections.abc import Iterator, Sequence
from functools import partial

import polars as pl
from matplotlib.figure import Figure

from experiments.analysis.compare_words import prose
from experiments.analysis.held import ONE_WAY
from experiments.analysis.score_lines import Line
from experiments.analysis.study_along import along_lines, numbers
from experiments.analysis.study_groups import Group
from experiments.studies.play import StudyResult
from reports import figures, lever_page
from reports.formatting import listed
from reports.page import Column, Exhibit, Finding, Section, Sure
from reports.printing import Style
from reports.scorecard.score import PROBLEMS
from reports.verdicts import ALONE, FDR, how_tested

_TOLD = 2  # places of which all is told in sentences
_STYLES: dict[str, Style] = {"number": "number", "share": "points", "points": "points"}


def of_group(done: StudyResult, group: Group, more: str) -> Iterator[Section]:
    """The answer of a group, then each line along what was varied."""
    rows, name = group.rows, f"answer{more}"
    base = group.labels[group.base]
    findings = [*_region(group, name), *_answers(group, rows, name)]
    lines = group.scores.lines
    moved = [
        line
        for line in lines
        if (rows.filter(line=line.id)["verdict"] == "differs").any()
    ]
    some = rows.filter((pl.col("verdict") == "differs").any().over("label"))
    abouts = [line.about for line in lines]
    matrix = Exhibit(
        f"differences{more}",
        f"What differs from {base}, by line",
        f"{group.name}. Each place plays the deals of {base}. Intervals are of 95 %, "
        "by the jackknife over 32 parts of the games. Places that move nothing by more "
        "than the tolerance are left out of the figure.",
        _worded(rows, lines),
        (
            Column("label", "place", "variant and point"),
            Column("title", "line", "line of the scorecard"),
            Column("before", base, "its number"),
            Column("after", "here", "the number of this place"),
            Column("apart", "difference", "here less base, 95 % interval"),
            Column("verdict", "verdict", "sure among all, and beyond the tolerance"),
        ),
        partial(lever_page.matrix, some, abouts, f"Differences from {base}, by line")
        if some.height
        else None,
    )
    along = along_lines(group, {line.id for line in moved}, more)
    drawn = len(along.exhibits) > 1  # curves or maps say it better than dots
    weights = [] if drawn else [_weights(rows, line, base, more) for line in moved]
    yield Section(
        name,
        f"Differences from {base}",
        f"{group.name}.",
        (matrix, *weights),
        tuple(findings),
    )
    yield along


def _worded(rows: pl.DataFrame, lines: Sequence[Line]) -> pl.DataFrame:
    """With a line's title, and its numbers in its own unit."""
    by_id = {line.id: line for line in lines}
    words = []
    for row in rows.rows(named=True):
        line = by_id[row["line"]]
        about = line.about
        ends = [
            lever_page.amount(row | {"difference": row[end]}, about)
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


def _answers(group: Group, rows: pl.DataFrame, section: str) -> Iterator[Finding]:
    """What each place does, in a sentence; of few places what is open, too."""
    lines, many, games = group.scores.lines, rows["p"].count(), group.scores.games
    how = how_tested("from nothing", "differences", many, games, method=FDR)
    alone = how_tested("the tolerance", "differences", many, games, method=ALONE)
    for at in group.others:
        part = rows.filter(change=at)
        said, *rest = prose(group.labels[at], part, lines)
        sure = (part["verdict"] == "differs").any()
        tested = how if sure else ""
        yield Finding(said, "sure" if sure else "", section, tested=tested)
        if len(group.others) <= _TOLD:
            for words in rest:
                label: Sure = "open" if words.startswith("Open") else "likely"
                text = f"{group.labels[at]}: {words[0].lower()}{words[1:]}"
                yield Finding(text, label, section, tested=alone)


def _weights(rows: pl.DataFrame, line: Line, base: str, more: str) -> Exhibit:
    """The differences of a line, a labelled dot a place."""
    part, style = rows.filter(line=line.id), _STYLES[line.style]
    columns = (
        Column("label", "place", "variant and point"),
        Column("value", line.title, line.doc, line.style),
        Column("difference", "difference", f"less {base}", style, "low", "high"),
        Column("verdict", "verdict", "sure among all, and beyond the tolerance"),
    )
    figure = partial(_dots, part, line, base)
    note = (
        f"{line.doc[:1].upper()}{line.doc[1:]}. {line.title.capitalize()} of {base}: "
    )
    note += f"{line.about.scale * part['base'][0]:.3g} {line.about.measured}.".strip()
    title = f"{line.title[:1].upper()}{line.title[1:]}"
    return Exhibit(f"line-{line.id}{more}", title, note, part, columns, figure)


def _dots(part: pl.DataFrame, line: Line, base: str) -> Figure:
    """Dots with their numbers written beside the place."""
    amounts = [lever_page.amount(row, line.about) for row in part.rows(named=True)]
    shown = part.with_columns(
        *(pl.col(end) * line.about.scale for end in ("difference", "low", "high")),
        place=pl.format("{}: {}", "label", pl.Series(amounts)),
    )
    return figures.dots(
        shown,
        "place",
        "difference",
        "low",
        "high",
        title=f"{line.title}: difference from {base}",
        xlabel=f"difference from {base}, {line.about.measured or line.title}",
        reference=0.0,
        note=f"bars: {figures.INTERVALS}, same deals",
    )


def _region(group: Group, section: str) -> Iterator[Finding]:
    """Which places surely keep to all that the scorecard allows."""
    found = numbers(group).filter(~pl.col("line").is_in(ONE_WAY))
    by = found.group_by("label", maintain_order=True).agg(
        fair=(pl.col("verdict") == "fair").all(),
        bad=pl.col("verdict").is_in(PROBLEMS).sum(),
        which=pl.col("title").filter(pl.col("verdict").is_in(PROBLEMS)),
    )
    lines = found["line"].n_unique()
    whole = by.filter("fair")["label"].to_list()
    if whole:
        words = f"Surely fair in all {lines} lines of one way to play: {listed(whole)}."
        how = how_tested(
            "the scorecard", "places", by.height, group.scores.games, method=ALONE
        )
        yield Finding(words, "likely", section, tested=how)
        return
    least = by.sort("bad", maintain_order=True).row(0, named=True)
    beyond = listed(least["which"]) if least["bad"] else "nothing"
    words = (
        "No place is surely fair in every line of the scorecard; nearest is "
        f"{least['label']}, where {beyond} is surely beyond what it allows."
    )
    yield Finding(words, "", section)
