"""What a report is, and how it is written to a folder.

A report says what was simulated, what was found and how sure that is, and then shows
its sections: exhibits, each a table with documented columns and perhaps a figure.
`write` makes one self-contained page of it, and the same as Markdown, JSON, CSV,
Parquet, SVG and PNG. Equal reports give equal bytes.
"""

import io
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Style = Literal["text", "count", "share", "number", "points"]
Sure = Literal["sure", "likely", "open"]
Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Column:
    """A column of an exhibit's table, and how its values are printed.

    style: "share" prints 0.312 as 31.2 %, "points" (percentage points, a difference of
    shares) 0.012 as +1.2 pp. With the columns `low` and `high` the interval follows.
    """

    name: str
    title: str
    doc: str
    style: Style = "text"
    low: str | None = None
    high: str | None = None


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A table, what its numbers mean, and perhaps its figure and formula."""

    id: str  # names its files: lower-case letters, digits and hyphens
    title: str
    note: str
    table: pl.DataFrame
    columns: tuple[Column, ...]
    figure: "Figure | None" = None
    formula: str | None = None

    def __post_init__(self) -> None:
        """Refuse columns that the table lacks, naming the nearest it has."""
        asked = [n for c in self.columns for n in (c.name, c.low, c.high) if n]
        for name in asked:
            if name not in self.table.columns:
                near = get_close_matches(name, self.table.columns, 1, 0.0)
                raise ValueError(f"{self.id}: no column {name!r}; nearest is {near}")

    def printed(self) -> list[list[str]]:
        """Give the rows as they are printed, a text for each column."""
        columns = [list(_printed(self.table, column)) for column in self.columns]
        return [list(row) for row in zip(*columns, strict=True)]


@dataclass(frozen=True)
class Finding:
    """A sentence that answers a question, how sure it is, and the section to see."""

    text: str
    sure: Sure
    section: str


@dataclass(frozen=True)
class Section:
    """Exhibits on one subject, with its findings."""

    id: str
    title: str
    intro: str
    exhibits: tuple[Exhibit, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Report:
    """All that a report says; `write` puts it into a folder."""

    title: str
    subtitle: str
    simulated: Rows  # (what, value): lineups, games, seed, version, ...
    findings: tuple[Finding, ...]
    sections: tuple[Section, ...]
    differences: Rows = ()  # (rule, how it differs from the base, in words)
    assumed: Rows = ()  # (rule, value, why it had to be assumed)
    rules: Rows = ()  # (rule, value): every rule in force

    def __post_init__(self) -> None:
        """Refuse ids that are no file names, that repeat, or that lead nowhere."""
        sections = [section.id for section in self.sections]
        ids = sections + [exhibit.id for exhibit in self.exhibits]
        for name in ids:
            if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
                raise ValueError(f"id {name!r}: use a-z, 0-9 and single hyphens")
            if ids.count(name) > 1:
                raise ValueError(f"id {name!r} is used more than once")
        for finding in self.findings:
            if finding.section not in sections:
                near = get_close_matches(finding.section, sections, 1, 0.0)
                raise ValueError(f"no section {finding.section!r}; nearest is {near}")

    @property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """All exhibits in their order."""
        return tuple(exhibit for part in self.sections for exhibit in part.exhibits)


def write(report: Report, directory: Path) -> Path:
    """Write report.html, .md and .json, tables/ and figures/; return the page's path.

    A file appears whole or not at all. Existing files of these names are replaced.
    """
    drawings = {}
    for exhibit in report.exhibits:
        for ending, data in _tables(exhibit):
            _save(directory / "tables" / f"{exhibit.id}.{ending}", data)
        if exhibit.figure is not None:
            svg, png = _pictures(exhibit.figure, exhibit.id)
            _save(directory / "figures" / f"{exhibit.id}.svg", svg)
            _save(directory / "figures" / f"{exhibit.id}.png", png)
            drawings[exhibit.id] = _inline(svg.decode(), exhibit)
    _save(directory / "report.md", "\n".join(_markdown(report)).encode())
    _save(directory / "report.json", json.dumps(_outline(report), indent=2).encode())
    _save(directory / "report.html", _page(report, drawings).encode())
    return directory / "report.html"


def _save(path: Path, data: bytes) -> None:
    """Write a file beside its place, then move it there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.part")
    draft.write_bytes(data)
    draft.replace(path)


def _tables(exhibit: Exhibit) -> Iterator[tuple[str, bytes]]:
    """Give the whole table as (ending of the file, its bytes)."""
    yield "csv", exhibit.table.write_csv().encode()
    parquet = io.BytesIO()
    exhibit.table.write_parquet(parquet)
    yield "parquet", parquet.getvalue()


def _pictures(figure: "Figure", salt: str) -> tuple[bytes, bytes]:
    """Draw a figure as SVG and PNG, the same bytes each time."""
    from matplotlib import rc_context  # slow to import

    svg, png = io.BytesIO(), io.BytesIO()
    with rc_context({"svg.hashsalt": salt, "svg.fonttype": "path"}):
        figure.savefig(svg, format="svg", metadata={"Date": None})
        figure.savefig(png, format="png", dpi=200, metadata={"Software": None})
    return svg.getvalue(), png.getvalue()


def _inline(svg: str, exhibit: Exhibit) -> str:
    """Fit a drawing into a page: ids of its own, no size, words for who cannot see."""
    from markupsafe import escape

    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.S)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{exhibit.id}-", svg)
    head, body = svg.split(">", 1)
    head = re.sub(r' (width|height)="[^"]*"', "", head)
    label = escape(f"{exhibit.title}. {exhibit.note}")
    return f'{head} role="img" aria-label="{label}">{body}'


def _page(report: Report, drawings: dict[str, str]) -> str:
    """Fill the template of the page; everything but the drawings is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    files = FileSystemLoader(Path(__file__).parent)
    tidy: dict[str, Any] = {
        "trim_blocks": True,
        "lstrip_blocks": True,
        "undefined": StrictUndefined,
    }
    template = Environment(loader=files, autoescape=True, **tidy)
    return template.get_template("page.html.j2").render(
        report=report, drawings=drawings
    )


def _markdown(report: Report) -> Iterator[str]:
    """Give the report as lines of Markdown."""
    yield from (
        f"# {report.title}",
        "",
        report.subtitle,
        "",
        "## What was simulated",
        "",
    )
    yield from _grid(("", ""), report.simulated)
    yield from ("Rules that differ from the base:", "")
    yield from _grid(("rule", "what differs"), report.differences)
    yield from ("Assumed values:", "")
    yield from _grid(("rule", "value", "why"), report.assumed)
    yield from ("All rules in force:", "")
    yield from _grid(("rule", "value"), report.rules)
    yield from ("## Findings", "", *_sentences(report.findings), "")
    for section in report.sections:
        yield from (f"## {section.title}", "", section.intro, "")
        yield from (*_sentences(section.findings), "")
        for exhibit in section.exhibits:
            yield from _exhibit(exhibit)


def _exhibit(exhibit: Exhibit) -> Iterator[str]:
    yield from (f"### {exhibit.title}", "", exhibit.note, "")
    if exhibit.formula:
        yield from (f"Formula: `{exhibit.formula}`", "")
    if exhibit.figure is not None:
        yield from (f"![{exhibit.title}](figures/{exhibit.id}.svg)", "")
    yield from _grid([column.title for column in exhibit.columns], exhibit.printed())
    yield from (*(f"- {c.title}: {c.doc}" for c in exhibit.columns), "")


def _sentences(findings: tuple[Finding, ...]) -> Iterator[str]:
    return (f"- **{finding.sure}**: {finding.text}" for finding in findings)


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Give a Markdown table, or the word none."""
    if not rows:
        yield from ("None.", "")
        return
    for row in (head, ["---"] * len(head), *rows):
        cells = (cell.replace("|", "\\|").replace("\n", " ") for cell in row)
        yield f"| {' | '.join(cells)} |"
    yield ""


def _outline(report: Report) -> dict[str, Any]:
    """Give what scripts want to know: front matter, findings, where the numbers are."""
    outline = {
        field.name: getattr(report, field.name)
        for field in fields(report)
        if field.name not in {"findings", "sections"}
    }
    outline["findings"] = [asdict(finding) for finding in report.findings]
    outline["sections"] = [
        {
            "id": section.id,
            "title": section.title,
            "findings": [asdict(finding) for finding in section.findings],
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


def _printed(table: pl.DataFrame, column: Column) -> Iterator[str]:
    """Give the texts of a column, intervals included."""
    values = table[column.name].to_list()
    if column.style == "text":
        yield from ("none" if value is None else str(value) for value in values)
        return
    ends = [table[end].to_list() for end in (column.low, column.high) if end]
    if len(ends) < 2:
        digits = _digits(column.style, [])
        yield from (_number(value, column.style, digits) for value in values)
        return
    pairs = list(zip(*ends, strict=True))
    widths = [high - low for low, high in pairs if _known(low) and _known(high)]
    digits = _digits(column.style, widths)
    for value, (low, high) in zip(values, pairs, strict=True):
        text = _number(value, column.style, digits)
        if not _known(value):
            yield text
        elif not (_known(low) and _known(high)):
            yield f"{text} (no interval)"
        else:
            around = (_number(end, column.style, digits) for end in (low, high))
            bare = ", ".join(
                end.removesuffix(" %").removesuffix(" pp") for end in around
            )
            yield f"{text} [{bare}]"


def _known(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _digits(style: Style, widths: list[float]) -> int:
    """Choose decimals that show a typical interval, and no more."""
    if style == "count":
        return 0
    percent = style != "number"
    width = (100 if percent else 1) * median(widths) if widths else 0.0
    if width <= 0:
        return 1 if percent else 2
    return min(max(1 + math.ceil(-math.log10(width)), int(percent)), 4)


def _number(value: float | None, style: Style, digits: int) -> str:
    """Print a number in its style, with a true minus sign."""
    if value is None or not _known(value):
        return "no data"
    if style == "share":
        text = f"{100 * value:z.{digits}f} %"
    elif style == "points":
        text = f"{100 * value:+z.{digits}f} pp"
    else:
        text = f"{value:z,.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}")
