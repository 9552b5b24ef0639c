"""Writing a report to a folder.

The files are one self-contained page, and its content as Markdown, JSON, CSV, Parquet,
SVG and PNG. ``scorecard.json`` has page one; its schema is
``reports/scorecard/schema.json``. Equal reports give equal bytes.
"""

import gc
import io
import json
import re
from collections.abc import (
    Callable,
    Container,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.report_document import (
    Exhibit,
    FigureFailed,
    Finding,
    PageOne,
    ReportDocument,
    Section,
)
from reports.safe_text import csv, markdown, render_figure

if TYPE_CHECKING:
    from jinja2 import Environment

Save = Callable[[Path, bytes], object]
FigureFiles = dict[str, bytes]


@dataclass(frozen=True)
class ExhibitFiles:
    """The files of an exhibit, and its figure as inline SVG for the page."""

    files: Mapping[str, bytes]  # by path in the report's folder
    inline: str  # "" without a figure
    error: str = ""  # why the figure could not be drawn


ExhibitCalls = Mapping[str, Callable[[], ExhibitFiles]]
NamedFiles = Generator[tuple[str, ExhibitFiles], None, None]

_GC_THRESHOLD = 20_000  # new objects before a garbage collection
DETAILS = "details.html"
"""The page with all tables and findings, if ``report.html`` does not have them."""
GLOSSARY = ("measure", "meaning", "kind", "by")
MORE = (
    "Made when asked for, by these commands in the folder of this page; only what they "
    "need is played. --section all makes all of them."
)


def write_report(
    report: ReportDocument,
    directory: Path,
    save: Save = Path.write_bytes,
    *,
    png: bool = False,
    draw: Callable[[ExhibitCalls], NamedFiles] | None = None,
) -> Path:
    """Write report.html, .md and .json, tables/ and figures/; return the page's path.

    If it has a page one and is not full, its tables are in details.html.

    ``save`` writes a file. ``png``: draw figures as PNG, too. ``draw`` runs the calls
    that make the exhibits (``exhibit_calls``) and yields each name and result, in any
    order; results are written while other exhibits are drawn. Existing files of these
    names are replaced. Raises ``FigureFailed`` if figures could not be drawn, after
    everything else is written.
    """
    for folder in ("tables", "figures"):
        (directory / folder).mkdir(parents=True, exist_ok=True)
    drawings: dict[str, str] = {}
    failed: list[str] = []
    with closing((draw or _one_by_one)(exhibit_calls(report.exhibits, png))) as done:
        for name, part in done:
            for path, data in part.files.items():
                save(directory / path, data)
            if part.inline:
                drawings[name] = part.inline
            if part.error:
                failed.append(f"{name} ({part.error})")
    if report.verdict is not None:
        for ending, data in _tables(report.verdict.table):
            save(directory / "tables" / f"scorecard.{ending}", data)
        scorecard = json.dumps(page_one(report.verdict), indent=2, allow_nan=False)
        save(directory / "scorecard.json", scorecard.encode())
    save(directory / "report.md", "\n".join(_markdown(report, drawings)).encode())
    save(directory / "report.json", json.dumps(_outline(report), indent=2).encode())
    page = directory / "report.html"
    short = report.verdict is not None and not report.full
    if short:
        save(directory / DETAILS, _page("whole", report, drawings, png).encode())
    text = _page("page" if short else "whole", report, drawings, png, details=False)
    save(page, text.encode())
    if failed:
        names = ", ".join(sorted(failed))
        raise FigureFailed(f"{page} is written, but without the figures {names}.")
    return page


def _one_by_one(calls: ExhibitCalls) -> NamedFiles:
    yield from ((name, call()) for name, call in calls.items())


def exhibit_calls(exhibits: Iterable[Exhibit], png: bool = False) -> ExhibitCalls:
    """Return the calls that make the exhibits' files, by id; they are independent."""
    return {exhibit.id: partial(_part, exhibit, png) for exhibit in exhibits}


def _part(exhibit: Exhibit, png: bool) -> ExhibitFiles:
    """Return the files of an exhibit."""
    name = exhibit.id
    files = {f"tables/{name}.{end}": data for end, data in _tables(exhibit.table)}
    try:
        figure = pictures(exhibit.figure, name, png)
    except Exception as error:
        return ExhibitFiles(files, "", f"{type(error).__name__}: {error}")
    files |= {f"figures/{name}.{end}": data for end, data in figure.items()}
    return ExhibitFiles(
        files, _inline(figure["svg"].decode(), exhibit) if figure else ""
    )


def pictures(figure: Any, name: str, png: bool) -> FigureFiles:
    """Return the files of a figure (or of a function that draws it), by suffix."""
    with _rare_collections():
        made = figure() if callable(figure) else figure
        if made is None:
            return {}
        files = {"svg": render_figure(made, "svg", name)}
        return files | (
            {"png": render_figure(made, "png", name, dpi=200)} if png else {}
        )


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Collect garbage rarely in here, for speed: figures have very many objects."""
    before = gc.get_threshold()
    gc.set_threshold(_GC_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def page_one(verdict: PageOne) -> dict[str, Any]:
    """Return the scorecard and the sentences as plain data, for scripts."""
    rows = [
        {
            name: None if isinstance(value, float) and not isfinite(value) else value
            for name, value in row.items()
        }
        for row in verdict.table.to_dicts()
    ]
    sentences = [asdict(sentence) for sentence in verdict.sentences]
    return {
        "quick": bool(verdict.left_out),
        "players": [*verdict.players],
        "sentences": sentences,
        "scorecard": rows,
    }


def _tables(table: pl.DataFrame) -> Iterator[tuple[str, bytes]]:
    """Yield the whole table as (file suffix, bytes)."""
    yield "csv", csv(table)
    parquet = io.BytesIO()
    table.write_parquet(parquet)
    yield "parquet", parquet.getvalue()


def _inline(svg: str, exhibit: Exhibit) -> str:
    """Fit a drawing into a page: unique ids, no size, a label for screen readers."""
    from markupsafe import escape

    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.S)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{exhibit.id}-", svg)
    head, body = svg.split(">", 1)
    head = re.sub(r' (width|height)="[^"]*"', "", head)
    label = escape(f"{exhibit.title}. {exhibit.note}")
    return f'{head} role="img" aria-label="{label}">{body}'


def section_html(section: Section, drawings: Mapping[str, str]) -> str:
    """Return the content of a section as HTML, without links to files.

    It is that of the report's page, for another page that shows a single section.
    ``drawings``: the ``inline`` figures of its exhibits, by id.
    """
    macros: Any = _templates().get_template("section.html.j2").module
    return str(macros.content(section, section.findings, drawings))


def _page(
    template: str,
    report: ReportDocument,
    drawings: dict[str, str],
    png: bool,
    *,
    details: bool = True,
) -> str:
    """Fill the template of a page; details: whether it is behind another one."""
    return (
        _templates()
        .get_template(f"{template}.html.j2")
        .render(
            report=report,
            drawings=drawings,
            png=png,
            glossary=GLOSSARY,
            more=MORE,
            details=details,
            pictures={
                section.id: drawn[0]
                for section in report.sections
                if (drawn := _pictures(section, drawings))
            },
        )
    )


def _pictures(section: Section, drawings: Mapping[str, str]) -> list[str]:
    """Return the drawings of a section; those that are higher than wide come last."""
    drawn = [drawings[each.id] for each in section.exhibits if each.id in drawings]
    return sorted(drawn, key=_is_high)


def _is_high(svg: str) -> bool:
    box = re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"', svg)
    return box is not None and float(box[2]) > float(box[1])


def _templates() -> "Environment":
    """Return the templates of pages, which escape everything but drawings."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    files = FileSystemLoader(Path(__file__).parent)
    options: dict[str, Any] = {
        "trim_blocks": True,
        "lstrip_blocks": True,
        "undefined": StrictUndefined,
    }
    return Environment(loader=files, autoescape=True, **options)


def _markdown(report: ReportDocument, drawings: Container[str]) -> Iterator[str]:
    """Yield the report as lines of Markdown."""
    yield from (f"# {markdown(report.title)}", "", markdown(report.subtitle), "")
    if report.verdict is not None:
        yield from _first_page(report.verdict)
    yield from ("## What was simulated", "")
    yield from _grid(("", ""), report.simulated)
    yield from ("Rules that differ from the base:", "")
    yield from _grid(("rule", "what differs"), report.differences)
    yield from ("Assumed values:", "")
    yield from _grid(("rule", "value", "why"), report.assumed)
    yield from ("All rules in force:", "")
    yield from _grid(("rule", "value"), report.rules)
    yield from ("## Findings", "", *_sentences(report.findings), "")
    yield from (*map(markdown, report.reading), "")
    for section in report.sections:
        yield from (f"## {markdown(section.title)}", "", markdown(section.intro), "")
        yield from (*_sentences(section.findings), "")
        for exhibit in section.exhibits:
            yield from _exhibit(exhibit, exhibit.id in drawings)
    if report.left:
        yield from ("## More sections", "", MORE, "")
        rows = [
            (link.title, link.question, report.command_of(link)) for link in report.left
        ]
        yield from _grid(("section", "what it answers", "command"), rows)
    yield from (
        "## Glossary",
        "",
        "Terms, measures, and what the measures are grouped by.",
        "",
    )
    yield from _grid(GLOSSARY, report.glossary)


def _first_page(verdict: PageOne) -> Iterator[str]:
    """Yield page one as lines of Markdown."""
    for text in verdict.notes:
        yield from (markdown(text), "")
    yield from ("## What to do", "")
    texts = (markdown(sentence.told) for sentence in verdict.sentences)
    yield from (f"{n}. {text}" for n, text in enumerate(texts, start=1))
    yield from ("", "## Scorecard", "")
    rows = [
        (line.title, f"{line.shape} {line.word}", line.told, line.tolerance, line.note)
        for line in verdict.lines
    ]
    yield from _grid(("line", "verdict", "number", "allowed", "of"), rows)


def _exhibit(exhibit: Exhibit, has_figure: bool) -> Iterator[str]:
    title = markdown(exhibit.title)
    yield from (f"### {title}", "", markdown(exhibit.note), "")
    if has_figure:
        yield from (f"![{title}](figures/{exhibit.id}.svg)", "")
    shown = exhibit.shown
    yield from _grid([column.title for column in shown.columns], shown.rows)
    if shown.left_out:
        yield from (markdown(shown.left_out), "")
    legend = (markdown(f"{column.title}: {column.doc}") for column in shown.columns)
    yield from (*(f"- {line}" for line in legend), "")


def _sentences(findings: tuple[Finding, ...]) -> Iterator[str]:
    for finding in findings:
        label = f"**{finding.sure}**: " if finding.sure else ""
        yield f"- {label}{markdown(finding.text)}"


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a Markdown table, or the word none."""
    if not rows:
        yield from ("None.", "")
        return
    for row in (head, ["---"] * len(head), *rows):
        cells = (markdown(cell).replace("|", "\\|") for cell in row)
        yield f"| {' | '.join(cells)} |"
    yield ""


def _outline(report: ReportDocument) -> dict[str, Any]:
    """Return the content for scripts: front matter, findings, and paths of tables."""
    outline = {
        field.name: getattr(report, field.name)
        for field in fields(report)
        if field.name not in {"findings", "sections", "verdict", "left"}
    }
    if report.verdict is not None:
        outline["verdict"] = page_one(report.verdict)
    outline["left"] = [asdict(link) for link in report.left]
    outline["findings"] = [finding.plain() for finding in report.findings]
    outline["sections"] = [
        {
            "id": section.id,
            "title": section.title,
            "findings": [finding.plain() for finding in section.findings],
            "exhibits": [
                {
                    "id": exhibit.id,
                    "title": exhibit.title,
                    "table": f"tables/{exhibit.id}.parquet",
                    "columns": [asdict(column) for column in exhibit.columns],
                }
                for exhibit in section.exhibits
            ],
        }
        for section in report.sections
    ]
    return outline
