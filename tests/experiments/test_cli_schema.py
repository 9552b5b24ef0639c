"""``fairdeal schema``, and that the page about variants is true."""

import json
import re
import shlex
from pathlib import Path

import pytest

# --- schema ---------------------------------------------------------------------------


def test_schema_is_printed_or_written(fairdeal, here):
    printed = json.loads(fairdeal("schema", "kunitame").stdout)
    result = fairdeal("schema", "kunitame", "--file", "kunitame.schema.json")
    assert "#:schema ./kunitame.schema.json" in result.stdout
    assert json.loads((here / "kunitame.schema.json").read_text()) == printed
    assert printed["properties"]["game"] == {
        "enum": ["kunitame"],
        "description": "Id of the game whose rules these are.",
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("chess",), "Games: "),
        (("kunitame", "--file", "my.toml"), "must end in .json"),
        (("kunitame", "--file", "no/my.json"), "there is no folder no. Make it first"),
    ],
)
def test_schema_mistakes(fairdeal, here, words, expected):
    result = fairdeal("schema", *words)
    assert result.exit_code == 2
    assert expected in result.stderr


# --- The page about variants ----------------------------------------------------------


def test_the_page_is_true(fairdeal, here):
    text = (Path(__file__).parents[2] / "docs" / "variants.md").read_text()
    blocks = re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL)
    for kind, block in blocks:
        named = re.match(r"# (\S+\.toml)\n", block)
        if kind == "toml" and named:
            (here / named[1]).write_text(block)
    shown = {}
    for line in [
        line for kind, block in blocks if kind == "sh" for line in block.splitlines()
    ]:
        words = shlex.split(line, comments=True)[1:]
        result = fairdeal(*words)
        assert result.exit_code == 0, line
        shown[words[1]] = result.stdout
    [printed] = [block for kind, block in blocks if not kind]
    assert shown["show"].startswith(printed)
    [python] = [block for kind, block in blocks if kind == "python"]
    names: dict[str, object] = {}
    exec(python, names)  # noqa: S102 - the example of our own page
    assert names["one"].resolved.source("squares.blue.gem") == "richer-pledges.toml"
