"""Output that is closed, full or ASCII only, and texts that are only texts."""

import os
import subprocess
import sys
import warnings
from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from matplotlib.figure import Figure

from experiments.commands import cli
from reports import safe_text
from reports.safe_text import csv, markdown, plain

HOME = Path(__file__).parents[2]


def shell(words: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    command = f"{sys.executable} -m experiments.commands.cli {words}"
    env = {**os.environ, "PYTHONPATH": str(HOME), "FAIRDEAL_DEBUG": "", **more}
    return subprocess.run(
        ["bash", "-c", command], env=env, capture_output=True, check=False, timeout=120
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("words", ["games", "--help", "games --json"])
def test_a_full_disk_for_the_output(words):
    done = shell(f"{words} >/dev/full")
    assert done.returncode == 1
    assert b"error: " in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(closed, tmp_path):
    out = tmp_path / "o"
    words = f"run kunitame -n 20 --seed 1 --out {out} {closed}"
    done = shell(words)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert (out / "summary.json").is_file()
    assert sorted(out.glob("blocks/*.parquet"))


def test_an_ascii_terminal():
    done = shell("strategies kbernestich", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    done.stdout.decode("ascii")


def test_no_error_is_a_traceback(fairdeal, monkeypatch):
    for error, code, said in (
        (RuntimeError("odd"), 1, "RuntimeError: odd\nThis error was not expected."),
        (MemoryError(), 1, "out of memory. Repeat the command with fewer --jobs."),
        (RecursionError(), 1, "nested too deeply"),
        (SystemExit(0), 1, "SystemExit: 0"),
        (OSError(36, "File name too long", "x"), 2, "x: File name too long."),
        (OSError(13, "Permission denied", "x"), 1, "x: Permission denied."),
    ):

        def fails(game, error=error):
            raise error

        monkeypatch.setattr("sim.games.load", fails)
        done = fairdeal("games")
        assert done.exit_code == code
        assert said in done.stderr
        assert "Traceback" not in done.output


def test_a_hint_to_see_more(fairdeal, monkeypatch):
    monkeypatch.setattr("sim.games.load", lambda game: 1 / 0)
    assert "fairdeal --debug" in fairdeal("games").stderr
    assert isinstance(fairdeal("--debug", "games").exception, ZeroDivisionError)


def test_a_long_message_is_cut(fairdeal):
    done = fairdeal("rules", "x" * 100_000)
    assert done.exit_code == 2
    assert len(done.stderr) < 10_000


@pytest.mark.parametrize(
    "words",
    [
        ("run", "x" * 300),
        ("run", "kunitame", "--variant", "x" * 300),
        ("run", "kunitame", "--add-strategy", f"{'x' * 300}.py:X"),
        ("rules", "kunitame", "--set", f"{'a.' * 3000}a=1"),
        ("rules", "kunitame", "--set", f"life={'[' * 3000}"),
        ("rules", "kunitame", "--set", f"life={'9' * 5000}"),
        ("run", "kunitame", "-n", "9" * 4000, "--dry-run"),
        ("run", "kunitame", "--seed", "9" * 5000),
    ],
)
def test_long_words(fairdeal, words):
    done = fairdeal(*words)
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert "not foreseen" not in done.output


ODD = "$\\\\foo$ <script>alert(1)</script> \\u001b[31mred \\u0000 {x} [bold]x[/bold]"


def test_a_question_is_a_text(fairdeal, here):
    (here / "odd.toml").write_text(
        f'question = "{ODD}"\ngame = "kunitame"\nplayers = 3\nlineups = ["random"]\n'
        f'games = 50\nseed = 1\nvariants = {{ base = {{}}, "{ODD}" = '
        "{ rules = { life = 4 } } }\n"
    )
    done = fairdeal("run", "odd.toml", "--out", "o")
    assert done.exit_code == 0
    assert "\x1b" not in done.output
    assert "\x00" not in done.output
    assert "$\\foo$ <script>alert(1)</script>" in done.stdout
    ET.parse(here / "o/figure.svg")  # noqa: S314 - our own
    assert fairdeal("run", "odd.toml", "--out", "o").exit_code == 0


def test_letters_that_no_font_has_are_told_once(monkeypatch, capsys):
    safe_text._warn_once.cache_clear()
    monkeypatch.setattr(safe_text, "_FALLBACK_FONTS", ())
    safe_text._families.cache_clear()
    figure = Figure()
    figure.text(0.5, 0.5, "日本語?")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(2):
            safe_text.render_figure(figure, "svg", "x")
    safe_text._families.cache_clear()
    [one] = told
    cli._warned(one.message, one.category, one.filename, one.lineno)
    said = capsys.readouterr().err
    assert said.startswith("note: no font of this machine has 日本語; pictures show")


def test_plain_text():
    assert plain("a\x1b[31m\x9b\u202eb\nc") == "a\ufffd[31m\ufffd\ufffdb\nc"
    assert markdown("a < b, <b>, </b>, <!-- x") == ("a < b, &lt;b>, &lt;/b>, &lt;!-- x")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a](javascript:alert(8))", r"[a]\(javascript:alert(8))"),
        ("[x](javascript&colon;alert)", r"[x]\(javascript&amp;colon;alert)"),
        ("[a\\](b)", r"[a\\]\(b)"),
        ("![p](http://x)", r"![p]\(http://x)"),
        ("[a][b]", r"[a]\[b]"),
        ("[a]: javascript:x", r"\[a]: javascript:x"),
        ("a * _b_ ~~c~~ `d`\n# e", r"a \* \_b\_ \~~c\~~ \`d\` # e"),
        ("won_by: 3.1 % [1.0, 2.0]", "won_by: 3.1 % [1.0, 2.0]"),
        ("\x1b[31m", "\ufffd[31m"),
    ],
)
def test_text_in_markdown(text, shown):
    """No link, picture or code that nobody of us wrote; numbers stay readable."""
    assert markdown(text) == shown


CELLS = {
    "=1+1": "'=1+1",
    "+x": "'+x",
    "-x": "'-x",
    "@x": "'@x",
    "\t=x": "' =x",
    "-1 cmd|a!A": "'-1 cmd|a!A",
    "-3": "-3",
    "+2.5 points (-1.0 to +4.0)": "+2.5 points (-1.0 to +4.0)",
    "+2.5 points (no interval)": "+2.5 points (no interval)",
    "+2 HYPERLINK(A1)": "'+2 HYPERLINK(A1)",
    "x=1": "x=1",
    "\x1b[1m": "\ufffd[1m",
    "a\nb": "a b",
}


def test_texts_in_csv():
    """What a spreadsheet would run is a text; numbers are numbers."""
    many = len(CELLS)
    name = pl.Series(["=x"] * many, dtype=pl.Enum(["=x"]))
    table = pl.DataFrame({"a": [*CELLS], "n": [-1.5] * many, "e": name})
    lines = csv(table).decode().splitlines()
    cells = [line.split(",") for line in lines[1:]]
    assert [cell for cell, *_ in cells] == [*CELLS.values()]
    assert {tuple(rest) for _, *rest in cells} == {("-1.5", "'=x")}
