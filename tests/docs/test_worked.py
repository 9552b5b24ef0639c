"""The worked studies: their commands run, and print what the pages quote."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from experiments.commands.cli import app

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["study-kunitame.md", "study-kbernestich.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
DECIDED = {"check": (0, 3, 4)}  # its exit code is its answer


def steps(page: str, here: Path) -> list[tuple[list[str], list[str]]]:
    """Each command with the lines quoted of it; files of the page are written."""
    found: list[tuple[list[str], list[str]]] = []
    for kind, block in BLOCK.findall((DOCS / page).read_text("utf-8")):
        named = re.match(r"# (\S+\.toml)\n", block)
        if kind == "toml" and named:
            (here / named[1]).write_text(block)
        elif kind == "sh":
            found += [(shlex.split(line)[1:], []) for line in block.splitlines()]
        elif kind == "text":
            found[-1][1].extend(block.splitlines())
    return found


def printed(words: list[str]) -> list[str]:
    """What a command prints, line by line."""
    found = CliRunner().invoke(app, words)
    assert found.exit_code in DECIDED.get(words[0], (0,)), (words, found.output)
    return [line.rstrip() for line in found.stdout.splitlines()]


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES)
def test_commands_run(page, tmp_path, monkeypatch):
    """All of them, with a few games."""
    monkeypatch.chdir(tmp_path)
    for words, _ in steps(page, tmp_path):
        few = {"find": "1024", "levers": "128"}.get(words[0], "32")
        if "-n" in words:
            words[words.index("-n") + 1] = few
        elif words[0] in ("report", "check") or words[1].endswith(".toml"):
            words += ["-n", few]
        printed(words)


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES)
def test_quotes_are_what_is_printed(page, tmp_path, monkeypatch):
    """Every line that is quoted, in this order."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)  # as wide as in a pipe
    for words, quoted in steps(page, tmp_path):
        lines = iter(printed(words))
        for quote in quoted:
            assert quote == "..." or quote.rstrip() in lines, (words, quote)
