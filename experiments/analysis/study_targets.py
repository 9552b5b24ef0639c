"""The measures of a study, and the points that meet its targets."""

import math
from collections.abc import Iterator, Sequence

import polars as pl
from matplotlib.figure import Figure

from experiments.analysis.study_groups import short
from experiments.analysis.target_tests import PointVerdicts, by_point
from experiments.studies import sweep_figure, sweep_results
from experiments.studies.run_study import StudyResult
from experiments.studies.targets import parse
from reports import figures
from reports.column_format import Style
from reports.figure_style import footnote
from reports.formatting import join_words
from reports.report_document import Column, Exhibit, Finding, Section
from reports.verdicts import ALONE, how_tested


def target_verdicts(done: StudyResult) -> Iterator[Section]:
    """Yield the section of targets, tested separately at each point."""
    plan = done.plan
    if not plan.targets:
        return
    by = [*plan.keys] or ["variant", "lineup", "players"]
    frame = plan.frame()
    judged = by_point(parse(plan.targets), done.results, frame, by)
    rows, met = [], []
    for at in judged:
        place = ", ".join(f"{short(key)} {value}" for key, value in at.point.items())
        met += [place] if at.word == "pass" else []
        rows += [
            {
                "place": place,
                "target": verdict.target.about or verdict.target.name,
                "wanted": verdict.target.wanted(verdict.share),
                "verdict": verdict.verdict,
                "needed": verdict.needed,
            }
            for verdict in at.verdicts
        ]
    if not rows:
        return
    table = pl.DataFrame(rows)
    columns = (
        Column("place", "place", "point of the study"),
        Column("target", "target", "what is wanted"),
        Column("wanted", "wanted", "bounds"),
        Column("verdict", "verdict", "of this point alone"),
        Column("needed", "more games", "that would decide"),
    )
    words = f"All targets are shown to be met at: {join_words(met)}."
    none = "No point is shown to meet all targets."
    finding = Finding(none, "", "targets")
    if met:
        how = how_tested("targets", "points", len(judged), plan.games, method=ALONE)
        finding = Finding(words, "likely", "targets", tested=how)
    exhibit = Exhibit(
        "targets-met",
        "Which points meet the targets",
        "Each point is tested separately.",
        table,
        columns,
        _met(judged),
    )
    yield Section("targets", "Targets", "", (exhibit,), (finding,))


def _met(judged: Sequence[PointVerdicts]) -> Figure | None:
    """Draw how many targets are shown to be met over a grid of two keys."""
    keys = list(judged[0].point)
    if len(keys) != 2:
        return None
    rows = [
        {short(key): value for key, value in at.point.items()}
        | {"met": sum(verdict.verdict == "pass" for verdict in at.verdicts)}
        for at in judged
    ]
    made = figures.heat(
        pl.DataFrame(rows),
        short(keys[0]),
        short(keys[1]),
        "met",
        title=f"Targets that are shown to be met, of {len(judged[0].verdicts)}",
        unit="targets met",
    )
    footnote(made, "in each cell: targets that are shown to be met there")
    return made


def measure_tables(done: StudyResult) -> Iterator[Section]:
    """Yield the section of the study's measures: a figure and a table each."""
    exhibits = []
    for number, name in enumerate(done.plan.measures, start=1):
        if name not in done.results.names:
            continue
        table, what = sweep_results.sweep_table(done, name), done.measure(name)
        style: Style = "share" if what.share else "number"
        groups = [
            n for n in sweep_results.groups_of(done, table) if n not in done.plan.keys
        ]
        names = [*done.plan.keys, *groups]
        varied = [n for n in names if table[n].n_unique() > 1]
        columns = [Column(n, short(n), "varied, or a group") for n in varied]
        columns.append(Column("estimate", name, what.doc, style, "low", "high"))
        columns.append(Column("n", "n", "counted", "count"))
        figure = sweep_figure.figure(done, name, _allowed(done, name))
        note = f"{what.doc[:1].upper()}{what.doc[1:]}."
        exhibits.append(
            Exhibit(f"measure-{number}", name, note, table, tuple(columns), figure)
        )
    if exhibits:
        words = "As the study asked; intervals are not paired."
        yield Section("measured", "What was measured", words, tuple(exhibits))


def _allowed(done: StudyResult, measure: str) -> tuple[float, float] | None:
    """Return the bounds of a target on every group of a measure, if there is one."""
    for target in parse(done.plan.targets):
        if target.measure == measure and target.form == "each" and not target.where:
            least = -math.inf if target.least is None else target.least
            return least, math.inf if target.most is None else target.most
    return None
