"""The pages for people: links lead somewhere, and commands are the ones there are."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import typer

from experiments.commands.cli import app
from reports.course.measures import COURSE_MEASURES
from reports.course.win_probability import WIN_MEASURES
from reports.scorecard.lines import LINES

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")


def blocks(text: str, *kinds: str) -> list[str]:
    """The fenced blocks of a page of these kinds."""
    found = re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [block for kind, block in found if kind in kinds]


def commands(page: Path) -> Iterator[list[str]]:
    """The words of each call of fairdeal, in shell blocks and in sentences."""
    text = page.read_text("utf-8")
    lines = [
        line
        for block in blocks(text, "sh", "yaml")
        for line in block.replace("\\\n", " ").splitlines()
    ]
    said = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for line in (*lines, *re.findall(r"`(fairdeal\s[^`]+)`", said)):
        words = shlex.split(line, comments=True)
        at = [n for n, word in enumerate(words) if Path(word).name == "fairdeal"]
        if at and (at[0] == 0 or words[at[0] - 1] in ("run:", "&&")):
            yield words[at[0] + 1 :]


def anchors(page: Path) -> set[str]:
    """What a link to a heading of the page may say, as GitHub makes it."""
    heads = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", head.lower()) for head in heads)
    return {head.strip().replace(" ", "-") for head in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in LINK.findall(page.read_text("utf-8")):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_have_these_options(page):
    group = typer.main.get_command(app)
    for words in commands(page):
        command, rest = group, words
        while isinstance(command, click.Group) and rest and rest[0][0] != "-":
            name, *rest = rest
            assert name in command.commands, words
            command = command.commands[name]
        context = click.Context(command, info_name="fairdeal")
        command.make_parser(context).parse_args(list(rest))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_snippets_import_what_is_there(page):
    for block in blocks(page.read_text("utf-8"), "python"):
        body = ast.parse(block).body
        imports = [one for one in body if isinstance(one, ast.Import | ast.ImportFrom)]
        exec(compile(ast.Module(imports, []), page.name, "exec"), {})  # noqa: S102


def test_every_page_is_in_the_index():
    index = LINK.findall((ROOT / "README.md").read_text("utf-8"))
    assert {f"docs/{page.name}" for page in ROOT.glob("docs/*.md")} <= set(index)


@pytest.mark.parametrize("name", ["reports.md", "formulas.md"])
def test_every_line_and_measure_is_explained(name):
    text = (ROOT / "docs" / name).read_text("utf-8")
    named = [line.id for line in LINES] + [what.name for what in COURSE_MEASURES]
    if name == "formulas.md":
        named += [told.name for told in WIN_MEASURES]
    else:
        assert [line.title for line in LINES if f"| {line.title} |" not in text] == []
    assert [name for name in named if f"`{name}`" not in text] == []


def test_files_and_views_that_pages_name_are_there():
    """Paths of the repository, and the first name after ``view.``."""
    source = "\n".join(
        path.read_text("utf-8")
        for folder in ("sim", "strategies")
        for path in sorted((ROOT / folder).rglob("*.py"))
    )
    fields = set(re.findall(r"^    (?:def )?(\w+)(?:\(self| = )", source, re.MULTILINE))
    for page in PAGES:
        text = page.read_text("utf-8")
        paths = re.findall(
            r"`((?:sim|strategies|experiments|reports|tests)/\S*?)`", text
        )
        named = [path for path in paths if not re.search(r"GAME|NAME", path)]
        assert [path for path in named if not (ROOT / path).exists()] == [], page.name
        views = re.findall(r"`view\.(?!py\b)(\w+)", text)
        assert [view for view in views if view not in fields] == [], page.name
