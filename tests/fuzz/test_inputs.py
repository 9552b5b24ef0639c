"""No input gives a traceback, a wrong exit code, or takes a file of the user's.

Files are mutated byte by byte and value by value; settings and specs of strategies are
made up. Whatever comes, the answer is 0, or 2 with a message that begins "error: " (or,
of ``variant validate``, "wrong"). The short run is part of every test run, the long one
is marked slow.
"""

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from experiments.commands.cli import app
from experiments.variants import toml
from sim.games import REGISTRY, load
from strategies.base import parameters
from strategies.registry import builtin

SHORT, LONG = 12, 1_500
QUICK = settings(
    max_examples=SHORT,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
SLOW = settings(QUICK, max_examples=LONG, derandomize=False)

VARIANT = """game = "kunitame"
name = "fuzzed"
about = "everything at once"

[rules]
life = 4
weeks = 3
suits = ["blue", "red", "yellow"]
contract_points = [3, 2, 2, 3, 3]
trick_take = "may"

[rules.squares.card-9-10]
pledge = "P1"
when = "trick"
num = [9, 10]

[rules.squares.card-11]
remove = true
"""
STUDY = """question = "what if?"
game = "kunitame"
players = [3, 4]
lineups = ["random", "planner:margin=1"]
games = 20
seed = 1
measures = ["won by position"]
precision = "5pp"
variants = { base = {}, four = { rules = { life = 4 } } }

[design]
kind = "grid"

[design.vary]
rules.weeks = [1, 2]
rules.hand = { from = 5, to = 7, step = 2 }

[targets.seats]
measure = "won by position"
gap = 0.5
"""
WORDS = [
    "",
    "0",
    "-1",
    "1e400",
    "nan",
    "inf",
    "true",
    "[]",
    "[[]]",
    "{}",
    '""',
    '"x"',
    "9223372036854775808",
    "0x7f",
    "1979-05-27",
    "[1, 'a']",
    "{ a = 1 }",
    "'$\\foo$'",
    '"\\u0000"',
    '"\\u001b[31m"',
    '"日本"',
    "[rules]",
    "remove = true",
    "base = 'x'",
    "=",
    ".",
    ",",
    "\n",
    "#",
    '"""',
    "[[a]]",
    "id = 'blue'",
]


def mutated(text: str, seed: int) -> bytes:
    """The text with a few bytes, values or lines that are others."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        kind = chance.randrange(5)
        if kind == 0:
            lines[at] = chance.choice(WORDS)
        elif kind == 1 and "=" in lines[at]:
            lines[at] = f"{lines[at].partition('=')[0]}= {chance.choice(WORDS)}"
        elif kind == 2:
            lines.insert(at, chance.choice(lines))
        elif kind == 3:
            del lines[at]
        else:
            place = chance.randrange(len(lines[at]) + 1)
            other = chr(chance.choice([0, 9, 27, 34, 45, 46, 61, 91, 93, 123, 255]))
            lines[at] = lines[at][:place] + other + lines[at][place + 1 :]
        text = "\n".join(lines)
    data = text.encode()
    if chance.random() < 0.1:
        place = chance.randrange(len(data) + 1)
        data = data[:place] + bytes([chance.randrange(256)]) + data[place:]
    return data


def ask(folder: Path, *words: str) -> Any:
    """Give a command; refuse what no answer may be."""
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = CliRunner().invoke(app, list(words))
    said = f"{words}: {done.output}"
    assert done.exit_code in {0, 2}, said
    assert done.exit_code == 0 or "rror: " in done.stderr or "wrong " in done.stdout
    assert "Traceback" not in done.output, said
    assert "not foreseen" not in done.output, said
    assert not any(ord(letter) < 32 and letter != "\n" for letter in done.output), said
    assert {path: path.read_bytes() for path in before} == before, said
    return done


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRDEAL_DEBUG", "")
    return tmp_path


def try_variant(folder: Path, seed: int) -> None:
    (folder / "fuzzed.toml").write_bytes(mutated(VARIANT, seed))
    ask(folder, "variant", "validate", "fuzzed.toml")
    ask(folder, "rules", "kunitame", "--variant", "fuzzed.toml")
    ask(folder, "variant", "diff", "fuzzed.toml")


def try_study(folder: Path, seed: int) -> None:
    """The study is expanded as for a run; games are another test's business."""
    from experiments.core.cells import UsageError
    from experiments.studies import plans, study
    from sim.games import UnknownGame
    from sim.parameters import RuleError
    from strategies.registry import UnknownStrategy

    path = folder / "study.toml"
    path.write_bytes(mutated(STUDY, seed))
    with suppress(UsageError, RuleError, UnknownGame, UnknownStrategy):
        plans.plan(study.load(path))


@QUICK
@given(seed=st.integers(0, 1 << 32))
def test_variants(folder, seed):
    try_variant(folder, seed)


@QUICK
@given(seed=st.integers(0, 1 << 32))
def test_studies(folder, seed):
    try_study(folder, seed)


@pytest.mark.soak
@SLOW
@given(seed=st.integers(0, 1 << 32))
def test_many_variants(folder, seed):
    try_variant(folder, seed)


@pytest.mark.soak
@SLOW
@given(seed=st.integers(0, 1 << 32))
def test_many_studies(folder, seed):
    try_study(folder, seed)


def keys(game: str) -> st.SearchStrategy[str]:
    rules = load(game).rules()
    rows = [
        f"{key}.{row['id']}.{field}"
        for key, value in rules.plain().items()
        for row in (value if isinstance(value, list) else [])
        if isinstance(row, dict)
        for field in row
    ]
    known = [*type(rules).model_fields, *rows]
    return st.one_of(st.sampled_from(known), st.text(max_size=12))


values = st.one_of(
    st.sampled_from(WORDS),
    st.integers().map(str),
    st.floats().map(str),
    st.text(max_size=12),
    st.lists(st.one_of(st.integers(-3, 99), st.text(max_size=3)), max_size=5).map(
        toml.value
    ),
)


@st.composite
def settings_of(draw: Any) -> tuple[str, list[str]]:
    game = draw(st.sampled_from(sorted(REGISTRY)))
    pairs = draw(st.lists(st.tuples(keys(game), values), min_size=1, max_size=3))
    return game, [f"{key}={value}" for key, value in pairs]


def try_settings(folder: Path, given: tuple[str, list[str]]) -> None:
    game, texts = given
    words = [word for text in texts for word in ("--set", text)]
    ask(folder, "rules", game, *words)


@QUICK
@given(given=settings_of())
def test_settings(folder, given):
    try_settings(folder, given)


@pytest.mark.soak
@SLOW
@given(given=settings_of())
def test_many_settings(folder, given):
    try_settings(folder, given)


@st.composite
def specs(draw: Any) -> tuple[str, str]:
    game = draw(st.sampled_from(sorted(REGISTRY)))
    known = builtin(game)
    name = draw(st.one_of(st.sampled_from(sorted(known)), st.text(max_size=8)))
    names = [key for cls in known.values() for key, _ in parameters(cls)]
    part = st.tuples(
        st.one_of(st.sampled_from(names), st.text(max_size=5)),
        st.one_of(st.floats().map(str), st.integers().map(str), st.text(max_size=5)),
    )
    more = draw(st.lists(part, max_size=2))
    return game, ":".join([name, *(f"{key}={value}" for key, value in more)])


def try_spec(folder: Path, given: tuple[str, str]) -> None:
    """What is accepted plays, whatever its parameters are."""
    game, spec = given
    ask(folder, "trace", game, "--seed", "1", f"--lineup={spec}")


@QUICK
@given(given=specs())
def test_specs(folder, given):
    try_spec(folder, given)


@pytest.mark.soak
@SLOW
@given(given=specs())
def test_many_specs(folder, given):
    try_spec(folder, given)
