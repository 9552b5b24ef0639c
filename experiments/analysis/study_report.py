"""A study as a page: its answer, differences to its base, and what its targets allow.

    page = write(done, folder)         # a StudyResult; the path of its page

Every place of the study (a variant with a lineup, or a point of a design) plays the
deals of its base once more, to be held against it line by line of the scorecard, as
``compare`` and ``levers`` do. Places of one lineup and number of players are told of
together; of many (``MOST``) only what the study measured is told.
"""

import math
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from experiments.analysis import effects
from experiments.analysis.compare_words import prose
from experiments.analysis.effects import Scores
from experiments.analysis.held import ONE_WAY, held
from experiments.analysis.score_lines import Line
from experiments.analysis.target_tests import PointVerdicts, by_point
from experiments.core.cells import Cell
from experiments.execution.run import Progress
from experiments.studies import sweep_figure, sweeps
from experiments.studies.expansion import DesignPoint
from experiments.studies.play import StudyResult
from experiments.studies.targets import parse
from reports import figures, lever_page, writing
from reports.formatting import listed
from reports.page import Column, Exhibit, Finding, Report, Section, Sure
from reports.printing import Style
from reports.scorecard.lines import BY_ID
from reports.scorecard.score import PROBLEMS, SHAPES
from reports.verdicts import ALONE, FDR, how_tested
from sim import games as registry

FOLDER = "report"
"""Of a study's directory, where its page is."""
MOST = 40
"""Places of which each is played beside its base."""
_TOLD = 2  # places of which all is told in sentences
_STYLES: dict[str, Style] = {"number": "number", "share": "points", "points": "points"}


@dataclass(frozen=True)
class Group:
    """Places of one lineup and number of players, scored on the same deals.

    ``base`` is the number of the place that the others are held against, in ``places``
    and in ``scores``.
    """

    name: str
    places: tuple[DesignPoint, ...]
    labels: tuple[str, ...]
    base: int
    scores: Scores

    @property
    def rows(self) -> pl.DataFrame:
        """What each place differs in from the base, by line, with its label."""
        found = self.scores.effects(self.base)
        label = pl.Series("label", [self.labels[at] for at in found["change"]])
        return found.with_columns(label.cast(pl.String))

    @property
    def others(self) -> list[int]:
        """The places beside the base that could be played."""
        return [
            at
            for at in range(len(self.places))
            if at != self.base and at not in self.scores.failed
        ]


def write(
    done: StudyResult, folder: Path, *, jobs: int = 1, progress: Progress | None = None
) -> Path:
    """Play what the page needs, and write page, tables and figures; the page's path.

    The page lies in ``folder / FOLDER``, with the games beside it.
    """
    here = folder / FOLDER
    groups = scored(done, here / "scores", jobs=jobs, progress=progress)
    here.mkdir(parents=True, exist_ok=True)
    return writing.write(report(done, groups), here)


def scored(done: StudyResult, out: Path | None = None, **how: Any) -> list[Group]:
    """The groups of a study, each played by ``effects``; none of a spread design."""
    plan = done.plan
    by: dict[tuple[str, int], list[DesignPoint]] = {}
    for point in plan.design_points:
        if point.cell not in done.results.failures:
            by.setdefault((point.lineup, point.players), []).append(point)
    found = []
    for at, ((lineup, players), places) in enumerate(by.items()):
        cells = [plan.cells[place.cell] for place in places]
        if not 2 <= len(places) <= MOST:
            continue
        base = _base(cells)
        where = None if out is None else out / str(at)
        scores = effects.play(cells, plan.games, out=where, **how)
        if base not in scores.failed:
            name = f"{lineup}, {players} players"
            labels = tuple(_labels(done, places))
            found.append(Group(name, tuple(places), labels, base, scores))
    return found


def _base(cells: Sequence[Cell]) -> int:
    """The first place that plays by the rules of the game as they are, else the first.

    Of several that do (other strategies, say) the first is the base.
    """
    plain = registry.load(cells[0].game).rules.of()
    return next((at for at, cell in enumerate(cells) if cell.rules == plain), 0)


def _labels(done: StudyResult, places: Sequence[DesignPoint]) -> Iterator[str]:
    """What each place is called: its variant and its point, as far as they vary."""
    variants = len({place.variant for place in places}) > 1
    for place in places:
        parts = [place.variant] if variants else []
        parts += [f"{_short(key)} {value}" for key, value in place.point.items()]
        yield ", ".join(parts) or place.variant


def _short(key: str) -> str:
    return key.removeprefix("rules.")


def report(done: StudyResult, groups: Sequence[Group]) -> Report:
    """The page."""
    plan = done.plan
    game = registry.load(plan.game)
    several = len(groups) > 1
    sections = [
        section
        for number, group in enumerate(groups, start=1)
        for section in _of_group(done, group, f"-{number}" if several else "")
    ]
    sections = [*_targets(done), *sections, *_measured(done)]
    many = len(plan.design_points)
    return Report(
        title=plan.question or f"{game.title}: {Path(plan.where).stem}",
        subtitle=f"{game.title}, {many} places, {plan.games:,} games of each, "
        f"fairdeal {version('fairdeal')}, seed {plan.seed}",
        simulated=(
            ("game", game.title),
            ("places", f"{many} of {len(plan.variants)} variants"),
            ("games", f"{plan.games:,} of each, all on the same deals"),
            ("seed", str(plan.seed)),
        ),
        findings=tuple(f for section in sections for f in section.findings),
        sections=tuple(sections),
        differences=tuple(
            (name, words)
            for name, one in plan.variants.items()
            for words in one["differences"]
        ),
    )


def _of_group(done: StudyResult, group: Group, more: str) -> Iterator[Section]:
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
        lever_page.matrix(some, abouts, f"Differences from {base}, by line")
        if some.height
        else None,
    )
    along = _along(group, {line.id for line in moved}, more)
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
    by_id = {line.id: line.about for line in lines}
    words = []
    for row in rows.rows(named=True):
        about = by_id[row["line"]]
        ends = [
            lever_page.amount(row | {"difference": row[end]}, about)
            for end in ("difference", "low", "high")
            if row[end] is not None
        ]
        interval = f" [{', '.join(ends[1:])}]" if len(ends) == 3 else ""
        numbers = [f"{about.scale * row[end]:.3g}" for end in ("base", "value")]
        apart = f"{ends[0]}{interval} {about.measured}" if ends else "no data"
        words.append((about.title, *numbers, apart.strip()))
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
    figure = _dots(part, line, base)
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


def _numbers(group: Group) -> pl.DataFrame:
    """A row a place and line: label, line, value, low, high, verdict."""
    rows = []
    for at, seen in enumerate(group.scores.values):
        for line in group.scores.lines:
            found = None if at in group.scores.failed else held(line, seen)
            if found is not None:
                rows.append(
                    {
                        "at": at,
                        "label": group.labels[at],
                        **{_short(k): v for k, v in group.places[at].point.items()},
                        "line": line.id,
                        "title": line.title,
                        "estimate": found.value,
                        "low": found.low,
                        "high": found.high,
                        "verdict": found.verdict,
                        "shape": ""
                        if line.id in ONE_WAY
                        else f"{SHAPES[found.verdict]} {found.verdict}",
                    }
                )
    return pl.DataFrame(rows, infer_schema_length=None, strict=False)


def _region(group: Group, section: str) -> Iterator[Finding]:
    """Which places surely keep to all that the scorecard allows."""
    found = _numbers(group).filter(~pl.col("line").is_in(ONE_WAY))
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


def _along(group: Group, moved: Set[str], more: str) -> Section:
    """The region, then each line along what was varied: response curves, or a grid.

    Of the lines that are ``moved``, and of positions.
    """
    table = _numbers(group)
    keys = [_short(key) for key in group.places[0].point]
    keys = [key for key in keys if table[key].n_unique() > 1]
    exhibits = []
    for line in group.scores.lines:
        part = table.filter(line=line.id)
        told = line.id in {*moved, "positions"} and not part.is_empty()
        figure = _response(part, line, keys) if told else None
        if figure is not None:
            columns = (
                Column("label", "place", "variant and point"),
                Column(
                    "estimate", "number", "of all games", _style(line), "low", "high"
                ),
                Column("shape", "verdict", "against what the scorecard allows"),
            )
            note = f"{line.doc[:1].upper()}{line.doc[1:]}."
            title = f"{line.title[:1].upper()}{line.title[1:]}, along {listed(keys)}"
            exhibits.append(
                Exhibit(f"along-{line.id}{more}", title, note, part, columns, figure)
            )
    region = _region_of(table, more)
    title = "Scorecard of each place"
    if exhibits:
        title = f"Along {listed(keys)}"
    return Section(f"along{more}", title, f"{group.name}.", (region, *exhibits))


def _style(line: Line) -> Style:
    """Of the numbers of a line; of lines by chance they are differences from it."""
    beside = line.style == "share" and BY_ID[line.id].chance
    return "points" if beside else line.style


def _response(part: pl.DataFrame, line: Line, keys: Sequence[str]) -> Figure | None:
    """A line along one number, or over a grid of two; nothing of other designs."""
    scale = line.about.scale
    unit = "%" if _style(line) == "share" else line.about.measured
    unit = f"{unit} beside chance" if BY_ID[line.id].chance else unit
    ends = ("estimate", "low", "high")
    shown = part.with_columns(pl.col(end) * scale for end in ends)
    title = f"{line.title[:1].upper()}{line.title[1:]}"
    limits = BY_ID[line.id].tolerance
    if len(keys) == 1 and shown.schema[keys[0]].is_numeric():
        return figures.lines(
            shown,
            keys[0],
            *ends,
            title=title,
            ylabel=unit or line.title,
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
            unit=unit or line.title,
            low="low",
            high="high",
        )
    return None


def _region_of(table: pl.DataFrame, more: str) -> Exhibit:
    """A row a place: the verdict of each line."""
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
        "Verdicts against what the scorecard allows, of this one way to play. A report "
        "of a place tells of all ways to play, and of more lines.",
        wide,
        columns,
    )


def _targets(done: StudyResult) -> Iterator[Section]:
    """What the study's own targets say of each point by itself."""
    plan = done.plan
    if not plan.targets:
        return
    by = [*plan.keys] or ["variant", "lineup", "players"]
    frame = plan.frame()
    judged = by_point(parse(plan.targets), done.results, frame, by)
    rows, met = [], []
    for one in judged:
        place = ", ".join(f"{_short(key)} {value}" for key, value in one.point.items())
        met += [place] if one.word == "pass" else []
        rows += [
            {
                "place": place,
                "target": verdict.target.about or verdict.target.name,
                "wanted": verdict.target.wanted(verdict.share),
                "verdict": verdict.verdict,
                "needed": verdict.needed,
            }
            for verdict in one.verdicts
        ]
    if not rows:
        return
    table = pl.DataFrame(rows)
    columns = (
        Column("place", "place", "point of the study"),
        Column("target", "target", "what is wanted"),
        Column("wanted", "wanted", "bounds"),
        Column("verdict", "verdict", "of this point by itself"),
        Column("needed", "more games", "that would decide"),
    )
    words = f"All targets are surely met at: {listed(met)}."
    none = "No point surely meets all targets."
    finding = Finding(none, "", "targets")
    if met:
        how = how_tested("targets", "points", len(judged), plan.games, method=ALONE)
        finding = Finding(words, "likely", "targets", tested=how)
    exhibit = Exhibit(
        "targets-met",
        "Which points meet the targets",
        "Each point is judged by itself.",
        table,
        columns,
        _met(judged),
    )
    yield Section("targets", "Targets", "", (exhibit,), (finding,))


def _met(judged: Sequence[PointVerdicts]) -> Figure | None:
    """Over a grid of two keys, how many targets are surely met."""
    keys = list(judged[0].point)
    if len(keys) != 2:
        return None
    rows = [
        {_short(key): value for key, value in one.point.items()}
        | {"met": sum(verdict.verdict == "pass" for verdict in one.verdicts)}
        for one in judged
    ]
    made = figures.heat(
        pl.DataFrame(rows),
        _short(keys[0]),
        _short(keys[1]),
        "met",
        title=f"Targets that are surely met, of {len(judged[0].verdicts)}",
        unit="targets met",
    )
    figures.footnote(made, "in each cell: targets that are surely met there")
    return made


def _measured(done: StudyResult) -> Iterator[Section]:
    """What the study asked to be measured: a figure and a table each."""
    exhibits = []
    for number, name in enumerate(done.plan.measures, start=1):
        if name not in done.results.names:
            continue
        table, what = sweeps.table(done, name), done.measure(name)
        style: Style = "share" if what.share else "number"
        groups = [n for n in sweeps.groups_of(done, table) if n not in done.plan.keys]
        names = [*done.plan.keys, *groups]
        shown = [n for n in names if table[n].n_unique() > 1]
        columns = [Column(n, _short(n), "varied, or a group") for n in shown]
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
    """The bounds of the target of every group of a measure, where there is one."""
    for target in parse(done.plan.targets):
        if target.measure == measure and target.form == "each" and not target.where:
            least = -math.inf if target.least is None else target.least
            return least, math.inf if target.most is None else target.most
    return None
