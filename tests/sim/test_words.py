"""The words of the code: names in docstrings exist, and are those of the field."""

import ast
import builtins
import doctest
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("sim", "strategies", "experiments", "reports")
PRIVATE = (
    r"hangs? on", r"[Tt]he same of", r"\bheedless\b", r"\bunheard\b",
    r"\b(he|his|him|himself)\b(?!/)",  # players are they
)  # fmt: skip
"""Words and turns of phrase that docstrings and comments do not use."""
PARTICIPLES = re.compile(r"(?!un)\w+(ed|ing)|told|found|held|lost|heard|written|beside")
ALLOWED = {  # modules named by an activity, or as their strategy is
    "casting", "dealing", "formatting", "compare_formatting", "interval_widening",
    "kingmaking", "learned", "scoring",
}  # fmt: skip
PER_GAME = {  # the same thing in each game, always read with the game's module
    "Allround", "Clock", "Finals", "Heuristic", "Layout", "Learned", "Phase", "State",
    "Tables", "Trial",
    "Card", "Number",  # what the author of a game writes
    "Game",  # its declaration, and what a user of `import fairdeal` has of it
}  # fmt: skip
FOREIGN = re.compile(r"(np|os|importlib|scipy)\.|\w+\.toml|\w+_KIND")
"""Names of other libraries and folders, which are not resolved here."""


@cache
def modules(*folders: str) -> dict[Path, ast.Module]:
    """The parsed modules of folders."""
    files = (file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    return {file: ast.parse(file.read_text("utf-8")) for file in sorted(files)}


def docstrings(tree: ast.Module) -> Iterator[str]:
    """All docstrings of a module, those of its constants too."""
    for node in ast.walk(tree):
        value = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


def names(tree: ast.AST) -> Iterator[str]:
    """Everything that a module names: definitions, arguments, attributes, texts."""
    for node in ast.walk(tree):
        for field in ("name", "id", "attr", "arg", "module", "asname"):
            yield from re.findall(r"\w+", getattr(node, field, None) or "")
        if isinstance(node, ast.Constant) and " " not in str(node.value):
            yield str(node.value)


@cache
def vocabulary() -> set[str]:
    """All names in the code: of modules, too."""
    trees = modules(*FOLDERS)
    known = {name for tree in trees.values() for name in names(tree)} | {*dir(builtins)}
    return known | {part for file in trees for part in (file.stem, file.parent.name)}


def stale(text: str, known: set[str]) -> list[str]:
    """The names in double backquotes of which a part is not known."""
    quoted = re.findall(r"``([A-Za-z_][\w.]*)(?:\([^`]*\))?``", text)
    ours = (name for name in quoted if not FOREIGN.match(name))
    return [name for name in ours if not {*name.split(".")} <= known]


def test_a_stale_name_is_seen() -> None:
    text = "As ``View.pick`` and ``pick(mask)``, not ``View.choose`` or ``np.where``."
    assert stale(text, {"View", "pick"}) == ["View.choose"]


def test_examples_in_docstrings_are_true() -> None:
    """Those of the public API, some of which play games, are in ``test_fairdeal``."""
    for file in modules(*FOLDERS):
        if file.parent.name != "api" and ">>>" in file.read_text("utf-8"):
            parts = file.relative_to(ROOT).with_suffix("").parts
            assert doctest.testmod(import_module(".".join(parts))).failed == 0, file


@pytest.mark.parametrize("folder", FOLDERS)
def test_names_in_docstrings_exist(folder: str) -> None:
    """Each part of ``Name``, ``name.part`` or ``name(argument)`` is one of the code."""
    known = vocabulary()
    found = [
        f"{file.relative_to(ROOT)}: {name}"
        for file, tree in modules(folder).items()
        for text in docstrings(tree)
        for name in stale(text, known)
    ]
    assert not found


@pytest.mark.parametrize("folder", FOLDERS)
def test_private_words_are_not_used(folder: str) -> None:
    used = []
    for file, tree in modules(folder).items():
        comments = re.findall(r"# .*", file.read_text("utf-8"))
        for text in (*docstrings(tree), *comments):
            plain = re.sub(r'"[^"]*"', "", text)  # rule texts are quoted as they are
            used += [
                f"{file.name}: {word}" for word in PRIVATE if re.search(word, plain)
            ]
    assert not used


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_module_is_named_by_a_participle(folder: str) -> None:
    stems = {file.stem for file in modules(folder)}
    assert {stem for stem in stems if PARTICIPLES.fullmatch(stem)} <= ALLOWED


def test_no_two_public_classes_have_one_name() -> None:
    homes = defaultdict(list)
    for file, tree in modules(*FOLDERS).items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(file.relative_to(ROOT)))
    assert {name for name, files in homes.items() if len(files) > 1} <= PER_GAME


def test_modules_are_imported_by_name_only_where_they_are_looked_up() -> None:
    """Games, strategies and reports by their ids, and what workers load early."""
    found = {
        str(file.relative_to(ROOT))
        for file in modules(*FOLDERS)
        if "import_module(" in file.read_text("utf-8")
    }
    workers = {"process_launch", "worker_pool", "worker_process"}
    assert found == {
        "sim/games.py",
        "strategies/registry.py",
        "reports/report_registry.py",
        *(f"experiments/execution/{name}.py" for name in workers),
    }
