"""What all commands have in common: defaults, words in help, what is meant."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer import Context
from typer.main import get_command

from experiments.commands.cli import app
from experiments.commands.options import split_values
from experiments.core.cells import UsageError
from experiments.studies.study_short_forms import numbers
from experiments.variants import toml
from sim.games import REGISTRY, load
from sim.parameters import RuleError

COMMANDS = (
    "run",
    "trace",
    "report",
    "compare",
    "power",
    "luck",
    "tournament",
    "knockout",
    "what-if",
    "ask",
    "exploit",
    "skill",
    "learn",
    "tune",
    "check",
    "check-game",
    "check-strategy",
    "bench",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_what_an_option_takes(fairdeal, command):
    result = fairdeal(command, "--help")
    assert result.exit_code == 0
    told = result.stdout
    assert not re.search(r"^ *-.*<(str|int|float|path|list\[str\])>", told, re.M)
    assert "the only one there is" not in told
    if "--jobs" in told:
        assert re.search(r"-j, --jobs N\b", told)
        assert re.search(r"all cores\.\s+\[default:\s+-1\]", told)
    if "--set" in told:
        assert "--set KEY=VALUE" in told


def commands(group, before=()):
    """Every command of the command line, with its name."""
    for name, one in group.commands.items():
        words = (*before, name)
        yield from commands(one, words) if hasattr(one, "commands") else [(words, one)]


SEATED = {(("tune",), "--against")}
"""Options that may be repeated, and whose commas are between the seats of a table."""


def test_what_may_be_repeated_takes_commas_too():
    """All options of all commands: repeated, with commas, or both, is the same."""
    seen = set()
    for words, command in commands(get_command(app)):
        context = Context(command)
        for option in command.params:
            if not getattr(option, "multiple", False):
                continue
            name = option.opts[0]
            seen.add(name)
            divided = option.process_value(context, ("a=1,b=2", "c=3"))
            assert (len(divided) == 3) == ((words, name) not in SEATED), (words, name)
            if (words, name) not in SEATED:
                found = option.process_value(context, ("a,b", "c"))
                assert [*found] == ["a", "b", "c"], (words, name)
                assert "with commas" in option.help, (words, name)
    assert seen == {
        "--set",
        "--add-strategy",
        "--add-section",
        "--given",
        "--measure",
        "--only",
        "--vary",
        "--parameter",
        "--against",
        "--columns",
        "--other-rules",
        "--forbid",
        "--force",
        "--grant",
        "--section",
        "--swap-cards",
        "--where",
    }


@pytest.mark.parametrize(
    ("text", "how", "parts"),
    [
        ("life, weeks", {}, ["life", "weeks"]),
        ("noisy(a,0.1),b", {}, ["noisy(a,0.1)", "b"]),
        ("a.py:B:x=1,b.py:C", {}, ["a.py:B:x=1", "b.py:C"]),
        ("sums=[5,9],[4,8],life=1", {"valued": True}, ["sums=[5,9],[4,8]", "life=1"]),
        ("weeks,life=1..3", {"valued": True}, ["weeks", "life=1..3"]),
        ('name="a,b=c",life=4', {"valued": True}, ['name="a,b=c"', "life=4"]),
        ("name=it's,life=4", {"valued": True}, ["name=it's", "life=4"]),
        ("row={a = 1, b = 2}", {"valued": True}, ["row={a = 1, b = 2}"]),
        (
            "extra by position, first,won by seat",
            {"spaced": True},
            ["extra by position, first", "won by seat"],
        ),
        ("", {}, [""]),
    ],
)
def test_commas_divide_where_they_should(text, how, parts):
    assert split_values(text, **how) == parts


def test_commas_and_repeating_play_the_same(fairdeal):
    words = ("run", "kunitame", "-n", "50", "--seed", "1", "--json")
    one = json.loads(fairdeal(*words, "--set", "life=4,weeks=2").stdout)
    other = json.loads(fairdeal(*words, "--set", "life=4", "--set", "weeks=2").stdout)
    assert one["differences"] == other["differences"]
    assert set(one["differences"]) == {"life", "weeks"}
    assert one["tables"] == other["tables"]


def test_seats_are_rotated_unless_said(fairdeal):
    words = ("run", "kunitame", "-n", "10", "--seed", "1", "--json")
    assert json.loads(fairdeal(*words).stdout)["rotate"] is True
    assert json.loads(fairdeal(*words, "--no-rotate").stdout)["rotate"] is False


@pytest.mark.parametrize(
    ("text", "found"),
    [("4", (4,)), ("3,4", (3, 4)), ("3-5", (3, 4, 5)), ("5, 3 - 4,3", (5, 3, 4))],
)
def test_numbers_of_players(text, found):
    assert numbers(text) == found


@pytest.mark.parametrize("text", ["", "x", "5-3", "3-", "-3", "3..5", "1e3", "²"])
def test_no_numbers_of_players(text):
    with pytest.raises(UsageError, match="numbers, as in 3,4 or 3-5"):
        numbers(text)


def test_the_id_of_a_game_is_a_side(fairdeal):
    words = ("-n", "100", "--seed", "1", "--no-detailed", "--adapt", "0", "--json")
    short = fairdeal("compare", "kunitame", "life=4", *words, "--out", "a")
    whole = fairdeal(
        "compare", "base", "life=4", "--game", "kunitame", *words, "--out", "b"
    )
    one, other = json.loads(short.stdout), json.loads(whole.stdout)
    assert {**one, "out": ""} == {**other, "out": ""}
    two = fairdeal("compare", "kunitame", "devil")
    assert two.exit_code == 2
    assert "kunitame and devil are different games; name one." in two.stderr


@pytest.mark.parametrize("game", REGISTRY)
def test_decisions_and_what_the_view_has(fairdeal, game):
    found = json.loads(fairdeal("strategies", game, "--decisions", "--json").stdout)
    names = [one["name"] for one in found["decisions"]]
    assert names == list(load(game).kinds)
    assert all(one["options"] and one["about"] for one in found["decisions"])
    assert {"legal", "most", "seat", "pick()"} <= set(found["view"])
    assert all(found["view"].values())
    assert f"{found['decisions'][0]['method']}(self, view)" in (
        fairdeal("strategies", game, "--decisions").stdout
    )


def test_a_narrow_terminal(fairdeal, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    told = fairdeal("rules", "kunitame").stdout
    table = told.partition("assumed")[0]
    assert "  value: 4 weeks" in table
    assert max(map(len, table.splitlines())) <= 40


def test_a_number_stands_for_a_range():
    of = load("kunitame").rules.of
    one, two = (
        of({"squares.card-11": {"num": num}}).plain()["squares"] for num in (7, [7, 7])
    )
    assert one == two
    with pytest.raises(RuleError, match="whole number, or list of two"):
        of({"squares.card-11": {"num": "x"}})
    with pytest.raises(RuleError, match=r"Allowed: 1 \| 3\. \(points of its gem"):
        of({"squares.blue.gem": 2})
    with pytest.raises(RuleError, match=r"one list; write it whole: points = \[1, 2, "):
        load("devil").rules.of({"points.10": 0})


def test_a_lineup_that_cannot_be_seated_is_told_before(fairdeal, here):
    (here / "s.toml").write_text(
        'game = "kunitame"\nplayers = "3-4"\ngames = 20\nseed = 1\ndetailed = false\n'
        'lineups = ["random", "random,random,random,timid"]\n'
    )
    said = "has 4 seats: it is not played with 3 players"
    assert said in fairdeal("run", "s.toml", "--dry-run").stdout
    assert said in fairdeal("run", "s.toml").stderr


BAD = {
    "deep": (f"a = {'[' * 3000}{']' * 3000}", "nested more than 64 deep"),
    "tables": ("a = " + "{a=" * 90 + "1" + "}" * 90, "nested more than 64 deep"),
    "dotted": (".".join("a" * 20_000) + " = 1", "more than 64 parts"),
    "quoted": (".".join(['"a"'] * 100) + " = 1", "more than 64 parts"),
    "long": (f"a = {'9' * 5000}", "64 bits are the most"),
    "hexadecimal": (f"a = 0x{'f' * 5000}", "64 bits are the most"),
    "a long text": (f'question = "{"x" * 200_000}"', "a text has 200,000 letters"),
    "a long name": (f"[variants.{'x' * 2_001}]", "a text has 2,001 letters"),
    "two names alike": (
        '[a]\n"x\\u0007" = 1\n"x\\u0008" = 2',
        "differ only in control characters",
    ),
    "large": ('a = "' + "x" * 4_000_001 + '"', "longer than 4,000,000 bytes"),
}


@pytest.mark.parametrize("what", BAD)
def test_toml_that_nobody_needs(tmp_path, what):
    text, expected = BAD[what]
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(UsageError, match=expected):
        toml.read(tmp_path / "a.toml", "variant")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\t", "\v", "\x85", "\u2028", "\u2029"])
def test_texts_of_toml_are_of_one_line(tmp_path, end):
    written = "".join(f"\\u{ord(letter):04x}" for letter in end)
    (tmp_path / "a.toml").write_text(f'a = "x{written}y"\nb = ["\\u001b[31mz"]\n')
    found = toml.read(tmp_path / "a.toml", "variant")
    assert found == {"a": "x y", "b": ["\ufffd[31mz"]}


WAITS = {
    "variant": ("variant", "validate", "pipe.toml"),
    "run": ("run", "pipe.toml"),
    "run by variant": ("run", "kunitame", "--variant", "pipe.toml"),
    "targets": ("report", "kunitame", "--targets", "pipe.toml"),
    "check": ("check", "pipe.toml"),
    "another one of that name": ("variant", "show", "no-such"),
    "a run": ("runs", "show", "r"),
    "a directory": ("run", "kunitame", "-n", "10", "--out", "r"),
    "sessions": ("playtest", "pipe.toml", "--game", "kunitame"),
    "sessions of a question": ("ask", "devil", "length", "--sessions", "pipe.toml"),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("what", WAITS)
def test_nobody_waits_for_a_pipe(what, here):
    """Into which nobody may ever write."""
    (here / "r").mkdir()
    os.mkfifo(here / "pipe.toml")
    os.mkfifo(here / "r/manifest.json")
    done = subprocess.run(
        [sys.executable, "-m", "experiments.commands.cli", *WAITS[what]],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2, done.stderr + done.stdout


def test_a_pipe_is_told_as_one(fairdeal, here):
    os.mkfifo(here / "pipe.toml")
    told = fairdeal("run", "pipe.toml")
    assert "pipe.toml cannot be read: it is a pipe or a device, not a" in told.stderr


def test_toml_with_a_mark_of_its_encoding(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert toml.read(tmp_path / "a.toml", "variant") == {"a": 1}
